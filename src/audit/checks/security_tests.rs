//! Edge cases of the security checks in which a standard or the behaviour of browsers decides the result.

use super::standards_tests::found;

#[test]
fn all_invalid_lines_of_robots_txt_are_counted() {
    let result = found("robots_txt_valid", &format!("robots 200 text/plain {}", "x\\n".repeat(5_000)));
    assert_eq!(result.errors.len(), 21);
    assert_eq!(result.errors[20], "and 4980 more");
}
