//! Tests every check against its own samples and at the limits of its rule.

use super::*;
use crate::audit::checks::samples::{self, SAMPLES};
use crate::audit::fetch::redirects::RedirectChain;
use crate::audit::fetch::response::HttpResponse;
use crate::domain::report::check::CheckOutcome;
use crate::domain::report::check::Importance;
use std::collections::BTreeSet;

#[test]
fn every_passing_sample_passes_and_every_failing_one_fails() {
    let belongs = |id: &str| table().any(|(_, entry)| entry.id == id);
    assert_eq!(SAMPLES.keys().find(|id| !belongs(id)), None, "samples.toml describes what is no check");
    for (_, entry) in table() {
        let passing = run_check(entry, &samples::page(&samples::of(entry.id).passing));
        assert_eq!(passing.outcome, CheckOutcome::Passed, "{}: {:?}", entry.id, passing);
        assert!(passing.errors.is_empty(), "{}", entry.id);
        let failing = run_check(entry, &samples::page(&samples::of(entry.id).failing));
        let expected = if entry.importance == Importance::Note { CheckOutcome::Note } else { CheckOutcome::Failed };
        assert_eq!(failing.outcome, expected, "{}: {:?}", entry.id, failing);
        assert!(!failing.errors.is_empty(), "{} fails without a word", entry.id);
    }
}

/// People read the value; a label without a value says nothing.
#[test]
fn no_value_of_a_failed_check_is_left_empty() {
    for (_, entry) in table() {
        let failing = run_check(entry, &samples::page(&samples::of(entry.id).failing));
        let empty = failing.value.as_object().into_iter().flatten().find(|(_, value)| value.as_str() == Some(""));
        assert_eq!(empty, None, "{}: {}", entry.id, failing.value);
    }
}

#[test]
fn checks_change_their_result_at_the_documented_limits() {
    for (id, sample, expected) in some_edges().into_iter().chain(other_edges()) {
        let found = standards_tests::found(id, &sample);
        assert_eq!(found.outcome, expected, "{id}: {sample}: {found:?}");
    }
}

/// Check id, page at a limit of the rule, expected outcome.
type Edge = (&'static str, String, CheckOutcome);

fn some_edges() -> Vec<Edge> {
    use CheckOutcome::{Failed, NotApplicable, Note, Passed};
    vec![
        ("title", format!("<title>{}</title>", "日".repeat(60)), Passed),
        ("title", format!("<title>{}</title>", "日".repeat(61)), Failed),
        ("noindex", "<meta name=robots content='unavailable_after: 25-Jun-2010 15:00:00 GMT'>".to_owned(), Failed),
        (
            "noindex",
            "<meta name=robots content='unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, noarchive'>".to_owned(),
            Failed,
        ),
        ("noindex", "<meta name=robots content='unavailable_after: 25 June 2999, noarchive'>".to_owned(), Passed),
        ("image_keywords", "<img src=a.png alt=' '>".to_owned(), Failed),
        ("canonical", "<link rel=canonical href=''>".to_owned(), Note),
        ("meta_description", "<body><p>Tea<meta name=description content=Tea>".to_owned(), Failed),
        ("canonical", "<body><p>Tea<link rel=canonical href=/tea>".to_owned(), Note),
        (
            "canonical",
            "<link rel=canonical href=https://shop.example/a><link rel=canonical href=https://SHOP.example/a>"
                .to_owned(),
            Passed,
        ),
        (
            "canonical",
            "<link rel=canonical href=https://shop.example/a><link rel=canonical href=/a>".to_owned(),
            Failed,
        ),
        (
            "canonical",
            "header Link: </x>; rel=preload, <https://shop.example/a,b>; title=\"rel=canonical\"\n\n<p>".to_owned(),
            Note,
        ),
        ("hreflang", "header Link: </de>; rel=alternate; hreflang=de\n\n<p>".to_owned(), Failed),
        ("hreflang", "<link rel=alternate hreflang=en-UK href=https://shop.example/uk>".to_owned(), Failed),
        ("hreflang", "<body><p>Tea<link rel=alternate hreflang=xx href=/xx>".to_owned(), NotApplicable),
        ("language", "<html lang=english>".to_owned(), Failed),
        ("language", "<html lang=en-GB-oxendict>".to_owned(), Passed),
        ("charset", "header Content-Type: text/html\n\n<!-- <meta charset=utf-8> -->".to_owned(), Failed),
        (
            "charset",
            "header Content-Type: text/html\n\n<meta name=description content='charset=utf-8'>".to_owned(),
            Failed,
        ),
        ("charset", "header Content-Type: text/html\n\n<?xml version='1.0' encoding='latin1'?>".to_owned(), Failed),
        ("meta_viewport", "<meta name=viewport content='width=device-width initial-scale=1'>".to_owned(), Passed),
        ("zoom_allowed", "<meta name=viewport content='width=device-width user-scalable=no'>".to_owned(), Failed),
        ("link_text", "<html lang=en><a href=/a>plus</a>".to_owned(), Passed),
        ("link_text", "<html lang=fr><a href=/a>Plus</a>".to_owned(), Failed),
        ("link_text", "<a href=/a>mo<b>re</b> <i hidden>about tea</i></a>".to_owned(), Failed),
        ("image_keywords", "<template><img src=a.png></template>".to_owned(), NotApplicable),
        ("robots_txt_valid", "robots 200 text/plain Disallow: /x".to_owned(), Failed),
        ("title", "<title>One tea</title><body><title>Two teas</title>".to_owned(), Passed),
        ("headings", "<h1>Tea</h1><h1>More tea</h1>".to_owned(), Note),
        ("headings", "<h1><img src=a.png alt=Tea></h1>".to_owned(), Passed),
        ("content_keywords", "<title>緑茶の店</title><p>京都の緑茶です".to_owned(), Passed),
        ("content_keywords", "<title>The of</title>".to_owned(), NotApplicable),
        ("image_keywords", "<img role=presentation src=a.png>".to_owned(), Passed),
        ("image_keywords", "<p>".to_owned(), NotApplicable),
    ]
}

fn other_edges() -> Vec<Edge> {
    use CheckOutcome::{Failed, NotApplicable, Note, Passed};
    vec![
        ("canonical", "<p>".to_owned(), Note),
        ("canonical", "<link rel=canonical href=/tea>".to_owned(), Failed),
        ("canonical", "header Link: <https://shop.example/x>; rel=\"canonical\"\n\n<link rel=canonical href=https://shop.example/tea>".to_owned(), Failed),
        ("noindex", "header X-Robots-Tag: otherbot: noindex\n\n<p>".to_owned(), Passed),
        ("noindex", "header X-Robots-Tag: googlebot: none\n\n<p>".to_owned(), Failed),
        ("noindex", "<meta name=robots content='unavailable_after: 2020-01-01'>".to_owned(), Failed),
        ("noindex", "header X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 GMT\n\n<p>".to_owned(), Failed),
        ("noindex", "<meta name=ROBOTS content='unavailable_after: 2999-01-01'>".to_owned(), Passed),
        ("robots", "robots 500".to_owned(), Failed),
        ("robots", "robots 404".to_owned(), Passed),
        ("http_status", "trouble".to_owned(), Failed),
        ("title", "trouble".to_owned(), NotApplicable),
        ("title", "header content-type: application/pdf\n\n<title></title>".to_owned(), NotApplicable),
        ("redirect_chain", "step 301 /tea".to_owned(), Passed),
        ("text_compression", "<p>short".to_owned(), NotApplicable),
        ("text_compression", "kilobytes 14\n\n<p>".to_owned(), Note),
        ("https_encryption", "url http://localhost:3000/\n\n<p>".to_owned(), NotApplicable),
        ("https_encryption", "url http://192.168.1.7/\n\n<p>".to_owned(), Failed),
        ("tls_valid", "days 5".to_owned(), Note),
        ("hsts", "header Strict-Transport-Security: max-age=15552000".to_owned(), Note),
        ("hsts", "url http://shop.example/".to_owned(), NotApplicable),
        ("https_redirect", "http-step 301 https://www.shop.example/tea".to_owned(), Failed),
        ("csp", "header Content-Security-Policy: default-src 'self'; script-src 'nonce-x' 'unsafe-inline'; base-uri 'self'".to_owned(), Passed),
        ("csp", "<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-eval'\">".to_owned(), Failed),
        ("cookie_flags", "status 200".to_owned(), NotApplicable),
        ("cookie_flags", "header Set-Cookie: a=1; SameSite=None".to_owned(), Failed),
        ("referrer_policy", "status 200".to_owned(), Note),
        ("mixed_content", "<style>p{background:url('http://a.example/x.png')}</style>".to_owned(), Failed),
        ("mixed_content", "<a href=http://a.example/>fine</a>".to_owned(), Passed),
        ("image_format", "<img src=data:image/png;base64,xx>".to_owned(), NotApplicable),
        ("dom_size", "images 900".to_owned(), Note),
        ("zoom_allowed", "<meta name=viewport content='maximum-scale=1.5'>".to_owned(), Failed),
        ("sitemap_valid", "sitemap 404".to_owned(), NotApplicable),
        ("favicon", "favicon 200 image/x-icon xx\n\n<p>".to_owned(), Passed),
        ("meta_refresh", "<meta http-equiv=refresh content='0;url=/x'>".to_owned(), Note),
    ]
}

#[test]
fn hostile_pages_are_checked_within_the_processor_time() {
    let url = url::Url::parse("https://shop.example/tea").unwrap();
    let srcset = format!("<picture><source srcset='{}'>", "a.png ".repeat(2_000));
    let hostile = [
        "<input id=a aria-labelledby='b c d e f'>".repeat(5_000),
        "<label for=x>".repeat(300) + &"<input id=y>".repeat(5_000),
        srcset + &"<img src=a.png srcset=' , , , ,b'>".repeat(5_000),
        "<object><a href=x>".repeat(200) + &"word <img alt=w>".repeat(5_000),
        format!("<div id=a>{}</div>", "<b>x".repeat(300) + &"<i></i>".repeat(20_000))
            + &"<input aria-labelledby='a a a a a a a a a a'>".repeat(20_000),
        format!("<title>Green tea</title><p id=a>{}</p>", "word ".repeat(400))
            + &"<input type=submit aria-labelledby=a>".repeat(20_000),
        "<label>".repeat(400) + &"<i></i>".repeat(50_000),
        format!("<select id=a>{}</select>", "<option>".repeat(20_000)) + &"<input aria-labelledby=a>".repeat(20_000),
        "<h1>".repeat(10_000),
        "<button><div role=listbox><p role=option aria-selected=true>".repeat(150) + &"<i></i>".repeat(20_000),
        format!("{}<p>x", "<b>Warning</b>: in ".repeat(20_000)),
        format!("<title>{}", "<p>x</p>".repeat(60_000)),
        "<pre>x<nav>y".repeat(200) + &"word ".repeat(50_000),
        "a@".repeat(100_000),
        format!("<div style='{}'>", "url(".repeat(50_000)),
        format!("<meta property=og:{}>", "x".repeat(200_000)),
        "a".repeat(2_000_000),
        format!("<base href='/{}'>", "a/".repeat(2_000)) + &"<img src=a>".repeat(40_000),
        format!(
            "<x-a><template shadowrootmode=open>{}</template>{}",
            "<a href=x><slot></slot></a>".repeat(15_000),
            "<p hidden>x</p>".repeat(70_000)
        ),
        format!("<base href='/{}'><picture>", "a".repeat(4_000))
            + &format!("<source srcset='{}'>", "a.png 1x,".repeat(16)).repeat(8)
            + &"<img src=b.png>".repeat(40_000),
        "<div a b c d e f g h i j k l m n o p q r s t u v w x y z>".repeat(500) + &"<a>x</a>".repeat(40_000),
    ];
    // Tests run unoptimised; a quadratic rule would need minutes.
    let is_slow = |html: &&String| {
        let page = AuditedPage::from_html(&url, html).unwrap();
        run_checks(&page, Duration::from_secs(5)).is_err()
    };
    let slow: Vec<&str> = hostile.iter().filter(is_slow).map(|html| &html[..40]).collect();
    assert_eq!(slow, [""; 0]);
    // A redirect may lead to a URL as long as all headers.
    let url = url.join(&"a".repeat(60_000)).unwrap();
    let mut page = AuditedPage::from_html(&url, "<p>").unwrap();
    let robots = format!("User-agent: *\n{}", "Allow: *aaab\n".repeat(15_000));
    let robots = HttpResponse::of_body("text/plain", robots.as_bytes());
    page.probes.robots = Some(RedirectChain { hops: Vec::new(), last: url, result: Ok(robots) });
    assert!(run_checks(&page, Duration::from_secs(5)).is_ok(), "robots.txt");
    let unfinished = run_checks(&page, Duration::ZERO).unwrap_err();
    assert_eq!(unfinished.work, "judging the page");
}

proptest::proptest! {
    #[test]
    fn no_page_makes_a_check_panic(pieces in proptest::collection::vec(piece(), 0..30)) {
        let url = url::Url::parse("https://shop.example/tea_1?a=%zz").unwrap();
        let checks = run_checks(&AuditedPage::from_html(&url, &pieces.concat()).unwrap(), Duration::MAX).unwrap();
        proptest::prop_assert_eq!(checks.len(), table().count());
    }
}

/// Generates pieces of HTML that rules examine.
fn piece() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let known = proptest::sample::select(vec![
        "<title>",
        "</title>",
        "<h1>",
        "<h6>",
        "<a href='",
        "'>",
        "<img src=",
        "<img srcset='a b, ,c 2x'>",
        ">",
        "<meta name=viewport content='",
        "<meta http-equiv=refresh content='",
        "<link rel=canonical href='",
        "<script type=application/ld+json>",
        "</script>",
        "<style>p{background:url(",
        "<table>",
        "<svg>",
        "<math>",
        "<template>",
        "<select><option>",
        "<input id=a>",
        "<label for=a>",
        "<base href='http://[",
        "mailto:",
        "<frameset>",
        "<picture><source type=image/>",
        "style='",
        "{\"@graph\":[1]}",
        "<!--",
        "-->",
        "<body>",
    ]);
    prop_oneof![known.prop_map(str::to_owned), any::<String>()]
}

#[test]
fn entries_are_unique_and_complete() {
    let mut seen = BTreeSet::new();
    for (category, entry) in table() {
        assert!(seen.insert(entry.id), "{} stands there twice", entry.id);
        assert!(entry.remedy.ends_with('.') && entry.remedy.len() > 20, "{}", entry.id);
        assert!(!entry.title.is_empty() && !entry.source.is_empty(), "{}", entry.id);
        assert!(entry.passes_when.ends_with('.'), "{}", entry.id);
        assert!(["seo", "performance", "security", "accessibility", "other"].contains(&category));
    }
    assert_eq!(explanations().len(), seen.len());
}
