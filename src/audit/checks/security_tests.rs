//! Edge cases of the security checks in which a standard or the behaviour of browsers decides the result.

use super::standards_tests::{found, hold};
use crate::domain::report::check::CheckOutcome::{Failed, Note, Passed};

#[test]
fn the_first_value_of_x_content_type_options_decides() {
    let header = |value: &str| format!("header X-Content-Type-Options: {value}");
    let two = |first: &str, last: &str| format!("{}\n{}", header(first), header(last));
    hold(&[
        ("nosniff", &header("nosniff, nosniff"), Passed),
        ("nosniff", &header("NOSNIFF,x"), Passed),
        ("nosniff", &header("x, nosniff"), Failed),
        ("nosniff", &header(", nosniff"), Failed),
        ("nosniff", &header("\"nosniff\""), Failed),
        ("nosniff", &two("nosniff", "x"), Passed),
        ("nosniff", &two("x", "nosniff"), Failed),
    ]);
}

#[test]
fn max_age_may_have_spaces_and_quotes() {
    let header = |value: &str| format!("header Strict-Transport-Security: {value}");
    hold(&[
        ("hsts", &header("max-age = 31536000"), Passed),
        ("hsts", &header("includeSubDomains; Max-Age =\"31536000\""), Passed),
        ("hsts", &header("max-age = 15552000"), Note),
        ("hsts", &header("max-age"), Failed),
        ("hsts", &header("x-max-age=31536000"), Failed),
        ("hsts", &header("max-age=31536000s"), Failed),
        ("hsts_preload", &header("max-age = 31536000; includeSubDomains; preload"), Passed),
        ("hsts_preload", &header("max-age = 300; includeSubDomains; preload"), Note),
    ]);
    assert_eq!(found("hsts", &header("preload")).errors, ["the header has no max-age"]);
}

#[test]
fn all_invalid_lines_of_robots_txt_are_counted() {
    let result = found("robots_txt_valid", &format!("robots 200 text/plain {}", "x\\n".repeat(5_000)));
    assert_eq!(result.errors.len(), 21);
    assert_eq!(result.errors[20], "and 4980 more");
}
