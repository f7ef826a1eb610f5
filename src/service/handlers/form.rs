//! Fields of a query or of a form-encoded body, with their validation errors. All invalid fields are reported together.

use std::collections::HashMap;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use serde_json::{Value, json};
use strum::IntoEnumIterator;
use url::form_urlencoded;

use crate::api::contract;

use super::errors::{ErrorResponse, Errors};

/// The largest body, in bytes.
pub const LONGEST_BODY: usize = 64 * 1024;
/// The timeout for a body.
const SLOWEST_BODY: Duration = Duration::from_secs(30);

/// Fields by name, and the errors found so far.
#[derive(Debug, Default)]
pub struct RequestForm {
    values: HashMap<String, String>,
    errors: Errors,
}

impl RequestForm {
    /// Parses form-encoded bytes. Empty values count as absent; the last of repeated fields applies.
    pub fn parse(encoded: &[u8]) -> Self {
        let mut values: HashMap<String, String> = form_urlencoded::parse(encoded).into_owned().collect();
        values.retain(|_, value| !value.is_empty());
        Self { values, errors: Errors::new() }
    }

    /// Returns a field's text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Returns the value of a field that must be one of the table's words; anything else is recorded as an error.
    pub fn choice<T: Copy>(&mut self, name: &'static str, table: &[(&str, T)]) -> Option<T> {
        let sent = self.values.get(name)?;
        let found = table.iter().find(|(word, _)| word == sent).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let words: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
            self.refuse(name, format!("The {name} must be one of: {}.", words.join(", ")));
        }
        found
    }

    /// Returns the value of a field that must be one of an enum's words; anything else is recorded as an error.
    pub fn word<T: Copy + IntoEnumIterator + Into<&'static str>>(&mut self, name: &'static str) -> Option<T> {
        let table: Vec<(&str, T)> = T::iter().map(|value| (value.into(), value)).collect();
        self.choice(name, &table)
    }

    /// Returns a field that must be a whole number of at least `least`, saturating; anything else is recorded as an
    /// error.
    pub fn number(&mut self, name: &'static str, least: i64) -> Option<i64> {
        let sent = self.values.get(name)?;
        let digits = sent.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.then(|| sent.parse().unwrap_or(i64::MAX)).filter(|number| *number >= least);
        if number.is_none() {
            self.refuse(name, format!("The {name} must be a whole number of at least {least}."));
        }
        number
    }

    /// Records an error of a field.
    pub fn refuse(&mut self, name: &str, text: impl Into<String>) {
        let texts = self.errors.entry(name).or_insert_with(|| json!([]));
        if let Value::Array(texts) = texts {
            texts.push(Value::String(text.into()));
        }
    }

    /// Whether a field has an error.
    pub fn is_refused(&self, name: &str) -> bool {
        self.errors.contains_key(name)
    }

    /// Fails if any field has an error.
    pub fn check(&mut self) -> Result<(), ErrorResponse> {
        if self.errors.is_empty() { Ok(()) } else { Err(ErrorResponse::Invalid(std::mem::take(&mut self.errors))) }
    }
}

impl<S: Sync> FromRequest<S> for RequestForm {
    type Rejection = ErrorResponse;

    async fn from_request(request: Request, _: &S) -> Result<Self, ErrorResponse> {
        let form_encoded = is_of_type(request.headers(), contract::FORM);
        let body = whole_body(request).await?;
        // A request without a body needs no content type.
        if form_encoded || body.is_empty() {
            Ok(Self::parse(&body))
        } else {
            Err(ErrorResponse::WrongType("form-encoded (application/x-www-form-urlencoded)"))
        }
    }
}

/// Parses a number of digits only; `None` for anything else, and for one that is too large.
pub fn whole_number(text: &str) -> Option<i64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Reads the body, at most [`LONGEST_BODY`] bytes within [`SLOWEST_BODY`]. Bodies are not decompressed.
pub async fn whole_body(request: Request) -> Result<axum::body::Bytes, ErrorResponse> {
    if request.headers().get(header::CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
        return Err(ErrorResponse::WrongType("sent without Content-Encoding"));
    }
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > LONGEST_BODY as u64) {
        return Err(ErrorResponse::TooLarge);
    }
    let body: Body = request.into_body();
    let read =
        tokio::time::timeout(SLOWEST_BODY, to_bytes(body, LONGEST_BODY)).await.map_err(|_| ErrorResponse::TooSlow)?;
    read.map_err(
        |error| if is_too_long(&error) { ErrorResponse::TooLarge } else { ErrorResponse::Malformed("invalid body") },
    )
}

/// Whether a body was too long, rather than cut off or malformed.
fn is_too_long(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.and_then(|source| source.downcast_ref::<http_body_util::LengthLimitError>()).is_some()
}

/// Whether a body has a content type.
pub fn is_of_type(headers: &HeaderMap, expected: &str) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case(expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn empty_values_are_absent_and_the_last_of_several_applies() {
        let form = RequestForm::parse(b"a=1&a=2&b=&c=%C3%BC+x&d");
        assert_eq!(form.text("a"), Some("2"));
        assert_eq!(form.text("b"), None);
        assert_eq!(form.text("c"), Some("ü x"));
        assert_eq!(form.text("d"), None);
    }

    #[test]
    fn invalid_fields_are_reported_together() {
        let mut form = RequestForm::parse(b"sort=up&page=0");
        assert_eq!(form.choice("sort", &[("asc", 1), ("desc", 2)]), None);
        assert_eq!(form.number("page", 1), None);
        let Err(ErrorResponse::Invalid(errors)) = form.check() else { panic!("nothing was refused") };
        assert_eq!(errors.keys().collect::<Vec<_>>(), ["sort", "page"]);
    }

    #[test]
    fn page_numbers_are_whole_and_start_at_1() {
        for (sent, expected) in [("1", Some(1)), ("007", Some(7)), ("99999999999999999999", Some(i64::MAX))] {
            assert_eq!(RequestForm::parse(format!("page={sent}").as_bytes()).number("page", 1), expected, "{sent}");
        }
        for sent in ["0", "-1", "+1", "1.5", "one", " 1", "1e3"] {
            let mut form = RequestForm::default();
            form.values.insert("page".into(), sent.into());
            assert_eq!(form.number("page", 1), None, "{sent}");
            assert!(form.is_refused("page"), "{sent}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_missing_body_times_out() {
        let beginning = futures_util::stream::iter([Ok::<_, std::io::Error>("url=https://")]);
        let body = Body::from_stream(futures_util::StreamExt::chain(beginning, futures_util::stream::pending()));
        let request = Request::builder().header(header::CONTENT_TYPE, contract::FORM).body(body).unwrap();
        assert!(matches!(RequestForm::from_request(request, &()).await, Err(ErrorResponse::TooSlow)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut form = RequestForm::parse(&bytes);
            form.number("a", 0);
            form.choice("b", &[("x", ())]);
            let _ = form.check();
        }
    }
}
