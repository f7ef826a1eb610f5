//! Extracts the evidence for the next page from a response.
//!
//! A link from the service is never fetched: only its `page`, `cursor` or `offset` value is used, on our own URL.
//! Whether to continue is decided across pages by [`crate::domain::list::paging::Walk`].

use serde_json::{Map, Value};
use url::Url;

use super::contract::field;
use super::decode::count;
use crate::domain::list::paging::{Next, PageToken};
use crate::domain::text::link_header::links;

/// Paging numbers of a list's envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PageNumbers {
    /// The number of this page; the first one of some services is 0.
    pub current_page: Option<u64>,
    /// The number of the last page.
    pub last_page: Option<u64>,
    /// Rows per page according to the service.
    pub per_page: Option<u64>,
    /// The total number of rows.
    pub total: Option<u64>,
}

impl PageNumbers {
    /// Reads them from `meta` or `pagination`, or else from the top level.
    pub fn read(root: &Map<String, Value>) -> Self {
        let field = |name: &str| holders(root).find_map(|holder| count(holder.get(name)?));
        Self {
            current_page: field("current_page").or_else(|| field("page")),
            last_page: field("last_page"),
            per_page: field("per_page"),
            total: field("total"),
        }
    }
}

/// Returns the maps that may have paging data: `meta` or `pagination`, and the top level.
fn holders(root: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let meta = root.get("meta").or_else(|| root.get("pagination")).and_then(Value::as_object);
    meta.into_iter().chain([root])
}

/// Finds the next page: by cursor, else by page numbers, else by link.
///
/// A cursor takes precedence because rows that come and go do not shift the following ones, as they do with numbered
/// pages.
pub fn next_page(root: Option<&Map<String, Value>>, link_header: Option<&str>, rows: usize) -> Next {
    let empty = Map::new();
    let root = root.unwrap_or(&empty);
    let sent = holders(root).find_map(|holder| holder.get(field::NEXT_CURSOR));
    if let Some(cursor) = sent.and_then(cursor_text) {
        return Next::Page(PageToken::Cursor(cursor));
    }
    if let Some(next) = by_numbers(&PageNumbers::read(root), rows) {
        return next;
    }
    match link(root, link_header) {
        Evidence::Points(target) => match token_of(&target) {
            Some(token) => Next::Page(token),
            None if sent.is_some() => Next::End,
            None => Next::NoEvidence,
        },
        Evidence::SaysEnd => Next::End,
        Evidence::Silent if sent.is_some() => Next::End,
        Evidence::Silent => Next::NoEvidence,
    }
}

/// Decodes a cursor; `None` for null, an empty text and 0, which mean that there is no next page.
fn cursor_text(sent: &Value) -> Option<String> {
    let cursor = match sent {
        Value::String(cursor) => cursor.clone(),
        Value::Number(cursor) => cursor.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    Some(cursor).filter(|cursor| !matches!(cursor.as_str(), "" | "0"))
}

fn by_numbers(numbers: &PageNumbers, rows: usize) -> Option<Next> {
    let current = numbers.current_page?;
    let next = PageToken::Number(current.saturating_add(1));
    Some(match (numbers.last_page, numbers.total) {
        (Some(last), _) if current < last => Next::Page(next),
        // Not derived from `per_page`: services may ignore it, and short pages occur in the middle.
        (None, Some(total)) if rows > 0 => Next::Until(total, next),
        (Some(_), _) | (None, Some(_)) => Next::End,
        (None, None) => return None,
    })
}

enum Evidence {
    Points(String),
    SaysEnd,
    Silent,
}

fn link(root: &Map<String, Value>, header: Option<&str>) -> Evidence {
    let links =
        root.get("links").or_else(|| root.get("meta").and_then(|meta| meta.get("links"))).and_then(Value::as_object);
    let places = [links.and_then(|links| links.get("next")), root.get("next_page_url"), root.get("next")];
    for place in places.into_iter().flatten() {
        match place {
            Value::String(target) if !target.is_empty() => return Evidence::Points(target.clone()),
            Value::Object(target) if target.get("href").is_some_and(Value::is_string) => {
                return Evidence::Points(target["href"].as_str().unwrap_or_default().to_owned());
            }
            Value::Null => return Evidence::SaysEnd,
            Value::String(_) | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {}
        }
    }
    header.map_or(Evidence::Silent, of_header)
}

/// Finds `rel="next"` in a `Link` header. A header with only `prev` or `first` means the last page.
fn of_header(header: &str) -> Evidence {
    let links = links(header);
    let leads_back = links.iter().any(|link| link.is("prev") || link.is("first"));
    match links.into_iter().find(|link| link.is("next")) {
        Some(next) => Evidence::Points(next.target),
        None if leads_back => Evidence::SaysEnd,
        None => Evidence::Silent,
    }
}

/// Extracts the page, cursor or offset from a link's query; everything else is dropped.
fn token_of(target: &str) -> Option<PageToken> {
    // A relative link needs some base to be parsed; no part of the base is used.
    let url = Url::parse("http://base.invalid/").ok()?.join(target).ok()?;
    let value = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let number = |name: &str| value(name).and_then(|value| value.parse().ok());
    number("page")
        .map(PageToken::Number)
        .or_else(|| value("cursor").filter(|cursor| !cursor.is_empty()).map(PageToken::Cursor))
        .or_else(|| number("offset").map(PageToken::Offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn next(body: &Value, header: Option<&str>) -> Next {
        next_page(body.as_object(), header, body["data"].as_array().map_or(0, Vec::len))
    }

    fn number(page: u64) -> Next {
        Next::Page(PageToken::Number(page))
    }

    #[test]
    fn every_paging_style_is_recognized() {
        let cursor = |text: &str| Next::Page(PageToken::Cursor(text.into()));
        let table = [
            (json!({"data": [1], "meta": {"current_page": 1, "last_page": 2}}), number(2)),
            (json!({"data": [1], "meta": {"current_page": 2, "last_page": 2}}), Next::End),
            (json!({"data": [1], "meta": {"current_page": 1, "total": 30}}), Next::Until(30, PageToken::Number(2))),
            (json!({"data": [], "meta": {"current_page": 3, "total": 30}}), Next::End),
            (json!({"data": [1], "meta": {"current_page": "1", "last_page": "2"}}), number(2)),
            (json!({"data": [1], "meta": {"current_page": 1.0, "last_page": "2.0"}}), number(2)),
            (
                json!({"data": [1], "meta": {"current_page": 1, "last_page": -1, "total": 30.0}}),
                Next::Until(30, PageToken::Number(2)),
            ),
            (json!({"data": [1], "current_page": 1, "next_page_url": "https://evil.example/x?page=2"}), number(2)),
            (json!({"data": [1], "current_page": 9, "next_page_url": null}), Next::End),
            (json!({"data": [1], "meta": {"page": 0, "total": 30}}), Next::Until(30, PageToken::Number(1))),
            (json!({"data": [1], "page": {"size": 1}, "meta": {"total": 30}}), Next::NoEvidence),
            (json!({"data": [1], "links": {"next": "/api/v1/reports?page=7&key=1"}}), number(7)),
            (json!({"data": [1], "links": {"next": "?cursor=abc%3D"}}), cursor("abc=")),
            (json!({"data": [1], "links": {"next": "?offset=100"}}), Next::Page(PageToken::Offset(100))),
            (json!({"data": [1], "links": {"next": "?cursor="}}), Next::NoEvidence),
            (json!({"data": [1], "links": {"next": ""}, "next_page_url": "?page=2"}), number(2)),
            (json!({"data": [1], "meta": {"next_cursor": "xyz"}}), cursor("xyz")),
            (json!({"data": [1], "meta": {"next_cursor": null}}), Next::End),
            (json!({"data": [1], "meta": {"current_page": 1, "last_page": 9, "next_cursor": "xyz"}}), cursor("xyz")),
            (json!({"data": [1], "links": {"next": "?page=2"}, "next_cursor": "xyz"}), cursor("xyz")),
            (json!({"data": [1], "meta": {"current_page": 1, "last_page": 9, "next_cursor": ""}}), number(2)),
            (json!({"data": [1], "next_cursor": 7}), cursor("7")),
            (json!({"data": [1], "pagination": {"next_cursor": "xyz"}}), cursor("xyz")),
            (json!({"data": [1], "pagination": {"current_page": 1, "last_page": 2}}), number(2)),
            (json!({"data": [1], "next_cursor": 0}), Next::End),
            (json!({"data": [1], "meta": {"next_cursor": "0"}}), Next::End),
            (json!({"data": [1], "meta": {"current_page": 9, "last_page": 9, "next_cursor": null}}), Next::End),
            (json!({"data": [1], "meta": {"current_page": null, "next_cursor": null, "total": 900}}), Next::End),
            (json!({"data": [1]}), Next::NoEvidence),
            (json!({"data": [1], "current_page": 1}), Next::NoEvidence),
        ];
        for (body, expected) in table {
            assert_eq!(next(&body, None), expected, "{body}");
        }
    }

    #[test]
    fn link_headers_are_read() {
        let header = r#"<https://a.example/r?page=1>; rel="prev", <https://a.example/r?page=3>; rel="next""#;
        assert_eq!(next(&json!([1]), Some(header)), number(3));
        assert_eq!(next(&json!([1]), Some("<https://a.example/r?page=3>; rel=last")), Next::NoEvidence);
        for back in ["first", "prev"] {
            let header = format!("<https://a.example/r?page=1>; rel={back}");
            assert_eq!(next(&json!([1]), Some(&header)), Next::End, "{back}");
        }
    }
}
