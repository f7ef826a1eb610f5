//! Input of desk requests: JSON bodies, preconditions, and texts with their limits.

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use url::Url;

use crate::api::contract;
use crate::domain::desk::{RowPrecondition, error_text};
use crate::domain::text::{clean, fit, is_name};
use crate::service::handlers::errors::ErrorResponse;
use crate::service::handlers::form::{RequestForm, is_of_type, whole_body};

/// The most characters of a report id, for any service.
pub const LONGEST_REPORT: usize = 256;
/// The most characters of a cause.
pub const LONGEST_CAUSE: usize = 200;
/// The most characters of a reason.
pub const LONGEST_REASON: usize = 1_000;
/// The most characters of a service's label.
pub const LONGEST_LABEL: usize = 100;
/// The most characters of a `service_id`.
pub const LONGEST_SERVICE_ID: usize = 64;
/// The most bytes of a base URL.
pub const LONGEST_BASE: usize = 2_048;
/// The earliest time, the beginning of the year 1: RFC 3339 has no form for years below 0, and not every client reads 0.
const EARLIEST: Timestamp = Timestamp::constant(-62_135_596_800, 0);
/// The most cells of a JSON error message.
const LONGEST_ERROR: usize = 200;

/// A JSON body.
pub struct JsonBody<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ErrorResponse;

    async fn from_request(request: Request, _: &S) -> Result<Self, ErrorResponse> {
        if !is_of_type(request.headers(), contract::JSON) {
            return Err(ErrorResponse::WrongType("JSON (application/json)"));
        }
        let body = whole_body(request).await?;
        // serde also reads a list as the fields of a struct, by position.
        if !body.trim_ascii_start().starts_with(b"{") {
            return Err(ErrorResponse::invalid("body", "The body must be a JSON object."));
        }
        let parsed = serde_json::from_slice(&body);
        let refused = |error: serde_json::Error| {
            let text = format!("The body is not valid JSON for this operation: {}.", error_text(&error));
            ErrorResponse::invalid("body", fit(&clean(&text), LONGEST_ERROR).into_owned())
        };
        parsed.map(Self).map_err(refused)
    }
}

/// Parses the precondition of a row write from `If-Match` and `If-None-Match`.
pub fn precondition(headers: &HeaderMap) -> Result<RowPrecondition, ErrorResponse> {
    let text = |name: &header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default().trim());
    match (text(&header::IF_MATCH), text(&header::IF_NONE_MATCH)) {
        (None, None) => Err(ErrorResponse::PreconditionRequired),
        (None, Some("*")) => Ok(RowPrecondition::Absent),
        (Some(sent), None) => {
            let version = sent.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let digits = version.filter(|version| version.bytes().all(|byte| byte.is_ascii_digit()));
            let version = digits.and_then(|digits| digits.parse().ok());
            let refused = || ErrorResponse::invalid("if-match", "If-Match must be the version in quotes: \"7\".");
            version.map(RowPrecondition::Version).ok_or_else(refused)
        }
        _ => Err(ErrorResponse::invalid("if-none-match", "Send either If-Match: \"7\" or If-None-Match: *.")),
    }
}

/// Validates a report id from a path.
pub fn report(id: &str) -> Result<String, ErrorResponse> {
    let fits = is_name(id, LONGEST_REPORT);
    fits.then(|| id.to_owned()).ok_or(ErrorResponse::NotFound("Report"))
}

/// Returns the report id in a field of a query; anything else is recorded as an error.
pub fn report_field(form: &mut RequestForm, name: &'static str) -> Option<String> {
    let id = form.text(name)?.to_owned();
    if !is_name(&id, LONGEST_REPORT) {
        form.refuse(name, format!("The {name} must be the id of a report."));
    }
    Some(id)
}

/// Validates a text that may have line breaks. NUL, which a database cannot store, is refused.
pub fn long_text(name: &'static str, text: &str, most: usize) -> Result<(), ErrorResponse> {
    if text.trim().is_empty() {
        return Err(ErrorResponse::invalid(name, format!("The {name} must not be empty.")));
    }
    if text.chars().count() > most {
        return Err(ErrorResponse::invalid(name, format!("The {name} must have at most {most} characters.")));
    }
    if text.contains('\0') {
        return Err(ErrorResponse::invalid(name, format!("The {name} must not contain a null character.")));
    }
    Ok(())
}

/// Validates a text of one line.
pub fn one_line(name: &'static str, text: &str, most: usize) -> Result<(), ErrorResponse> {
    let refused = || ErrorResponse::invalid(name, format!("The {name} must be one line of 1 to {most} characters."));
    is_name(text, most).then_some(()).ok_or_else(refused)
}

/// Validates a time.
pub fn time(name: &'static str, time: Option<Timestamp>) -> Result<(), ErrorResponse> {
    if time.is_some_and(|time| time < EARLIEST) {
        return Err(ErrorResponse::invalid(name, format!("The {name} must not be before the year 1.")));
    }
    Ok(())
}

/// Validates a `service_id`: ASCII letters, digits, dots, underscores and hyphens.
pub fn service_id(text: &str) -> Result<(), ErrorResponse> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let is_id = (1..=LONGEST_SERVICE_ID).contains(&text.len()) && text.bytes().all(fits);
    let refused = || {
        let text = format!(
            "The service_id must have 1 to {LONGEST_SERVICE_ID} letters, digits, dots, underscores or hyphens."
        );
        ErrorResponse::invalid("service_id", text)
    };
    is_id.then_some(()).ok_or_else(refused)
}

/// Returns the canonical form of a base URL: without `/api/v1`, trailing slash, default port or upper case in the host.
pub fn base(text: &str) -> Result<String, ErrorResponse> {
    let refused = |why: &str| ErrorResponse::invalid("base", format!("The base {why}."));
    if text.len() > LONGEST_BASE {
        return Err(refused("is too long"));
    }
    let mut url = Url::parse(text).map_err(|_| refused("must be a URL such as https://reports.example.com"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refused("must be an http or https URL"));
    }
    let is_plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
    if !is_plain || url.fragment().is_some() {
        return Err(refused("must not contain a user name, password, query or fragment"));
    }
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix(contract::VERSION).unwrap_or(path).trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn two_spellings_of_an_address_are_one() {
        for text in [
            "https://reports.example.com",
            "https://Reports.Example.com/",
            "https://reports.example.com:443/api/v1",
            "https://reports.example.com/api/v1/",
        ] {
            assert_eq!(base(text).unwrap(), "https://reports.example.com", "{text}");
        }
        assert_eq!(base("http://127.0.0.1:8080/team/").unwrap(), "http://127.0.0.1:8080/team");
        let long = format!("https://a.example/{}", "x".repeat(LONGEST_BASE));
        for text in ["", "reports", "ftp://a.example", "https://u@a.example", "https://:p@a.example", &long] {
            assert!(base(text).is_err(), "{text}");
        }
        for text in ["https://a.example/?q=1", "https://a.example/#reports"] {
            assert!(base(text).is_err(), "{text}");
        }
        assert!(base(&long[..LONGEST_BASE]).is_ok() && base(&long[..=LONGEST_BASE]).is_err());
    }

    #[test]
    fn a_precondition_is_a_version_or_no_row() {
        let read = |name: &'static str, value: &str| {
            precondition(&HeaderMap::from_iter([(
                header::HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            )]))
        };
        assert!(matches!(read("if-match", "\"7\""), Ok(RowPrecondition::Version(7))));
        assert!(matches!(read("if-none-match", "*"), Ok(RowPrecondition::Absent)));
        for (name, value) in [
            ("if-match", "7"),
            ("if-match", "\"x\""),
            ("if-match", "\"+7\""),
            ("if-match", "*"),
            ("if-match", "\"99999999999999999999\""),
            ("if-none-match", "\"7\""),
        ] {
            assert!(matches!(read(name, value), Err(ErrorResponse::Invalid(_))), "{name}: {value}");
        }
        assert!(matches!(precondition(&HeaderMap::new()), Err(ErrorResponse::PreconditionRequired)));
        let both = [(header::IF_MATCH, "\"7\""), (header::IF_NONE_MATCH, "*")];
        let both = HeaderMap::from_iter(both.map(|(name, value)| (name, HeaderValue::from_static(value))));
        assert!(matches!(precondition(&both), Err(ErrorResponse::Invalid(_))), "both at once");
    }

    #[test]
    fn texts_are_accepted_up_to_their_limits() {
        assert!(long_text("reason", "two\nlines", 9).is_ok());
        for text in ["", " \n", "two\nlines!", "a\0b"] {
            assert!(long_text("reason", text, 9).is_err(), "{text:?}");
        }
        assert!(long_text("reason", &"é".repeat(9), 9).is_ok(), "characters are counted, not bytes");
        for (id, fits) in [("", false), ("a", true), (&*"a".repeat(64), true), (&*"a".repeat(65), false)] {
            assert_eq!(service_id(id).is_ok(), fits, "{id}");
        }
        assert!(service_id("seo.example_1-b").is_ok() && service_id("seo example").is_err());
        let second = jiff::SignedDuration::from_secs(1);
        assert!(
            time("at", None).is_ok()
                && time("at", Some(EARLIEST)).is_ok()
                && time("at", Some(EARLIEST - second)).is_err()
        );
    }
}
