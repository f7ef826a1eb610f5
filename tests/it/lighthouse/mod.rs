//! Verdicts on third-party pages compared with Google Lighthouse, page by page and check by check.
//!
//! ```sh
//! apt install chromium nginx-light python3-doc apache2-doc debian-faq debian-faq-de debian-faq-ja debian-faq-ru \
//!   debian-reference-en debian-reference-de debian-reference-ja developers-reference-fr developers-reference-ja \
//!   ant-doc sqlite3-doc bash-doc ghostscript-doc ntpsec-doc nginx-doc
//! npm install --global lighthouse@12        # or LIGHTHOUSE=<folder of the package>
//! cargo test --test it lighthouse:: -- --ignored --nocapture
//! ```
//!
//! Takes about a quarter of an hour, because Chrome paints slowly without a screen. `LIGHTHOUSE_REUSE=1` reuses the
//! verdicts of the last run for unchanged pages. All requests stay on loopback; a missing program fails the test.

mod audit_mapping;
mod compare;
mod edge_case_links;
mod edge_case_names;
mod edge_case_pages;
mod known_differences;
mod nginx_site;
mod runner;

use std::fmt::Write as _;

#[test]
#[ignore = "needs lighthouse, chromium, nginx and documentation packages; see the top of this file"]
fn verdicts_agree_with_lighthouse_or_differ_for_a_known_reason() {
    let site = nginx_site::Site::start();
    let theirs = runner::verdicts(&site);
    let ours = compare::our_verdicts(&site.pages);
    let comparison = compare::Comparison::of(&site.pages, &ours, &theirs);
    println!("{}", comparison.table());
    let mut differences = String::new();
    for difference in &comparison.unexplained {
        writeln!(differences, "{difference}").unwrap();
    }
    for stale in &comparison.stale {
        writeln!(differences, "explains nothing: {stale}").unwrap();
    }
    assert!(differences.is_empty(), "unexplained differences:\n{differences}");
}
