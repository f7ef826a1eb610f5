//! Classifies the scripts of a page: which ones run, and whether any may build the page.

use crate::audit::headers::content_type::ContentType;
use crate::audit::page::element::Element;
use crate::audit::page::tree::PageTree;

/// Types of classic scripts: none, and the JavaScript MIME types (MIME Sniffing standard, 4.6).
const JAVASCRIPT: [&str; 17] = [
    "",
    "application/ecmascript",
    "application/javascript",
    "application/x-ecmascript",
    "application/x-javascript",
    "text/ecmascript",
    "text/javascript",
    "text/javascript1.0",
    "text/javascript1.1",
    "text/javascript1.2",
    "text/javascript1.3",
    "text/javascript1.4",
    "text/javascript1.5",
    "text/jscript",
    "text/livescript",
    "text/x-ecmascript",
    "text/x-javascript",
];
/// Fragments of scripts for analytics, advertisements or consent, which do not build the page.
const UTILITY_SCRIPTS: [&str; 14] = [
    "googletagmanager.com",
    "google-analytics.com",
    "googlesyndication.com",
    "gtag(",
    "datalayer",
    "matomo",
    "piwik",
    "plausible",
    "cloudflareinsights",
    "hotjar",
    "fbevents",
    "clarity.ms",
    "cookieconsent",
    "cookiebot",
];

/// Whether browsers run a script as a classic script.
pub(in crate::audit) fn is_classic(script: &Element) -> bool {
    JAVASCRIPT.contains(&ContentType::essence_of(script.attribute("type").unwrap_or_default()).as_str())
}

/// Whether browsers run a script at all.
pub(in crate::audit) fn is_program(script: &Element) -> bool {
    is_classic(script) || script.keyword("type") == "module"
}

/// Whether some script may add content to the page: any that is not known to have another purpose.
pub(in crate::audit) fn can_build_the_page(tree: &PageTree) -> bool {
    tree.named("script").filter(|script| is_program(script)).any(|script| {
        let code = match script.attribute("src") {
            Some(address) => address.to_ascii_lowercase(),
            None => tree.raw_text_of(script).trim().to_ascii_lowercase(),
        };
        !code.is_empty() && !UTILITY_SCRIPTS.iter().any(|fragment| code.contains(fragment))
    })
}
