//! The check of the fields that search engines require for rich results.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::markup::{is_blank, json_ld_blocks};
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[CheckEntry {
    id: "rich_results",
    importance: Importance::Low,
    title: "Fields of rich results",
    rule: Rule::Tree(rich_results),
    passes_when: "JSON-LD of the most common types has the fields that search engines need.",
    remedy: "Add the fields that search engines need for this type.",
    why: "Search engines leave out the picture, price, date or rating next to the result.",
    source: "Google Search Central: structured data, required properties",
}];

/// Types and their required fields; `|` separates alternatives.
const REQUIRED: [(&str, &[&str]); 15] = [
    // No field of an article is required, but without a headline nothing can be shown.
    ("Article", &["headline"]),
    ("NewsArticle", &["headline"]),
    ("BlogPosting", &["headline"]),
    ("Product", &["name", "review|aggregateRating|offers"]),
    ("BreadcrumbList", &["itemListElement"]),
    ("FAQPage", &["mainEntity"]),
    ("Question", &["name|text", "acceptedAnswer|suggestedAnswer"]),
    ("Organization", &["name|legalName|logo"]),
    ("LocalBusiness", &["name", "address"]),
    ("Restaurant", &["name", "address"]),
    ("Store", &["name", "address"]),
    ("Recipe", &["name", "image"]),
    ("Event", &["name", "startDate", "location"]),
    ("VideoObject", &["name", "thumbnailUrl|thumbnail", "uploadDate"]),
    ("Review", &["author", "reviewRating"]),
];
/// Fields whose object is only named: what a review or an article is about, what an offer offers, parts of an event,
/// similar products.
const NAMED_ONLY: [&str; 7] =
    ["itemReviewed", "itemOffered", "about", "mentions", "subEvent", "isRelatedTo", "isSimilarTo"];
/// The most objects that are examined; real pages have a few dozen.
const MOST_OBJECTS: usize = 500;

/// A thing that is described. The objects of one `@id` describe the same thing, wherever they are on the page (JSON-LD
/// 1.1, 3.3).
struct GraphNode<'a> {
    parts: Vec<&'a Map<String, Value>>,
}

fn rich_results(tree: &PageTree) -> CheckResult {
    // Invalid JSON-LD is reported by another check.
    let blocks: Vec<Value> = json_ld_blocks(tree).iter().filter_map(|block| serde_json::from_str(block).ok()).collect();
    let (mut types, mut errors) = (Vec::new(), Vec::new());
    for node in nodes(&blocks) {
        for kind in node.types() {
            let Some((_, required)) = REQUIRED.iter().find(|(own, _)| *own == kind) else { continue };
            types.push(kind.to_owned());
            errors.extend(node.missing(required).map(|field| format!("{kind} has no {field}")));
            if kind == "BreadcrumbList" {
                errors.extend(breadcrumb_errors(&node));
            }
        }
    }
    errors.dedup();
    if types.is_empty() { CheckResult::not_applicable() } else { CheckResult::from_errors(json!(types), errors) }
}

/// Returns everything that the blocks describe, in their order. References, which have an `@id` and nothing else,
/// describe nothing.
fn nodes(blocks: &[Value]) -> Vec<GraphNode<'_>> {
    let mut nodes: Vec<GraphNode<'_>> = Vec::new();
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    let mut left: Vec<&Value> = blocks.iter().rev().collect();
    let mut count = 0;
    while let (Some(value), true) = (left.pop(), count < MOST_OBJECTS) {
        match value {
            Value::Array(items) => left.extend(items.iter().rev()),
            Value::Object(fields) => {
                let id = fields.get("@id").and_then(Value::as_str);
                let refers = id.is_some() && fields.keys().all(|name| name.starts_with('@'));
                if !refers && (id.is_some() || fields.contains_key("@type")) {
                    count += 1;
                    let own = id.map_or(nodes.len(), |id| *by_id.entry(id).or_insert(nodes.len()));
                    match nodes.get_mut(own) {
                        Some(node) => node.parts.push(fields),
                        None => nodes.push(GraphNode { parts: vec![fields] }),
                    }
                }
                let described = fields.iter().filter(|(name, _)| !NAMED_ONLY.contains(&name.as_str()));
                left.extend(described.map(|(_, field)| field).filter(|field| field.is_array() || field.is_object()));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    nodes
}

impl<'a> GraphNode<'a> {
    /// Returns the values of a field that are not blank.
    fn values<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'a Value> + 'n {
        self.parts.iter().filter_map(move |part| part.get(name)).filter(|value| !is_blank(value))
    }

    /// Returns the types without their vocabulary, each once.
    fn types(&self) -> Vec<&'a str> {
        let named =
            self.values("@type").flat_map(|kind| kind.as_array().map_or(std::slice::from_ref(kind), Vec::as_slice));
        let named = named.filter_map(Value::as_str).map(|kind| kind.rsplit(['/', ':']).next().unwrap_or(kind));
        let mut types = Vec::new();
        for kind in named {
            if !types.contains(&kind) {
                types.push(kind);
            }
        }
        types
    }

    fn missing<'n>(&'n self, required: &'n [&'n str]) -> impl Iterator<Item = String> + 'n {
        let is_missing = |field: &&&str| field.split('|').all(|name| self.values(name).next().is_none());
        required.iter().filter(is_missing).map(|field| field.replace('|', " or "))
    }
}

/// Checks that each entry has a position, a name and an address; the last one needs no address.
fn breadcrumb_errors(list: &GraphNode<'_>) -> Vec<String> {
    let items = list.values("itemListElement").find_map(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut errors = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let number = index + 1;
        let inner = item.get("item");
        let has_name = item.get("name").or_else(|| inner?.get("name")).is_some_and(|name| !is_blank(name));
        if item.get("position").is_none_or(is_blank) {
            errors.push(format!("entry {number} of the BreadcrumbList has no position"));
        }
        if !has_name {
            errors.push(format!("entry {number} of the BreadcrumbList has no name"));
        }
        if number < items.len() && inner.is_none_or(is_blank) {
            errors.push(format!("entry {number} of the BreadcrumbList has no item"));
        }
    }
    errors
}
