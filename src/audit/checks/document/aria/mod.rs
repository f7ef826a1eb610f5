//! Checks of WAI-ARIA roles, states and properties.

mod attributes;
mod focus;

use std::collections::HashSet;

use crate::audit::accessible_name::roles::{is_known_role, role};
use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::aria::attributes::{required_by, value_error, value_type};
use crate::audit::checks::document::source_position::source_position;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::page::element::{Element, ScopedId};
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "aria_valid",
        importance: Importance::Medium,
        title: "Roles and ARIA attributes",
        rule: Rule::Tree(aria_valid),
        passes_when: "Known roles, known attributes with valid values, and ids that exist on the page.",
        remedy: "Use roles, attributes and values of WAI-ARIA, and refer to ids that exist.",
        why: "Screen readers skip what they do not know, or say something wrong.",
        source: "WAI-ARIA 1.2, 5.3 and 6.6; WCAG 2.2, 4.1.2",
    },
    CheckEntry {
        id: "aria_hidden_focus",
        importance: Importance::Medium,
        title: "Focus on hidden parts",
        rule: Rule::Tree(focus::aria_hidden_focus),
        passes_when: "Nothing inside an element with aria-hidden can receive focus; where a linked stylesheet may hide it, a note.",
        remedy: "Remove aria-hidden from elements with links, buttons or fields, or take those out of the tab order.",
        why: "People with a screen reader reach something that is not announced to them.",
        source: "WAI-ARIA 1.2, aria-hidden; WCAG 2.2, 4.1.2",
    },
];

/// The most ids of one attribute that are checked; real ones have one or two.
const MOST_IDS: usize = 16;

fn aria_valid(tree: &PageTree) -> CheckResult {
    let ids: HashSet<ScopedId<'_>> = tree.elements.iter().filter_map(Element::scoped_id).collect();
    let (mut count, mut errors) = (0_usize, Vec::new());
    for element in tree.elements.iter().filter(|element| !is_out_of_reach(element)) {
        let own = element.attributes.iter().filter(|(name, _)| name.starts_with("aria-"));
        count += own.clone().count();
        errors.extend(own.filter_map(|(name, value)| attribute_error(tree, element, name, value, &ids)));
        let Some(words) = element.attribute("role").filter(|words| !words.trim().is_empty()) else { continue };
        count += 1;
        errors.extend(role_error(tree, element, words));
    }
    CheckResult::of_parts(count, errors)
}

/// Whether assistive technology never reaches the element. An element with `aria-hidden` itself is still checked.
fn is_out_of_reach(element: &Element) -> bool {
    element.hidden && element.attribute("aria-hidden").is_none()
}

fn attribute_error(
    tree: &PageTree,
    element: &Element,
    name: &str,
    value: &str,
    ids: &HashSet<ScopedId<'_>>,
) -> Option<String> {
    let place = || source_position(tree, element);
    let Some(value_type) = value_type(name) else {
        return Some(format!("WAI-ARIA has no attribute {name}: {}", place()));
    };
    if let Some(expected) = value_error(value_type, value) {
        return Some(format!("{name}=\"{value}\" is not {expected}: {}", place()));
    }
    // Other attributes may refer to something that a script adds, such as a menu or the message of an error.
    let refers = name == "aria-labelledby";
    let mut named = value.split_ascii_whitespace().take(MOST_IDS).filter(|_| refers);
    let missing = named.find(|id| !ids.contains(&(element.shadow_root, *id)))?;
    Some(format!("{name} refers to #{missing}, which the page does not have: {}", place()))
}

fn role_error(tree: &PageTree, element: &Element, words: &str) -> Option<String> {
    if !words.split_ascii_whitespace().any(is_known_role) {
        return Some(format!("role=\"{}\" is not a role: {}", words.trim(), source_position(tree, element)));
    }
    let role = role(element)?;
    let needed = required_by(role).filter(|needed| element.attribute(needed).is_none())?;
    // Native HTML elements have these states implicitly.
    let is_native = matches!(
        &*element.name,
        "input" | "select" | "meter" | "progress" | "option" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
    );
    (!is_native).then(|| format!("role={role} needs {needed}: {}", source_position(tree, element)))
}
