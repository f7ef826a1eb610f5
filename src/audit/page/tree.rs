//! The page as a flat list of elements in document order, with bounded size and depth.
//!
//! Copied from the tree of html5ever into plain values that are `Send` and can be searched in one pass.

use std::collections::HashMap;
use std::ops::Range;

use ego_tree::iter::Edge;
use html5ever::tree_builder::QuirksMode;
use html5ever::{QualName, ns};
use scraper::Node;

use crate::audit::limits::AuditLimits;
use crate::audit::page::element::Element;
use crate::audit::page::parser::{self, Syntax};
use crate::audit::processor_time::{ProcessorTime, ProcessorTimeExceeded};

/// Stored bytes of an attribute; longer values are cut.
const LONGEST_ATTRIBUTE: usize = 4 * 1024;
/// Bytes of the text of one element; longer texts are cut, because they appear in reports.
const LONGEST_TEXT: usize = 2_000;
/// The most children of a host that are examined for one slot, and the most texts between two of them; real components
/// have a few.
const MOST_SLOTTED: usize = 200;
/// The most descendants among which an empty custom element is searched; a link or button has a few.
const MOST_PARTS: usize = 200;
/// Elements that do not separate their text from the text beside them.
const INLINE: [&str; 38] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "nobr", "q", "rb", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike", "strong",
    "sub", "sup", "time", "tt", "u", "var", "wbr",
];
/// Elements whose text is not displayed (HTML standard, 15.3.1, 15.4 and 15.5).
const UNSEEN: [&str; 17] = [
    "audio", "canvas", "datalist", "head", "iframe", "meter", "noembed", "noframes", "noscript", "progress", "rp",
    "script", "style", "svg", "textarea", "title", "video",
];

/// The parsed page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageTree {
    /// All elements in document order.
    pub elements: Vec<Element>,
    /// The name in the doctype.
    pub doctype: Option<String>,
    /// The public identifier in the doctype, which decides about quirks mode; empty if there is none.
    pub public_id: String,
    /// Whether browsers use quirks mode.
    pub quirks: bool,
    /// Whether a limit ended parsing early.
    pub cut: bool,
    /// The syntax of the source.
    pub syntax: Syntax,
    /// All texts in document order.
    pub(in crate::audit) texts: Vec<TextNode>,
    /// Whether the last text and the next one are separated on the screen.
    apart: bool,
    by_name: HashMap<Box<str>, Vec<usize>>,
}

/// A text node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) struct TextNode {
    pub(in crate::audit) text: Box<str>,
    unseen: bool,
    /// Whether it is separated from the text before it.
    pub(in crate::audit) apart: bool,
}

impl PageTree {
    /// Parses HTML. Content beyond the limits is dropped and `cut` is set.
    pub fn parse(html: &str, limits: &AuditLimits) -> Result<Self, ProcessorTimeExceeded> {
        Self::parse_as(html, Syntax::Html, limits)
    }

    /// Parses HTML or XHTML. Content beyond the limits is dropped and `cut` is set.
    pub fn parse_as(text: &str, syntax: Syntax, limits: &AuditLimits) -> Result<Self, ProcessorTimeExceeded> {
        let time = ProcessorTime::start("parsing the page", limits.parse);
        let (html, cut) = parser::parse(text, syntax, limits, &time)?;
        let mut tree = Self { cut, syntax, quirks: html.quirks_mode == QuirksMode::Quirks, ..Self::default() };
        let mut open: Vec<usize> = Vec::new();
        // The content of a template is not part of the page.
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
            Node::Doctype(doctype) => {
                self.doctype = Some(doctype.name().to_owned());
                doctype.public_id().clone_into(&mut self.public_id);
            }
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
        let name: Box<str> = Box::from(element.name());
        self.apart |= !INLINE.contains(&&*name);
        let foreign = *element.name.ns != *"http://www.w3.org/1999/xhtml";
        // A page that is hidden as a whole is shown by a script later, so it counts as visible.
        let is_page = !foreign && matches!(&*name, "html" | "body");
        // Browsers hide a dialog and a popover until a click or a script opens it (HTML standard, 15.3.1).
        let opens_later = &*name == "dialog" || element.attr("popover").is_some();
        let is_closed = !foreign && opens_later && element.attr("open").is_none();
        // A script of the page moves a streamed part to its place as soon as it has arrived.
        let is_streamed = element.attr("id").is_some_and(is_streamed_segment);
        let hides = (element.attr("hidden").is_some() && !is_streamed) || element.attr("style").is_some_and(is_hiding);
        let not_shown = !is_page && (hides || is_closed);
        let is_unsaid = |value: &str| !is_page && value.eq_ignore_ascii_case("true");
        let unsaid = not_shown || element.attr("aria-hidden").is_some_and(is_unsaid);
        let around = parent.map(|parent| &self.elements[parent]);
        let (unseen, hidden) = (
            not_shown || UNSEEN.contains(&&*name) || around.is_some_and(|around| around.unseen),
            unsaid || around.is_some_and(|around| around.hidden),
        );
        // The content of other templates is dropped.
        let is_root = around.is_some_and(|around| &*around.name == "template");
        let shadow_root = if is_root { parent } else { around.and_then(|around| around.shadow_root) };
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
            foreign,
            unseen,
            hidden,
            shadow_root,
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

    /// Returns the HTML elements of one name, in document order.
    pub fn named<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Element> + Clone + use<'a> {
        self.by_name.get(name).into_iter().flatten().map(|index| &self.elements[*index])
    }

    /// Returns the links: `a` elements with an address.
    pub fn links(&self) -> impl Iterator<Item = &Element> {
        self.named("a").filter(|link| link.attribute("href").is_some())
    }

    /// Returns the children of an element.
    pub fn children<'a>(&'a self, element: &Element) -> impl Iterator<Item = &'a Element> + use<'a> {
        let inside = self.inside(element);
        let start = element.inside.start;
        std::iter::successors(inside.first(), move |child| inside.get(child.inside.end - start))
    }

    /// Returns the descendants of an element.
    pub fn inside<'a>(&'a self, element: &Element) -> &'a [Element] {
        &self.elements[element.inside.clone()]
    }

    /// Returns the ancestors of an element, innermost first.
    pub fn ancestors<'a>(&'a self, element: &Element) -> impl Iterator<Item = &'a Element> {
        std::iter::successors(element.parent, |index| self.elements[*index].parent).map(|index| &self.elements[index])
    }

    /// Whether the element is in the head.
    pub fn is_in_head(&self, element: &Element) -> bool {
        self.ancestors(element).any(|around| &*around.name == "head")
    }

    /// Returns the text of an element, white space collapsed, cut at [`LONGEST_TEXT`].
    pub fn text_of(&self, element: &Element) -> String {
        squeeze(self.texts[element.texts.clone()].iter(), LONGEST_TEXT)
    }

    /// Returns the text of an element without its hidden parts, or all of it when the element itself is hidden.
    pub fn seen_text_of(&self, element: &Element) -> String {
        let texts = self.texts[element.texts.clone()].iter();
        squeeze(texts.filter(|piece| element.unseen || !piece.unseen), LONGEST_TEXT)
    }

    /// Returns the text that a slot of a shadow root shows: that of the host's children which name the slot, or without a
    /// name the rest of the host's text (DOM standard, 4.2.2.3). Empty if there are none.
    pub fn slotted_text(&self, slot: &Element) -> String {
        let host = slot.shadow_root.and_then(|template| self.elements[template].parent);
        let Some(host) = host.map(|host| &self.elements[host]) else { return String::new() };
        let name = slot.attribute("name").unwrap_or_default();
        let mut shown = String::new();
        let mut next = host.texts.start;
        for child in self.children(host).take(MOST_SLOTTED) {
            if name.is_empty() {
                self.append_seen(&mut shown, next..child.texts.start);
            }
            if child.attribute("slot").unwrap_or_default() == name && &*child.name != "template" {
                self.append_seen(&mut shown, child.texts.clone());
            }
            next = child.texts.end;
        }
        if name.is_empty() {
            self.append_seen(&mut shown, next..host.texts.end);
        }
        shown
    }

    fn append_seen(&self, text: &mut String, range: Range<usize>) {
        let mut seen = self.texts[range].iter().take(MOST_SLOTTED).filter(|piece| !piece.unseen).peekable();
        if text.len() < LONGEST_TEXT && seen.peek().is_some() {
            text.extend([" ", &squeeze(seen, LONGEST_TEXT)]);
        }
    }

    /// Returns the text of an element unchanged, for scripts and data.
    pub fn raw_text_of(&self, element: &Element) -> String {
        self.texts[element.texts.clone()].iter().map(|piece| &*piece.text).collect()
    }

    /// Returns the stylesheets and style attributes of the page. External stylesheets are not downloaded.
    pub fn styles(&self) -> impl Iterator<Item = String> {
        let sheets = self.named("style").map(|style| self.raw_text_of(style));
        sheets.chain(self.elements.iter().filter_map(|element| element.attribute("style")).map(str::to_owned))
    }

    /// Returns the visible text outside of skipped elements, white space collapsed.
    pub fn seen_text_outside(&self, is_skipped: impl Fn(&Element) -> bool) -> String {
        let mut skipped = self.elements.iter().filter(|element| is_skipped(element)).peekable();
        let mut skipped_until = 0;
        let outside = self.texts.iter().enumerate().filter(|(index, piece)| {
            // Elements are in document order, so one pass suffices.
            while let Some(element) = skipped.next_if(|element| element.texts.start <= *index) {
                skipped_until = skipped_until.max(element.texts.end);
            }
            !piece.unseen && *index >= skipped_until
        });
        squeeze(outside.map(|(_, piece)| piece), usize::MAX)
    }

    /// Returns the visible text before an element, white space collapsed.
    pub fn seen_text_before(&self, element: &Element) -> String {
        squeeze(self.texts[..element.texts.start].iter().filter(|piece| !piece.unseen), usize::MAX)
    }

    /// Whether an element contains or is an empty custom element, which a script may fill with a text. Those of AMP are
    /// known: they add none.
    pub fn may_be_filled(&self, element: &Element) -> bool {
        let parts = std::iter::once(element).chain(self.inside(element)).take(MOST_PARTS);
        let mut custom = parts.filter(|part| part.is_custom() && !part.name.starts_with("amp-"));
        custom.any(|part| part.inside.is_empty() && self.text_of(part).is_empty())
    }

    /// Returns the first `bytes` of the text that follows an element, visible or not, white space collapsed.
    pub fn text_after(&self, element: &Element, bytes: usize) -> String {
        squeeze(self.texts[element.texts.end..].iter(), bytes)
    }

    /// Returns the visible text of the page, white space collapsed.
    pub fn seen_text(&self) -> String {
        squeeze(self.texts.iter().filter(|piece| !piece.unseen), usize::MAX)
    }
}

/// Returns the stored part of an attribute.
fn start_of(value: &str) -> &str {
    &value[..value.floor_char_boundary(LONGEST_ATTRIBUTE)]
}

/// Returns the key of an attribute. Of the namespaces only that of `xml:lang` matters.
fn attribute_name(name: &QualName) -> Box<str> {
    if name.ns == ns!(xml) { format!("xml:{}", name.local).into() } else { Box::from(&*name.local) }
}

/// Whether an id is that of a part that React, and with it Next.js, sends after the rest of the page: `S:` and a
/// hexadecimal number.
fn is_streamed_segment(id: &str) -> bool {
    id.strip_prefix("S:").is_some_and(|number| u32::from_str_radix(number, 16).is_ok())
}

/// Whether an inline style hides the element.
pub(in crate::audit) fn is_hiding(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let value = value.split('!').next().unwrap_or_default().trim();
        let property = property.trim();
        (property.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
            || (property.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden"))
    })
}

/// Whether an element is a template that is not rendered; one that creates a shadow root is rendered.
fn is_inert_template(node: &Node) -> bool {
    node.as_element().is_some_and(|element| element.name() == "template" && element.attr("shadowrootmode").is_none())
}

/// Joins texts and collapses white space. A word may span several inline elements.
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
