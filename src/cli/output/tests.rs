//! Hostile texts in every format: nothing that affects a terminal, spreadsheet or document gets through.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::column::{self, TableColumn};
use super::record::Record;
use super::table::TableScreen;
use super::{Printer, Shape};
use crate::api::decode::{self, RowDetail};
use crate::cli::args::Format;
use crate::domain::list::interner::Interner;
use crate::domain::report::Report;
use crate::domain::text::width;
use crate::view::Characters;

/// Escape sequences, bidirectional, wide and stacked combining characters, and the formats' own syntax.
const HOSTILE: [&str; 6] = [
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "abc\u{202e}fdp.exe",
    "日本語|wide",
    "a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "=HYPERLINK(\"http://x\")",
    "line\nbreak,\"quoted\" | [link](x) <b>",
];

#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn printed(format: Format, shape: Shape, records: &[Record]) -> String {
    printed_on(None, Characters::All, (format, shape, column::REPORT), records)
}

/// Prints on a terminal of this width, an hour after the reports were generated.
fn printed_on(
    width: Option<usize>,
    characters: Characters,
    (format, shape, columns): (Format, Shape, &'static [TableColumn]),
    records: &[Record],
) -> String {
    let page = Page::default();
    let screen = TableScreen { width, characters, clock: || "2026-01-02T04:04:05Z".parse().unwrap() };
    let mut printer = Printer::new((format, shape), columns, Box::new(page.clone()), screen);
    for record in records {
        printer.record(record).unwrap();
    }
    printer.finish().unwrap();
    String::from_utf8(page.0.lock().unwrap().clone()).unwrap()
}

fn report(id: usize, text: &str) -> Report {
    let row = json!({
        "id": format!("{id}{text}"), "url": text, "project": text, "result": text, "privacy": 2, "password": true,
        "generated_at": "2026-01-02T03:04:05Z", "score": 31, text: text,
        "results": { text: { "passed": false, "value": text, "errors": [text] }, "title": { "passed": true } },
    });
    decode::report(row.as_object().unwrap(), RowDetail::Everything, &mut Interner::default()).unwrap()
}

fn hostile() -> Vec<Record> {
    HOSTILE.iter().enumerate().map(|(id, text)| Record::report(&report(id, text))).collect()
}

fn acts(text: &str) -> bool {
    text.chars().any(|c| (c.is_control() && c != '\n') || crate::domain::text::is_invisible(c))
}

#[test]
fn no_format_prints_control_characters() {
    for format in [Format::Table, Format::Json, Format::Jsonl, Format::Csv, Format::Markdown] {
        assert!(!acts(&printed(format, Shape::Many, &hostile())), "{format:?}");
        for record in hostile() {
            assert!(!acts(&printed(format, Shape::One, &[record])), "{format:?}");
        }
    }
}

#[test]
fn json_preserves_raw_values() {
    let list: Value = serde_json::from_str(&printed(Format::Json, Shape::Many, &hostile())).unwrap();
    let lines = printed(Format::Jsonl, Shape::Many, &hostile());
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(list.as_array().unwrap(), &lines);
    for ((at, row), text) in lines.iter().enumerate().zip(HOSTILE) {
        assert_eq!(row["id"], format!("{at}{text}"));
        assert_eq!((&row["url"], &row["project"], &row["result"]), (&json!(text), &json!(text), &json!(text)));
        assert_eq!(row["extra"], json!({ text: text }));
        assert_eq!(row["checks"][0]["errors"][0], text);
        assert_eq!(row["checks"][0]["importance"], Value::Null);
        let known = &row["checks"][1];
        assert_eq!((&known["category"], &known["importance"]), (&json!("seo"), &json!("high")));
    }
}

#[test]
fn json_fields_of_a_report_are_in_a_fixed_order() {
    let plain = json!({"id": 7, "url": "shop.example"});
    let plain = decode::report(plain.as_object().unwrap(), RowDetail::Everything, &mut Interner::default()).unwrap();
    assert_eq!(
        printed(Format::Jsonl, Shape::Many, &[Record::report(&plain)]),
        "{\"id\":\"7\",\"url\":\"shop.example\",\"project\":\"\",\"result\":null,\"score\":null,\"generated_at\":null,\
         \"privacy\":null,\"has_password\":null,\"extra\":{}}\n"
    );
    let whole = Record::report(&report(1, "x"));
    let names: Vec<&String> = whole.json.as_object().unwrap().keys().collect();
    let expected =
        ["id", "url", "project", "result", "score", "generated_at", "privacy", "has_password", "checks", "extra"];
    assert_eq!(names, expected);
    assert_eq!((&whole.json["privacy"], &whole.json["score"]), (&json!("password"), &json!(31)));
}

#[test]
fn an_array_is_valid_json_with_any_rows() {
    assert_eq!(printed(Format::Json, Shape::Many, &[]), "[]\n");
    assert_eq!(printed(Format::Jsonl, Shape::Many, &[]), "");
    assert_eq!(printed(Format::Csv, Shape::Many, &[]).lines().count(), 1);
    assert_eq!(printed(Format::Markdown, Shape::Many, &[]).lines().count(), 2);
}

#[test]
fn no_cell_contains_a_formula_or_markup() {
    let table = printed(Format::Csv, Shape::Many, &hostile());
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let urls: Vec<String> = reader.records().map(|row| row.unwrap()[1].to_owned()).collect();
    assert_eq!(urls.len(), HOSTILE.len());
    assert_eq!(urls[4], "'=HYPERLINK(\"http://x\")");
    for start in ["+1", "-1", "@x", " =1"] {
        let row = printed(Format::Csv, Shape::Many, &[Record::new(json!({ "id": start }))]);
        assert!(row.lines().last().unwrap().starts_with(&format!("'{start},")), "{row}");
    }
    let markdown = printed(Format::Markdown, Shape::Many, &hostile());
    for line in markdown.lines() {
        assert_eq!(line.replace("\\|", "").matches('|').count(), column::REPORT.len() + 1, "{line}");
    }
    assert!(markdown.contains("\\[link\\](x) &lt;b>"), "{markdown}");
}

/// Typical reports of a service.
fn usual() -> Vec<Record> {
    let urls =
        ["https://shop.example/", "https://shop.example/tea/green/sencha-from-the-slopes-of-uji?size=100&unit=g"];
    let rows = urls.iter().zip(["good", "bad"]).zip(["7", "1024"]).map(|((url, result), id)| {
        let row = json!({
            "id": id, "url": url, "project": "shop.example.org", "result": result, "privacy": 0, "password": false,
            "generated_at": "2026-01-02T03:04:05.120Z", "score": 31,
        });
        Record::report(
            &decode::report(row.as_object().unwrap(), RowDetail::Everything, &mut Interner::default()).unwrap(),
        )
    });
    rows.collect()
}

fn finding(check: &str, found: &str, advice: &str) -> Record {
    Record::new(json!({ "check": check, "state": "note", "found": found, "advice": advice }))
}

#[test]
fn no_row_is_wider_than_the_terminal() {
    for cells in [20, 40, 60, 80, 100, 140, 200] {
        for records in [usual(), hostile()] {
            let table = (Format::Table, Shape::Many, column::REPORT);
            let printed = printed_on(Some(cells), Characters::All, table, &records);
            assert_eq!(printed.lines().count(), records.len() + 1, "{printed}");
            assert!(printed.lines().all(|line| width(line) <= cells), "{cells}:\n{printed}");
        }
    }
}

#[test]
fn tables_match_their_snapshots_at_every_width() {
    let table = (Format::Table, Shape::Many, column::REPORT);
    for cells in [40, 80, 140] {
        insta::assert_snapshot!(format!("terminal_{cells}"), printed_on(Some(cells), Characters::All, table, &usual()));
    }
    let findings = [
        finding(
            "page size",
            "chosen by the service: 10 requested, 50 received, but 50 reported, which is more than requested",
            "",
        ),
        finding(
            "colours",
            "256",
            "Set TERM to the type of the terminal, for example xterm-256color, and COLORTERM to truecolor",
        ),
    ];
    let table = (Format::Table, Shape::Many, column::FINDING);
    insta::assert_snapshot!("findings_80", printed_on(Some(80), Characters::All, table, &findings));
}

#[test]
fn a_change_by_a_colleague_names_person_and_report_on_80_columns() {
    let change = |name: &str, detail: &str| {
        Record::new(json!({
            "at": "2026-01-02T03:44:05Z", "author": "carla", "kind": "assigned", "id": "4711", "name": name,
            "project": "shop.example", "before": "anna", "after": "waiting", "detail": detail,
        }))
    };
    let changes = [change("", ""), change("shop.example/a/long/path/to/a/page", "could not be fetched: no such host")];
    let table = (Format::Table, Shape::Many, column::CHANGE);
    let printed = printed_on(Some(80), Characters::All, table, &changes);
    for line in printed.lines().skip(1) {
        assert!(line.contains("carla") && line.contains("4711") && line.contains("waiting"), "{printed}");
    }
}

#[test]
fn an_event_of_the_desk_says_what_became_of_which_report_on_40_columns() {
    let event = Record::new(json!({
        "at": "2026-01-02T03:44:05Z", "person": "carla", "kind": "state", "id": "4711", "before": "new",
        "after": "looking, carla",
    }));
    let table = (Format::Table, Shape::Many, column::DESK_EVENT);
    let printed = printed_on(Some(40), Characters::All, table, &[event]);
    assert!(["carla", "4711", "looking, carla"].iter().all(|cell| printed.contains(cell)), "{printed}");
}

#[test]
fn without_utf_8_a_table_is_ascii() {
    for shape in [Shape::Many, Shape::One] {
        for records in [usual(), hostile()] {
            let table = (Format::Table, shape, column::REPORT);
            let printed = printed_on(Some(60), Characters::AsciiOnly, table, &records);
            assert!(printed.is_ascii(), "{printed}");
        }
    }
}

#[test]
fn hostile_texts_are_escaped_in_every_format() {
    insta::assert_snapshot!("table", printed(Format::Table, Shape::Many, &hostile()));
    insta::assert_snapshot!("csv", printed(Format::Csv, Shape::Many, &hostile()));
    insta::assert_snapshot!("markdown", printed(Format::Markdown, Shape::Many, &hostile()));
    insta::assert_snapshot!("jsonl", printed(Format::Jsonl, Shape::Many, &hostile()));
    insta::assert_snapshot!("json", printed(Format::Json, Shape::One, &hostile()[..1]));
    insta::assert_snapshot!("whole", printed(Format::Table, Shape::One, &hostile()[..1]));
}
