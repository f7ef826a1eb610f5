//! The check for focusable elements in parts hidden by `aria-hidden`.

use crate::audit::accessible_name::roles::role;
use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::source_position::source_position;
use crate::audit::page::element::Element;
use crate::audit::page::stylesheet::HiddenByStyle;
use crate::audit::page::tree::{PageTree, is_hiding};

pub(super) fn aria_hidden_focus(tree: &PageTree) -> CheckResult {
    let style = HiddenByStyle::of(tree);
    let has_unread_style = tree.named("link").any(|link| link.names("rel", "stylesheet"));
    let (mut count, mut errors, mut doubts) = (0_usize, Vec::new(), Vec::new());
    let (mut unfocusable_until, mut unsaid_until) = (0, 0);
    let parts = tree.elements.iter().filter(|element| !matches!(&*element.name, "html" | "body"));
    for element in parts {
        let is_root = element.keyword("aria-hidden") == "true";
        count += usize::from(is_root);
        if element.index() < unfocusable_until {
            continue;
        }
        if blocks_focus_inside(element) || style.may_hide(element) {
            unfocusable_until = element.inside.end;
            continue;
        }
        if is_root {
            unsaid_until = unsaid_until.max(element.inside.end);
        }
        if element.index() < unsaid_until && is_focusable(tree, element) {
            let place = source_position(tree, element);
            // A part that a script opens is hidden by a stylesheet until then; a link or button of its own seldom is.
            if has_unread_style && !is_root {
                let doubt = "unless a stylesheet hides it";
                doubts.push(format!("the tab key leads into an element with aria-hidden, {doubt}: {place}"));
            } else {
                errors.push(format!("the tab key leads into an element with aria-hidden: {place}"));
            }
        }
    }
    match (count, errors.is_empty(), doubts.is_empty()) {
        (1.., true, false) => CheckResult::notes(count, doubts),
        _ => CheckResult::of_parts(count, errors),
    }
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

fn is_focusable(tree: &PageTree, element: &Element) -> bool {
    let is_control = matches!(&*element.name, "button" | "input" | "select" | "textarea");
    if is_control && (element.attribute("disabled").is_some() || is_in_disabled_fieldset(tree, element)) {
        return false;
    }
    if let Ok(index) = element.keyword("tabindex").parse::<i32>() {
        return index >= 0;
    }
    match &*element.name {
        "a" | "area" => element.attribute("href").is_some(),
        "input" => element.keyword("type") != "hidden",
        "button" | "select" | "textarea" | "summary" => true,
        "audio" | "video" => element.attribute("controls").is_some(),
        _ => {
            let editable = element.attribute("contenteditable").map(str::to_ascii_lowercase);
            matches!(editable.as_deref(), Some("" | "true" | "plaintext-only"))
        }
    }
}

/// Whether a disabled fieldset disables a control: not one in its first legend (HTML standard, 4.10.15).
fn is_in_disabled_fieldset(tree: &PageTree, control: &Element) -> bool {
    let mut fieldsets = tree.ancestors(control).filter(|part| &*part.name == "fieldset");
    fieldsets.any(|fieldset| {
        let legend = tree.children(fieldset).find(|child| &*child.name == "legend");
        let is_in_legend = legend.is_some_and(|legend| legend.inside.contains(&control.index()));
        fieldset.attribute("disabled").is_some() && !is_in_legend
    })
}
