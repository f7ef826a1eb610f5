//! Checks of tables, lists and media with missing parts.

use std::collections::HashSet;

use crate::audit::accessible_name::roles::{is_decoration, role};
use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::source_position::source_position;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::page::element::Element;
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "table_parts",
        importance: Importance::Low,
        title: "Structure of tables",
        rule: Rule::Tree(table_parts),
        passes_when: "Tables with a caption or summary have header cells, and headers refers to cells of the table.",
        remedy: "Mark the header cells of a table with th, and refer to cells of the same table only.",
        why: "Screen readers do not announce which column a value belongs to.",
        source: "WCAG 2.2, 1.3.1; techniques H43 and H51",
    },
    CheckEntry {
        id: "list_parts",
        importance: Importance::Low,
        title: "Structure of lists",
        rule: Rule::Tree(list_parts),
        passes_when: "Only li in ul and ol, only dt, dd and div in dl, and those nowhere else.",
        remedy: "Put only li into ul and ol, only dt, dd and div into dl, and those nowhere else.",
        why: "Screen readers announce a wrong number of entries, or no list at all.",
        source: "HTML standard, 4.4.5 to 4.4.11; WCAG 2.2, 1.3.1",
    },
    CheckEntry {
        id: "media_parts",
        importance: Importance::Medium,
        title: "Audio and video",
        rule: Rule::Tree(media_parts),
        passes_when: "Videos with sound have captions, and nothing starts with sound by itself.",
        remedy: "Give videos captions, everything that plays controls, and do not start anything with sound.",
        why: "People who cannot hear miss what is said, and sound that starts by itself drowns out a screen reader.",
        source: "WCAG 2.2, 1.2.2 and 1.4.2",
    },
];

/// Elements that browsers do not render, and screen readers do not count.
const NOT_RENDERED: [&str; 6] = ["link", "meta", "noscript", "script", "style", "template"];

fn table_parts(tree: &PageTree) -> CheckResult {
    let tables: Vec<&Element> =
        tree.named("table").filter(|table| !table.hidden && role(table).is_none_or(|role| role == "table")).collect();
    let mut errors = Vec::new();
    let mut done = 0;
    for table in &tables {
        // Nested tables are layout. Each element is examined only once.
        if table.index() < done {
            continue;
        }
        done = table.inside.end;
        let inside = tree.inside(table);
        errors.extend(table_errors(tree, table, inside));
    }
    CheckResult::of_parts(tables.len(), errors)
}

fn table_errors(tree: &PageTree, table: &Element, inside: &[Element]) -> Vec<String> {
    let mut errors = Vec::new();
    let of = |name: &'static str| inside.iter().filter(move |element| &*element.name == name);
    let caption = of("caption").next().map(|caption| tree.text_of(caption)).filter(|text| !text.is_empty());
    let has_headers =
        of("th").next().is_some() || inside.iter().any(|cell| matches!(role(cell), Some("columnheader" | "rowheader")));
    let is_data = caption.is_some() || table.attribute("summary").is_some_and(|summary| !summary.trim().is_empty());
    if is_data && !has_headers && of("td").nth(1).is_some() && of("table").next().is_none() {
        errors.push(format!("a data table has no header cells: {}", source_position(tree, table)));
    }
    if caption.is_some_and(|caption| table.attribute("summary").is_some_and(|summary| summary.trim() == caption)) {
        errors.push(format!("the summary of a table repeats its caption: {}", source_position(tree, table)));
    }
    let ids: HashSet<&str> = of("th").chain(of("td")).filter_map(|cell| cell.attribute("id")).collect();
    for cell in of("td").chain(of("th")) {
        let mut named = cell.attribute("headers").unwrap_or_default().split_ascii_whitespace();
        if let Some(missing) = named.find(|id| !ids.contains(id)) {
            errors.push(format!("headers={missing} is not a cell of the table: {}", source_position(tree, cell)));
        }
    }
    for header in of("th").filter(|header| header.attribute("scope").is_some()) {
        let scope = header.keyword("scope");
        if !matches!(scope.as_str(), "" | "row" | "col" | "rowgroup" | "colgroup") {
            errors.push(format!("scope={scope} is not a direction: {}", source_position(tree, header)));
        }
    }
    errors
}

fn list_parts(tree: &PageTree) -> CheckResult {
    let (mut count, mut errors) = (0_usize, Vec::new());
    for element in tree.elements.iter().filter(|element| !element.hidden && !element.foreign) {
        let place = || source_position(tree, element);
        match &*element.name {
            "ul" | "ol" | "menu" if is_list(element) => {
                count += 1;
                let wrong = tree.children(element).find(|child| !is_entry(child));
                errors.extend(wrong.map(|child| {
                    // By its role, even an li is no entry.
                    let role = role(child).map(|role| format!(" role={role}")).unwrap_or_default();
                    format!("a list contains <{}{role}> besides its entries: {}", child.name, place())
                }));
            }
            "dl" if is_list(element) => {
                count += 1;
                let fits = |child: &Element| matches!(&*child.name, "dt" | "dd" | "div") || may_be_anywhere(child);
                let wrong = tree.children(element).find(|child| !fits(child));
                errors.extend(wrong.map(|child| format!("a description list contains <{}>: {}", child.name, place())));
                errors.extend(
                    sole_part(tree, element)
                        .map(|part| format!("a description list contains only <{part}>: {}", place())),
                );
            }
            name @ ("li" | "dt" | "dd") if role(element).is_none() => {
                count += 1;
                if !is_in_list(tree, element) {
                    let (article, list) = if name == "li" { ("an", "list") } else { ("a", "dl") };
                    errors.push(format!("{article} {name} is not in a {list}: {}", place()));
                }
            }
            _ => {}
        }
    }
    CheckResult::of_parts(count, errors)
}

fn is_list(element: &Element) -> bool {
    role(element).is_none_or(|role| role == "list") && !is_decoration(element)
}

/// Whether an entry is in a list of its kind; a `div` may group terms and descriptions.
fn is_in_list(tree: &PageTree, entry: &Element) -> bool {
    let holds = |list: &Element| match &*entry.name {
        _ if is_component(list) => true,
        "li" => matches!(&*list.name, "ul" | "ol" | "menu") || role(list) == Some("list"),
        _ => &*list.name == "dl",
    };
    let mut around = tree.ancestors(entry);
    let parent = around.next();
    let is_group = &*entry.name != "li" && parent.is_some_and(|parent| &*parent.name == "div");
    parent.is_some_and(holds) || (is_group && around.next().is_some_and(holds))
}

/// Returns the only kind of part in a list of terms, if one is missing: a group needs terms and descriptions (HTML
/// standard, 4.4.9).
fn sole_part(tree: &PageTree, list: &Element) -> Option<&'static str> {
    let groups = tree.children(list).filter(|child| &*child.name == "div").flat_map(|group| tree.children(group));
    let (mut terms, mut descriptions) = (false, false);
    for part in tree.children(list).chain(groups) {
        terms |= &*part.name == "dt" || is_component(part);
        descriptions |= &*part.name == "dd" || is_component(part);
    }
    match (terms, descriptions) {
        (true, false) => Some("dt"),
        (false, true) => Some("dd"),
        (true, true) | (false, false) => None,
    }
}

fn is_entry(child: &Element) -> bool {
    let is_one = match role(child) {
        Some(role) => role == "listitem",
        None => &*child.name == "li" || may_be_anywhere(child),
    };
    is_one || child.hidden
}

/// Whether a list of any kind may hold the element besides its entries.
fn may_be_anywhere(child: &Element) -> bool {
    NOT_RENDERED.contains(&&*child.name) || is_component(child)
}

/// Whether a browser shows other elements in place of this one, or around its children: a slot, a custom element, or the
/// template of a shadow root.
fn is_component(element: &Element) -> bool {
    element.is_custom() || matches!(&*element.name, "slot" | "template")
}

fn media_parts(tree: &PageTree) -> CheckResult {
    let is_file = |element: &Element| element.attribute("src").is_some();
    // A hidden element is heard nevertheless.
    let plays = |element: &&Element| !element.hidden || element.attribute("autoplay").is_some();
    let media: Vec<&Element> = ["video", "audio"].into_iter().flat_map(|name| tree.named(name)).filter(plays).collect();
    let mut errors = Vec::new();
    for element in &media {
        let has = |name: &str| element.attribute(name).is_some();
        let place = source_position(tree, element);
        let what = if &*element.name == "audio" { "an audio" } else { "a video" };
        let captions = |track: &Element| {
            &*track.name == "track" && matches!(track.keyword("kind").as_str(), "" | "captions" | "subtitles")
        };
        // A script may give a video its file, and the captions in it.
        let has_file =
            is_file(element) || tree.children(element).any(|source| &*source.name == "source" && is_file(source));
        let needs_captions = &*element.name == "video" && has_file && !element.hidden && !has("muted");
        if needs_captions && !tree.children(element).any(captions) {
            errors.push(format!("a video has no captions: {place}"));
        }
        if has("autoplay") && !has("muted") {
            errors.push(format!("{what} starts by itself with sound: {place}"));
        }
        if has("autoplay") && has("loop") && !has("controls") && !has("muted") {
            errors.push(format!("{what} that plays endlessly cannot be stopped: {place}"));
        }
    }
    CheckResult::of_parts(media.len(), errors)
}
