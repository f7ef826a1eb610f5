//! `Strict-Transport-Security` (RFC 6797).

/// Returns the max-age in seconds. Spaces around `=` and quotes around the value are allowed (RFC 6797, 6.1).
pub(in crate::audit) fn max_age(header: &str) -> Option<u64> {
    header.split(';').find_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        let value = name.trim().eq_ignore_ascii_case("max-age").then(|| value.trim())?;
        value.trim_matches('"').parse().ok()
    })
}
