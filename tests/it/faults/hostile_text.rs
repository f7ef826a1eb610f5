//! Hostile texts and unusual ids from third-party services: writes reach the right report, and no text breaks the
//! layout.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use reportdeck::app::message::ROWS_AT_ONCE;
use reportdeck::domain::text::{is_invisible, width};
use reportdeck::view;
use serde_json::{Value, json};

use crate::faults::healthy_service::{KEY, list_of, person, plain, serve};
use crate::support::scripted_server::{Reply, ScriptedServer};
use crate::support::session::{Person, look};

/// Opens, edits and deletes the report under the cursor of a service with this one row; returns the requested paths.
async fn open_edit_delete(row: Value, path: &'static str) -> (ScriptedServer, Vec<String>) {
    let service = ScriptedServer::start(move |asked| match (asked.path(), asked.method.as_str()) {
        ("/api/v1/reports", "GET") => list_of(std::slice::from_ref(&row)),
        (asked, "DELETE") if asked == path => Reply::head(204, &[]),
        (asked, "GET" | "PUT") if asked == path => Reply::Json(200, json!({"data": row})),
        _ => serve(asked, &[]),
    })
    .await;
    let mut person = person(&service).await;
    person.press("enter 2 e right ctrl+s").await;
    person.sees(&["updated"]);
    person.press("D y").await;
    person.sees(&["was deleted"]);
    let asked = service.asked();
    let written = asked.iter().filter(|asked| !matches!(asked.path(), "/api/v1/reports" | "/api/v1/projects"));
    let lines = written.map(|asked| format!("{} {}", asked.method, asked.target)).collect();
    (service, lines)
}

#[tokio::test]
async fn a_service_with_only_the_documented_fields_is_usable() {
    let (_, lines) = open_edit_delete(plain(&json!(12), "shop.example/tea", "good"), "/api/v1/reports/12").await;
    assert_eq!(
        lines,
        ["GET /api/v1/reports/12", "GET /api/v1/reports/12", "PUT /api/v1/reports/12", "DELETE /api/v1/reports/12"]
    );
}

#[tokio::test]
async fn a_service_with_numeric_results_is_usable() {
    let mut row = plain(&json!("8"), "shop.example/tea", "");
    row["result"] = json!(31);
    let (_, lines) = open_edit_delete(row, "/api/v1/reports/8").await;
    assert_eq!(lines.last().unwrap(), "DELETE /api/v1/reports/8");
}

#[tokio::test]
async fn ids_of_any_form_reach_the_service_unchanged() {
    let table = [
        (json!("0e4b1a52-9a2f-4f2c-8f8e-0c7a6f1d2b3c"), "/api/v1/reports/0e4b1a52-9a2f-4f2c-8f8e-0c7a6f1d2b3c"),
        (json!("a/b c?d#e%2F+é"), "/api/v1/reports/a%2Fb%20c%3Fd%23e%252F%2B%C3%A9"),
        (json!("../../admin"), "/api/v1/reports/..%2F..%2Fadmin"),
        (json!("x\u{1b}[31m\u{202e}"), "/api/v1/reports/x%1B%5B31m%E2%80%AE"),
    ];
    for (id, path) in table {
        let (_, lines) = open_edit_delete(plain(&id, "shop.example/tea", "good"), path).await;
        // Opened, re-read before the edit, edited, deleted.
        assert_eq!(
            lines,
            [format!("GET {path}"), format!("GET {path}"), format!("PUT {path}"), format!("DELETE {path}")]
        );
    }
}

#[tokio::test]
async fn an_id_that_is_invalid_in_a_path_is_an_error_and_no_other_report_is_written() {
    for id in ["..", "."] {
        let row = plain(&json!(id), "shop.example/tea", "good");
        let service = ScriptedServer::start(move |asked| serve(asked, std::slice::from_ref(&row))).await;
        let mut person = person(&service).await;
        person.press("D y").await;
        person.sees(&["cannot be part of a URL", "shop.example/tea"]);
        assert!(service.asked().iter().all(|asked| asked.method == "GET"), "{:?}", service.asked());
    }
}

#[tokio::test]
async fn a_project_is_deleted_by_its_exact_name() {
    let name = "a b/c?d#ü\u{202e}";
    let row = json!({"project": name});
    let service = ScriptedServer::start(move |asked| match asked.line().as_str() {
        "GET /api/v1/projects" => list_of(std::slice::from_ref(&row)),
        "GET /api/v1/reports" => list_of(&[]),
        _ => Reply::head(204, &[]),
    })
    .await;
    let mut person = person(&service).await;
    person.press("1 j D 'a b/c?d#ü' enter").await;
    let written: Vec<String> =
        service.asked().into_iter().filter(|asked| asked.method == "DELETE").map(|asked| asked.target).collect();
    assert_eq!(written, ["/api/v1/projects/a%20b%2Fc%3Fd%23%C3%BC%E2%80%AE"]);
}

fn hostile_texts() -> Vec<String> {
    vec![
        "\u{1b}[2J\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}5m".into(),
        "abc\u{202e}fed\u{2066}ghi\u{200f}\u{61c}".into(),
        "日本語".repeat(60),
        format!("e{}x", "\u{301}".repeat(50)),
        "\u{301}\u{200d}starts with marks".into(),
        "👩\u{200d}👩\u{200d}👧 👍🏽 🇩🇪 ☺\u{fe0f}".into(),
        "one\r\ntwo\tthree\u{2028}four\u{0}five\u{7f}".into(),
        "x".repeat(10_000),
        "ab \u{1b}".repeat(2_500),
        "مرحبا שלום".into(),
    ]
}

/// Checks every cell of the drawn screen, alone and joined to lines.
fn check_screen(person: &Person, case: &str) {
    for (columns, rows) in [(140, 40), (63, 17)] {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| drop(view::draw(frame, person.session.app(), &look()))).unwrap();
        let buffer = terminal.backend().buffer();
        for row in 0..rows {
            let (mut column, mut cells, mut line) = (0, 0, String::new());
            while column < columns {
                let symbol = buffer[(column, row)].symbol();
                let bad = symbol.chars().find(|c| c.is_control() || is_invisible(*c));
                assert_eq!(bad, None, "{case}: {symbol:?} at {column},{row}");
                let wide = width(symbol).max(1);
                cells += wide;
                line.push_str(symbol);
                column += wide as u16;
            }
            // Cell by cell and as one text: no character may combine with its neighbour.
            assert_eq!((cells, width(&line)), (usize::from(columns), usize::from(columns)), "{case}: {row} {line:?}");
        }
    }
}

fn hostile_report(text: &str) -> Value {
    let check = json!({"passed": false, "importance": text, "category": text, "value": {text: text}, "errors": [text, {text: text}]});
    json!({"id": "1", "url": format!("shop.example/{text}"), "project": text, "result": text, "generated_at": text,
           "privacy": text, "password": text, "score": text, "results": {text: check}, "failed": [text], text: text, "more": [text]})
}

#[tokio::test]
async fn hostile_texts_in_any_field_do_not_break_the_screen() {
    for text in hostile_texts() {
        let (row, project) = (hostile_report(&text), json!({"project": text, "created_at": text, "reports": text}));
        let service = ScriptedServer::start(move |asked| match asked.line().as_str() {
            "GET /api/v1/projects" => list_of(std::slice::from_ref(&project)),
            _ => serve(asked, std::slice::from_ref(&row)),
        })
        .await;
        let mut person = person(&service).await;
        for keys in [
            "enter",
            "f",
            "G",
            "f 2",
            "=",
            "esc e",
            "esc D",
            "esc 1 j D",
            "esc @",
            "esc n",
            "esc 2 right right",
            "t",
            "? 'x'",
        ] {
            person.press(keys).await;
            check_screen(&person, &format!("{keys} {:?}", text.chars().take(20).collect::<String>()));
        }
    }
}

#[tokio::test]
async fn a_long_name_of_a_field_leaves_room_for_its_value() {
    let mut row = plain(&json!(12), "shop.example/tea", "good");
    row["x".repeat(10_000)] = json!("a short value");
    let service = ScriptedServer::start(move |asked| serve(asked, std::slice::from_ref(&row))).await;
    let mut person = person(&service).await;
    person.press("enter f G").await;
    person.sees(&["xxx… a short value"]);
}

/// With work that grows with the square of their number, one frame would take longer than all other tests.
#[tokio::test]
async fn a_report_with_thousands_of_failed_checks_and_errors_is_drawn() {
    let mut row = plain(&json!(12), "shop.example/tea", "bad");
    row["score"] = json!(0);
    let errors: Vec<String> = (0..20_000).map(|number| format!("error {number} differs")).collect();
    let failed = |errors: &[String]| json!({"passed": false, "importance": "high", "value": null, "errors": errors});
    let mut checks: serde_json::Map<String, Value> =
        (0..5_000).map(|number| (format!("check {number}"), failed(&[]))).collect();
    checks.insert("many errors".to_owned(), failed(&errors));
    row["results"] = checks.into();
    let service = ScriptedServer::start(move |asked| serve(asked, std::slice::from_ref(&row))).await;
    let mut person = person(&service).await;
    person.press("enter f G").await;
    person.sees(&["error 19999 differs"]);
}

#[tokio::test]
async fn hostile_texts_in_errors_do_not_break_the_screen() {
    for text in hostile_texts() {
        for status in [401, 403, 404, 422, 429, 500] {
            let message = text.clone();
            let service = ScriptedServer::start(move |_| {
                Reply::Json(
                    status,
                    json!({"message": message, "errors": {"url": [message], message.clone(): [message]}}),
                )
            })
            .await;
            let mut person = person(&service).await;
            check_screen(&person, "the first failure");
            person.press("n 'x.example' ctrl+s").await;
            check_screen(&person, "a refused form");
            person.press("esc @").await;
            check_screen(&person, "the activity");
        }
    }
}

#[tokio::test]
async fn a_large_page_is_processed_in_parts_between_frames() {
    let rows: Vec<Value> =
        (0..12_000).map(|number| plain(&json!(number), &format!("shop.example/{number}"), "good")).collect();
    let service = ScriptedServer::start(move |asked| serve(asked, &rows)).await;
    let mut person = Person::connecting(&service.base, KEY);
    let mut before = 0;
    while before < 12_000 {
        let message = person.session.next_message().await;
        person.session.handle(message);
        person.session.take_waiting_messages();
        let loaded = person.session.app().reports.loading().loaded();
        assert!(loaded - before <= 2 * ROWS_AT_ONCE, "{before} rows, then {loaded}, without a frame in between");
        before = loaded;
    }
    assert!(person.look().await.contains("12,000"), "{}", person.screen());
    person.misses(&["the list changed while it was read", "loading"]);
}
