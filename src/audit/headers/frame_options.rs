//! `X-Frame-Options`, as browsers apply it to a navigation (HTML standard, 7.4.2.5).

use std::collections::BTreeSet;

use crate::audit::headers::content_type::split_outside_quotes;

/// Whether the values of the header keep other sites from framing the page.
///
/// Equal values count once. Different values, one of which is known, keep every site out; other combinations are
/// ignored.
pub(in crate::audit) fn keep_others_out<'a>(values: impl IntoIterator<Item = &'a str>) -> bool {
    let parts = values.into_iter().flat_map(|value| split_outside_quotes(value, ','));
    let options: BTreeSet<String> = parts.map(|part| part.trim().to_ascii_lowercase()).collect();
    let has = |option: &str| options.contains(option);
    let several = options.len() > 1;
    has("deny") || has("sameorigin") || (several && has("allowall"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_and_conflicting_values_follow_the_standard() {
        for (values, expected) in [
            (&["DENY"][..], true),
            (&["SameOrigin "], true),
            (&["SAMEORIGIN", "SAMEORIGIN"], true),
            (&["SAMEORIGIN, SAMEORIGIN"], true),
            (&["DENY, SAMEORIGIN"], true),
            (&["SAMEORIGIN", "ALLOWALL"], true),
            (&["nonsense, ALLOWALL"], true),
            (&["SAMEORIGIN, nonsense"], true),
            (&["ALLOWALL"], false),
            (&["ALLOWALL", "allowall"], false),
            (&["nonsense, other"], false),
            (&["\"DENY\""], false),
            (&["ALLOW-FROM https://a.example"], false),
            (&[""], false),
            (&[], false),
        ] {
            assert_eq!(keep_others_out(values.iter().copied()), expected, "{values:?}");
        }
    }
}
