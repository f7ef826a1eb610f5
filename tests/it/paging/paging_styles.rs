//! Every paging style is followed to the end of 250 reports, with our own query on our own base URL.

use reportdeck::app::panes::reports::listing::LoadState;
use reportdeck::domain::list::paging::Ending;
use serde_json::json;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::any};

use crate::paging::paged_service::{Query, asked, json_answer, page_of, person, rows, serve_pages, state};

const ALL: usize = 250;

/// Reads a paged service and expects all its reports in this number of requests.
async fn walked(requests: usize, script: impl Fn(&Query) -> ResponseTemplate + Send + Sync + 'static) -> MockServer {
    let server = serve_pages(script).await;
    let person = person(&server).await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::Complete), ALL));
    person.sees(&["250 reports"]);
    let asked = asked(&server).await;
    assert_eq!(asked.len(), requests);
    assert_eq!(asked[0].get("page"), None, "the first page is requested without a number");
    for query in asked {
        assert_eq!((query.get("per_page"), query.get("sort_by")), (Some("100"), Some("generated_at")));
        assert_eq!((query.get("search"), query.get("result"), query.get("project")), (None, None, None));
    }
    server
}

#[tokio::test]
async fn page_numbers_with_a_last_page_are_followed() {
    walked(3, |query| {
        let meta = json!({"current_page": query.page(), "last_page": 3, "per_page": 100, "total": ALL});
        json_answer(&json!({"data": page_of(query.page(), 100, ALL), "meta": meta}))
    })
    .await;
}

#[tokio::test]
async fn top_level_page_numbers_with_only_a_total_are_followed() {
    walked(3, |query| {
        let page = query.page();
        json_answer(&json!({"data": page_of(page, 100, ALL), "current_page": page, "per_page": 100, "total": ALL}))
    })
    .await;
}

#[tokio::test]
async fn page_numbers_that_begin_with_zero_are_followed() {
    walked(3, |query| {
        let page = query.number("page").unwrap_or(0);
        json_answer(&json!({"data": page_of(page + 1, 100, ALL), "meta": {"page": page, "total": ALL}}))
    })
    .await;
}

#[tokio::test]
async fn short_pages_are_followed_where_per_page_is_ignored() {
    walked(10, |query| {
        let meta = json!({"current_page": query.page(), "last_page": 10, "per_page": 25});
        json_answer(&json!({"data": page_of(query.page(), 25, ALL), "meta": meta}))
    })
    .await;
}

#[tokio::test]
async fn short_pages_are_followed_where_per_page_is_wrongly_echoed() {
    walked(10, |query| {
        let meta = json!({"current_page": query.page(), "per_page": 100, "total": ALL});
        json_answer(&json!({"data": page_of(query.page(), 25, ALL), "meta": meta}))
    })
    .await;
}

#[tokio::test]
async fn only_the_page_is_taken_from_a_next_link() {
    let elsewhere = MockServer::start().await;
    Mock::given(any()).respond_with(ResponseTemplate::new(200)).expect(0).mount(&elsewhere).await;
    let address = elsewhere.uri();
    walked(3, move |query| {
        let page = query.page();
        // The link names another host, drops our query and contains one of its own.
        let next = (page < 3).then(|| format!("{address}/steal?page={}&result=good&search=x", page + 1));
        json_answer(&json!({"data": page_of(page, 100, ALL), "links": {"next": next}}))
    })
    .await;
}

#[tokio::test]
async fn a_filter_is_sent_with_every_page() {
    let server = serve_pages(|query| {
        let page = query.page();
        let next = (page < 3).then(|| format!("/api/v1/reports?page={}", page + 1));
        json_answer(&json!({"data": page_of(page, 100, ALL), "next_page_url": next, "current_page": page}))
    })
    .await;
    let mut person = person(&server).await;
    // The list is complete, so a filter would be applied locally; another sort order sends a request.
    person.press("s home down enter").await;
    let before = asked(&server).await.len();
    person.press("1 R 2").await;
    let again = asked(&server).await.split_off(before);
    let asked: Vec<_> =
        again.iter().map(|query| (query.number("page"), query.get("sort_by"), query.get("sort"))).collect();
    let order = (Some("url"), Some("asc"));
    assert_eq!(asked, [(None, order.0, order.1), (Some(2), order.0, order.1), (Some(3), order.0, order.1)]);
}

#[tokio::test]
async fn a_result_filter_is_sent_with_every_page() {
    let server = serve_pages(|query| {
        if query.get("result").is_none() {
            // Without the filter the service returns only its first page, so the bad reports must be requested.
            return json_answer(&json!(rows(0, 100, ALL)));
        }
        let next = (query.page() < 3).then(|| format!("https://x.example/?page={}", query.page() + 1));
        json_answer(&json!({"data": page_of(query.page(), 100, ALL), "links": {"next": next}}))
    })
    .await;
    let mut person = person(&server).await;
    person.sees(&["and no next page"]);
    let before = asked(&server).await.len();
    person.press("b").await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::Complete), ALL));
    let filtered = asked(&server).await.split_off(before);
    let pages: Vec<_> = filtered.iter().map(|query| (query.get("result"), query.number("page"))).collect();
    assert_eq!(pages, [(Some("bad"), None), (Some("bad"), Some(2)), (Some("bad"), Some(3))]);
}

#[tokio::test]
async fn cursors_in_the_envelope_are_followed() {
    walked(3, |query| {
        assert_eq!(query.get("page"), None);
        let from = query.get("cursor").map_or(0, |cursor| cursor.trim_start_matches("+/=").parse().unwrap());
        let next = (from + 100 < ALL).then(|| format!("+/={}", from + 100));
        json_answer(&json!({"data": rows(from, from + 100, ALL), "meta": {"next_cursor": next}}))
    })
    .await;
}

#[tokio::test]
async fn cursors_are_followed_although_the_next_link_is_null() {
    walked(3, |query| {
        let from = query.number("cursor").unwrap_or(0);
        let next = (from + 100 < ALL).then(|| (from + 100).to_string());
        json_answer(&json!({"data": rows(from, from + 100, ALL), "next": null, "next_cursor": next}))
    })
    .await;
}

#[tokio::test]
async fn a_page_without_a_cursor_is_the_last_after_pages_with_one() {
    walked(3, |query| {
        let from = query.number("cursor").unwrap_or(0);
        let mut body = json!({"data": rows(from, from + 100, ALL)});
        if from + 100 < ALL {
            body["next_cursor"] = json!(from + 100);
        }
        json_answer(&body)
    })
    .await;
}

#[tokio::test]
async fn a_page_without_a_link_header_is_the_last_after_pages_with_one() {
    walked(3, |query| {
        let from = query.number("offset").unwrap_or(0);
        let answer = json_answer(&json!(rows(from, from + 100, ALL)));
        let next = format!("<https://x.example/r?offset={}>; rel=\"next\"", from + 100);
        if from + 100 < ALL { answer.insert_header("Link", next.as_str()) } else { answer }
    })
    .await;
}

#[tokio::test]
async fn cursors_in_links_are_followed() {
    walked(3, |query| {
        let from = query.number("cursor").unwrap_or(0);
        let next = (from + 100 < ALL).then(|| format!("https://x.example/y?cursor={}", from + 100));
        json_answer(&json!({"data": rows(from, from + 100, ALL), "links": {"next": next}}))
    })
    .await;
}

#[tokio::test]
async fn offsets_in_links_are_followed() {
    walked(3, |query| {
        let from = query.number("offset").unwrap_or(0);
        let next = (from + 100 < ALL).then(|| format!("/api/v1/reports?limit=100&offset={}", from + 100));
        json_answer(&json!({"data": rows(from, from + 100, ALL), "next": next}))
    })
    .await;
}

#[tokio::test]
async fn link_headers_of_a_bare_list_are_followed() {
    walked(3, |query| {
        let page = query.page();
        let answer = json_answer(&json!(page_of(page, 100, ALL)));
        let last = "<https://x.example/r?page=1>; rel=\"first\", <https://x.example/r?page=2>; rel=\"prev\"";
        if page < 3 {
            answer.insert_header(
                "Link",
                format!("{last}, <https://x.example/r?page={}>; rel=\"next\"", page + 1).as_str(),
            )
        } else {
            answer.insert_header("Link", last)
        }
    })
    .await;
}

#[tokio::test]
async fn without_evidence_a_successful_probe_continues_by_number() {
    walked(4, |query| json_answer(&json!({"data": page_of(query.page(), 100, ALL)}))).await;
}

#[tokio::test]
async fn without_evidence_a_404_ends_the_paging() {
    walked(4, |query| match page_of(query.page(), 100, ALL) {
        rows if rows.is_empty() => ResponseTemplate::new(404).set_body_json(json!({"message": "No such page."})),
        rows => json_answer(&json!({"data": rows})),
    })
    .await;
}

async fn one_page(probe: ResponseTemplate) {
    let server = serve_pages(move |query| match query.page() {
        1 => json_answer(&json!(page_of(1, 100, ALL))),
        _ => probe.clone(),
    })
    .await;
    let person = person(&server).await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::OnePage), 100));
    person.sees(&["the service returned 100 rows and no next page"]);
    assert_eq!(asked(&server).await.len(), 2, "one probe");
}

#[tokio::test]
async fn without_evidence_a_repeated_first_page_ends_the_paging() {
    one_page(json_answer(&json!(page_of(1, 100, ALL)))).await;
}

#[tokio::test]
async fn without_further_pages_a_page_that_is_not_full_is_complete() {
    let server = serve_pages(|_| json_answer(&json!(rows(0, 30, 30)))).await;
    let person = person(&server).await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::Complete), 30));
    person.misses(&["no next page"]);
}

#[tokio::test]
async fn without_evidence_a_rejected_probe_ends_the_paging() {
    for status in [400, 404, 422] {
        one_page(ResponseTemplate::new(status).set_body_json(json!({"message": "page?"}))).await;
    }
}

#[tokio::test]
async fn without_evidence_an_empty_second_page_completes_the_list() {
    let server = serve_pages(|query| json_answer(&json!(page_of(query.page(), 100, 100)))).await;
    let person = person(&server).await;
    assert_eq!(state(&person), (LoadState::Ended(Ending::Complete), 100));
    person.misses(&["no next page"]);
}

#[tokio::test]
async fn fewer_than_ten_rows_without_evidence_are_not_probed() {
    let server = serve_pages(|_| json_answer(&json!(rows(0, 9, ALL)))).await;
    assert_eq!(state(&person(&server).await), (LoadState::Ended(Ending::Complete), 9));
    assert_eq!(asked(&server).await.len(), 1);
}

#[tokio::test]
async fn fewer_than_ten_rows_are_probed_if_the_service_counts_more() {
    let total = 12;
    let counted = move |rows: Vec<serde_json::Value>| json_answer(&json!({"data": rows, "meta": {"total": total}}));
    let server = serve_pages(move |query| counted(page_of(query.page(), 5, total))).await;
    assert_eq!(state(&person(&server).await), (LoadState::Ended(Ending::Complete), 12));
    let server = serve_pages(move |_| counted(rows(0, 5, total))).await;
    assert_eq!(state(&person(&server).await), (LoadState::Ended(Ending::OnePage), 5));
    assert_eq!(asked(&server).await.len(), 2);
}
