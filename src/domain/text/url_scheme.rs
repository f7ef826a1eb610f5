//! The scheme of a URL as people type it, with or without one.

/// Splits a URL into its scheme, if it has one, and the rest. `://` in the path, query or fragment belongs to the rest.
pub fn split_scheme(url: &str) -> (Option<&str>, &str) {
    match url.split_once("://") {
        Some((scheme, rest)) if !scheme.contains(['/', '?', '#']) => (Some(scheme), rest),
        Some(_) | None => (None, url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_precedes_path_query_and_fragment() {
        for (url, expected) in [
            ("https://shop.example/tea", (Some("https"), "shop.example/tea")),
            ("shop.example", (None, "shop.example")),
            ("localhost:3000/tea", (None, "localhost:3000/tea")),
            ("https://shop.example?next=http://x.example", (Some("https"), "shop.example?next=http://x.example")),
            ("shop.example/login?next=https://x.example", (None, "shop.example/login?next=https://x.example")),
            ("shop.example?next=https://x.example", (None, "shop.example?next=https://x.example")),
            ("shop.example#https://x.example", (None, "shop.example#https://x.example")),
            ("shop.example/https://x.example", (None, "shop.example/https://x.example")),
        ] {
            assert_eq!(split_scheme(url), expected, "{url}");
        }
    }
}
