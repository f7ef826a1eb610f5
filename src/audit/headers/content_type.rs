//! The MIME type of a response, extracted from repeated headers by the rules of the Fetch standard.

/// Types that say nothing: browsers look at the content instead (MIME Sniffing standard, 7, step 1).
const UNKNOWN: [&str; 3] = ["*/*", "application/unknown", "unknown/unknown"];

/// The parts of a MIME type that the audit uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) struct ContentType {
    /// Type and subtype in lower case, for example `text/html`.
    pub(in crate::audit) essence: String,
    /// The parameter `charset`.
    pub(in crate::audit) charset: Option<String>,
}

impl ContentType {
    /// Extracts the MIME type from all values of the header ("extract a MIME type", Fetch standard, 2.2.2): the last
    /// valid value counts and inherits the charset of an equal type before it. `None` without a valid value.
    pub(in crate::audit) fn extract<'a>(values: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let parts = values.into_iter().flat_map(|value| split_outside_quotes(value, ','));
        let types = parts.filter_map(Self::parse).filter(|parsed| !UNKNOWN.contains(&&*parsed.essence));
        types.reduce(|former, mut last| {
            if last.charset.is_none() && last.essence == former.essence {
                last.charset = former.charset;
            }
            last
        })
    }

    /// Parses one value ("parse a MIME type", MIME Sniffing standard, 4.4).
    fn parse(text: &str) -> Option<Self> {
        let mut parts = split_outside_quotes(text, ';').into_iter();
        let essence = parts.next()?.trim().to_ascii_lowercase();
        let (kind, subtype) = essence.split_once('/')?;
        if !is_token(kind) || !is_token(subtype) {
            return None;
        }
        let charset = parts.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            let value = match value.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap_or_default(),
                None => value.trim_end(),
            };
            let is_charset = name.trim_start().eq_ignore_ascii_case("charset") && !value.is_empty();
            is_charset.then(|| value.replace('\\', ""))
        });
        Some(Self { essence, charset })
    }

    /// Whether browsers show a response of this type as a page.
    pub(in crate::audit) fn is_html(&self) -> bool {
        matches!(self.essence.as_str(), "text/html" | "application/xhtml+xml")
    }

    /// Returns the essence of a type in an attribute, such as that of a script.
    pub(in crate::audit) fn essence_of(text: &str) -> String {
        text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }
}

fn is_token(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// Splits a header value at separators outside of quotes.
pub(in crate::audit) fn split_outside_quotes(text: &str, separator: char) -> Vec<&str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(|character| {
        let ends = character == separator && !quoted;
        quoted ^= character == '"' && !escaped;
        escaped = quoted && character == '\\' && !escaped;
        ends
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extract(values: &[&str]) -> Option<(String, Option<String>)> {
        let found = ContentType::extract(values.iter().copied())?;
        Some((found.essence, found.charset))
    }

    #[test]
    fn a_single_header_is_read_as_written() {
        for (value, essence, charset) in [
            ("text/html", "text/html", None),
            (" TEXT/HTML ; Charset=UTF-8 ", "text/html", Some("UTF-8")),
            ("text/html;charset=\"utf-8\"; x", "text/html", Some("utf-8")),
            ("text/html; a=\"x;charset=latin1\"; charset=utf-8", "text/html", Some("utf-8")),
            ("text/html;charset=;charset=koi8-r", "text/html", Some("koi8-r")),
            ("application/xhtml+xml", "application/xhtml+xml", None),
        ] {
            assert_eq!(extract(&[value]), Some((essence.to_owned(), charset.map(str::to_owned))), "{value}");
        }
        for value in ["", "text", "text/", "/html", "text/html charset=utf-8", "*/*", "te xt/html", "Unknown/unknown"] {
            assert_eq!(extract(&[value]), None, "{value}");
        }
        assert_eq!(extract(&[]), None);
    }

    /// The examples of the Fetch standard, 2.2.2.
    #[test]
    fn the_last_valid_of_several_headers_applies() {
        let of = |values: &[&str]| extract(values).map(|(essence, charset)| (essence, charset.unwrap_or_default()));
        let expect = |essence: &str, charset: &str| Some((essence.to_owned(), charset.to_owned()));
        assert_eq!(of(&["text/plain;charset=gbk, text/html"]), expect("text/html", ""));
        assert_eq!(of(&["text/html;charset=gbk;a=b, text/html;x=y"]), expect("text/html", "gbk"));
        assert_eq!(of(&["text/html;charset=gbk;a=b", "text/html;x=y"]), expect("text/html", "gbk"));
        assert_eq!(of(&["text/html;charset=gbk", "x/x", "text/html;x=y"]), expect("text/html", ""));
        assert_eq!(of(&["text/html", "cannot-parse"]), expect("text/html", ""));
        assert_eq!(of(&["text/html", "*/*"]), expect("text/html", ""));
        assert_eq!(of(&["text/html", ""]), expect("text/html", ""));
        assert_eq!(of(&["text/html;\" \\\" text/plain\",text/plain"]), expect("text/plain", ""));
    }
}
