//! Parses a sitemap or a sitemap index (sitemaps.org protocol) as XML with namespaces.
//!
//! Entities of a document type are reported and never expanded, so a file cannot grow during parsing.

use quick_xml::NsReader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, Event};
use quick_xml::name::ResolveResult;
use url::Url;

/// The most errors collected; a report shows a few of them.
const MOST_ERRORS: usize = 1_000;

/// A parsed sitemap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::audit) struct Sitemap {
    /// The name of the root element without its prefix.
    pub(in crate::audit) root: Option<String>,
    /// Number of `loc` elements.
    pub(in crate::audit) locations: usize,
    /// Errors in the XML and in the URLs.
    pub(in crate::audit) errors: Vec<String>,
}

/// The position in the XML tree, and the text of the current `loc`.
#[derive(Debug, Default)]
struct Position {
    /// The namespace of the root element; entries and their `loc` are in the same.
    namespace: Option<String>,
    depth: usize,
    /// Whether it is inside `url` or `sitemap`.
    in_entry: bool,
    location: Option<String>,
}

impl Sitemap {
    /// Parses a file. With `cut`, only its beginning was fetched, and an unexpected end is not an error.
    pub(in crate::audit) fn parse(text: &str, cut: bool) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let mut reader = NsReader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        let (mut sitemap, mut position) = (Self::default(), Position::default());
        loop {
            let taken = match reader.read_resolved_event() {
                Ok((_, Event::Eof)) => break,
                Ok((namespace, event)) => sitemap.take(&mut position, &namespace, &event),
                Err(error) => Err(error.to_string()),
            };
            if let Err(error) = taken {
                let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX).min(text.len());
                if !cut || at < text.len() {
                    let line = text[..text.floor_char_boundary(at)].matches('\n').count() + 1;
                    sitemap.errors.push(format!("the sitemap is not well-formed XML: {error} (line {line})"));
                }
                return sitemap;
            }
        }
        if position.depth > 0 && !cut {
            sitemap.errors.push("the sitemap is not well-formed XML: it ends inside an element".to_owned());
        }
        sitemap
    }

    /// Parses a text file with one URL per line (sitemaps.org, "other sitemap formats"); `None` if it is not one.
    pub(in crate::audit) fn of_lines(text: &str, cut: bool) -> Option<Self> {
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty());
        let mut lines: Vec<&str> = lines.collect();
        // The last line may be incomplete.
        lines.pop_if(|_| cut);
        let is_list = !lines.is_empty() && lines.iter().all(|line| Url::parse(line).is_ok_and(|url| url.has_host()));
        is_list.then(|| Self { locations: lines.len(), ..Self::default() })
    }

    /// Whether the root element is that of an RSS or Atom feed, which search engines also read.
    pub(in crate::audit) fn is_feed(&self) -> bool {
        matches!(self.root.as_deref(), Some("rss" | "feed" | "RDF"))
    }

    /// Whether the root element is `urlset` or `sitemapindex`.
    pub(in crate::audit) fn is_one(&self) -> bool {
        matches!(self.root.as_deref(), Some("urlset" | "sitemapindex"))
    }

    fn take(
        &mut self,
        position: &mut Position,
        namespace: &ResolveResult<'_>,
        event: &Event<'_>,
    ) -> Result<(), String> {
        match event {
            Event::Start(start) => {
                let namespace = match namespace {
                    ResolveResult::Bound(namespace) => Some(namespace.as_ref().to_owned()),
                    ResolveResult::Unbound => None,
                    ResolveResult::Unknown(prefix) => return Err(format!("the prefix {prefix} is not declared")),
                };
                let name = start.local_name();
                position.depth += 1;
                self.open(position, name.as_ref(), namespace);
            }
            Event::End(_) => {
                if let Some(location) = position.location.take_if(|_| position.depth == 3) {
                    self.close_location(location.trim());
                }
                position.depth = position.depth.saturating_sub(1);
                position.in_entry &= position.depth >= 2;
            }
            Event::Text(text) => position.push(&text.xml10_content()),
            Event::CData(text) => position.push(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                if position.location.is_some() {
                    position.push(&resolve(reference)?);
                }
            }
            // `expand_empty_elements` reports an empty element as start and end.
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Eof => {}
        }
        Ok(())
    }

    fn open(&mut self, position: &mut Position, name: &str, namespace: Option<String>) {
        let is_own = position.namespace == namespace;
        match position.depth {
            1 if self.root.is_none() => {
                self.root = Some(name.to_owned());
                position.namespace = namespace;
            }
            2 => position.in_entry = is_own && matches!(name, "url" | "sitemap"),
            // The image and video extensions have their own `loc`, in another namespace.
            3 if position.in_entry && is_own && name == "loc" => position.location = Some(String::new()),
            _ => {}
        }
    }

    fn close_location(&mut self, location: &str) {
        self.locations += 1;
        if self.errors.len() >= MOST_ERRORS {
            return;
        }
        if location.is_empty() {
            self.errors.push(format!("the <loc> number {} is empty", self.locations));
        } else if Url::parse(location).is_err() {
            self.errors.push(format!("{location} is not an absolute URL"));
        }
    }
}

impl Position {
    /// Appends text to the current `loc`; text of nested elements is ignored.
    fn push(&mut self, text: &str) {
        if let Some(location) = self.location.as_mut().filter(|_| self.depth == 3) {
            location.push_str(text);
        }
    }
}

/// Resolves a character reference or one of the five entities of XML.
pub(in crate::audit) fn resolve(reference: &BytesRef<'_>) -> Result<String, String> {
    let character = reference.resolve_char_ref().map_err(|error| error.to_string())?;
    let named = || resolve_predefined_entity(reference).map(str::to_owned);
    let text = character.map(String::from).or_else(named);
    text.ok_or_else(|| format!("the entity &{}; is not one of the five that XML has", &**reference))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    fn locations(inner: &str) -> (usize, Vec<String>) {
        let sitemap = Sitemap::parse(&format!("<urlset><url>{inner}</url></urlset>"), false);
        assert!(sitemap.is_one());
        (sitemap.locations, sitemap.errors)
    }

    #[test]
    fn addresses_are_unescaped_as_xml() {
        for loc in [
            "<loc>https://shop.example/tea</loc>",
            "<loc>\n  https://shop.example/tea\n</loc>",
            "<loc><![CDATA[https://shop.example/tea]]></loc>",
            "<loc>https://shop.example/?a=1&amp;b=2&#38;c=3</loc>",
            "<loc>https://shop.example/<!-- new -->tea</loc>",
            "<loc >https://shop.example/tea</loc >",
            "<!-- <loc>/old</loc> --><loc>https://shop.example/tea</loc>",
        ] {
            assert_eq!(locations(loc), (1, vec![]), "{loc}");
        }
        let (found, errors) = locations("<loc>/tea</loc>");
        assert_eq!((found, errors), (1, vec!["/tea is not an absolute URL".to_owned()]));
        for empty in ["<loc/>", "<loc> </loc>", "<loc><!-- x --></loc>"] {
            assert_eq!(locations(empty), (1, vec!["the <loc> number 1 is empty".to_owned()]), "{empty}");
        }
        assert_eq!(locations("<lastmod>2026-01-01</lastmod><a><loc>/x</loc></a>"), (0, vec![]));
    }

    #[test]
    fn prefixes_are_resolved() {
        let own = "http://www.sitemaps.org/schemas/sitemap/0.9";
        let image = "http://www.google.com/schemas/sitemap-image/1.1";
        let prefixed = format!(
            "<?xml version='1.0'?><s:urlset xmlns:s='{own}'><s:url><s:loc>https://shop.example/</s:loc></s:url></s:urlset>"
        );
        let sitemap = Sitemap::parse(&prefixed, false);
        assert_eq!((sitemap.is_one(), sitemap.locations, sitemap.errors), (true, 1, vec![]));
        let with_images = format!(
            "<urlset xmlns='{own}' xmlns:i='{image}'><url><loc>https://shop.example/</loc>\
             <i:image><i:loc>/a.png</i:loc></i:image><i:loc>/b.png</i:loc></url></urlset>"
        );
        let sitemap = Sitemap::parse(&with_images, false);
        assert_eq!((sitemap.locations, sitemap.errors), (1, vec![]));
        let (_, errors) = locations("<x:loc>https://shop.example/</x:loc>");
        assert_eq!(errors, ["the sitemap is not well-formed XML: the prefix x is not declared (line 1)"]);
        assert!(
            Sitemap::parse("<sitemapindex><sitemap><loc>https://a.example/</loc></sitemap></sitemapindex>", false)
                .is_one()
        );
    }

    #[test]
    fn broken_xml_is_an_error_unless_only_its_beginning_was_fetched() {
        for text in [
            "<urlset>\n<url><loc>https://shop.example/</url></urlset>",
            "<urlset>\n<url><loc>https://shop.example/</loc></url>",
            "<urlset>\n<url><loc>https://shop.example/</lo",
            "<urlset>\n<url><loc>https://shop.example/?a&b</loc></url></urlset>",
            "<!DOCTYPE x [<!ENTITY a 'https://shop.example/'>]><urlset>\n<url><loc>&a;</loc></url></urlset>",
        ] {
            let sitemap = Sitemap::parse(text, false);
            assert_eq!(sitemap.errors.len(), 1, "{text}: {:?}", sitemap.errors);
            assert!(sitemap.errors[0].starts_with("the sitemap is not well-formed XML: "), "{:?}", sitemap.errors);
        }
        for text in [
            "<urlset><url><loc>https://shop.example/</loc></url><ur",
            "<urlset><url><loc>https://shop.ex",
            "<urlset><url>",
        ] {
            assert_eq!(Sitemap::parse(text, true).errors, Vec::<String>::new(), "{text}");
        }
        for text in ["", "no XML", "{}", "<html>none</html>"] {
            assert!(!Sitemap::parse(text, false).is_one(), "{text}");
        }
    }

    #[test]
    fn an_entity_bomb_is_not_expanded() {
        let mut text = String::from("<!DOCTYPE x [<!ENTITY a0 'tea'>");
        for level in 1..30 {
            let former = format!("&a{};", level - 1).repeat(10);
            let _ = write!(text, "<!ENTITY a{level} '{former}'>");
        }
        text += "]><urlset><url><loc>&a29;</loc></url></urlset>";
        let sitemap = Sitemap::parse(&text, false);
        assert_eq!((sitemap.locations, sitemap.errors.len()), (0, 1));
        let many = format!("<urlset>{}</urlset>", "<url><loc>x</loc></url>".repeat(2 * MOST_ERRORS));
        let sitemap = Sitemap::parse(&many, false);
        assert_eq!((sitemap.locations, sitemap.errors.len()), (2 * MOST_ERRORS, MOST_ERRORS));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(pieces in proptest::collection::vec("(<urlset>|<url>|<loc>|</loc>|</url>|<x:loc>|&amp;|&#0;|&#x110000;|&x;|<!--|-->|<!\\[CDATA\\[|\\]\\]>|<\\?|\\?>|[a-zü &<>])", 0..40)) {
            for cut in [false, true] {
                let _ = Sitemap::parse(&pieces.concat(), cut);
            }
        }
    }
}
