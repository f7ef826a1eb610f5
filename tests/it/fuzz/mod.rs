//! Arbitrary bytes from outside: every parser accepts or rejects them without a panic, and keeps its guarantees.
//!
//! Each target is a function of bytes. A run tries the corpus, then random mutations of it with a fixed seed: a few in
//! a normal run, or `REPORTDECK_STEPS` of them. Inputs that once broke a target are added to the corpus.
//! `tests/fuzz/guided.rs` runs the same targets under libFuzzer.

mod mutate;
mod targets;

use mutate::try_all;

#[test]
fn list_responses_are_decoded_from_any_bytes() {
    try_all("lists");
}

#[test]
fn paging_always_ends() {
    try_all("paging");
}

#[test]
fn base_urls_never_leave_their_origin() {
    try_all("address");
}

#[test]
fn exports_preserve_every_value_and_contain_nothing_executable() {
    try_all("exports");
}

#[test]
fn filters_keep_exactly_the_matching_rows() {
    try_all("filter");
}

#[test]
fn view_lines_survive_a_round_trip() {
    try_all("view_line");
}

#[test]
fn configurations_are_read_or_rejected_with_a_message() {
    try_all("config");
}

#[test]
fn any_page_is_checked_without_a_panic() {
    try_all("page");
}

#[test]
fn every_encoding_is_decoded_to_text() {
    try_all("encodings");
}

#[test]
fn any_robots_txt_is_parsed() {
    try_all("robots");
}

#[test]
fn report_pages_contain_no_foreign_markup() {
    try_all("report_page");
}

#[test]
fn a_tampered_journal_is_read_as_far_as_possible() {
    try_all("journal");
}
