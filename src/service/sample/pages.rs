//! The audited pages of the sample sites, the expected results, and their history.

/// The first label of the host of the tea house.
pub(super) const TEA_HOUSE: &str = "tea";
/// The first label of the host of the tea shop.
pub(super) const TEA_SHOP: &str = "shop";

/// The current version of the sites; earlier ones count from 0.
pub const PRESENT: usize = 2;

/// One page of the sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SamplePage {
    /// The first label of its host.
    pub host: &'static str,
    /// The path, with a query if the audit should request one.
    pub path: &'static str,
    /// good, decent or bad in each version. Tests audit every page and compare.
    pub expected: [&'static str; PRESENT + 1],
    /// What the page demonstrates.
    pub shows: &'static str,
}

const fn page(path: &'static str, expected: &'static str, shows: &'static str) -> SamplePage {
    SamplePage { host: TEA_HOUSE, path, expected: [expected; PRESENT + 1], shows }
}

const fn shop(path: &'static str, expected: &'static str, shows: &'static str) -> SamplePage {
    SamplePage { host: TEA_SHOP, ..page(path, expected, shows) }
}

const fn once(expected: [&'static str; PRESENT + 1], page: SamplePage) -> SamplePage {
    SamplePage { expected, ..page }
}

/// The pages to audit.
pub const PAGES: &[SamplePage] = &[
    page("/", "good", "no problems"),
    once(["decent", "good", "good"], page("/green-tea", "", "a product page with structured data")),
    once(["decent", "decent", "good"], page("/black-tea", "", "a product page")),
    page("/tea-ceremony", "good", "a sound page without extras"),
    once(["decent", "good", "good"], page("/old-green-tea", "", "three redirects before the page")),
    page("/slow-brew", "good", "a response that takes more than a second"),
    page("/members", "decent", "noindex on a page that is fine otherwise"),
    page("/secret/recipes", "decent", "disallowed by robots.txt"),
    once(["good", "good", "decent"], page("/catalogue", "", "unoptimised images and scripts")),
    page("/special_offers?week=12&sort=price", "decent", "a long title, an unreadable URL, no zoom"),
    page("/weird-words", "decent", "escape sequences, turned, wide and combining characters"),
    page("/new_page_1?session=4711&ref=home", "bad", "no title, no doctype, no language"),
    page("/guestbook.html", "bad", "a page of 1998"),
    once(["good", "good", "bad"], page("/broken-kettle", "", "status 500")),
    page("/sold-out", "bad", "status 404"),
    shop("/", "good", "the start of a second site"),
    once(["bad", "decent", "good"], shop("/gyokuro", "", "a page that was repaired twice")),
    once(["good", "decent", "decent"], shop("/gift-cards", "", "noindex that came with a release")),
    shop("/teapots", "decent", "images without dimensions, scripts that block"),
    shop("/cart?step=2", "bad", "no title, controls without names"),
    once(["bad", "bad", "good"], shop("/checkout", "", "a form that was rebuilt")),
    shop(WINTER_SALE, "decent", "a page that leaves the list"),
    shop(SPRING_MARKET, "good", "a page that is new to the list"),
];

/// The page that is deleted in the last step of the history.
const WINTER_SALE: &str = "/winter-sale";
/// The page that is created in the last step of the history.
const SPRING_MARKET: &str = "/spring-market";

/// One step of the history.
#[derive(Debug, Clone, Copy)]
pub struct HistoryStep {
    /// How many hours ago the step took place.
    pub hours_ago: i64,
    /// The version of the sites at that time.
    pub version: usize,
    /// Selects the pages whose reports are created.
    pub created: fn(&SamplePage) -> bool,
    /// The paths whose reports are re-run.
    pub rerun: &'static [&'static str],
    /// The paths whose reports are deleted.
    pub deleted: &'static [&'static str],
}

const STEP: HistoryStep = HistoryStep { hours_ago: 0, version: 0, created: |_| false, rerun: &[], deleted: &[] };

/// A week of history, oldest step first. After every step but the last, somebody looked at the list.
pub const HISTORY: &[HistoryStep] = &[
    HistoryStep { hours_ago: 168, created: |page| page.path != SPRING_MARKET, ..STEP },
    HistoryStep { hours_ago: 120, version: 1, rerun: &["/green-tea", "/old-green-tea", "/members"], ..STEP },
    HistoryStep { hours_ago: 70, version: 1, rerun: &["/gyokuro", "/gift-cards"], ..STEP },
    HistoryStep { hours_ago: 22, version: PRESENT, rerun: &["/black-tea", "/checkout"], ..STEP },
    HistoryStep {
        hours_ago: 2,
        version: PRESENT,
        created: |page| page.path == SPRING_MARKET,
        rerun: &["/catalogue", "/broken-kettle", "/gyokuro"],
        deleted: &[WINTER_SALE],
    },
];
