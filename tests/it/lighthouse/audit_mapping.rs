//! Which Lighthouse audit corresponds to which of our checks.
//!
//! Where one of our checks requires more than Lighthouse does (a title of at most 60 characters, no second
//! description), the value of our check tells whether the part that both judge holds.

use std::collections::BTreeMap;

use reportdeck::domain::report::check::{Check, CheckOutcome};

/// Our checks of one page, by id.
pub type Ours = BTreeMap<String, Check>;

/// One thing that both judge.
pub struct Pair {
    /// Their audit.
    pub theirs: &'static str,
    /// What the issue calls it.
    pub about: &'static str,
    /// Ours: holds, does not, or nothing to judge.
    pub ours: fn(&Ours) -> Option<bool>,
}

pub const PAIRS: [Pair; 14] = [
    // Ours also counts titles and their characters; both ask whether there is one with a text.
    Pair {
        theirs: "document-title",
        about: "title",
        ours: |ours| Some(value(ours, "title")["length"].as_u64().unwrap_or(0) > 0),
    },
    // Ours also compares several; both ask whether there is one with a text.
    Pair {
        theirs: "meta-description",
        about: "description",
        ours: |ours| Some(!value(ours, "meta_description").is_null()),
    },
    Pair { theirs: "html-has-lang", about: "html lang", ours: |ours| Some(!value(ours, "language").is_null()) },
    Pair {
        theirs: "html-lang-valid",
        about: "html lang valid",
        ours: |ours| if value(ours, "language").is_null() { None } else { passed(ours, "language") },
    },
    Pair { theirs: "viewport", about: "viewport", ours: |ours| passed(ours, "meta_viewport") },
    Pair { theirs: "charset", about: "charset", ours: |ours| passed(ours, "charset") },
    Pair { theirs: "doctype", about: "doctype", ours: |ours| passed(ours, "doctype") },
    Pair { theirs: "image-alt", about: "image alt", ours: |ours| passed(ours, "image_keywords") },
    Pair { theirs: "link-text", about: "link text", ours: |ours| passed(ours, "link_text") },
    Pair { theirs: "crawlable-anchors", about: "crawlable links", ours: |ours| passed(ours, "crawlable_links") },
    Pair { theirs: "canonical", about: "canonical", ours: |ours| passed(ours, "canonical") },
    // Theirs looks at metas, headers and robots.txt in one.
    Pair {
        theirs: "is-crawlable",
        about: "robots",
        ours: |ours| Some(passed(ours, "noindex")? && passed(ours, "robots").unwrap_or(true)),
    },
    Pair { theirs: "robots-txt", about: "robots.txt valid", ours: |ours| passed(ours, "robots_txt_valid") },
    Pair { theirs: "hreflang", about: "hreflang", ours: |ours| passed(ours, "hreflang") },
];

fn check<'a>(ours: &'a Ours, id: &str) -> &'a Check {
    ours.get(id).unwrap_or_else(|| panic!("there is no check {id}"))
}

fn value<'a>(ours: &'a Ours, id: &str) -> &'a serde_json::Value {
    &check(ours, id).value
}

fn passed(ours: &Ours, id: &str) -> Option<bool> {
    match check(ours, id).outcome {
        CheckOutcome::Passed => Some(true),
        CheckOutcome::Failed => Some(false),
        CheckOutcome::Note | CheckOutcome::NotApplicable => None,
    }
}
