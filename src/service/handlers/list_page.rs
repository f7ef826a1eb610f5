//! What lists of both kinds share: the page that is asked for, and the envelope with its links.
//!
//! Must not know what the rows are.

use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use url::form_urlencoded;

use crate::api::contract::parameter;
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, Direction, PAGE_SIZES};

use super::errors::Refusal;
use super::form::Form;
use crate::service::kept::Name;
use crate::service::server::proxies::Visitor;
use crate::service::store::lists::Window;

/// What a row of a list takes when it is written down, about, and all that stands behind the rows.
const USUAL_ROW: usize = 320;
const USUAL_REST: usize = 1_024;

/// The words of sort directions.
pub const DIRECTIONS: [(&str, Direction); 2] = [("desc", Direction::Descending), ("asc", Direction::Ascending)];

/// A list request: where it was sent, for the links in the answer, and its parameters as they came.
pub struct Asked {
    /// All that an answer depends on besides what is stored.
    pub name: Name,
}

impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let query = parts.uri.query().unwrap_or_default().to_owned();
        // Links name the address that was used to get here; a request that names none gets paths.
        let origin = parts.extensions.get::<Visitor>().map_or("", |visitor| visitor.origin.as_str());
        let address = format!("{origin}{}", parts.uri.path());
        Ok(Self { name: Name { address, query } })
    }
}

/// Which page of which size.
#[derive(Debug, Clone, Copy)]
pub struct PageAsked {
    number: i64,
    size: u16,
}

impl PageAsked {
    /// Reads `page` and `per_page`.
    pub fn read(form: &mut Form) -> Self {
        let words = PAGE_SIZES.map(|size| size.to_string());
        let table: Vec<(&str, u16)> = words.iter().map(String::as_str).zip(PAGE_SIZES).collect();
        let size = form.choice(parameter::PER_PAGE, &table).unwrap_or(DEFAULT_PAGE_SIZE);
        Self { number: form.counting(parameter::PAGE).unwrap_or(1), size }
    }

    pub fn size(self) -> u16 {
        self.size
    }

    /// The rows of this page.
    pub fn window(self) -> Window {
        let limit = i64::from(self.size);
        Window { offset: (self.number - 1).saturating_mul(limit), limit }
    }
}

/// The rows of a page, written down one after the other as they are read.
pub struct Written {
    body: Vec<u8>,
    rows: i64,
    failed: Option<serde_json::Error>,
}

impl Written {
    /// No rows yet, and room for all of them.
    pub fn new(page: PageAsked) -> Self {
        let mut body = Vec::with_capacity(usize::from(page.size) * USUAL_ROW + USUAL_REST);
        body.extend_from_slice(b"{\"data\":[");
        Self { body, rows: 0, failed: None }
    }

    /// The next row.
    pub fn push(&mut self, row: &impl Serialize) {
        if self.rows > 0 {
            self.body.push(b',');
        }
        self.rows += 1;
        self.failed = self.failed.take().or(serde_json::to_writer(&mut self.body, row).err());
    }
}

/// What stands behind the rows.
#[derive(Serialize)]
struct Rest<'a> {
    links: Links,
    meta: Meta<'a>,
    status: u16,
}

#[derive(Serialize)]
struct Links {
    first: String,
    last: String,
    prev: Option<String>,
    next: Option<String>,
}

#[derive(Serialize)]
struct Meta<'a> {
    current_page: i64,
    from: Option<i64>,
    last_page: i64,
    path: &'a str,
    per_page: u16,
    to: Option<i64>,
    total: i64,
}

/// The envelope of one page of a list that has so many rows in all.
pub fn envelope(asked: &Asked, page: PageAsked, written: Written, total: i64) -> Result<Bytes, Refusal> {
    let Written { mut body, rows, failed } = written;
    let size = i64::from(page.size);
    let last_page = ((total + size - 1) / size).max(1);
    let link = |number: i64| asked.link(number);
    let links = Links {
        first: link(1),
        last: link(last_page),
        prev: (page.number > 1).then(|| link((page.number - 1).min(last_page))),
        next: (page.number < last_page).then(|| link(page.number + 1)),
    };
    let from = (rows > 0).then(|| page.window().offset + 1);
    let meta = Meta {
        current_page: page.number,
        from,
        last_page,
        to: from.map(|from| from + rows - 1),
        per_page: page.size,
        total,
        path: &asked.name.address,
    };
    body.extend_from_slice(b"],");
    let rest = body.len();
    let rest_failed = serde_json::to_writer(&mut body, &Rest { links, meta, status: 200 }).err();
    // It goes on with the map that the rows stand in.
    body.remove(rest);
    match failed.or(rest_failed) {
        None => Ok(body.into()),
        Some(error) => {
            tracing::error!(%error, "a list cannot be written down");
            Err(Refusal::Internal)
        }
    }
}

/// The answer with an envelope.
pub fn answer(envelope: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], envelope).into_response()
}

impl Asked {
    /// The parameters.
    pub fn form(&self) -> Form {
        Form::parse(self.name.query.as_bytes())
    }

    /// The address of another page of the same list.
    fn link(&self, page: i64) -> String {
        let sent = form_urlencoded::parse(self.name.query.as_bytes());
        let kept = sent.filter(|(name, value)| name != parameter::PAGE && !value.is_empty());
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(kept).append_pair(parameter::PAGE, &page.to_string());
        format!("{}?{}", self.name.address, query.finish())
    }
}
