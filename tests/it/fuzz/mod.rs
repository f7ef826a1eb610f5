//! Whatever bytes come in from outside: every reader takes them without a panic and holds what it promises.
//!
//! Each target is one function of bytes. A run tries the corpus, then inputs made from it by seeded dice: a few in a
//! normal run, `REPORTDECK_STEPS` of them by hand. An input that broke something is put into the corpus and stays there.
//! `guided.rs` tries the same targets for hours, guided by what was covered.

mod mutate;
mod targets;

use mutate::try_all;

#[test]
fn answers_of_services_are_read() {
    try_all("lists");
}

#[test]
fn paging_evidence_always_comes_to_an_end() {
    try_all("paging");
}

#[test]
fn base_urls_keep_to_their_origin() {
    try_all("address");
}

#[test]
fn files_hold_what_was_there_and_nothing_acts() {
    try_all("exports");
}

#[test]
fn filters_keep_what_they_say() {
    try_all("filter");
}

#[test]
fn view_lines_come_back() {
    try_all("view_line");
}

#[test]
fn configurations_are_read_or_refused_in_words() {
    try_all("config");
}

#[test]
fn pages_are_judged_whatever_they_hold() {
    try_all("page");
}

#[test]
fn every_encoding_becomes_text() {
    try_all("encodings");
}

#[test]
fn robots_files_are_read() {
    try_all("robots");
}

#[test]
fn report_pages_hold_no_markup_but_their_own() {
    try_all("report_page");
}

#[test]
fn a_journal_that_somebody_wrote_into_is_read_as_far_as_it_goes() {
    try_all("journal");
}
