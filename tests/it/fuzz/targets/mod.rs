//! The fuzz targets: name (also the corpus folder), number of inputs in a normal run, dictionary, and the tested
//! function.

mod pages;
mod services;
mod stored;
mod typed;

/// A function of bytes whose assertions must hold for all inputs.
pub struct Target {
    pub name: &'static str,
    /// Number of random inputs in a normal run.
    #[allow(dead_code)] // guided runs have a time limit instead
    pub usual: usize,
    /// Tokens inserted into random inputs.
    #[allow(dead_code)] // guided runs find tokens by themselves
    pub words: &'static [&'static str],
    pub holds: fn(&[u8]),
}

/// All targets. To add one, add an entry here, a folder with a few small files to the corpus, and a test in
/// `tests/it/fuzz`.
pub const TARGETS: [Target; 12] = [
    Target {
        name: "lists",
        usual: 4_000,
        words: &["\"id\":", "\"url\":", "\"result\":", "\"results\":{\"title\":", "\"privacy\":2", "\"history\":[{"],
        holds: services::lists,
    },
    Target {
        name: "paging",
        usual: 4_000,
        words: &["\"next_cursor\":\"x\"", "\"next\":", "<?cursor=a>; rel=\"next\"", "\"total\":"],
        holds: services::paging,
    },
    Target {
        name: "address",
        usual: 8_000,
        words: &["http://", "localhost", "127.1", "@", "/api/v1", "xn--"],
        holds: services::address,
    },
    Target {
        name: "exports",
        usual: 1_000,
        words: &["\"url\":\"=1+1", "\"project\":\"<script>", "\"failed\":[\"|", "\"extra\":{\"a\":"],
        holds: services::exports,
    },
    Target {
        name: "filter",
        usual: 8_000,
        words: &[
            "url:",
            "result:bad",
            "privacy:",
            "check:",
            "state:new",
            "\"",
            "score:>=80",
            "age:<2w",
            "chec\u{212a}:",
        ],
        holds: typed::filter,
    },
    Target {
        name: "view_line",
        usual: 8_000,
        words: &["view ", "sort=", ":asc", ":desc", "columns=", "filter=\"", "score", "url", "result"],
        holds: typed::view,
    },
    Target {
        name: "config",
        usual: 2_000,
        words: &["[profiles.a]\n", "base_url = ", "key_command = ", "[keys]\n", "[look]\n", "\"\"\"", "'''", "[["],
        holds: typed::config,
    },
    Target {
        name: "page",
        usual: 250,
        words: &[
            "<title>",
            "<h1>",
            "<a href=",
            "<img alt=",
            "<link rel=canonical href=",
            "<script type=application/ld+json>",
        ],
        holds: pages::page,
    },
    Target {
        name: "encodings",
        usual: 800,
        words: &[
            "charset=",
            "utf-16le",
            "shift_jis",
            "iso-2022-jp",
            "<meta charset=",
            "<?xml encoding=\"",
            "x-user-defined",
        ],
        holds: pages::encodings,
    },
    Target {
        name: "robots",
        usual: 2_000,
        words: &["User-agent:", "Disallow: /", "Allow: *", "$\n", "Sitemap: "],
        holds: pages::robots,
    },
    Target {
        name: "report_page",
        usual: 400,
        words: &["\"outcome\":\"failed\"", "\"errors\":[\"", "</title>", "\"><script>", "javascript:", "&quot;", "-->"],
        holds: stored::report_page,
    },
    Target {
        name: "journal",
        usual: 400,
        words: &["url=", "score,", "\"text\":", "\"form\":", "{\"project\":", "snoozed", "2026-11-21T00:00:00Z"],
        holds: stored::journal,
    },
];

/// Returns the target with this name.
pub fn target(name: &str) -> &'static Target {
    let found = TARGETS.iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("no target {name}: {:?}", TARGETS.each_ref().map(|target| target.name)))
}
