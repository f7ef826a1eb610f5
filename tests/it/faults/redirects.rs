//! Redirects 301 to 308: followed only for reads on the same origin. The key is sent to no other origin.

use reportdeck::api::client::Priority;
use reportdeck::api::decode::RowDetail;
use reportdeck::api::desk::RowWriteFailure;
use reportdeck::domain::desk::RowPrecondition;
use reportdeck::domain::failure::{FailureKind, WriteFailure};
use reportdeck::domain::list::paging::PageToken;
use reportdeck::domain::list::query::ReportQuery;
use reportdeck::domain::report::{NewReport, ReportChange, ReportId};
use reportdeck::domain::triage::State;

use crate::faults::healthy_service::{CREATE, LIST, brisk, but, client, healthy, list, person};
use crate::support::desk_team::row;
use crate::support::scripted_server::{Reply, ScriptedServer};

fn to(status: u16, target: &str) -> Reply {
    Reply::head(status, &[&format!("Location: {target}")])
}

const ALL: [u16; 5] = [301, 302, 303, 307, 308];

#[tokio::test]
async fn a_read_follows_a_redirect_on_the_same_origin() {
    for status in ALL {
        let service = ScriptedServer::start(move |asked| match asked.target.as_str() {
            "/api/v1/reports" => to(status, "/api/v1/reports/?from=there"),
            "/api/v1/reports/?from=there" => crate::faults::healthy_service::list_of(&[]),
            _ => healthy(asked),
        })
        .await;
        assert!(list(&client(&service, brisk()).0).await.unwrap().rows.is_empty(), "{status}");
        assert!(service.asked().iter().all(|asked| asked.head.contains("Bearer")), "{status}");
    }
}

#[tokio::test]
async fn a_redirect_without_a_query_keeps_that_of_the_request() {
    let service = ScriptedServer::start(|asked| match asked.path() {
        "/api/v1/reports" => to(301, "/api/v1/reports/"),
        _ => healthy(asked),
    })
    .await;
    let query = ReportQuery { project: Some("shop.example".to_owned()), ..ReportQuery::default() };
    let page = PageToken::Number(2);
    let asked = client(&service, brisk()).0.list_reports(&query, &page, RowDetail::Row, Priority::Person).await;
    assert!(asked.is_err(), "this service has nothing there");
    let targets: Vec<String> = service.asked().into_iter().map(|asked| asked.target).collect();
    assert_eq!(
        targets,
        ["/api/v1/reports?project=shop.example&page=2", "/api/v1/reports/?project=shop.example&page=2"]
    );
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_refused_and_gets_no_key() {
    let elsewhere = ScriptedServer::start(healthy).await;
    let target = format!("{}/api/v1/reports", elsewhere.base);
    let others = [
        target.clone(),
        target.replace("http:", ""),
        target.replace("127.0.0.1", "localhost"),
        "https://127.0.0.1/api/v1/reports".into(),
        "ftp://127.0.0.1/x".into(),
    ];
    for target in others {
        for status in ALL {
            let location = target.clone();
            let service = ScriptedServer::start(move |_| to(status, &location)).await;
            let failure = list(&client(&service, brisk()).0).await.unwrap_err();
            assert_eq!(failure.kind, FailureKind::WrongAddress, "{target}");
            assert!(failure.message.contains("to which the key is not sent"), "{failure}");
            assert_eq!(service.count(LIST), 1);
        }
    }
    assert!(elsewhere.asked().is_empty(), "{:?}", elsewhere.asked());
}

#[tokio::test]
async fn the_dashboard_reports_a_refused_redirect() {
    let service = ScriptedServer::start(|_| to(301, "https://elsewhere.example/api/v1/reports")).await;
    let person = person(&service).await;
    person.sees(&["redirects to another origin", "The base URL looks wrong"]);
}

#[tokio::test]
async fn a_redirected_report_page_is_not_a_service_without_pages() {
    let elsewhere = Reply::head(302, &["Location: https://portal.example/"]);
    let service = but("GET /api/v1/reports/1/link", elsewhere).await;
    let failure = client(&service, brisk()).0.report_page(&ReportId::new("1")).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::WrongAddress, "{failure}");
    assert!(failure.message.contains("redirects to another origin (https://portal.example)"), "{failure}");
}

#[tokio::test]
async fn a_redirect_to_a_login_page_is_a_401() {
    for target in ["/login", "/users/sign_in?next=%2F", "https://sso.example/auth/login", "/login.php", "/Sign-In"] {
        let service = ScriptedServer::start(move |_| to(302, target)).await;
        let failure = list(&client(&service, brisk()).0).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unauthorised, "{target}");
        assert_eq!(service.asked().len(), 1, "{target} is not fetched");
    }
    let service = ScriptedServer::start(|_| to(302, "/login")).await;
    person(&service).await.sees(&["does not accept the API key", "K enters another one"]);
}

#[tokio::test]
async fn redirect_loops_and_invalid_targets_are_reported() {
    let service = ScriptedServer::start(|_| to(302, "/api/v1/reports")).await;
    let failure = list(&client(&service, brisk()).0).await.unwrap_err();
    assert!(failure.kind == FailureKind::WrongAddress && failure.message.contains("loop"), "{failure}");
    assert!(service.asked().len() <= 6);
    for reply in [Reply::head(302, &[]), to(302, "http://[broken"), Reply::head(302, &["Location: \u{e9}"])] {
        let service = ScriptedServer::start(move |_| reply.clone()).await;
        let failure = list(&client(&service, brisk()).0).await.unwrap_err();
        assert!(failure.message.contains("redirects without a valid target"), "{failure}");
    }
}

#[tokio::test]
async fn a_redirected_write_is_refused_and_sent_nowhere() {
    let elsewhere = ScriptedServer::start(healthy).await;
    for target in [format!("{}/api/v1/reports", elsewhere.base), "/api/v1/reports/".to_owned()] {
        for status in [301, 302, 307, 308] {
            let location = target.clone();
            let service = ScriptedServer::start(move |_| to(status, &location)).await;
            let (client, _) = client(&service, brisk());
            let new = NewReport { url: "shop.example".into(), privacy: None, password: Some("hunter2".into()) };
            let id = ReportId::new("3");
            let failures = [
                client.create_report(&new).await.unwrap_err(),
                client.update_report(&id, &ReportChange::rerun()).await.unwrap_err(),
                client.delete_report(&id).await.unwrap_err(),
                client.delete_project("shop.example").await.unwrap_err(),
            ];
            for failure in failures {
                assert!(
                    matches!(&failure, WriteFailure::Refused(refused) if refused.kind == FailureKind::WrongAddress),
                    "{failure:?}"
                );
            }
            assert_eq!(service.asked().len(), 4, "each once");
        }
    }
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn a_redirected_write_to_a_desk_is_refused_and_sent_nowhere() {
    let elsewhere = ScriptedServer::start(healthy).await;
    for (target, kind) in [
        (format!("{}/api/v1/desk", elsewhere.base), FailureKind::WrongAddress),
        ("/api/v2/desk/states/1/3".to_owned(), FailureKind::WrongAddress),
        ("/login".to_owned(), FailureKind::Unauthorised),
    ] {
        let location = target.clone();
        let service = ScriptedServer::start(move |_| to(307, &location)).await;
        let write = row(State::Looking, None);
        let client = client(&service, brisk()).0;
        let refused = client.write_desk_row(1, &ReportId::new("3"), RowPrecondition::Absent, &write).await;
        let Err(RowWriteFailure::Failed(failure)) = refused else { panic!("{target}: {refused:?}") };
        // Desk writes may be repeated, but not elsewhere.
        assert_eq!((failure.kind, service.asked().len()), (kind, 1), "{target}: {failure}");
    }
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn a_create_that_gets_a_303_is_looked_up() {
    let service =
        ScriptedServer::start(|asked| if asked.line() == CREATE { to(303, "/reports/4") } else { healthy(asked) })
            .await;
    let new = NewReport { url: "shop.example/other".into(), privacy: None, password: None };
    let failure = client(&service, brisk()).0.create_report(&new).await.unwrap_err();
    assert!(matches!(failure, WriteFailure::Unsure { .. }), "{failure:?}");
    assert_eq!((service.count(CREATE), service.count(LIST)), (1, 1));
}
