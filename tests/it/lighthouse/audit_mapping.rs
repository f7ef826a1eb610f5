//! The mapping from Lighthouse audits to our checks.
//!
//! Where our check requires more than Lighthouse (a title of at most 60 characters, no second description), the check's
//! value tells whether the part that both judge passes.

use std::collections::BTreeMap;

use reportdeck::domain::report::check::{Check, CheckOutcome};

/// Our checks of one page, by id.
pub type Ours = BTreeMap<String, Check>;

/// A rule that both judge.
pub struct Pair {
    /// Lighthouse's audit.
    pub theirs: &'static str,
    /// The rule's name in the table.
    pub about: &'static str,
    /// Our verdict: passed, failed, or not applicable.
    pub ours: fn(&Ours) -> Option<bool>,
}

pub const PAIRS: [Pair; 46] = [
    // Ours also counts titles and characters; both require a title with text.
    Pair {
        theirs: "document-title",
        about: "title",
        ours: |ours| Some(value(ours, "title")["length"].as_u64().unwrap_or(0) > 0),
    },
    // Ours also compares several; both require a description with text.
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
    // Lighthouse checks meta elements, headers and robots.txt in one audit.
    Pair {
        theirs: "is-crawlable",
        about: "robots",
        ours: |ours| Some(passed(ours, "noindex")? && passed(ours, "robots").unwrap_or(true)),
    },
    Pair { theirs: "robots-txt", about: "robots.txt valid", ours: |ours| passed(ours, "robots_txt_valid") },
    Pair { theirs: "hreflang", about: "hreflang", ours: |ours| passed(ours, "hreflang") },
    Pair {
        theirs: "button-name",
        about: "names of buttons",
        ours: |ours| lacks(ours, "names_labels", "a button without a name: <button"),
    },
    Pair {
        theirs: "input-button-name",
        about: "names of buttons",
        ours: |ours| lacks(ours, "names_labels", "a button without a name: <input"),
    },
    Pair {
        theirs: "aria-command-name",
        about: "names by role",
        ours: |ours| lacks(ours, "names_labels", "a button without a name: <div"),
    },
    Pair {
        theirs: "aria-toggle-field-name",
        about: "names by role",
        ours: |ours| lacks(ours, "names_labels", "a field without a label: <div id=\"checkbox"),
    },
    Pair {
        theirs: "aria-dialog-name",
        about: "names by role",
        ours: |ours| lacks(ours, "names_labels", "a dialog without a name"),
    },
    Pair {
        theirs: "link-name",
        about: "names of links",
        ours: |ours| lacks(ours, "names_labels", "a link without a name"),
    },
    Pair {
        theirs: "label",
        about: "labels of fields",
        ours: |ours| {
            let input = lacks(ours, "names_labels", "a field without a label: <input")?;
            Some(input && lacks(ours, "names_labels", "a field without a label: <textarea")?)
        },
    },
    Pair {
        theirs: "select-name",
        about: "labels of fields",
        ours: |ours| lacks(ours, "names_labels", "a field without a label: <select"),
    },
    Pair { theirs: "input-image-alt", about: "image buttons", ours: |ours| lacks(ours, "image_keywords", "<input") },
    Pair {
        theirs: "frame-title",
        about: "frame titles",
        ours: |ours| lacks(ours, "names_labels", "a frame without a title"),
    },
    Pair {
        theirs: "object-alt",
        about: "objects",
        ours: |ours| lacks(ours, "names_labels", "an embedded object without a name"),
    },
    Pair {
        theirs: "heading-order",
        about: "heading order",
        ours: |ours| lacks(ours, "heading_order", "follows one of level"),
    },
    Pair { theirs: "empty-heading", about: "empty headings", ours: |ours| lacks(ours, "heading_order", "has no text") },
    Pair { theirs: "accesskeys", about: "access keys", ours: |ours| passed(ours, "access_keys") },
    Pair { theirs: "aria-roles", about: "roles", ours: |ours| lacks(ours, "aria_valid", "is not a role") },
    Pair {
        theirs: "aria-valid-attr",
        about: "ARIA attributes",
        ours: |ours| lacks(ours, "aria_valid", "has no attribute"),
    },
    Pair {
        theirs: "aria-valid-attr-value",
        about: "ARIA values",
        ours: |ours| {
            let errors = ["is not one of", "is not a number", "is not a whole number", "refers to"];
            let all: Option<Vec<bool>> = errors.iter().map(|error| lacks(ours, "aria_valid", error)).collect();
            Some(all?.into_iter().all(|lacks| lacks))
        },
    },
    Pair { theirs: "aria-required-attr", about: "ARIA attributes", ours: |ours| lacks(ours, "aria_valid", " needs ") },
    Pair { theirs: "aria-hidden-focus", about: "hidden focus", ours: |ours| passed(ours, "aria_hidden_focus") },
    Pair { theirs: "list", about: "lists", ours: |ours| lacks(ours, "list_parts", "a list contains") },
    Pair { theirs: "listitem", about: "lists", ours: |ours| lacks(ours, "list_parts", "an li is not in a list") },
    Pair {
        theirs: "definition-list",
        about: "lists",
        ours: |ours| lacks(ours, "list_parts", "a description list contains"),
    },
    Pair { theirs: "dlitem", about: "lists", ours: |ours| lacks(ours, "list_parts", "is not in a dl") },
    Pair {
        theirs: "td-headers-attr",
        about: "tables",
        ours: |ours| lacks(ours, "table_parts", "is not a cell of the table"),
    },
    Pair {
        theirs: "table-duplicate-name",
        about: "tables",
        ours: |ours| lacks(ours, "table_parts", "repeats its caption"),
    },
    Pair { theirs: "skip-link", about: "skip link", ours: |ours| lacks(ours, "skip_link", "leads to #") },
    Pair {
        theirs: "video-caption",
        about: "captions",
        ours: |ours| lacks(ours, "media_parts", "a video has no captions"),
    },
    Pair { theirs: "tabindex", about: "tab order", ours: |ours| lacks(ours, "structure_a11y", "tabindex above 0") },
    Pair { theirs: "meta-viewport", about: "zoom", ours: |ours| passed(ours, "zoom_allowed") },
    Pair { theirs: "meta-refresh", about: "delayed redirect", ours: |ours| passed(ours, "meta_refresh") },
    // Lighthouse also reports what a policy lacks for old browsers; findings of high severity are compared.
    Pair { theirs: "csp-xss", about: "policy", ours: |ours| passed(ours, "csp") },
    Pair {
        theirs: "aria-input-field-name",
        about: "names by role",
        ours: |ours| lacks(ours, "names_labels", "a field without a label: <div id=\"textbox"),
    },
];

fn check<'a>(ours: &'a Ours, id: &str) -> &'a Check {
    ours.get(id).unwrap_or_else(|| panic!("no check {id}"))
}

/// Whether no error of a check contains this; `None` if the check is not applicable.
fn lacks(ours: &Ours, id: &str, part: &str) -> Option<bool> {
    let check = check(ours, id);
    let says = check.errors.iter().any(|error| error.raw().contains(part));
    (check.outcome != CheckOutcome::NotApplicable).then_some(!says)
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
