//! The text that searches match against: decoded and in lower case, so that typed text finds encoded URLs.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::url_scheme::split_scheme;

/// The prefix of an internationalised host label (RFC 5890).
const ENCODED_LABEL: &str = "xn--";

/// Replaces NUL characters, which databases treat as the end of a text; the same as for invalid UTF-8.
const ZERO: &str = "\u{fffd}";

/// Returns [`search_text`], or the URL itself in lower case.
pub fn always(url: &str) -> String {
    search_text(url).unwrap_or_else(|| url.to_lowercase())
}

/// Normalises a search term to the form of the search text.
pub fn normalize_query(typed: &str) -> String {
    typed.to_lowercase().replace('\0', ZERO)
}

/// Returns the URL, followed by its decoded form, both in lower case: `straße` for `stra%C3%9Fe` and for the host
/// `xn--strae-oqa.example`. `None` if the decoded form equals the URL, apart from the case of ASCII letters.
pub fn search_text(url: &str) -> Option<String> {
    if url.is_ascii() && !url.contains(['%', '\0']) && !url.contains(ENCODED_LABEL) {
        return None;
    }
    let decoded = percent_decode_str(url).decode_utf8_lossy();
    let decoded = match host_of(&decoded) {
        Some(host) if host.contains(ENCODED_LABEL) => {
            let (readable, _) = idna::domain_to_unicode(host);
            Cow::from(decoded.replacen(host, &readable, 1))
        }
        Some(_) | None => decoded,
    };
    // URLs contain no line break, so that no search term matches across the two.
    Some(format!("{}\n{}", url.to_lowercase(), decoded.to_lowercase()).replace('\0', ZERO))
}

/// The host of a URL, or of a bare host name.
fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = split_scheme(url);
    rest.split(['/', '?', '#', ':']).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use url::Url;

    #[test]
    fn text_as_typed_is_found_in_the_search_text() {
        for (url, typed) in [
            ("https://shop.example/straße", "straße"),
            ("https://shop.example/STRASSE?q=É", "é"),
            ("https://straße.example/tea", "straße.example"),
            ("https://shop.example/🍵", "🍵"),
            ("https://shop.example/green tea", "green tea"),
            ("https://shop.example/stra%C3%9Fe", "stra%c3%9fe"),
            ("https://straße.example/tea", "xn--strae-oqa"),
        ] {
            let stored = Url::parse(url).unwrap();
            let text = search_text(stored.as_str()).unwrap();
            assert!(text.contains(typed), "{typed} in {text}");
        }
        assert_eq!(search_text("https://shop.example/Tea?a=b"), None);
        assert!(search_text("https://shop.example/%00tea").unwrap().contains(&normalize_query("/\0TEA")));
        assert!(always("Größe").contains(&normalize_query("GRÖSSE".trim_end_matches("SSE"))));
        assert!(search_text("xn--strae-oqa.example").unwrap().ends_with("\nstraße.example"));
    }

    proptest! {
        #[test]
        fn any_text_is_normalized_without_losing_words(text in ".{0,40}") {
            if let Some(found) = search_text(&text) {
                prop_assert!(found.starts_with(&normalize_query(&text)));
                prop_assert!(!found.contains('\0'));
            }
        }
    }
}
