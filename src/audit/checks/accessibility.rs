//! Checks of what keeps people out who use a page in another way.

use std::collections::{BTreeMap, HashSet};

use serde_json::json;

use crate::audit::checks::links::spoken_name;
use crate::audit::checks::place::place;
use crate::audit::checks::{CheckEntry, Needs};
use crate::audit::page::Page;
use crate::audit::tree::{Element, Tree};
use crate::audit::verdict::Verdict;
use crate::audit::viewport::Viewport;
use crate::domain::check::Importance;

pub(super) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "zoom_allowed",
        category: "accessibility",
        importance: Importance::Medium,
        title: "Zoom",
        needs: Needs::Html,
        rule: zoom_allowed,
        remedy: "Allow zooming: no user-scalable=no, no maximum-scale under 2.",
        source: "WCAG 2.2, 1.4.4",
        passing: "<meta name=viewport content='width=device-width'>",
        failing: "<meta name=viewport content='width=device-width, user-scalable=no'>",
    },
    CheckEntry {
        id: "names_labels",
        category: "accessibility",
        importance: Importance::Medium,
        title: "Names and labels",
        needs: Needs::Html,
        rule: names_labels,
        remedy: "Give every field a label, and every button, link and frame a name.",
        source: "WCAG 2.2, 1.3.1 and 4.1.2",
        passing: "<label for=q>Search</label><input id=q><button>Go</button><a href=/>Home</a>",
        failing: "<input name=q><button></button><a href=/><img src=a.png></a>",
    },
    CheckEntry {
        id: "structure_a11y",
        category: "accessibility",
        importance: Importance::Low,
        title: "Structure",
        needs: Needs::Html,
        rule: structure,
        remedy: "Mark one main part, use each id once, and leave the order of the tab key alone.",
        source: "WCAG 2.2, 1.3.1 and 2.4.3",
        passing: "<main><p>Tea</main>",
        failing: "<p tabindex=3>Tea",
    },
];

/// The least zoom that people with weak sight need.
const LEAST_ZOOM: f64 = 2.0;

fn zoom_allowed(page: &Page) -> Verdict {
    // Of several metas, browsers obey the last one alone.
    let viewports = page.metas("viewport");
    let Some(content) = viewports.last() else { return Verdict::not_applicable() };
    let viewport = Viewport::parse(content);
    let mut errors = Vec::new();
    if !viewport.user_scalable {
        errors.push(format!("user-scalable in the viewport meta {content:?} forbids zooming"));
    }
    if let Some(scale) = viewport.maximum_scale.filter(|scale| *scale < LEAST_ZOOM) {
        errors.push(format!("the viewport meta {content:?} allows zooming to {scale} only, {LEAST_ZOOM} are needed"));
    }
    Verdict::judge(json!(content), errors)
}

/// What labels a field or a link from somewhere else on the page, looked up once.
struct Labels<'a> {
    ids: HashSet<&'a str>,
    labelled: HashSet<&'a str>,
}

impl<'a> Labels<'a> {
    fn of(tree: &'a Tree) -> Self {
        Self {
            ids: tree.elements.iter().filter_map(|element| element.attribute("id")).collect(),
            labelled: tree.named("label").filter_map(|label| label.attribute("for")).collect(),
        }
    }

    fn by_reference(&self, element: &Element) -> bool {
        let ids = element.attribute("aria-labelledby").unwrap_or_default();
        ids.split_whitespace().any(|id| self.ids.contains(id))
    }

    fn by_label(&self, field: &Element) -> bool {
        field.attribute("id").is_some_and(|id| self.labelled.contains(id))
    }
}

fn names_labels(page: &Page) -> Verdict {
    let Some(tree) = &page.tree else { return Verdict::not_applicable() };
    let labels = Labels::of(tree);
    let mut errors: Vec<String> = Vec::new();
    for name in ["input", "select", "textarea"] {
        let fields = tree.named(name).filter(|field| !is_hidden(field) && !has_label(tree, &labels, field));
        errors.extend(fields.map(|field| format!("a field without label: {}", place(tree, field))));
    }
    for (name, wanted) in
        [("button", "a button without name"), ("a", "a link without name"), ("iframe", "a frame without title")]
    {
        let elements = tree.named(name).filter(|element| !is_hidden(element));
        let elements = elements.filter(|element| name != "a" || element.attribute("href").is_some());
        let silent = elements.filter(|element| spoken_name(tree, element).is_empty() && !labels.by_reference(element));
        errors.extend(silent.map(|element| format!("{wanted}: {}", place(tree, element))));
    }
    Verdict::judge(json!(errors.len()), errors)
}

fn is_hidden(element: &Element) -> bool {
    element.attribute("hidden").is_some() || element.keyword("aria-hidden") == "true"
}

fn has_label(tree: &Tree, labels: &Labels<'_>, field: &Element) -> bool {
    let has = |name: &str| field.attribute(name).is_some_and(|value| !value.trim().is_empty());
    match field.keyword("type").as_str() {
        "hidden" | "submit" | "reset" => return true,
        "button" => return has("value") || has("aria-label") || has("title"),
        "image" => return has("alt") || has("aria-label") || has("title"),
        _ => {}
    }
    let inside_label = || tree.around(field).any(|around| &*around.name == "label");
    has("aria-label") || has("title") || labels.by_label(field) || labels.by_reference(field) || inside_label()
}

fn structure(page: &Page) -> Verdict {
    let Some(tree) = &page.tree else { return Verdict::not_applicable() };
    let mains = tree.elements.iter().filter(|element| &*element.name == "main" || element.keyword("role") == "main");
    let mains = mains.filter(|main| !is_hidden(main)).count();
    let mut errors = Vec::new();
    match mains {
        0 => errors.push("no <main> and no role=main says which part is the main one".to_owned()),
        1 => {}
        several => errors.push(format!("the page has {several} main parts (<main> or role=main)")),
    }
    let pulled =
        tree.elements.iter().filter(|element| element.keyword("tabindex").parse::<i32>().is_ok_and(|index| index > 0));
    errors.extend(pulled.map(|element| format!("tabindex over 0: {}", place(tree, element))));
    errors.extend(repeated_targets(tree).into_iter().map(|id| format!("the id {id} stands there more than once")));
    Verdict::judge(json!({ "main": mains }), errors)
}

/// The ids that labels or aria attributes point to and that more than one element has.
fn repeated_targets(tree: &Tree) -> Vec<&str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for id in tree.elements.iter().filter_map(|element| element.attribute("id")) {
        *counts.entry(id).or_default() += 1;
    }
    let pointing = tree.elements.iter().flat_map(|element| {
        let names = ["for", "aria-labelledby", "aria-describedby", "aria-controls"];
        names.into_iter().filter_map(|name| element.attribute(name)).flat_map(str::split_whitespace)
    });
    let mut targets: Vec<&str> = pointing.filter(|id| counts.get(id).is_some_and(|count| *count > 1)).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}
