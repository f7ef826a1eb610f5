//! Names of elements, many after examples and tests of the standards.

use super::*;
use crate::audit::limits::AuditLimits;

/// Returns the name of the element with the id `x`.
fn name(html: &str) -> String {
    let tree = PageTree::parse(html, &AuditLimits::default()).unwrap();
    let element = tree.elements.iter().find(|element| element.attribute("id") == Some("x")).unwrap();
    AccessibleNames::of(&tree).name(element)
}

fn check(samples: &[(&str, &str)]) {
    for (html, expected) in samples {
        assert_eq!(name(html), *expected, "{html}");
    }
}

#[test]
fn references_come_before_labels_and_those_before_content() {
    check(&[
        ("<b id=a>Green</b><b id=b> tea </b><a id=x href=/ aria-labelledby='a b' aria-label=no>no</a>", "Green tea"),
        ("<a id=x href=/ aria-label='Green  tea'>no</a>", "Green tea"),
        ("<a id=x href=/ aria-label=' ' title=no>Tea</a>", "Tea"),
        ("<a id=x href=/ aria-labelledby=nobody>Tea</a>", "Tea"),
        ("<b id=a></b><a id=x href=/ aria-labelledby=a>Tea</a>", "Tea"),
        ("<a id=x href=/ title=Tea> </a>", "Tea"),
        ("<a id=x href=/></a>", ""),
    ]);
}

#[test]
fn a_hidden_element_names_others_only_when_referenced() {
    check(&[
        ("<b id=a hidden>Tea</b><button id=x aria-labelledby=a></button>", "Tea"),
        ("<b id=a style=display:none>Tea <i hidden>now</i></b><button id=x aria-labelledby=a></button>", "Tea now"),
        ("<b id=a>Tea <i hidden>now</i></b><button id=x aria-labelledby=a></button>", "Tea"),
        ("<button id=x><b hidden>Tea</b></button>", ""),
        ("<button id=x><b aria-hidden=true>Tea</b></button>", ""),
        ("<button id=x><b style='display: none'>Tea</b></button>", ""),
        ("<button id=x hidden>Tea</button>", ""),
    ]);
}

#[test]
fn references_are_not_followed_twice() {
    check(&[
        ("<b id=a aria-labelledby=b>Green</b><b id=b>Black</b><button id=x aria-labelledby=a></button>", "Green"),
        ("<button id=x aria-labelledby='x a' aria-label=Delete></button><b id=a>Tea</b>", "Delete Tea"),
        ("<button id=x aria-labelledby=x>Tea</button>", "Tea"),
        (
            "<b id=a><i aria-labelledby=b>Green</i></b><b id=b>Black</b><button id=x aria-labelledby=a></button>",
            "Green",
        ),
        ("<b id=b>Black</b><button id=x><i aria-labelledby=b>Green</i></button>", "Black"),
    ]);
}

#[test]
fn fields_are_named_by_labels_titles_and_placeholders() {
    check(&[
        ("<label for=x>Tea</label><input id=x title=no>", "Tea"),
        ("<label>Tea <input id=x value=no></label>", "Tea"),
        ("<label for=x>Green</label><label for=x>tea</label><select id=x><option>no</select>", "Green tea"),
        ("<label><select id=x><option>no</select></label>", ""),
        ("<label><input id=x></label>", ""),
        ("<label for=x></label><input id=x>", ""),
        ("<label for=x hidden>Tea</label><input id=x>", ""),
        ("<label for=x aria-hidden=true>Tea</label><input id=x>", ""),
        ("<label for=x style=display:none>Tea</label><input id=x>", ""),
        ("<label for=other>Tea <input id=x></label>", ""),
        ("<label for=x><img src=a.png alt=Tea></label><input id=x>", "Tea"),
        ("<label for=x aria-label=Tea>no</label><textarea id=x>no</textarea>", "Tea"),
        ("<input id=x title=Tea placeholder=no>", "Tea"),
        ("<input id=x placeholder=Tea>", "Tea"),
        ("<input id=x value=no name=no>", ""),
        ("<select id=x><option>no</select>", ""),
        ("<label for=x>Tea</label><input type=hidden id=x>", ""),
    ]);
}

#[test]
fn a_control_inside_a_name_contributes_its_value() {
    check(&[
        ("<label>Flash <input value=3> times <input type=checkbox id=x></label>", ""),
        ("<label for=x>Flash <input value=3> times</label><input type=checkbox id=x>", "Flash 3 times"),
        ("<label for=x>In <select><option>red<option selected>green</select></label><input id=x>", "In green"),
        ("<label for=x>In <select><option>red<option>green</select></label><input id=x>", "In red"),
        ("<label for=x>At <input type=range value=3 aria-valuetext=half></label><input id=x>", "At half"),
        ("<label for=x>Say <textarea>tea</textarea></label><input id=x>", "Say tea"),
        ("<label for=x>No <input type=password value=secret></label><input id=x>", "No"),
        ("<input id=a value=green><input id=x aria-labelledby=a>", "green"),
    ]);
}

#[test]
fn buttons_are_named_by_their_text() {
    check(&[
        ("<button id=x>Go</button>", "Go"),
        ("<button id=x><svg><title>Go</title><path/></svg></button>", "Go"),
        ("<button id=x><svg><desc>no</desc><g><text>Go</text></g></svg></button>", "Go"),
        ("<button id=x><svg aria-label=Go></svg></button>", "Go"),
        ("<button id=x><svg aria-hidden=true><title>no</title></svg></button>", ""),
        ("<label for=x>Go</label><button id=x></button>", "Go"),
        ("<input id=x type=submit>", "Submit"),
        ("<input id=x type=reset>", "Reset"),
        ("<input id=x type=submit value=Go>", "Go"),
        ("<input id=x type=submit value=''>", ""),
        ("<input id=x type=button>", ""),
        ("<input id=x type=button value=' Go '>", "Go"),
        ("<input id=x type=image alt=Go>", "Go"),
        ("<input id=x type=image>", ""),
        ("<button id=x><input type=submit value=Go></button>", "Go"),
    ]);
}

#[test]
fn hidden_content_is_not_part_of_a_name() {
    check(&[
        ("<a id=x href=/>mo<b>re</b> <i>te</i>a</a>", "more tea"),
        ("<a id=x href=/>green<div>tea</div>now<br>and here</a>", "green tea now and here"),
        ("<a id=x href=/><img src=a.png alt=Green>tea</a>", "Green tea"),
        ("<a id=x href=/><img src=a.png alt='' title=no></a>", ""),
        ("<a id=x href=/><img src=a.png title=Tea></a>", "Tea"),
        ("<a id=x href=/><img src=a.png alt=no role=presentation></a>", ""),
        ("<a id=x href=/><span title=Tea></span></a>", "Tea"),
        ("<a id=x href=/><span title=no>Tea</span></a>", "Tea"),
        ("<a id=x href=/><span title=Green></span> tea</a>", "Green tea"),
        ("<a id=x href=/><style>no</style><script>no</script><noscript>no</noscript></a>", ""),
        ("<a id=x href=/><span role=img aria-label=Tea>no</span></a>", "Tea"),
        ("<a id=x href=/><math><mi>y</mi></math></a>", "y"),
        ("<h1 id=x>Green <img src=a.png alt=tea></h1>", "Green tea"),
        ("<div id=x role=link>Tea</div>", "Tea"),
        ("<div id=x>no</div>", ""),
        ("<a id=x role=group href=/ title=Tea>no</a>", "Tea"),
    ]);
}

#[test]
fn images_tables_and_figures_are_named_by_their_markup() {
    check(&[
        ("<iframe id=x title=Tea>no</iframe>", "Tea"),
        ("<iframe id=x>no</iframe>", ""),
        ("<a id=x href=/><iframe>no</iframe></a>", ""),
        ("<fieldset id=x><legend>Tea</legend>no</fieldset>", "Tea"),
        ("<table id=x><caption>Tea</caption><tr><td>no</table>", "Tea"),
        ("<figure id=x><p>no</p><figcaption>Tea</figcaption></figure>", "Tea"),
        ("<map><area id=x href=/ alt=Tea></map>", "Tea"),
        ("<img id=x alt=Tea title=no>", "Tea"),
        ("<img id=x title=Tea>", "Tea"),
        ("<svg id=x><title>Tea</title></svg>", "Tea"),
    ]);
}

/// One test for each step of the computation, in the order of accname-1.2, 4.3.2.
#[test]
fn every_step_of_the_computation_holds() {
    for (step, html, expected) in [
        ("2A hidden", "<div hidden><button id=x>Tea</button></div>", ""),
        ("2A hidden ancestor", "<div aria-hidden=true><p><a id=x href=/>Tea</a></div>", ""),
        ("2A closed dialog", "<dialog><button id=x>Tea</button></dialog>", ""),
        ("2A open dialog", "<dialog open><button id=x>Tea</button></dialog>", "Tea"),
        (
            "2B order of references",
            "<b id=b>tea</b><b id=a>Green</b><i id=x role=button aria-labelledby='a b'></i>",
            "Green tea",
        ),
        (
            "2B itself",
            "<button id=x aria-label=Buy aria-labelledby='x a'></button><b id=a>green tea</b>",
            "Buy green tea",
        ),
        ("2B referenced label", "<b id=a aria-label=Tea>no</b><button id=x aria-labelledby=a></button>", "Tea"),
        ("2B referenced image", "<img id=a alt=Tea><button id=x aria-labelledby=a></button>", "Tea"),
        ("2B referenced drawing", "<svg id=a><title>Tea</title></svg><button id=x aria-labelledby=a></button>", "Tea"),
        ("2B referenced title", "<b id=a title=Tea></b><button id=x aria-labelledby=a></button>", "Tea"),
        ("2C text box by role", "<label for=x>Say <span role=textbox>tea</span></label><input id=x>", "Say tea"),
        ("2C search field", "<label for=x>Find <input type=search value=tea></label><input id=x>", "Find tea"),
        (
            "2C list by role",
            "<button id=x>In <ul role=listbox><li role=option>red<li role=option aria-selected=true>green</ul></button>",
            "In green",
        ),
        (
            "2C several chosen",
            "<label for=x><select multiple><option selected>red<option>blue<option selected>green</select></label><input id=x>",
            "red green",
        ),
        (
            "2C slider text",
            "<label for=x>At <b role=slider aria-valuetext=half aria-valuenow=5></b></label><input id=x>",
            "At half",
        ),
        ("2C slider number", "<label for=x>At <b role=slider aria-valuenow=5></b></label><input id=x>", "At 5"),
        ("2C number", "<label for=x>At <input type=number value=5></label><input id=x>", "At 5"),
        ("2C meter", "<label for=x>At <meter value=5></meter></label><input id=x>", "At 5"),
        ("2D label", "<div id=x role=group aria-label=' Tea '>no</div>", "Tea"),
        ("2E option", "<label for=x><select><option label=Tea>no</select></label><input id=x>", "Tea"),
        ("2E drawing", "<svg id=x role=img><title>Tea</title><text>no</text></svg>", "Tea"),
        ("2E part of a drawing", "<button id=x><svg><g><title>Tea</title><path/></g></svg></button>", "Tea"),
        ("2E decoration", "<button id=x><svg role=presentation><title>no</title></svg></button>", ""),
        ("2E frame", "<iframe id=x title=Tea></iframe>", "Tea"),
        ("2F link in a drawing", "<svg><a id=x href=/tea><text>Tea</text></a></svg>", "Tea"),
        ("2F drawing's link title", "<svg><a id=x href=/tea title=Tea><path/></a></svg>", "Tea"),
        ("2F nested role", "<h2 id=x><span role=button>Tea</span></h2>", "Tea"),
        ("2F cell", "<table><tr><td id=x>Green <b>tea</b></table>", "Green tea"),
        ("2F summary", "<details><summary id=x>Tea</summary>no</details>", "Tea"),
        ("2F no name from content", "<div id=x role=navigation>no</div>", ""),
        ("2G text", "<a id=x href=/> Green\n tea </a>", "Green tea"),
        ("2H inside", "<a id=x href=/><b><i aria-label=Green>no</i></b> tea</a>", "Green tea"),
        ("2I tooltip", "<a id=x href=/ title=Tea><i></i></a>", "Tea"),
    ] {
        assert_eq!(name(html), expected, "{step}: {html}");
    }
}

/// Every field refers to a large part of the page: the work per name must be bounded.
#[test]
fn computing_names_is_bounded() {
    let html = format!(
        "<div id=a>{}</div>{}",
        "<i>".repeat(300) + &"<b></b>".repeat(20_000),
        "<input aria-labelledby='a a a'>".repeat(200)
    );
    let tree = PageTree::parse(&html, &AuditLimits::default()).unwrap();
    let names = AccessibleNames::of(&tree);
    assert!(tree.named("input").all(|input| names.name(input).is_empty()));
    let long = format!("<a id=x href=/>{}</a>", "ü".repeat(50_000));
    assert!(name(&long).len() <= 2_000);
}

proptest::proptest! {
    #[test]
    fn names_of_any_page_are_computed_without_a_panic(pieces in proptest::collection::vec("(<a id=a href=/>|<label for=b>|<input id=b aria-labelledby='a b'>|</a>|<svg><title>|</svg>|<div title=t>|<div hidden>|</div>|<img alt=x>|<select><option>|<button id=c aria-labelledby=c>|</button>|x y)", 0..40)) {
        let tree = PageTree::parse(&pieces.concat(), &AuditLimits::default()).unwrap();
        let names = AccessibleNames::of(&tree);
        for element in &tree.elements {
            let name = names.name(element);
            proptest::prop_assert_eq!(name.trim(), name.as_str());
        }
    }
}
