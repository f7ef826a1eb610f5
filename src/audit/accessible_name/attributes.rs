//! Contributions of single attributes to an accessible name.

use crate::audit::page::element::Element;

/// Step 2D: returns `aria-label`, unless it is blank.
pub(super) fn explicit_label(element: &Element) -> Option<&str> {
    attribute(element, "aria-label")
}

/// Returns the value of an attribute, unless it is blank.
pub(super) fn attribute<'a>(element: &'a Element, name: &str) -> Option<&'a str> {
    element.attribute(name).filter(|value| !value.trim().is_empty())
}

/// Returns the text of an input button: its value, or the browsers' default.
pub(super) fn button_text(element: &Element) -> Option<String> {
    let value = element.attribute("value");
    let kind = element.keyword("type");
    match (kind.as_str(), value) {
        _ if &*element.name != "input" => None,
        ("image", _) => attribute(element, "alt").map(str::to_owned),
        ("submit", None) => Some("Submit".to_owned()),
        ("reset", None) => Some("Reset".to_owned()),
        ("submit" | "reset" | "button", Some(value)) => Some(value.to_owned()),
        _ => None,
    }
}

pub(super) fn is_field(element: &Element) -> bool {
    !element.foreign && matches!(&*element.name, "input" | "textarea")
}

/// Whether an element is labelable (HTML standard, 4.10.2).
pub(super) fn is_labelable(element: &Element) -> bool {
    let is_one = match &*element.name {
        "input" => element.keyword("type") != "hidden",
        "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
        _ => false,
    };
    is_one && !element.foreign
}

/// Joins texts with spaces and collapses white space.
pub(super) fn join(texts: impl IntoIterator<Item = String>) -> String {
    let mut joined = String::new();
    for text in texts {
        for word in text.split_whitespace() {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(word);
        }
    }
    joined
}
