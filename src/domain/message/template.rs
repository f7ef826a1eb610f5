//! Templates of messages: `{{name}}` is a value, `{{#name}}…{{/name}}` a part that is repeated for each item of a list or
//! is there when a value is, `{{^name}}…{{/name}}` one that is there when it is not, `{{! … }}` a comment.
//!
//! `{{word KEY = TEXT}}` replaces a word of the program, so that a message is in one language: `{{word bad = schlecht}}`,
//! `{{word title.why = …}}`. A line with nothing but one of these tags, values aside, leaves no empty line.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{CheckMessage, CustomerMessage, ReportMessage, page_texts};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::text::nearest::nearest;

/// The template that is used without one of the person's own.
pub(super) const OURS: &str = include_str!("../../../assets/config/message.txt");

/// What a name can be used in: a name of the message also inside its reports, one of a report also inside its checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NameScope {
    Message,
    Report,
    Check,
}

/// All names, what each is usable in, and whether it is a list.
const NAMES: [(&str, NameScope, bool); 23] = [
    ("count", NameScope::Message, false),
    ("one", NameScope::Message, false),
    ("many", NameScope::Message, false),
    ("any_fails", NameScope::Message, false),
    ("reports", NameScope::Message, true),
    ("url", NameScope::Report, false),
    ("project", NameScope::Report, false),
    ("result", NameScope::Report, false),
    ("score", NameScope::Report, false),
    ("audited", NameScope::Report, false),
    ("before", NameScope::Report, false),
    ("page_problem", NameScope::Report, false),
    ("page_remedy", NameScope::Report, false),
    ("unknown", NameScope::Report, false),
    ("has_fails", NameScope::Report, false),
    ("fails", NameScope::Report, true),
    ("has_improved", NameScope::Report, false),
    ("improved", NameScope::Report, true),
    ("id", NameScope::Check, false),
    ("title", NameScope::Check, false),
    ("why", NameScope::Check, false),
    ("remedy", NameScope::Check, false),
    ("details", NameScope::Check, false),
];

/// A mistake in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A template that was read without a mistake.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessageTemplate {
    nodes: Vec<Node>,
    words: HashMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Text(String),
    Value(&'static str),
    /// A name, whether its part is there when the value is not, and the part.
    Section(&'static str, bool, Vec<Node>),
}

/// A section that is not closed yet.
struct OpenSection {
    name: &'static str,
    inverted: bool,
    line: usize,
    nodes: Vec<Node>,
}

impl MessageTemplate {
    /// The template of the program.
    pub fn ours() -> Self {
        // A test holds that it has no mistake.
        Self::parse(OURS).unwrap_or_default()
    }

    /// Reads a template.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut parser = TemplateParser { open: Vec::new(), nodes: Vec::new(), words: HashMap::new(), line: 0 };
        for line in text.split_inclusive('\n') {
            parser.line += 1;
            parser.take_line(line)?;
        }
        match parser.open.last() {
            Some(open) => {
                Err(TemplateError { line: open.line, message: format!("{{{{#{0}}}}} has no {{{{/{0}}}}}", open.name) })
            }
            None => Ok(Self { nodes: parser.nodes, words: parser.words }),
        }
    }

    /// The message in the words of the template.
    pub fn render(&self, message: &CustomerMessage) -> String {
        let mut text = String::new();
        self.write(&self.nodes, &RenderContext { message, report: None, check: None }, &mut text);
        text
    }

    fn write(&self, nodes: &[Node], context: &RenderContext<'_>, out: &mut String) {
        for node in nodes {
            match node {
                Node::Text(text) => out.push_str(text),
                Node::Value(name) => out.push_str(&self.value(name, context)),
                Node::Section(name, inverted, nodes) => self.write_section((name, *inverted), nodes, context, out),
            }
        }
    }

    fn write_section(
        &self,
        (name, inverted): (&str, bool),
        nodes: &[Node],
        context: &RenderContext<'_>,
        out: &mut String,
    ) {
        let checks: &[CheckMessage] = match (name, context.report) {
            ("reports", _) if !inverted => {
                for report in &context.message.reports {
                    self.write(nodes, &RenderContext { report: Some(report), ..*context }, out);
                }
                return;
            }
            ("fails", Some(report)) => &report.fails,
            ("improved", Some(report)) => &report.improved,
            _ => {
                if self.value(name, context).is_empty() == inverted {
                    self.write(nodes, context, out);
                }
                return;
            }
        };
        if inverted && checks.is_empty() {
            self.write(nodes, context, out);
        }
        for check in checks.iter().filter(|_| !inverted) {
            self.write(nodes, &RenderContext { check: Some(check), ..*context }, out);
        }
    }

    /// The text of a name; empty where there is none.
    fn value(&self, name: &str, context: &RenderContext<'_>) -> Cow<'_, str> {
        let flag = |is: bool| if is { "yes".to_owned() } else { String::new() };
        let count = context.message.reports.len();
        let of_message = match name {
            "count" => Some(count.to_string()),
            "one" => Some(flag(count == 1)),
            "any_fails" => Some(flag(context.message.reports.iter().any(ReportMessage::needs_repair))),
            "many" | "reports" => Some(flag(count > usize::from(name == "many"))),
            _ => None,
        };
        let of_check = || self.check_text(name, context.check?);
        let of_report = || self.report_text(name, context.report?);
        of_message.or_else(of_check).or_else(of_report).unwrap_or_default().into()
    }

    fn report_text(&self, name: &str, report: &ReportMessage) -> Option<String> {
        let flag = |is: bool| if is { "yes".to_owned() } else { String::new() };
        let page = |key: &str, text: fn((&'static str, &'static str)) -> &'static str| {
            let word =
                |failure: FetchFailure| self.word(&format!("{}.{key}", failure.word()), text(page_texts(failure)));
            report.page_failure.map(word).unwrap_or_default()
        };
        Some(match name {
            "url" => report.url.clone(),
            "project" => report.project.clone(),
            "result" => self.word(&report.result, &report.result),
            "score" => report.score.clone(),
            "audited" => report.audited.clone(),
            "before" => match report.before.split_once(' ') {
                Some((result, score)) => format!("{} {score}", self.word(result, result)),
                None => self.word(&report.before, &report.before),
            },
            "page_problem" => page("problem", |(problem, _)| problem),
            "page_remedy" => page("remedy", |(_, remedy)| remedy),
            "unknown" => flag(report.is_unknown),
            "has_fails" => flag(!report.fails.is_empty()),
            "has_improved" => flag(!report.improved.is_empty()),
            _ => return None,
        })
    }

    fn check_text(&self, name: &str, check: &CheckMessage) -> Option<String> {
        let word = |text: &str| self.word(&format!("{}.{name}", check.id), text);
        Some(match name {
            "id" => check.id.clone(),
            "title" => word(&check.title),
            "why" => word(&check.why),
            "remedy" => word(&check.remedy),
            "details" => check.details.clone(),
            _ => return None,
        })
    }

    fn word(&self, key: &str, text: &str) -> String {
        self.words.get(key).map_or(text, String::as_str).to_owned()
    }
}

/// What names mean at a place of the message.
#[derive(Clone, Copy)]
struct RenderContext<'a> {
    message: &'a CustomerMessage,
    report: Option<&'a ReportMessage>,
    check: Option<&'a CheckMessage>,
}

struct TemplateParser {
    open: Vec<OpenSection>,
    nodes: Vec<Node>,
    words: HashMap<String, String>,
    line: usize,
}

impl TemplateParser {
    fn take_line(&mut self, line: &str) -> Result<(), TemplateError> {
        let trimmed = line.trim();
        let tag = trimmed.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
        let alone = tag.filter(|tag| !tag.contains("{{") && !tag.contains("}}"));
        if let Some(tag) = alone.filter(|tag| is_silent(tag)) {
            return self.take_tag(tag);
        }
        let mut rest = line;
        while let Some((text, behind)) = rest.split_once("{{") {
            let Some((tag, behind)) = behind.split_once("}}") else {
                return Err(self.wrong("a {{ has no }} on its line"));
            };
            self.push(Node::Text(text.to_owned()));
            self.take_tag(tag)?;
            rest = behind;
        }
        self.push(Node::Text(rest.to_owned()));
        Ok(())
    }

    fn take_tag(&mut self, tag: &str) -> Result<(), TemplateError> {
        let tag = tag.trim();
        if let Some(name) = tag.strip_prefix('#') {
            self.begin(name, false)
        } else if let Some(name) = tag.strip_prefix('^') {
            self.begin(name, true)
        } else if let Some(name) = tag.strip_prefix('/') {
            self.end(name.trim())
        } else if tag.starts_with('!') {
            Ok(())
        } else if let Some(word) = tag.strip_prefix("word ") {
            let Some((key, text)) = word.split_once('=') else {
                return Err(self.wrong("a word is replaced so: {{word bad = schlecht}}"));
            };
            self.words.insert(key.trim().to_owned(), text.trim().to_owned());
            Ok(())
        } else {
            let (name, is_list) = self.known(tag)?;
            if is_list {
                return Err(self.wrong(&format!("{name} is a list: {{{{#{name}}}}} … {{{{/{name}}}}}")));
            }
            self.push(Node::Value(name));
            Ok(())
        }
    }

    fn begin(&mut self, name: &str, inverted: bool) -> Result<(), TemplateError> {
        let (name, _) = self.known(name.trim())?;
        self.open.push(OpenSection { name, inverted, line: self.line, nodes: Vec::new() });
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), TemplateError> {
        let Some(open) = self.open.pop_if(|open| open.name == name) else {
            let wanted = self.open.last().map(|open| format!("; {{{{/{}}}}} is due", open.name)).unwrap_or_default();
            return Err(self.wrong(&format!("{{{{/{name}}}}} closes nothing{wanted}")));
        };
        self.push(Node::Section(open.name, open.inverted, open.nodes));
        Ok(())
    }

    /// A name that can be used here, and whether it is a list.
    fn known(&self, name: &str) -> Result<(&'static str, bool), TemplateError> {
        let Some((known, scope, is_list)) = NAMES.iter().find(|(known, ..)| *known == name) else {
            let near = nearest(name, &NAMES.map(|(known, ..)| known));
            let near = near.map(|near| format!("; perhaps {near} is meant")).unwrap_or_default();
            return Err(self.wrong(&format!("there is no {name}{near}")));
        };
        let inside = |list: &[&str]| self.open.iter().any(|open| !open.inverted && list.contains(&open.name));
        let place = match scope {
            NameScope::Message => None,
            NameScope::Report => Some("{{#reports}}").filter(|_| !inside(&["reports"])),
            NameScope::Check => Some("{{#fails}} or {{#improved}}").filter(|_| !inside(&["fails", "improved"])),
        };
        match place {
            Some(place) => Err(self.wrong(&format!("{name} is known only inside {place}"))),
            None => Ok((known, *is_list)),
        }
    }

    fn push(&mut self, node: Node) {
        let nodes = self.open.last_mut().map_or(&mut self.nodes, |open| &mut open.nodes);
        if node != Node::Text(String::new()) {
            nodes.push(node);
        }
    }

    fn wrong(&self, message: &str) -> TemplateError {
        TemplateError { line: self.line, message: message.to_owned() }
    }
}

/// A tag that leaves nothing of its line.
fn is_silent(tag: &str) -> bool {
    tag.trim().starts_with(['#', '^', '/', '!']) || tag.trim().starts_with("word ")
}
