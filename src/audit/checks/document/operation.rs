//! Checks of keyboard operation and of form autofill.

use std::collections::{BTreeMap, HashSet};

use serde_json::json;

use crate::audit::accessible_name::roles::{heading_level, role};
use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::source_position::source_position;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::page::element::Element;
use crate::audit::page::stylesheet::HiddenByStyle;
use crate::audit::page::tree::PageTree;
use crate::audit::text::keywords::percent_decoded;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "access_keys",
        importance: Importance::Low,
        title: "Access keys",
        rule: Rule::Tree(access_keys),
        passes_when: "Each access key belongs to one element.",
        remedy: "Give each access key to one element only.",
        why: "A key that two elements share does not do what people expect.",
        source: "HTML standard, 6.7.2; axe rule accesskeys",
    },
    CheckEntry {
        id: "skip_link",
        importance: Importance::Low,
        title: "Skip link",
        rule: Rule::Tree(skip_link),
        passes_when: "The skip link leads to an id of the page; without one, 10 or more links need headings or a main part.",
        remedy: "Mark the main part, give the page headings, or begin it with a working link to its content.",
        why: "People who use a keyboard go through every link of the navigation on each page.",
        source: "WCAG 2.2, 2.4.1",
    },
    CheckEntry {
        id: "autocomplete",
        importance: Importance::Low,
        title: "Purpose of fields",
        rule: Rule::Tree(autocomplete),
        passes_when: "Every autocomplete attribute uses words of the HTML standard.",
        remedy: "Use the words of the HTML standard in autocomplete, such as name, email or street-address.",
        why: "Browsers cannot fill in the form, which some people can hardly type.",
        source: "WCAG 2.2, 1.3.5; HTML standard, 4.10.18.7",
    },
];

/// The number of links from which a page without headings and landmarks needs a way past them.
const MANY_LINKS: usize = 10;
/// The number of links among which a skip link is searched.
const FIRST_LINKS: usize = 5;
/// Words of skip links, in several languages.
const SKIP_WORDS: [&str; 16] = [
    "skip",
    "jump to",
    "zum inhalt",
    "zum hauptinhalt",
    "springe",
    "aller au contenu",
    "passer au contenu",
    "saltar al",
    "ir al contenido",
    "vai al contenuto",
    "salta al",
    "naar de inhoud",
    "ga naar",
    "pular para",
    "przejdź do",
    "перейти к",
];
/// Autofill fields (HTML standard, 4.10.18.7.1).
const FIELDS: [&str; 57] = [
    "name",
    "honorific-prefix",
    "given-name",
    "additional-name",
    "family-name",
    "honorific-suffix",
    "nickname",
    "username",
    "new-password",
    "current-password",
    "one-time-code",
    "organization-title",
    "organization",
    "street-address",
    "address-line1",
    "address-line2",
    "address-line3",
    "address-level4",
    "address-level3",
    "address-level2",
    "address-level1",
    "country",
    "country-name",
    "postal-code",
    "cc-name",
    "cc-given-name",
    "cc-additional-name",
    "cc-family-name",
    "cc-number",
    "cc-exp",
    "cc-exp-month",
    "cc-exp-year",
    "cc-csc",
    "cc-type",
    "transaction-currency",
    "transaction-amount",
    "language",
    "bday",
    "bday-day",
    "bday-month",
    "bday-year",
    "sex",
    "url",
    "photo",
    "tel",
    "tel-country-code",
    "tel-national",
    "tel-area-code",
    "tel-local",
    "tel-local-prefix",
    "tel-local-suffix",
    "tel-extension",
    "email",
    "impp",
    "off",
    "on",
    "webauthn",
];
/// Words that are no fields, and that authors use to switch autofill off or on.
const SWITCHES: [&str; 7] = ["none", "false", "true", "disabled", "enabled", "undefined", "null"];
/// Words allowed before a field.
const PREFIXES: [&str; 7] = ["shipping", "billing", "home", "work", "mobile", "fax", "pager"];

fn access_keys(tree: &PageTree) -> CheckResult {
    let mut keys: BTreeMap<String, Vec<&Element>> = BTreeMap::new();
    for element in tree.elements.iter().filter(|element| !element.hidden) {
        // Of several keys browsers use the first that they can.
        let key = element.attribute("accesskey").and_then(|keys| keys.split_whitespace().next());
        if let Some(key) = key {
            keys.entry(key.to_lowercase()).or_default().push(element);
        }
    }
    let shared = keys.iter().filter(|(_, elements)| elements.len() > 1);
    let errors = shared.map(|(key, elements)| {
        let places: Vec<String> = elements.iter().take(3).map(|element| source_position(tree, element)).collect();
        format!("{} elements share the access key {key}: {}", elements.len(), places.join(", "))
    });
    CheckResult::of_parts(keys.len(), errors.collect())
}

fn skip_link(tree: &PageTree) -> CheckResult {
    let links: Vec<&Element> = tree.links().collect();
    let skipping = links.iter().take(FIRST_LINKS).find_map(|link| {
        let target = link.attribute("href")?.trim().strip_prefix('#').filter(|target| !target.is_empty())?;
        let text = tree.text_of(link).to_lowercase();
        SKIP_WORDS.iter().any(|word| text.contains(word)).then_some((target, text))
    });
    if let Some((target, text)) = skipping {
        let ids: HashSet<&str> = targets(tree);
        let decoded = percent_decoded(target);
        let is_there = ids.contains(target) || ids.contains(&*decoded) || decoded.eq_ignore_ascii_case("top");
        return CheckResult::when(is_there, json!(text), || {
            format!("\u{201c}{text}\u{201d} leads to #{target}, which the page does not have")
        });
    }
    if links.len() < MANY_LINKS {
        return CheckResult::not_applicable();
    }
    let has_landmark = tree.elements.iter().any(|element| {
        !element.hidden
            && (&*element.name == "main" || role(element) == Some("main") || heading_level(element).is_some())
    });
    CheckResult::when(has_landmark, json!("landmark"), || {
        format!("the page has {} links, and neither headings, a main part nor a skip link", links.len())
    })
}

/// Returns the names that a fragment may refer to.
fn targets(tree: &PageTree) -> HashSet<&str> {
    let ids = tree.elements.iter().filter_map(|element| element.attribute("id"));
    ids.chain(tree.named("a").filter_map(|link| link.attribute("name"))).collect()
}

fn autocomplete(tree: &PageTree) -> CheckResult {
    let (mut count, mut errors) = (0_usize, Vec::new());
    for field in HiddenByStyle::of(tree).reachable(tree).filter(|element| element.is_form_field()) {
        let words = field.keyword("autocomplete");
        if words.is_empty() {
            continue;
        }
        count += 1;
        if !is_valid_autocomplete(&words) {
            errors.push(format!("autocomplete=\"{words}\" names no field: {}", source_position(tree, field)));
        }
    }
    CheckResult::of_parts(count, errors)
}

/// Whether a value consists of an optional section, words such as `shipping`, one field, and optionally `webauthn`.
fn is_valid_autocomplete(words: &str) -> bool {
    let mut words: Vec<&str> = words.split_ascii_whitespace().collect();
    words.pop_if(|last| *last == "webauthn");
    match words.split_last() {
        None => true,
        Some((field, before)) => {
            let fits = |word: &&str| PREFIXES.contains(word) || word.starts_with("section-");
            let is_switch = before.is_empty() && SWITCHES.contains(field);
            is_switch || (FIELDS.contains(field) && before.iter().all(fits))
        }
    }
}
