//! What the stylesheets of a page load and hide. Not a parser of CSS: it finds addresses, and the rules that hide
//! elements.

use std::collections::HashSet;

use crate::audit::page::element::Element;
use crate::audit::page::tree::{PageTree, is_hiding};

/// Returns a style without its comments. None begins in quotes or in an address (CSS Syntax 3, 4.3).
pub(in crate::audit) fn without_comments(css: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(css.len()), css);
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let is_bare_address = || {
            let address =
                rest.get(..4).filter(|name| name.eq_ignore_ascii_case("url(")).map(|_| rest[4..].trim_start());
            address.is_some_and(|address| !address.starts_with(['"', '\'']))
        };
        let part = match first {
            '/' if after.starts_with('*') => {
                rest = after[1..].split_once("*/").map_or("", |(_, after)| after);
                continue;
            }
            // Without an end quote, a text ends with its line.
            '"' | '\'' => after.find([first, '\n']).map_or(rest, |end| &rest[..end + 2]),
            'u' | 'U' if is_bare_address() => rest.find(')').map_or(rest, |end| &rest[..end]),
            _ => after.find(['/', '"', '\'', 'u', 'U']).map_or(rest, |end| &rest[..end + first.len_utf8()]),
        };
        kept.push_str(part);
        rest = &rest[part.len()..];
    }
    kept
}

/// Returns the addresses in `url(…)` of a style, and those of `@import` in quotes. That of a `@namespace` is only a name.
pub(in crate::audit) fn addresses_of_style(css: &str) -> impl Iterator<Item = &str> {
    let mut pieces = split_in_any_case(css, "url(").into_iter();
    let mut before = pieces.next().unwrap_or_default();
    let addresses = pieces.filter_map(move |piece| {
        let statement = std::mem::replace(&mut before, piece).rsplit([';', '{', '}']).next().unwrap_or_default();
        let is_name = statement.to_ascii_lowercase().contains("@namespace");
        (!is_name).then(|| piece.split(')').next().unwrap_or_default())
    });
    let imports = split_in_any_case(css, "@import").into_iter().skip(1).filter_map(|rest| {
        let quoted = rest.trim_start().strip_prefix(['"', '\''])?;
        quoted.split(['"', '\'']).next()
    });
    addresses.map(|address| address.trim().trim_matches(['"', '\''])).chain(imports)
}

/// Splits a text at a word in lower case, whatever its case in the text.
fn split_in_any_case<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let lower = text.to_ascii_lowercase();
    let mut start = 0;
    let mut pieces: Vec<&str> = Vec::new();
    for (at, _) in lower.match_indices(word) {
        pieces.push(&text[start..at]);
        start = at + word.len();
    }
    pieces.push(&text[start..]);
    pieces
}

/// The classes, ids and names of elements that a style of the page hides, perhaps only in some states or on some
/// screens.
pub(in crate::audit) struct HiddenByStyle {
    /// As in a selector: `.menu`, `#menu`, `nav`.
    subjects: HashSet<String>,
}

impl HiddenByStyle {
    /// Reads the `style` elements of a page. External stylesheets are not downloaded.
    pub(in crate::audit) fn of(tree: &PageTree) -> Self {
        let mut subjects = HashSet::new();
        for css in tree.named("style").map(|style| without_comments(&tree.raw_text_of(style))) {
            // The innermost blocks are declarations; those around them are conditions or other rules.
            for (before, declarations) in css.split('}').filter_map(|piece| piece.rsplit_once('{')) {
                let selectors = before.rsplit(['{', ';']).next().unwrap_or_default();
                if is_hiding(declarations) {
                    subjects.extend(selectors.split(',').filter_map(subject_of).map(str::to_owned));
                }
            }
        }
        Self { subjects }
    }

    /// Whether a rule may hide the element.
    pub(in crate::audit) fn may_hide(&self, element: &Element) -> bool {
        let has = |subject: &str| self.subjects.contains(subject);
        let mut classes = element.attribute("class").unwrap_or_default().split_ascii_whitespace();
        !self.subjects.is_empty()
            && (has(&element.name)
                || element.attribute("id").is_some_and(|id| has(&format!("#{id}")))
                || classes.any(|class| has(&format!(".{class}")))
                || (has("[aria-hidden") && element.attribute("aria-hidden").is_some()))
    }
}

/// Returns the last class or id of the element that a selector selects, such as `.menu` of `nav > ul.menu:not(.open)`,
/// or its name if it has neither. `None` for parts such as `::before` and for any element with an attribute, except
/// `aria-hidden`.
fn subject_of(selector: &str) -> Option<&str> {
    let compound = selector.trim().rsplit([' ', '\t', '\n', '>', '+', '~']).next()?;
    if compound.contains("::") || compound.ends_with(":before") || compound.ends_with(":after") {
        return None;
    }
    let simple = compound.split([':', '[']).next()?;
    match simple.rfind(['.', '#']) {
        Some(at) => Some(&simple[at..]),
        None if simple.is_empty() => compound.starts_with("[aria-hidden").then_some("[aria-hidden"),
        None => Some(simple),
    }
}
