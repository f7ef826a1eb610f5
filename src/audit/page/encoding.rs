//! Decodes a page as browsers do: byte order mark, then header, then meta (HTML standard, 13.2.3).

use std::cell::Cell;

use encoding_rs::mem::decode_latin1;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

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

/// Searches the tags for a meta that declares an encoding ("prescan a byte stream to determine its encoding").
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(&*decode_latin1(bytes)));
    let tokenizer = Tokenizer::new(DeclaredEncoding::default(), TokenizerOpts::default());
    // The end is not signalled, because a tag that is cut there does not count.
    let _ = tokenizer.feed(&input);
    tokenizer.sink.0.get()
}

/// The first encoding that a meta declares.
#[derive(Default)]
struct DeclaredEncoding(Cell<Option<&'static Encoding>>);

impl TokenSink for DeclaredEncoding {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token
            && tag.kind == TagKind::StartTag
            && &*tag.name == "meta"
            && self.0.get().is_none()
        {
            let value = |name: &str| tag.attrs.iter().find(|own| &*own.name.local == name).map(|own| &*own.value);
            self.0.set(encoding_of_meta(value));
        }
        TokenSinkResult::Continue
    }
}

/// Returns the encoding that a meta with these values of attributes declares.
pub(in crate::audit) fn encoding_of_meta<'a>(value: impl Fn(&str) -> Option<&'a str>) -> Option<&'static Encoding> {
    match (value("charset"), value("http-equiv")) {
        (Some(label), _) => Encoding::for_label(label.as_bytes()),
        (None, Some(pragma)) if pragma.eq_ignore_ascii_case("content-type") => label_in(value("content")?),
        (None, _) => None,
    }
}

/// Returns the encoding of the first `charset=` in a content type ("extract a character encoding from a meta element").
fn label_in(content: &str) -> Option<&'static Encoding> {
    let lower = content.to_ascii_lowercase();
    let mut after_name = lower.split("charset").skip(1);
    let value = after_name.find_map(|rest| rest.trim_ascii_start().strip_prefix('='))?.trim_ascii_start();
    let label = match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split_once(quote)?.0,
        _ => value.split(|sign: char| sign.is_ascii_whitespace() || sign == ';').next()?,
    };
    Encoding::for_label(label.as_bytes())
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
            ("<script>write('<meta charset=koi8-r>')</script>", "KOI8-R"),
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
            "<link rel=stylesheet charset=koi8-r href=a.css>",
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
