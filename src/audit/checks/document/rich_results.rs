//! The check of the fields that search engines require for rich results.

use serde_json::{Value, json};

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::markup::json_ld_blocks;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[CheckEntry {
    id: "rich_results",
    category: "other",
    importance: Importance::Low,
    title: "Fields of rich results",
    rule: Rule::Tree(rich_results),
    passes_when: "JSON-LD of the most common types has the fields that search engines need.",
    remedy: "Add the fields that search engines need for this type.",
    why: "Search engines leave out the picture, price, date or rating next to the result.",
    source: "Google Search Central: structured data, required properties",
    passing: r#"<script type=application/ld+json>{"@context":"https://schema.org","@type":"Recipe","name":"Iced tea","image":"https://shop.example/a.jpg"}</script>"#,
    failing: r#"<script type=application/ld+json>{"@context":"https://schema.org","@type":"Event","name":"Tasting"}</script>"#,
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
    ("Organization", &["name|legalName"]),
    ("LocalBusiness", &["name", "address"]),
    ("Restaurant", &["name", "address"]),
    ("Store", &["name", "address"]),
    ("Recipe", &["name", "image"]),
    ("Event", &["name", "startDate", "location"]),
    ("VideoObject", &["name", "thumbnailUrl|thumbnail", "uploadDate"]),
    ("Review", &["author", "reviewRating"]),
];
/// Fields whose object is only named: a review needs the name of what it is about, and an offer that of what it offers.
const NAMED_ONLY: [&str; 2] = ["itemReviewed", "itemOffered"];
/// The most objects that are examined; real pages have a few dozen.
const MOST_OBJECTS: usize = 500;

fn rich_results(tree: &PageTree) -> CheckResult {
    let (mut types, mut errors) = (Vec::new(), Vec::new());
    for block in json_ld_blocks(tree) {
        // Invalid JSON-LD is reported by another check.
        let Ok(value) = serde_json::from_str::<Value>(&block) else { continue };
        for object in objects(&value) {
            for kind in types_of(object) {
                let Some((_, required)) = REQUIRED.iter().find(|(own, _)| *own == kind) else { continue };
                types.push(kind.to_owned());
                errors.extend(missing(object, required).map(|field| format!("{kind} has no {field}")));
                if kind == "BreadcrumbList" {
                    errors.extend(breadcrumb_errors(object));
                }
            }
        }
    }
    errors.dedup();
    if types.is_empty() { CheckResult::not_applicable() } else { CheckResult::from_errors(json!(types), errors) }
}

/// Returns all objects with a type, except references, which have an `@id` and nothing else.
fn objects(value: &Value) -> Vec<&serde_json::Map<String, Value>> {
    let (mut found, mut left) = (Vec::new(), vec![value]);
    while let (Some(value), true) = (left.pop(), found.len() < MOST_OBJECTS) {
        match value {
            Value::Array(items) => left.extend(items.iter().rev()),
            Value::Object(fields) => {
                let refers = fields.contains_key("@id") && fields.keys().all(|name| name.starts_with('@'));
                if fields.contains_key("@type") && !refers {
                    found.push(fields);
                }
                let described = fields.iter().filter(|(name, _)| !NAMED_ONLY.contains(&name.as_str()));
                left.extend(described.map(|(_, field)| field).filter(|field| field.is_array() || field.is_object()));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    found
}

fn types_of(object: &serde_json::Map<String, Value>) -> Vec<&str> {
    let named =
        object.get("@type").map(|kind| kind.as_array().map_or_else(|| vec![kind], |kinds| kinds.iter().collect()));
    let named = named.into_iter().flatten().filter_map(Value::as_str);
    named.map(|kind| kind.rsplit(['/', ':']).next().unwrap_or(kind)).collect()
}

fn missing<'a>(
    object: &'a serde_json::Map<String, Value>,
    required: &'a [&'a str],
) -> impl Iterator<Item = String> + 'a {
    let is_missing = |field: &&&str| field.split('|').all(|name| object.get(name).is_none_or(is_blank));
    required.iter().filter(is_missing).map(|field| field.replace('|', " or "))
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Checks that each entry has a position, a name and an address; the last one needs no address.
fn breadcrumb_errors(list: &serde_json::Map<String, Value>) -> Vec<String> {
    let items = list.get("itemListElement").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
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
