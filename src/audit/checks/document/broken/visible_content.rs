//! The check whether a browser shows anything of a page.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::scripts::can_build_the_page;
use crate::audit::page::AuditedPage;
use crate::audit::page::element::Element;
use crate::audit::page::parser::Syntax;
use crate::audit::page::stylesheet::HiddenByStyle;
use crate::audit::page::tree::{PageTree, is_hiding};
use crate::audit::sitemap::resolve;

/// Elements whose content is raw text: without an end tag they swallow the rest of the page.
const RAW_TEXT: [&str; 5] = ["title", "script", "style", "textarea", "iframe"];
/// Tags that never belong into a title, style or script.
const TAGS_OF_PAGES: [&str; 5] = ["<body", "</head", "</body", "</html", "</p>"];
/// Elements that are visible without text.
const VISIBLE: [&str; 14] = [
    "svg", "video", "audio", "canvas", "iframe", "frame", "object", "embed", "input", "button", "select", "textarea",
    "meter", "progress",
];

pub(super) fn visible_content(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    // The status check already reports errors and empty bodies.
    let is_success = page.response().is_some_and(|response| (200..300).contains(&response.status));
    if !is_success || page.source.trim().is_empty() {
        return CheckResult::not_applicable();
    }
    if let Some((line, error)) = xml_error(page, tree) {
        let error = format!("line {line} is not well-formed XML, so browsers show an error: {error}");
        return CheckResult::failed(json!({ "line": line }), error);
    }
    if let Some(name) = swallowing_element(page, tree) {
        let error = format!("the <{name}> is never closed, so browsers treat the rest of the page as its text");
        return CheckResult::failed(json!({ "unclosed": name }), error);
    }
    let is_built_by_script = can_build_the_page(tree);
    // A stylesheet, which is not downloaded, may show what a `style` element hides.
    let is_styled = tree.named("link").any(|link| link.names("rel", "stylesheet"));
    let style = (!is_built_by_script && !is_styled).then(|| HiddenByStyle::of(tree));
    let is_hidden = |element: &Element| style.as_ref().is_some_and(|style| style.always_hides(element));
    if let Some(name) = hidden_page(tree, is_hidden).filter(|_| !is_built_by_script) {
        let error = format!("the {name} element is hidden, and no script shows it");
        return CheckResult::failed(json!({ "hidden": name }), error);
    }
    let characters = count_visible(&page.seen_text);
    let is_text_shown = characters > 0 && (style.is_none() || count_visible(&tree.seen_text_outside(is_hidden)) > 0);
    if is_text_shown || tree.elements.iter().any(is_visible) || has_background_image(tree) {
        return CheckResult::passed(json!({ "characters": characters }));
    }
    // Redirects and pages built by scripts have their own checks.
    if is_built_by_script || tree.named("meta").any(|meta| meta.keyword("http-equiv") == "refresh") {
        return CheckResult::not_applicable();
    }
    let error = if has_unclosed_comment(&page.source) {
        "a comment is never closed, so browsers show nothing of the page"
    } else {
        "the page has no visible text, image, video, drawing, frame or form"
    };
    CheckResult::failed(json!({ "characters": 0 }), error)
}

/// Returns the first line of an XML page that is not well-formed, and why. Entities of HTML are known with a doctype of
/// XHTML only (HTML standard, 14.2).
fn xml_error(page: &AuditedPage, tree: &PageTree) -> Option<(usize, String)> {
    let is_whole = page.response().is_some_and(|response| !response.cut);
    if tree.syntax != Syntax::Xml || !is_whole {
        return None;
    }
    let knows_entities = tree.public_id.contains("XHTML");
    let mut reader = Reader::from_str(&page.source);
    let mut depth = 0_usize;
    let error = loop {
        let event = reader.read_event();
        if let Ok(Event::Start(start) | Event::Empty(start)) = &event {
            // A check for repeated attributes takes quadratic time.
            if let Some(error) = start.attributes().with_checks(false).find_map(Result::err) {
                break error.to_string();
            }
        }
        match event {
            Ok(Event::Eof) if depth == 0 => return None,
            Ok(Event::Eof) => break "it ends inside an element".to_owned(),
            Ok(Event::Start(_)) => depth += 1,
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::GeneralRef(reference)) if !knows_entities => {
                if let Err(error) = resolve(&reference) {
                    break error;
                }
            }
            Ok(_) => {}
            Err(error) => break error.to_string(),
        }
    };
    let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX).min(page.source.len());
    Some((page.source[..page.source.floor_char_boundary(at)].matches('\n').count() + 1, error))
}

/// Returns the element that swallows the rest of the page as its text.
fn swallowing_element(page: &AuditedPage, tree: &PageTree) -> Option<&'static str> {
    RAW_TEXT.into_iter().find(|name| {
        let last = tree.named(name).last().filter(|last| last.texts.end == tree.texts.len());
        let Some(last) = last.filter(|_| !tree.cut) else { return false };
        let content = tree.raw_text_of(last).to_ascii_lowercase();
        // Scripts and styles contain characters that look like tags; the others contain plain text.
        let first = match *name {
            "script" | "style" => TAGS_OF_PAGES.iter().filter_map(|tag| content.find(tag)).min(),
            _ => content.find('<'),
        };
        first.is_some_and(|at| holds_text(&content[at..])) && !is_closed(&page.source, name)
    })
}

/// Whether there is text between the tags.
fn holds_text(markup: &str) -> bool {
    markup.split('<').skip(1).filter_map(|piece| piece.split_once('>')).any(|(_, text)| !text.trim().is_empty())
}

/// Whether a source has as many end tags as start tags of a name.
fn is_closed(source: &str, name: &str) -> bool {
    let lower = source.to_ascii_lowercase();
    let count = |tag: &str| lower.matches(tag).count();
    count(&format!("</{name}")) >= count(&format!("<{name}"))
}

/// Returns `html` or `body` if that element is hidden as a whole.
fn hidden_page(tree: &PageTree, is_hidden_by_style: impl Fn(&Element) -> bool) -> Option<&'static str> {
    ["html", "body"].into_iter().find(|name| {
        let hides = |element: &Element| {
            element.attribute("hidden").is_some()
                || element.attribute("style").is_some_and(is_hiding)
                || is_hidden_by_style(element)
        };
        tree.named(name).next().is_some_and(hides)
    })
}

fn count_visible(text: &str) -> usize {
    text.chars().filter(|character| is_visible_character(*character)).count()
}

/// Whether a character is visible: neither white space nor zero-width.
fn is_visible_character(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_control()
        && !matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Whether an element is visible without text.
fn is_visible(element: &Element) -> bool {
    let has_source = || ["src", "srcset", "data-src"].iter().any(|name| element.attribute(name).is_some());
    let is_shown = !element.hidden || element.attribute("aria-hidden").is_some();
    is_shown
        && match &*element.name {
            "img" => has_source() && !element.is_pixel(),
            "input" => element.keyword("type") != "hidden",
            "iframe" => !element.is_pixel() && (has_source() || element.attribute("srcdoc").is_some()),
            name => VISIBLE.contains(&name),
        }
}

/// Whether a style of the page names an image.
fn has_background_image(tree: &PageTree) -> bool {
    let mut styles = tree.styles().map(|css| css.to_ascii_lowercase());
    styles.any(|css| css.contains("url(") || css.contains("gradient("))
}

fn has_unclosed_comment(source: &str) -> bool {
    source.rfind("<!--").is_some_and(|at| !source[at + 4..].contains("-->"))
}
