//! Checks of what a search engine makes of a page: its words and its structure.

use serde_json::json;

use crate::audit::checks::{CheckEntry, Needs};
use crate::audit::page::Page;
use crate::audit::verdict::Verdict;
use crate::domain::check::Importance;

pub(super) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "title",
        category: "seo",
        importance: Importance::High,
        title: "Title",
        needs: Needs::Html,
        rule: title,
        remedy: "Give the page one title of 1 to 60 characters, in its head.",
        source: "Search results cut titles at about 60 characters",
        passing: "<title>Green tea from Kyoto</title>",
        failing: "<title></title>",
    },
    CheckEntry {
        id: "meta_description",
        category: "seo",
        importance: Importance::High,
        title: "Meta description",
        needs: Needs::Html,
        rule: meta_description,
        remedy: "Write one meta description that says what the page offers.",
        source: "Google Search Central: control your snippets",
        passing: "<meta name=description content='Green tea, picked by hand.'>",
        failing: "<meta name=description content=''>",
    },
    CheckEntry {
        id: "http_status",
        category: "seo",
        importance: Importance::High,
        title: "HTTP status",
        needs: Needs::Nothing,
        rule: http_status,
        remedy: "Let the page answer with a status from 200 to 299.",
        source: "RFC 9110, section 15",
        passing: "status 200",
        failing: "status 500",
    },
];

/// The longest title that search results show whole.
const LONGEST_TITLE: usize = 60;

fn title(page: &Page) -> Verdict {
    let Some(tree) = &page.tree else { return Verdict::not_applicable() };
    let titles: Vec<String> = tree.named("title").map(|title| tree.text_of(title)).collect();
    let Some(first) = titles.first() else { return Verdict::failed(json!(null), "the page has no title") };
    let length = first.chars().count();
    let mut errors = Vec::new();
    if titles.len() > 1 {
        errors.push(format!("the page has {} titles", titles.len()));
    }
    if length == 0 {
        errors.push("the title is empty".to_owned());
    }
    if length > LONGEST_TITLE {
        errors.push(format!("the title has {length} characters, {LONGEST_TITLE} are shown"));
    }
    Verdict::judge(json!({ "title": first, "length": length }), errors)
}

fn meta_description(page: &Page) -> Verdict {
    let descriptions = page.metas("description");
    let Some(first) = descriptions.iter().find(|text| !text.is_empty()) else {
        return Verdict::failed(json!(null), "the page has no meta description");
    };
    let differing = descriptions.iter().filter(|other| *other != first).count();
    Verdict::when(differing == 0, json!(first), || format!("the page has {} differing descriptions", differing + 1))
}

fn http_status(page: &Page) -> Verdict {
    match &page.journey.end {
        Err(trouble) => Verdict::failed(json!(null), format!("the page could not be fetched: {trouble}")),
        Ok(answer) => Verdict::when((200..300).contains(&answer.status), json!(answer.status), || {
            format!("the page answers with status {}", answer.status)
        }),
    }
}
