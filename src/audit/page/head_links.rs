//! The canonical URL and the alternate-language pages that a page names in its head and in `Link` headers.

use url::Url;

use crate::audit::page::AuditedPage;

/// A page in another language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternate {
    /// The language tag, or `x-default`.
    pub language: String,
    /// The URL as written, not resolved.
    pub href: String,
}

impl AuditedPage {
    /// Returns the canonical URLs as written. Links in the body do not count: they may be user content, and search
    /// engines ignore them.
    pub(in crate::audit) fn canonical_hrefs(&self) -> Vec<String> {
        let tags = self.tree.iter().flat_map(|tree| {
            let links = tree.named("link").filter(|link| link.names("rel", "canonical") && tree.is_in_head(link));
            // Without href the element is not a link (HTML standard, 4.2.4).
            links.filter_map(|link| link.attribute("href")).filter(|href| !href.is_empty())
        });
        let tags = tags.map(|href| href.trim().to_owned());
        let in_headers = self.header_links().into_iter().filter(|link| link.is("canonical")).map(|link| link.target);
        tags.chain(in_headers).collect()
    }

    /// Returns the first canonical URL without its fragment; `None` when it is not an absolute http or https URL.
    pub(in crate::audit) fn canonical_url(&self) -> Option<Url> {
        let url = Url::parse(self.canonical_hrefs().first()?).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| without_fragment(url))
    }

    /// Returns the pages in other languages; those without a language are left out.
    pub(in crate::audit) fn alternates(&self) -> Vec<Alternate> {
        let tags = self.tree.iter().flat_map(|tree| {
            let links = tree.named("link").filter(|link| link.names("rel", "alternate") && tree.is_in_head(link));
            links.filter_map(|link| Some((link.attribute("hreflang")?, link.attribute("href").unwrap_or_default())))
        });
        let in_headers = self.header_links().into_iter().filter(|link| link.is("alternate"));
        let in_headers =
            in_headers.filter_map(|link| Some((link.parameter("hreflang")?.to_owned(), link.target.clone())));
        let all = tags.map(|(language, href)| (language.to_owned(), href.to_owned())).chain(in_headers);
        let all = all
            .map(|(language, href)| Alternate { language: language.trim().to_owned(), href: href.trim().to_owned() });
        all.filter(|alternate| !alternate.language.is_empty()).collect()
    }
}

/// Returns the URL without its fragment, the part that a server sees.
pub(in crate::audit) fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}
