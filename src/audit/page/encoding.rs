//! Decodes a page as browsers do: byte order mark, then header, then meta (HTML standard, 13.2.3).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::audit::page::parser::Syntax;

/// Bytes in which a page may declare its encoding (HTML standard, 4.2.5.4).
const PRESCAN: usize = 1024;

/// Where the encoding of a page was declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclaredBy {
    /// In the Content-Type header.
    Header,
    /// By a byte order mark (BOM).
    Mark,
    /// In a meta element among the first 1,024 bytes.
    Meta,
    /// In an XML declaration, which browsers also use in HTML if no meta names one (HTML standard, 13.2.3.2: "prescan").
    XmlDeclaration,
    /// Not declared in an XML page; the default is UTF-8.
    XmlDefault,
    /// Not declared; guessed.
    Nobody,
}

/// Returns the decoded text, the name of its encoding, and where that was declared. `charset` comes from the
/// Content-Type header; `is_cut` says that the body ends at the size limit.
pub(in crate::audit) fn decode(
    body: &[u8],
    charset: Option<&str>,
    syntax: Syntax,
    is_cut: bool,
) -> (String, (&'static str, DeclaredBy)) {
    let (encoding, by) = declared(body, charset, syntax);
    let body = if is_cut && encoding == UTF_8 { without_cut_character(body) } else { body };
    let (text, used, has_errors) = encoding.decode(body);
    if by == DeclaredBy::Nobody && has_errors {
        // Undeclared and not UTF-8: the default of most locales (HTML standard, 13.2.3.2).
        let (text, used, _) = WINDOWS_1252.decode(body);
        return (text.into_owned(), (used.name(), by));
    }
    (text.into_owned(), (used.name(), by))
}

/// Removes an incomplete last character, if the rest is UTF-8.
fn without_cut_character(body: &[u8]) -> &[u8] {
    match std::str::from_utf8(body) {
        Err(error) if error.error_len().is_none() => &body[..error.valid_up_to()],
        Ok(_) | Err(_) => body,
    }
}

fn declared(body: &[u8], charset: Option<&str>, syntax: Syntax) -> (&'static Encoding, DeclaredBy) {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return (encoding, DeclaredBy::Mark);
    }
    if let Some(encoding) = charset.and_then(|label| Encoding::for_label(label.as_bytes())) {
        return (encoding, DeclaredBy::Header);
    }
    let start = &body[..body.len().min(PRESCAN)];
    let by_meta = if syntax == Syntax::Html { prescan(start) } else { None };
    if let Some(encoding) = by_meta {
        return (narrow(encoding), DeclaredBy::Meta);
    }
    match (xml_declaration(start), syntax) {
        (Some(encoding), _) => (narrow(encoding), DeclaredBy::XmlDeclaration),
        (None, Syntax::Html) => (UTF_8, DeclaredBy::Nobody),
        (None, Syntax::Xml) => (UTF_8, DeclaredBy::XmlDefault),
    }
}

/// Replaces UTF-16 by UTF-8: a declaration that is readable as ASCII cannot be UTF-16 (HTML standard, 13.2.3.2:
/// "prescan").
fn narrow(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding }
}

/// Searches metas outside of comments for a declaration ("prescan a byte stream to determine its encoding").
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'<') {
        rest = &rest[at..];
        if rest.starts_with(b"<!--") {
            // The opening dashes may also be the closing ones: `<!-->` is a comment.
            let end = rest.windows(3).skip(2).position(|window| window == b"-->")?;
            rest = &rest[2 + end + 3..];
        } else if is_meta(rest) {
            let (encoding, after) = encoding_of_meta(&rest[5..])?;
            if encoding.is_some() {
                return encoding;
            }
            rest = after;
        } else if rest.get(1).is_some_and(u8::is_ascii_alphabetic)
            || (rest.get(1) == Some(&b'/') && rest.get(2).is_some_and(u8::is_ascii_alphabetic))
        {
            let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?;
            rest = &rest[end..];
            while let InTag::Attribute(_, _, after) = attribute(rest)? {
                rest = after;
            }
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            rest = &rest[rest.iter().position(|byte| *byte == b'>')?..];
        } else {
            rest = &rest[1..];
        }
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"<meta"))
        && rest.get(5).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
}

/// Returns the encoding that a meta declares, and the rest; `None` when the bytes end inside the meta.
fn encoding_of_meta(mut rest: &[u8]) -> Option<(Option<&'static Encoding>, &[u8])> {
    let (mut is_pragma, mut needs_pragma, mut label) = (false, None, None);
    let mut seen: Vec<Vec<u8>> = Vec::new();
    while let InTag::Attribute(name, value, after) = attribute(rest)? {
        rest = after;
        if seen.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => is_pragma |= value == b"content-type",
            b"content" if label.is_none() => {
                if let Some(encoding) = label_in(&value) {
                    (label, needs_pragma) = (Some(encoding), Some(true));
                }
            }
            b"charset" => (label, needs_pragma) = (Encoding::for_label(&value), Some(false)),
            _ => {}
        }
        seen.push(name);
    }
    let holds = needs_pragma.is_some_and(|needs| !needs || is_pragma);
    Some((label.filter(|_| holds), rest))
}

/// An attribute or the end of a tag.
enum InTag<'a> {
    /// Name and value in lower case, and the rest.
    Attribute(Vec<u8>, Vec<u8>, &'a [u8]),
    End,
}

/// Reads the next attribute of a tag ("get an attribute"); `None` when the bytes end first.
fn attribute(rest: &[u8]) -> Option<InTag<'_>> {
    let start = rest.iter().position(|byte| !(byte.is_ascii_whitespace() || *byte == b'/'))?;
    let rest = &rest[start..];
    if rest.first() == Some(&b'>') {
        return Some(InTag::End);
    }
    let ends_name = |(at, byte): (usize, &u8)| {
        byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>') || (*byte == b'=' && at > 0)
    };
    let end = rest.iter().enumerate().position(ends_name)?;
    let name = rest[..end].to_ascii_lowercase();
    let sign = end + rest[end..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    if rest[sign] != b'=' {
        return Some(InTag::Attribute(name, Vec::new(), &rest[end..]));
    }
    let start = sign + 1 + rest[sign + 1..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    let quote = rest[start];
    if matches!(quote, b'"' | b'\'') {
        let end = start + 1 + rest[start + 1..].iter().position(|byte| *byte == quote)?;
        return Some(InTag::Attribute(name, rest[start + 1..end].to_ascii_lowercase(), &rest[end + 1..]));
    }
    let end = start + rest[start..].iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?;
    Some(InTag::Attribute(name, rest[start..end].to_ascii_lowercase(), &rest[end..]))
}

/// Returns the encoding of the first `charset=` in a content type ("extract a character encoding from a meta element").
fn label_in(text: &[u8]) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let mut rest = lower.as_slice();
    loop {
        let at = rest.windows(7).position(|window| window == b"charset")?;
        rest = rest[at + 7..].trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        let quote = *value.first()?;
        if matches!(quote, b'"' | b'\'') {
            let end = value[1..].iter().position(|byte| *byte == quote)?;
            return Encoding::for_label(&value[1..=end]);
        }
        let end = value.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b';');
        return Encoding::for_label(&value[..end.unwrap_or(value.len())]);
    }
}

/// Returns the encoding in `<?xml … encoding="…"?>` at the very beginning ("get an XML encoding").
fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let rest = &rest[..rest.iter().position(|byte| *byte == b'>')?];
    let at = rest.windows(8).position(|window| window == b"encoding")?;
    let rest = rest[at + 8..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let end = rest[1..].iter().position(|byte| byte == quote)?;
    Encoding::for_label(&rest[1..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: &str) -> (&'static str, DeclaredBy) {
        decode(body.as_bytes(), None, Syntax::Html, false).1
    }

    #[test]
    fn declarations_are_found_where_browsers_look_for_them() {
        for (body, expected) in [
            ("<meta charset=koi8-r>", "KOI8-R"),
            ("<META CHARSET = 'latin1' />", "windows-1252"),
            ("<!doctype html><html lang=de><head x='>'><meta name=a content=b><meta charset=koi8-r>", "KOI8-R"),
            ("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "KOI8-R"),
            ("<meta content=\"text/html;charset='koi8-r'\" http-equiv=\"content-type\">", "KOI8-R"),
            ("<meta charset=utf-16>", "UTF-8"),
            ("<!--><meta charset=koi8-r>", "KOI8-R"),
            ("<!-- <meta charset=x> --><meta charset=koi8-r>", "KOI8-R"),
            ("<meta charset=nonsense><meta charset=koi8-r>", "KOI8-R"),
        ] {
            assert_eq!(of(body), (expected, DeclaredBy::Meta), "{body}");
        }
        assert_eq!(of("<?xml version='1.0' encoding='koi8-r'?><p>"), ("KOI8-R", DeclaredBy::XmlDeclaration));
    }

    #[test]
    fn text_that_resembles_a_declaration_is_ignored() {
        let late = format!("<!--{}--><meta charset=koi8-r>", "x".repeat(PRESCAN));
        let torn = format!("{}<meta charset=koi8-r>", " ".repeat(PRESCAN - 8));
        for body in [
            "<!-- <meta charset=koi8-r> -->",
            "<meta name=description content='charset=koi8-r is old'>",
            "<meta content='text/html; charset=koi8-r'>",
            "<meta charset=nonsense>",
            "<metal charset=koi8-r>",
            "<p title='<meta charset=koi8-r>'>",
            "<meta charset=koi8-r",
            "",
            &late,
            &torn,
        ] {
            assert_eq!(of(body), ("UTF-8", DeclaredBy::Nobody), "{body}");
        }
    }

    #[test]
    fn the_order_is_byte_order_mark_header_meta_guess() {
        let meta = b"<meta charset=koi8-r>".as_slice();
        let marked = [b"\xef\xbb\xbf".as_slice(), meta].concat();
        let latin1 = Some("iso-8859-1");
        let decode = |body: &[u8], charset| decode(body, charset, Syntax::Html, false);
        assert_eq!(decode(&marked, latin1).1, ("UTF-8", DeclaredBy::Mark));
        assert_eq!(decode(meta, latin1).1, ("windows-1252", DeclaredBy::Header));
        assert_eq!(decode(meta, Some("nonsense")).1, ("KOI8-R", DeclaredBy::Meta));
        assert_eq!(decode(b"gr\xfcn", None), ("grün".to_owned(), ("windows-1252", DeclaredBy::Nobody)));
        assert_eq!(decode("grün".as_bytes(), None), ("grün".to_owned(), ("UTF-8", DeclaredBy::Nobody)));
    }

    #[test]
    fn a_character_that_the_size_limit_cuts_does_not_change_the_guess() {
        let text = "gr\u{fc}ner Tee \u{20ac}".as_bytes();
        let torn = &text[..text.len() - 1];
        assert_eq!(decode(torn, None, Syntax::Html, true), ("grüner Tee ".to_owned(), ("UTF-8", DeclaredBy::Nobody)));
        assert_eq!(decode(torn, None, Syntax::Html, false).1, ("windows-1252", DeclaredBy::Nobody));
        assert_eq!(decode(b"gr\xfcn und \xe2\x82", None, Syntax::Html, true).1, ("windows-1252", DeclaredBy::Nobody));
    }

    #[test]
    fn xml_declares_its_encoding_in_its_own_way() {
        let of = |body: &[u8], charset| decode(body, charset, Syntax::Xml, false).1;
        assert_eq!(of(b"<?xml version='1.0' encoding='koi8-r'?><p/>", None), ("KOI8-R", DeclaredBy::XmlDeclaration));
        assert_eq!(of(b"<html><meta charset='koi8-r'/></html>", None), ("UTF-8", DeclaredBy::XmlDefault));
        assert_eq!(of(b"<?xml version='1.0' encoding='koi8-r'?><p/>", Some("utf-8")), ("UTF-8", DeclaredBy::Header));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_the_decoder_panic(pieces in proptest::collection::vec("(<|<!--|-->|<meta |charset|content=|=|'|\"|/|>| |\\?xml|encoding|[a-z])", 0..60)) {
            for syntax in [Syntax::Html, Syntax::Xml] {
                let _ = decode(pieces.concat().as_bytes(), Some(&pieces.concat()), syntax, true);
            }
        }
    }
}
