//! What the scripts of a page are for, as far as the HTML tells.

use crate::audit::headers::content_type::ContentType;
use crate::audit::page::tree::{Element, PageTree};

/// Types of classic scripts: none, and the JavaScript MIME types (MIME Sniffing standard, 4.6).
const JAVASCRIPT: [&str; 6] = [
    "",
    "text/javascript",
    "text/ecmascript",
    "application/javascript",
    "application/ecmascript",
    "application/x-javascript",
];
/// Parts of scripts that count visitors, show advertisements or ask for consent. They build no page.
const SERVANTS: [&str; 14] = [
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

/// Whether browsers run a script as a classic one.
pub(in crate::audit) fn is_classic(script: &Element) -> bool {
    JAVASCRIPT.contains(&ContentType::essence_of(script.attribute("type").unwrap_or_default()).as_str())
}

/// Whether browsers run a script at all.
pub(in crate::audit) fn is_program(script: &Element) -> bool {
    is_classic(script) || script.keyword("type") == "module"
}

/// Whether some script may put content into the page: any that is not known for something else.
pub(in crate::audit) fn can_build_the_page(tree: &PageTree) -> bool {
    tree.named("script").filter(|script| is_program(script)).any(|script| {
        let code = match script.attribute("src") {
            Some(address) => address.to_ascii_lowercase(),
            None => tree.raw_text_of(script).trim().to_ascii_lowercase(),
        };
        !code.is_empty() && !SERVANTS.iter().any(|servant| code.contains(servant))
    })
}
