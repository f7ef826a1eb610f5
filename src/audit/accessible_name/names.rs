//! The name computation. Step 2F (name from content) iterates over the flat list of descendants instead of recursing,
//! because pages may be nested deeper than the stack allows.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

use crate::audit::accessible_name::attributes::{attribute, button_text, explicit_label, is_field, is_labelable, join};
use crate::audit::accessible_name::roles::{is_decoration, is_named_by_content, role};
use crate::audit::page::element::{Element, ScopedId};
use crate::audit::page::tree::{PageTree, TextNode};

/// The most labels or references per element; real elements have one or two.
const MOST_REFERENCES: usize = 16;

/// Computes the names of a page's elements. The indexes of ids and labels are built on first use.
pub(in crate::audit) struct AccessibleNames<'a> {
    tree: &'a PageTree,
    ids: OnceCell<HashMap<ScopedId<'a>, &'a Element>>,
    /// The labels of fields, by the field's index.
    labels: OnceCell<HashMap<usize, Vec<&'a Element>>>,
    /// Cached names of referenced elements, by index, because many fields may refer to the same large element.
    referenced: RefCell<HashMap<usize, String>>,
}

impl<'a> AccessibleNames<'a> {
    /// Creates the computation for a tree.
    pub(in crate::audit) fn of(tree: &'a PageTree) -> Self {
        Self { tree, ids: OnceCell::new(), labels: OnceCell::new(), referenced: RefCell::default() }
    }

    /// Returns the name of an element with collapsed white space; empty if it has none.
    pub(in crate::audit) fn name(&self, element: &Element) -> String {
        if element.hidden {
            return String::new();
        }
        let referenced = self.referenced_name(element);
        if referenced.is_empty() { self.own_name(element, false) } else { referenced }
    }

    /// Step 2B: returns the names of the elements that `aria-labelledby` refers to, including hidden ones.
    fn referenced_name(&self, element: &Element) -> String {
        let Some(ids) = element.attribute("aria-labelledby") else { return String::new() };
        let referenced = ids.split_ascii_whitespace().filter_map(|id| self.by_id(element, id)).take(MOST_REFERENCES);
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

    /// Returns the contribution of a referenced element, whose own references are not followed.
    fn name_as_reference(&self, element: &Element) -> String {
        match self.value(element) {
            Some(value) if explicit_label(element).is_none() => value,
            Some(_) | None => self.own_name(element, true),
        }
    }

    /// Steps 2D to 2I. A referenced element is named by its content, whatever its role.
    fn own_name(&self, element: &Element, is_referenced: bool) -> String {
        if let Some(label) = explicit_label(element) {
            return join([label.to_owned()]);
        }
        let native = self.native_name(element);
        if !native.is_empty() {
            return native;
        }
        if is_referenced || is_named_by_content(element) {
            let content = self.content(element, None, !is_referenced);
            if !content.is_empty() {
                return content;
            }
        }
        let tooltip =
            attribute(element, "title").or_else(|| attribute(element, "placeholder").filter(|_| is_field(element)));
        join(tooltip.map(str::to_owned))
    }

    /// Step 2E: returns the name from HTML markup, for example `label` or `alt`.
    fn native_name(&self, element: &Element) -> String {
        if element.foreign {
            return self.name_of_drawing(element);
        }
        match &*element.name {
            "option" | "optgroup" => join(attribute(element, "label").map(str::to_owned)),
            "img" | "area" | "amp-img" => join(attribute(element, "alt").map(str::to_owned)),
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
        let content = || self.content(label, Some(field.index()), true);
        explicit_label(label).map_or_else(content, str::to_owned)
    }

    fn name_by_child(&self, element: &Element, name: &str) -> String {
        let child = self.tree.children(element).find(|child| &*child.name == name);
        child.map(|child| self.content(child, None, true)).unwrap_or_default()
    }

    fn content(&self, element: &Element, control: Option<usize>, follows_references: bool) -> String {
        NameFromContent { names: self, control, follows_references }.of(element)
    }

    /// Returns the title of an `svg` or of a part of it: its first `title` child, or a link's attribute (SVG-AAM 1.0,
    /// 8.1).
    fn name_of_drawing(&self, drawing: &Element) -> String {
        if is_decoration(drawing) {
            return String::new();
        }
        let title = self.tree.children(drawing).find(|child| &*child.name == "title");
        let title = title.map(|title| self.tree.text_of(title)).unwrap_or_default();
        let of_link = || attribute(drawing, "title").filter(|_| &*drawing.name == "a");
        if title.is_empty() { join(of_link().map(str::to_owned)) } else { title }
    }

    /// Step 2C: returns the value of a field embedded in another element's name, by its role or element.
    fn value(&self, element: &Element) -> Option<String> {
        let own = |name: &str| attribute(element, name).map(str::to_owned);
        let of_range = || own("aria-valuetext").or_else(|| own("aria-valuenow")).or_else(|| own("value"));
        let native = !element.foreign && matches!(&*element.name, "input" | "textarea" | "select");
        match role(element) {
            Some("textbox" | "searchbox") if !native => return Some(self.tree.seen_text_of(element)),
            Some("combobox" | "listbox") if !native => return Some(self.chosen_options(element)),
            Some("slider" | "spinbutton" | "progressbar" | "meter" | "scrollbar") => {
                return Some(of_range().unwrap_or_default());
            }
            Some(_) | None => {}
        }
        match &*element.name {
            _ if element.foreign => None,
            "input" => match element.keyword("type").as_str() {
                "hidden" | "password" | "file" | "checkbox" | "radio" | "color" => Some(String::new()),
                "submit" | "reset" | "button" | "image" => None,
                "range" | "number" => Some(of_range().unwrap_or_default()),
                _ => Some(element.attribute("value").unwrap_or_default().to_owned()),
            },
            "textarea" => Some(self.tree.text_of(element)),
            "select" => Some(self.chosen_options(element)),
            "meter" | "progress" => Some(of_range().unwrap_or_default()),
            _ => None,
        }
    }

    /// Returns the names of a list's selected options; of a closed list without any, the first option.
    fn chosen_options(&self, list: &Element) -> String {
        let inside = self.tree.inside(list).iter().take(MOST_ELEMENTS);
        let options: Vec<&Element> =
            inside.filter(|inner| &*inner.name == "option" || role(inner) == Some("option")).collect();
        let is_chosen =
            |option: &&&Element| option.attribute("selected").is_some() || option.keyword("aria-selected") == "true";
        let chosen: Vec<&Element> = options.iter().filter(is_chosen).take(MOST_REFERENCES).copied().collect();
        let is_closed = &*list.name == "select" && list.attribute("multiple").is_none();
        match (chosen.as_slice(), is_closed) {
            ([], true) => options.first().map(|option| self.option_text(option)).unwrap_or_default(),
            // If several options of a closed list are selected, the last one counts.
            ([.., last], true) => self.option_text(last),
            (chosen, false) => join(chosen.iter().map(|option| self.option_text(option))),
        }
    }

    /// Returns the name of an option, without descending into it, since lists may be nested in lists.
    fn option_text(&self, option: &Element) -> String {
        let label = explicit_label(option).or_else(|| attribute(option, "label"));
        label.map_or_else(|| self.tree.seen_text_of(option), |label| join([label.to_owned()]))
    }

    /// Returns the element with an id in the same document or shadow root.
    fn by_id(&self, from: &Element, id: &str) -> Option<&'a Element> {
        let ids = self.ids.get_or_init(|| {
            let mut ids = HashMap::new();
            for element in &self.tree.elements {
                if let Some(id) = element.scoped_id() {
                    // A repeated id refers to its first element.
                    ids.entry(id).or_insert(element);
                }
            }
            ids
        });
        ids.get(&(from.shadow_root, id)).copied()
    }

    fn labels_of(&self, field: &Element) -> &[&'a Element] {
        let labels = self.labels.get_or_init(|| {
            let mut labels: HashMap<usize, Vec<&'a Element>> = HashMap::new();
            for label in self.tree.named("label") {
                let field = match label.attribute("for") {
                    Some(id) => self.by_id(label, id).filter(|field| is_labelable(field)),
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

/// The most descendants visited for one name. Real names are short, and every field of a page may refer to the whole
/// page.
const MOST_ELEMENTS: usize = 2_000;
const LONGEST_NAME: usize = 2_000;
/// Elements whose content is not rendered or is another document.
const SILENT: [&str; 14] = [
    "audio", "datalist", "embed", "head", "iframe", "link", "meta", "noscript", "object", "script", "style", "title",
    "track", "video",
];
/// The same inside `svg`. A `title` names its parent and is read there.
const SILENT_IN_DRAWINGS: [&str; 10] =
    ["clipPath", "defs", "desc", "filter", "mask", "metadata", "script", "style", "symbol", "title"];

/// The context of one traversal.
struct NameFromContent<'n, 'a> {
    names: &'n AccessibleNames<'a>,
    /// The field being named, whose own value is not part of its name.
    control: Option<usize>,
    /// False while following `aria-labelledby`: references are followed only once.
    follows_references: bool,
}

/// The accumulated text, and the index of the next text node.
struct Gathered {
    text: String,
    read: usize,
}

impl Gathered {
    fn read_until(&mut self, texts: &[TextNode], end: usize) {
        for piece in texts.get(self.read..end).unwrap_or_default() {
            if self.text.len() >= LONGEST_NAME {
                break;
            }
            if piece.apart {
                self.text.push(' ');
            }
            self.text.push_str(&piece.text);
        }
        self.read = self.read.max(end);
    }
}

/// Step 2I: an open element whose `title` is used if its content is empty.
struct Tooltip<'t> {
    element: &'t Element,
    /// The length of the accumulated text when the element was opened.
    before: usize,
    title: &'t str,
}

impl NameFromContent<'_, '_> {
    fn of(&self, element: &Element) -> String {
        let tree = self.names.tree;
        let Range { start, end } = element.inside;
        let mut gathered = Gathered { text: String::new(), read: element.texts.start };
        // Open elements with a tooltip.
        let mut tooltips: Vec<Tooltip<'_>> = Vec::new();
        let mut at = start;
        while gathered.text.len() < LONGEST_NAME && at - start < MOST_ELEMENTS {
            while let Some(tooltip) = tooltips.pop_if(|tooltip| tooltip.element.inside.end <= at) {
                gathered.read_until(&tree.texts, tooltip.element.texts.end);
                if gathered.text[tooltip.before..].trim().is_empty() {
                    gathered.text.push_str(tooltip.title);
                }
            }
            let Some(inner) = tree.elements[..end].get(at) else {
                gathered.read_until(&tree.texts, element.texts.end);
                break;
            };
            gathered.read_until(&tree.texts, inner.texts.start);
            match self.contribution(inner, element.hidden) {
                None => {
                    let title = attribute(inner, "title");
                    tooltips.extend(title.map(|title| Tooltip { element: inner, before: gathered.text.len(), title }));
                    at += 1;
                }
                Some(content) => {
                    if !content.is_empty() {
                        gathered.text.extend([" ", &content, " "]);
                    }
                    (at, gathered.read) = (inner.inside.end, inner.texts.end);
                }
            }
        }
        gathered.text.truncate(gathered.text.floor_char_boundary(LONGEST_NAME));
        join([gathered.text])
    }

    /// Returns the text of an element instead of its content; `None` if its content counts.
    fn contribution(&self, element: &Element, says_hidden: bool) -> Option<String> {
        if element.hidden && !says_hidden || self.control == Some(element.index()) {
            return Some(String::new());
        }
        if self.follows_references {
            let referenced = self.names.referenced_name(element);
            if !referenced.is_empty() {
                return Some(referenced);
            }
        }
        let said = self.names.value(element).or_else(|| explicit_label(element).map(str::to_owned));
        if said.is_some() {
            return said;
        }
        let tooltip = || attribute(element, "title").unwrap_or_default().to_owned();
        match &*element.name {
            "br" | "hr" => Some(" ".to_owned()),
            "wbr" => Some(String::new()),
            name if element.foreign && SILENT_IN_DRAWINGS.contains(&name) => Some(String::new()),
            _ if element.foreign => Some(self.names.name_of_drawing(element)).filter(|title| !title.is_empty()),
            "option" => attribute(element, "label").map(str::to_owned),
            "img" if is_decoration(element) => Some(String::new()),
            // AMP builds the image with the text of its element.
            "img" | "amp-img" => Some(element.attribute("alt").map_or_else(tooltip, str::to_owned)),
            "input" => Some(button_text(element).unwrap_or_else(tooltip)),
            "iframe" => Some(tooltip()),
            // Without assigned nodes, a slot shows its own content.
            "slot" => Some(self.names.tree.slotted_text(element)).filter(|text| !text.trim().is_empty()),
            name if SILENT.contains(&name) => Some(String::new()),
            _ => None,
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
