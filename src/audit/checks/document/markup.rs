//! Checks of metadata and markup.

use std::collections::BTreeMap;

use encoding_rs::Encoding;
use serde_json::{Value, json};

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::source_position::source_position;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::headers::content_type::ContentType;
use crate::audit::page::AuditedPage;
use crate::audit::page::element::Element;
use crate::audit::page::encoding::{DeclaredBy, encoding_of_meta};
use crate::audit::page::parser::Syntax;
use crate::audit::page::tree::PageTree;
use crate::audit::page::viewport::Viewport;
use crate::audit::text::keywords::count_words;
use crate::domain::report::check::Importance;
use crate::domain::text::numbers::counted;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "structured_data",
        importance: Importance::Medium,
        title: "Structured data",
        rule: Rule::Tree(structured_data),
        passes_when: "Open Graph, JSON-LD, microdata or RDFa is present.",
        remedy: "Describe the page with Open Graph, JSON-LD, microdata or RDFa.",
        why: "Search engines cannot show prices, ratings or opening hours with the result.",
        source: "schema.org; ogp.me",
    },
    CheckEntry {
        id: "structured_data_valid",
        importance: Importance::Medium,
        title: "Valid structured data",
        rule: Rule::Tree(structured_data_valid),
        passes_when: "Every JSON-LD block parses, holds data and has an @context.",
        remedy: "Correct the JSON-LD: it must parse, hold data and have an @context.",
        why: "Search engines ignore what they cannot read, and show less of the page in their results.",
        source: "JSON-LD 1.1, 4.1: a @type is optional",
    },
    CheckEntry {
        id: "meta_viewport",
        importance: Importance::Medium,
        title: "Viewport",
        rule: Rule::Html(meta_viewport),
        passes_when: "A viewport meta sets width=device-width.",
        remedy: "Add a viewport meta with width=device-width.",
        why: "On a phone the page is tiny and must be zoomed to be read.",
        source: "MDN: viewport meta",
    },
    CheckEntry {
        id: "charset",
        importance: Importance::Medium,
        title: "Encoding",
        rule: Rule::Html(charset),
        passes_when: "The header, a byte order mark, or a meta in the first 1,024 bytes names the encoding, and the content is in it.",
        remedy: "Name the encoding of the file in the Content-Type header or in the first 1,024 bytes.",
        why: "Letters such as ä, é or € may appear as wrong characters.",
        source: "HTML standard: character encodings",
    },
    CheckEntry {
        id: "open_graph",
        importance: Importance::Low,
        title: "Open Graph",
        rule: Rule::Tree(open_graph),
        passes_when: "og:title, og:type, og:url and og:image, the image absolute.",
        remedy: "Add og:title, og:type, og:url and og:image with absolute addresses.",
        why: "Links to the page look bare in chats and social networks: without image and title.",
        source: "ogp.me: basic metadata",
    },
    CheckEntry {
        id: "content_length",
        importance: Importance::Low,
        title: "Length of the text",
        rule: Rule::Html(content_length),
        passes_when: "At least 500 words.",
        remedy: "Write at least 500 words.",
        why: "A page with little text answers few questions, and is found less often.",
        source: "Common practice for pages that should be found",
    },
    CheckEntry {
        id: "text_html_ratio",
        importance: Importance::Low,
        title: "Text and HTML",
        rule: Rule::Html(text_html_ratio),
        passes_when: "At least 10 % of the HTML is visible text.",
        remedy: "Make at least a tenth of the HTML visible text.",
        why: "Visitors load much that they never see.",
        source: "Common practice against bloated pages",
    },
    CheckEntry {
        id: "inline_css",
        importance: Importance::Low,
        title: "Style attributes",
        rule: Rule::Tree(inline_css),
        passes_when: "No style attribute.",
        remedy: "Move style attributes into a stylesheet.",
        why: "The page is larger than needed and its look is hard to change everywhere at once.",
        source: "CSS practice; needed for a strict policy",
    },
    CheckEntry {
        id: "deprecated_html_tags",
        importance: Importance::Low,
        title: "Obsolete elements",
        rule: Rule::Tree(deprecated_html_tags),
        passes_when: "No element that the HTML standard calls obsolete.",
        remedy: "Replace obsolete elements with CSS or their successors.",
        why: "Browsers may show such parts differently, or not at all.",
        source: "HTML standard: obsolete features",
    },
];

const FEWEST_WORDS: usize = 500;
/// The least share of text in the HTML, in per cent.
const LEAST_TEXT: usize = 10;
const OBSOLETE: [&str; 29] = [
    "acronym",
    "applet",
    "basefont",
    "bgsound",
    "big",
    "blink",
    "center",
    "dir",
    "font",
    "frame",
    "frameset",
    "isindex",
    "keygen",
    "listing",
    "marquee",
    "menuitem",
    "multicol",
    "nextid",
    "nobr",
    "noembed",
    "noframes",
    "param",
    "plaintext",
    "rb",
    "rtc",
    "spacer",
    "strike",
    "tt",
    "xmp",
];

/// Returns the contents of Open Graph metas that are not empty, by property. The first of several takes precedence
/// (ogp.me: arrays).
fn properties(tree: &PageTree) -> BTreeMap<String, &str> {
    let metas =
        tree.named("meta").filter_map(|meta| Some((meta.keyword("property"), meta.attribute("content")?.trim())));
    let mut properties = BTreeMap::new();
    for (name, value) in metas.filter(|(name, value)| name.starts_with("og:") && !value.is_empty()) {
        properties.entry(name).or_insert(value);
    }
    properties
}

/// Returns the sources of all JSON-LD blocks; their type may have parameters.
pub(in crate::audit) fn json_ld_blocks(tree: &PageTree) -> Vec<String> {
    let essence = |script: &Element| ContentType::essence_of(script.attribute("type").unwrap_or_default());
    let scripts = tree.named("script").filter(|script| essence(script) == "application/ld+json");
    scripts.map(|script| tree.raw_text_of(script)).collect()
}

/// Whether a JSON value holds no data.
pub(in crate::audit) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether the page has `RDFa`. `property` alone does not count, because Open Graph metas use it.
fn has_rdfa(tree: &PageTree) -> bool {
    let describes = |element: &Element| ["typeof", "vocab"].iter().any(|name| element.attribute(name).is_some());
    tree.elements.iter().any(describes)
}

fn structured_data(tree: &PageTree) -> CheckResult {
    let mut kinds = Vec::new();
    if !properties(tree).is_empty() {
        kinds.push("open graph");
    }
    let says_nothing =
        |block: &str| block.trim().is_empty() || serde_json::from_str(block).is_ok_and(|value| is_blank(&value));
    if !json_ld_blocks(tree).iter().all(|block| says_nothing(block)) {
        kinds.push("json-ld");
    }
    if tree.elements.iter().any(|element| element.attribute("itemscope").is_some()) {
        kinds.push("microdata");
    }
    if has_rdfa(tree) {
        kinds.push("rdfa");
    }
    CheckResult::when(!kinds.is_empty(), json!(kinds), || {
        "the page has no Open Graph metas, JSON-LD, microdata or RDFa".to_owned()
    })
}

fn structured_data_valid(tree: &PageTree) -> CheckResult {
    let blocks = json_ld_blocks(tree);
    let numbered = blocks.iter().enumerate().map(|(index, block)| (index + 1, block));
    let errors = numbered.flat_map(|(number, block)| {
        block_errors(block).into_iter().map(move |error| format!("JSON-LD block {number}: {error}"))
    });
    CheckResult::of_parts(blocks.len(), errors.collect())
}

fn block_errors(block: &str) -> Vec<String> {
    let value: Value = match serde_json::from_str(block) {
        Ok(value) if !is_blank(&value) => value,
        Err(error) if !block.trim().is_empty() => return vec![format!("it does not parse: {error}")],
        Ok(_) | Err(_) => return vec!["it is empty".to_owned()],
    };
    let items = value.as_array().cloned().unwrap_or_else(|| vec![value]);
    let errors = items.iter().filter_map(|item| match item.get("@context") {
        _ if !item.is_object() => Some("it is neither an object nor an array of objects".to_owned()),
        None => Some("it has no @context".to_owned()),
        Some(_) => None,
    });
    errors.collect()
}

fn meta_viewport(page: &AuditedPage, _: &PageTree) -> CheckResult {
    // Browsers use the last of several metas.
    let viewports = page.metas("viewport");
    let Some(viewport) = viewports.last() else {
        return CheckResult::failed(json!(null), "the page has no viewport meta");
    };
    CheckResult::when(Viewport::parse(viewport).fits_the_device(), json!(viewport), || {
        format!("the viewport meta {viewport:?} does not set width=device-width")
    })
}

fn charset(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let (name, declared_by) = page.encoding;
    let place = match declared_by {
        DeclaredBy::Header => "header",
        DeclaredBy::Mark => "mark",
        DeclaredBy::Meta => "meta",
        DeclaredBy::XmlDefault => "xml",
        DeclaredBy::XmlDeclaration if tree.syntax == Syntax::Xml => "xml declaration",
        DeclaredBy::XmlDeclaration => {
            let remark = "browsers use it, but the HTML standard does not allow it";
            return CheckResult::failed(name, format!("only an XML declaration names {name}; {remark}"));
        }
        DeclaredBy::Nobody => {
            let is_late = tree.named("meta").any(|meta| encoding_of_meta(|name| meta.attribute(name)).is_some());
            let error = if is_late {
                "the page names its encoding only after the first 1,024 bytes"
            } else {
                "the page does not name its encoding"
            };
            return CheckResult::failed(json!(null), error);
        }
    };
    match encoding_error(page, name, place) {
        Some(error) => CheckResult::failed(name, error),
        None => CheckResult::passed(json!({ "encoding": name, "declared_by": place })),
    }
}

/// Returns why the content does not fit its encoding: it has bytes without a meaning there, or it is UTF-8 of which each
/// byte is shown as a letter.
fn encoding_error(page: &AuditedPage, name: &str, place: &str) -> Option<String> {
    let response = page.response().filter(|response| !response.cut)?;
    let encoding = Encoding::for_label(name.as_bytes())?;
    // Tags that are readable as ASCII cannot be UTF-16.
    if name.starts_with("UTF-16") && response.is_html_page() {
        return Some(format!("the {place} declares {name}, but the page is not UTF-16: browsers show wrong letters"));
    }
    // The page may contain the replacement character itself.
    if page.source.contains(char::REPLACEMENT_CHARACTER) && encoding.decode(&response.body).2 {
        let shown = char::REPLACEMENT_CHARACTER;
        return Some(format!("the page is declared as {name}, but some of it is not: browsers show {shown} instead"));
    }
    let is_utf_8 = || !response.body.is_ascii() && std::str::from_utf8(&response.body).is_ok();
    let is_misread = encoding.is_single_byte() && is_utf_8();
    is_misread.then(|| format!("the {place} declares {name}, but the page is UTF-8: browsers show wrong letters"))
}

fn open_graph(tree: &PageTree) -> CheckResult {
    let properties = properties(tree);
    // Other names of the same address (ogp.me: structured properties).
    let image = ["og:image", "og:image:url", "og:image:secure_url"].into_iter().find_map(|name| properties.get(name));
    let missing = ["og:title", "og:type", "og:url"].into_iter().filter(|name| !properties.contains_key(*name));
    let missing = missing.chain(image.is_none().then_some("og:image"));
    let mut errors: Vec<String> = missing.map(|name| format!("{name} is missing")).collect();
    if let Some(image) = image.filter(|image| url::Url::parse(image).is_err()) {
        errors.push(format!("og:image is not absolute: {image}"));
    }
    CheckResult::from_errors(json!(properties), errors)
}

fn content_length(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let words = count_words(&page.seen_text);
    CheckResult::when(words >= FEWEST_WORDS, json!(words), || {
        format!("the page has {}, at least {FEWEST_WORDS} recommended", counted(words as u64, "word"))
    })
}

fn text_html_ratio(page: &AuditedPage, _: &PageTree) -> CheckResult {
    if page.source.is_empty() {
        return CheckResult::not_applicable();
    }
    let share = 100 * page.seen_text.len() / page.source.len();
    CheckResult::when(share >= LEAST_TEXT, json!(share), || {
        format!("{share} % of the HTML is text, at least {LEAST_TEXT} % recommended")
    })
}

fn inline_css(tree: &PageTree) -> CheckResult {
    let styled = tree.elements.iter().filter(|element| !element.foreign).filter_map(|element| {
        let style = element.attribute("style")?;
        let place = source_position(tree, element);
        // An element without other attributes is named by its style.
        let is_named_by_style = place.starts_with(&format!("<{} style=", element.name));
        Some(if is_named_by_style { place } else { format!("style=\"{style}\" on {place}") })
    });
    let errors: Vec<String> = styled.collect();
    CheckResult::from_errors(json!(errors.len()), errors)
}

fn deprecated_html_tags(tree: &PageTree) -> CheckResult {
    let counts: BTreeMap<&str, usize> =
        OBSOLETE.iter().map(|name| (*name, tree.named(name).count())).filter(|(_, count)| *count > 0).collect();
    let first = |name| tree.named(name).next().map(|element| source_position(tree, element)).unwrap_or_default();
    let errors = counts.iter().map(|(name, count)| format!("{count} × <{name}>, first {}", first(name))).collect();
    CheckResult::from_errors(json!(counts), errors)
}
