//! The HTML documentation of Debian packages: none of its pages may count as broken.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use reportdeck::audit::{AuditedPage, table};
use reportdeck::domain::report::check::CheckOutcome;
use reportdeck::domain::report::outcome::Outcome;

use crate::audit_samples::site::{Answer, Site};
use crate::audit_samples::{audit, failed};

/// Packages and the folders of their pages.
const PACKAGES: [(&str, &str); 10] = [
    ("debian-faq", "/usr/share/doc/debian/FAQ"),
    ("debian-faq-de", "/usr/share/doc/debian/FAQ/de"),
    ("bzip2-doc", "/usr/share/doc/bzip2"),
    ("diffutils-doc", "/usr/share/doc/diffutils"),
    ("apt-doc", "/usr/share/doc/apt-doc"),
    ("m4-doc", "/usr/share/doc/m4"),
    ("aspell-doc", "/usr/share/doc/aspell-doc"),
    ("maint-guide", "/usr/share/doc/maint-guide/html"),
    ("aptitude-doc-en", "/usr/share/doc/aptitude/html/en"),
    ("python-markdown-doc", "/usr/share/doc/python-markdown-doc/docs"),
];
/// Number of audited pages per package, evenly spaced.
const PAGES: usize = 12;
/// Checks that alone make a page bad.
const ERRORS: [&str; 3] = ["visible_content", "error_text", "program_messages"];
/// Smaller files are fragments.
const SMALLEST_PAGE: u64 = 400;

#[tokio::test]
async fn no_page_of_well_maintained_documentation_is_bad() {
    let (mut answers, mut missing) = (HashMap::new(), Vec::new());
    for (package, folder) in PACKAGES {
        let pages = pages(Path::new(folder));
        if pages.is_empty() {
            missing.push(package);
        }
        for index in 0..PAGES.min(pages.len()) {
            let page = &pages[index * pages.len() / PAGES.min(pages.len())];
            let path = format!("/{package}/{index}.html");
            let body = std::fs::read(page).unwrap();
            answers.insert(path, Answer { status: 200, content_type: "text/html; charset=utf-8", body });
        }
    }
    if !missing.is_empty() {
        println!("not run for {}: the packages are not installed", missing.join(" "));
    }
    let mut paths: Vec<String> = answers.keys().cloned().collect();
    paths.sort();
    let site = Site::start(answers).await;
    let mut bad = Vec::new();
    for path in &paths {
        let audit = audit(&format!("{}{path}", site.origin)).await;
        println!("{:3} {path}", audit.score);
        if audit.outcome == Outcome::Bad {
            bad.push(format!("{path}: {} with {}", audit.score, failed(&audit).join(" ")));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Audits every installed page of documentation, which takes minutes.
#[test]
#[ignore = "reads thousands of pages; for changes of the error phrases"]
fn no_page_of_any_installed_documentation_counts_as_an_error() {
    let url = url::Url::parse("https://docs.example/page").unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for folder in ["/usr/share/doc", "/usr/share/debian-reference", "/usr/share/developers-reference"] {
        for page in pages(Path::new(folder)) {
            let body = std::fs::read(&page).unwrap();
            let Ok(parsed) = AuditedPage::from_body(&url, "text/html", &body) else { continue };
            count += 1;
            let entries = table().map(|(_, entry)| entry).filter(|entry| ERRORS.contains(&entry.id));
            let results = entries.map(|entry| (entry.id, entry.run(&parsed)));
            let failed = results.filter(|(_, result)| result.outcome == CheckOutcome::Failed);
            wrong.extend(failed.map(|(id, result)| format!("{}: {id} {:?}", page.display(), result.errors)));
        }
    }
    println!("{count} pages");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        let about = std::fs::symlink_metadata(&path).unwrap();
        if about.is_dir() {
            found.extend(pages(&path));
        } else if about.is_file()
            && path.extension().is_some_and(|extension| extension == "html")
            && about.len() >= SMALLEST_PAGE
            // The text of this page is an error message, as intended.
            && path.file_name().is_some_and(|name| name != "404.html")
        {
            found.push(path);
        }
    }
    found.sort();
    found
}
