//! Edge cases in which a standard or the behaviour of browsers decides the result.

use super::*;
use crate::audit::checks::samples;
use crate::domain::report::check::CheckOutcome::{self, Failed, NotApplicable, Note, Passed};

/// Check id, sample page, expected outcome.
pub(super) type Edge<'a> = (&'a str, &'a str, CheckOutcome);

pub(super) fn run(id: &str, page: &AuditedPage) -> CheckResult {
    let (_, entry) = table().find(|(_, entry)| entry.id == id).unwrap();
    run_check(entry, page)
}

pub(super) fn found(id: &str, sample: &str) -> CheckResult {
    run(id, &samples::page(sample))
}

pub(super) fn hold(edges: &[Edge<'_>]) {
    let wrong: Vec<String> = edges
        .iter()
        .map(|(id, sample, expected)| (id, sample, expected, found(id, sample)))
        .filter(|(.., expected, found)| found.outcome != **expected)
        .map(|(id, sample, expected, found)| format!("{id}: {sample}\n  not {expected:?} but {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn robots_txt_is_judged_by_the_standard() {
    hold(&[
        ("robots", "robots 200 text/plain User-agent: *\rDisallow: /tea", Failed),
        ("robots", "robots 200 text/plain User-agent: *\rDisallow: /coffee", Passed),
        ("robots_txt_valid", r#"robots 200 application/json {"error": "not found", "status": 404}"#, Failed),
        ("robots_txt_valid", "robots 200 text/plain User-agent: *\rDisallow: /x\rCrawl-delay: 5", Passed),
    ]);
}

#[test]
fn viewports_are_judged_by_the_standard() {
    let (fits, fixed) =
        ("<meta name=viewport content='width=device-width'>", "<meta name=viewport content='width=1024'>");
    let no_zoom = "<meta name=viewport content='user-scalable=no'>";
    hold(&[
        ("meta_viewport", &format!("{fixed}{fits}"), Passed),
        ("meta_viewport", &format!("{fits}{fixed}"), Failed),
        ("meta_viewport", "<meta name=viewport content='initial-scale=1'>", Passed),
        ("meta_viewport", "<meta name=viewport content='width=device-width; user-scalable=1'>", Failed),
        ("meta_viewport", "<meta name=viewport content='width=device-width; initial-scale=1'>", Passed),
        ("zoom_allowed", &format!("{no_zoom}{fits}"), Passed),
        ("zoom_allowed", &format!("{fits}{no_zoom}"), Failed),
        ("zoom_allowed", "<meta name=viewport content='maximum-scale=yes'>", Failed),
        ("zoom_allowed", "<meta name=viewport content='maximum-scale=-1'>", Passed),
        ("zoom_allowed", "<meta name=viewport content='user-scalable=0.5'>", Failed),
        ("zoom_allowed", "<meta name=viewport content='maximum-scale=device-width'>", Passed),
    ]);
}

#[test]
fn types_of_pages_are_judged_by_the_standard() {
    let two = |first: &str, last: &str| format!("header Content-Type: {first}\nheader Content-Type: {last}\n\n<p>Tea");
    let xml = "header Content-Type: application/xhtml+xml\n\n<html xmlns='http://www.w3.org/1999/xhtml'";
    hold(&[
        ("title", &two("text/html", "text/plain"), NotApplicable),
        ("title", &two("text/plain", "text/html"), Failed),
        ("charset", &two("text/html; charset=utf-8", "text/html"), Passed),
        ("charset", &two("text/html; charset=utf-8", "text/html; charset=nonsense"), Failed),
        ("language", &format!("{xml} xml:lang='de'><p/></html>"), Passed),
        ("language", &format!("{xml} xml:lang='x_y' lang='de'><p/></html>"), Failed),
        ("language", "<html xml:lang=de><p>", Failed),
        ("title", &format!("{xml}><head><script src='a.js'/><title>Tea</title></head></html>"), Passed),
        ("title", "<head><script src=a.js /><title>Tea</title></head>", Failed),
        ("charset", &format!("{xml}><p/></html>"), Passed),
        ("doctype", &format!("{xml}><p/></html>"), NotApplicable),
    ]);
}

#[test]
fn titles_headings_and_images_are_judged_by_the_standard() {
    hold(&[
        ("title", "<body><p>x</p><title>Tea</title>", Failed),
        ("headings", "<h1 hidden>Tea</h1>", Failed),
        ("headings", "<h1 style='display:none'>Tea</h1>", Failed),
        ("headings", "<h1 hidden>Tea</h1><h1>Green tea</h1>", Passed),
        ("heading_order", "<h1>Tea</h1><h2 hidden>x</h2><h3>Green</h3>", Failed),
        ("heading_order", "<h1>Tea</h1><div role=heading>Green</div><h3>Kyoto</h3>", Passed),
        ("heading_order", "<h1>Tea</h1><div role=heading aria-level=3>Green</div>", Failed),
        ("heading_order", "<h1>Tea</h1><h3 role=presentation>Green</h3><h2>Kyoto</h2>", Passed),
        ("heading_order", "<h1>Tea</h1><h3 role=none></h3>", Passed),
        ("image_keywords", "<map name=m><area href=/a></map>", Failed),
        ("image_keywords", "<map name=m><area href=/a alt=''></map>", Failed),
        ("image_keywords", "<map name=m><area href=/a alt=Tea><area></map>", Passed),
        ("image_keywords", "<input type=image src=a.png>", Failed),
        ("image_keywords", "<input type=IMAGE src=a.png alt=Go>", Passed),
        ("image_format", "<img src=/photo>", NotApplicable),
        ("image_format", "<img src=/photo.php?x=.png>", NotApplicable),
        ("image_format", "<img srcset='a.png 2x'>", Failed),
        ("image_format", "<picture><source srcset=/a type=image/avif><img src=a.png></picture>", Passed),
        ("image_format", "<picture><source srcset=/a type=image/avif></picture><img src=a.png>", Failed),
    ]);
    assert_eq!(
        found("title", "<body><p>x</p><title>Tea</title>").errors,
        ["the title is in the body, which begins with <p>"]
    );
}

#[test]
fn policies_are_judged_by_the_standard() {
    let csp = |policy: &str| format!("header Content-Security-Policy: {policy}");
    let two = |first: &str, last: &str| format!("{}\n{}", csp(first), csp(last));
    hold(&[
        ("csp", &csp("default-src *"), Failed),
        ("csp", &csp("script-src https:; object-src 'none'"), Failed),
        (
            "csp",
            &csp("script-src 'nonce-x' 'strict-dynamic' https: 'unsafe-inline'; object-src 'none'; base-uri 'none'"),
            Passed,
        ),
        ("csp", &csp("script-src 'nonce-x' 'strict-dynamic'; object-src 'none'"), Note),
        ("csp", &csp("script-src 'self' http://cdn.example; object-src 'none'"), Failed),
        ("csp", &csp("script-src *.com; object-src 'none'"), Failed),
        ("csp", &two("script-src 'self' http://cdn.example", "script-src 'self'; object-src 'none'"), Passed),
        ("csp", &two("script-src 'unsafe-inline' 'self'", "script-src 'self'; object-src 'none'"), Passed),
        ("csp", &two("script-src 'self'", "object-src 'none'"), Passed),
        ("csp", &csp("script-src 'self'; script-src 'unsafe-inline'; object-src 'none'"), Passed),
        ("csp", "header Content-Security-Policy-Report-Only: default-src 'self'", Failed),
        ("csp", "<body><p><meta http-equiv=content-security-policy content=\"default-src 'self'\">", Failed),
        ("clickjacking", &format!("{}\n\n<p>", csp("frame-ancestors *")), Failed),
        ("clickjacking", &format!("{}\n\n<p>", csp("frame-ancestors https:")), Failed),
        ("clickjacking", &format!("{}\n\n<p>", csp("frame-ancestors 'self'")), Passed),
        ("clickjacking", &format!("{}\n\n<p>", two("frame-ancestors *", "frame-ancestors 'none'")), Passed),
        ("clickjacking", &format!("{}\nheader X-Frame-Options: DENY\n\n<p>", csp("frame-ancestors *")), Failed),
        ("clickjacking", "header X-Frame-Options: SAMEORIGIN\nheader X-Frame-Options: SAMEORIGIN\n\n<p>", Passed),
        ("clickjacking", "header X-Frame-Options: SAMEORIGIN, DENY\n\n<p>", Passed),
        ("clickjacking", "header X-Frame-Options: nonsense, other\n\n<p>", Failed),
    ]);
}

#[test]
fn disclosing_headers_and_cookies_are_judged_by_the_standard() {
    let cookie = |text: &str| format!("header Set-Cookie: {text}");
    hold(&[
        ("server_signature", "header Server: h2o", Passed),
        ("server_signature", "header Server: AmazonS3", Passed),
        ("server_signature", "header Server: mw1320.eqiad.wmnet", Passed),
        ("server_signature", "header Server: ECS (nyb/1D2E)", Passed),
        ("server_signature", "header Server: h2o/2.2.6", Failed),
        ("server_signature", "header Server: nginx 1.25", Failed),
        ("server_signature", "header Server: Apache/2", Failed),
        ("server_signature", "header Server: Apache (Ubuntu) PHP/v8", Failed),
        ("server_signature", "header Server: tea-1.2.3", Failed),
        ("cookie_flags", &cookie("consideration=1; Secure"), Passed),
        ("cookie_flags", &cookie("PHPSESSID=1; Secure"), Failed),
        ("cookie_flags", &cookie("__Host-a=1; Secure; Path=/; Domain=shop.example"), Failed),
        ("cookie_flags", &cookie("__Host-a=1; Secure"), Failed),
        ("cookie_flags", &cookie("__Host-a=1; Secure; Path=/"), Passed),
        ("cookie_flags", &cookie("__Secure-a=1; HttpOnly"), Failed),
        ("cookie_flags", &cookie("a=1; Secure; SameSite = Lax"), Passed),
    ]);
}

#[test]
fn blocked_pages_are_judged_by_the_standard() {
    let sheets = |attributes: &str| format!("<link rel=stylesheet href=a.css {attributes}>").repeat(4);
    hold(&[
        ("render_blocking", "<script src=a.js nomodule></script><title>Tea</title>", Passed),
        ("render_blocking", "<script src=a.js type=application/json></script><title>Tea</title>", Passed),
        ("render_blocking", "<script src=a.js type='text/javascript;version=1'></script><title>Tea</title>", Failed),
        ("render_blocking", "<head><template><script src=a.js></script></template></head>", Passed),
        ("render_blocking", &sheets("disabled"), Passed),
        ("render_blocking", &sheets(""), Failed),
        ("render_blocking", &"<link rel='alternate stylesheet' title=x href=a.css>".repeat(4), Passed),
        ("render_blocking", &sheets("media=print"), Passed),
        ("defer_javascript", "<body><script src=a.js nomodule></script>", Passed),
        ("meta_refresh", "<meta http-equiv=refresh content=72001>", Passed),
        ("meta_refresh", "<meta http-equiv=refresh content=72000>", Failed),
        ("meta_refresh", "<meta http-equiv=refresh content='5.9; url=/x'>", Failed),
        ("meta_refresh", "<meta http-equiv=refresh content='0.9; url=/x'>", Note),
        ("meta_refresh", "<meta http-equiv=refresh content='tea'><meta http-equiv=refresh content='5'>", Failed),
        ("meta_refresh", "<meta http-equiv=refresh content='5x; url=/x'>", Passed),
    ]);
}

#[test]
fn structured_data_and_addresses_are_judged_by_the_standard() {
    let json = |data: &str| format!("<script type=application/ld+json>{data}</script>");
    hold(&[
        ("structured_data_valid", &json(r#"{"@context":"https://schema.org","name":"Tea"}"#), Passed),
        ("structured_data_valid", &json(r#"{"@context":"https://schema.org","@graph":[{"name":"Tea"}]}"#), Passed),
        ("structured_data_valid", &json("[]"), Failed),
        ("structured_data_valid", &json("[5]"), Failed),
        ("structured_data_valid", &json(r#"{"@type":"Product"}"#), Failed),
        ("structured_data", &json("[]"), Failed),
        ("structured_data", "<script type='application/ld+json; charset=utf-8'>{\"@context\":\"x\"}</script>", Passed),
        ("structured_data_valid", "<script type='application/ld+json; charset=utf-8'>{</script>", Failed),
        ("structured_data", "<p vocab=https://schema.org/ typeof=Product>Tea", Passed),
        ("structured_data", "<p property=name>Tea", Failed),
        ("plaintext_email", "<p>See icon@2x.png and logo@3x.SVG.", Passed),
        ("plaintext_email", "<p>Write to icon@2x.example.", Failed),
    ]);
}

#[test]
fn names_of_elements_are_judged_by_the_standard() {
    hold(&[
        ("names_labels", "<button><svg><title>Go</title></svg></button>", Passed),
        ("names_labels", "<button><svg></svg></button>", Failed),
        ("names_labels", "<label for=x></label><input id=x>", Failed),
        ("names_labels", "<label for=x hidden>Tea</label><input id=x>", Failed),
        ("names_labels", "<label><input></label>", Failed),
        ("names_labels", "<label>Tea <input></label>", Passed),
        ("names_labels", "<input aria-labelledby=x><p id=x></p>", Failed),
        ("names_labels", "<input aria-labelledby=x><p id=x hidden>Tea</p>", Passed),
        ("names_labels", "<input type=submit>", Passed),
        ("names_labels", "<input placeholder=Tea>", Passed),
        ("names_labels", "<iframe src=/a>see our teas</iframe>", Failed),
        ("names_labels", "<iframe src=/a title=Teas></iframe><iframe src=/b role=presentation></iframe>", Passed),
        ("names_labels", "<a href=/><iframe>Tea</iframe></a><iframe title=x></iframe>", Failed),
        ("names_labels", "<a href=/><span hidden>Tea</span></a>", Failed),
        ("names_labels", "<div aria-hidden=true><button></button></div>", Passed),
        ("link_text", "<a href=/a><svg><title>more</title></svg></a>", Failed),
        ("link_text", "<a href=/a aria-labelledby=x>more</a><b id=x>Green tea</b>", Passed),
    ]);
}

#[test]
fn sitemaps_are_judged_by_the_standard() {
    let sitemap = |inner: &str| format!("sitemap 200 text/xml <urlset><url>{inner}</url></urlset>");
    hold(&[
        ("sitemap_valid", &sitemap("<loc><![CDATA[https://shop.example/tea]]></loc>"), Passed),
        ("sitemap_valid", &sitemap("<!-- <loc>/old</loc> --><loc>https://shop.example/tea</loc>"), Passed),
        ("sitemap_valid", &sitemap("<loc >/tea</loc >"), Failed),
        ("sitemap_valid", &sitemap("<loc>https://shop.example/tea"), Failed),
        (
            "sitemap_valid",
            "sitemap 200 text/xml <s:urlset xmlns:s='x'><s:url><s:loc>/tea</s:loc></s:url></s:urlset>",
            Failed,
        ),
        (
            "sitemap_valid",
            "sitemap 200 text/xml <s:urlset xmlns:s='x'><s:url><s:loc>https://a.example/</s:loc></s:url></s:urlset>",
            Passed,
        ),
        ("sitemap", "robots 404\nsitemap 200 text/xml <?xml version='1.0'?><html>none</html>", Failed),
        ("sitemap", "robots 404\nsitemap 200 text/xml <s:urlset xmlns:s='x'/>", Passed),
    ]);
}

#[test]
fn responses_without_a_page_are_judged_by_the_standard() {
    hold(&[
        ("http_status", "status 204", Failed),
        ("http_status", "status 200", Failed),
        ("http_status", "header Content-Type: application/octet-stream", Failed),
        ("http_status", "header Content-Type: nonsense\n\nwords", Failed),
        ("http_status", "header Content-Type: nonsense\n\n<p>Tea", Passed),
        ("http_status", "header Content-Type: text/plain\n\nwords", Passed),
    ]);
}

#[test]
fn targets_of_links_are_judged_by_the_standard() {
    let page = "<link rel=canonical href=https://shop.example/canonical><title>Tea</title>";
    let back = "<link rel=alternate hreflang=en href=https://shop.example/tea>";
    hold(&[
        ("canonical_target", &format!("canonical 200 text/html <meta name=robots content=noindex>\n\n{page}"), Failed),
        (
            "canonical_target",
            &format!("canonical 200 text/html <link rel=canonical href=https://a.example/>\n\n{page}"),
            Failed,
        ),
        ("canonical_target", &format!("canonical 200 text/html {page}\n\n{page}"), Passed),
        (
            "canonical_target",
            &format!("robots 200 text/plain User-agent: *\\nDisallow: /can\ncanonical 200 text/html {page}\n\n{page}"),
            Failed,
        ),
        ("canonical_target", page, NotApplicable),
        ("hreflang_targets", &format!("alternate 200 text/html {back}\nalternate 500\n\n{page}"), Failed),
        ("hreflang_targets", &format!("alternate 200 text/html {back}\n\n{page}"), Passed),
        (
            "hreflang_targets",
            &format!(
                "alternate 200 text/html <link rel=alternate hreflang=en href=https://shop.example/canonical>\n\n{page}"
            ),
            Passed,
        ),
        ("duplicate_addresses", &format!("slash 200 text/html {page}\n\n{page}"), Passed),
        ("duplicate_addresses", "slash 200 text/html <title>Tea</title>\n\n<title>Tea</title>", Failed),
        ("duplicate_addresses", "slash 200 text/html <title>Coffee</title>\n\n<title>Tea</title>", Passed),
        ("robots", "robots 200 text/plain User-agent: bingbot\\nDisallow: /", Failed),
        ("robots", "robots 200 text/plain User-agent: GPTBot\\nDisallow: /", Passed),
        ("ai_robots", "robots 200 text/plain User-agent: *\\nDisallow: /", NotApplicable),
        ("ai_robots", "<meta name=gptbot content=noindex><p>Tea", Note),
        ("ai_robots", "header X-Robots-Tag: CCBot: noindex", Note),
        ("ai_robots", "<meta name=googlebot content=noindex><p>Tea", NotApplicable),
        ("robot_directives", "robots 200 text/plain User-agent: *\\nDissallow: /x", Failed),
        ("robot_directives", "header X-Robots-Tag: googlebot: no-index", Failed),
        ("robot_directives", "header X-Robots-Tag: unavailable_after: 25 Jun 2999 15:00:00 GMT", Passed),
        ("robot_directives", "<p>Tea", NotApplicable),
    ]);
}

#[test]
fn roles_lists_and_tables_are_judged_by_the_standard() {
    hold(&[
        ("aria_valid", "<p role='buton button'>Tea", Passed),
        ("aria_valid", "<p role=doc-chapter>Tea", Passed),
        ("aria_valid", "<p role=''>Tea", NotApplicable),
        ("aria_valid", "<p role=widget>Tea", Failed),
        ("aria_valid", "<p role=checkbox>Tea", Failed),
        ("aria_valid", "<input type=checkbox role=checkbox aria-label=Tea>", Passed),
        ("aria_valid", "<p aria-labelledby='a b' role=group><b id=a>Tea", Failed),
        ("aria_valid", "<p aria-controls=menu role=group>Tea", Passed),
        ("aria_valid", "<p aria-level=two role=heading>Tea", Failed),
        ("aria_valid", "<p hidden role=tea>Tea", NotApplicable),
        (
            "aria_hidden_focus",
            "<div aria-hidden=true><button disabled>x</button><a>y</a><div hidden><a href=/>z</a></div></div>",
            Passed,
        ),
        ("aria_hidden_focus", "<button aria-hidden=true>x</button>", Failed),
        ("aria_hidden_focus", "<div aria-hidden=true><p tabindex=0>x</div>", Failed),
        ("aria_hidden_focus", "<div aria-hidden=true inert><a href=/>x</a></div>", Passed),
        ("aria_hidden_focus", "<fieldset disabled aria-hidden=true><input><p><button tabindex=0>", Passed),
        ("aria_hidden_focus", "<fieldset disabled aria-hidden=true><legend><input></legend>", Failed),
        ("names_labels", "<div role=button tabindex=0></div>", Failed),
        ("names_labels", "<div role=button tabindex=0><svg><title>Go</title></svg></div>", Passed),
        ("names_labels", "<object data=a.pdf></object>", Failed),
        ("names_labels", "<svg><a href=/x><path/></a></svg>", Failed),
        ("image_keywords", "<img src=a.png aria-label=Tea>", Passed),
        ("image_keywords", "<img src=a.png aria-labelledby=x><b id=x>Tea</b>", Passed),
        ("image_keywords", "<img src=a.png title=Tea>", Passed),
        ("image_keywords", "<div hidden><img src=a.png></div>", Passed),
        ("list_parts", "<ul role=tablist><div role=tab>Tea</div></ul>", NotApplicable),
        ("list_parts", "<ol><li>Tea<script></script></ol>", Passed),
        ("list_parts", "<dl><p>Tea</dl>", Failed),
        ("list_parts", "<div><dd>Tea</div>", Failed),
        ("list_parts", "<dl><dt>Tea</dl>", Failed),
        ("list_parts", "<dl><div><dt>Tea<dd>A drink</div></dl>", Passed),
        ("table_parts", "<table><tr><td>layout<td>only</table>", Passed),
        ("table_parts", "<table></table><table><caption>x</caption><tr><td>a<td headers=x>b</table>", Failed),
        ("table_parts", "<table role=presentation><caption>x</caption><tr><td>a<td>b</table>", NotApplicable),
        ("table_parts", "<table><tr><th scope=sideways>a<td>b</table>", Failed),
        ("media_parts", "<video src=a.mp4 muted autoplay></video>", Passed),
        ("skip_link", "<a href='#x'>Zum Inhalt springen</a><p id=y>Tea", Failed),
        ("skip_link", &"<a href=/a>Tea</a>".repeat(10), Failed),
        ("autocomplete", "<input autocomplete='section-a billing street-address'>", Passed),
        ("autocomplete", "<input autocomplete=off>", Passed),
        ("javascript_only_shell", "<app-root></app-root><script type=module src=a.js></script>", Failed),
        ("headings", "<div id=root></div><script src=a.js></script>", NotApplicable),
        ("content_length", "<div id=root></div><script src=a.js></script>", NotApplicable),
        ("headings", "<div id=main></div><p>Tea<script src=a.js></script>", Failed),
        ("visible_content", "<div id=root></div><script src=a.js></script>", NotApplicable),
        ("visible_content", "<meta http-equiv=refresh content='0; url=/tea'>", NotApplicable),
        ("visible_content", "<iframe src=/map /></body></html>", Passed),
        ("visible_content", "<img src=a.png>", Passed),
        ("visible_content", "<p>Tea<script>go('<p>Tea</p>')</script>", Passed),
        ("text_language", "<html lang=is><p>The tea", NotApplicable),
    ]);
    let json = |data: &str| format!("<script type=application/ld+json>{data}</script>");
    hold(&[
        ("rich_results", &json(r#"{"@context":"x","name":"Tea"}"#), NotApplicable),
        ("rich_results", &json(r#"{"@context":"x","@type":"Product","name":"Tea"}"#), Failed),
        (
            "rich_results",
            &json(r#"{"@context":"x","@graph":[{"@type":"Product","name":"Tea","offers":{"price":5}}]}"#),
            Passed,
        ),
        (
            "rich_results",
            &json(r#"{"@context":"x","@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","name":"Tea"}]}"#),
            Failed,
        ),
        (
            "rich_results",
            &json(r#"{"@context":"x","@type":"Thing","about":{"@type":"Organization","@id":"x"}}"#),
            NotApplicable,
        ),
    ]);
}

#[test]
fn whatever_can_have_the_focus_is_found_in_hidden_parts() {
    for (inner, expected) in [
        ("<p contenteditable>x", Failed),
        ("<p contenteditable=TRUE>x", Failed),
        ("<p contenteditable=plaintext-only>x", Failed),
        ("<p contenteditable=false>x", Passed),
        ("<input>", Failed),
        ("<input type=hidden>", Passed),
        ("<video controls src=/v></video>", Failed),
        ("<video src=/v></video>", Passed),
        ("<details><summary>x</summary></details>", Failed),
        ("<dialog open><button>x</button></dialog>", Failed),
        ("<dialog><button>x</button></dialog>", Passed),
    ] {
        hold(&[("aria_hidden_focus", &format!("<div aria-hidden=true>{inner}</div>"), expected)]);
    }
}
