//! Pages that are empty until a script fills them.

use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::scripts::can_build_the_page;
use crate::audit::limits::AuditLimits;
use crate::audit::page::AuditedPage;
use crate::audit::page::element::Element;
use crate::audit::page::tree::PageTree;
use crate::audit::text::keywords::count_words;
use crate::domain::text::numbers::counted;

/// Fewer words than this are only a message such as "Loading…".
const WORDS_OF_A_SHELL: usize = 20;
/// The longest text whose words are counted, in bytes.
const LONGEST_SHELL: usize = 4_000;
/// The deepest level at which a root element is searched.
const DEEPEST_ROOT: usize = 4;
/// Ids of the elements that common frameworks fill.
const ROOTS: [&str; 12] = [
    "root",
    "app",
    "__next",
    "__nuxt",
    "___gatsby",
    "svelte",
    "q-app",
    "react-root",
    "app-root",
    "mount",
    "application",
    "main-app",
];
/// Text checks that would only repeat that a page is a shell.
pub(in crate::audit) const EXPLAINED: [&str; 7] =
    ["headings", "content_keywords", "content_length", "text_html_ratio", "structure_a11y", "skip_link", "social"];

/// Whether a page has almost no text, no form, a root element, and a script that may fill it.
pub(in crate::audit) fn is_shell(page: &AuditedPage) -> bool {
    let Some(tree) = &page.tree else { return false };
    let is_suspect = page.seen_text.is_empty() || filled_by_framework(tree);
    // A login page, for example, has few words and fields to fill in.
    let has_field = || tree.elements.iter().any(|element| element.is_form_field() && !element.hidden);
    is_suspect && is_bare(page) && !has_field() && can_build_the_page(tree)
}

/// Counts the words that only browsers without scripts show: those in `noscript`.
fn words_without_scripts(tree: &PageTree) -> usize {
    let sources = tree.named("noscript").filter(|noscript| !tree.is_in_head(noscript));
    let pages =
        sources.filter_map(|noscript| PageTree::parse(&tree.raw_text_of(noscript), &AuditLimits::default()).ok());
    pages.map(|page| count_words(&page.seen_text())).sum()
}

fn is_bare(page: &AuditedPage) -> bool {
    page.seen_text.len() <= LONGEST_SHELL && count_words(&page.seen_text) < WORDS_OF_A_SHELL
}

/// Whether the page has an element that frameworks fill: one with a usual id, or a custom element near the body.
fn filled_by_framework(tree: &PageTree) -> bool {
    let is_root = |element: &Element| {
        let by_id = element.attribute("id").is_some_and(|id| ROOTS.contains(&id));
        by_id || element.is_custom()
    };
    tree.elements.iter().any(|element| element.depth <= DEEPEST_ROOT && is_root(element))
}

pub(super) fn javascript_only_shell(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    // Most pages have scripts; only frameworks and bare pages need the check.
    let gives_reason = filled_by_framework(tree) || is_bare(page);
    if !gives_reason || !can_build_the_page(tree) {
        return CheckResult::not_applicable();
    }
    let without_scripts = words_without_scripts(tree);
    let words = count_words(&page.seen_text) + without_scripts;
    CheckResult::when(!is_shell(page) || without_scripts >= WORDS_OF_A_SHELL, json!({ "words": words }), || {
        format!("without its scripts the page has {}", counted(words as u64, "word"))
    })
}
