//! `Strict-Transport-Security` (RFC 6797).

use url::Url;

/// The `max-age` that the preload lists ask for, in seconds.
pub(in crate::audit) const YEAR: u64 = 31_536_000;

/// Whether browsers obey the header: not on plain http, nor that of an IP address (RFC 6797, 8.1).
pub(in crate::audit) fn counts_for(url: &Url) -> bool {
    url.scheme() == "https" && url.domain().is_some()
}

/// Returns the max-age in seconds. Spaces around `=` and quotes around the value are allowed (RFC 6797, 6.1).
pub(in crate::audit) fn max_age(header: &str) -> Option<u64> {
    header.split(';').find_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        let value = name.trim().eq_ignore_ascii_case("max-age").then(|| value.trim())?;
        value.trim_matches('"').parse().ok()
    })
}
