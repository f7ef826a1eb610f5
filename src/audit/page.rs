//! What one audit knows: how the page came, what the probes found, and the page itself, parsed once.
//!
//! Every check reads one [`Page`] and nothing else. Must not know which checks there are.

use encoding_rs::{Encoding, UTF_8};
use mime::Mime;
use url::Url;

use crate::audit::fetch::Answer;
use crate::audit::guard::names_this_machine;
use crate::audit::journey::Journey;
use crate::audit::limits::Limits;
use crate::audit::probes::Probes;
use crate::audit::tree::Tree;

/// How far into a page its encoding may be declared (HTML standard).
const ENCODING_PRESCAN: usize = 1024;

/// Where the encoding of a page was declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclaredBy {
    /// In the Content-Type header.
    Header,
    /// By a byte order mark.
    Mark,
    /// In a meta element among the first 1,024 bytes.
    Meta,
    /// Nowhere: it was guessed.
    Nobody,
}

/// Everything a check may look at.
#[derive(Debug, Clone)]
pub struct Page {
    /// The way to the page, and its answer.
    pub journey: Journey,
    /// What the probes found.
    pub probes: Probes,
    /// The source, decoded to text; empty where it is not HTML.
    pub source: String,
    /// The parsed page; `None` when what came is not HTML.
    pub tree: Option<Tree>,
    /// What a person reads.
    pub seen_text: String,
    /// Name of the encoding and who declared it.
    pub encoding: (&'static str, DeclaredBy),
}

impl Page {
    /// Parses what a journey brought home. Work of milliseconds: belongs on a blocking thread.
    pub(super) fn read(journey: Journey, limits: &Limits) -> Self {
        let (source, encoding) = match journey.answer() {
            Some(answer) if is_html(answer) => decode(answer),
            Some(_) | None => (String::new(), (UTF_8.name(), DeclaredBy::Nobody)),
        };
        let tree = journey.answer().filter(|answer| is_html(answer)).map(|_| Tree::parse(&source, limits));
        let seen_text = tree.as_ref().map(Tree::seen_text).unwrap_or_default();
        Self { journey, probes: Probes::default(), source, tree, seen_text, encoding }
    }

    /// A page as if it had come from the URL without any trouble: for measuring, and for trying checks.
    pub fn from_html(url: &Url, html: &str) -> Self {
        let answer = Answer::of_html(url, html);
        let journey = Journey { steps: Vec::new(), last: url.clone(), end: Ok(answer) };
        Self::read(journey, &Limits::default())
    }

    /// A page that nobody managed to parse.
    pub(super) fn unread(journey: Journey) -> Self {
        Self {
            journey,
            probes: Probes::default(),
            source: String::new(),
            tree: None,
            seen_text: String::new(),
            encoding: (UTF_8.name(), DeclaredBy::Nobody),
        }
    }

    /// True when the page itself names its icon.
    pub fn links_an_icon(&self) -> bool {
        self.tree.as_ref().is_some_and(|tree| tree.named("link").any(|link| link.names("rel", "icon")))
    }

    /// The answer, where there is one.
    pub fn answer(&self) -> Option<&Answer> {
        self.journey.answer()
    }

    /// The URL that the page came from in the end.
    pub fn url(&self) -> &Url {
        &self.journey.last
    }

    /// A header of the answer as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.answer()?.header(name)
    }

    /// All values of a header that may come more than once.
    pub fn header_values(&self, name: &str) -> Vec<&str> {
        let values = self.answer().map(|answer| answer.headers.get_all(name));
        values.into_iter().flatten().filter_map(|value| std::str::from_utf8(value.as_bytes()).ok()).collect()
    }

    /// True for a page of this machine over plain http: what needs a certificate does not apply to it.
    pub fn is_plain_loopback(&self) -> bool {
        self.url().scheme() == "http" && names_this_machine(self.url())
    }

    /// What relative addresses are relative to.
    pub fn base(&self) -> Url {
        let written = self.tree.as_ref().and_then(|tree| tree.named("base").find_map(|base| base.attribute("href")));
        written.and_then(|href| self.url().join(href.trim()).ok()).unwrap_or_else(|| self.url().clone())
    }

    /// The text of the title in the head, where there is one.
    pub fn title(&self) -> Option<String> {
        let tree = self.tree.as_ref()?;
        tree.named("title").next().map(|title| tree.text_of(title))
    }

    /// The contents of the metas of one name, as they are written.
    pub fn metas(&self, name: &str) -> Vec<&str> {
        let metas = self.tree.iter().flat_map(|tree| tree.named("meta"));
        let named = metas.filter(|meta| meta.keyword("name") == name);
        named.filter_map(|meta| meta.attribute("content")).map(str::trim).collect()
    }
}

fn is_html(answer: &Answer) -> bool {
    let Some(declared) = answer.header("content-type") else {
        // Without a type browsers look at the first bytes, and so do we.
        return answer.body.trim_ascii_start().starts_with(b"<");
    };
    let Ok(kind) = declared.parse::<Mime>() else { return declared.to_ascii_lowercase().starts_with("text/html") };
    kind.essence_str() == "text/html" || kind.essence_str() == "application/xhtml+xml"
}

/// The body as text: byte order mark before header before meta, as browsers do it.
fn decode(answer: &Answer) -> (String, (&'static str, DeclaredBy)) {
    let (encoding, by) = declared_encoding(answer);
    let (text, used, _) = encoding.decode(&answer.body);
    (text.into_owned(), (used.name(), by))
}

fn declared_encoding(answer: &Answer) -> (&'static Encoding, DeclaredBy) {
    if let Some((encoding, _)) = Encoding::for_bom(&answer.body) {
        return (encoding, DeclaredBy::Mark);
    }
    let header = answer.header("content-type").and_then(|value| label_after(value.as_bytes(), b"charset"));
    if let Some(encoding) = header {
        return (encoding, DeclaredBy::Header);
    }
    let start = &answer.body[..answer.body.len().min(ENCODING_PRESCAN)];
    let lower = start.to_ascii_lowercase();
    for tag in lower.split(|byte| *byte == b'<').filter(|tag| tag.starts_with(b"meta")) {
        let inside = tag.split(|byte| *byte == b'>').next().unwrap_or_default();
        if let Some(encoding) = label_after(inside, b"charset") {
            // Whoever could read this meta byte by byte has no UTF-16 before him (HTML standard).
            let is_wide = encoding == encoding_rs::UTF_16LE || encoding == encoding_rs::UTF_16BE;
            return (if is_wide { UTF_8 } else { encoding }, DeclaredBy::Meta);
        }
    }
    (UTF_8, DeclaredBy::Nobody)
}

/// The encoding named after `word =`, with or without quotes.
fn label_after(text: &[u8], word: &[u8]) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let at = lower.windows(word.len()).position(|window| window == word)?;
    let rest = lower[at + word.len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.trim_ascii_start();
    let rest = match rest.first() {
        Some(b'"' | b'\'') => &rest[1..],
        Some(_) | None => rest,
    };
    let end = rest.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"-_:.".contains(byte)));
    Encoding::for_label(&rest[..end.unwrap_or(rest.len())])
}
