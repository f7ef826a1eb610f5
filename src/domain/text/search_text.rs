//! The text that a search compares: decoded and in lower case, so that what people type is found where a URL encodes
//! it.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// The beginning of a label of a host that stands for one with other letters (RFC 5890).
const ENCODED_LABEL: &str = "xn--";

/// What stands for a zero character, which databases take for the end of a text: the same as for bytes that are no text.
const ZERO: &str = "\u{fffd}";

/// The text that [`search_text`] gives, or the URL itself in lower case.
pub fn always(url: &str) -> String {
    search_text(url).unwrap_or_else(|| url.to_lowercase())
}

/// What a person searches for, in the form in which it stands in the search text.
pub fn wanted(typed: &str) -> String {
    typed.to_lowercase().replace('\0', ZERO)
}

/// The URL, and behind it the same as people write it, both in lower case: `straße` for `stra%C3%9Fe` and for the host
/// `xn--strae-oqa.example`. `None` where that is the URL itself, whatever the case of its ASCII letters.
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
    // A line end is in no URL: nothing is found across the two.
    Some(format!("{}\n{}", url.to_lowercase(), decoded.to_lowercase()).replace('\0', ZERO))
}

/// The host of a URL, or of a name that is nothing but one.
fn host_of(url: &str) -> Option<&str> {
    let behind_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    behind_scheme.split(['/', '?', '#', ':']).next()
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
        assert!(search_text("https://shop.example/%00tea").unwrap().contains(&wanted("/\0TEA")));
        assert!(always("Größe").contains(&wanted("GRÖSSE".trim_end_matches("SSE"))));
        assert!(search_text("xn--strae-oqa.example").unwrap().ends_with("\nstraße.example"));
    }

    proptest! {
        #[test]
        fn any_text_is_normalized_without_losing_words(text in ".{0,40}") {
            if let Some(found) = search_text(&text) {
                prop_assert!(found.starts_with(&wanted(&text)));
                prop_assert!(!found.contains('\0'));
            }
        }
    }
}
