//! Input of the desk: what it rejects, and what it stores exactly.

use reportdeck::api::desk::RowWriteFailure;
use reportdeck::domain::desk::{Role, RowPrecondition, RowWrite};
use reportdeck::domain::report::ReportId;
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::{LONGEST_NOTE, State};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::desk_team::{baseline, change, member, note, row};
use crate::support::embedded_service::{Answer, Running, sent};

const ROW: &str = "/api/v1/desk/states/1/812";

/// Returns the body of a row.
fn body() -> Value {
    serde_json::to_value(row(State::Looking, None)).unwrap()
}

async fn put(running: &Running, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    let request = running.client.json(Method::PUT, path, body);
    sent(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

#[tokio::test]
async fn a_write_without_a_precondition_is_refused_with_428_and_a_wrong_one_with_412_and_the_row() {
    let (running, _data) = Running::start().await;
    put(&running, ROW, &[], &body()).await.expect(428);
    let absent = [("if-none-match", "*")];
    let conflict = put(&running, ROW, &[("if-match", "\"7\"")], &body()).await.expect(412);
    assert_eq!(conflict.body["data"], Value::Null);
    let row = put(&running, ROW, &absent, &body()).await.expect(200).body["data"].clone();
    assert_eq!((&row["version"], &row["set_by"], &row["until"]), (&json!(1), &json!("key:run"), &Value::Null));
    let conflict = put(&running, ROW, &absent, &body()).await.expect(412);
    assert_eq!(conflict.body["data"], row);
    for headers in [&[("if-match", "7")][..], &[("if-match", "\"1\""), ("if-none-match", "*")]] {
        put(&running, ROW, headers, &body()).await.expect(422);
    }
    put(&running, "/api/v1/desk/states/2/812", &absent, &body()).await.expect(404);
    put(&running, "/api/v1/desk/states/x/812", &absent, &body()).await.expect(404);
}

#[tokio::test]
async fn invalid_states_persons_and_changes_are_rejected() {
    let (running, data) = Running::start().await;
    member(&running, data.path(), "anna", Role::Triage).await;
    let long = "x".repeat(1_001);
    for (field, value) in [
        ("change", json!("7")),
        ("change", Value::Null),
        ("state", json!("lost")),
        ("state", json!("snoozed")),
        ("holder", json!("nobody")),
        ("holder", json!("Anna")),
        ("holder", json!("anna\u{202e}")),
        ("baseline", json!("bad")),
        ("baseline", json!({ "score": 4711 })),
        ("reason", json!(long)),
        ("reason", json!("a\0b")),
        ("cause", json!("two\nlines")),
        ("cause", json!("")),
        ("decided_at", json!("yesterday")),
    ] {
        let mut body = body();
        body[field] = value.clone();
        let answer = put(&running, ROW, &[("if-none-match", "*")], &body).await;
        assert_eq!(answer.status, 422, "{field} = {value}: {answer:?}");
        // Names of our types say nothing to a client.
        let text = answer.body.to_string();
        assert!(!text.contains("Fields") && !text.contains("expected u8"), "{field} = {value}: {answer:?}");
    }
    let text = running.client.request(Method::PUT, ROW).header("if-none-match", "*").body("{}");
    sent(text).await.expect(415);
    let json = running.client.request(Method::PUT, ROW).header("content-type", "application/json");
    sent(json.try_clone().unwrap().body("{")).await.expect(422);
    sent(json.try_clone().unwrap().body("[".repeat(60_000))).await.expect(422);
    sent(json.body(format!("\"{}\"", "x".repeat(1024 * 1024)))).await.expect(413);
    let rows = running.client.get("/api/v1/desk/states?service=1").await.expect(200);
    assert_eq!(rows.body["data"]["rows"], json!([]));
}

#[tokio::test]
async fn invalid_positions_in_lists_and_in_the_log_are_rejected() {
    let (running, _data) = Running::start().await;
    for (path, field) in [
        ("/api/v1/desk/changes?change=7", "change"),
        ("/api/v1/desk/changes?service=1&doing=viewing&at=a%0Ab", "at"),
        ("/api/v1/desk/changes?after=-1", "after"),
        ("/api/v1/desk/changes?wait=soon", "wait"),
        ("/api/v1/desk/changes?doing=sleeping", "doing"),
        ("/api/v1/desk/states?service=1&after=%00", "after"),
        ("/api/v1/desk/states?service=1&after=a%0Ab", "after"),
        ("/api/v1/desk/states?service=1&after=a%03b", "after"),
        ("/api/v1/desk/states", "service"),
        ("/api/v1/desk/notes?service=1&after=x", "after"),
        ("/api/v1/desk/states/1/812/events?before=x", "before"),
    ] {
        assert_eq!(running.client.get(path).await.expect(422).refused(), [field], "{path}");
    }
}

#[tokio::test]
async fn all_invalid_parameters_of_the_log_are_reported_together() {
    let (running, _data) = Running::start().await;
    let path = "/api/v1/desk/changes?after=x&wait=soon&service=0&doing=sleeping&change=7";
    let answer = running.client.get(path).await.expect(422);
    assert_eq!(answer.refused(), ["after", "wait", "service", "doing", "change"]);
    let errors = &answer.body["errors"];
    assert_eq!(errors["after"][0], "The after must be a whole number of at least 0.");
    assert_eq!(errors["service"][0], "The service must be a whole number of at least 1.");
    running.client.get("/api/v1/desk/changes?after=00&wait=00").await.expect(200);
}

#[tokio::test]
async fn hostile_texts_are_rejected_or_stored_verbatim() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    for id in ["812", "a b/c+d%", "ü🍵", "..x", "'; DROP TABLE desk_states; --", "\\", "%", "x?y#z"] {
        let report = ReportId::new(id);
        for text in ["\u{1b}[31mred\u{7}", "\u{202e}txt.exe", "👩‍👩‍👧 🍵", "\u{feff}", "a\r\nb\tc", "\"\\\u{7f}'"]
        {
            let mut write = RowWrite { reason: Some(Text::from_outside(text)), ..row(State::Looking, Some("anna")) };
            write.baseline.failing = Some([text.into(), "\0".into()].into());
            let present = anna.desk_rows(1, None).await.unwrap().rows.into_iter().find(|row| row.report == report);
            let expected = present.map_or(RowPrecondition::Absent, |row| RowPrecondition::Version(row.version));
            let written = anna.write_desk_row(1, &report, expected, &write).await.unwrap();
            assert_eq!((written.reason.as_ref(), &written.baseline), (write.reason.as_ref(), &write.baseline));
            let noted = anna.write_desk_note(1, &report, &note(text)).await.unwrap();
            let read = anna.desk_notes(1, Some(noted.id - 1)).await.unwrap().notes;
            assert_eq!((read[0].text.raw(), read[0].report.raw()), (text, id));
        }
    }
    for text in ["", " \n ", "a\0b", &"ü".repeat(LONGEST_NOTE + 1)] {
        let refused = anna.write_desk_note(1, &ReportId::new("812"), &note(text)).await.unwrap_err();
        assert_eq!(refused.status, Some(422), "{text:.20}: {refused}");
    }
    anna.write_desk_note(1, &ReportId::new("812"), &note(&"ü".repeat(LONGEST_NOTE))).await.unwrap();
    for id in ["a\0b", "a\nb", "a\u{202e}b", " ", &"x".repeat(257)] {
        let write = row(State::Looking, None);
        let refused = anna.write_desk_row(1, &ReportId::new(id), RowPrecondition::Absent, &write).await;
        let Err(RowWriteFailure::Failed(failure)) = refused else { panic!("{id:?}: {refused:?}") };
        assert_eq!(failure.status, Some(404), "{id:?}: {failure}");
    }
}

#[tokio::test]
async fn times_in_rows_have_milliseconds_and_baselines_are_stored_verbatim() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let until = "2026-11-23T10:00:00.123456789Z".parse().unwrap();
    let write = row(State::Snoozed { until }, None);
    let row = anna.write_desk_row(1, &ReportId::new("1"), RowPrecondition::Absent, &write).await.unwrap();
    assert_eq!(row.state, State::Snoozed { until: "2026-11-23T10:00:00.123Z".parse().unwrap() });
    assert_eq!(row.baseline, baseline());
    assert_eq!(anna.desk_rows(1, None).await.unwrap().rows, [row]);
}

#[tokio::test]
async fn times_before_the_year_1_are_rejected_because_not_every_client_can_read_them() {
    let (running, _data) = Running::start().await;
    let absent = [("if-none-match", "*")];
    for (time, expected) in
        [("-000001-12-31T23:59:59Z", 422), ("0000-12-31T23:59:59Z", 422), ("0001-01-01T00:00:00Z", 200)]
    {
        for (number, field) in ["/until", "/baseline/generated_at", "/decided_at"].into_iter().enumerate() {
            let mut body = serde_json::to_value(row(State::Snoozed { until: jiff::Timestamp::MAX }, None)).unwrap();
            *body.pointer_mut(field).unwrap() = json!(time);
            let answer = put(&running, &format!("/api/v1/desk/states/1/{number}"), &absent, &body).await;
            assert_eq!(answer.status, expected, "{field} {time}: {answer:?}");
        }
        let mut body = serde_json::to_value(note("who?")).unwrap();
        body["decided_at"] = json!(time);
        let request = running.client.json(Method::POST, "/api/v1/desk/states/1/1/notes", &body);
        sent(request).await.expect(expected);
    }
}

#[tokio::test]
async fn addresses_and_labels_of_services_are_plain_text() {
    let (running, _data) = Running::start().await;
    let lookup = |field: &str, value: Value| {
        let mut body = json!({ "change": change(), "base": "https://a.example", "label": "a" });
        body[field] = value;
        body
    };
    let send = async |body: &Value| {
        sent(running.client.json(Method::POST, "/api/v1/desk/services", body)).await.status.as_u16()
    };
    for (field, value) in [
        ("base", json!("file:///etc/passwd")),
        ("base", json!("https://u:p@a.example")),
        ("label", json!("a\u{202e}b")),
        ("label", json!("")),
        ("service_id", json!("a b")),
        ("service_id", json!("x".repeat(65))),
    ] {
        assert_eq!(send(&lookup(field, value.clone())).await, 422, "{field} = {value}");
    }
    assert_eq!(send(&lookup("service_id", json!("f00"))).await, 200);
    assert_eq!(send(&json!([change(), "https://a.example", null, "a"])).await, 422, "fields need names");
}
