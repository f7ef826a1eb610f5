//! Parsers for the values of options.

use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use jiff::{SignedDuration, Timestamp};

use crate::domain::list::query::PAGE_SIZES;
use crate::domain::text::age::parse_span;

/// Returns a parser for the words of a domain enum.
pub(super) fn one_of<T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = T>,
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<T> = values.into_iter().collect();
    let words: Vec<&'static str> = values.iter().cloned().map(word).collect();
    PossibleValuesParser::new(words).try_map(move |chosen| {
        let found = values.iter().find(|value| word((*value).clone()) == chosen);
        found.cloned().ok_or("not an accepted value")
    })
}

/// Returns a parser for a value that is not read from stdin: `-` is refused for this reason.
pub(super) fn not_stdin(reason: &'static str) -> impl TypedValueParser<Value = String> {
    NonEmptyStringValueParser::new().try_map(move |text| if text == "-" { Err(reason) } else { Ok(text) })
}

/// Returns a parser for the id of a command's only report.
pub(super) fn single_id() -> impl TypedValueParser<Value = String> {
    not_stdin("this command takes one id and reads none from stdin (`reports show -` does)")
}

/// Parses one of the API's page sizes.
pub(super) fn page_size(text: &str) -> Result<u16, String> {
    let known = || PAGE_SIZES.map(|size| size.to_string()).join(", ");
    text.parse().ok().filter(|size| PAGE_SIZES.contains(size)).ok_or_else(|| format!("must be one of {}", known()))
}

/// Parses a timeout of one second to one hour.
pub(super) fn time_limit(text: &str) -> Result<Duration, String> {
    let limit = parse_span(text).and_then(|span| Duration::try_from(span).ok());
    let sensible = Duration::from_secs(1)..=Duration::from_hours(1);
    limit.filter(|limit| sensible.contains(limit)).ok_or_else(|| "must be 1s to 1h, for example 30s or 2m".to_owned())
}

/// Parses a time span.
pub(super) fn span(text: &str) -> Result<SignedDuration, String> {
    parse_span(text).ok_or_else(|| "must be a time span like 8h, 3d or 2w".to_owned())
}

/// Parses a time span from now, of at least a second.
pub(super) fn span_ahead(text: &str) -> Result<SignedDuration, String> {
    let span = parse_span(text).filter(SignedDuration::is_positive);
    span.ok_or_else(|| "must be a time span from now like 12h, 90d or 1y".to_owned())
}

/// Parses a time span from now, and returns the time at its end.
pub(super) fn time_ahead(text: &str) -> Result<Timestamp, String> {
    Timestamp::now().checked_add(span_ahead(text)?).map_err(|_| "is too far in the future".to_owned())
}

pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    let wrong = || format!("must be a number of at least 1 and at most {}", usize::MAX);
    text.parse().ok().filter(|limit| *limit > 0).ok_or_else(wrong)
}

/// Parses a score.
pub(super) fn score(text: &str) -> Result<u8, String> {
    text.parse().ok().filter(|score| *score <= 100).ok_or_else(|| "must be a score from 0 to 100".to_owned())
}

/// Parses the number of a service of the desk.
pub(super) fn service_number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "must be a number that `desk services` lists".to_owned())
}
