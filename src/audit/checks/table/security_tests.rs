//! Edge cases of the security checks in which a standard or the behaviour of browsers decides the result.

use super::standards_tests::{found, hold};
use crate::domain::report::check::CheckOutcome::{Failed, NotApplicable, Note, Passed};

#[test]
fn the_first_value_of_x_content_type_options_decides() {
    let header = |value: &str| format!("header X-Content-Type-Options: {value}");
    let two = |first: &str, last: &str| format!("{}\n{}", header(first), header(last));
    hold(&[
        ("nosniff", &header("nosniff, nosniff"), Passed),
        ("nosniff", &header("NOSNIFF,x"), Passed),
        ("nosniff", &header("x, nosniff"), Failed),
        ("nosniff", &header(", nosniff"), Failed),
        ("nosniff", &header("\"nosniff\""), Failed),
        ("nosniff", &two("nosniff", "x"), Passed),
        ("nosniff", &two("x", "nosniff"), Failed),
    ]);
}

#[test]
fn max_age_may_have_spaces_and_quotes() {
    let header = |value: &str| format!("header Strict-Transport-Security: {value}");
    hold(&[
        ("hsts", &header("max-age = 31536000"), Passed),
        ("hsts", &header("includeSubDomains; Max-Age =\"31536000\""), Passed),
        ("hsts", &header("max-age = 15552000"), Note),
        ("hsts", &header("max-age"), Failed),
        ("hsts", &header("x-max-age=31536000"), Failed),
        ("hsts", &header("max-age=31536000s"), Failed),
        ("hsts_preload", &header("max-age = 31536000; includeSubDomains; preload"), Passed),
        ("hsts_preload", &header("max-age = 300; includeSubDomains; preload"), Note),
    ]);
    assert_eq!(found("hsts", &header("preload")).errors, ["the header has no max-age"]);
}

#[test]
fn resources_and_form_targets_are_resolved_before_their_scheme_is_judged() {
    let with_base = |html: &str| format!("<base href=http://cdn.example/x/>{html}");
    hold(&[
        ("mixed_content", &with_base("<img src=a.png>"), Failed),
        ("mixed_content", &with_base("<script src=//cdn.example/a.js></script>"), Failed),
        ("mixed_content", &with_base("<img srcset='a.png 1x, https://cdn.example/b.png 2x'>"), Failed),
        ("mixed_content", &with_base("<link rel=stylesheet href=a.css>"), Failed),
        ("mixed_content", &with_base("<link rel=modulepreload href=a.js>"), Failed),
        ("mixed_content", &with_base("<link rel=alternate href=feed>"), Passed),
        ("mixed_content", &with_base("<p style='background:url(a.png)'>"), Failed),
        ("mixed_content", &with_base("<form action=/buy></form>"), Failed),
        ("mixed_content", &with_base("<a href=/tea>Tea</a><img src=https://cdn.example/a.png>"), Passed),
        (
            "mixed_content",
            &with_base("<img src=data:image/png;base64,xx srcset='data:image/png;base64,xx 2x'>"),
            Passed,
        ),
        // An empty action is the page itself, whatever the base, and an empty src loads nothing.
        ("mixed_content", &with_base("<form action=''></form><img src=' '><svg style='fill:url(#a)'></svg>"), Passed),
        ("mixed_content", "<form><button formaction=http://shop.example/buy>Buy</button></form>", Failed),
        ("mixed_content", "<form><input type=submit formaction=HTTP://shop.example/buy></form>", Failed),
        ("mixed_content", "<form action=/buy><button formaction=/later>Later</button></form>", Passed),
        ("mixed_content", "<script src=//cdn.example/a.js></script><img src='http:a.png'>", Failed),
        ("mixed_content", "<script src=//cdn.example/a.js></script>", Passed),
        ("mixed_content", "url http://shop.example/tea\n\n<img src=http://cdn.example/a.png>", NotApplicable),
    ]);
    assert_eq!(found("mixed_content", &with_base("<img src=a.png>")).errors, ["img: http://cdn.example/x/a.png"]);
}

#[test]
fn an_xml_declaration_in_html_fails_and_the_message_says_that_browsers_use_it() {
    let sample = "header Content-Type: text/html\n\n<?xml version='1.0' encoding='koi8-r'?><p>Tea";
    hold(&[("charset", sample, Failed)]);
    let error = "only an XML declaration names KOI8-R; browsers use it, but the HTML standard does not allow it";
    assert_eq!(found("charset", sample).errors, [error]);
}

#[test]
fn all_invalid_lines_of_robots_txt_are_counted() {
    let result = found("robots_txt_valid", &format!("robots 200 text/plain {}", "x\\n".repeat(5_000)));
    assert_eq!(result.errors.len(), 21);
    assert_eq!(result.errors[20], "and 4980 more");
}

#[test]
fn misspelt_fields_of_robots_txt_are_found_in_every_successful_response() {
    hold(&[
        ("robot_directives", "robots 203 text/plain Useragent: *", Failed),
        ("robot_directives", "robots 404 text/plain Useragent: *", NotApplicable),
    ]);
}

#[test]
fn earlier_words_of_a_referrer_meta_are_policies() {
    let meta = |content: &str| format!("header Referrer-Policy: origin\n\n<meta name=referrer content='{content}'>");
    hold(&[
        ("referrer_policy", "<meta name=referrer content=Always>", Failed),
        ("referrer_policy", "<meta name=referrer content=nonsense>", Note),
        ("referrer_policy", &meta("never"), Passed),
        ("referrer_policy", &meta("default"), Passed),
        ("referrer_policy", &meta("origin-when-crossorigin"), Passed),
        ("referrer_policy", &meta("no-referrer, same-origin"), Failed),
        ("referrer_policy", "header Referrer-Policy: No-Referrer, unsafe-url", Failed),
        ("referrer_policy", "header Referrer-Policy: unsafe-url, No-Referrer, nonsense", Passed),
    ]);
}

#[test]
fn what_the_policy_upgrades_is_not_mixed_content() {
    let image = "<img src=http://cdn.example/a.png>";
    let meta = "<meta http-equiv=Content-Security-Policy content=upgrade-insecure-requests>";
    let header = |name: &str| format!("header {name}: upgrade-insecure-requests\n\n");
    hold(&[
        ("mixed_content", &format!("{}{image}", header("Content-Security-Policy")), Note),
        ("mixed_content", &format!("<head>{meta}</head>{image}"), Note),
        ("mixed_content", &format!("<body><p>{meta}{image}"), Failed),
        ("mixed_content", &format!("{}{image}", header("Content-Security-Policy-Report-Only")), Failed),
        ("mixed_content", &format!("{}<img src=/a.png>", header("Content-Security-Policy")), Passed),
    ]);
}

#[test]
fn a_style_loads_what_it_imports_and_no_namespace() {
    let style = |css: &str| format!("<style>{css}</style>");
    hold(&[
        ("mixed_content", &style("@import 'http://cdn.example/a.css';"), Failed),
        ("mixed_content", &style("@import \"http://cdn.example/a.css\" screen;"), Failed),
        ("mixed_content", &style("@import url(http://cdn.example/a.css);"), Failed),
        ("mixed_content", &style("@import '/a.css'; p { color: red }"), Passed),
        ("mixed_content", &style("@namespace svg url(http://www.w3.org/2000/svg); svg|a { fill: red }"), Passed),
        (
            "mixed_content",
            &style("@namespace url(http://www.w3.org/1999/xhtml);p{background:url(http://a.example/)}"),
            Failed,
        ),
    ]);
}

#[test]
fn browsers_ignore_strict_transport_security_of_an_ip_address() {
    let header = "header Strict-Transport-Security: max-age=300";
    hold(&[
        ("hsts", "url https://192.0.2.7/tea", NotApplicable),
        ("hsts", &format!("url https://[2001:db8::1]:8443/\n{header}"), NotApplicable),
        ("hsts_preload", &format!("url https://192.0.2.7/\n{header}"), NotApplicable),
        ("hsts", "url https://192.0.2.7.example/tea", Failed),
    ]);
}

#[test]
fn scripts_may_read_tokens_against_forged_requests() {
    let cookie = |text: &str| format!("header Set-Cookie: {text}");
    hold(&[
        ("cookie_flags", &cookie("XSRF-TOKEN=1; Secure; SameSite=Lax"), Passed),
        ("cookie_flags", &cookie("csrftoken=1; Secure"), Passed),
        ("cookie_flags", &cookie("_csrf_token=1"), Failed),
        ("cookie_flags", &cookie("token=1; Secure"), Failed),
    ]);
}

#[test]
fn a_cookie_that_is_deleted_needs_no_protection() {
    let cookie = |text: &str| format!("header Set-Cookie: {text}");
    hold(&[
        ("cookie_flags", &cookie("sid=; Max-Age=0; Path=/"), NotApplicable),
        ("cookie_flags", &cookie("sid=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT"), NotApplicable),
        ("cookie_flags", &cookie("sid=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"), Failed),
        ("cookie_flags", &cookie("sid=; expires=Tue, 12-Oct-1999 04:00:00 GMT; path=/"), NotApplicable),
        ("cookie_flags", &cookie("sid=; Expires=Sun, 02 Nov 2025 10:00:00 GMT"), NotApplicable),
        ("cookie_flags", &cookie("sid=1; expires=Thu, 26-Nov-99 10:30:00 GMT"), Failed),
        ("cookie_flags", &cookie("sid=1; Max-Age=soon"), Failed),
        ("cookie_flags", &cookie("sid=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT"), Failed),
        ("cookie_flags", &format!("{}\n{}", cookie("sid=; Max-Age=-1"), cookie("a=1; Secure")), Passed),
    ]);
}

#[test]
fn noopener_takes_precedence_over_opener() {
    let link = |rel: &str| format!("<a href=https://other.example/ target=_blank rel='{rel}'>Other</a>");
    hold(&[
        ("unsafe_cross_origin_links", &link("opener noreferrer"), Passed),
        ("unsafe_cross_origin_links", &link("noopener OPENER"), Passed),
        ("unsafe_cross_origin_links", &link("OPENER nofollow"), Failed),
    ]);
}

#[test]
fn a_comment_of_a_style_loads_nothing() {
    let style = |css: &str| format!("<style>{css}</style>");
    hold(&[
        ("mixed_content", &style("/* p { background: url(http://cdn.example/a.png) } */"), Passed),
        ("mixed_content", &style("/* @import 'http://cdn.example/a.css'; */ p { color: red }"), Passed),
        ("mixed_content", &style("/* a */ p { background: url(http://cdn.example/a.png) } /* b */"), Failed),
        ("mixed_content", &style("/* never closed url(http://cdn.example/a.png)"), Passed),
        ("mixed_content", &style("p { font: 1em/2 serif; background: url(http://cdn.example/a.png) }"), Failed),
        ("mixed_content", "<p style='/* old: url(http://cdn.example/a.png) */ color: red'>", Passed),
        // These signs begin no comment inside of quotes or of an address.
        ("mixed_content", &style("a::after { content: '/*' } p { background: url(http://cdn.example/a.png) }"), Failed),
        (
            "mixed_content",
            &style("p { background: url(/a/*b) } q { background: url(http://cdn.example/a.png) }"),
            Failed,
        ),
    ]);
}

#[test]
fn scripts_that_browsers_do_not_run_need_no_integrity() {
    let script = |kind: &str| format!("<script type='{kind}' src=https://cdn.example/a.js></script>");
    hold(&[
        ("sri", &script("text/plain"), NotApplicable),
        ("sri", &script("application/json"), NotApplicable),
        ("sri", &script("module"), Failed),
        ("sri", &script("text/javascript"), Failed),
        ("sri", &script(""), Failed),
    ]);
}

#[test]
fn names_in_a_style_are_found_in_any_case() {
    let style = |css: &str| format!("<style>{css}</style>");
    hold(&[
        ("mixed_content", &style("p { background: URL(http://cdn.example/a.png) }"), Failed),
        ("mixed_content", &style("@IMPORT 'http://cdn.example/a.css';"), Failed),
        ("mixed_content", &style("@NAMESPACE URL(http://www.w3.org/1999/xhtml); p { color: red }"), Passed),
        (
            "mixed_content",
            &style("p { background: Url(/a/*b) } q { background: url(http://cdn.example/a.png) }"),
            Failed,
        ),
    ]);
    let upper = found("mixed_content", &style("p { background: URL(http://cdn.example/A.png) }"));
    assert_eq!(upper.errors, ["style: http://cdn.example/A.png"]);
}

#[test]
fn parts_of_drawings_are_loaded() {
    let drawing = |inner: &str| format!("<base href=http://cdn.example/><svg>{inner}</svg>");
    hold(&[
        ("mixed_content", &drawing("<image href=http://cdn.example/a.png />"), Failed),
        ("mixed_content", &drawing("<image xlink:href=a.png />"), Failed),
        ("mixed_content", &drawing("<use href=icons.svg#tea />"), Failed),
        ("mixed_content", &drawing("<use href=#tea /><use xlink:href=#tea />"), Passed),
        ("mixed_content", &drawing("<a href=/tea><path/></a>"), Passed),
        ("mixed_content", &drawing("<image href=https://cdn.example/a.png />"), Passed),
    ]);
}

#[test]
fn scripts_of_the_same_site_and_those_that_change_need_no_integrity() {
    let page = |url: &str, script: &str| format!("url {url}\n\n<script src={script}></script>");
    let shop = |script: &str| page("https://www.shop.example/tea", script);
    hold(&[
        ("sri", &shop("https://static.shop.example/a.js"), NotApplicable),
        ("sri", &shop("https://shop.example/a.js"), NotApplicable),
        ("sri", &page("https://de.shop.example/", "https://shop.example/a.js"), NotApplicable),
        ("sri", &shop("https://www.googletagmanager.com/gtag/js?id=G-1"), NotApplicable),
        ("sri", &shop("https://js.stripe.com/v3/"), NotApplicable),
        ("sri", &shop("https://cdn.ampproject.org/v0.js"), NotApplicable),
        ("sri", &shop("https://stats.wp.com/e-202648.js"), NotApplicable),
        ("sri", &shop("https://web.cmp.usercentrics.eu/ui/loader.js"), NotApplicable),
        ("sri", &shop("https://consent.cookiebot.eu/uc.js"), NotApplicable),
        ("sri", &shop("https://cdn.cookielaw.org/scripttemplates/otSDKStub.js"), NotApplicable),
        ("sri", &shop("https://otherwww.shop.example.cdn.example/a.js"), Failed),
        ("sri", &shop("https://myshop.example/a.js"), Failed),
        ("sri", &shop("https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js"), Failed),
        ("sri", &shop("https://notgoogletagmanager.com/a.js"), Failed),
    ]);
}

#[test]
fn a_digit_in_the_name_of_a_software_is_no_version() {
    let page = |generator: &str| format!("<meta name=generator content='{generator}'>");
    hold(&[
        ("software_versions", &page("TYPO3 CMS"), Passed),
        ("software_versions", &page("Drupal 11 (https://www.drupal.org)"), Note),
        ("software_versions", &page("WPML ver:4.8.2 stt:1,3;"), Note),
        ("software_versions", &page("mkdocs-1.6.1, mkdocs-material-9.6.20"), Note),
        ("software_versions", &page("Astro v5.14.1"), Note),
    ]);
}

#[test]
fn a_rejected_or_misspelt_same_site_is_called_so() {
    let errors = |text: &str| found("cookie_flags", &format!("header Set-Cookie: {text}")).errors;
    assert_eq!(errors("a=1; SameSite=None"), ["browsers reject the cookie a: it needs Secure for SameSite=None"]);
    assert_eq!(errors("a=1; Secure; SameSite=Laxx"), ["browsers do not know SameSite=laxx of the cookie a"]);
    assert_eq!(errors("a=1; Secure; SameSite=None"), [""; 0]);
    assert_eq!(errors("a=1; Partitioned"), ["browsers reject the cookie a: it needs Secure for Partitioned"]);
    assert_eq!(errors("a=1; Partitioned; Secure"), [""; 0]);
}

#[test]
fn every_name_of_the_javascript_type_makes_a_script() {
    for name in ["text/x-javascript", "text/javascript1.5", "text/jscript", "application/x-ecmascript"] {
        let script = format!("<head><script type={name} src=https://cdn.example/a.js></script></head><p>Tea");
        hold(&[("render_blocking", &script, Failed), ("sri", &script, Failed)]);
    }
    hold(&[("render_blocking", "<head><script type=text/javascript1.6 src=a.js></script></head><p>Tea", Passed)]);
}

#[test]
fn robots_stay_away_while_there_are_too_many_requests_for_robots_txt() {
    hold(&[
        ("robots", "robots 429", Note),
        ("robots_txt_valid", "robots 429", Failed),
        ("robots", "robots 403", Passed),
        ("robots_txt_valid", "robots 403", Passed),
    ]);
}

#[test]
fn a_link_without_an_address_is_no_icon() {
    hold(&[
        ("favicon", "favicon 404\n\n<link rel=icon href=''>", Failed),
        ("favicon", "favicon 404\n\n<link rel=icon>", Failed),
        ("favicon", "favicon 200 image/x-icon xx\n\n<link rel=icon href=' '>", Passed),
    ]);
}
