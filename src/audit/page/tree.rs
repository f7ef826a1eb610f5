//! The page as a flat list of elements in document order: parsed once, with bounded size, depth and time.
//!
//! html5ever builds the tree; this copies it into plain values that any thread may read and every check can walk in
//! one pass. Must not know what a check wants.

use std::collections::HashMap;
use std::ops::Range;

use ego_tree::iter::Edge;
use html5ever::tree_builder::QuirksMode;
use html5ever::{QualName, ns};
use scraper::Node;

use crate::audit::limits::AuditLimits;
use crate::audit::page::parser::{self, Syntax};
use crate::audit::processor_time::{ProcessorTime, ProcessorTimeExceeded};

/// Bytes of an attribute that are kept: checks compare and repeat them, and honest ones are short.
const LONGEST_ATTRIBUTE: usize = 4 * 1024;
/// Characters of one element's text that are given out: it ends up in reports.
const LONGEST_TEXT: usize = 2_000;
/// Elements that do not set their text apart from what stands beside them.
const INLINE: [&str; 38] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "nobr", "q", "rb", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike", "strong",
    "sub", "sup", "time", "tt", "u", "var", "wbr",
];
/// Elements whose text nobody reads on the page.
const UNSEEN: [&str; 9] = ["head", "script", "style", "template", "noscript", "title", "svg", "textarea", "iframe"];

/// One element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Lower case for HTML.
    pub name: Box<str>,
    /// In the order of the source.
    pub attributes: Vec<(Box<str>, Box<str>)>,
    /// The element around it.
    pub parent: Option<usize>,
    /// How many elements are around it.
    pub depth: usize,
    /// How many elements are directly inside it.
    pub children: usize,
    /// True inside `svg` and `math`, whose elements only look like those of HTML.
    pub foreign: bool,
    /// True where its text is not part of what a person reads.
    pub unseen: bool,
    /// True where assistive technology is told nothing of it: `hidden`, `aria-hidden`, or a style of its own, on the
    /// element or on one around it.
    pub hidden: bool,
    /// The elements inside it, by index.
    pub(in crate::audit) inside: Range<usize>,
    /// The texts inside it, by index.
    pub(in crate::audit) texts: Range<usize>,
}

impl Element {
    /// An attribute's value; the empty text where it stands without one.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| **own == *name).map(|(_, value)| &**value)
    }

    /// An attribute's value in lower case, without spaces around it; empty when absent.
    pub fn keyword(&self, name: &str) -> String {
        self.attribute(name).unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// The position among all elements of its tree.
    pub fn index(&self) -> usize {
        // The descendants of an element follow it directly.
        self.inside.start - 1
    }

    /// True when a space-separated attribute names the word, in any case.
    pub fn names(&self, attribute: &str, word: &str) -> bool {
        let value = self.attribute(attribute).unwrap_or_default();
        value.split_ascii_whitespace().any(|part| part.eq_ignore_ascii_case(word))
    }
}

/// The parsed page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageTree {
    /// All elements in document order.
    pub elements: Vec<Element>,
    /// The name in the doctype.
    pub doctype: Option<String>,
    /// True when the doctype, or its absence, makes browsers behave as they did long ago.
    pub quirks: bool,
    /// True when a limit ended the parsing early.
    pub cut: bool,
    /// How the page was parsed.
    pub syntax: Syntax,
    /// All texts in document order.
    pub(in crate::audit) texts: Vec<TextNode>,
    /// True while something stands between the last text and the next one that sets them apart on the screen.
    apart: bool,
    by_name: HashMap<Box<str>, Vec<usize>>,
}

/// The elements of one name, one after the other.
#[derive(Debug, Clone)]
pub struct ElementsByName<'a> {
    tree: &'a PageTree,
    indexes: std::slice::Iter<'a, usize>,
}

impl<'a> Iterator for ElementsByName<'a> {
    type Item = &'a Element;

    fn next(&mut self) -> Option<&'a Element> {
        self.indexes.next().map(|index| &self.tree.elements[*index])
    }
}

/// A text without markup in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) struct TextNode {
    pub(in crate::audit) text: Box<str>,
    unseen: bool,
    /// True where something stands before it that sets it apart from the text before.
    pub(in crate::audit) apart: bool,
}

impl PageTree {
    /// Parses a page of HTML. What lies beyond the limits is left out and `cut` says so.
    pub fn parse(html: &str, limits: &AuditLimits) -> Result<Self, ProcessorTimeExceeded> {
        Self::parse_as(html, Syntax::Html, limits)
    }

    /// The same for either syntax.
    pub fn parse_as(text: &str, syntax: Syntax, limits: &AuditLimits) -> Result<Self, ProcessorTimeExceeded> {
        let time = ProcessorTime::start("parsing the page", limits.parse);
        let (html, cut) = parser::parse(text, syntax, limits, &time)?;
        let mut tree = Self { cut, syntax, quirks: html.quirks_mode == QuirksMode::Quirks, ..Self::default() };
        let mut open: Vec<usize> = Vec::new();
        // The content of a template is no part of the page until a script puts it there.
        let mut template = None;
        for edge in html.tree.root().traverse() {
            match edge {
                Edge::Open(node) if template.is_none() => {
                    tree.open(node.value(), &mut open);
                    template = is_inert_template(node.value()).then(|| node.id());
                }
                Edge::Close(node) if template.is_none_or(|id| id == node.id()) => {
                    template = None;
                    if node.value().is_element() {
                        tree.close(&mut open);
                    }
                }
                Edge::Open(_) | Edge::Close(_) => {}
            }
        }
        time.check()?;
        Ok(tree)
    }

    fn open(&mut self, node: &Node, open: &mut Vec<usize>) {
        match node {
            Node::Doctype(doctype) => self.doctype = Some(doctype.name().to_owned()),
            Node::Text(text) => {
                let unseen = open.last().is_none_or(|parent| self.elements[*parent].unseen);
                let apart = std::mem::take(&mut self.apart);
                self.texts.push(TextNode { text: Box::from(&**text), unseen, apart });
            }
            Node::Element(element) => self.open_element(element, open),
            Node::Document | Node::Fragment | Node::Comment(_) | Node::ProcessingInstruction(_) => {}
        }
    }

    fn open_element(&mut self, element: &scraper::node::Element, open: &mut Vec<usize>) {
        let index = self.elements.len();
        let parent = open.last().copied();
        if let Some(parent) = parent {
            self.elements[parent].children += 1;
        }
        let name: Box<str> = Box::from(element.name());
        self.apart |= !INLINE.contains(&&*name);
        let foreign = *element.name.ns != *"http://www.w3.org/1999/xhtml";
        // A page that is hidden as a whole is shown by a script, so it counts as shown.
        let is_page = !foreign && matches!(&*name, "html" | "body");
        let not_shown = !is_page && (element.attr("hidden").is_some() || element.attr("style").is_some_and(is_hiding));
        let is_unsaid = |value: &str| !is_page && value.eq_ignore_ascii_case("true");
        let unsaid = not_shown || element.attr("aria-hidden").is_some_and(is_unsaid);
        let around = parent.map(|parent| &self.elements[parent]);
        let (unseen, hidden) = (
            not_shown || UNSEEN.contains(&&*name) || around.is_some_and(|around| around.unseen),
            unsaid || around.is_some_and(|around| around.hidden),
        );
        if !foreign {
            self.by_name.entry(name.clone()).or_default().push(index);
        }
        self.elements.push(Element {
            name,
            attributes: element
                .attrs
                .iter()
                .map(|(name, value)| (attribute_name(name), Box::from(start_of(value))))
                .collect(),
            parent,
            depth: open.len(),
            children: 0,
            foreign,
            unseen,
            hidden,
            inside: index + 1..index + 1,
            texts: self.texts.len()..self.texts.len(),
        });
        open.push(index);
    }

    fn close(&mut self, open: &mut Vec<usize>) {
        let Some(index) = open.pop() else { return };
        let (elements, texts) = (self.elements.len(), self.texts.len());
        let element = &mut self.elements[index];
        element.inside.end = elements;
        element.texts.end = texts;
        self.apart |= !INLINE.contains(&&*element.name);
    }

    /// The HTML elements of one name, in document order.
    pub fn named(&self, name: &str) -> ElementsByName<'_> {
        let indexes = self.by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        ElementsByName { tree: self, indexes: indexes.iter() }
    }

    /// The elements directly inside one.
    pub fn children<'a>(&'a self, element: &Element) -> impl Iterator<Item = &'a Element> + use<'a> {
        let inside = self.inside(element);
        let start = element.inside.start;
        std::iter::successors(inside.first(), move |child| inside.get(child.inside.end - start))
    }

    /// All elements inside one.
    pub fn inside<'a>(&'a self, element: &Element) -> &'a [Element] {
        &self.elements[element.inside.clone()]
    }

    /// The elements around one, from the inside to the outside.
    pub fn around<'a>(&'a self, element: &Element) -> impl Iterator<Item = &'a Element> {
        std::iter::successors(element.parent, |index| self.elements[*index].parent).map(|index| &self.elements[index])
    }

    /// True for what stands in the head of the page.
    pub fn is_in_head(&self, element: &Element) -> bool {
        self.around(element).any(|around| &*around.name == "head")
    }

    /// The text inside an element, its white space made single spaces, its end cut where it is endless.
    pub fn text_of(&self, element: &Element) -> String {
        squeeze(self.texts[element.texts.clone()].iter(), LONGEST_TEXT)
    }

    /// The text inside an element without its hidden parts; all of it where the element is hidden as a whole.
    pub fn seen_text_of(&self, element: &Element) -> String {
        let texts = self.texts[element.texts.clone()].iter();
        squeeze(texts.filter(|piece| element.unseen || !piece.unseen), LONGEST_TEXT)
    }

    /// The text inside an element exactly as it stands: for scripts and data.
    pub fn raw_text_of(&self, element: &Element) -> String {
        self.texts[element.texts.clone()].iter().map(|piece| &*piece.text).collect()
    }

    /// What a person reads on the page, its white space made single spaces.
    pub fn seen_text(&self) -> String {
        squeeze(self.texts.iter().filter(|piece| !piece.unseen), usize::MAX)
    }
}

/// The part of an attribute that is kept.
fn start_of(value: &str) -> &str {
    &value[..value.floor_char_boundary(LONGEST_ATTRIBUTE)]
}

/// The name by which an attribute is looked up. Of the namespaces only that of `xml:lang` makes a difference.
fn attribute_name(name: &QualName) -> Box<str> {
    if name.ns == ns!(xml) { format!("xml:{}", name.local).into() } else { Box::from(&*name.local) }
}

/// True for a style attribute that takes its element off the page.
fn is_hiding(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let value = value.split('!').next().unwrap_or_default().trim();
        let property = property.trim();
        (property.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
            || (property.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden"))
    })
}

/// True for a template whose content is put away; one that makes a shadow root is shown.
fn is_inert_template(node: &Node) -> bool {
    node.as_element().is_some_and(|element| element.name() == "template" && element.attr("shadowrootmode").is_none())
}

/// Joins texts, their white space made single spaces; a word may go on from one inline element to the next.
fn squeeze<'a>(pieces: impl Iterator<Item = &'a TextNode>, longest: usize) -> String {
    let mut squeezed = String::new();
    let mut space = false;
    for piece in pieces {
        space |= piece.apart || piece.text.starts_with(char::is_whitespace);
        for word in piece.text.split_whitespace() {
            if space && !squeezed.is_empty() {
                squeezed.push(' ');
            }
            squeezed.push_str(word);
            space = true;
        }
        if squeezed.len() > longest {
            squeezed.truncate(squeezed.floor_char_boundary(longest));
            break;
        }
        space = piece.text.ends_with(char::is_whitespace) || (space && piece.text.trim_ascii().is_empty());
    }
    squeezed
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
