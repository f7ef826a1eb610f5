//! Our own stored data: report pages of arbitrary audits, and a tampered journal.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{Hash as _, Hasher as _};

use jiff::Timestamp;
use reportdeck::domain::report::{ReportId, error_groups};
use reportdeck::domain::text::clean;
use reportdeck::domain::triage::changes::{ListScope, Snapshot};
use reportdeck::journal::Journal;
use reportdeck::service;
use rusqlite::{Connection, params};
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::services::harmless;

/// Counts the elements of a page by name and attributes. Asserts that none runs a script or has an unexpected link.
fn counted(html: &str) -> BTreeMap<String, usize> {
    let tree = Html::parse_document(html);
    let mut elements = BTreeMap::new();
    for element in tree.select(&Selector::parse("*").unwrap()) {
        let attributes: Vec<&str> = element.value().attrs().map(|(name, _)| name).collect();
        *elements.entry(format!("{} {}", element.value().name(), attributes.join(" "))).or_default() += 1;
        let acts = element.value().attrs().any(|(name, value)| {
            name.starts_with("on")
                || (name == "href" && !value.starts_with("http") && !value.starts_with('#') && value != "icon.svg")
        });
        assert!(!acts || element.value().name() == "link", "{}", element.html());
    }
    elements
}

/// Returns a harmless replacement of a text. Equal texts stay equal, and what decides the grouping of findings stays:
/// the kind before a colon, the end of a long list, emptiness.
fn harmless_text(text: &str) -> String {
    let digest = |text: &str| {
        let mut hasher = std::hash::DefaultHasher::new();
        text.hash(&mut hasher);
        format!("a{:x}", hasher.finish())
    };
    let shown = clean(text);
    match error_groups::kind_of(&shown) {
        _ if error_groups::not_listed(&shown).is_some() => shown.into_owned(),
        Some((kind, place)) => format!("{}: {}", digest(kind), digest(place)),
        None if shown.trim().is_empty() => shown.into_owned(),
        None => digest(&shown),
    }
}

/// Returns a value with every text and name replaced by a harmless one, except for names that a preview reads.
fn harmless_form(value: &Value) -> Value {
    match value {
        Value::String(text) => harmless_text(text).into(),
        Value::Array(values) => values.iter().map(harmless_form).collect(),
        Value::Object(fields) => {
            let name = |name: &str| {
                if name.is_empty() || name == "title" || name.starts_with("og:") {
                    name.to_owned()
                } else {
                    harmless_text(name)
                }
            };
            Value::Object(fields.iter().map(|(field, value)| (name(field), harmless_form(value))).collect())
        }
        other => other.clone(),
    }
}

/// A page has the same elements for any texts of its report. The first three lines of the input are the URL, the
/// project and the previously failed checks; the rest is the stored audit.
pub fn report_page(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.splitn(4, '\n');
    let [url, project, failed, checks] = [(); 4].map(|()| lines.next().unwrap_or_default());
    let texts = json!([url, project, failed]).to_string();
    if let Some(html) = service::page_of(url, project, failed, checks) {
        let shown = counted(&html);
        harmless_page(&html);
        let kept: serde_json::Map<String, Value> = serde_json::from_str(checks).unwrap();
        let known = reportdeck::audit::explanations();
        let plain = kept.iter().enumerate().map(|(number, (id, check))| {
            let fields = check.as_object().unwrap().iter().map(|(name, value)| {
                let keeps = matches!(name.as_str(), "outcome" | "importance" | "category");
                (name.clone(), if keeps { value.clone() } else { harmless_form(value) })
            });
            // A known name is harmless, and the explanation of the check depends on it.
            let id = if known.contains_key(&**id) { id.clone() } else { format!("check{number}") };
            (id, Value::Object(fields.collect()))
        });
        let plain = Value::Object(plain.collect()).to_string();
        // An http URL becomes a link, anything else plain text.
        let is_link = url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        let address = if is_link { "https://shop.example/" } else { "shop.example" };
        let expected = counted(&service::page_of(address, "a", failed, &plain).unwrap());
        assert_eq!(shown, expected, "{html}");
    }
    // The same texts in an otherwise normal report.
    let usual =
        json!({ project: { "outcome": "failed", "importance": url, "category": project, "errors": [url, failed] } });
    let html = service::page_of(url, project, failed, &usual.to_string()).unwrap_or_else(|| panic!("{texts}"));
    harmless_page(&html);
    drop(counted(&html));
}

fn harmless_page(html: &str) {
    for line in html.lines() {
        harmless(&line.replace('\t', " "));
    }
    let tree = Html::parse_document(html);
    let found = |selector: &str| tree.select(&Selector::parse(selector).unwrap()).count();
    assert_eq!((found("script"), found("style"), found("head > title"), found("h1")), (0, 1, 1, 1), "{html}");
    assert_eq!(found("img, iframe, object, embed, base, textarea, template, math, [style]"), 0, "{html}");
    // Elements of the page itself: the form of the downloads, and the filters.
    assert_eq!(
        (found("form"), found("form.download"), found("input"), found(".filters input[type=radio]")),
        (1, 1, 10, 10)
    );
}

thread_local! {
    /// One journal for all inputs, because creating one takes longer than reading it.
    static JOURNAL: RefCell<Option<(tempfile::TempDir, Journal, Connection)>> = const { RefCell::new(None) };
}

/// Every text and blob of a journal is replaced by the input, or part of it; all data that can be read is harmless.
pub fn journal(bytes: &[u8]) {
    JOURNAL.with_borrow_mut(|kept| {
        let (_, journal, other) = kept.get_or_insert_with(|| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("journal.sqlite3");
            let journal = Journal::open(&file).unwrap();
            let other = Connection::open(&file).unwrap();
            other.pragma_update(None, "synchronous", "OFF").unwrap();
            other.pragma_update(None, "ignore_check_constraints", true).unwrap();
            (folder, journal, other)
        });
        write(other, bytes).unwrap();
        read(journal);
    });
}

fn write(connection: &mut Connection, bytes: &[u8]) -> rusqlite::Result<()> {
    let text = String::from_utf8_lossy(bytes);
    let (first, rest) = text.split_once('\n').unwrap_or((&text, &text));
    let number = i64::from_le_bytes(std::array::from_fn(|at| bytes.get(at).copied().unwrap_or_default()));
    let packed = packed(bytes);
    let scope = r#"{"project":null,"search":null,"result":null}"#;
    let transaction = connection.transaction()?;
    for table in
        ["drafts", "triages", "notes", "events", "snapshots", "last_rows", "views", "settings", "run_items", "runs"]
    {
        transaction.prepare_cached(&format!("DELETE FROM {table}"))?.execute([])?;
    }
    let all: [(&str, &[&dyn rusqlite::ToSql]); 14] = [
        ("INSERT INTO drafts VALUES ('s', 'form', ?1)", params![text]),
        (
            "INSERT INTO triages VALUES ('s', 'r', 'snoozed', ?1, ?2, ?1, ?3, ?2, ?3, ?1, ?2)",
            params![first, number, rest],
        ),
        ("INSERT OR REPLACE INTO triages VALUES ('s', ?1, ?1, NULL, 1, NULL, 'bad', 1, NULL, NULL, 1)", params![first]),
        ("INSERT INTO notes VALUES ('s', ?1, ?3, ?2, ?2, 1)", params![first, rest, number]),
        (
            "INSERT INTO events VALUES (NULL, 's', ?3, ?3, ?1, ?1, ?2, ?2, 'rerun', ?1, ?2, ?1, ?2)",
            params![first, rest, number],
        ),
        ("INSERT INTO events VALUES (NULL, 's', 1, 1, '', NULL, '', '', ?1, '', '', '', NULL)", params![first]),
        ("INSERT INTO snapshots VALUES (1, 's', ?1, 1, ?2, ?3)", params![scope, number, bytes]),
        ("INSERT INTO snapshots VALUES (2, 's', ?1, 1, 7, ?2)", params![scope, packed]),
        ("INSERT INTO last_rows VALUES ('s', ?1, ?2, ?2)", params![scope, number]),
        ("INSERT INTO row_parts VALUES ('s', 0, ?1)", params![bytes]),
        ("INSERT INTO views VALUES ('s', ?1, ?2)", params![first, rest]),
        ("INSERT INTO settings VALUES ('s', 'columns', ?1), ('s', 'widths', ?2)", params![first, rest]),
        ("INSERT INTO runs VALUES (1, 's', 'nobody', ?1, ?2)", params![first, number]),
        ("INSERT INTO run_items VALUES (1, 0, 'r', ?1, ?2, ?1, ?2, 'failed', ?2)", params![first, rest]),
    ];
    for (sql, values) in all {
        transaction.prepare_cached(sql)?.execute(values)?;
    }
    transaction.commit()
}

/// Compresses like snapshots; otherwise their content would never be read here.
fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Unreadable data gives an error message, or is left out.
fn read(journal: &Journal) {
    let scope = ListScope::default();
    let assert_harmless = |failure: reportdeck::domain::failure::Failure| harmless(&failure.to_string());
    if let Ok(rows) = journal.load_rows("s", None).map_err(assert_harmless) {
        for row in rows.iter().flat_map(|last| last.rows.iter()) {
            [row.id.shown(), row.url.shown(), row.project.shown()].into_iter().for_each(harmless);
        }
    }
    let shown = |snapshot: Snapshot| {
        assert!(snapshot.entries.iter().all(|entry| !entry.id.shown().chars().any(char::is_control)));
    };
    let _ = journal.load_latest_snapshots("s", &scope, 10, shown).map_err(assert_harmless);
    drop(journal.load_snapshot_before("s", &scope, Timestamp::MAX).map_err(assert_harmless));
    drop(journal.load_scores("s", &[ReportId::new("r")].into()).map_err(assert_harmless));
    drop(journal.load_states("s").map_err(assert_harmless));
    if let Ok(views) = journal.load_views("s").map_err(assert_harmless) {
        // A saved view is validated when it is opened.
        for view in &views {
            drop(reportdeck::domain::list::view_line::read(&view.line));
        }
    }
    if let Ok(runs) = journal.load_interrupted_runs("s").map_err(assert_harmless) {
        assert!(runs.iter().all(|run| run.items.len() <= 1));
    }
    if let Ok(notes) = journal.load_notes("s").map_err(assert_harmless) {
        notes.iter().for_each(|(_, note)| [note.text.shown(), &note.author].into_iter().for_each(harmless));
    }
    if let Ok(entries) = journal.load_events("s", 10).map_err(assert_harmless) {
        let lines = reportdeck::domain::event_log::line::lines(entries);
        for line in &lines {
            harmless(&line.text());
            harmless(&line.last.author);
        }
    }
    drop(journal.load_drafts("s").map_err(assert_harmless));
    drop((journal.load_columns("s").map_err(assert_harmless), journal.load_widths("s").map_err(assert_harmless)));
}
