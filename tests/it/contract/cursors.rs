//! Paging by cursor: stable under inserts and deletes, and valid for its own list only.

use serde_json::Value;

use super::lists::seeded;
use crate::support::embedded_service::{Answer, Client};

/// Reads every page of a list by `next_cursor`.
async fn walk(client: &Client, path: &str) -> Vec<Answer> {
    let mut pages = vec![client.get(path).await.expect(200)];
    while let Some(cursor) = next_cursor(pages.last().unwrap()) {
        pages.push(client.get(&format!("{path}&cursor={cursor}")).await.expect(200));
    }
    pages
}

fn next_cursor(answer: &Answer) -> Option<String> {
    let cursor = &answer.body["meta"]["next_cursor"];
    assert!(cursor.is_string() || cursor.is_null(), "{cursor}");
    cursor.as_str().map(str::to_owned)
}

#[tokio::test]
async fn paging_by_cursor_and_by_number_give_the_same_rows() {
    let (running, _data) = seeded(45).await;
    for filter in ["", "&project=shop1.example", "&result=bad", "&project=shop1.example&result=good", "&search=PAGE_3"]
    {
        for sort_by in ["id", "generated_at", "url", "result"] {
            for sort in ["asc", "desc"] {
                let path = format!("/api/v1/reports?sort_by={sort_by}&sort={sort}&per_page=10{filter}");
                let mut by_number = Vec::new();
                for page in 1..=5 {
                    by_number.extend(running.client.get(&format!("{path}&page={page}")).await.expect(200).ids());
                }
                let pages = walk(&running.client, &path).await;
                let by_cursor: Vec<i64> = pages.iter().flat_map(Answer::ids).collect();
                assert_eq!(by_cursor, by_number, "{path}");
            }
        }
    }
    for query in ["sort_by=project&sort=asc", "sort_by=created_at", "search=shop"] {
        let pages = walk(&running.client, &format!("/api/v1/projects?{query}&per_page=10")).await;
        assert_eq!((pages.len(), pages[0].data().len()), (1, 3), "{query}");
    }
}

#[tokio::test]
async fn a_page_by_cursor_has_no_page_number_and_links_to_the_next_cursor() {
    let (running, _data) = seeded(45).await;
    let base = running.service.base_url();
    let first = running.client.get("/api/v1/reports?result=bad&per_page=10").await.expect(200);
    let cursor = next_cursor(&first).unwrap();
    let second =
        running.client.get(&format!("/api/v1/reports?result=bad&per_page=10&cursor={cursor}")).await.expect(200);
    let (meta, links) = (&second.body["meta"], &second.body["links"]);
    for number in ["current_page", "from", "to"] {
        assert_eq!(meta[number], Value::Null, "{number}");
    }
    assert_eq!((&meta["total"], &meta["last_page"]), (&first.body["meta"]["total"], &first.body["meta"]["last_page"]));
    assert_eq!((&links["prev"], &links["next"]), (&Value::Null, &Value::Null), "18 bad reports make two pages");
    assert_eq!(meta["next_cursor"], Value::Null);
    assert_eq!(links["first"], format!("{base}/api/v1/reports?result=bad&per_page=10&page=1"));

    let second = running.client.get("/api/v1/reports?per_page=10").await.expect(200);
    let cursor = next_cursor(&second).unwrap();
    let third = running.client.get(&format!("/api/v1/reports?per_page=10&cursor={cursor}")).await.expect(200);
    let next = next_cursor(&third).unwrap();
    assert_eq!(third.body["links"]["next"], format!("{base}/api/v1/reports?per_page=10&cursor={next}"));
}

#[tokio::test]
async fn a_search_by_cursor_reports_no_total() {
    let (running, _data) = seeded(45).await;
    let pages = walk(&running.client, "/api/v1/reports?search=page&per_page=25").await;
    assert_eq!(pages[0].body["meta"]["total"], 45);
    assert_eq!((&pages[1].body["meta"]["total"], pages[1].data().len()), (&Value::Null, 20));
    assert_eq!(pages[1].body["links"]["last"], Value::Null);
}

#[tokio::test]
async fn a_cursor_is_valid_with_another_page_size() {
    let (running, _data) = seeded(45).await;
    let first = running.client.get("/api/v1/reports?per_page=10").await.expect(200);
    let cursor = next_cursor(&first).unwrap();
    let rest = running.client.get(&format!("/api/v1/reports?per_page=50&cursor={cursor}")).await.expect(200);
    assert_eq!(rest.ids(), (1..=35).rev().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_cursor_of_another_list_is_rejected_as_an_invalid_field() {
    let (running, _data) = seeded(45).await;
    let listed = running.client.get("/api/v1/reports?sort_by=url&result=bad&per_page=10").await.expect(200);
    let cursor = next_cursor(&listed).unwrap();
    for other in [
        "reports?sort_by=url",
        "reports?sort_by=id&result=bad",
        "reports?sort_by=url&sort=asc&result=bad",
        "reports?sort_by=url&result=good",
        "reports?sort_by=url&result=bad&project=shop1.example",
        "reports?sort_by=url&result=bad&search=page",
        "projects?sort_by=project",
    ] {
        let refused = running.client.get(&format!("/api/v1/{other}&cursor={cursor}")).await.expect(422);
        let text = refused.body["errors"]["cursor"][0].as_str().unwrap();
        assert!(text.contains("another order or other filters"), "{other}: {text}");
    }
    let own = format!("/api/v1/reports?sort_by=url&result=bad&cursor={cursor}");
    running.client.get(&own).await.expect(200);
    for (wrong, expected) in
        [("cursor=xyz", "not issued by this service"), ("cursor=e30", "not issued by this service")]
    {
        let refused = running.client.get(&format!("/api/v1/reports?{wrong}")).await.expect(422);
        let text = refused.body["errors"]["cursor"][0].as_str().unwrap();
        assert!(text.contains(expected), "{wrong}: {text}");
    }
    assert_eq!(running.client.get(&format!("{own}&page=2")).await.expect(422).refused(), ["cursor"]);
}

#[tokio::test]
async fn inserted_and_deleted_rows_do_not_shift_the_page_after_a_cursor() {
    let (running, _data) = seeded(45).await;
    let first = running.client.get("/api/v1/reports?per_page=10").await.expect(200);
    let cursor = next_cursor(&first).unwrap();
    // The row named by the cursor is deleted too.
    for id in [45, 40, 36] {
        running.client.delete(&format!("/api/v1/reports/{id}")).await.expect(200);
    }
    running.client.create("https://new.example/").await;
    let second = running.client.get(&format!("/api/v1/reports?per_page=10&cursor={cursor}")).await.expect(200);
    assert_eq!(second.ids(), (26..=35).rev().collect::<Vec<_>>());
}
