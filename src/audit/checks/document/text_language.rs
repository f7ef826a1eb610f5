//! The check of the declared language against the text.

use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::page::tree::PageTree;
use crate::audit::text::language_guess::{guess_language, is_guessable};
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[CheckEntry {
    id: "text_language",
    importance: Importance::Low,
    title: "Language of the text",
    rule: Rule::Tree(text_language),
    passes_when: "A text of 80 or more words is in the language that the html or the body element names.",
    remedy: "Name the language of the text in lang on the html element, and that of other parts on their elements.",
    why: "A screen reader pronounces the text like another language.",
    source: "WCAG 2.2, 3.1.1 and 3.1.2",
}];

/// Elements whose text has no language or another one.
const SKIPPED: [&str; 8] = ["code", "pre", "samp", "kbd", "blockquote", "q", "select", "cite"];

fn text_language(tree: &PageTree) -> CheckResult {
    // The text is in the body, whose language takes precedence.
    let declared = ["body", "html"].into_iter().find_map(|name| tree.named(name).next()?.attribute("lang"));
    let Some(declared) = declared else { return CheckResult::not_applicable() };
    let declared = declared.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    // Text in a language that cannot be guessed may be mistaken for a related one.
    if !is_guessable(&declared) {
        return CheckResult::not_applicable();
    }
    let text = tree.seen_text_outside(|element| {
        let is_part = !matches!(&*element.name, "html" | "body");
        SKIPPED.contains(&&*element.name) || (is_part && element.attribute("lang").is_some())
    });
    match guess_language(&text) {
        None => CheckResult::not_applicable(),
        Some(guess) => CheckResult::when(guess == declared, json!({ "declared": declared, "text": guess }), || {
            format!("the page declares lang=\"{declared}\", and its text is in \"{guess}\"")
        }),
    }
}
