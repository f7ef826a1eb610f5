//! Program messages left in a page: PHP warnings, source that was not run, unfilled placeholders.

use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::page::AuditedPage;
use crate::audit::page::tree::PageTree;

/// A PHP message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PhpMessage {
    /// Whether the program ended.
    pub(super) is_fatal: bool,
    pub(super) text: String,
}

/// The words that begin PHP messages, and whether the program has ended.
const PHP_LEVELS: [(&str, bool); 9] = [
    ("Fatal error", true),
    ("Parse error", true),
    ("Catchable fatal error", true),
    ("Recoverable fatal error", true),
    ("Warning", false),
    ("Notice", false),
    ("Deprecated", false),
    ("Strict Standards", false),
    ("Strict standards", false),
];
/// The longest message that is recognised, in bytes.
const LONGEST_MESSAGE: usize = 1_500;
/// The most candidates that are examined.
const MOST_CANDIDATES: usize = 200;
/// Elements in which a message is only quoted.
const QUOTING: [&str; 6] = ["code", "pre", "samp", "kbd", "blockquote", "q"];
/// What servers put in the place of a directive of server-side includes that failed.
const FAILED_INCLUDE: &str = "[an error occurred while processing this directive]";
/// Texts of a title or main heading that a program should have replaced.
const UNFILLED_TEXTS: [&str; 5] = ["undefined", "null", "nan", "[object object]", "none | none"];
const PLACEHOLDERS: [(&str, &str); 4] = [("{{", "}}"), ("{%", "%}"), ("<%", "%>"), ("${", "}")];

/// Returns the messages that PHP writes into HTML: `<b>Warning</b>: … in <b>file</b> on line <b>4</b>`.
pub(super) fn php_messages(tree: &PageTree) -> Vec<PhpMessage> {
    let mut messages = Vec::new();
    for bold in tree.named("b").take(MOST_CANDIDATES).filter(|bold| !bold.unseen) {
        let level = tree.text_of(bold);
        let Some((word, is_fatal)) = PHP_LEVELS.into_iter().find(|(word, _)| *word == level) else { continue };
        let is_quoted = tree.ancestors(bold).any(|around| QUOTING.contains(&&*around.name));
        let after = tree.text_after(bold, LONGEST_MESSAGE);
        let Some((message, line)) = after.strip_prefix(':').and_then(|rest| rest.split_once(" on line ")) else {
            continue;
        };
        if !is_quoted && message.contains(" in ") && line.starts_with(|digit: char| digit.is_ascii_digit()) {
            messages.push(PhpMessage { is_fatal, text: format!("{word}: {}", message.trim()) });
        }
    }
    messages.extend(tree.named("table").filter(|table| table.names("class", "xdebug-error")).map(|table| {
        let text = tree.text_of(table);
        let is_fatal = text.contains("Fatal error") || text.contains("Parse error");
        PhpMessage { is_fatal, text: text.chars().take(200).collect() }
    }));
    messages
}

pub(super) fn program_messages(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let mut errors: Vec<String> = php_messages(tree)
        .into_iter()
        .filter(|message| !message.is_fatal)
        .map(|message| format!("PHP says \u{201c}{}\u{201d}", message.text))
        .collect();
    let sources = [("<?php", "PHP"), ("<%@", "JSP or ASP")];
    if let Some((_, language)) = sources.iter().find(|(start, _)| page.source.trim_start().starts_with(start)) {
        errors.push(format!("the server sends the {language} source of the page and does not run it"));
    }
    let is_outside_quotes =
        || tree.seen_text_outside(|element| QUOTING.contains(&&*element.name)).contains(FAILED_INCLUDE);
    if page.seen_text.contains(FAILED_INCLUDE) && is_outside_quotes() {
        errors.push(format!("a server-side include failed: {FAILED_INCLUDE}"));
    }
    let shown = page.seen_text.trim().as_bytes();
    let begins = |start: &[u8]| shown.get(..start.len()).is_some_and(|first| first.eq_ignore_ascii_case(start));
    if (begins(b"<!doctype html") || begins(b"<html")) && shown.ends_with(b"</html>") {
        errors.push("the page shows HTML source: its markup is escaped".to_owned());
    }
    let title = page.title().unwrap_or_default();
    if is_title_of_phpinfo(&title) {
        errors.push("the page lists the configuration of PHP: phpinfo()".to_owned());
    }
    let has_scripts = tree.named("script").next().is_some();
    let main = tree.named("h1").filter(|heading| !heading.unseen).map(|heading| tree.text_of(heading));
    for (place, text) in std::iter::once(("title", title)).chain(main.map(|text| ("h1", text))) {
        // A script in the browser may fill the placeholder.
        if is_unfilled(&text) && !has_scripts {
            errors.push(format!("the {place} is a placeholder that nothing has replaced: {text}"));
        }
    }
    CheckResult::from_errors(json!(errors.len()), errors)
}

/// Whether a title is that of the page that PHP writes: `phpinfo()`, or `PHP 8.3.1 - phpinfo()`. Articles about it have
/// other titles.
fn is_title_of_phpinfo(title: &str) -> bool {
    let version = title.strip_prefix("PHP ").and_then(|rest| rest.strip_suffix(" - phpinfo()"));
    title == "phpinfo()" || version.is_some_and(|version| version.starts_with(|first: char| first.is_ascii_digit()))
}

fn is_unfilled(text: &str) -> bool {
    let is_placeholder = |(open, close): &(&str, &str)| text.starts_with(open) && text.contains(close);
    UNFILLED_TEXTS.contains(&text.to_lowercase().as_str()) || PLACEHOLDERS.iter().any(is_placeholder)
}
