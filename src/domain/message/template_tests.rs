//! Templates: rendering, and how errors are reported.

use proptest::prelude::*;

use super::template::{MessageTemplate, NAMES, OURS};
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

fn error_of(template: &str) -> String {
    MessageTemplate::parse(template).unwrap().render(&message()).unwrap()
}

#[test]
fn our_template_has_no_mistake() {
    assert_eq!(MessageTemplate::parse(OURS), Ok(MessageTemplate::built_in()));
}

#[test]
fn every_name_of_the_table_is_known() {
    for name in NAMES {
        let template = format!(
            "{{% for report in reports %}}{{% for check in report.fails %}}{{% if {name} %}}{{% endif %}}{{% endfor %}}{{% endfor %}}"
        );
        assert!(MessageTemplate::parse(&template).is_ok(), "{name}");
    }
}

#[test]
fn lists_are_repeated_and_lines_with_tags_vanish() {
    let table = [
        ("{{ count }} pages{% if count == 1 %} no{% else %} yes{% endif +%}\n", "2 pages yes\n"),
        ("{% for report in reports %}\n{{ report.url }}\n{% endfor %}\n", "one\ntwo\n"),
        ("{% for report in reports %}\r\n{{ report.url }}\r\n{% endfor %}\r\n", "one\r\ntwo\r\n"),
        (
            "{% for report in reports %}\n{% for check in report.fails %}\n- {{ check.title }} of {{ report.url }}\n\
             {% else %}\nnothing\n{% endfor %}\n{% endfor %}",
            "- Title of title of one\n- Title of csp of one\nnothing\n",
        ),
        ("{# a remark #}\nplain {{ count }} }} { <&\n", "plain 2 }} { <&\n"),
        (
            "{% set words = {\"bad\": \"schlecht\", \"decent\": \"mittel\", \"csp.title\": \"Richtlinie\"} %}\n\
             {% for report in reports %}{{ report.result }} {{ report.before }}\
             {% for check in report.fails %}, {{ check.title }}{% endfor %};{% endfor %}",
            "schlecht mittel 64, Title of title, Richtlinie;schlecht mittel 64;",
        ),
    ];
    for (template, expected) in table {
        assert_eq!(error_of(template), expected, "{template}");
    }
}

#[test]
fn a_mistake_is_named_with_its_line() {
    let table = [
        ("a\n{{ cuont }}", 2, "there is no cuont; did you mean count?"),
        ("{{ url }}", 1, "there is no url; did you mean report.url?"),
        ("{% for r in reports %}\n{{ r.ulr }}\n{% endfor %}", 2, "there is no r.ulr; did you mean report.url?"),
        (
            "{% for report in reports %}\n\n{% if report.score %}x{% else %}{{ report.oops }}{% endif %}\n{% endfor %}",
            3,
            "there is no report.oops",
        ),
        ("\n{% for report in reports %}\n", 2, "unexpected end of input, expected end of block"),
        ("{% for report in reports %}\n{% endif %}", 2, "unknown statement endif"),
        ("{{ reports }}", 1, "write lists with {% for … in … %}"),
        ("x {{ count", 1, "unexpected end of input, expected end of variable block"),
        ("{{ count | uper }}", 1, "filter uper is unknown"),
        (
            "{% set words = {\"bad\": \"schlecht\",\n\"csp.titel\": \"Richtlinie\"} %}",
            2,
            "there is no text csp.titel; did you mean csp.title?",
        ),
        ("\n{% set words = {\"bda\": \"schlecht\"} %}", 2, "there is no text bda; did you mean bad?"),
        ("{% set words = {\"Good\": \"gut\"} %}", 1, "there is no text Good; did you mean good?"),
        ("\n{% set words = 3 %}", 2, "replace words like this: {% set words = {\"bad\": \"schlecht\"} %}"),
        ("{% include \"/etc/passwd\" %}", 1, "unknown statement include"),
        ("{{ \"x\" * 4000000000 }}", 1, "the message is too long"),
        (
            "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}",
            1,
            "the message is too long",
        ),
    ];
    let found = table.map(|(template, ..)| {
        let error = MessageTemplate::parse(template).unwrap_err();
        (template, error.line, error.message)
    });
    assert_eq!(found, table.map(|(template, line, message)| (template, line, message.to_owned())));
}

#[test]
fn a_mistake_that_only_one_message_shows_is_an_error_of_that_message() {
    let template = MessageTemplate::parse("\n{% if count == 3 %}{{ ulr }}{% endif %}").unwrap();
    assert_eq!(template.render(&message()).as_deref(), Ok("\n"));
    let three = CustomerMessage { reports: vec![ReportMessage::default(); 3] };
    assert_eq!(template.render(&three).unwrap_err().line, 2);
}

#[test]
fn our_template_fits_thousands_of_reports() {
    let check = message().reports[0].fails[0].clone();
    let report = ReportMessage { fails: vec![check; 30], ..message().reports[0].clone() };
    let many = CustomerMessage { reports: vec![report; 5000] };
    assert!(MessageTemplate::built_in().render(&many).is_ok_and(|text| text.len() > 1_000_000));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(
        text in "(\\{\\{|\\}\\}|\\{%|%\\}|\\{#|#\\}| for | in | if | endfor | endif |set words =|reports|fails|url|\\.|\n|a| ){0,20}"
    ) {
        if let Ok(template) = MessageTemplate::parse(&text) {
            drop(template.render(&message()));
        }
    }
}
