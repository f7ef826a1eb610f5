//! Step 2F: name from content. One pass over the flat list of descendants, without recursion: pages may be nested deeper
//! than the stack allows.

use std::ops::Range;

use crate::audit::accessible_name::roles::is_decoration;
use crate::audit::accessible_name::{Names, attribute, button_text, explicit_label, join};
use crate::audit::tree::{Element, PieceOfText};

/// Descendants that are visited for one name, and its length in bytes. Real names are short, and every field of a page
/// may refer to the whole page.
pub(super) const MOST_ELEMENTS: usize = 2_000;
const LONGEST_NAME: usize = 2_000;
/// Elements whose content is no part of a name: it is not rendered, or is another document.
const SILENT: [&str; 15] = [
    "audio", "datalist", "embed", "head", "iframe", "link", "meta", "noscript", "object", "script", "style",
    "template", "title", "track", "video",
];
/// The same inside of SVG. A `title` names its parent and is read there.
const SILENT_IN_DRAWINGS: [&str; 10] =
    ["clipPath", "defs", "desc", "filter", "mask", "metadata", "script", "style", "symbol", "title"];

/// The context of one traversal.
pub(super) struct NameFromContent<'n, 'a> {
    pub(super) names: &'n Names<'a>,
    /// The field that is being named: its own value is no part of its name.
    pub(super) control: Option<usize>,
    /// False while `aria-labelledby` is followed: references are followed once.
    pub(super) follows_references: bool,
}

/// The accumulated text, and the index of the first text piece that has not been read.
struct Gathered {
    text: String,
    read: usize,
}

impl Gathered {
    fn read_until(&mut self, texts: &[PieceOfText], end: usize) {
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

/// Step 2I: an open element whose `title` is its name if its content turns out empty.
struct Tooltip<'t> {
    element: &'t Element,
    /// Length of the accumulated text when the element was opened.
    before: usize,
    title: &'t str,
}

/// What an element contributes to the name of an ancestor.
enum Contribution {
    /// This text; descendants are skipped.
    Text(String),
    /// Its content.
    Content,
}

impl NameFromContent<'_, '_> {
    pub(super) fn of(&self, element: &Element) -> String {
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
                Contribution::Content => {
                    let title = attribute(inner, "title");
                    tooltips.extend(title.map(|title| Tooltip { element: inner, before: gathered.text.len(), title }));
                    at += 1;
                }
                Contribution::Text(said) => {
                    if !said.is_empty() {
                        gathered.text.extend([" ", &said, " "]);
                    }
                    (at, gathered.read) = (inner.inside.end, inner.texts.end);
                }
            }
        }
        gathered.text.truncate(gathered.text.floor_char_boundary(LONGEST_NAME));
        join([gathered.text])
    }

    fn contribution(&self, element: &Element, says_hidden: bool) -> Contribution {
        if element.hidden && !says_hidden || self.control == Some(element.index()) {
            return Contribution::Text(String::new());
        }
        if self.follows_references {
            let referenced = self.names.referenced_name(element);
            if !referenced.is_empty() {
                return Contribution::Text(referenced);
            }
        }
        if let Some(value) = self.names.value(element) {
            return Contribution::Text(value);
        }
        if let Some(label) = explicit_label(element) {
            return Contribution::Text(label.to_owned());
        }
        let tooltip = || attribute(element, "title").unwrap_or_default().to_owned();
        match &*element.name {
            "br" | "hr" | "wbr" => {
                Contribution::Text(if &*element.name == "wbr" { String::new() } else { " ".to_owned() })
            }
            "svg" => match self.names.name_of_drawing(element) {
                title if title.is_empty() => Contribution::Content,
                title => Contribution::Text(title),
            },
            name if element.foreign && SILENT_IN_DRAWINGS.contains(&name) => Contribution::Text(String::new()),
            _ if element.foreign => Contribution::Content,
            "img" if is_decoration(element) => Contribution::Text(String::new()),
            "img" => Contribution::Text(element.attribute("alt").map_or_else(tooltip, str::to_owned)),
            "input" => Contribution::Text(button_text(element).unwrap_or_else(tooltip)),
            "iframe" => Contribution::Text(tooltip()),
            name if SILENT.contains(&name) => Contribution::Text(String::new()),
            _ => Contribution::Content,
        }
    }
}
