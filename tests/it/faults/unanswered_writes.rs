//! Writes without a response: sent once, looked up, reported, and offered for a retry.

use crossterm::event::Event;
use reportdeck::app::overlays::Overlay;
use reportdeck::domain::failure::{FailureKind, LookupOutcome, WriteFailure};
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::domain::report::{NewReport, Report, ReportChange, ReportId};
use serde_json::{Value, json};

use crate::faults::healthy_service::{
    CREATE, LIST, brisk, but, client, healthy, impatient_person, list_of, person, plain,
};
use crate::support::scripted_server::{RecordedRequest, Reply, ScriptedServer};

/// Ways to leave a write without a usable response.
fn unanswered() -> [Reply; 6] {
    [
        Reply::Reset,
        Reply::Raw(Vec::new()),
        Reply::Json(500, json!({"message": "Boom."})),
        Reply::html(504, "Gateway Time-out"),
        Reply::html(200, "Hello"),
        Reply::text("{\"data\": {\"id\": 4, \"ur"),
    ]
}

fn new(url: &str) -> NewReport {
    NewReport { url: url.into(), privacy: None, password: None }
}

fn fresh(url: &str) -> Value {
    let mut row = plain(&json!(4), url, "bad");
    row["generated_at"] = json!(jiff::Timestamp::now().to_string());
    row
}

/// A service that never responds to creates; its lists contain `found`.
fn lost_create(asked: &RecordedRequest, reply: &Reply, found: &[Value]) -> Reply {
    match asked.line().as_str() {
        CREATE => reply.clone(),
        LIST => list_of(found),
        _ => healthy(asked),
    }
}

#[tokio::test]
async fn a_created_report_that_cannot_be_read_has_the_url_that_was_sent() {
    let service = ScriptedServer::start(|asked| match asked.line().as_str() {
        CREATE => Reply::Json(201, json!({"data": {"id": 4}})),
        _ => Reply::Json(403, json!({"message": "This key may only create."})),
    })
    .await;
    let report = client(&service, brisk()).0.create_report(&new("shop.example/new")).await.unwrap();
    assert_eq!((report.id.raw(), report.url.raw(), service.count(CREATE)), ("4", "shop.example/new", 1));
}

#[tokio::test]
async fn a_created_report_without_a_body_is_read_at_its_location() {
    for location in ["/api/v1/reports/a%2Fb", "https://elsewhere.example/x/reports/a%2Fb?full=1"] {
        let head = vec![format!("Location: {location}")];
        let service = ScriptedServer::start(move |asked| match asked.line().as_str() {
            CREATE => Reply::Full(201, head.clone(), Vec::new()),
            "GET /api/v1/reports/a%2Fb" => {
                Reply::Json(200, json!({"data": plain(&json!("a/b"), "shop.example/new", "bad")}))
            }
            _ => list_of(&[]),
        })
        .await;
        let report = client(&service, brisk()).0.create_report(&new("shop.example/new")).await.unwrap();
        assert_eq!((report.id.raw(), report.verdict().as_ref(), service.count(LIST)), ("a/b", "bad", 0));
    }
}

#[tokio::test]
async fn a_create_that_was_accepted_but_is_not_listed_yet_may_still_take_effect() {
    for (status, expected) in
        [(201, "may still create it"), (202, "may still create it"), (500, "probably not created")]
    {
        let service = ScriptedServer::start(move |asked| {
            lost_create(asked, &Reply::Json(status, json!({"status": "queued"})), &[])
        });
        let failed = client(&service.await, brisk()).0.create_report(&new("shop.example/new")).await.unwrap_err();
        let WriteFailure::Unsure { failure, found } = failed else { panic!("{failed:?}") };
        assert!(found.after_create(&failure).contains(expected), "{status}: {failure:?}");
        assert_eq!(failure.message.contains("Creating the report failed"), status == 500, "{failure}");
    }
}

#[tokio::test]
async fn a_create_whose_response_has_no_report_is_not_called_failed() {
    for reply in [Reply::Json(200, json!({"message": "Report created", "status": 200})), Reply::text("OK")] {
        let service = ScriptedServer::start(move |asked| lost_create(asked, &reply, &[fresh("shop.example/new")]));
        let failed = client(&service.await, brisk()).0.create_report(&new("shop.example/new")).await.unwrap_err();
        let WriteFailure::Unsure { failure, found: LookupOutcome::Report(_) } = failed else { panic!("{failed:?}") };
        assert!(
            failure.message.starts_with("The service responded with 200, but did not return the report"),
            "{failure}"
        );
    }
}

#[tokio::test]
async fn a_success_that_denies_itself_is_none() {
    let id = ReportId::new("3");
    for body in
        [json!({"success": false, "message": "Not in your plan."}), json!({"deleted": false}), json!({"ok": false})]
    {
        let service = but("DELETE /api/v1/reports/3", Reply::Json(200, body.clone())).await;
        let failed = client(&service, brisk()).0.delete_report(&id).await.unwrap_err();
        let WriteFailure::Unsure { failure, found: LookupOutcome::Report(_) } = failed else { panic!("{failed:?}") };
        assert!(failure.message.contains("is false"), "{failure}");
        assert_eq!(failure.message.contains("(Not in your plan)"), body.get("message").is_some(), "{failure}");
        let is_denied = body.get("deleted").is_none();
        let service = but("PUT /api/v1/reports/3", Reply::Json(200, body)).await;
        let updated = client(&service, brisk()).0.update_report(&id, &ReportChange::rerun()).await;
        let is_unsure = matches!(updated, Err(WriteFailure::Unsure { found: LookupOutcome::Report(_), .. }));
        assert_eq!((is_unsure, updated.is_ok()), (is_denied, !is_denied), "{updated:?}");
        assert_eq!(service.count("PUT /api/v1/reports/3"), 1);
    }
}

#[tokio::test]
async fn a_success_that_is_a_web_page_or_an_error_is_none() {
    let id = ReportId::new("3");
    for (reply, reason) in [
        (Reply::html(200, "Sign in"), Some("HTML titled “Sign in”")),
        (Reply::Json(200, json!({"error": "Not in your plan."})), Some("sent `error` (Not in your plan)")),
        (Reply::Json(200, json!({"data": null, "errors": [{"message": "Locked."}]})), Some("sent `errors` (Locked)")),
        (Reply::Json(200, json!({"message": "Locked.", "status": 423})), Some("its `status` is 423 (Locked)")),
        (Reply::Json(200, json!({"message": "Locked.", "status": "423"})), Some("its `status` is \"423\" (Locked)")),
        (Reply::Json(200, json!({"status": "fail", "data": null})), Some("its `status` is \"fail\"")),
        (Reply::Json(200, json!({"message": "Done.", "error": null, "errors": []})), None),
        (Reply::Json(200, json!({"message": "Done.", "status": 399})), None),
        (Reply::Json(200, json!({"id": 3, "status": 404})), None),
        (Reply::Json(200, json!({"data": {"id": 3, "error": "slow page"}})), None),
        (Reply::Json(200, json!({"id": 3, "error": "slow page"})), None),
    ] {
        let service = ScriptedServer::start(move |asked| match asked.method.as_str() {
            "PUT" | "DELETE" => reply.clone(),
            _ => healthy(asked),
        })
        .await;
        let client = client(&service, brisk()).0;
        let updated = client.update_report(&id, &ReportChange::rerun()).await.map(|_| ());
        for ended in [updated, client.delete_report(&id).await] {
            match (reason, ended) {
                (Some(reason), Err(WriteFailure::Unsure { failure, found: LookupOutcome::Report(_) })) => {
                    assert!(failure.message.contains(reason), "{failure}");
                }
                (reason, ended) => assert!(reason.is_none() && ended.is_ok(), "{reason:?} {ended:?}"),
            }
        }
    }
}

#[tokio::test]
async fn a_create_that_denies_itself_is_none_although_it_repeats_the_url() {
    for body in [
        json!({"success": false, "message": "Not in your plan.", "data": {"url": "shop.example/new"}}),
        json!({"url": "shop.example/new", "ok": false, "message": "Not in your plan."}),
    ] {
        let service =
            ScriptedServer::start(move |asked| lost_create(asked, &Reply::Json(200, body.clone()), &[])).await;
        let failed = client(&service, brisk()).0.create_report(&new("shop.example/new")).await.unwrap_err();
        let WriteFailure::Unsure { failure, found: LookupOutcome::Nothing } = failed else { panic!("{failed:?}") };
        assert!(failure.message.contains("is false (Not in your plan)"), "{failure}");
        assert_eq!(service.count(CREATE), 1);
    }
}

#[tokio::test]
async fn an_update_without_the_report_in_its_response_counts_only_if_the_report_shows_it() {
    let private = ReportChange { privacy: Some(Privacy::Private), ..ReportChange::default() };
    let service = but("PUT /api/v1/reports/3", Reply::head(204, &[])).await;
    let failed = client(&service, brisk()).0.update_report(&ReportId::new("3"), &private).await.unwrap_err();
    let WriteFailure::Unsure { failure, found: LookupOutcome::Report(_) } = failed else { panic!("{failed:?}") };
    assert!(failure.message.contains("responded with 204, but the report does not show the change"), "{failure}");
    let public = ReportChange { privacy: Some(Privacy::Public), ..ReportChange::default() };
    assert!(client(&service, brisk()).0.update_report(&ReportId::new("3"), &public).await.is_ok());
}

#[tokio::test]
async fn an_unanswered_create_is_sent_once_and_found() {
    for reply in unanswered() {
        let case = format!("{reply:?}");
        let service =
            ScriptedServer::start(move |asked| lost_create(asked, &reply, &[fresh("shop.example/new")])).await;
        let failure =
            client(&service, brisk()).0.create_report(&new("https://www.shop.example/new/")).await.unwrap_err();
        let WriteFailure::Unsure { found: LookupOutcome::Report(report), .. } = failure else {
            panic!("{case}: {failure:?}")
        };
        assert_eq!(report.id.raw(), "4");
        assert_eq!(service.count(CREATE), 1, "{case}");
        let asked = service.asked_for(LIST).remove(0);
        assert_eq!(asked.parameter("sort_by").as_deref(), Some("id"), "the lookup lists the newest reports");
        assert_eq!(asked.parameter("sort").as_deref(), Some("desc"));
    }
}

#[tokio::test]
async fn an_unanswered_create_is_sent_once_and_not_found() {
    let old = plain(&json!(2), "shop.example/new", "bad");
    for found in [Vec::new(), vec![old], vec![fresh("shop.example/other")]] {
        let service = ScriptedServer::start(move |asked| lost_create(asked, &Reply::Reset, &found)).await;
        let failure = client(&service, brisk()).0.create_report(&new("shop.example/new")).await.unwrap_err();
        assert!(matches!(failure, WriteFailure::Unsure { found: LookupOutcome::Nothing, .. }), "{failure:?}");
        assert_eq!(service.count(CREATE), 1);
    }
}

#[tokio::test]
async fn a_report_with_another_privacy_is_not_taken_for_the_unanswered_create() {
    for (privacy, is_ours) in [(Privacy::Public, true), (Privacy::Private, false)] {
        let service =
            ScriptedServer::start(|asked| lost_create(asked, &Reply::Reset, &[fresh("shop.example/new")])).await;
        let private = NewReport { privacy: Some(privacy), ..new("shop.example/new") };
        let failure = client(&service, brisk()).0.create_report(&private).await.unwrap_err();
        let WriteFailure::Unsure { found, .. } = failure else { panic!("{failure:?}") };
        assert_eq!(matches!(found, LookupOutcome::Report(_)), is_ours, "{found:?}");
    }
}

#[tokio::test]
async fn an_unanswered_create_is_found_under_a_normalized_url() {
    let spellings = ["HTTPS://Shop.Example/New", "shop.example:443/New", "https://shop.example/New#top"];
    for typed in spellings {
        let service =
            ScriptedServer::start(|asked| lost_create(asked, &Reply::Reset, &[fresh("https://shop.example/New")]))
                .await;
        let failure = client(&service, brisk()).0.create_report(&new(typed)).await.unwrap_err();
        assert!(
            matches!(failure, WriteFailure::Unsure { found: LookupOutcome::Report(_), .. }),
            "{typed}: {failure:?}"
        );
    }
}

#[tokio::test]
async fn a_failed_lookup_of_an_unanswered_create_is_reported() {
    let service = ScriptedServer::start(|_| Reply::Reset).await;
    let failure = client(&service, brisk()).0.create_report(&new("shop.example/new")).await.unwrap_err();
    assert!(matches!(failure, WriteFailure::Unsure { found: LookupOutcome::Unknown(_), .. }), "{failure:?}");
    assert_eq!((service.count(CREATE), service.count(LIST)), (1, 3));
}

#[tokio::test]
async fn a_create_is_sent_once_on_a_reused_connection() {
    let service = but(CREATE, Reply::Reset).await;
    let (client, _) = client(&service, brisk());
    for _ in 0..3 {
        assert!(client.show_report(&ReportId::new("3")).await.is_ok());
        client.create_report(&new("shop.example/new")).await.unwrap_err();
    }
    assert_eq!(service.count(CREATE), 3);
}

#[tokio::test]
async fn a_create_that_was_never_sent_fails_without_a_lookup() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let mut service = ScriptedServer::start(healthy).await;
    service.base = gone;
    let failure = client(&service, brisk()).0.create_report(&new("shop.example/new")).await.unwrap_err();
    assert!(
        matches!(&failure, WriteFailure::Refused(failure) if failure.kind == FailureKind::Unreachable),
        "{failure:?}"
    );
}

#[tokio::test]
async fn the_dashboard_reports_that_an_unanswered_create_succeeded() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = person(&service).await;
    service.now(|asked| lost_create(asked, &Reply::Reset, &[fresh("shop.example/new")]));
    person.press("n 'shop.example/new' ctrl+s").await;
    person.sees(&["shop.example/new is bad", "Created: "]).misses(&["New report"]);
    assert_eq!(service.count(CREATE), 1);
}

#[tokio::test]
async fn the_dashboard_offers_to_retry_a_create_that_was_not_found() {
    let service = but(CREATE, Reply::Silence).await;
    let mut person = impatient_person(&service).await;
    person.press("n 'shop.example/other' tab right right tab 'opensesame' ctrl+s").await;
    person.sees(&["New report", "did not respond in time", "may still create it", "ctrl+s tries again"]);
    assert_eq!(person.session.app().form().unwrap().password.value(), "opensesame");
    assert_eq!(service.count(CREATE), 1);
    service.now(healthy);
    person.press("ctrl+s").await;
    person.misses(&["New report"]);
    assert_eq!(service.count(CREATE), 2);
    assert!(service.asked_for(CREATE)[1].body.contains("password=opensesame"));
}

#[tokio::test]
async fn the_dashboard_reports_an_unknown_outcome_of_a_create() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = person(&service).await;
    service.now(|_| Reply::Reset);
    person.press("n 'shop.example/new' ctrl+s").await;
    person.sees(&["New report", "Whether it was created", "ctrl+s tries again"]);
}

#[tokio::test]
async fn an_unanswered_update_reads_the_report_again() {
    for reply in unanswered().into_iter().take(4) {
        let service = but("PUT /api/v1/reports/3", reply.clone()).await;
        let (client, _) = client(&service, brisk());
        let id = ReportId::new("3");
        let failure = client.update_report(&id, &ReportChange::rerun()).await.unwrap_err();
        assert!(matches!(failure, WriteFailure::Unsure { found: LookupOutcome::Report(_), .. }), "{reply:?}");
        assert_eq!((service.count("PUT /api/v1/reports/3"), service.count("GET /api/v1/reports/3")), (1, 1));
    }
}

#[tokio::test]
async fn an_update_with_an_empty_or_partial_response_reads_the_report_again() {
    let replies = [
        Reply::head(204, &[]),
        Reply::text(""),
        Reply::Json(200, json!({"message": "Updated.", "status": 200})),
        Reply::Json(200, json!({"id": 3, "updated": true})),
        Reply::Json(200, json!({"data": {"id": 3, "privacy": 1}})),
        Reply::Json(202, json!({"data": plain(&json!(99), "other.example", "good")})),
    ];
    for reply in replies {
        let service = but("PUT /api/v1/reports/3", reply.clone()).await;
        let report: Report =
            client(&service, brisk()).0.update_report(&ReportId::new("3"), &ReportChange::rerun()).await.unwrap();
        assert_eq!((report.id.raw(), report.url.raw()), ("3", "shop.example/tea"), "{reply:?}");
        assert_eq!(service.count("GET /api/v1/reports/3"), 1, "{reply:?}");
    }
}

#[tokio::test]
async fn a_create_that_gets_only_an_id_reads_the_report() {
    for reply in
        [Reply::Json(201, json!({"id": 2})), Reply::Json(201, json!({"data": {"id": "2", "object": "report"}}))]
    {
        let service = but(CREATE, reply).await;
        let report = client(&service, brisk()).0.create_report(&new("shop.example/cart")).await.unwrap();
        assert_eq!(report.url.raw(), "shop.example/cart");
        assert_eq!(service.count("GET /api/v1/reports/2"), 1);
    }
}

#[tokio::test]
async fn an_unanswered_re_run_shows_the_current_state_and_can_be_repeated() {
    let service = but("PUT /api/v1/reports/3", Reply::Reset).await;
    let mut person = person(&service).await;
    person.press("t").await;
    person.sees(&["Outcome unknown", "The report is now", "good, public", "[ Try again ]"]);
    assert!(matches!(person.session.app().overlays.last(), Some(Overlay::Dialog(_))));
    assert_eq!(service.count("PUT /api/v1/reports/3"), 1);
    service.now(healthy);
    person.press("y").await;
    person.misses(&["Outcome unknown"]);
    assert_eq!(service.count("PUT /api/v1/reports/3"), 2);
}

#[tokio::test]
async fn an_unanswered_edit_keeps_its_form() {
    let service = but("PUT /api/v1/reports/3", Reply::Reset).await;
    let mut person = person(&service).await;
    person.press("e right right tab 'opensesame' ctrl+s").await;
    person.sees(&["Edit shop.example/tea", "report is now good", "ctrl+s sends it again"]);
    assert_eq!(person.session.app().form().unwrap().password.value(), "opensesame");
    service.now(healthy);
    person.press("ctrl+s").await;
    person.misses(&["Edit shop.example/tea"]);
    assert_eq!(service.count("PUT /api/v1/reports/3"), 2);
}

#[tokio::test]
async fn an_unanswered_delete_shows_whether_the_report_still_exists() {
    let service = but("DELETE /api/v1/reports/3", Reply::Reset).await;
    let mut person = person(&service).await;
    person.press("D y").await;
    person.sees(&["Outcome unknown", "The report is now", "good, public", "[ Try again ]", "shop.example/tea"]);
    service.now(|asked| match (asked.method.as_str(), asked.path()) {
        ("DELETE", _) => Reply::Reset,
        ("GET", "/api/v1/reports/3") => Reply::Json(404, json!({})),
        _ => healthy(asked),
    });
    person.press("y").await;
    person.sees(&["It was deleted"]).misses(&["Outcome unknown"]);
    assert_eq!(service.count("DELETE /api/v1/reports/3"), 2);
    assert_eq!(person.session.app().reports.shown.len(), 2);
}

#[tokio::test]
async fn any_successful_status_completes_a_delete_unless_the_body_is_a_web_page() {
    let replies =
        [Reply::head(204, &[]), Reply::text(""), Reply::text("OK"), Reply::Json(200, json!({"deleted": true}))];
    for reply in replies {
        let service = but("DELETE /api/v1/reports/3", reply.clone()).await;
        assert_eq!(client(&service, brisk()).0.delete_report(&ReportId::new("3")).await, Ok(()), "{reply:?}");
    }
    let service = but("DELETE /api/v1/reports/3", Reply::html(200, "Please log in")).await;
    let failure = client(&service, brisk()).0.delete_report(&ReportId::new("3")).await.unwrap_err();
    assert!(matches!(failure, WriteFailure::Unsure { found: LookupOutcome::Report(_), .. }), "{failure:?}");
}

#[tokio::test]
async fn an_unanswered_project_deletion_is_looked_up() {
    let delete = "DELETE /api/v1/projects/shop.example";
    let service = but(delete, Reply::Reset).await;
    let mut person = person(&service).await;
    person.press("1 j D 'shop.example' enter").await;
    person.sees(&["Outcome unknown", "[ Try again ]"]);
    assert_eq!(service.count(delete), 1);
    person.press("esc").await;
    person.sees(&["shop.example/tea"]);
}

#[tokio::test]
async fn what_the_service_has_not_answered_at_the_end_of_a_session_is_named() {
    let silent = |line: &str| line.starts_with("PUT") || line == CREATE;
    let service =
        ScriptedServer::start(move |asked| if silent(&asked.line()) { Reply::Silence } else { healthy(asked) }).await;
    for (keys, expected) in [
        (&["t", "q", "q"][..], "before the service responded to: re-running shop.example/tea"),
        (&["V", "t", "y", "q", "q"], "before the service responded to: re-running 3 reports"),
    ] {
        let mut person = person(&service).await;
        for key in keys {
            person.key(key);
            if *key == "y" {
                person.until(|app| app.jobs.bulk.as_ref().is_some_and(|bulk| bulk.run.tally().under_way == 3)).await;
            }
        }
        let failure = person.session.finish().await.unwrap();
        assert!(failure.message.contains(expected), "{failure}");
    }
    for (urls, expected) in [("slow.example", "auditing slow.example"), ("a.example\nb.example", "auditing 2 pages")] {
        let mut person = person(&service).await;
        person.key("n");
        person.session.take_event(&Event::Paste(urls.to_owned()));
        for key in ["ctrl+s", "esc", "q", "q"] {
            person.key(key);
        }
        assert!(person.session.is_over());
        let failure = person.session.finish().await.unwrap();
        assert_eq!(failure.message, format!("Quit before the service responded to: {expected}"));
    }
}
