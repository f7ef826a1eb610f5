//! The last value that passes and the first that does not, for checks with a threshold.

use super::standards_tests::hold;
use crate::domain::report::check::CheckOutcome::{Failed, NotApplicable, Note, Passed};

#[test]
fn sizes_and_times_are_judged_at_their_thresholds() {
    let html = |bytes: usize| format!("<p>{}", "x".repeat(bytes - 3));
    let (large, too_large) = (html(2_000_000), html(2_000_001));
    hold(&[
        ("load_time", "took 2000\n\n<p>Tea", Passed),
        ("load_time", "took 2001\n\n<p>Tea", Failed),
        ("ttfb", "ttfb 800\n\n<p>Tea", Passed),
        ("ttfb", "ttfb 801\n\n<p>Tea", Failed),
        ("page_size", "wire 330000\n\n<p>Tea", Passed),
        ("page_size", "wire 330001\n\n<p>Tea", Failed),
        ("html_decoded_size", &large, Passed),
        ("html_decoded_size", &too_large, Failed),
        ("text_compression", &html(1_399), NotApplicable),
        ("text_compression", &html(1_400), Note),
        ("text_compression", &html(14_600), Note),
        ("text_compression", &html(14_601), Failed),
        ("tls_valid", "days 14\n\n<p>Tea", Passed),
        ("tls_valid", "days 13\n\n<p>Tea", Note),
    ]);
}

#[test]
fn statuses_are_judged_at_the_ends_of_their_classes() {
    let robots = |status: u16| format!("robots {status} text/plain User-agent: *\\nDisallow: /coffee");
    hold(&[
        ("http_status", "status 299\n\n<p>Tea", Passed),
        ("http_status", "status 300\n\n<p>Tea", Failed),
        ("robots_txt_valid", &robots(299), Passed),
        ("robots_txt_valid", &robots(300), Failed),
        ("robots_txt_valid", &robots(400), Passed),
        ("robots_txt_valid", &robots(499), Passed),
        ("robots_txt_valid", &robots(500), Failed),
        ("canonical_target", "canonical 299 text/html <p>Tea", Passed),
        ("canonical_target", "canonical 300 text/html <p>Tea", Failed),
    ]);
}

#[test]
fn an_address_without_a_page_or_a_file_has_none() {
    let named = "robots 200 text/plain Sitemap: https://shop.example/sitemap.xml";
    hold(&[
        ("duplicate_addresses", "slash 404 text/html <title>Tea</title>\n\n<title>Tea</title>", Passed),
        ("duplicate_addresses", "slash 200 text/html <p>Tea\n\n<p>Tea", Passed),
        ("favicon", "<p>Tea", Failed),
        ("favicon", "favicon 200\n\n<p>Tea", Failed),
        ("sitemap_valid", &format!("{named}\nsitemap 404\n\n<p>Tea"), Failed),
        ("sitemap_valid", "robots 404\nsitemap 404\n\n<p>Tea", NotApplicable),
    ]);
}

#[test]
fn numbers_of_parts_are_judged_at_their_thresholds() {
    let url = |query: &str| format!("url https://shop.example/tea{query}\n\n<title>Tea</title>");
    let titled = |title: &str| format!("<title>{title}</title>");
    let described = |length: usize| format!("<meta name=description content='{}'>", "x".repeat(length));
    hold(&[
        ("seo_friendly_url", &url("?page=2"), Passed),
        ("seo_friendly_url", &url("?page=2&sort=new"), Failed),
        ("seo_friendly_url", &url("?sort=by_name"), Failed),
        ("seo_friendly_url", &url("_green"), Failed),
        ("redirect_chain", "step 301 https://shop.example/\n\n<p>Tea", Passed),
        ("redirect_chain", "step 301 /a\nstep 301 /b\n\n<p>Tea", Failed),
        ("title", &titled(&"x".repeat(60)), Passed),
        ("title", &titled(&"x".repeat(61)), Failed),
        ("title", &format!("{}{}", titled("Green tea"), titled("Tea")), Failed),
        ("title_quality", &titled("Green teas"), Passed),
        ("title_quality", &titled("Green tea"), Failed),
        ("description_length", &described(50), Passed),
        ("description_length", &described(49), Note),
        ("description_length", &described(160), Passed),
        ("description_length", &described(161), Note),
        ("structure_a11y", "<main tabindex=0>Tea</main>", Passed),
        ("structure_a11y", "<main tabindex=1>Tea</main>", Failed),
        ("structure_a11y", "<main tabindex=-1>Tea</main>", Passed),
        ("in_page_links", "repeat 150 <a href=/a>Tea</a>\n\n<p>Tea", Passed),
        ("in_page_links", "repeat 151 <a href=/a>Tea</a>\n\n<p>Tea", Failed),
        ("zoom_allowed", "<meta name=viewport content='maximum-scale=2'>", Passed),
        ("zoom_allowed", "<meta name=viewport content='maximum-scale=1.9'>", Failed),
    ]);
}

#[test]
fn each_directive_of_a_list_counts() {
    let header = |name: &str, value: &str| format!("header {name}: {value}\n\n<p>Tea");
    let robots = |value: &str| header("X-Robots-Tag", value);
    let security = |expires: &str| format!("security 200 text/plain Contact: mailto:a@shop.example{expires}");
    let credentials = "header Access-Control-Allow-Origin: *\nheader Access-Control-Allow-Credentials: true\n\n<p>Tea";
    hold(&[
        ("noindex", &robots("noindex, nofollow"), Failed),
        ("noindex", &robots("nofollow, noindex"), Failed),
        ("noindex", &robots("noindex, max-snippet: 5"), Failed),
        ("noindex", &robots("max-snippet: 5, noindex"), Failed),
        ("noindex", &robots("unavailable_after: soon"), Passed),
        ("security_txt", &security("\\nExpires: 2999-01-01T00:00:00Z"), Passed),
        ("security_txt", &security("\\nExpires: 2020-01-01T00:00:00Z"), Note),
        ("security_txt", &security("\\nExpires: soon"), Note),
        ("security_txt", &security(""), Note),
        ("cors", &header("Access-Control-Allow-Origin", "*"), Note),
        ("cors", credentials, Failed),
        ("info_headers", &header("X-AspNet-Version", "4"), Failed),
        ("info_headers", &header("X-Powered-By", "a"), Failed),
        ("info_headers", &header("X-Powered-By-Tea", "a"), Passed),
        ("info_headers", &header("X-Asp", "a"), Passed),
        ("hsts_preload", &header("Strict-Transport-Security", "includeSubDomains; preload"), Note),
    ]);
}

#[test]
fn what_a_page_loads_and_nests_is_judged_at_its_thresholds() {
    let repeat = |times: usize, piece: &str| format!("repeat {times} {piece}\n\n<p>Tea");
    let styles = |count: usize| format!("<head>{}</head><p>Tea", "<link rel=stylesheet href=a.css>".repeat(count));
    let nested = |count: usize| "<div>".repeat(count);
    let lazy = |words: usize| format!("<p>{}</p><img src=a.png loading=lazy alt=Tea>", "tea ".repeat(words));
    let text = |padding: usize| format!("<p>{}<!--{}-->", "x".repeat(10), "y".repeat(padding));
    let shell =
        |words: usize| format!("<div id=root></div><p>{}</p><script src=/app.js></script>", "tea ".repeat(words));
    hold(&[
        ("http_requests", "images 50\n\n<p>Tea", Passed),
        ("http_requests", "images 51\n\n<p>Tea", Failed),
        ("render_blocking", &styles(3), Passed),
        ("render_blocking", &styles(4), Failed),
        // And html, head, body and p.
        ("dom_size", &repeat(796, "<i></i>"), Passed),
        ("dom_size", &repeat(797, "<i></i>"), Note),
        ("dom_size", &repeat(1_496, "<i></i>"), Note),
        ("dom_size", &repeat(1_497, "<i></i>"), Failed),
        ("dom_depth", &nested(30), Passed),
        ("dom_depth", &nested(31), Failed),
        ("dom_depth", &repeat(59, "<hr>"), Passed),
        ("dom_depth", &repeat(60, "<hr>"), Failed),
        ("lazy_images", &lazy(300), Failed),
        ("lazy_images", &lazy(301), Passed),
        ("text_html_ratio", &text(80), Passed),
        ("text_html_ratio", &text(81), Failed),
        ("javascript_only_shell", &shell(19), Failed),
        ("javascript_only_shell", &shell(20), Passed),
        ("skip_link", &repeat(9, "<a href=/a>Tea</a>"), NotApplicable),
        ("skip_link", &repeat(10, "<a href=/a>Tea</a>"), Failed),
    ]);
}

#[test]
fn each_part_of_an_address_counts() {
    let written = |text: &str| format!("<p>Write to {text}");
    let opening = |href: &str| format!("<a href={href} target=_blank rel=opener>Tea</a>");
    let link = |href: &str| format!("<a href={href}>Tea</a>");
    hold(&[
        ("plaintext_email", &written("tea@shop.de"), Failed),
        ("plaintext_email", &written("tea@shop.d"), Passed),
        ("plaintext_email", &written("tea@shop"), Passed),
        ("plaintext_email", &written("@shop.de"), Passed),
        ("plaintext_email", &written("a/tea@shop.de"), Passed),
        ("plaintext_email", &written("tea@a/shop.de"), Passed),
        ("plaintext_email", &written("tea@shop.d3"), Passed),
        ("unsafe_cross_origin_links", &opening("https://a.example/"), Failed),
        ("unsafe_cross_origin_links", &opening("/tea"), Passed),
        ("unsafe_cross_origin_links", &opening("tel:123"), Passed),
        ("social", &link("https://x.com/t"), Passed),
        ("social", &link("https://x.com/"), Failed),
        ("hreflang", "<link rel=alternate hreflang=d1 href=https://shop.example/>", Failed),
    ]);
}
