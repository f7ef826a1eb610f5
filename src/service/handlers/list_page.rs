//! Shared parts of list handlers: page parameters, and the envelope around the rows.

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use url::form_urlencoded;

use super::cursor::{self, ListIdentity};
use super::errors::ErrorResponse;
use super::form::RequestForm;
use crate::api::contract::parameter;
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, PAGE_SIZES};
use crate::service::server::proxies::ClientInfo;
use crate::service::store::page::{ListPage, PageStart, PageWindow};

/// A request for a list: its address, for links in the response, and its query as sent.
pub struct ListRequest {
    address: String,
    query: String,
}

impl<S: Sync> FromRequestParts<S> for ListRequest {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ErrorResponse> {
        let query = parts.uri.query().unwrap_or_default().to_owned();
        // Links repeat the address that the client used; without a `Host` they are plain paths.
        let origin = parts.extensions.get::<ClientInfo>().map_or("", |visitor| visitor.origin.as_str());
        Ok(Self { address: format!("{origin}{}", parts.uri.path()), query })
    }
}

/// The requested page: `page` or `cursor`, and `per_page`.
pub struct PageParameters {
    number: i64,
    cursor: Option<String>,
    size: u16,
}

impl PageParameters {
    /// Parses the page parameters of a query.
    pub fn read(form: &mut RequestForm) -> Self {
        let words = PAGE_SIZES.map(|size| size.to_string());
        let table: Vec<(&str, u16)> = words.iter().map(String::as_str).zip(PAGE_SIZES).collect();
        let size = form.choice(parameter::PER_PAGE, &table).unwrap_or(DEFAULT_PAGE_SIZE);
        let number = form.number(parameter::PAGE, 1);
        let cursor = form.text(parameter::CURSOR).map(str::to_owned);
        if number.is_some() && cursor.is_some() {
            form.refuse(parameter::CURSOR, "The cursor cannot be combined with a page. Send one of them.");
        }
        Self { number: number.unwrap_or(1), cursor, size }
    }

    /// Returns the window of rows. An invalid cursor is recorded as a form error.
    pub fn window(&self, form: &mut RequestForm, list: &ListIdentity) -> PageWindow {
        let limit = self.size;
        let by_number = PageStart::Offset((self.number - 1).saturating_mul(i64::from(limit)));
        let start = match self.cursor.as_deref().map(|cursor| cursor::decode(cursor, list)) {
            None => by_number,
            Some(Ok(position)) => PageStart::After(position),
            Some(Err(error)) => {
                form.refuse(parameter::CURSOR, error.to_string());
                by_number
            }
        };
        PageWindow { start, limit }
    }
}

/// The response with one page of a list.
#[derive(Serialize)]
struct Envelope<'a, Item> {
    data: Vec<Item>,
    links: Links,
    meta: Meta<'a>,
    status: u16,
}

#[derive(Serialize)]
struct Links {
    first: String,
    last: Option<String>,
    prev: Option<String>,
    next: Option<String>,
}

/// Numbers of a page. On a page requested by cursor, those that would require counting are null.
#[derive(Serialize)]
struct Meta<'a> {
    current_page: Option<i64>,
    from: Option<i64>,
    last_page: Option<i64>,
    next_cursor: Option<&'a str>,
    path: &'a str,
    per_page: u16,
    to: Option<i64>,
    total: Option<i64>,
}

/// Builds the response with one page, its rows converted by `json`.
pub fn answer<'a, Row, Item: Serialize>(
    (request, page, list): (&ListRequest, &PageParameters, &ListIdentity),
    listed: &'a ListPage<Row>,
    json: fn(&'a Row) -> Item,
) -> Response {
    let size = i64::from(page.size);
    let last_page = listed.total.map(|total| ((total + size - 1) / size).max(1));
    let number = page.cursor.is_none().then_some(page.number);
    let next_cursor = listed.next.clone().and_then(|after| cursor::encode(list, after));
    let by_number = |number: i64| request.link(parameter::PAGE, &number.to_string());
    let next = match number {
        Some(number) => last_page.filter(|last| number < *last).map(|_| by_number(number + 1)),
        None => next_cursor.as_deref().map(|cursor| request.link(parameter::CURSOR, cursor)),
    };
    let prev =
        number.filter(|number| *number > 1).map(|number| last_page.map_or(number - 1, |last| last.min(number - 1)));
    let from = number.filter(|_| !listed.rows.is_empty()).map(|number| (number - 1).saturating_mul(size) + 1);
    let rows = i64::try_from(listed.rows.len()).unwrap_or(i64::MAX);
    let links = Links { first: by_number(1), last: last_page.map(by_number), prev: prev.map(by_number), next };
    let meta = Meta {
        current_page: number,
        from,
        last_page,
        next_cursor: next_cursor.as_deref(),
        path: &request.address,
        per_page: page.size,
        to: from.map(|from| from + rows - 1),
        total: listed.total,
    };
    Json(Envelope { data: listed.rows.iter().map(json).collect(), links, meta, status: 200 }).into_response()
}

impl ListRequest {
    /// Parses the query parameters.
    pub fn form(&self) -> RequestForm {
        RequestForm::parse(self.query.as_bytes())
    }

    /// Returns the address of another page of the same list.
    fn link(&self, name: &str, value: &str) -> String {
        let sent = form_urlencoded::parse(self.query.as_bytes());
        let kept =
            sent.filter(|(name, value)| name != parameter::PAGE && name != parameter::CURSOR && !value.is_empty());
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(kept).append_pair(name, value);
        format!("{}?{}", self.address, query.finish())
    }
}
