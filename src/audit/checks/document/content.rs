//! Checks of content: title, description, headings, words, language.

use serde_json::json;
use unicode_segmentation::UnicodeSegmentation;

use crate::audit::accessible_name::names::AccessibleNames;
use crate::audit::accessible_name::roles::{heading_level, is_decoration};
use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::loading::is_image_file;
use crate::audit::checks::document::source_position::source_position;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::page::AuditedPage;
use crate::audit::page::element::Element;
use crate::audit::page::parser::Syntax;
use crate::audit::page::stylesheet::HiddenByStyle;
use crate::audit::page::tree::PageTree;
use crate::audit::text::keywords::keywords;
use crate::audit::text::language_tag::is_language_tag;
use crate::domain::report::check::Importance;
use crate::domain::text::numbers::counted;
use crate::domain::text::width;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "title",
        importance: Importance::High,
        title: "Title",
        rule: Rule::Html(title),
        passes_when: "One title in the head, with 1 to 60 characters.",
        remedy: "Give the page one title of 1 to 60 characters, in its head.",
        why: "The title is the first thing people see in search results and in their browser tabs.",
        source: "Search results truncate titles at about 60 characters",
    },
    CheckEntry {
        id: "meta_description",
        importance: Importance::High,
        title: "Meta description",
        rule: Rule::Html(meta_description),
        passes_when: "One description with a text, and no second one that differs.",
        remedy: "Write one meta description that says what the page offers.",
        why: "Search engines show the description below the title: it makes people click.",
        source: "Google Search Central: control your snippets",
    },
    CheckEntry {
        id: "headings",
        importance: Importance::High,
        title: "Main heading",
        rule: Rule::Html(headings),
        passes_when: "An h1 with a text; several, or one that repeats the title, are a note.",
        remedy: "Give the page one h1 that says in words what it is about.",
        why: "The main heading tells visitors immediately whether they are on the right page.",
        source: "HTML standard: headings and outlines",
    },
    CheckEntry {
        id: "content_keywords",
        importance: Importance::High,
        title: "Title words in the text",
        rule: Rule::Html(content_keywords),
        passes_when: "A word of the title is in the visible text.",
        remedy: "Use the words of the title in the text of the page.",
        why: "Visitors who come for what the title promises do not find it in the text.",
        source: "Google Search Central: title links",
    },
    CheckEntry {
        id: "image_keywords",
        importance: Importance::High,
        title: "Alternative texts of images",
        rule: Rule::Tree(image_keywords),
        passes_when: "Every image has an alt attribute, which may be empty, or another name; interactive images have a name. None is the name of a file.",
        remedy: "Describe every image, image button and image-map link in its alt attribute, and leave it empty for decorative images.",
        why: "Visitors who cannot see an image, and search engines, do not learn what it shows.",
        source: "WCAG 2.2, 1.1.1",
    },
    CheckEntry {
        id: "language",
        importance: Importance::Medium,
        title: "Language",
        rule: Rule::Tree(language),
        passes_when: "The html element has a lang attribute with a registered language tag.",
        remedy: r#"Name the language of the page on its html element, for example lang="en"."#,
        why: "Screen readers and translators need the language to read the page correctly.",
        source: "WCAG 2.2, 3.1.1; BCP 47",
    },
    CheckEntry {
        id: "heading_order",
        importance: Importance::Low,
        title: "Order of headings",
        rule: Rule::Tree(heading_order),
        passes_when: "No level is left out, and no heading is empty.",
        remedy: "Go down one heading level at a time, and give every heading a text.",
        why: "Visitors with a screen reader go from heading to heading; gaps make them miss parts.",
        source: "WCAG 2.2, technique G141",
    },
    CheckEntry {
        id: "title_quality",
        importance: Importance::Low,
        title: "Descriptive title",
        rule: Rule::Html(title_quality),
        passes_when: "At least 10 characters (wide ones count twice), and not only a word such as \u{201c}Home\u{201d}.",
        remedy: "Write a title of at least 10 characters that distinguishes this page from others.",
        why: "A short or general title does not tell people why they should open this page.",
        source: "Google Search Central: title links",
    },
    CheckEntry {
        id: "description_length",
        importance: Importance::Note,
        title: "Length of the description",
        rule: Rule::Html(description_length),
        passes_when: "50 to 160 characters. Does not affect the score.",
        remedy: "Write 50 to 160 characters, so that it is shown in full.",
        why: "A description that is truncated or very short says little in search results.",
        source: "Search results truncate descriptions at about 160 characters",
    },
];

/// The longest title that search results show in full, in characters.
const LONGEST_TITLE: usize = 60;
/// The shortest descriptive title, in characters.
const SHORTEST_TELLING_TITLE: usize = 10;
/// Lengths of a description that search results show in full, in characters.
const DESCRIPTION: std::ops::RangeInclusive<usize> = 50..=160;
/// The most buttons, and main headings, whose words are compared with the title.
const MOST_SHOWN: usize = 50;
/// Default titles of editors and servers.
const EMPTY_TITLES: [&str; 12] = [
    "home",
    "homepage",
    "home page",
    "untitled",
    "untitled document",
    "untitled page",
    "index",
    "new page",
    "document",
    "welcome",
    "startseite",
    "accueil",
];

/// Counts characters as people see them: a letter with its accents and vowel signs is one.
fn characters(text: &str) -> usize {
    text.graphemes(true).count()
}

fn title(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let titles: Vec<String> =
        tree.named("title").filter(|title| tree.is_in_head(title)).map(|title| tree.text_of(title)).collect();
    let Some(first) = titles.first() else {
        return match page.title() {
            Some(misplaced) => CheckResult::failed(json!(misplaced), misplaced_error(tree, "the title")),
            None => CheckResult::failed(json!(null), "the page has no title"),
        };
    };
    let length = characters(first);
    let mut errors = Vec::new();
    if titles.len() > 1 {
        errors.push(format!("the page has {} titles", titles.len()));
    }
    if length == 0 {
        errors.push("the title is empty".to_owned());
    }
    if length > LONGEST_TITLE {
        errors.push(format!("the title has {length} characters, at most {LONGEST_TITLE} are shown"));
    }
    CheckResult::from_errors(json!({ "title": first, "length": length }), errors)
}

fn title_quality(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let Some(title) = page.title().filter(|title| !title.is_empty()) else { return CheckResult::not_applicable() };
    let lower = title.to_lowercase();
    if EMPTY_TITLES.contains(&lower.trim_matches(|character: char| !character.is_alphanumeric())) {
        return CheckResult::failed(json!(title), format!("\u{201c}{title}\u{201d} could be the title of any page"));
    }
    // A Chinese, Japanese or Korean character is as wide as two letters, and says as much.
    CheckResult::when(width(&title) >= SHORTEST_TELLING_TITLE, json!(title), || {
        let length = counted(characters(&title) as u64, "character");
        format!("the title has {length}, at least {SHORTEST_TELLING_TITLE} recommended")
    })
}

/// Returns the error of something that belongs into the head. The body begins with the first element that does not, often
/// far above the tag `<body>`.
fn misplaced_error(tree: &PageTree, what: &str) -> String {
    let first = tree.named("body").next().and_then(|body| tree.children(body).next());
    let first = first.map(|first| source_position(tree, first)).unwrap_or_default();
    format!("{what} is in the body, which begins with {first}")
}

fn meta_description(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let descriptions = page.metas_in_head("description");
    let Some(first) = descriptions.iter().find(|text| !text.is_empty()) else {
        let is_misplaced = page.metas("description").iter().any(|text| !text.is_empty());
        let error = if is_misplaced {
            misplaced_error(tree, "the meta description")
        } else {
            "the page has no meta description".to_owned()
        };
        return CheckResult::failed(json!(null), error);
    };
    let differing = descriptions.iter().filter(|other| *other != first).count();
    CheckResult::when(differing == 0, json!(first), || format!("the page has {} different descriptions", differing + 1))
}

fn description_length(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let descriptions = page.metas_in_head("description");
    let Some(first) = descriptions.iter().find(|text| !text.is_empty()) else { return CheckResult::not_applicable() };
    let length = characters(first);
    if width(first) >= *DESCRIPTION.start() && length <= *DESCRIPTION.end() {
        return CheckResult::passed(json!(length));
    }
    CheckResult::note(
        json!(length),
        format!("the description has {}; 50 to 160 are shown in full", counted(length as u64, "character")),
    )
}

fn headings(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let names = AccessibleNames::of(tree);
    let seen = tree.named("h1").filter(|heading| !heading.unseen);
    let texts: Vec<String> = seen.map(|heading| names.name(heading)).collect();
    let filled = texts.iter().filter(|text| !text.is_empty()).count();
    let value = json!(texts);
    match (filled, page.title()) {
        (0, _) => CheckResult::failed(value, "the page has no h1 with a text"),
        (1, Some(title)) if texts.contains(&title) => CheckResult::note(value, "the h1 repeats the title"),
        (1, _) => CheckResult::passed(value),
        (several, _) => CheckResult::note(value, format!("the page has {several} h1 headings")),
    }
}

fn heading_order(tree: &PageTree) -> CheckResult {
    let names = AccessibleNames::of(tree);
    let mut errors = Vec::new();
    let mut former = 0;
    let mut levels = Vec::new();
    for heading in HiddenByStyle::of(tree).reachable(tree) {
        let Some(level) = heading_level(heading) else { continue };
        let text = names.name(heading);
        let is_empty = text.is_empty();
        let place = if is_empty { source_position(tree, heading) } else { text };
        if is_empty && !tree.may_be_filled(heading) {
            errors.push(format!("a heading of level {level} has no text: {place}"));
        }
        if level > former + 1 && former > 0 {
            errors.push(format!("a heading of level {level} follows one of level {former}: {place}"));
        }
        former = level;
        levels.push(level);
    }
    if levels.is_empty() { CheckResult::not_applicable() } else { CheckResult::from_errors(json!(levels), errors) }
}

fn content_keywords(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let words = keywords(&page.title().unwrap_or_default());
    if words.is_empty() {
        return CheckResult::not_applicable();
    }
    let names = AccessibleNames::of(tree);
    // Buttons and the image of a heading show words that are not text.
    let is_button = |input: &&Element| matches!(input.keyword("type").as_str(), "submit" | "button");
    let shown = tree.named("h1").take(MOST_SHOWN).chain(tree.named("input").filter(is_button).take(MOST_SHOWN));
    let shown = shown.map(|element| names.name(element));
    let mut seen = keywords(&page.seen_text);
    seen.extend(shown.flat_map(|name| keywords(&name)));
    let shared: Vec<&String> = words.intersection(&seen).collect();
    CheckResult::when(!shared.is_empty(), json!(shared), || {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        format!("no word of the title is in the text: {}", words.join(", "))
    })
}

fn image_keywords(tree: &PageTree) -> CheckResult {
    let names = AccessibleNames::of(tree);
    // An area that is a link and an image that is a button do something, so they cannot be mere decoration.
    let areas = tree.named("area").filter(|area| area.attribute("href").is_some());
    let acting = areas.chain(tree.named("input").filter(|input| input.keyword("type") == "image"));
    let shown = tree.named("img").filter(|image| !is_decoration(image));
    let all: Vec<(&Element, bool)> =
        shown.map(|image| (image, false)).chain(acting.map(|element| (element, true))).collect();
    if tree.named("img").next().is_none() && all.is_empty() {
        return CheckResult::not_applicable();
    }
    let errors = all.iter().filter(|(image, _)| !image.hidden).filter_map(|(image, needs_words)| {
        let name = names.name(image);
        let wrong = match image.attribute("alt") {
            Some("") if !needs_words => return None,
            // WCAG failure F30.
            _ if is_image_file(&name) => "the text is the name of a file",
            _ if !name.is_empty() => return None,
            None => "no alt",
            Some("") => "alt is empty",
            // Neither a description nor the empty text that marks decoration (WCAG technique H67).
            Some(_) => "alt is only whitespace",
        };
        Some(format!("{wrong}: {}", source_position(tree, image)))
    });
    CheckResult::from_errors(json!({ "images": all.len() }), errors.collect())
}

fn language(tree: &PageTree) -> CheckResult {
    // `xml:lang` takes precedence, but only on XML pages (HTML standard, 3.2.6.2).
    let names: &[&str] = if tree.syntax == Syntax::Xml { &["xml:lang", "lang"] } else { &["lang"] };
    let root = tree.named("html").next();
    let written = root.and_then(|html| names.iter().find_map(|name| html.attribute(name))).map(str::trim);
    match written {
        None | Some("") => CheckResult::failed(json!(null), "the html element names no language"),
        Some(tag) => CheckResult::when(is_language_tag(tag), json!(tag), || {
            format!("lang=\"{tag}\" is not a registered language tag")
        }),
    }
}
