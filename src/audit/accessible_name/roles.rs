//! Roles of elements, according to WAI-ARIA 1.2 and HTML-AAM 1.0.

use crate::audit::page::element::Element;

/// All non-abstract roles of WAI-ARIA 1.2. Browsers skip unknown words.
const ROLES: [&str; 82] = [
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "blockquote",
    "button",
    "caption",
    "cell",
    "checkbox",
    "code",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "deletion",
    "dialog",
    "directory",
    "document",
    "emphasis",
    "feed",
    "figure",
    "form",
    "generic",
    "grid",
    "gridcell",
    "group",
    "heading",
    "img",
    "insertion",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "none",
    "note",
    "option",
    "paragraph",
    "presentation",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "strong",
    "subscript",
    "superscript",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "textbox",
    "time",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
];
/// Roles that support name from content (WAI-ARIA 1.2, 5.2.8.4).
const NAMED_BY_CONTENT: [&str; 18] = [
    "button",
    "cell",
    "checkbox",
    "columnheader",
    "gridcell",
    "heading",
    "link",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "row",
    "rowheader",
    "switch",
    "tab",
    "tooltip",
    "treeitem",
];
/// Elements without a role that support name from content, besides headings.
const ELEMENTS_NAMED_BY_CONTENT: [&str; 10] =
    ["a", "button", "caption", "figcaption", "label", "legend", "option", "summary", "td", "th"];
/// Global attributes that make browsers ignore `role=none`.
const GLOBAL_STATES: [&str; 5] = ["aria-label", "aria-labelledby", "aria-describedby", "aria-controls", "aria-live"];

/// Returns the role given by the element's attribute; `None` if it keeps its native role.
pub(in crate::audit) fn role(element: &Element) -> Option<&'static str> {
    let words = element.attribute("role")?.split_ascii_whitespace();
    let known = words.filter_map(|word| ROLES.iter().find(|role| role.eq_ignore_ascii_case(word))).copied();
    // "Presentational roles conflict resolution" of WAI-ARIA 1.2.
    let is_needed =
        element.attribute("tabindex").is_some() || GLOBAL_STATES.iter().any(|name| element.attribute(name).is_some());
    known.into_iter().find(|role| !(is_needed && is_presentational(role)))
}

/// Roles of later drafts that browsers support, and `text`, which only `VoiceOver` does.
const LATER_ROLES: [&str; 7] = ["image", "mark", "comment", "suggestion", "sectionheader", "sectionfooter", "text"];

/// Whether a word is a role of WAI-ARIA 1.2, of its drafts, or of the modules for books and graphics.
pub(in crate::audit) fn is_known_role(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let is_of_a_module = lower.starts_with("doc-") || lower.starts_with("graphics-");
    is_of_a_module || ROLES.contains(&lower.as_str()) || LATER_ROLES.contains(&lower.as_str())
}

/// Whether the role is `none` or `presentation`.
pub(in crate::audit) fn is_decoration(element: &Element) -> bool {
    role(element).is_some_and(is_presentational)
}

fn is_presentational(role: &str) -> bool {
    matches!(role, "none" | "presentation")
}

/// Whether the element supports name from content.
pub(super) fn is_named_by_content(element: &Element) -> bool {
    match role(element) {
        Some(role) => NAMED_BY_CONTENT.contains(&role),
        // A link in a drawing is named by its text, like any other.
        None if element.foreign => &*element.name == "a",
        None => ELEMENTS_NAMED_BY_CONTENT.contains(&&*element.name) || heading_level(element).is_some(),
    }
}

/// Returns the level of a heading, `aria-level` taking precedence over the element; `None` if it is not a heading.
pub(in crate::audit) fn heading_level(element: &Element) -> Option<u32> {
    let digit = element.name.strip_prefix('h').filter(|digit| digit.len() == 1 && !element.foreign);
    let own = digit.and_then(|digit| digit.parse().ok()).filter(|level| (1..=6).contains(level));
    let is_heading = role(element).map_or(own.is_some(), |role| role == "heading");
    let declared =
        element.attribute("aria-level").and_then(|level| level.trim().parse().ok()).filter(|level| *level > 0);
    // The default of `aria-level` on a heading is 2 (WAI-ARIA 1.2).
    is_heading.then(|| declared.or(own).unwrap_or(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::limits::AuditLimits;
    use crate::audit::page::tree::PageTree;

    fn first<T>(html: &str, of: impl Fn(&Element) -> T) -> T {
        let tree = PageTree::parse(html, &AuditLimits::default()).unwrap();
        of(tree.elements.iter().find(|element| element.attribute("id") == Some("x")).unwrap())
    }

    #[test]
    fn the_first_known_role_applies() {
        for (attributes, expected) in [
            ("role=heading", Some("heading")),
            ("role='tea  BUTTON link'", Some("button")),
            ("role=tea", None),
            ("role=none", Some("none")),
            ("role=presentation aria-label=Tea", None),
            ("role=none tabindex=0", None),
            ("", None),
        ] {
            assert_eq!(first(&format!("<p id=x {attributes}>"), role), expected, "{attributes}");
        }
    }

    #[test]
    fn headings_have_levels_by_role_attribute_and_element() {
        for (html, expected) in [
            ("<h3 id=x>", Some(3)),
            ("<h3 id=x aria-level=5>", Some(5)),
            ("<h3 id=x role=heading>", Some(3)),
            ("<h3 id=x role=presentation>", None),
            ("<h3 id=x role=none>", None),
            ("<h3 id=x role=button>", None),
            ("<div id=x role=heading>", Some(2)),
            ("<div id=x role=heading aria-level=4>", Some(4)),
            ("<div id=x role=heading aria-level=tea>", Some(2)),
            ("<div id=x aria-level=4>", None),
            ("<svg><h7 id=x>", None),
        ] {
            assert_eq!(first(html, heading_level), expected, "{html}");
        }
    }
}
