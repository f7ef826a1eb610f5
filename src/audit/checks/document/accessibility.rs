//! Checks of accessibility.

use std::collections::BTreeMap;

use serde_json::json;

use crate::audit::accessible_name::names::AccessibleNames;
use crate::audit::accessible_name::roles::{is_decoration, role};
use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::source_position::source_position;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::page::AuditedPage;
use crate::audit::page::element::{Element, ScopedId};
use crate::audit::page::stylesheet::HiddenByStyle;
use crate::audit::page::tree::PageTree;
use crate::audit::page::viewport::Viewport;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "zoom_allowed",
        importance: Importance::Medium,
        title: "Zoom",
        rule: Rule::Html(zoom_allowed),
        passes_when: "The viewport meta does not prevent zooming, and a maximum-scale is at least 2.",
        remedy: "Allow zooming: no user-scalable=no, no maximum-scale below 2.",
        why: "People with low vision must be able to enlarge the text.",
        source: "WCAG 2.2, 1.4.4",
    },
    CheckEntry {
        id: "names_labels",
        importance: Importance::Medium,
        title: "Names and labels",
        rule: Rule::Tree(names_labels),
        passes_when: "Every field has a label; every button, link, frame and widget has a name.",
        remedy: "Give every field a label, and every button, link and frame a name.",
        why: "People who use a screen reader cannot tell what an unnamed button or field is for.",
        source: "WCAG 2.2, 1.3.1 and 4.1.2; accname-1.2",
    },
    CheckEntry {
        id: "structure_a11y",
        importance: Importance::Low,
        title: "Structure",
        rule: Rule::Tree(structure),
        passes_when: "One main part, no tabindex above 0, no duplicate of an id that is referred to.",
        remedy: "Mark one main part, use each id once, and do not change the tab order.",
        why: "People who use a keyboard or a screen reader lose their way on the page.",
        source: "WCAG 2.2, 1.3.1 and 2.4.3",
    },
];

/// The least zoom for people with low vision (WCAG 2.2, 1.4.4).
const LEAST_ZOOM: f64 = 2.0;

fn zoom_allowed(page: &AuditedPage, _: &PageTree) -> CheckResult {
    // Browsers use the last of several metas.
    let viewports = page.metas("viewport");
    let Some(content) = viewports.last() else { return CheckResult::not_applicable() };
    let viewport = Viewport::parse(content);
    let mut errors = Vec::new();
    if !viewport.user_scalable {
        errors.push(format!("user-scalable in the viewport meta {content:?} prevents zooming"));
    }
    if let Some(scale) = viewport.maximum_scale.filter(|scale| *scale < LEAST_ZOOM) {
        errors.push(format!(
            "the viewport meta {content:?} allows zooming only to {scale}, at least {LEAST_ZOOM} is needed"
        ));
    }
    CheckResult::from_errors(json!(content), errors)
}

fn names_labels(tree: &PageTree) -> CheckResult {
    let names = AccessibleNames::of(tree);
    let mut errors: Vec<String> = Vec::new();
    for element in HiddenByStyle::of(tree).reachable(tree) {
        let Some(error) = needed_name(element).filter(|_| !is_button_of_select(tree, element)) else { continue };
        if names.name(element).is_empty() && !tree.may_be_filled(element) {
            errors.push(format!("{error}: {}", source_position(tree, element)));
        }
    }
    CheckResult::from_errors(json!(errors.len()), errors)
}

/// Whether an element is the button that shows a closed list, which is a part of the list (HTML standard, 4.10.7).
fn is_button_of_select(tree: &PageTree, element: &Element) -> bool {
    &*element.name == "button" && tree.ancestors(element).next().is_some_and(|around| &*around.name == "select")
}

/// Returns the error of an element without a name; `None` if it needs none: hidden fields, links without a target,
/// decorative frames, and images, which have their own check.
fn needed_name(element: &Element) -> Option<&'static str> {
    match role(element) {
        Some("button" | "switch" | "tab") => return Some("a button without a name"),
        Some("link") => return Some("a link without a name"),
        Some("menuitem" | "menuitemcheckbox" | "menuitemradio") => return Some("a menu item without a name"),
        Some("checkbox" | "radio" | "textbox" | "searchbox" | "combobox" | "listbox" | "slider" | "spinbutton") => {
            return Some("a field without a label");
        }
        Some("img") => return Some("an image without a name"),
        Some("dialog" | "alertdialog") => return Some("a dialog without a name"),
        Some("progressbar" | "meter") => return Some("a gauge without a name"),
        Some("treeitem") => return Some("a tree item without a name"),
        Some(_) | None => {}
    }
    match &*element.name {
        "a" if element.attribute("href").is_some() => Some("a link without a name"),
        _ if element.foreign => None,
        "input" => match element.keyword("type").as_str() {
            "hidden" | "image" => None,
            "submit" | "reset" | "button" => Some("a button without a name"),
            _ => Some("a field without a label"),
        },
        "select" | "textarea" => Some("a field without a label"),
        "button" => Some("a button without a name"),
        "summary" => Some("a summary without a text"),
        "meter" | "progress" => Some("a gauge without a name"),
        "iframe" | "frame" if !is_decoration(element) => Some("a frame without a title"),
        "object" if element.attribute("data").is_some() => Some("an embedded object without a name"),
        _ => None,
    }
}

fn structure(tree: &PageTree) -> CheckResult {
    let mains = tree.elements.iter().filter(|element| &*element.name == "main" || element.keyword("role") == "main");
    let mains = mains.filter(|main| !main.hidden).count();
    let mut errors = Vec::new();
    match mains {
        0 => errors.push("no <main> and no role=main marks the main part".to_owned()),
        1 => {}
        several => errors.push(format!("the page has {several} main parts (<main> or role=main)")),
    }
    let pulled =
        tree.elements.iter().filter(|element| element.keyword("tabindex").parse::<i32>().is_ok_and(|index| index > 0));
    errors.extend(pulled.map(|element| format!("tabindex above 0: {}", source_position(tree, element))));
    errors.extend(repeated_targets(tree).into_iter().map(|id| format!("several elements have the id {id}")));
    CheckResult::from_errors(json!({ "main": mains }), errors)
}

/// Returns ids that several elements have and that labels or ARIA attributes refer to.
fn repeated_targets(tree: &PageTree) -> Vec<&str> {
    let mut counts: BTreeMap<ScopedId<'_>, usize> = BTreeMap::new();
    for id in tree.elements.iter().filter_map(Element::scoped_id) {
        *counts.entry(id).or_default() += 1;
    }
    let pointing = tree.elements.iter().flat_map(|element| {
        let names = ["for", "aria-labelledby", "aria-describedby", "aria-controls"];
        let ids = names.into_iter().filter_map(|name| element.attribute(name)).flat_map(str::split_whitespace);
        ids.map(|id| (element.shadow_root, id))
    });
    let repeated = pointing.filter(|id| counts.get(id).is_some_and(|count| *count > 1));
    let mut targets: Vec<&str> = repeated.map(|(_, id)| id).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}
