//! States and properties of WAI-ARIA 1.2 and their value types (section 6.6).

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueType {
    /// Any text, or ids of elements.
    Text,
    /// One of these words.
    Words(&'static [&'static str]),
    /// Words of this list, separated by spaces.
    WordList(&'static [&'static str]),
    /// A whole number.
    Integer,
    /// A number.
    Number,
}

use ValueType::{Integer, Number, Text, WordList, Words};

const BOOLEAN: ValueType = Words(&["true", "false"]);
const BOOLEAN_OR_UNDEFINED: ValueType = Words(&["true", "false", "undefined"]);
const TRISTATE: ValueType = Words(&["true", "false", "mixed", "undefined"]);

const ATTRIBUTES: [(&str, ValueType); 54] = [
    ("aria-activedescendant", Text),
    ("aria-atomic", BOOLEAN),
    ("aria-autocomplete", Words(&["inline", "list", "both", "none"])),
    ("aria-braillelabel", Text),
    ("aria-brailleroledescription", Text),
    ("aria-busy", BOOLEAN),
    ("aria-checked", TRISTATE),
    ("aria-colcount", Integer),
    ("aria-colindex", Integer),
    ("aria-colindextext", Text),
    ("aria-colspan", Integer),
    ("aria-controls", Text),
    // Any other value counts as true.
    ("aria-current", Text),
    ("aria-describedby", Text),
    ("aria-description", Text),
    ("aria-details", Text),
    ("aria-disabled", BOOLEAN),
    ("aria-dropeffect", WordList(&["copy", "execute", "link", "move", "none", "popup"])),
    ("aria-errormessage", Text),
    ("aria-expanded", BOOLEAN_OR_UNDEFINED),
    ("aria-flowto", Text),
    ("aria-grabbed", BOOLEAN_OR_UNDEFINED),
    ("aria-haspopup", Words(&["true", "false", "menu", "listbox", "tree", "grid", "dialog"])),
    ("aria-hidden", BOOLEAN_OR_UNDEFINED),
    ("aria-invalid", Words(&["grammar", "false", "spelling", "true"])),
    ("aria-keyshortcuts", Text),
    ("aria-label", Text),
    ("aria-labelledby", Text),
    ("aria-level", Integer),
    ("aria-live", Words(&["assertive", "off", "polite"])),
    ("aria-modal", BOOLEAN),
    ("aria-multiline", BOOLEAN),
    ("aria-multiselectable", BOOLEAN),
    ("aria-orientation", Words(&["horizontal", "vertical", "undefined"])),
    ("aria-owns", Text),
    ("aria-placeholder", Text),
    ("aria-posinset", Integer),
    ("aria-pressed", TRISTATE),
    ("aria-readonly", BOOLEAN),
    ("aria-relevant", WordList(&["additions", "all", "removals", "text"])),
    ("aria-required", BOOLEAN),
    ("aria-roledescription", Text),
    ("aria-rowcount", Integer),
    ("aria-rowindex", Integer),
    ("aria-rowindextext", Text),
    ("aria-rowspan", Integer),
    ("aria-selected", BOOLEAN_OR_UNDEFINED),
    ("aria-setsize", Integer),
    ("aria-sort", Words(&["ascending", "descending", "none", "other"])),
    ("aria-valuemax", Number),
    ("aria-valuemin", Number),
    ("aria-valuenow", Number),
    ("aria-valuetext", Text),
    // A common misspelling that browsers support.
    ("aria-labeledby", Text),
];

/// Attributes required by a role (WAI-ARIA 1.2, "Required States and Properties"). Native HTML elements have them
/// implicitly.
const REQUIRED: [(&str, &str); 10] = [
    ("checkbox", "aria-checked"),
    ("menuitemcheckbox", "aria-checked"),
    ("menuitemradio", "aria-checked"),
    ("radio", "aria-checked"),
    ("switch", "aria-checked"),
    ("slider", "aria-valuenow"),
    ("meter", "aria-valuenow"),
    ("scrollbar", "aria-valuenow"),
    ("combobox", "aria-expanded"),
    ("heading", "aria-level"),
];

/// Returns the type of an attribute's value; `None` if WAI-ARIA does not define the attribute.
pub(super) fn value_type(name: &str) -> Option<ValueType> {
    ATTRIBUTES.iter().find(|(own, _)| *own == name).map(|(_, value_type)| *value_type)
}

/// Returns the attribute required by a role.
pub(super) fn required_by(role: &str) -> Option<&'static str> {
    REQUIRED.iter().find(|(own, _)| *own == role).map(|(_, attribute)| *attribute)
}

/// Returns what is expected instead of a value; `None` if the value is valid. Ids are checked elsewhere.
pub(super) fn value_error(value_type: ValueType, value: &str) -> Option<String> {
    let value = value.trim();
    let has = |words: &[&str], word: &str| words.iter().any(|own| own.eq_ignore_ascii_case(word));
    match value_type {
        // An empty value counts as no attribute.
        _ if value.is_empty() => None,
        Text => None,
        Words(words) => (!has(words, value)).then(|| format!("one of {}", words.join(", "))),
        WordList(words) => {
            let all_known = value.split_ascii_whitespace().all(|word| has(words, word));
            (!all_known).then(|| format!("one of {}", words.join(", ")))
        }
        Integer => value.parse::<i64>().is_err().then(|| "a whole number".to_owned()),
        Number => value.parse::<f64>().is_err().then(|| "a number".to_owned()),
    }
}
