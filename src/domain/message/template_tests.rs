//! Templates: what they say, and how a mistake is named.

use proptest::prelude::*;

use super::template::{MessageTemplate, OURS};
use super::{CheckMessage, CustomerMessage, ReportMessage};

fn message() -> CustomerMessage {
    let check = |id: &str| CheckMessage {
        id: id.to_owned(),
        title: format!("Title of {id}"),
        why: "It matters.".to_owned(),
        ..CheckMessage::default()
    };
    let report = |url: &str, fails: &[&str]| ReportMessage {
        url: url.to_owned(),
        result: "bad".to_owned(),
        before: "decent 64".to_owned(),
        fails: fails.iter().map(|id| check(id)).collect(),
        ..ReportMessage::default()
    };
    CustomerMessage { reports: vec![report("one", &["title", "csp"]), report("two", &[])] }
}

fn said(template: &str) -> String {
    MessageTemplate::parse(template).unwrap().render(&message())
}

#[test]
fn our_template_has_no_mistake() {
    assert!(MessageTemplate::parse(OURS).is_ok_and(|template| template == MessageTemplate::ours()));
}

#[test]
fn lists_are_repeated_and_lines_with_tags_vanish() {
    let table = [
        ("{{count}} pages{{#one}} no{{/one}}{{#many}} yes{{/many}}\n", "2 pages yes\n"),
        ("{{#reports}}\n{{url}}\n{{/reports}}\n", "one\ntwo\n"),
        (
            "{{#reports}}\n{{#fails}}\n- {{title}} of {{url}}\n{{/fails}}\n{{^fails}}\nnothing\n{{/fails}}\n{{/reports}}",
            "- Title of title of one\n- Title of csp of one\nnothing\n",
        ),
        ("{{! a remark }}\nplain {{ count }} }} {\n", "plain 2 }} {\n"),
        (
            "{{word bad = schlecht}}\n{{word decent = mittel}}\n{{word csp.title = Richtlinie}}\n{{#reports}}{{result}} {{before}}\
             {{#fails}}, {{title}}{{/fails}};{{/reports}}",
            "schlecht mittel 64, Title of title, Richtlinie;schlecht mittel 64;",
        ),
    ];
    for (template, expected) in table {
        assert_eq!(said(template), expected, "{template}");
    }
}

#[test]
fn a_mistake_is_named_with_its_line() {
    let table = [
        ("a\n{{ulr}}", 2, "there is no ulr; perhaps url is meant"),
        ("{{url}}", 1, "url is known only inside {{#reports}}"),
        ("{{#reports}}\n{{why}}\n{{/reports}}", 2, "why is known only inside {{#fails}} or {{#improved}}"),
        ("\n{{#reports}}\n", 2, "{{#reports}} has no {{/reports}}"),
        ("{{#reports}}\n{{/fails}}", 2, "{{/fails}} closes nothing; {{/reports}} is due"),
        ("{{reports}}", 1, "reports is a list: {{#reports}} … {{/reports}}"),
        ("x {{ count", 1, "a {{ has no }} on its line"),
        ("{{word bad}}", 1, "a word is replaced so: {{word bad = schlecht}}"),
    ];
    for (template, line, message) in table {
        let error = MessageTemplate::parse(template).unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (line, message), "{template}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(\\{\\{|\\}\\}|#|\\^|/|reports|fails|url|word |=|\n|a| ){0,20}") {
        if let Ok(template) = MessageTemplate::parse(&text) {
            drop(template.render(&message()));
        }
    }
}
