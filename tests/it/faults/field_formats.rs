//! Every envelope of lists and reports and every format of a field, through the real client to the screen.

use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::domain::report::{Report, ReportChange, ReportId};
use serde_json::{Value, json};

use crate::faults::healthy_service::{LIST, brisk, but, client, healthy, list_answered, list_of, person, plain, serve};
use crate::support::scripted_server::{Reply, ScriptedServer};

#[tokio::test]
async fn every_list_envelope_is_decoded() {
    let row = || plain(&json!(3), "shop.example/tea", "good");
    let table = [
        json!({"data": [row()], "links": {"next": null}, "meta": {"current_page": 1, "last_page": 1}}),
        json!({"data": [row()], "current_page": 1, "next_page_url": null}),
        json!({"data": [row()], "meta": {"current_page": 1}}),
        json!({"data": [row()], "meta": {"next_cursor": null}, "links": {"next": null}}),
        json!({"data": [row()]}),
        json!([row()]),
        json!({"reports": [row()]}),
        json!({"projects": [row()]}),
        json!({"items": [row()], "count": 1}),
        json!({"results": [row()]}),
        json!({"data": {"0": row()}}),
        json!({"data": {"41": row()}}),
    ];
    for body in table {
        let page = list_answered(Reply::Json(200, body.clone()), brisk()).await.unwrap();
        assert_eq!((page.rows.len(), page.rows[0].id.raw()), (1, "3"), "{body}");
        let service = but(LIST, Reply::Json(200, body)).await;
        person(&service).await.sees(&["shop.example/tea"]);
    }
}

async fn opened(reply: Reply) -> Report {
    let service = ScriptedServer::start(move |_| reply.clone()).await;
    client(&service, brisk()).0.show_report(&ReportId::new("7")).await.unwrap()
}

#[tokio::test]
async fn every_single_report_envelope_is_decoded() {
    let report = plain(&json!(7), "shop.example/tea", "good");
    let url = json!({"url": "shop.example/tea"});
    for body in [json!({"data": report, "status": 200}), report.clone(), json!({"report": report, "status": 200}), url]
    {
        assert_eq!(opened(Reply::Json(200, body.clone())).await.url.raw(), "shop.example/tea", "{body}");
    }
}

async fn with(field: &str, value: &Value) -> Report {
    let mut row = plain(&json!(7), "shop.example/tea", "good");
    row[field] = value.clone();
    list_answered(list_of(&[row]), brisk()).await.unwrap().rows.remove(0)
}

#[tokio::test]
async fn ids_are_opaque() {
    for (value, raw) in [
        (json!(12), "12"),
        (json!("12"), "12"),
        (json!("0e4b1a52-9a2f-4f2c-8f8e-0c7a6f1d2b3c"), "0e4b1a52-9a2f-4f2c-8f8e-0c7a6f1d2b3c"),
        (json!("a/b c"), "a/b c"),
        (json!(18_446_744_073_709_551_615_u64), "18446744073709551615"),
        (json!(-1), "-1"),
    ] {
        assert_eq!(with("id", &value).await.id.raw(), raw);
    }
}

#[tokio::test]
async fn an_id_that_is_a_number_too_large_to_be_exact_makes_its_row_unreadable() {
    for rows in [r#"{"data": ROWS}"#, r#"{"reports": ROWS}"#, "ROWS"] {
        let ids = ["18446744073709551615", "18446744073709551616", "1000000000000000000000001", "1e21", "-9e18", "7.0"];
        let row = |id: &str| format!(r#"{{"id": {id}, "url": "shop.example/tea"}}"#);
        let body = rows.replace("ROWS", &format!("[{}]", ids.map(row).join(",")));
        let page = list_answered(Reply::text(&body), brisk()).await.unwrap();
        let read: Vec<&str> = page.rows.iter().map(|row| row.id.raw()).collect();
        assert_eq!((read, page.unreadable), (vec!["18446744073709551615", "7.0"], 4), "{body}");
    }
}

#[tokio::test]
async fn results_are_decoded_from_words_and_numbers() {
    let other = |word: &str| Outcome::Other(Box::new(word.into()));
    for (value, outcome) in [
        (json!("good"), Outcome::Good),
        (json!("DECENT"), Outcome::Decent),
        (json!(100), Outcome::Good),
        (json!(79.5), Outcome::Good),
        (json!(79), Outcome::Decent),
        (json!(49), Outcome::Decent),
        (json!(48.99), Outcome::Bad),
        (json!("31"), Outcome::Bad),
        (json!(null), Outcome::Missing),
        (json!("Excellent"), other("Excellent")),
        (json!({"x": 1}), Outcome::Missing),
    ] {
        assert_eq!(with("result", &value).await.outcome, outcome, "{value}");
    }
}

#[tokio::test]
async fn urls_are_opened_with_a_scheme() {
    for (url, web) in [
        ("shop.example/tea", "https://shop.example/tea"),
        ("http://www.shop.example/tea", "http://www.shop.example/tea"),
        ("www.shop.example", "https://www.shop.example/"),
    ] {
        assert_eq!(with("url", &json!(url)).await.web_url().unwrap().as_str(), web);
    }
}

#[tokio::test]
async fn privacy_is_decoded_from_number_text_and_null() {
    for (value, privacy) in [
        (json!(0), Some(Privacy::Public)),
        (json!("1"), Some(Privacy::Private)),
        (json!(2), Some(Privacy::Password)),
        (json!(null), None),
        (json!(9), None),
    ] {
        assert_eq!(with("privacy", &value).await.privacy, privacy, "{value}");
    }
}

#[tokio::test]
async fn the_client_only_knows_whether_a_password_is_set() {
    for (value, has) in [
        (json!("hunter2"), Some(true)),
        (json!(true), Some(true)),
        (json!(false), Some(false)),
        (json!(null), Some(false)),
        (json!(""), Some(false)),
    ] {
        let report = with("password", &value).await;
        assert_eq!(report.has_password, has, "{value}");
        assert!(!format!("{report:?}").contains("hunter2"));
    }
}

#[tokio::test]
async fn times_are_decoded_from_five_formats() {
    let expected = "2024-05-02T09:15:00Z".parse().unwrap();
    for value in [
        json!("2024-05-02T09:15:00Z"),
        json!("2024-05-02T09:15:00.000000Z"),
        json!("2024-05-02T11:15:00+02:00"),
        json!("2024-05-02 09:15:00"),
        json!(1_714_641_300),
        json!(1_714_641_300_000_u64),
    ] {
        assert_eq!(with("generated_at", &value).await.generated_at, Some(expected), "{value}");
    }
    for value in [json!(null), json!("yesterday"), json!([]), json!("0000-00-00 00:00:00"), json!(1e18)] {
        assert_eq!(with("generated_at", &value).await.generated_at, None, "{value}");
    }
}

#[tokio::test]
async fn checks_are_decoded_from_a_map_a_list_or_nothing() {
    let whole = |results: Value| {
        let mut report = plain(&json!(7), "shop.example/tea", "good");
        report["results"] = results;
        opened(Reply::Json(200, json!({"data": report})))
    };
    let map = whole(json!({"title": {"passed": false, "importance": "high", "value": {"text": [1, null]}, "errors": {"missing": null}}, "vendor_magic": {"passed": true, "value": 1.5}})).await;
    assert_eq!(map.checks().unwrap().len(), 2);
    let list = whole(json!([{"id": "title", "passed": false}, "noise", {"name": "vendor_magic", "passed": 1}])).await;
    assert_eq!(list.checks().unwrap().len(), 2);
    assert_eq!(whole(json!(null)).await.checks(), None);
    assert_eq!(opened(Reply::Json(200, plain(&json!(7), "x.example", "bad"))).await.checks(), None);
}

#[tokio::test]
async fn unknown_checks_and_fields_are_shown() {
    let mut report = plain(&json!(3), "shop.example/tea", "good");
    report["results"] =
        json!({"vendor_magic": {"passed": false, "errors": ["Too little magic."], "category": "sorcery"}});
    report["campaign"] = json!("spring");
    report["tags"] = json!(["a", "b"]);
    // Values of known fields that cannot be decoded.
    (report["privacy"], report["generated_at"]) = (json!("colleagues"), json!("last spring"));
    let opened = opened(Reply::Json(200, report.clone())).await;
    assert_eq!(opened.details.unwrap().extra.len(), 4);
    let service = ScriptedServer::start(move |asked| serve(asked, &[report.clone()])).await;
    let texts = ["vendor_magic", "Too little magic.", "campaign", "spring", "a, b", "colleagues", "last spring"];
    person(&service).await.sees(&texts);
}

#[tokio::test]
async fn projects_are_decoded_with_and_without_counts() {
    let rows = json!([{"project": "a.example", "reports": "12", "result": "812", "created_at": null}, {"project": "b.example"}, "c.example", {"nothing": 1}, 7]);
    let service = but("GET /api/v1/projects", Reply::Json(200, json!({"data": rows}))).await;
    let page = client(&service, brisk())
        .0
        .list_projects(
            &reportdeck::domain::list::query::ProjectQuery::default(),
            &reportdeck::domain::list::paging::PageToken::First,
        )
        .await
        .unwrap();
    assert_eq!((page.rows.len(), page.unreadable), (3, 2));
    assert_eq!((page.rows[0].reports, &page.rows[0].extra["result"]), (Some(12), &json!("812")));
    person(&service).await.sees(&["Projects 3", "a.example", "12", "b.example", "c.example"]);
}

#[tokio::test]
async fn one_unreadable_row_is_skipped_and_reported() {
    let rows = [
        plain(&json!(3), "shop.example/tea", "good"),
        json!({"project": "x"}),
        json!(null),
        json!("row"),
        plain(&json!(2), "shop.example/cart", "bad"),
    ];
    let page = list_answered(list_of(&rows), brisk()).await.unwrap();
    assert_eq!((page.rows.len(), page.unreadable), (2, 3));
    let service = but(LIST, list_of(&rows)).await;
    person(&service).await.sees(&["shop.example/tea", "shop.example/cart", "3 rows could not be read"]);
}

#[tokio::test]
async fn only_changed_fields_are_sent() {
    let service = ScriptedServer::start(healthy).await;
    let (client, _) = client(&service, brisk());
    let id = ReportId::new("3");
    client.update_report(&id, &ReportChange::rerun()).await.unwrap();
    let change = ReportChange { privacy: Some(Privacy::Password), password: Some("a&b=c d".into()), rerun: false };
    client.update_report(&id, &change).await.unwrap();
    client.delete_report(&id).await.unwrap();
    crate::faults::healthy_service::list(&client).await.unwrap();
    let asked = service.asked();
    let bodies: Vec<&str> = asked.iter().map(|asked| asked.body.as_str()).collect();
    assert_eq!(bodies, ["results=1", "privacy=2&password=a%26b%3Dc+d", "", ""]);
    assert_eq!(asked[3].target, "/api/v1/reports", "without changes nothing is sent");
    for asked in asked {
        let head = asked.head.to_ascii_lowercase();
        assert!(head.contains("accept: application/json\r\n"), "{head}");
        assert_eq!(
            head.contains("content-type: application/x-www-form-urlencoded\r\n"),
            asked.method == "PUT",
            "{head}"
        );
    }
}

#[tokio::test]
async fn checks_in_list_rows_are_used() {
    let row = |id: u32, results: Value| {
        let mut row = plain(&json!(id), &format!("shop.example/{id}"), "bad");
        row["results"] = results;
        row
    };
    let failing = json!({"title": {"passed": false}, "csp": {"passed": true}});
    let none = json!({"title": {"passed": true}});
    let rows = vec![row(1, none), row(2, failing), row(3, Value::Null)];
    for body in [json!({ "data": rows }), json!(rows)] {
        let page = list_answered(Reply::Json(200, body.clone()), brisk()).await.unwrap();
        let failing: Vec<Option<usize>> = page.rows.iter().map(|row| row.failing().map(|ids| ids.len())).collect();
        assert_eq!(failing, [Some(0), Some(1), None], "{body}");
        let opened: Vec<Value> = (1..=3).map(|id| plain(&json!(id), &format!("shop.example/{id}"), "bad")).collect();
        let service = ScriptedServer::start(move |asked| {
            if asked.line() == LIST { Reply::Json(200, body.clone()) } else { serve(asked, &opened) }
        })
        .await;
        let mut person = person(&service).await;
        person.press("/ 'check:title' enter").await;
        person.sees(&["shop.example/2 "]).misses(&["shop.example/1 ", "shop.example/3 "]);
    }
}
