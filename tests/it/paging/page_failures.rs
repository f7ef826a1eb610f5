//! Pages that fail, repeat rows, change while they are being read, or are rate limited.

use std::sync::Arc;

use reportdeck::api::address::BaseUrl;
use reportdeck::api::client::{Client, Priority};
use reportdeck::api::decode::RowDetail;
use reportdeck::api::limits::Limits;
use reportdeck::app::panes::reports::listing::LoadState;
use reportdeck::domain::list::paging::{Ending, PageToken};
use reportdeck::domain::list::query::{ReportQuery, ResultFilter};
use reportdeck::domain::report::ReportId;
use serde_json::json;
use wiremock::{MockServer, ResponseTemplate};

use crate::paging::paged_service::{
    KEY, Query, asked, json_answer, page_of, person, replace_pages, rows, serve_pages, state,
};

fn numbered(query: &Query) -> ResponseTemplate {
    let meta = json!({"current_page": query.page(), "last_page": 5, "total": 500});
    json_answer(&json!({"data": page_of(query.page(), 100, 500), "meta": meta}))
}

fn failing_at(query: &Query, page: usize) -> ResponseTemplate {
    if query.page() == page { ResponseTemplate::new(500) } else { numbered(query) }
}

#[tokio::test]
async fn a_failed_page_keeps_the_loaded_rows_and_r_resumes_there() {
    let server = serve_pages(|query| failing_at(query, 3)).await;
    let mut person = person(&server).await;
    person.sees(&["200 loaded of 500", "stopped at 200 after an error (r resumes)", "shop.example/1 "]);
    assert!(matches!(state(&person), (LoadState::Failed(PageToken::Number(3)), 200)));
    replace_pages(&server, numbered).await;
    person.press("r").await;
    person.sees(&["500 reports"]).misses(&["failed"]);
    let pages: Vec<_> = asked(&server).await.iter().map(|query| query.number("page")).collect();
    assert_eq!(pages, [Some(3), Some(4), Some(5)], "nothing is loaded twice");
}

#[tokio::test]
async fn a_refresh_that_fails_at_page_three_keeps_the_old_rows() {
    let server = serve_pages(numbered).await;
    let mut person = person(&server).await;
    replace_pages(&server, |query| failing_at(query, 3)).await;
    person.press("r").await;
    assert_eq!(person.session.app().reports.shown.len(), 500);
    replace_pages(&server, numbered).await;
    person.press("r").await;
    person.sees(&["500 reports"]);
    assert_eq!(asked(&server).await.len(), 3);
}

#[tokio::test]
async fn a_probe_rejected_for_another_reason_is_a_failure() {
    for status in [401, 403, 429, 500] {
        let server = serve_pages(move |query| match query.page() {
            1 => json_answer(&json!(page_of(1, 100, 250))),
            _ => ResponseTemplate::new(status),
        })
        .await;
        let person = person(&server).await;
        assert!(
            matches!(state(&person), (LoadState::Failed(..) | LoadState::Waiting(..), 100)),
            "{status}: {:?}",
            state(&person)
        );
        person.sees(&["shop.example/1 "]).misses(&["no next page"]);
    }
}

#[tokio::test]
async fn esc_stops_loading_and_r_continues() {
    let server = serve_pages(numbered).await;
    let mut person = person(&server).await;
    person.key("R");
    person.key("esc");
    person.look().await;
    person.sees(&["Stopped loading", "shop.example/1 "]);
    let stopped = asked(&server).await.len();
    person.press("j").await;
    assert_eq!(asked(&server).await.len(), stopped, "loading does not resume by itself");
    person.press("r").await;
    person.sees(&["500 reports"]);
}

#[tokio::test]
async fn repeated_page_tokens_end_the_paging() {
    let server = serve_pages(|query| {
        let from = if query.get("cursor").is_some() { 100 } else { 0 };
        json_answer(&json!({"data": rows(from, from + 100, 500), "meta": {"next_cursor": "again"}}))
    })
    .await;
    let person = person(&server).await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::Repeated), 200));
    person.sees(&["the service repeats rows after 200"]);
    assert_eq!(asked(&server).await.len(), 2);
}

#[tokio::test]
async fn pages_that_repeat_their_rows_end_the_paging() {
    let server = serve_pages(|query| {
        let next = format!("?page={}", query.page() + 1);
        json_answer(&json!({"data": rows(0, 100, 500), "links": {"next": next}}))
    })
    .await;
    assert_eq!(state(&person(&server).await), (LoadState::Ended(Ending::Repeated), 100));
    assert_eq!(asked(&server).await.len(), 2);
}

#[tokio::test]
async fn rows_that_move_between_pages_are_not_duplicated() {
    let server = serve_pages(|query| {
        // While the pages are read, ten reports are created, which shifts all rows by ten.
        let moved = (query.page() - 1) * 10;
        let from = ((query.page() - 1) * 100).saturating_sub(moved);
        let meta = json!({"current_page": query.page(), "last_page": 3, "total": 250});
        json_answer(&json!({"data": rows(from, from + 100, 250), "meta": meta}))
    })
    .await;
    let person = person(&server).await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::Changed), 250));
    let app = person.session.app();
    let mut ids: Vec<_> = app.reports.listing.rows.iter().map(|row| row.id.raw().to_owned()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), app.reports.shown.len()), (250, 250));
}

#[tokio::test]
async fn a_page_of_unreadable_rows_does_not_end_the_paging() {
    let server = serve_pages(|query| {
        let meta = json!({"current_page": query.page(), "last_page": 3});
        let data = if query.page() == 2 { json!([1, 2, 3]) } else { json!(page_of(query.page(), 100, 500)) };
        json_answer(&json!({"data": data, "meta": meta}))
    })
    .await;
    let person = person(&server).await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::Complete), 200));
    person.sees(&["3 rows could not be read"]);
}

#[tokio::test]
async fn unreadable_rows_of_a_repeated_page_are_counted_once() {
    let server = serve_pages(|_| {
        let mut data = rows(0, 30, 30);
        data.extend([json!(1), json!(2), json!(3)]);
        json_answer(&json!(data))
    })
    .await;
    person(&server).await.sees(&["3 rows could not be read"]);
}

#[tokio::test]
async fn endless_pages_of_unreadable_rows_are_given_up() {
    let server = serve_pages(|query| {
        let next = format!("?page={}", query.page() % 50 + 1);
        json_answer(&json!({"data": [1, 2, 3], "links": {"next": next}}))
    })
    .await;
    assert!(matches!(state(&person(&server).await), (LoadState::Ended(_), 0)));
    assert!(asked(&server).await.len() <= 51);
}

fn client(server: &MockServer) -> Client {
    let base = BaseUrl::parse(&server.uri(), false).unwrap();
    Client::new(base, KEY.into(), Arc::new(|_| {}), Limits::default()).unwrap()
}

#[tokio::test]
async fn only_set_parameters_are_sent() {
    let server = serve_pages(numbered).await;
    let client = client(&server);
    let list = async |query: ReportQuery, token| {
        client.list_reports(&query, &token, RowDetail::Row, Priority::Person).await.unwrap();
    };
    list(ReportQuery::default(), PageToken::First).await;
    list(ReportQuery { result: Some(ResultFilter::Bad), ..ReportQuery::default() }, PageToken::Number(2)).await;
    let all = ReportQuery {
        search: Some("a&b c".into()),
        project: Some("ü".into()),
        per_page: Some(25),
        ..ReportQuery::default()
    };
    list(all, PageToken::Cursor("x=&y".into())).await;
    let requests = server.received_requests().await.unwrap();
    let queries: Vec<Option<&str>> = requests.iter().map(|request| request.url.query()).collect();
    let expected = "search=a%26b+c&search_by=url&per_page=25&project=%C3%BC&cursor=x%3D%26y";
    assert_eq!(queries, [None, Some("result=bad&page=2"), Some(expected)]);
}

#[tokio::test]
async fn background_pages_wait_for_the_rate_budget_and_interactive_requests_go_first() {
    for reset in [Some("3600"), None] {
        let server = serve_pages(move |query| {
            let answer =
                numbered(query).insert_header("X-RateLimit-Limit", "60").insert_header("X-RateLimit-Remaining", "2");
            if let Some(reset) = reset { answer.insert_header("X-RateLimit-Reset", reset) } else { answer }
        })
        .await;
        let client = client(&server);
        let query = ReportQuery::default();
        client.list_reports(&query, &PageToken::First, RowDetail::Row, Priority::Person).await.unwrap();
        let background = {
            let client = client.clone();
            let token = PageToken::Number(2);
            tokio::spawn(async move {
                client.list_reports(&ReportQuery::default(), &token, RowDetail::Row, Priority::Background).await
            })
        };
        for id in ["1", "2", "3"] {
            client.show_report(&ReportId::new(id)).await.unwrap();
        }
        assert!(!background.is_finished(), "{reset:?}");
        assert_eq!(asked(&server).await.len(), 1, "the page has not been requested yet");
        background.abort();
    }
}

#[tokio::test]
async fn background_pages_continue_when_the_rate_budget_is_renewed_or_half_of_a_small_one_is_left() {
    for (limit, remaining, reset) in [("60", "0", "0"), ("4", "3", "3600")] {
        let server = serve_pages(move |query| {
            numbered(query)
                .insert_header("X-RateLimit-Limit", limit)
                .insert_header("X-RateLimit-Remaining", remaining)
                .insert_header("X-RateLimit-Reset", reset)
        })
        .await;
        person(&server).await.sees(&["500 reports"]);
    }
}

/// A service of 300 reports, oldest first, one of which is deleted before each reading of the third page, for as many
/// `deletions` as given.
fn shrinking(deletions: usize) -> impl Fn(&Query) -> ResponseTemplate + Send + Sync + 'static {
    let deleted = std::sync::atomic::AtomicUsize::new(0);
    move |query| {
        use std::sync::atomic::Ordering::SeqCst;
        if query.page() == 3 && deleted.load(SeqCst) < deletions {
            deleted.fetch_add(1, SeqCst);
        }
        let gone = deleted.load(SeqCst);
        let all = rows(gone, 300, 300);
        let from = (query.page() - 1) * 100;
        let page: Vec<_> = all.iter().skip(from).take(100).cloned().collect();
        let meta = json!({"current_page": query.page(), "last_page": 3, "total": all.len()});
        json_answer(&json!({"data": page, "meta": meta}))
    }
}

#[tokio::test]
async fn a_row_missed_between_two_pages_is_found_by_reading_again() {
    let server = serve_pages(shrinking(1)).await;
    let person = person(&server).await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::Complete), 299));
    let ids = (2..=300).map(|id: u32| ReportId::new(&id.to_string()));
    let listing = &person.session.app().reports.listing;
    assert!(ids.into_iter().all(|id| listing.row(&id).is_some()), "including 201, which moved");
    assert_eq!(asked(&server).await.len(), 6, "read twice");
}

#[tokio::test]
async fn a_constantly_changing_list_is_shown_as_changed() {
    let server = serve_pages(shrinking(100)).await;
    let mut person = person(&server).await;
    assert_eq!(asked(&server).await.len(), 9, "it gives up");
    assert_eq!(state(&person).0, LoadState::Ended(Ending::Changed));
    person.sees(&["the list changed while it was read (r reloads it)"]);
    replace_pages(&server, |query| shrinking(0)(query)).await;
    person.press("r").await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::Complete), 300));
}
