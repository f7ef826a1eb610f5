//! Feeds a page to html5ever (HTML) or xml5ever (XHTML) in chunks, and stops at the limits for size, depth and
//! processor time. Both parsers build the same kind of tree.

use std::cell::Ref;

use html5ever::driver::{self, ParseOpts};
use html5ever::tendril::fmt::UTF8;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::TokenizerOpts;
use scraper::{Html, HtmlTreeSink};
use xml5ever::driver::{XmlParseOpts, XmlParser};

use crate::audit::limits::AuditLimits;
use crate::audit::processor_time::{ProcessorTime, ProcessorTimeExceeded};

/// Bytes between two checks of the limits.
const CHUNK_BYTES: usize = 4 * 1024;

/// The syntax of a page, by its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Syntax {
    /// `text/html`.
    #[default]
    Html,
    /// `application/xhtml+xml`: names are case-sensitive, `<script/>` is an empty element.
    Xml,
}

/// A parser whose tree can be inspected while it is fed.
trait IncrementalParser: TendrilSink<UTF8, Output = Html> {
    fn html(&self) -> Ref<'_, Html>;
}

impl IncrementalParser for driver::Parser<HtmlTreeSink> {
    fn html(&self) -> Ref<'_, Html> {
        self.tokenizer.sink.sink.0.borrow()
    }
}

impl IncrementalParser for XmlParser<HtmlTreeSink> {
    fn html(&self) -> Ref<'_, Html> {
        self.tokenizer.sink.sink.0.borrow()
    }
}

/// Parses a page. The flag is true when the limit for size or depth ended parsing early.
pub(in crate::audit) fn parse(
    text: &str,
    syntax: Syntax,
    limits: &AuditLimits,
    time: &ProcessorTime,
) -> Result<(Html, bool), ProcessorTimeExceeded> {
    let sink = HtmlTreeSink::new(Html::new_document());
    match syntax {
        Syntax::Html => {
            // The decoder has removed the byte order mark. A second one is text, as in browsers.
            let tokenizer = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
            let options = ParseOpts { tokenizer, ..ParseOpts::default() };
            feed(driver::parse_document(sink, options), text, limits, time)
        }
        Syntax::Xml => feed(xml5ever::driver::parse_document(sink, XmlParseOpts::default()), text, limits, time),
    }
}

fn feed(
    mut parser: impl IncrementalParser,
    text: &str,
    limits: &AuditLimits,
    time: &ProcessorTime,
) -> Result<(Html, bool), ProcessorTimeExceeded> {
    let mut rest = text;
    let mut seen = 0;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(CHUNK_BYTES));
        parser.process(StrTendril::from(piece));
        rest = after;
        time.check()?;
        let fits = is_within(&parser.html(), &mut seen, limits);
        if !fits {
            break;
        }
    }
    let cut = !rest.is_empty();
    Ok((parser.finish(), cut))
}

/// Whether the tree is within the limits for size and depth. Measures every 16th new node from the last one back: in a
/// tree that is far too deep, many more nodes than that are below the limit.
fn is_within(html: &Html, seen: &mut usize, limits: &AuditLimits) -> bool {
    let nodes = html.tree.nodes();
    let total = nodes.len();
    let new = total - *seen;
    *seen = total;
    let mut measured = nodes.rev().take(new).step_by(16);
    total <= limits.nodes && !measured.any(|node| node.ancestors().take(limits.depth + 1).count() > limits.depth)
}
