//! Previews of a page as a search result and as a shared link, from what the checks found.

use serde_json::Value;

use crate::domain::report::check::Check;
use crate::domain::text::{clean, fit};

/// Approximately what a search result shows of a title and of a description, in cells.
const TITLE: usize = 60;
const DESCRIPTION: usize = 160;
/// Approximately what a shared link shows of an address, in cells.
const ADDRESS: usize = 80;

/// How others display the page. Texts are empty if the page does not provide them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LinkPreview {
    pub title: String,
    pub description: String,
    /// Title, description and image address of a shared link.
    pub shared_title: String,
    pub shared_description: String,
    pub image: String,
}

/// Returns title and description of the page as an audit stored them; empty if the page has none.
pub fn stored_texts(checks: &[Check]) -> (&str, &str) {
    let value = |id: &str| checks.iter().find(|check| check.id.raw() == id).map(|check| &check.value);
    let title = value("title").and_then(|value| value.get("title")).and_then(Value::as_str);
    (title.unwrap_or_default(), value("meta_description").and_then(Value::as_str).unwrap_or_default())
}

impl LinkPreview {
    /// Builds the preview from the checks; `None` for a page without HTML, and for reports without these values.
    pub fn of(checks: &[Check]) -> Option<Self> {
        let value = |id: &str| checks.iter().find(|check| check.id.raw() == id).map(|check| &check.value);
        let text = |value: Option<&Value>, cells: usize| {
            let text = value.and_then(Value::as_str).unwrap_or_default();
            fit(clean(text).trim(), cells).into_owned()
        };
        let titled = value("title")?;
        let graph = |name: &str| value("open_graph").and_then(|graph| graph.get(name));
        let or = |own: String, other: &str| if own.is_empty() { other.to_owned() } else { own };
        let title = text(titled.get("title").or(Some(titled)), TITLE);
        let description = text(value("meta_description"), DESCRIPTION);
        let preview = Self {
            shared_title: or(text(graph("og:title"), TITLE), &title),
            shared_description: or(text(graph("og:description"), DESCRIPTION), &description),
            image: text(graph("og:image"), ADDRESS),
            title,
            description,
        };
        // A check that had nothing to judge provides no preview.
        (!titled.is_null() || preview != Self::default()).then_some(preview)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::pages::report::checks::read;
    use serde_json::json;

    fn of(checks: &Value) -> Option<LinkPreview> {
        LinkPreview::of(&read(&checks.to_string()).unwrap())
    }

    #[test]
    fn a_shared_link_falls_back_to_title_and_description() {
        let checks = json!({
            "title": {"outcome": "passed", "value": {"title": "Tea\u{202e} shop", "length": 8}},
            "meta_description": {"outcome": "passed", "value": "All teas"},
            "open_graph": {"outcome": "failed", "value": {"og:title": "Teas", "og:image": "https://tea.example/a.png"}},
        });
        let preview = of(&checks).unwrap();
        assert_eq!((&*preview.title, &*preview.shared_title), ("Tea shop", "Teas"));
        assert_eq!((&*preview.shared_description, &*preview.image), ("All teas", "https://tea.example/a.png"));
    }

    #[test]
    fn an_older_report_without_values_has_no_preview() {
        assert_eq!(of(&json!({ "title": {"outcome": "passed"} })), None);
        assert_eq!(of(&json!({})), None);
    }
}
