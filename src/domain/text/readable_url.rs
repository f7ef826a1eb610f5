//! The display form of a URL: letters of all scripts, as browsers show them, instead of their percent-encoding.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::url_scheme::split_scheme;
use super::{Text, clean};

/// The length of an encoded byte: `%D1`.
const ESCAPE: usize = 3;

impl Text {
    /// A URL, whose display form is readable in all scripts.
    pub fn of_url(raw: impl Into<String>) -> Self {
        let raw = raw.into();
        match readable_url(&raw) {
            Cow::Owned(readable) if readable != raw => Self::shown_as(raw, clean(&readable).into_owned()),
            Cow::Owned(_) | Cow::Borrowed(_) => Self::from_outside(raw),
        }
    }
}

/// Decodes the characters outside ASCII in path, query and fragment. Spaces, invisible characters and invalid UTF-8 stay
/// encoded, as do the host and all of ASCII, so that no separator appears.
fn readable_url(url: &str) -> Cow<'_, str> {
    let (_, rest) = split_scheme(url);
    let path = rest.find(['/', '?', '#']).map_or(url.len(), |at| url.len() - rest.len() + at);
    if !url[path..].contains('%') {
        return Cow::Borrowed(url);
    }
    let mut shown = url[..path].to_owned();
    let mut rest = &url[path..];
    while let Some(at) = rest.find('%') {
        let (before, escaped) = rest.split_at(at);
        let escapes = escaped.as_bytes().chunks_exact(ESCAPE).take_while(|escape| is_outside_ascii(escape)).count();
        let (run, after) = escaped.split_at((escapes * ESCAPE).max(1));
        let decoded = percent_decode_str(run).decode_utf8().ok().filter(|text| is_visible(text));
        shown.push_str(before);
        shown.push_str(decoded.as_deref().unwrap_or(run));
        rest = after;
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

fn is_outside_ascii(escape: &[u8]) -> bool {
    matches!(escape, [b'%', b'8' | b'9' | b'A'..=b'F' | b'a'..=b'f', last] if last.is_ascii_hexdigit())
}

/// Whether a text has neither spaces nor anything that is removed or replaced when it is displayed.
fn is_visible(text: &str) -> bool {
    clean(text) == text && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use url::Url;

    #[test]
    fn letters_of_all_scripts_are_readable_and_everything_else_stays_encoded() {
        for (url, shown) in [
            ("https://shop.example/%D1%87%D0%B0%D0%B9?q=%e8%8c%b6#%C3%9F", "https://shop.example/чай?q=茶#ß"),
            ("shop.example/%E0%A4%B9%E0%A4%BF%E0%A4%A8%E0%A5%8D%E0%A4%A6%E0%A5%80", "shop.example/हिन्दी"),
            ("https://shop.example/a%20b%2Fc%3Fd%25e%00", "https://shop.example/a%20b%2Fc%3Fd%25e%00"),
            ("https://shop.example/100%", "https://shop.example/100%"),
            ("https://shop.example/%D1%8", "https://shop.example/%D1%8"),
            ("https://shop.example/%FF%D1%87", "https://shop.example/%FF%D1%87"),
            ("https://shop.example/%E3%80%80%E2%80%AE%E2%80%8B", "https://shop.example/%E3%80%80%E2%80%AE%E2%80%8B"),
            ("https://%D1%87.example/tea", "https://%D1%87.example/tea"),
            ("%D1%87.example", "%D1%87.example"),
        ] {
            assert_eq!(readable_url(url), shown);
        }
    }

    proptest! {
        #[test]
        fn a_readable_url_leads_to_the_same_page(path in "(/|\\?|%|é|茶|[a-f0-9]|%[a-f0-9]{2}|%D1%87){0,12}") {
            let url = Url::parse(&format!("https://shop.example/{path}")).unwrap();
            let shown = Url::parse(&readable_url(url.as_str())).unwrap();
            let decoded = |url: &Url| percent_decode_str(url.as_str()).collect::<Vec<u8>>();
            prop_assert_eq!(decoded(&shown), decoded(&url));
        }
    }
}
