//! Accessible names: what a screen reader says for an element, by Accessible Name and Description Computation 1.2 and
//! the mappings of HTML-AAM 1.0. Steps are named as in section 4.3.2 of the former.
//!
//! It is stricter in one point: a hidden `label` gives no name. The standard allows it, browsers differ, and people who
//! see the page do not see that label.

mod content;
pub(super) mod roles;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use crate::audit::accessible_name::content::{MOST_ELEMENTS, NameFromContent};
use crate::audit::accessible_name::roles::is_named_by_content;
use crate::audit::tree::{Element, Tree};

/// Labels or references that are read per element; real elements have one or two.
const MOST_REFERENCES: usize = 16;

/// Computes the names of a page's elements. The indexes of ids and labels are built on first use.
pub(super) struct Names<'a> {
    tree: &'a Tree,
    ids: OnceCell<HashMap<&'a str, &'a Element>>,
    /// The labels of fields, by the index of the field.
    labels: OnceCell<HashMap<usize, Vec<&'a Element>>>,
    /// The names of referenced elements, by index: every field of a page may refer to the same large one.
    referenced: RefCell<HashMap<usize, String>>,
}

impl<'a> Names<'a> {
    /// For the elements of this tree.
    pub(super) fn of(tree: &'a Tree) -> Self {
        Self { tree, ids: OnceCell::new(), labels: OnceCell::new(), referenced: RefCell::default() }
    }

    /// The name of an element, its white space made single spaces; empty where it has none.
    pub(super) fn name(&self, element: &Element) -> String {
        if element.hidden {
            return String::new();
        }
        let referenced = self.referenced_name(element);
        if referenced.is_empty() { self.own_name(element, false) } else { referenced }
    }

    /// Step 2B: the names of the elements that `aria-labelledby` refers to, hidden ones included.
    fn referenced_name(&self, element: &Element) -> String {
        let Some(ids) = element.attribute("aria-labelledby") else { return String::new() };
        let referenced = ids.split_ascii_whitespace().filter_map(|id| self.by_id(id)).take(MOST_REFERENCES);
        let names = referenced.map(|element| {
            let known = self.referenced.borrow().get(&element.index()).cloned();
            known.unwrap_or_else(|| {
                let name = self.name_as_reference(element);
                self.referenced.borrow_mut().insert(element.index(), name.clone());
                name
            })
        });
        join(names)
    }

    /// What an element contributes to the name of those that refer to it. Its own references are not followed.
    fn name_as_reference(&self, element: &Element) -> String {
        match self.value(element) {
            Some(value) if explicit_label(element).is_none() => value,
            Some(_) | None => self.own_name(element, true),
        }
    }

    /// Steps 2D to 2I: everything but references. A referenced element may be named by its content whatever its role.
    fn own_name(&self, element: &Element, is_referenced: bool) -> String {
        let by_content =
            || NameFromContent { names: self, control: None, follows_references: !is_referenced }.of(element);
        if let Some(label) = explicit_label(element) {
            return join([label.to_owned()]);
        }
        let native = self.native_name(element);
        if !native.is_empty() {
            return native;
        }
        let content = if is_referenced || is_named_by_content(element) { by_content() } else { String::new() };
        if !content.is_empty() {
            return content;
        }
        let tooltip =
            attribute(element, "title").or_else(|| attribute(element, "placeholder").filter(|_| is_field(element)));
        join(tooltip.map(str::to_owned))
    }

    /// Step 2E: the name by the markup of HTML, for example a `label` or `alt`.
    fn native_name(&self, element: &Element) -> String {
        if element.foreign {
            return if &*element.name == "svg" { self.name_of_drawing(element) } else { String::new() };
        }
        match &*element.name {
            "img" | "area" => join(attribute(element, "alt").map(str::to_owned)),
            "fieldset" => self.name_by_child(element, "legend"),
            "table" => self.name_by_child(element, "caption"),
            "figure" => self.name_by_child(element, "figcaption"),
            _ if is_labelable(element) => {
                let labelled = join(self.labels_of(element).iter().map(|label| self.name_by_label(label, element)));
                if labelled.is_empty() { join(button_text(element)) } else { labelled }
            }
            _ => String::new(),
        }
    }

    fn name_by_label(&self, label: &Element, field: &Element) -> String {
        if label.hidden {
            return String::new();
        }
        let content = || {
            let control = Some(field.index());
            NameFromContent { names: self, control, follows_references: true }.of(label)
        };
        explicit_label(label).map_or_else(content, str::to_owned)
    }

    fn name_by_child(&self, element: &Element, name: &str) -> String {
        let child = self.tree.children(element).find(|child| &*child.name == name);
        child
            .map(|child| NameFromContent { names: self, control: None, follows_references: true }.of(child))
            .unwrap_or_default()
    }

    /// The title of a drawing: the first child of that name.
    fn name_of_drawing(&self, drawing: &Element) -> String {
        let title = self.tree.children(drawing).find(|child| &*child.name == "title");
        title.map(|title| self.tree.text_of(title)).unwrap_or_default()
    }

    /// Step 2C: the value of a field, which represents the field inside another element's name.
    fn value(&self, element: &Element) -> Option<String> {
        let told = || element.attribute("aria-valuetext").or_else(|| element.attribute("value"));
        match &*element.name {
            "input" => match element.keyword("type").as_str() {
                "hidden" | "password" | "file" | "checkbox" | "radio" | "color" => Some(String::new()),
                "submit" | "reset" | "button" | "image" => None,
                _ => Some(told().unwrap_or_default().to_owned()),
            },
            "textarea" => Some(self.tree.text_of(element)),
            "select" => {
                let inside = self.tree.inside(element).iter().take(MOST_ELEMENTS);
                let options = || inside.clone().filter(|inner| &*inner.name == "option");
                let chosen =
                    options().find(|option| option.attribute("selected").is_some()).or_else(|| options().next());
                Some(chosen.map(|option| self.tree.text_of(option)).unwrap_or_default())
            }
            _ => None,
        }
    }

    fn by_id(&self, id: &str) -> Option<&'a Element> {
        let ids = self.ids.get_or_init(|| {
            let mut ids = HashMap::new();
            for element in &self.tree.elements {
                if let Some(id) = element.attribute("id") {
                    // A repeated id refers to the first element that has it.
                    ids.entry(id).or_insert(element);
                }
            }
            ids
        });
        ids.get(id).copied()
    }

    fn labels_of(&self, field: &Element) -> &[&'a Element] {
        let labels = self.labels.get_or_init(|| {
            let mut labels: HashMap<usize, Vec<&'a Element>> = HashMap::new();
            for label in self.tree.named("label") {
                let field = match label.attribute("for") {
                    Some(id) => self.by_id(id).filter(|field| is_labelable(field)),
                    None => self.tree.inside(label).iter().take(MOST_ELEMENTS).find(|inner| is_labelable(inner)),
                };
                if let Some(field) = field {
                    let labels = labels.entry(field.index()).or_default();
                    if labels.len() < MOST_REFERENCES {
                        labels.push(label);
                    }
                }
            }
            labels
        });
        labels.get(&field.index()).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Step 2D: `aria-label`, unless it is blank.
fn explicit_label(element: &Element) -> Option<&str> {
    attribute(element, "aria-label")
}

/// An attribute that is not blank.
fn attribute<'a>(element: &'a Element, name: &str) -> Option<&'a str> {
    element.attribute(name).filter(|value| !value.trim().is_empty())
}

/// The text of an input that is a button: its value, or the default text of browsers.
fn button_text(element: &Element) -> Option<String> {
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

fn is_field(element: &Element) -> bool {
    !element.foreign && matches!(&*element.name, "input" | "textarea")
}

/// True for elements that a label may name (HTML standard, 4.10.2).
fn is_labelable(element: &Element) -> bool {
    let is_one = match &*element.name {
        "input" => element.keyword("type") != "hidden",
        "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
        _ => false,
    };
    is_one && !element.foreign
}

/// Texts joined by spaces, white space made single spaces.
fn join(texts: impl IntoIterator<Item = String>) -> String {
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

#[cfg(test)]
mod tests;
