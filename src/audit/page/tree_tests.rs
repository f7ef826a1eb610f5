//! Tests of the parsed page: its structure, its texts, and the limits.

use super::*;
use std::fmt::Write as _;
use std::time::Duration;

fn parse(html: &str) -> PageTree {
    PageTree::parse(html, &AuditLimits::default()).unwrap()
}

#[test]
fn elements_and_texts_keep_their_structure() {
    let tree = parse(
        "<!DOCTYPE html><title> A  b </title><svg><title>no</title></svg><p id=x>one <b>two</b>\nthree</p><script>hid</script>",
    );
    assert_eq!(tree.doctype.as_deref(), Some("html"));
    assert!(!tree.quirks && !tree.cut);
    let titles: Vec<_> = tree.named("title").map(|title| tree.text_of(title)).collect();
    assert_eq!(titles, ["A b"], "the title of a drawing is none of the page");
    let paragraph = tree.named("p").next().unwrap();
    assert_eq!(tree.text_of(paragraph), "one two three");
    assert_eq!(paragraph.attribute("id"), Some("x"));
    assert_eq!(tree.inside(paragraph).len(), 1);
    assert_eq!(tree.seen_text(), "one two three");
    let bold = tree.named("b").next().unwrap();
    assert_eq!(tree.ancestors(bold).map(|around| &*around.name).collect::<Vec<_>>(), ["p", "body", "html"]);
    assert!(parse("<p>no doctype").quirks);
}

#[test]
fn words_are_separated_as_rendered() {
    let text = |html: &str| parse(html).seen_text();
    assert_eq!(text("<p>mo<b>re</b> te<i>a</i>s</p>now<br>then"), "more teas now then");
    assert_eq!(text("<ul><li>one<li>two</ul><table><td>a<td>b</table>"), "one two a b");
    assert_eq!(text("<b>one</b> <b>two</b><span> </span><b>three</b>"), "one two three");
    let tree = parse("<a href=x>more <span hidden>about tea</span></a><div hidden><a href=x>tea</a></div>");
    let links: Vec<String> = tree.named("a").map(|link| tree.seen_text_of(link)).collect();
    assert_eq!(links, ["more", "tea"]);
}

#[test]
fn the_content_of_a_template_is_not_part_of_the_page() {
    let tree = parse("<template><a>x</a><template><b>x</b></template><title>x</title></template><p>Tea");
    assert_eq!((tree.named("a").count(), tree.named("title").count(), tree.named("p").count()), (0, 0, 1));
    assert_eq!(parse("<div><template shadowrootmode=open><img></template></div>").named("img").count(), 1);
}

#[test]
fn deep_and_large_pages_are_cut() {
    let limits = AuditLimits { depth: 100, nodes: 2_000, ..AuditLimits::default() };
    let tower = "<div>".repeat(200_000);
    let tree = PageTree::parse(&tower, &limits).unwrap();
    assert!(tree.cut && tree.elements.len() < 3_000, "{}", tree.elements.len());
    let tree = PageTree::parse(&"<p>x</p>".repeat(50_000), &limits).unwrap();
    assert!(tree.cut && tree.elements.len() < 6_000, "{}", tree.elements.len());
}

/// Only processor time stops this page: no limit for nodes or depth applies to a single tag.
#[test]
fn a_tag_of_a_million_attributes_is_abandoned() {
    let mut html = String::from("<p ");
    for number in 0..300_000 {
        let _ = write!(html, "a{number} ");
    }
    let limits = AuditLimits { parse: Duration::from_millis(50), ..AuditLimits::default() };
    let unfinished = PageTree::parse(&html, &limits).unwrap_err();
    assert_eq!(unfinished, ProcessorTimeExceeded { work: "parsing the page", limit: limits.parse });
}

#[test]
fn descendants_of_hidden_elements_are_hidden() {
    for hiding in
        ["hidden", "aria-hidden=True", "style='color:red; DISPLAY : none !important'", "style=visibility:hidden"]
    {
        let tree = parse(&format!("<div {hiding}><p>x</div><p>y"));
        assert_eq!(tree.named("p").map(|p| p.hidden).collect::<Vec<_>>(), [true, false], "{hiding}");
    }
    let tree = parse("<body hidden aria-hidden=true style='visibility:hidden'><p>x");
    assert!(!tree.named("p").any(|p| p.hidden || p.unseen), "a script will show the page");
    let tree = parse("<p aria-hidden=false style='display:block;visibility:visible'>x");
    assert!(tree.elements.iter().all(|element| !element.hidden && !element.unseen || &*element.name == "head"));
    assert_eq!(parse("<p>a<b aria-hidden=true>b</b><b style=display:none>c</b>").seen_text(), "ab");
}

#[test]
fn xhtml_is_parsed_as_xml() {
    let text = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml' xml:lang='de'><head><script src='a.js'/>\
                <title>Tee</title></head><body><P>x</P><p>y</p></body></html>";
    let tree = PageTree::parse_as(text, Syntax::Xml, &AuditLimits::default()).unwrap();
    let html = tree.named("html").next().unwrap();
    assert_eq!((html.attribute("xml:lang"), html.attribute("lang")), (Some("de"), None));
    assert_eq!(tree.named("title").map(|title| tree.text_of(title)).collect::<Vec<_>>(), ["Tee"]);
    assert_eq!((tree.named("p").count(), tree.quirks, tree.cut), (1, false, false));
}

proptest::proptest! {
    #[test]
    fn any_xml_is_parsed_without_a_panic(pieces in proptest::collection::vec(xml_piece(), 0..40)) {
        let text = pieces.concat();
        let tree = PageTree::parse_as(&text, Syntax::Xml, &AuditLimits::default()).unwrap();
        proptest::prop_assert!(tree.elements.iter().enumerate().all(|(index, element)| element.index() == index));
    }
}

/// Generates pieces of XML.
fn xml_piece() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let known = proptest::sample::select(vec![
        "<?xml version='1.0'?>",
        "<html xmlns='http://www.w3.org/1999/xhtml'",
        " xml:lang='de'",
        " xmlns:a='b'",
        " a:b='c'",
        ">",
        "/>",
        "<p>",
        "</p>",
        "</",
        "<a:b>",
        "</a:b>",
        "<script/>",
        "<template>",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<!DOCTYPE html [<!ENTITY x 'y'>",
        "]>",
        "&x;",
        "&#0;",
        "&#x110000;",
        "&nbsp",
        "<?pi ",
        "?>",
    ]);
    prop_oneof![3 => known.prop_map(str::to_owned), 1 => any::<String>()]
}
