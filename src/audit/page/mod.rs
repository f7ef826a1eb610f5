//! A fetched and parsed page with its probes: the only input of a check.

pub(in crate::audit) mod element;
pub(in crate::audit) mod encoding;
pub(in crate::audit) mod file_kind;
pub(in crate::audit) mod head_links;
pub(in crate::audit) mod parser;
pub(in crate::audit) mod srcset;
pub(in crate::audit) mod stylesheet;
pub(in crate::audit) mod tree;
pub(in crate::audit) mod viewport;

use encoding_rs::UTF_8;
use url::Url;

use crate::audit::fetch::guard::names_this_machine;
use crate::audit::fetch::redirects::RedirectChain;
use crate::audit::fetch::response::HttpResponse;
use crate::audit::headers::content_type::ContentType;
use crate::audit::limits::AuditLimits;
use crate::audit::page::element::Element;
use crate::audit::page::encoding::{DeclaredBy, decode};
use crate::audit::page::file_kind::file_kind;
use crate::audit::page::parser::Syntax;
use crate::audit::page::tree::PageTree;
use crate::audit::probes::Probes;
use crate::audit::processor_time::ProcessorTimeExceeded;
use crate::domain::text::link_header::{HeaderLink, links};

/// Everything that a check may examine.
#[derive(Debug, Clone)]
pub struct AuditedPage {
    /// The redirects and the final response.
    pub redirects: RedirectChain,
    /// The responses of the probes.
    pub probes: Probes,
    /// The source as text; empty when it is not HTML.
    pub source: String,
    /// The parsed page; `None` when it is not HTML.
    pub tree: Option<PageTree>,
    /// The visible text.
    pub seen_text: String,
    /// Name of the encoding and where it was declared.
    pub encoding: (&'static str, DeclaredBy),
}

impl AuditedPage {
    /// Parses a response. Takes milliseconds, so it belongs on a blocking thread.
    pub(in crate::audit) fn read(chain: RedirectChain, limits: &AuditLimits) -> Result<Self, ProcessorTimeExceeded> {
        let (mut source, mut tree, mut encoding) = (String::new(), None, (UTF_8.name(), DeclaredBy::Nobody));
        if let Some((response, (syntax, charset))) =
            chain.response().and_then(|response| Some((response, syntax_of(response)?)))
        {
            (source, encoding) = decode(&response.body, charset.as_deref(), syntax, response.cut);
            tree = Some(PageTree::parse_as(&source, syntax, limits)?);
        }
        let seen_text = tree.as_ref().map(PageTree::seen_text).unwrap_or_default();
        Ok(Self { redirects: chain, probes: Probes::default(), source, tree, seen_text, encoding })
    }

    /// Builds a page from HTML without a request, for benches and tests.
    pub fn from_html(url: &Url, html: &str) -> Result<Self, ProcessorTimeExceeded> {
        Self::from_body(url, "text/html; charset=utf-8", html.as_bytes())
    }

    /// Builds a page from bytes of this Content-Type without a request, for benches and tests.
    pub fn from_body(url: &Url, content_type: &str, body: &[u8]) -> Result<Self, ProcessorTimeExceeded> {
        let response = HttpResponse::of_body(content_type, body);
        let chain = RedirectChain { hops: Vec::new(), last: url.clone(), result: Ok(response) };
        Self::read(chain, &AuditLimits::default())
    }

    /// Whether the page links an icon. Without an address the element is no link (HTML standard, 4.2.4).
    pub fn links_an_icon(&self) -> bool {
        let has_address = |link: &Element| link.attribute("href").is_some_and(|href| !href.trim().is_empty());
        let mut links = self.tree.iter().flat_map(|tree| tree.named("link"));
        links.any(|link| link.names("rel", "icon") && has_address(link))
    }

    /// Returns the final response, if any.
    pub fn response(&self) -> Option<&HttpResponse> {
        self.redirects.response()
    }

    /// Returns the URL after all redirects.
    pub fn url(&self) -> &Url {
        &self.redirects.last
    }

    /// Returns a header of the response as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response()?.header(name)
    }

    /// Returns all values of a header that may be repeated.
    pub fn header_values(&self, name: &str) -> Vec<&str> {
        let values = self.response().map(|response| response.headers.get_all(name));
        values.into_iter().flatten().filter_map(|value| std::str::from_utf8(value.as_bytes()).ok()).collect()
    }

    /// Returns the links in `Link` headers.
    pub(in crate::audit) fn header_links(&self) -> Vec<HeaderLink> {
        self.header_values("link").into_iter().flat_map(links).collect()
    }

    /// Whether the page is on this machine over plain http; checks of encryption do not apply to it.
    pub fn is_plain_loopback(&self) -> bool {
        self.url().scheme() == "http" && names_this_machine(self.url())
    }

    /// Returns the base URL of the page (HTML standard, "document base URL").
    pub fn base(&self) -> Url {
        let written = self.tree.as_ref().and_then(|tree| tree.named("base").find_map(|base| base.attribute("href")));
        written.and_then(|href| self.url().join(href.trim()).ok()).unwrap_or_else(|| self.url().clone())
    }

    /// Returns the text of the first title.
    pub fn title(&self) -> Option<String> {
        let tree = self.tree.as_ref()?;
        tree.named("title").next().map(|title| tree.text_of(title))
    }

    /// Returns the contents of all metas of one name in head and body, as browsers read them.
    pub fn metas(&self, name: &str) -> Vec<&str> {
        let metas = self.tree.iter().flat_map(|tree| tree.named("meta"));
        contents(metas, name)
    }

    /// Returns the contents of the metas of one name in the head, the only ones that search engines read.
    pub fn metas_in_head(&self, name: &str) -> Vec<&str> {
        let metas = self.tree.iter().flat_map(|tree| tree.named("meta").filter(|meta| tree.is_in_head(meta)));
        contents(metas, name)
    }
}

fn contents<'a>(metas: impl Iterator<Item = &'a Element>, name: &str) -> Vec<&'a str> {
    let is_named = |meta: &&Element| meta.attribute("name").is_some_and(|own| own.eq_ignore_ascii_case(name));
    metas.filter(is_named).filter_map(|meta| meta.attribute("content")).map(str::trim).collect()
}

/// Returns the syntax of a page and the charset of its Content-Type; `None` for types other than HTML and XHTML, and for
/// other files that are called so.
fn syntax_of(response: &HttpResponse) -> Option<(Syntax, Option<String>)> {
    let Some(declared) = content_type(response) else {
        // Without a type browsers sniff the first bytes (MIME Sniffing standard, 7).
        return response.body.trim_ascii_start().starts_with(b"<").then_some((Syntax::Html, None));
    };
    let syntax = match declared.essence.as_str() {
        "text/html" => Syntax::Html,
        "application/xhtml+xml" => Syntax::Xml,
        _ => return None,
    };
    file_kind(&response.body).is_none().then_some((syntax, declared.charset))
}

/// Returns the valid Content-Type of a response, if any.
pub(in crate::audit) fn content_type(response: &HttpResponse) -> Option<ContentType> {
    let values = response.headers.get_all("content-type").iter();
    ContentType::extract(values.filter_map(|value| std::str::from_utf8(value.as_bytes()).ok()))
}
