//! 401, 403, 404, 405, 419 and 422, and error texts with control sequences.

use std::sync::Mutex;

use reportdeck::api::client::Priority;
use reportdeck::api::decode::RowDetail;
use reportdeck::app::message::Message;
use reportdeck::app::panes::reports::listing::LoadState;
use reportdeck::domain::failure::{FailureKind, WriteFailure};
use reportdeck::domain::list::paging::PageToken;
use reportdeck::domain::list::query::ReportQuery;
use reportdeck::domain::report::{ReportChange, ReportId};
use serde_json::json;

use crate::faults::healthy_service::{CREATE, LIST, brisk, but, client, healthy, list_answered, person, plain, serve};
use crate::support::scripted_server::{RecordedRequest, Reply, ScriptedServer};

const UNAUTHENTICATED: fn() -> Reply = || Reply::Json(401, json!({"message": "Unauthenticated.", "status": 401}));

#[tokio::test]
async fn a_401_is_not_retried_and_is_a_rejected_key() {
    let service = but(LIST, UNAUTHENTICATED()).await;
    let (client, _) = client(&service, brisk());
    let failure = crate::faults::healthy_service::list(&client).await.unwrap_err();
    assert_eq!((failure.kind, failure.status), (FailureKind::Unauthorised, Some(401)));
    assert!(failure.message.contains("Unauthenticated"), "{failure}");
    assert_eq!(service.count(LIST), 1);
}

#[tokio::test]
async fn a_401_shows_a_banner_keeps_the_rows_and_stops_requests() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = person(&service).await;
    person.sees(&["shop.example/tea"]);
    service.now(|_| UNAUTHENTICATED());
    let before = service.asked().len();
    person.press("R").await;
    person.sees(&["does not accept the API key", "K enters another one", "shop.example/tea", "shop.example/cart"]);
    person.sees(&["(401: Unauthenticated)", "R tries again"]);
    let after = service.asked().len();
    assert!(after - before <= 3, "at most the list, the projects and the opened report: {:?}", service.asked());
    person.press("? esc / 'tea'").await;
    person.look().await;
    assert_eq!(service.asked().len(), after, "no automatic request");
}

#[tokio::test]
async fn an_entered_key_is_used_for_the_rest_of_the_session() {
    let service =
        ScriptedServer::start(
            |asked| if asked.head.contains("Bearer right") { healthy(asked) } else { UNAUTHENTICATED() },
        )
        .await;
    let mut person = person(&service).await;
    person.sees(&["does not accept the API key"]);
    person.press("K 'right' enter").await;
    person.sees(&["shop.example/tea"]).misses(&["does not accept"]);
}

#[tokio::test]
async fn a_report_missing_for_one_key_is_listed_again_with_another() {
    let service = ScriptedServer::start(|asked| {
        let gone = asked.path() == "/api/v1/reports/3" && !asked.head.contains("Bearer right");
        if gone { Reply::Json(404, json!({})) } else { healthy(asked) }
    })
    .await;
    let mut person = person(&service).await;
    person.press("enter 2").await;
    person.misses(&["shop.example/tea"]);
    person.press("K 'right' enter").await;
    person.sees(&["shop.example/tea"]);
}

#[tokio::test]
async fn a_401_on_one_report_is_cleared_once_it_opens() {
    let service = but("GET /api/v1/reports/3", UNAUTHENTICATED()).await;
    let mut person = person(&service).await;
    person.sees(&["does not accept the API key"]);
    service.now(healthy);
    person.press("enter").await;
    person.misses(&["does not accept the API key"]);
}

#[tokio::test]
async fn a_401_on_a_write_shows_the_banner_too() {
    let service = but(CREATE, UNAUTHENTICATED()).await;
    let mut person = person(&service).await;
    person.press("n 'shop.example/new' ctrl+s").await;
    person.sees(&["New report", "does not accept the API key"]);
    person.press("esc").await;
    person.sees(&["K enters another one", "shop.example/tea"]);
}

#[tokio::test]
async fn a_403_shows_the_message_of_the_service() {
    let reply = Reply::Json(403, json!({"message": "Ask Ms Smith."}));
    let failure = list_answered(reply.clone(), brisk()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Forbidden);
    let service = but("DELETE /api/v1/reports/3", reply).await;
    let mut person = person(&service).await;
    person.press("D y").await;
    person.sees(&["not allowed, or not yours", "Ask Ms Smith", "shop.example/tea"]);
}

#[tokio::test]
async fn a_404_removes_the_row_of_an_opened_report_but_not_of_a_preview() {
    let service = but("GET /api/v1/reports/3", Reply::Json(404, json!({"message": "Weg."}))).await;
    let mut person = person(&service).await;
    person.sees(&["not exist (404: Weg)", "▸ ✓ good       shop.example/tea", "shop.example/cart"]);
    person.press("enter").await;
    person.sees(&["not exist (404", "shop.example/cart"]).misses(&["shop.example/tea"]);
    // A later list that still contains it takes precedence.
    person.press("2 r").await;
    person.sees(&["shop.example/tea", "shop.example/cart"]);
}

#[tokio::test]
async fn a_404_on_a_write_removes_the_row() {
    let service = but("PUT /api/v1/reports/3", Reply::Json(404, json!({}))).await;
    let mut person = person(&service).await;
    person.press("t").await;
    person.sees(&["! shop.example/tea: ", "it does not exist", "shop.example/cart"]);
    person.misses(&["good       shop.example/tea"]);
    let app = person.session.app();
    assert!(app.reports.listing.row(&ReportId::new("3")).is_none() && app.reports.shown.len() == 2);
}

#[tokio::test]
async fn a_404_on_a_delete_counts_as_deleted() {
    let service = but("DELETE /api/v1/reports/3", Reply::Json(404, json!({}))).await;
    let mut person = person(&service).await;
    person.press("D y").await;
    person.sees(&["was already deleted"]);
    assert_eq!(person.session.app().reports.shown.len(), 2);
}

#[tokio::test]
async fn a_404_405_419_or_web_page_instead_of_a_list_points_to_the_base_url() {
    let replies = [
        Reply::Json(404, json!({"message": "No route."})),
        Reply::html(404, "Not here"),
        Reply::Json(405, json!({})),
        Reply::html(419, "Page Expired"),
        Reply::html(200, "Welcome"),
    ];
    for reply in replies {
        let failure = list_answered(reply.clone(), brisk()).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::WrongAddress, "{reply:?}");
        assert!(failure.message.contains("/api/v1/reports"), "it names the request: {failure}");
        assert!(failure.advice.contains("base URL looks wrong"), "{failure}");
    }
}

#[tokio::test]
async fn the_dashboard_reports_a_wrong_base_url() {
    let service = ScriptedServer::start(|_| Reply::html(200, "Our shop")).await;
    let mut person = person(&service).await;
    person.sees(&["The base URL looks wrong", "/api/v1/reports", "Our shop", "r retries"]);
    service.now(healthy);
    person.press("r").await;
    person.sees(&["shop.example/tea"]);
}

#[tokio::test]
async fn a_422_shows_each_message_under_its_field_and_keeps_the_form() {
    for name in ["errors", "message"] {
        let texts = json!({"url": ["Diese Adresse gilt nicht."], "password": ["Zu kurz."], "quota": "Erschöpft."});
        let service = but(CREATE, Reply::Json(422, json!({name: texts}))).await;
        let mut person = person(&service).await;
        person.press("n 'shop.example/new' tab right right tab 'opensesame' ctrl+s").await;
        person.sees(&[
            "New report",
            "shop.example/new",
            "! Diese Adresse gilt nicht.",
            "! Zu kurz.",
            "quota: Erschöpft.",
        ]);
        let form = person.session.app().form().unwrap();
        assert_eq!((form.password.value(), form.saving), ("opensesame", None), "{name}");
        let screen = person.screen();
        let line = |text: &str| screen.lines().position(|line| line.contains(text)).unwrap();
        assert_eq!(line("Diese Adresse"), line("shop.example/new") + 1, "the message is under its field:\n{screen}");
        assert_eq!(service.count(CREATE), 1);
        service.now(healthy);
        person.press("ctrl+s").await;
        person.misses(&["New report"]).sees(&["shop.example/new"]);
    }
}

#[tokio::test]
async fn a_422_on_an_edit_keeps_the_form_and_the_row() {
    let refusal = Reply::Json(422, json!({"message": "No.", "errors": {"privacy": ["Not in your plan."]}}));
    let service = but("PUT /api/v1/reports/3", refusal).await;
    let mut person = person(&service).await;
    person.press("e right ctrl+s").await;
    person.sees(&["Edit shop.example/tea", "! Not in your plan."]);
    assert_eq!(service.count("PUT /api/v1/reports/3"), 1);
}

#[tokio::test]
async fn the_text_of_an_error_is_found_beside_empty_fields() {
    for (body, expected) in [
        (json!({"status": 403, "error": "Forbidden here", "message": "", "path": "/"}), "(403: Forbidden here)"),
        (json!({"message": " ", "error": {"message": "Closed on Mondays."}}), "(403: Closed on Mondays)"),
        (json!({"message": "", "error": {"code": 7}}), "(403)"),
        (json!({"message": ["No.", "Not today."], "error": "Forbidden"}), "(403: No.; Not today)"),
        (json!({"errors": ["Closed.", "Closed on Mondays."]}), "(403: Closed.; Closed on Mondays)"),
        (
            json!({"errors": [{"title": "Closed", "detail": "Closed on Mondays."}, {"code": 7}]}),
            "(403: Closed on Mondays)",
        ),
        (json!({"detail": [{"loc": ["body", "url"], "msg": "Missing"}]}), "(403: Missing)"),
        (json!({"error": {"message": ["Closed."]}}), "(403: Closed)"),
        (json!({"error": {"code": "E403", "detail": "Closed."}}), "(403: Closed)"),
        (
            json!({"title": "Refused", "errors": [{"field": "url", "message": "May not be tested."}]}),
            "(403: Refused; May not be tested)",
        ),
        (json!({"message": "Closed.", "errors": ["Closed."]}), "(403: Closed)"),
        (json!({"errors": {"url": ["Missing."]}}), "(403)"),
        (json!({"errors": [], "message": []}), "(403)"),
    ] {
        let failure = list_answered(Reply::Json(403, body), brisk()).await.unwrap_err();
        assert!(failure.message.ends_with(expected), "{expected}: {failure}");
    }
}

#[tokio::test]
async fn the_messages_of_fields_are_found_at_the_top_level_too() {
    for (body, expected) in [
        (json!({"url": ["Enter a valid URL."], "code": 7}), vec![("url", "Enter a valid URL.")]),
        (json!({"detail": "No.", "url": ["Enter a valid URL."]}), vec![("url", "Enter a valid URL.")]),
        (json!({"message": "No.", "errors": {"url": "Missing."}, "privacy": ["x"]}), vec![("url", "Missing.")]),
        (json!({"errors": ["No."]}), vec![]),
        (json!({"message": ["No."], "rows": [1, 2]}), vec![]),
    ] {
        let failure = list_answered(Reply::Json(400, body.clone()), brisk()).await.unwrap_err();
        let fields: Vec<_> =
            failure.fields.iter().map(|error| (error.field.as_str(), error.texts[0].as_str())).collect();
        assert_eq!(fields, expected, "{body}");
    }
}

#[tokio::test]
async fn an_error_in_plain_text_is_shown() {
    for (kind, body, expected) in [
        ("text/plain; charset=utf-8", "\n  Quota exceeded.\nmore\n", "(403: Quota exceeded)"),
        ("Text/Plain", "", "(403)"),
        ("application/octet-stream", "Quota exceeded", "(403)"),
        ("text/plain; charset=ISO-8859-1", "Für Müller gesperrt", "(403: Für Müller gesperrt)"),
        ("application/json;charset=latin1", r#"{"error": "Für Müller gesperrt"}"#, "(403: Für Müller gesperrt)"),
        ("text/html; charset=windows-1252", "<title>Ämter</title>", "(403: it is HTML titled “Ämter”)"),
    ] {
        // One byte per character, as in Latin-1.
        let bytes = body.chars().map(|character| u8::try_from(character).unwrap()).collect();
        let reply = Reply::Full(403, vec![format!("Content-Type: {kind}")], bytes);
        let failure = list_answered(reply, brisk()).await.unwrap_err();
        assert!(failure.message.ends_with(expected), "{expected}: {failure}");
    }
}

#[tokio::test]
async fn a_request_too_long_for_a_proxy_is_not_to_be_sent_again() {
    for status in [414, 431] {
        let failure = list_answered(Reply::html(status, "Too Large"), brisk()).await.unwrap_err();
        assert_eq!((failure.kind, failure.status), (FailureKind::Invalid, Some(status)), "{failure}");
        assert!(failure.message.contains("too long") && failure.advice == "Shorten the search text", "{failure}");
    }
}

#[tokio::test]
async fn error_messages_are_sanitized_and_shortened() {
    let nasty = format!("\u{1b}]0;owned\u{7}\u{1b}[31mred\u{202e}desrever\n{}", "long ".repeat(2_000));
    for status in [401, 403, 422, 500] {
        let reply = Reply::Json(status, json!({"message": nasty, "errors": {"url\u{1b}[2J": [nasty]}}));
        let failure = list_answered(reply, brisk()).await.unwrap_err();
        let texts = failure.fields.iter().flat_map(|error| error.texts.iter().chain([&error.field]));
        for text in texts.chain([&failure.message, &failure.advice]) {
            assert!(!text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
            assert!(text.chars().count() < 400, "{}", text.len());
        }
    }
}

#[tokio::test]
async fn a_report_deleted_while_its_page_is_loading_stays_deleted() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = person(&service).await;
    // The list is requested again, and the report is deleted while the response is on its way.
    person.key("r");
    person.key("D");
    person.key("y");
    person.look().await;
    let app = person.session.app();
    assert!(app.reports.listing.row(&ReportId::new("3")).is_none());
    assert!(matches!(app.reports.listing.load, LoadState::Ended(_)));
}

#[tokio::test]
async fn a_service_without_report_pages_is_recognized() {
    let id = ReportId::new("1");
    let link = "GET /api/v1/reports/1/link";
    for reply in [
        Reply::Json(404, json!({"message": "Not found."})),
        Reply::Json(405, json!({})),
        Reply::html(200, "Welcome"),
        Reply::Json(200, json!({"data": {"url": "not an address"}})),
    ] {
        let service = but(link, reply).await;
        let failure = client(&service, brisk()).0.report_page(&id).await.unwrap_err();
        assert!(failure.message.contains("the service has no page for it"), "{failure}");
        assert!(failure.advice.contains("reportdeck's own service"), "{failure}");
    }
    // Only the pass is taken from the URL that the service sends; it is added to our own URL.
    let evil = json!({"data": {"url": "https://evil.example/login?pass=12.ab&next=x"}});
    let service = but(link, Reply::Json(200, evil)).await;
    let url = client(&service, brisk()).0.report_page(&id).await.unwrap();
    assert_eq!(url.as_str(), format!("{}/reports/1?pass=12.ab", service.base));
    let service = ScriptedServer::start(healthy).await;
    let mut person = person(&service).await;
    person.press("O").await;
    person.sees(&["the service has no page for it (404)"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn after_a_failed_write_at_the_end_of_a_session_a_run_sends_nothing_more() {
    let (open, gate) = std::sync::mpsc::channel::<()>();
    let gate = Mutex::new(gate);
    let service = ScriptedServer::start(move |asked| {
        let row = |id: u32| plain(&json!(id), &format!("shop.example/{id}"), "bad");
        match asked.line().as_str() {
            "PUT /api/v1/reports/30" => return Reply::Json(422, json!({"message": "Not now."})),
            // The requests of the run are answered once `open` is dropped.
            _ if asked.method == "PUT" => drop(gate.lock().unwrap().recv()),
            _ => {}
        }
        serve(asked, &(1..=30).map(row).collect::<Vec<_>>())
    })
    .await;
    let sent = || service.asked().iter().filter(|asked| asked.method == "PUT").count();
    let mut person = person(&service).await;
    person.press("V").await;
    person.key("t");
    person.key("y");
    person.until(|app| app.jobs.bulk.as_ref().is_some_and(|bulk| bulk.run.tally().under_way == 3)).await;
    for key in ["esc", "M", "end", "t"] {
        person.key(key);
    }
    // The record of the failed request; its reply follows, before those of the run.
    let message = person.session.next_message().await;
    assert!(matches!(message, Message::Exchange(_)));
    drop(open);
    let failure = person.session.finish().await.unwrap();
    assert!(failure.to_string().contains("Not now"), "{failure}");
    person.session.settle().await;
    assert_eq!(sent(), 4);
}

#[tokio::test]
async fn a_404_for_the_reports_of_a_project_names_the_project() {
    let missing = |asked: &RecordedRequest| match asked.parameter("project") {
        Some(_) => Reply::Json(404, json!({"message": "Weg."})),
        None => healthy(asked),
    };
    let service = ScriptedServer::start(missing).await;
    let query = ReportQuery { project: Some("shop.example".to_owned()), ..ReportQuery::default() };
    let (client, _) = client(&service, brisk());
    let read = client.list_reports(&query, &PageToken::First, RowDetail::Row, Priority::Person).await;
    let failure = read.unwrap_err();
    assert_eq!((failure.kind, failure.status), (FailureKind::NotFound, Some(404)));
    assert!(failure.message.contains("no project shop.example (404)"), "{failure}");
    assert!(failure.advice.contains("base URL"), "a wrong address answers in the same way: {failure}");
}

#[tokio::test]
async fn blank_messages_about_a_field_are_left_out() {
    let texts = json!({"errors": {"privacy": ["Not in your plan.", "", " "], "project": [""]}});
    let service = but("PUT /api/v1/reports/3", Reply::Json(422, texts)).await;
    let id = ReportId::new("3");
    let (client, _) = client(&service, brisk());
    let failure = client.update_report(&id, &ReportChange::rerun()).await;
    let Err(WriteFailure::Refused(failure)) = failure else { panic!("{failure:?}") };
    assert_eq!(failure.with_fields("Refused".to_owned()), "Refused · privacy: Not in your plan.");
}

#[tokio::test]
async fn a_reason_that_repeats_the_status_is_shown_once() {
    for (status, body, expected) in [
        (500, json!({"error": "500 Internal Server Error"}), "(500 Internal Server Error)"),
        (500, json!({"title": "Internal Server Error", "status": 500}), "(500 Internal Server Error)"),
        (500, json!({"message": "internal server error."}), "(500 internal server error)"),
        (403, json!({"message": "403: Closed on Mondays."}), "(403: Closed on Mondays)"),
        (403, json!({"message": "403"}), "(403)"),
        (403, json!({"message": "403 Forbidden"}), "(403 Forbidden)"),
        (403, json!({"message": "Forbidden on Mondays"}), "(403: Forbidden on Mondays)"),
        (403, json!({"message": "4030 requests a day"}), "(403: 4030 requests a day)"),
    ] {
        let failure = list_answered(Reply::Json(status, body), brisk()).await.unwrap_err();
        assert!(failure.message.ends_with(expected), "{expected}: {failure}");
    }
}
