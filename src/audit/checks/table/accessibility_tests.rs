//! Edge cases of the accessibility checks in which a script, a stylesheet or a component shows something else than the
//! source of the page.

use super::standards_tests::{found, hold};
use crate::domain::report::check::CheckOutcome::{Failed, NotApplicable, Note, Passed};

#[test]
fn a_component_may_show_the_entries_of_a_list() {
    hold(&[
        ("list_parts", "<tea-list><template shadowrootmode=open><ul><slot></slot></ul></template></tea-list>", Passed),
        ("list_parts", "<ul><tea-item>Sencha</tea-item></ul>", Passed),
        ("list_parts", "<ul><tea-item role=button>Sencha</tea-item></ul>", Failed),
        ("list_parts", "<tea-list><li>Sencha</li></tea-list>", Passed),
        ("list_parts", "<tea-item><template shadowrootmode=open><li><slot></slot></li></template></tea-item>", Passed),
        ("list_parts", "<ul><slot><li>Sencha</li></slot></ul>", Passed),
        ("list_parts", "<dl><slot></slot></dl>", Passed),
        ("list_parts", "<dl><dt>Sencha</dt><tea-text></tea-text></dl>", Passed),
        ("list_parts", "<tea-terms><dt>Sencha</dt><dd>A tea</dd></tea-terms>", Passed),
        ("list_parts", "<main><li>Sencha</li></main>", Failed),
    ]);
}

#[test]
fn what_browsers_do_not_render_is_no_part_of_a_list() {
    hold(&[
        ("list_parts", "<ul><style>li { color: red }</style><li>Sencha</li></ul>", Passed),
        ("list_parts", "<ul><meta itemprop=numberOfItems content=1><li>Sencha</li></ul>", Passed),
        ("list_parts", "<ul><noscript><a href=/>Sencha</a></noscript><li>Sencha</li></ul>", Passed),
        ("list_parts", "<dl><link rel=stylesheet href=a.css><dt>Sencha<dd>A tea</dl>", Passed),
        ("list_parts", "<ul><a href=/>Sencha</a></ul>", Failed),
    ]);
}

#[test]
fn nothing_that_a_style_of_the_page_hides_has_the_focus() {
    let page = |css: &str| {
        format!("<style>{css}</style><nav id=side class='menu closed' aria-hidden=true><a href=/>Tea</a></nav>")
    };
    for css in [
        ".menu { display: none }",
        "#side{visibility:hidden}",
        "nav { DISPLAY: none !important }",
        "a, .x > .menu:not(.open) { color: red; display: none }",
        "@media (max-width: 60em) { .x { color: red } nav.menu[aria-hidden=\"true\"] { display: none } }",
        "[aria-hidden='true'] { display: none }",
    ] {
        hold(&[("aria_hidden_focus", &page(css), Passed)]);
    }
    for css in [
        ".menu { color: red }",
        ".menu-open, .other { display: none }",
        ".menu::before, .menu:after { display: none }",
        "[hidden] { display: none }",
        "/* .menu { display: none } */",
        "body { visibility: hidden }",
    ] {
        hold(&[("aria_hidden_focus", &page(css), Failed)]);
    }
    let around = |attributes: &str| {
        format!("<style>.shut {{ display: none }}</style><div {attributes}><p aria-hidden=true><a href=/>Tea</a></div>")
    };
    hold(&[
        ("aria_hidden_focus", &around("class=shut"), Passed),
        ("aria_hidden_focus", &around("style='display: none'"), Passed),
        ("aria_hidden_focus", &around("inert"), Passed),
        ("aria_hidden_focus", &around(""), Failed),
    ]);
}

#[test]
fn what_a_style_of_the_page_always_hides_needs_no_name() {
    let checks = [("names_labels", Passed), ("autocomplete", NotApplicable), ("heading_order", NotApplicable)];
    let page = |style: &str| {
        format!(
            "{style}<form class=contact><div class='trap x'><input name=url autocomplete=nope><h3></h3></div></form>"
        )
    };
    for css in [
        ".trap { display: none !important }",
        "#side,.trap{visibility:hidden}",
        ".contact .x { color: red } .trap { display: none } .trap::before { content: '' }",
        "@media (max-width: 60em) { .x { color: red } p { margin: 0 } } .trap { display: none }",
        "form { display: none }",
    ] {
        for (id, expected) in checks {
            hold(&[(id, &page(&format!("<style>{css}</style>")), expected)]);
        }
    }
    for style in [
        "<style>@media (max-width: 60em) { p { margin: 0 } .trap { display: none } }</style>",
        "<style>.trap { display: none } .trap.x { display: block }</style>",
        "<style>.trap { display: none } @media (min-width: 60em) { .contact > .trap { display: flex } }</style>",
        "<style>.trap:empty, .js .trap, .trap-2 { display: none }</style>",
        "<style media=print>.trap { display: none }</style>",
        "<style>body { display: none }</style><script>show()</script>",
        "<link rel=stylesheet href=/a.css>",
    ] {
        for (id, _) in checks {
            hold(&[(id, &page(style), Failed)]);
        }
    }
}

#[test]
fn a_stylesheet_that_was_not_read_may_hide_what_is_in_an_element_with_aria_hidden() {
    let page = |part: &str| format!("<link rel=stylesheet href=/a.css>{part}");
    let menu = page("<nav aria-hidden=true><a href=/>Tea</a></nav>");
    let link = page("<a href=/ aria-hidden=true>Tea</a>");
    hold(&[
        ("aria_hidden_focus", &menu, Note),
        ("aria_hidden_focus", &link, Failed),
        ("aria_hidden_focus", &format!("{menu}{link}"), Failed),
    ]);
    let expected = "the tab key leads into an element with aria-hidden, unless a stylesheet hides it: <a href=\"/\">";
    assert_eq!(found("aria_hidden_focus", &menu).errors, [expected]);
}

#[test]
fn what_a_script_fills_later_is_no_mistake() {
    hold(&[
        ("names_labels", "<a href=/cart><cart-count></cart-count></a>", Passed),
        ("names_labels", "<tea-button role=button></tea-button>", Passed),
        ("names_labels", "<a href=/cart><cart-count><svg></svg></cart-count></a>", Failed),
        ("names_labels", "<div id=tip role=tooltip></div>", Passed),
        ("heading_order", "<h2><tea-title></tea-title></h2>", Passed),
        ("heading_order", "<h2></h2>", Failed),
        ("aria_valid", "<input aria-describedby=error aria-errormessage=error>", Passed),
        ("aria_valid", "<input aria-labelledby=error>", Failed),
    ]);
}

#[test]
fn values_that_assistive_technology_understands_are_valid() {
    hold(&[
        // "Any value not included in the list […] as if the value true had been provided" (WAI-ARIA 1.2, aria-current).
        ("aria_valid", "<a href=/ aria-current=item>Tea</a>", Passed),
        ("aria_valid", "<p role=text>Green <b>tea</b>", Passed),
    ]);
    let error = |html: &str| found("aria_valid", html).errors.concat();
    assert!(error("<p role=meter aria-valuenow=50%>").contains("aria-valuenow=\"50%\" is not a number: "));
    assert!(error("<p role=row aria-colcount=few>").contains("aria-colcount=\"few\" is not a whole number: "));
    assert!(error("<p aria-busy=yes>").contains("aria-busy=\"yes\" is not one of true, false: "));
}

#[test]
fn a_video_without_a_file_may_have_captions() {
    hold(&[
        ("media_parts", "<video controls data-src=/a.m3u8></video>", Passed),
        ("media_parts", "<video controls><source src=/a.mp4></video>", Failed),
        ("media_parts", "<video controls src=/a.mp4></video>", Failed),
    ]);
}

#[test]
fn words_that_switch_autofill_off_are_no_misspelt_fields() {
    hold(&[
        ("autocomplete", "<input autocomplete=false>", Passed),
        ("autocomplete", "<input autocomplete=none>", Passed),
        ("autocomplete", "<input autocomplete='billing none'>", Failed),
        ("autocomplete", "<input autocomplete=e-mail>", Failed),
        ("autocomplete", "<input type=hidden autocomplete=e-mail>", NotApplicable),
    ]);
}

#[test]
fn a_heading_by_its_role_alone_needs_a_level() {
    hold(&[
        ("aria_valid", "<div role=heading>Tea</div>", Failed),
        ("aria_valid", "<div role=heading aria-level=2>Tea</div>", Passed),
        ("aria_valid", "<h2 role=heading>Tea</h2>", Passed),
    ]);
}

#[test]
fn a_link_that_is_a_tab_may_have_a_general_name() {
    hold(&[
        ("link_text", "<html lang=en><a role=tab href=#details>Details</a>", NotApplicable),
        ("link_text", "<html lang=en><a role=link href=/tea>Details</a>", Failed),
    ]);
}

#[test]
fn the_language_of_the_body_is_that_of_its_text() {
    let page = |html: &str, body: &str| {
        let text = "Der Tee wird von Hand gepflückt und ist nicht der einzige, der von den Hügeln kommt. ".repeat(8);
        format!("<html lang={html}><body lang={body}><p>{text}")
    };
    hold(&[("text_language", &page("en", "de"), Passed), ("text_language", &page("de", "en"), Failed)]);
}

#[test]
fn the_button_of_a_select_needs_no_name_of_its_own() {
    let select = "<select id=a><button><selectedcontent></selectedcontent></button><option>Green</select>";
    hold(&[
        ("names_labels", &format!("<label for=a>Tea</label>{select}"), Passed),
        ("names_labels", select, Failed),
        ("names_labels", "<button></button>", Failed),
    ]);
    assert_eq!(found("names_labels", select).errors, ["a field without a label: <select id=\"a\">"]);
}

#[test]
fn the_name_of_a_file_describes_no_image() {
    hold(&[
        ("image_keywords", "<img src=a.jpg alt=DSC_0042.JPG>", Failed),
        ("image_keywords", "<img src=a.svg alt='my-logo.svg '>", Failed),
        ("image_keywords", "<input type=image src=a.png alt=go.png>", Failed),
        ("image_keywords", "<img src=a.jpg alt='A cup of tea.'>", Passed),
        ("image_keywords", "<img src=a.jpg alt='The button Save as PNG'>", Passed),
        ("image_keywords", "<img src=a.jpg alt='The tab of the file tea.png'>", Passed),
    ]);
    let errors = found("image_keywords", "<img src=a.jpg alt=DSC_0042.JPG>").errors;
    assert_eq!(errors, ["the text is the name of a file: <img src=\"a.jpg\">"]);
}

#[test]
fn roles_of_the_next_version_of_aria_are_known() {
    hold(&[("aria_valid", "<div role=sectionheader>Tea</div><div role=sectionfooter>Tea</div>", Passed)]);
}

#[test]
fn a_link_that_is_switched_off_by_its_class_needs_no_address() {
    hold(&[
        ("crawlable_links", "<a href=/>Tea</a><a class='nav-link disabled'>Coffee</a>", Passed),
        ("crawlable_links", "<ul><li class='page-item disabled'><a class=page-link>Previous</a></ul>", NotApplicable),
        ("crawlable_links", "<ul class=disabled><li><a class=page-link>Previous</a></ul>", Failed),
    ]);
}
