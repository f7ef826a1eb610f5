//! The files of the sample sites in their current and earlier versions, and how each is served.

use std::time::Duration;

use super::pages::{TEA_HOUSE, TEA_SHOP};

/// Which headers a page is sent with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// Compressed, with all recommended headers.
    Careful,
    /// Neither compressed nor protected.
    Careless,
    /// Like `Careless`, with headers that reveal the software behind the page.
    Talkative,
}

/// A file of the sites and how it is served.
#[derive(Debug, Clone, Copy)]
pub(super) struct File {
    /// The first label of its host; `None` for files of both sites.
    host: Option<&'static str>,
    pub(super) path: &'static str,
    pub(super) kind: &'static str,
    pub(super) text: &'static str,
    pub(super) status: u16,
    pub(super) care: Care,
    pub(super) delay: Duration,
    /// Served while the version of the sites is below this.
    before: usize,
}

pub(super) const HTML: &str = "text/html; charset=utf-8";
const NO_DELAY: Duration = Duration::ZERO;
/// Long enough for the response time check to fail.
const SLOW: Duration = Duration::from_millis(1_200);

const fn html(path: &'static str, text: &'static str, care: Care) -> File {
    File { host: Some(TEA_HOUSE), path, kind: HTML, text, status: 200, care, delay: NO_DELAY, before: usize::MAX }
}

const fn shop(path: &'static str, text: &'static str, care: Care) -> File {
    File { host: Some(TEA_SHOP), ..html(path, text, care) }
}

const fn earlier(before: usize, file: File) -> File {
    File { before, ..file }
}

const fn other(path: &'static str, kind: &'static str, text: &'static str) -> File {
    File { host: None, kind, ..html(path, text, Care::Careful) }
}

/// All files, those of earlier versions first.
const FILES: &[File] = &[
    earlier(1, html("/green-tea", include_str!("../../../assets/sample/earlier/green-tea.html"), Care::Careless)),
    earlier(2, html("/black-tea", include_str!("../../../assets/sample/earlier/black-tea.html"), Care::Careless)),
    earlier(2, html("/catalogue", include_str!("../../../assets/sample/earlier/catalogue.html"), Care::Careful)),
    earlier(2, html("/broken-kettle", include_str!("../../../assets/sample/earlier/kettle.html"), Care::Careful)),
    earlier(1, shop("/gyokuro", include_str!("../../../assets/sample/earlier/gyokuro-1.html"), Care::Talkative)),
    earlier(2, shop("/gyokuro", include_str!("../../../assets/sample/earlier/gyokuro-2.html"), Care::Careless)),
    earlier(1, shop("/gift-cards", include_str!("../../../assets/sample/earlier/gift-cards.html"), Care::Careful)),
    earlier(2, shop("/checkout", include_str!("../../../assets/sample/earlier/checkout.html"), Care::Talkative)),
    shop("/", include_str!("../../../assets/sample/shop/index.html"), Care::Careful),
    shop("/gyokuro", include_str!("../../../assets/sample/shop/gyokuro.html"), Care::Careful),
    shop("/gift-cards", include_str!("../../../assets/sample/shop/gift-cards.html"), Care::Careless),
    shop("/teapots", include_str!("../../../assets/sample/shop/teapots.html"), Care::Careless),
    shop("/cart", include_str!("../../../assets/sample/shop/cart.html"), Care::Talkative),
    shop("/checkout", include_str!("../../../assets/sample/shop/checkout.html"), Care::Careless),
    shop("/spring-market", include_str!("../../../assets/sample/shop/spring-market.html"), Care::Careful),
    shop("/winter-sale", include_str!("../../../assets/sample/shop/winter-sale.html"), Care::Careless),
    html("/", include_str!("../../../assets/sample/index.html"), Care::Careful),
    html("/green-tea", include_str!("../../../assets/sample/green-tea.html"), Care::Careful),
    html("/black-tea", include_str!("../../../assets/sample/black-tea.html"), Care::Careful),
    html("/tea-ceremony", include_str!("../../../assets/sample/tea-ceremony.html"), Care::Careful),
    html("/members", include_str!("../../../assets/sample/members.html"), Care::Careful),
    html("/secret/recipes", include_str!("../../../assets/sample/recipes.html"), Care::Careful),
    html("/catalogue", include_str!("../../../assets/sample/catalogue.html"), Care::Careless),
    html("/special_offers", include_str!("../../../assets/sample/special_offers.html"), Care::Careless),
    html("/weird-words", include_str!("../../../assets/sample/weird-words.html"), Care::Careless),
    html("/new_page_1", include_str!("../../../assets/sample/untitled.html"), Care::Talkative),
    html("/guestbook.html", include_str!("../../../assets/sample/guestbook.html"), Care::Talkative),
    File { delay: SLOW, ..html("/slow-brew", include_str!("../../../assets/sample/slow-brew.html"), Care::Careful) },
    File { status: 500, ..html("/broken-kettle", include_str!("../../../assets/sample/error.html"), Care::Careless) },
    other("/robots.txt", "text/plain; charset=utf-8", include_str!("../../../assets/sample/robots.txt")),
    other("/sitemap.xml", "application/xml", include_str!("../../../assets/sample/sitemap.xml")),
    other("/icon.svg", "image/svg+xml", include_str!("../../../assets/sample/icon.svg")),
    other("/style.css", "text/css; charset=utf-8", include_str!("../../../assets/sample/style.css")),
];

/// The placeholder for the site's address in its files.
pub(super) const ORIGIN: &str = "{origin}";

/// The body for all other paths, sent with status 404.
pub(super) const NOT_FOUND: &str = include_str!("../../../assets/sample/not-found.html");

/// Redirects: from, to.
pub(super) const REDIRECTS: [(&str, &str); 3] =
    [("/old-green-tea", "/teas/green"), ("/teas/green", "/greentea"), ("/greentea", "/green-tea")];

pub(super) const CAREFUL_HEADERS: [(&str, &str); 6] = [
    ("cache-control", "public, max-age=600"),
    ("content-security-policy", "default-src 'self'; object-src 'none'; frame-ancestors 'none'"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("vary", "Accept-Encoding"),
];
pub(super) const TALKATIVE_HEADERS: [(&str, &str); 3] =
    [("server", "Apache/1.3.4 (Unix)"), ("x-powered-by", "PHP/3.0"), ("set-cookie", "session=1; path=/")];

/// Finds the file that a site serves at a path in a version. Unknown hosts get the tea house.
pub(super) fn find(host: &str, path: &str, version: usize) -> Option<&'static File> {
    let of_shop = host.split('.').next() == Some(TEA_SHOP);
    let site = if of_shop { TEA_SHOP } else { TEA_HOUSE };
    let serves = |file: &&File| file.path == path && version < file.before && file.host.is_none_or(|host| host == site);
    FILES.iter().find(serves)
}
