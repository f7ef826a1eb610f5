//! The check for focusable elements in parts hidden by `aria-hidden`.

use crate::audit::accessible_name::roles::role;
use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::source_position::source_position;
use crate::audit::page::tree::{Element, PageTree, is_hiding};

pub(super) fn aria_hidden_focus(tree: &PageTree) -> CheckResult {
    let is_root =
        |element: &&Element| element.keyword("aria-hidden") == "true" && !matches!(&*element.name, "html" | "body");
    let (mut count, mut errors) = (0_usize, Vec::new());
    let mut done = 0;
    for root in tree.elements.iter().filter(is_root) {
        count += 1;
        // Nested ones are covered by the outermost.
        if root.index() < done {
            continue;
        }
        done = root.inside.end;
        errors.extend(focusable_in(tree, root).map(|element| {
            format!("the tab key leads into an element with aria-hidden: {}", source_position(tree, element))
        }));
    }
    CheckResult::of_parts(count, errors)
}

fn focusable_in<'a>(tree: &'a PageTree, root: &'a Element) -> impl Iterator<Item = &'a Element> {
    let mut skipped_until = 0;
    std::iter::once(root).chain(tree.inside(root)).filter(move |element| {
        if element.index() < skipped_until {
            return false;
        }
        if blocks_focus_inside(element) {
            skipped_until = element.inside.end;
            return false;
        }
        is_focusable(element)
    })
}

/// Whether nothing inside the element can have the focus.
fn blocks_focus_inside(element: &Element) -> bool {
    let opens_later = &*element.name == "dialog" || element.attribute("popover").is_some();
    let is_closed = opens_later && element.attribute("open").is_none();
    let is_off = ["hidden", "inert"].iter().any(|name| element.attribute(name).is_some());
    is_closed || is_off || is_scripted_dialog(element) || element.attribute("style").is_some_and(is_hiding)
}

/// Whether a script opens the element as a dialog. Until then, a stylesheet hides it. Some, such as Bootstrap 5, set the
/// role only then.
fn is_scripted_dialog(element: &Element) -> bool {
    let has = |name: &str, value: &str| element.keyword(name) == value;
    let will_be_one =
        has("aria-hidden", "true") && has("tabindex", "-1") && element.attribute("aria-labelledby").is_some();
    will_be_one || matches!(role(element), Some("dialog" | "alertdialog"))
}

fn is_focusable(element: &Element) -> bool {
    if let Ok(index) = element.keyword("tabindex").parse::<i32>() {
        return index >= 0;
    }
    let enabled = element.attribute("disabled").is_none();
    match &*element.name {
        "a" | "area" => element.attribute("href").is_some(),
        "input" => enabled && element.keyword("type") != "hidden",
        "button" | "select" | "textarea" => enabled,
        "audio" | "video" => element.attribute("controls").is_some(),
        "summary" => true,
        _ => {
            let editable = element.attribute("contenteditable").map(str::to_ascii_lowercase);
            matches!(editable.as_deref(), Some("" | "true" | "plaintext-only"))
        }
    }
}
