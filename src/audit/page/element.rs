//! One element of a page: its name, attributes and place in the tree.

use std::ops::Range;

/// One element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Tag name, lower case for HTML.
    pub name: Box<str>,
    /// Attributes in the order of the source.
    pub attributes: Vec<(Box<str>, Box<str>)>,
    /// Index of the parent.
    pub parent: Option<usize>,
    /// Number of ancestors.
    pub depth: usize,
    /// Whether it is in `svg` or `math`, outside of the HTML namespace.
    pub foreign: bool,
    /// Whether its text is not displayed.
    pub unseen: bool,
    /// Whether it is hidden from assistive technology: `hidden`, `aria-hidden` or an inline style, on itself or an
    /// ancestor.
    pub hidden: bool,
    /// Index of the template that makes the shadow root around it, if any.
    pub shadow_root: Option<usize>,
    /// Indexes of its descendants.
    pub(in crate::audit) inside: Range<usize>,
    /// Indexes of the texts within it.
    pub(in crate::audit) texts: Range<usize>,
}

/// An id and the shadow root in which it counts; `None` for the document itself.
pub type ScopedId<'a> = (Option<usize>, &'a str);

impl Element {
    /// Returns the value of an attribute: `Some("")` when it is empty, `None` when it is absent.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| **own == *name).map(|(_, value)| &**value)
    }

    /// Returns the id, with the shadow root within which it is unique.
    pub fn scoped_id(&self) -> Option<ScopedId<'_>> {
        Some((self.shadow_root, self.attribute("id")?))
    }

    /// Returns the value of an attribute in lower case, trimmed; empty when absent.
    pub fn keyword(&self, name: &str) -> String {
        self.attribute(name).unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// Returns the index in the list of all elements.
    pub fn index(&self) -> usize {
        // Descendants follow their element directly.
        self.inside.start - 1
    }

    /// Whether it is a custom element, which a script defines.
    pub fn is_custom(&self) -> bool {
        self.name.contains('-') && !self.foreign
    }

    /// Whether it is a field of a form that people can fill in.
    pub fn is_form_field(&self) -> bool {
        let is_field = matches!(&*self.name, "input" | "select" | "textarea") && !self.foreign;
        is_field && self.keyword("type") != "hidden"
    }

    /// Whether it is an image or frame of one pixel at most, which only counts visitors.
    pub fn is_pixel(&self) -> bool {
        ["width", "height"].iter().any(|name| matches!(self.keyword(name).as_str(), "0" | "1"))
    }

    /// Whether a space-separated attribute contains the word, in any case.
    pub fn names(&self, attribute: &str, word: &str) -> bool {
        let value = self.attribute(attribute).unwrap_or_default();
        value.split_ascii_whitespace().any(|part| part.eq_ignore_ascii_case(word))
    }
}
