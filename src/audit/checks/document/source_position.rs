//! Describes an element so that people can find it in the source.

use crate::audit::checks::check_result::shortened;
use crate::audit::page::element::Element;
use crate::audit::page::tree::PageTree;

/// Attributes that identify an element, the most specific first.
const IDENTIFYING_ATTRIBUTES: [&str; 8] = ["id", "name", "href", "src", "srcset", "data-src", "class", "style"];
/// How many ancestors may describe an element. A search through all of them, for each of many elements, takes minutes.
const MOST_AROUND: usize = 8;
/// The most characters of an attribute in a description.
const MAX_VALUE_CHARACTERS: usize = 80;

/// Returns the start tag with its most specific attribute; without any, that of the nearest ancestor that has one, if
/// it is near.
pub(in crate::audit) fn source_position(tree: &PageTree, element: &Element) -> String {
    if let Some(start_tag) = start_tag(element) {
        return start_tag;
    }
    match tree.ancestors(element).take(MOST_AROUND).find_map(start_tag) {
        Some(around) => format!("<{}> in {around}", element.name),
        None => format!("<{}>", element.name),
    }
}

fn start_tag(element: &Element) -> Option<String> {
    let (name, value) = IDENTIFYING_ATTRIBUTES.iter().find_map(|name| {
        let value = element.attribute(name)?.trim();
        (!value.is_empty()).then_some((name, value))
    })?;
    Some(format!("<{} {name}=\"{}\">", element.name, shortened(value, MAX_VALUE_CHARACTERS)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::limits::AuditLimits;

    #[test]
    fn every_element_has_a_description() {
        let html = "<div id=main><p class=a>x</p><ul><li>y</ul></div><img src=data:image/png,xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx><b>";
        let tree = PageTree::parse(html, &AuditLimits::default()).unwrap();
        let of = |name: &str| source_position(&tree, tree.named(name).next().unwrap());
        assert_eq!(of("p"), "<p class=\"a\">");
        assert_eq!(of("li"), "<li> in <div id=\"main\">");
        assert_eq!(of("b"), "<b>");
        assert!(of("img").ends_with("…\">") && of("img").len() < 120, "{}", of("img"));
    }
}
