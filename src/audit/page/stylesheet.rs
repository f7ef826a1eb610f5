//! What the stylesheets of a page load and hide. Not a parser of CSS: it finds addresses, and the rules that hide
//! elements.

use std::collections::{HashMap, HashSet};

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

/// The classes, ids and names of elements that a style of the page hides.
pub(in crate::audit) struct HiddenByStyle {
    /// As in a selector: `.menu`, `#menu`, `nav`. True if the page hides it in all states and on all screens.
    subjects: HashMap<String, bool>,
}

impl HiddenByStyle {
    /// Reads the `style` elements of a page. External stylesheets are not downloaded.
    pub(in crate::audit) fn of(tree: &PageTree) -> Self {
        let (mut subjects, mut shown) = (HashMap::new(), HashSet::new());
        for style in tree.named("style") {
            let css = without_comments(&tree.raw_text_of(style));
            let is_for_screens = matches!(style.keyword("media").as_str(), "" | "all" | "screen");
            let mut conditions = 0_usize;
            // The innermost blocks are declarations; those around them are conditions or other rules.
            for piece in css.split('}') {
                let Some((before, declarations)) = piece.rsplit_once('{') else {
                    conditions = conditions.saturating_sub(1);
                    continue;
                };
                conditions += before.matches('{').count();
                let selectors = before.rsplit(['{', ';']).next().unwrap_or_default().split(',');
                if is_hiding(declarations) {
                    for (selector, subject) in selectors.filter_map(|one| Some((one.trim(), subject_of(one)?))) {
                        let is_animated = declarations.contains("animation");
                        let is_always = is_for_screens && conditions == 0 && !is_animated && selector == subject;
                        *subjects.entry(subject.to_owned()).or_default() |= is_always;
                    }
                } else if ["display", "visibility"].iter().any(|property| declarations.contains(property)) {
                    let words = selectors.flat_map(|one| compound_of(one).split(['.', '#', ':', '[']));
                    shown.extend(words.map(str::to_owned));
                }
            }
        }
        for (subject, is_always) in &mut subjects {
            *is_always &= !shown.contains(subject.trim_start_matches(['.', '#']));
        }
        Self { subjects }
    }

    /// Whether a rule may hide the element, perhaps only in some states or on some screens.
    pub(in crate::audit) fn may_hide(&self, element: &Element) -> bool {
        self.rules_for(element).next().is_some()
    }

    /// Whether a rule hides the element in all states and on all screens.
    pub(in crate::audit) fn always_hides(&self, element: &Element) -> bool {
        self.rules_for(element).any(|is_always| is_always)
    }

    /// Returns the elements that assistive technology finds: those that are not hidden, nor inside one that a rule hides
    /// in all states and on all screens.
    pub(in crate::audit) fn reachable(self, tree: &PageTree) -> impl Iterator<Item = &Element> {
        let mut hidden_until = 0;
        // A page that is hidden as a whole is shown by a script later.
        let is_page = |element: &Element| matches!(&*element.name, "html" | "body");
        tree.elements.iter().filter(move |element| {
            let is_inside = element.index() < hidden_until;
            if !is_inside && !is_page(element) && self.always_hides(element) {
                hidden_until = element.inside.end;
            }
            element.index() >= hidden_until && !element.hidden
        })
    }

    /// Returns for each class, id and name of the element that a rule hides whether the page always hides it.
    fn rules_for(&self, element: &Element) -> impl Iterator<Item = bool> {
        let classes = element.attribute("class").unwrap_or_default().split_ascii_whitespace();
        let id = element.attribute("id").map(|id| format!("#{id}"));
        let aria_hidden = element.attribute("aria-hidden").map(|_| "[aria-hidden".to_owned());
        let subjects = classes.map(|class| format!(".{class}")).chain(id).chain(aria_hidden);
        std::iter::once(element.name.to_string())
            .chain(subjects)
            .filter_map(|subject| self.subjects.get(&subject).copied())
    }
}

/// Returns the last class or id of the element that a selector selects, such as `.menu` of `nav > ul.menu:not(.open)`,
/// or its name if it has neither. `None` for parts such as `::before` and for any element with an attribute, except
/// `aria-hidden`.
fn subject_of(selector: &str) -> Option<&str> {
    let compound = compound_of(selector);
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

/// Returns the part of a selector that describes the selected element.
fn compound_of(selector: &str) -> &str {
    selector.trim().rsplit([' ', '\t', '\n', '>', '+', '~']).next().unwrap_or_default()
}
