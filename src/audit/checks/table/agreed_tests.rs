//! Compares the table of checks with the agreed list: every id, its category and importance.
//!
//! The list is duplicated on purpose, so that a change of a check must be made in both places.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::audit::checks::samples;
use crate::domain::report::check::CheckOutcome;
use crate::domain::report::check::Importance;

/// Category, importance, ids.
const AGREED: [(&str, Importance, &str); 16] = [
    (
        "seo",
        Importance::High,
        "title meta_description headings content_keywords image_keywords 404_page \
         robots noindex http_status error_text visible_content program_messages",
    ),
    (
        "seo",
        Importance::Medium,
        "javascript_only_shell seo_friendly_url language favicon redirect_chain canonical link_text \
         crawlable_links robots_txt_valid meta_refresh canonical_target robot_directives",
    ),
    (
        "seo",
        Importance::Low,
        "hreflang hreflang_targets duplicate_addresses heading_order sitemap_valid title_quality in_page_links",
    ),
    ("seo", Importance::Note, "description_length ai_robots"),
    ("performance", Importance::High, "text_compression"),
    (
        "performance",
        Importance::Medium,
        "load_time page_size http_requests image_format doctype ttfb \
         html_decoded_size render_blocking",
    ),
    ("performance", Importance::Low, "defer_javascript dom_size cache_headers image_dimensions lazy_images dom_depth"),
    ("security", Importance::High, "https_encryption https_redirect tls_valid"),
    (
        "security",
        Importance::Medium,
        "http2 mixed_content unsafe_cross_origin_links hsts csp \
         clickjacking nosniff cookie_flags",
    ),
    ("security", Importance::Low, "server_signature cors plaintext_email referrer_policy sri info_headers"),
    ("accessibility", Importance::Medium, "zoom_allowed names_labels aria_valid aria_hidden_focus media_parts"),
    (
        "accessibility",
        Importance::Low,
        "structure_a11y table_parts list_parts access_keys skip_link autocomplete text_language",
    ),
    ("other", Importance::Medium, "structured_data structured_data_valid meta_viewport charset"),
    (
        "other",
        Importance::Low,
        "sitemap open_graph social content_length text_html_ratio inline_css \
         deprecated_html_tags rich_results",
    ),
    ("security", Importance::Note, "software_versions hsts_preload permissions_policy isolation security_txt"),
    ("other", Importance::Note, "icons"),
];

#[test]
fn the_table_contains_the_agreed_checks() {
    let agreed: BTreeMap<&str, (&str, Importance)> = AGREED
        .iter()
        .flat_map(|(category, importance, ids)| ids.split(' ').map(|id| (id, (*category, *importance))))
        .collect();
    let ours: BTreeMap<&str, (&str, Importance)> =
        table().map(|(category, entry)| (entry.id, (category, entry.importance))).collect();
    let ids: BTreeSet<&str> = ours.keys().chain(agreed.keys()).copied().collect();
    for id in ids {
        assert_eq!(
            ours.get(id),
            agreed.get(id),
            "{id}: left is the table of checks, right is AGREED: change the wrong one"
        );
    }
    assert_eq!(agreed.len(), 95, "the number of agreed checks: change it with AGREED");
    let listed: usize = AGREED.iter().map(|(_, _, ids)| ids.split(' ').count()).sum();
    assert_eq!((table().count(), listed), (ours.len(), agreed.len()), "an id stands in the table or in AGREED twice");
}

#[test]
fn every_check_has_a_source_and_a_remedy_and_a_use_of_one_sentence() {
    for (_, entry) in table() {
        assert!(entry.source.len() >= 6, "{}: {}", entry.id, entry.source);
        let remedy = entry.remedy;
        assert!(remedy.starts_with(char::is_uppercase) && remedy.ends_with('.'), "{}: {remedy}", entry.id);
        assert!(!remedy[..remedy.len() - 1].contains(". "), "{}: more than one sentence: {remedy}", entry.id);
        let why = entry.why;
        assert!(why.starts_with(char::is_uppercase) && why.ends_with('.'), "{}: {why}", entry.id);
        assert!(!why[..why.len() - 1].contains(". "), "{}: more than one sentence: {why}", entry.id);
    }
}

/// Errors must help to locate the cause: they name what is in the page, or a measured value.
#[test]
fn errors_of_failing_samples_name_the_cause() {
    let vague = ["the page is wrong", "invalid", "failed", "error"];
    for (_, entry) in table() {
        let failing = run_check(entry, &samples::page(&samples::of(entry.id).failing));
        assert!(matches!(failing.outcome, CheckOutcome::Failed | CheckOutcome::Note), "{}", entry.id);
        for error in &failing.errors {
            assert!(error.len() >= 10 && error.contains(' '), "{}: {error}", entry.id);
            assert!(!vague.contains(&error.as_str()), "{}: {error}", entry.id);
        }
    }
}
