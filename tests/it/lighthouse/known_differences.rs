//! Differences with a known reason: page, audit, our verdict, and the standard or rule behind it.
//!
//! An entry that no page needs fails the comparison.

/// An explained difference, or a family of them.
pub struct Explained {
    /// The page's name; a trailing star matches any ending.
    pub page: &'static str,
    /// Lighthouse's audit.
    pub audit: &'static str,
    /// Our check's verdict.
    pub ours: Option<bool>,
    /// The standard, search engine documentation or rule of our check that explains it.
    pub why: &'static str,
}

const fn explained(page: &'static str, audit: &'static str, ours: Option<bool>, why: &'static str) -> Explained {
    Explained { page, audit, ours, why }
}

const LIMITED_QUIRKS: &str = "DOM standard, 4.5: limited-quirks is a mode of its own and no quirks mode; our check doctype: \"no quirks \
    mode\"";
const SIGNS: &str = "our check link_text: the whole text is generic; signs around it say nothing either";
const EVERY_LINK: &str = "our check crawlable_links: every `a` has an href that resolves, no javascript:; only such links are \
    followed";
const IN_HEAD: &str = "HTML standard, 4.2.2: a title belongs into the head; our check title: \"one title in head\"";
const PRIVATE_TAGS: &str = "RFC 5646, 2.1 and 2.2.8: tags of private use and grandfathered tags are valid";
const REGISTERED: &str = "RFC 5646, 2.2.9: valid only with registered subtags, each in its place; Lighthouse looks at the first one \
    only";
const DEVICE_WIDTH: &str = "our check meta_viewport: \"width=device-width\", which a fixed width is not";
const LAST_VIEWPORT: &str =
    "CSS Device Adaptation, 9: each meta replaces what the one before said; Lighthouse reads the first";
const MARK: &str = "HTML standard, 13.2.3.2, and Encoding standard, 6: a byte order mark decides before anything else; \
    Lighthouse sees the text without it";
const UNKNOWN_LABEL: &str = "Encoding standard, 4.2: an unknown label is a failure, so nothing is declared";
const PRESCAN: &str = "HTML standard, 13.2.3.2, prescan: the bytes of a meta count before there is any tree";
const SUM_OF_RULES: &str = "Google Search Central, robots meta tag: the sum of all negative rules holds; our check noindex: no \
    noindex in any robots meta or X-Robots-Tag, Lighthouse passes while one robot of its list may";
const STYLESHEETS: &str = "our checks: what needs a browser is out of scope; a stylesheet of the page hides this part";
const SCRIPTS: &str = "our checks: what needs a browser is out of scope; a script of the page writes this part";
const MISSING_ID: &str =
    "WAI-ARIA 1.2, 6.2.4, ID reference: it refers to an element of the same document; axe asks a person to look";
const NAMED_ROBOT: &str = "RFC 9309, 2.2.1: the group of its own name binds a robot; our check robots: Googlebot and Bingbot \
    may, Lighthouse passes while one robot of its list may";
const TEXT_OF_IMAGES: &str = "WCAG technique H30: the alternative text of an image is text of its link";
const SET_OF_WORDS: &str = "HTML standard, 4.6.7: rel is a set of words, of which this is one";
const FIRST_ROLE: &str = "WAI-ARIA, \"Role Attribute\": role is a list of which the first known role counts, here none";
const EVERY_PURPOSE: &str = "WCAG 2.4.4: the purpose of each link, wherever it leads and whether robots follow it";

pub const EXPLAINED: &[Explained] = &[
    explained("debian-faq/*", "doctype", Some(true), LIMITED_QUIRKS),
    explained("debian-faq-de/*", "doctype", Some(true), LIMITED_QUIRKS),
    explained("debian-faq-ja/*", "doctype", Some(true), LIMITED_QUIRKS),
    explained("debian-faq-ru/*", "doctype", Some(true), LIMITED_QUIRKS),
    explained("hard/doctype-loose", "doctype", Some(true), LIMITED_QUIRKS),
    explained("hard/doctype-xhtml", "doctype", Some(true), LIMITED_QUIRKS),
    explained("hard/image-role-list", "image-alt", Some(true), FIRST_ROLE),
    explained(
        "python3-doc/*",
        "canonical",
        Some(false),
        "RFC 6596, 3: the target stands for the page elsewhere; a file: address names nothing on the web",
    ),
    explained(
        "hard/canonical-of-scheme",
        "canonical",
        Some(false),
        "our check canonical: a valid web address; robots of search engines ask by http only",
    ),
    explained(
        "sqlite3-doc/index.html",
        "image-alt",
        Some(true),
        "our checks: what needs a browser is out of scope; a script of the page writes these images",
    ),
    explained("sqlite3-doc/index.html", "link-text", Some(false), SIGNS),
    explained("hard/text-with-sign", "link-text", Some(false), SIGNS),
    explained("ghostscript-doc/News.html", "crawlable-anchors", Some(false), EVERY_LINK),
    explained("hard/link-without-href", "crawlable-anchors", Some(false), EVERY_LINK),
    explained("hard/link-script", "crawlable-anchors", Some(false), EVERY_LINK),
    explained("hard/title-in-body", "document-title", Some(false), IN_HEAD),
    explained("hard/language-on-body", "document-title", Some(false), IN_HEAD),
    explained(
        "hard/description-second-filled",
        "meta-description",
        Some(true),
        "HTML standard, 4.2.5.1: one description; our check fails too, for the two that differ, which \
         Lighthouse does not compare",
    ),
    explained("hard/language-private", "html-lang-valid", Some(true), PRIVATE_TAGS),
    explained("hard/language-grandfathered", "html-lang-valid", Some(true), PRIVATE_TAGS),
    explained("hard/language-country-alone", "html-lang-valid", Some(false), REGISTERED),
    explained("hard/language-no-such-country", "html-lang-valid", Some(false), REGISTERED),
    explained("hard/hreflang-no-such-country", "hreflang", Some(false), REGISTERED),
    explained(
        "hard/viewport-shouted",
        "viewport",
        Some(true),
        "CSS Device Adaptation, 9: properties are recognised in any case, as browsers do",
    ),
    explained("hard/viewport-twice", "viewport", Some(true), LAST_VIEWPORT),
    explained("hard/viewport-fixed", "viewport", Some(false), DEVICE_WIDTH),
    explained(
        "hard/viewport-small-scale",
        "viewport",
        Some(true),
        "our check meta_viewport: width=device-width is all that is asked for",
    ),
    explained(
        "hard/viewport-in-body",
        "viewport",
        Some(true),
        "HTML standard, 4.2.5: metadata is processed wherever the meta stands; browsers obey it",
    ),
    explained("hard/charset-mark", "charset", Some(true), MARK),
    explained("hard/charset-mark-and-late", "charset", Some(true), MARK),
    explained("hard/charset-unknown", "charset", Some(false), UNKNOWN_LABEL),
    explained("hard/charset-unknown-header", "charset", Some(false), UNKNOWN_LABEL),
    explained("hard/charset-in-script", "charset", Some(true), PRESCAN),
    explained("hard/charset-in-body", "charset", Some(true), PRESCAN),
    explained("hard/robots-googlebot-alone", "is-crawlable", Some(false), SUM_OF_RULES),
    explained("hard/robots-googlebot-allowed", "is-crawlable", Some(false), SUM_OF_RULES),
    explained("hard/robots-two-metas", "is-crawlable", Some(false), SUM_OF_RULES),
    explained("hard/robots-header-googlebot", "is-crawlable", Some(false), SUM_OF_RULES),
    explained(
        "hard/robots-in-body",
        "is-crawlable",
        Some(false),
        "HTML standard, 4.2.5: metadata holds wherever the meta stands; a robot that reads it there hides the \
         page",
    ),
    explained(
        "hard/robots-header-snippet",
        "is-crawlable",
        Some(false),
        "Google Search Central, robots meta tag: max-snippet is a rule, not the name of a robot",
    ),
    explained(
        "robots/broken",
        "is-crawlable",
        Some(false),
        "RFC 9309, 2.3.1.4: with a 5xx robots assume complete disallow",
    ),
    explained(
        "robots/dollar-inside",
        "robots-txt",
        Some(true),
        "RFC 9309, 2.2: the grammar of a path allows the sign anywhere",
    ),
    explained(
        "robots/unknown-field",
        "robots-txt",
        Some(true),
        "RFC 9309, 2.2.4: other records may be interpreted and do no harm",
    ),
    explained("python3-doc/*", "heading-order", Some(false), STYLESHEETS),
    explained("python3-doc/index.html", "link-name", Some(false), STYLESHEETS),
    explained("apache2-doc/es/howto/http2.html", "heading-order", Some(false), STYLESHEETS),
    explained("sqlite3-doc/*", "label", Some(false), STYLESHEETS),
    explained("sqlite3-doc/*", "select-name", Some(false), STYLESHEETS),
    explained("developers-reference-fr/*", "select-name", Some(true), SCRIPTS),
    explained("developers-reference-ja/*", "select-name", Some(true), SCRIPTS),
    explained("hard/button-labelled-by-nobody", "aria-valid-attr-value", Some(false), MISSING_ID),
    explained(
        "hard/image-button-none",
        "image-alt",
        Some(false),
        "WCAG technique H36: an image button needs a name too; Lighthouse has an audit of its own for it, which agrees",
    ),
    explained(
        "hard/skip-broken",
        "skip-link",
        Some(false),
        "WCAG 2.4.1 and technique G1: the link must lead to the content; axe judges links outside the screen only",
    ),
    explained(
        "hard/video-muted",
        "video-caption",
        Some(true),
        "WCAG 2.2, 1.2.2: captions are for what is heard, and this video is silent; axe asks a person to look",
    ),
    explained(
        "hard/csp-good",
        "robots-txt",
        Some(true),
        "RFC 9309, 2.3: a policy of the page does not bind robots; Lighthouse asks for the file from inside the page",
    ),
    explained("hard/csp-nonce-no-base", "csp-xss", None, "our check csp: a missing base-uri is a note"),
    explained(
        "hard/csp-eval",
        "csp-xss",
        Some(false),
        "CSP Level 3, 4.4 and 8.1: unsafe-eval lets texts become code; Lighthouse looks at injected elements only",
    ),
    explained(
        "hard/csp-hosts",
        "csp-xss",
        Some(true),
        "CSP Level 3, 2.3.1: a list of hosts is a policy; that some hosts serve foreign scripts is not in the page",
    ),
    explained("robots/closed-to-one", "is-crawlable", Some(false), NAMED_ROBOT),
    explained(
        "hard/text-french",
        "link-text",
        Some(false),
        "our check link_text: \"per language\"; Lighthouse has no French",
    ),
    explained("hard/text-of-image", "link-text", Some(false), TEXT_OF_IMAGES),
    explained("hard/text-and-image", "link-text", Some(true), TEXT_OF_IMAGES),
    explained(
        "hard/text-labelled",
        "link-text",
        Some(true),
        "WCAG technique ARIA8: aria-label says what the link is for",
    ),
    explained("hard/text-on-same-page", "link-text", Some(false), EVERY_PURPOSE),
    explained("hard/text-not-followed", "link-text", Some(false), EVERY_PURPOSE),
    explained("hard/text-of-mail", "link-text", Some(false), EVERY_PURPOSE),
    explained(
        "hard/canonical-root-with-query",
        "canonical",
        Some(true),
        "RFC 3986, 3.4: the query is part of what is named, so this is not the front page",
    ),
    explained("hard/canonical-with-other-word", "canonical", Some(false), SET_OF_WORDS),
    explained("hard/hreflang-of-feed", "hreflang", Some(false), SET_OF_WORDS),
    explained(
        "hard/canonical-language",
        "canonical",
        Some(true),
        "RFC 6596, 3, and our check canonical: another language of the page may be the canonical one",
    ),
];
