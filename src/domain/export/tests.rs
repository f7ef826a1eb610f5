//! Exports of hostile values: each value stays whole in its cell and never acts as markup, formula or link.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use strum::IntoEnumIterator as _;

use super::csv::escape_formula;
use super::request::ExportRequest;
use super::{FileFormat, write};
use crate::domain::list::columns::Column;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::tests::row;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::{Text, clean, is_invisible};
use crate::domain::triage::urgency::{ResultBefore, RowContext};
use crate::domain::triage::{Note, State, Triage};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn request(columns: &[Column], rows: &[Report], around: RowContext) -> ExportRequest {
    let [service, filter, order] = ["seo.example", "result:bad | <b>", "generated_at, latest first"].map(str::to_owned);
    ExportRequest {
        rows: Arc::new(rows.iter().cloned().collect()),
        places: (0..).take(rows.len()).collect(),
        columns: columns.to_vec(),
        service,
        filter,
        order,
        of: Some(1089),
        local_time: at(1_800_000_000).to_zoned(TimeZone::UTC).datetime(),
        around: RowContext { now: at(1_800_000_000), ..around },
    }
}

fn written(format: FileFormat, columns: &[Column], rows: &[Report]) -> String {
    let mut bytes = Vec::new();
    write(&request(columns, rows, RowContext::default()), format, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn hostile(text: &str) -> Report {
    let mut report = row(text, text, Outcome::from_name(text));
    report.project = Arc::new(Text::from_outside(text));
    report.failed = [text, "csp"].into();
    report.score = Some(31);
    report.generated_at = at(0).into();
    report
}

fn all() -> Vec<Column> {
    Column::iter().collect()
}

/// Texts designed to act: formulas, markup, fences, escape sequences, bidirectional and invisible characters.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "=1+1",
        "+",
        "-",
        "@",
        "\t",
        "\r",
        "\n",
        "|",
        "`",
        "\\",
        "<script>",
        "</td>",
        "\"",
        "'",
        "&amp;",
        "[x](y)",
        ",",
        "\u{1b}[31m",
        "\u{202e}",
        "\u{2066}",
        "\u{200b}",
        "＝",
        "-->",
        "https://shop.example/",
        "a",
        " ",
        "日",
        "\u{7}",
        "javascript:",
        "\u{9b}",
        "\u{2028}",
    ]);
    prop_oneof![prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat()), any::<String>()]
}

fn acts(file: &str) -> bool {
    file.chars().any(|one| (one.is_control() && one != '\n') || is_invisible(one))
}

#[test]
fn a_column_is_written_in_full() {
    let mut report = row("7", "https://shop.example/", Outcome::Bad);
    report.score = Some(31);
    report.generated_at = at(1_700_000_000).into();
    report.failed = ["title", "csp"].into();
    let columns = [Column::Url, Column::Result, Column::Failed, Column::GeneratedAt];
    assert_eq!(
        written(FileFormat::Csv, &columns, std::slice::from_ref(&report)),
        "url,result,score,failed,failed_checks,generated_at,fetch_error,state,notes,result_before,score_before\n\
         https://shop.example/,bad,31,2,title csp,2023-11-14T22:13:20.000Z,,,,,\n"
    );
    let bare = row("7", "shop.example", Outcome::Missing);
    let score_alone = [Column::Score, Column::Result, Column::GeneratedAt, Column::Privacy];
    assert_eq!(
        written(FileFormat::Csv, &score_alone, &[bare]),
        "score,result,generated_at,privacy,fetch_error,state,notes,result_before,score_before\n,none,,public,,,,,\n"
    );
    let markdown = written(FileFormat::Markdown, &columns[..2], &[report]);
    assert_eq!(
        markdown,
        "# Reports of seo.example\n\n1 of 1,089 reports · result:bad \\| &lt;b> · by generated_at, latest first · \
         2027-01-15 08:00 UTC\n\n| URL | Result | Score |\n| --- | --- | ---: |\n| https://shop.example/ | bad | 31 |\n"
    );
}

#[test]
fn what_a_markdown_renderer_would_act_on_is_escaped_and_linked_urls_stay_intact() {
    for (cell, expected) in [
        ("&lt;b&gt; &#60;", "&amp;lt;b&amp;gt; &amp;#60;"),
        ("tea & coffee; &amp", "tea & coffee; &amp"),
        ("~~gone~~ ~gone~", r"\~\~gone\~\~ \~gone\~"),
        ("_so_ __much__", r"\_so\_ \_\_much\_\_"),
        ("meta_description", "meta_description"),
        ("https://shop.example/_a_/~b~?x=1&lt;=2", "https://shop.example/_a_/~b~?x=1&lt;=2"),
        ("(https://shop.example/_a_) _b_", r"(https://shop.example/_a_) \_b\_"),
        ("www.shop.example/_a_ _b_", r"www.shop.example/_a_ \_b\_"),
        ("https://shop.example/<_b_", r"https://shop.example/&lt;\_b\_"),
        ("https://_b_", r"https://\_b\_"),
        ("https://shop.example/?tag[]=a*|&lt;", "<https://shop.example/?tag[]=a*%7C&amp;lt;>"),
        ("https://shop.example/?tag[]=a*<", r"https://shop.example/?tag\[\]=a\*&lt;"),
        ("javascript:a[0]", r"javascript:a\[0\]"),
    ] {
        assert_eq!(super::markdown::escaped(cell), expected);
    }
}

#[test]
fn both_numbers_of_a_partial_export_are_grouped() {
    let mut request = request(&[Column::Url], &[], RowContext::default());
    (request.places, request.of) = ((0..1_088).collect(), Some(1_089));
    assert!(request.sentence().starts_with("1,088 of 1,089 reports · "), "{}", request.sentence());
}

#[test]
fn state_notes_and_the_former_result_go_with_any_columns() {
    let rows = [row("7", "https://shop.example/", Outcome::Bad), row("8", "https://shop.example/tea", Outcome::Good)];
    let id = rows[0].id.clone();
    let mut around = RowContext {
        triages: Arc::new([(id.clone(), Triage::set(State::Waiting, &rows[0], at(5)))].into_iter().collect()),
        results_before: Arc::new([(id.clone(), ResultBefore::from_verdict("decent 64").unwrap())].into()),
        ..RowContext::default()
    };
    let ana = Note { author: "ana".to_owned(), ..Note::new("asked", at(86_400)).unwrap() };
    let notes = [Note::new("told the shop", at(5)).unwrap(), ana];
    around.notes = Arc::new(notes.map(|note| (id.clone(), note)).into_iter().collect());
    let file = |format: FileFormat, rows: &[Report]| {
        let mut bytes = Vec::new();
        let columns = write(&request(&[Column::Url], rows, around.clone()), format, &mut bytes).unwrap();
        (String::from_utf8(bytes).unwrap(), columns)
    };
    assert_eq!(
        file(FileFormat::Csv, &rows).0,
        "url,state,notes,result_before,score_before\n\
         https://shop.example/,waiting,1970-01-02 ana: asked · 1970-01-01 told the shop,decent,64\n\
         https://shop.example/tea,,,,\n"
    );
    let (markdown, columns) = file(FileFormat::Markdown, &rows);
    assert!(markdown.contains("| URL | State | Notes | Before |") && markdown.contains("| decent 64 |"), "{markdown}");
    assert_eq!((columns, file(FileFormat::Markdown, &rows[1..]).1), (Some(4), Some(1)), "no empty columns for people");
    let list: Vec<serde_json::Value> = serde_json::from_str(&file(FileFormat::Json, &rows).0).unwrap();
    assert_eq!((&list[0]["state"], &list[1]["state"]), (&"waiting".into(), &"new".into()));
    assert_eq!((&list[0]["before"]["score"], &list[1]["before"]), (&64.into(), &serde_json::Value::Null));
    assert_eq!((&list[0]["notes"][1]["author"], list[0]["notes"].as_array().unwrap().len()), (&"ana".into(), 2));
}

#[test]
fn a_page_that_could_not_be_fetched_is_said_to_people_and_programs() {
    let mut report = row("7", "https://shop.example/", Outcome::Bad);
    report.fetch_failure = Some(FetchFailure::Dns);
    let rows = [report, row("8", "https://shop.example/tea", Outcome::Good)];
    let columns = [Column::Url, Column::Result];
    assert_eq!(
        written(FileFormat::Csv, &columns, &rows),
        "url,result,score,fetch_error,state,notes,result_before,score_before\n\
         https://shop.example/,bad,,dns,,,,\nhttps://shop.example/tea,good,,,,,,\n"
    );
    let list: Vec<serde_json::Value> = serde_json::from_str(&written(FileFormat::Json, &columns, &rows)).unwrap();
    assert_eq!((&list[0]["result"], &list[0]["fetch_error"]), (&"bad".into(), &"dns".into()));
    assert!(list[1].get("fetch_error").is_none(), "only where it is known");
    for format in [FileFormat::Markdown, FileFormat::Html] {
        let file = written(format, &columns, &rows);
        assert!(file.contains("bad (could not be fetched: no such host)"), "{file}");
    }
}

#[test]
fn an_empty_export_is_a_complete_file() {
    assert_eq!(written(FileFormat::Json, &all(), &[]), "[]\n");
    assert_eq!(written(FileFormat::Csv, &[Column::Id], &[]), "id,state,notes,result_before,score_before\n");
    assert!(written(FileFormat::Html, &all(), &[]).ends_with("</html>\n"));
    assert!(written(FileFormat::Markdown, &all(), &[]).lines().count() > 4);
}

#[test]
fn a_file_is_named_by_its_time() {
    let names: Vec<String> =
        FileFormat::iter().map(|format| request(&[], &[], RowContext::default()).file_name(format)).collect();
    let ends = ["csv", "json", "md", "html"].map(|end| format!("reports-2027-01-15-0800.{end}"));
    assert_eq!(names, ends);
}

#[test]
fn json_names_failing_checks_even_without_details() {
    let json = |columns: &[Column]| {
        let file = written(FileFormat::Json, columns, &[hostile("x")]);
        serde_json::from_str::<serde_json::Value>(&file).unwrap()[0]["failed"].clone()
    };
    assert_eq!(json(&[Column::Failed]), serde_json::json!(["x", "csp"]));
    assert_eq!(json(&[Column::Url]), serde_json::Value::Null);
}

#[test]
fn an_html_export_has_the_markup_that_screen_readers_need() {
    let file = written(FileFormat::Html, &all(), &[hostile("https://shop.example/?a=1&copy;=\"2\"")]);
    let page = scraper::Html::parse_document(&file);
    let count = |selector: &str| page.select(&scraper::Selector::parse(selector).unwrap()).count();
    assert_eq!(page.errors, Vec::<std::borrow::Cow<'static, str>>::new(), "{file}");
    let headings = (count("th[scope=col]"), count("th[scope=row]"), count("caption"), count("h1"));
    assert_eq!(headings, (11, 1, 1, 1), "a new column of exports is counted here");
    assert_eq!((count("html[lang]"), count("title"), count("meta[http-equiv]")), (1, 1, 1));
    assert_eq!((count("tbody a"), count("th[scope=row] a")), (1, 1), "only the address is a link");
    let link = page.select(&scraper::Selector::parse("tbody a").unwrap()).next().unwrap();
    assert_eq!(link.attr("href"), Some("https://shop.example/?a=1&copy;=%222%22"));
    assert_eq!(link.text().collect::<String>(), "https://shop.example/?a=1&copy;=\"2\"");
    // The rule of `[dir]`, which URLs have too, would make them as narrow as ids.
    assert!(file.contains("tbody th[dir] { min-width: 16rem }"), "{file}");
}

#[test]
fn only_cells_that_a_spreadsheet_evaluates_get_an_apostrophe() {
    for cell in ["=1", " =1", "\t=1", "\t1", "\r1", "-1", "＝1"] {
        assert_eq!(escape_formula(cell), format!("'{cell}"));
    }
    for cell in ["", "a=", "1-2", "1\t", "shop@example"] {
        assert_eq!(escape_formula(cell), cell);
    }
}

proptest! {
    #[test]
    fn csv_preserves_every_value_and_contains_no_formula(texts in prop::collection::vec(text(), 0..5)) {
        let rows: Vec<Report> = texts.iter().map(|text| hostile(text)).collect();
        let file = written(FileFormat::Csv, &all(), &rows);
        prop_assert!(!acts(&file), "{file:?}");
        let mut reader = csv::Reader::from_reader(file.as_bytes());
        let read: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        prop_assert_eq!(read.len(), rows.len());
        for (cells, text) in read.iter().zip(&texts) {
            for cell in cells {
                prop_assert!(!cell.trim_start().starts_with(['=', '+', '-', '@', '＝']), "{cell:?}");
            }
            let cell = &cells[2];
            let text = clean(text).into_owned();
            prop_assert!(cell == text || cell == format!("'{text}"), "{cell:?} {text:?}");
        }
    }

    #[test]
    fn markdown_keeps_every_cell_in_its_column(texts in prop::collection::vec(text(), 0..5)) {
        let rows: Vec<Report> = texts.iter().map(|text| hostile(text)).collect();
        let file = written(FileFormat::Markdown, &all(), &rows);
        prop_assert!(!acts(&file), "{file:?}");
        let table: Vec<&str> = file.lines().filter(|line| line.starts_with('|')).collect();
        prop_assert_eq!(table.len(), rows.len() + 2);
        for line in table {
            let bare = line.replace("\\\\", "").replace("\\|", "").replace("\\`", "");
            prop_assert_eq!(bare.matches('|').count(), 12, "one more than columns: {}", line);
            let is_address = |cell: &str| {
                let inside = cell.strip_prefix("<http").and_then(|rest| rest.strip_suffix('>'));
                inside.is_some_and(|inside| !inside.contains(char::is_whitespace) && !inside.contains(['<', '>', '|']))
            };
            for cell in bare.split('|').map(str::trim).filter(|cell| !is_address(cell)) {
                prop_assert!(!cell.contains(['`', '<']), "{}", line);
            }
        }
    }

    #[test]
    fn an_html_export_contains_every_value_and_no_foreign_markup(texts in prop::collection::vec(text(), 0..4)) {
        let rows: Vec<Report> = texts.iter().map(|text| hostile(text)).collect();
        let file = written(FileFormat::Html, &all(), &rows);
        prop_assert!(!acts(&file), "{file:?}");
        let page = scraper::Html::parse_document(&file);
        let mut read = 0;
        for element in page.select(&scraper::Selector::parse("main *").unwrap()) {
            let name = element.value().name();
            prop_assert!(["h1", "table", "caption", "thead", "tbody", "tr", "th", "td", "a"].contains(&name), "{name}");
            let known = |name: &str| ["scope", "class", "dir", "href", "rel"].contains(&name);
            prop_assert!(element.value().attrs().all(|(name, _)| known(name)));
            prop_assert!(element.attr("href").is_none_or(|to| to.starts_with("http://") || to.starts_with("https://")));
            if name == "th" && element.attr("scope") == Some("row") {
                prop_assert_eq!(element.text().collect::<String>(), clean(&texts[read]).into_owned());
                read += 1;
            }
        }
        prop_assert_eq!(read, rows.len());
    }

    #[test]
    fn json_preserves_every_field(texts in prop::collection::vec(text(), 0..5)) {
        let rows: Vec<Report> = texts.iter().map(|text| hostile(text)).collect();
        let file = written(FileFormat::Json, &all(), &rows);
        prop_assert!(!acts(&file), "{file:?}");
        let list: Vec<serde_json::Value> = serde_json::from_str(&file).unwrap();
        let urls: Vec<&str> = list.iter().map(|row| row["url"].as_str().unwrap()).collect();
        prop_assert_eq!(urls, texts.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert!(list.iter().zip(&texts).all(|(row, text)| row["id"] == ReportId::new(text).raw()));
    }
}
