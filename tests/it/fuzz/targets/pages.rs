//! Web pages in any encoding, run through every check, and robots.txt.

use std::time::Duration;

use reportdeck::audit::{AuditedPage, RobotsTxt, run_checks};

use super::services::harmless;

/// The first line is the content type, the rest the page.
fn sent(bytes: &[u8]) -> AuditedPage {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let content_type = String::from_utf8_lossy(&bytes[..end]);
    let url = url::Url::parse("https://shop.example/tea?cup=1").unwrap();
    AuditedPage::from_body(&url, &content_type, bytes.get(end + 1..).unwrap_or_default()).unwrap()
}

pub fn page(bytes: &[u8]) {
    let page = sent(bytes);
    let checks = run_checks(&page, Duration::MAX).unwrap();
    assert_eq!(checks.len(), reportdeck::audit::table().count());
    for check in &checks {
        harmless(check.id.shown());
        check.errors.iter().for_each(|error| harmless(error.shown()));
    }
    assert_eq!(run_checks(&page, Duration::MAX).unwrap(), checks, "equal pages get equal results");
}

pub fn encodings(bytes: &[u8]) {
    let page = sent(bytes);
    let (name, _) = page.encoding;
    assert!(encoding_rs::Encoding::for_label(name.as_bytes()).is_some(), "{name}");
    assert!(page.source.len() <= bytes.len() * 3 + 3, "{} of {}", page.source.len(), bytes.len());
}

pub fn robots(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let read = RobotsTxt::parse(&text);
    let lines = text.split(['\r', '\n']).count();
    assert!(read.invalid_lines.iter().all(|line| (1..=lines).contains(&line.number)));
    for path in ["/", "/tea?cup=1", "/%2e%2e/%", "/b\u{fc}cher", &text] {
        let by = read.disallowed_by("reportdeck", path).map(str::to_owned);
        assert_eq!(read.disallowed_by("ReportDeck", path).map(str::to_owned), by);
        // Rules of another robot's group change nothing here. An empty rule before it ends the last group.
        let again = RobotsTxt::parse(&format!("{text}\nallow:\nuser-agent: nobody-else\ndisallow: /"));
        assert_eq!(again.disallowed_by("reportdeck", path).map(str::to_owned), by, "{path}");
    }
}
