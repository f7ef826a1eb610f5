//! Messages of checks: each names what is wrong with its sample.

use super::standards_tests::{found, hold, run};
use crate::audit::checks::samples;
use crate::audit::fetch::redirects::RedirectHop;
use crate::audit::page::AuditedPage;
use crate::domain::report::check::CheckOutcome::{self, Failed, NotApplicable, Note, Passed};

/// Check id, sample page, expected outcome, and a part of the first message.
type Message<'a> = (&'a str, &'a str, CheckOutcome, &'a str);

fn say(messages: &[Message<'_>]) {
    for (id, sample, outcome, expected) in messages {
        let result = found(id, sample);
        let first = result.errors.first().map_or("", String::as_str);
        assert!(result.outcome == *outcome && first.contains(expected), "{id}: {sample:.200}\n{expected}\n{result:?}");
    }
}

#[test]
fn checks_of_the_document_say_what_is_wrong() {
    say(&[
        ("title", "<head><title> </title></head><p>Tea", Failed, "the title is empty"),
        (
            "program_messages",
            "<table class=xdebug-error><tr><td>Warning: Undefined variable $tea in /srv/a.php on line 4</table>",
            Failed,
            "PHP says \u{201c}Warning: Undefined variable $tea",
        ),
        ("program_messages", "<title>PHP 8.3.1 - phpinfo()</title>", Failed, "lists the configuration of PHP"),
        ("program_messages", "<title>phpinfo()</title>", Failed, "lists the configuration of PHP"),
        (
            "program_messages",
            "<p>[an error occurred while processing this directive]<p>Tea",
            Failed,
            "a server-side include failed",
        ),
        ("aria_valid", "<p aria-relevant='additions colours'>Tea", Failed, "additions, all, removals, text"),
        ("aria_valid", "<p role=slider aria-valuenow=half>Tea", Failed, "a number"),
        ("media_parts", "<audio src=a.mp3 autoplay></audio>", Failed, "an audio starts by itself with sound"),
        (
            "table_parts",
            "<table summary=Teas><caption>Teas</caption><tr><th>Tea<td>Green</table>",
            Failed,
            "the summary of a table repeats its caption",
        ),
        ("structured_data_valid", "<script type=application/ld+json> </script>", Failed, "block 1: it is empty"),
        ("structured_data_valid", "<script type=application/ld+json>{}</script>", Failed, "block 1: it is empty"),
        ("list_parts", "<dl><dd>Green tea</dl>", Failed, "a description list contains only <dd>"),
        ("list_parts", "<ul><li role=presentation>Tea</ul>", Failed, "a list contains <li role=presentation> besides"),
        ("list_parts", "<ul><div>Tea</div></ul>", Failed, "a list contains <div> besides"),
        ("media_parts", "<audio src=a.mp3 autoplay loop></audio>", Failed, "starts by itself with sound"),
        (
            "robot_directives",
            "<meta name=robot content=noindex>",
            Failed,
            "no robot reads a meta with the name \u{201c}robot\u{201d}",
        ),
    ]);
    let is_endless = |html| found("media_parts", html).errors.iter().any(|error| error.contains("cannot be stopped"));
    assert!(is_endless("<audio src=a.mp3 autoplay loop></audio>") && !is_endless("<audio src=a.mp3 autoplay></audio>"));
}

#[test]
fn a_challenge_for_browsers_is_not_called_the_response_of_the_page() {
    let challenged =
        found("http_status", "status 403\nheader CF-Mitigated: challenge\n\n<title>Just a moment...</title>");
    let error = "Cloudflare sent a challenge (status 403), not the page: let the user agent reportdeck pass";
    assert_eq!((challenged.outcome, challenged.errors), (Failed, vec![error.to_owned()]));
    let forbidden = found("http_status", "status 403\nheader Server: cloudflare\n\n<title>Forbidden</title>");
    assert_eq!(forbidden.errors, ["the page responds with status 403"]);
}

#[test]
fn a_refresh_of_the_page_itself_is_called_a_reload() {
    let page =
        |content: &str| format!("url https://shop.example/tea?x\n\n<meta http-equiv=refresh content=\"{content}\">");
    for (content, expected) in [
        ("300", "the page is loaded again every 300 s"),
        ("300;", "the page is loaded again every 300 s"),
        ("300; url=https://shop.example/tea?x", "the page is loaded again every 300 s"),
        ("300,URL = '/tea?x'", "the page is loaded again every 300 s"),
        ("300 ?x", "the page is loaded again every 300 s"),
        ("5; url=/tea", "the page is replaced after 5 s"),
        ("5; url='/tea?x' later", "the page is loaded again every 5 s"),
        ("5; /coffee", "the page is replaced after 5 s"),
        ("5; ü", "the page is replaced after 5 s"),
    ] {
        assert_eq!(found("meta_refresh", &page(content)).errors, [expected], "{content}");
    }
}

#[test]
fn checks_of_structured_data_name_the_entry_that_lacks_something() {
    let list = |items: &str| {
        format!(
            "<script type=application/ld+json>{{\"@context\": \"https://schema.org\", \"@type\": \"BreadcrumbList\", \
             \"itemListElement\": [{items}]}}</script>"
        )
    };
    let last = "{\"position\": 2, \"name\": \"Tea\"}";
    say(&[
        (
            "rich_results",
            &list(&format!("{{\"position\": 1, \"item\": \"https://a.example\"}}, {last}")),
            Failed,
            "entry 1 of the BreadcrumbList has no name",
        ),
        (
            "rich_results",
            &list(&format!("{{\"position\": 1, \"name\": \"Shop\"}}, {last}")),
            Failed,
            "entry 1 of the BreadcrumbList has no item",
        ),
        (
            "rich_results",
            &list(&format!("{{\"position\": null, \"name\": \"Shop\", \"item\": \"https://a.example\"}}, {last}")),
            Failed,
            "entry 1 of the BreadcrumbList has no position",
        ),
    ]);
}

#[test]
fn checks_of_the_response_and_of_other_addresses_say_what_is_wrong() {
    let locations = "<url><loc>https://shop.example/</loc></url>".repeat(50_001);
    let sitemap = format!(
        "sitemap 200 application/xml <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{locations}</urlset>"
    );
    let robots = format!("robots 200 text/plain #{}", "x".repeat(512_001));
    say(&[
        ("canonical", "<link rel=canonical href=mailto:tea@shop.example>", Failed, "is not a web address"),
        ("robots_txt_valid", &robots, Failed, "robots.txt is longer than 500 KiB"),
        ("sitemap_valid", &sitemap, Failed, "the sitemap lists 50001 URLs, at most 50000 are allowed"),
        ("cors", "header Access-Control-Allow-Origin: *", Note, "any site may read this page"),
        ("cors", "header Access-Control-Allow-Origin: shop.example", Failed, "is not an origin: shop.example"),
        ("security_txt", "security 200 text/plain Contact: mailto:a@shop.example", Note, "has no Expires"),
        (
            "security_txt",
            "security 200 text/plain Contact: mailto:a@shop.example\\nExpires: next year",
            Note,
            "is not an RFC 3339 date",
        ),
        ("cache_headers", "header Cache-Control: public, private", Failed, "both public and private"),
        (
            "canonical_target",
            "canonical-step 301 https://shop.example/canonical\n\n<p>Tea",
            Failed,
            "https://shop.example/tea redirects to https://shop.example/canonical",
        ),
        ("https_redirect", "http-step 301 https://www.shop.example/tea", Failed, "first, on another host: "),
        ("https_redirect", "http-step 301 http://www.shop.example/tea", Failed, "to http://www.shop.example/tea first"),
        ("tls_valid", "days 1", Note, "the certificate expires in 1 day"),
        ("tls_valid", "unverified this machine has no root certificates", Note, "could not be verified: this machine"),
    ]);
    hold(&[("https_redirect", "http-closed", Passed)]);
    let mut compressed = samples::page("sitemap 200 application/gzip");
    compressed.probes.sitemap.as_mut().unwrap().result.as_mut().unwrap().body = vec![0x1f, 0x8b];
    let result = run("sitemap_valid", &compressed);
    assert_eq!(result.errors[0], "the sitemap is a compressed file, which is not examined");
}

#[test]
fn a_text_about_phpinfo_is_not_the_configuration_of_php() {
    hold(&[
        ("program_messages", "<title>What attackers learn from phpinfo()</title>", Passed),
        ("program_messages", "<title>PHP tutorial - phpinfo()</title>", Passed),
    ]);
}

#[test]
fn a_missing_path_that_redirects_is_named() {
    let mut page = samples::page("missing 200 text/html");
    let probe = page.probes.missing.as_mut().unwrap();
    let from = std::mem::replace(&mut probe.last, "https://shop.example/".parse().unwrap());
    probe.hops.push(RedirectHop { from, status: 302, to: probe.last.clone() });
    let expected = "https://shop.example/reportdeck-1 does not exist and redirects to https://shop.example/, which \
                    responds with status 200";
    assert_eq!(run("404_page", &page).errors, [expected]);
}

#[test]
fn a_file_that_is_called_html_is_recognised() {
    for (start, kind) in [
        ("%PDF-1.7\n<p>", "a PDF file"),
        ("\n%PDF-1.4", "a PDF file"),
        ("GIF89a", "a GIF image"),
        ("RIFF\0\0\0\0WEBPVP8", "a WebP image"),
        ("\0\0\u{1}\0", "an icon"),
        ("PK\u{3}\u{4}", "a ZIP file, such as a document of an office program"),
    ] {
        let expected = format!("the content is {kind}, but its type is text/html: browsers show its bytes as text");
        let result = found("http_status", &format!("status 200\n\n{start}"));
        assert_eq!((result.outcome, result.errors), (Failed, vec![expected]), "{start:?}");
        hold(&[("title", &format!("status 200\n\n{start}"), NotApplicable)]);
    }
    let image = "header Content-Type: image/gif\n\nGIF89a";
    hold(&[("http_status", image, Passed), ("http_status", "<p>%PDF-1.7", Passed), ("title", "<p>GIF89a", Failed)]);
    // Texts that begin alike.
    hold(&[("http_status", "\n\nGIF8 and RIFF", Passed), ("http_status", "\n\nRIFF of the day", Passed)]);
}

#[test]
fn a_page_whose_type_is_not_html_is_not_shown_by_browsers() {
    for (kind, consequence) in
        [("text/plain; charset=utf-8", "show its source"), ("application/octet-stream", "save it as a file")]
    {
        let page = format!("header Content-Type: {kind}\n\n<!doctype HTML><title>Tea</title><p>Tea");
        let result = found("http_status", &page);
        let essence = kind.split(';').next().unwrap();
        let expected = format!("the content is HTML, but its type is {essence}: browsers {consequence}");
        assert_eq!((result.outcome, result.errors), (Failed, vec![expected]));
    }
    for kind in ["application/pdf", "application/json", "image/png"] {
        let expected = format!("the content is HTML, but its type is {kind}: browsers do not show it as a page");
        assert_eq!(found("http_status", &format!("header Content-Type: {kind}\n\n<!doctype html>")).errors, [expected]);
    }
    hold(&[
        ("http_status", "header Content-Type: text/plain\n\nTea in <html", Passed),
        ("http_status", "header Content-Type: application/xml\n\n<html xmlns='http://www.w3.org/1999/xhtml'/>", Passed),
    ]);
    let escaped = "<body>&lt;!DOCTYPE html&gt;&lt;html&gt;&lt;p&gt;Green tea from our hills.&lt;/html&gt;";
    let expected = "the page shows HTML source: its markup is escaped";
    assert_eq!(found("program_messages", escaped).errors, [expected]);
    hold(&[
        ("program_messages", "<h1>&lt;!DOCTYPE html&gt;</h1><p>The first line of a page.", Passed),
        ("program_messages", "<p>Says <code>[an error occurred while processing this directive]</code>", Passed),
    ]);
}

#[test]
fn a_page_is_blank_if_a_style_always_hides_its_text() {
    let hidden = "<style>.menu, #all { display: none }</style>";
    let all = format!("{hidden}<div id=all><p>Green tea from our hills.</div>");
    hold(&[
        ("visible_content", &all, Failed),
        ("visible_content", "<style>body{visibility:hidden}</style><p>Tea", Failed),
        ("visible_content", &format!("{all}<p>Tea"), Passed),
        ("visible_content", &format!("{hidden}<div class=menu>Tea</div><img src=a.png>"), Passed),
        // A stylesheet, a script or an animation may show it.
        ("visible_content", &format!("<link rel=stylesheet href=a.css>{all}"), Passed),
        ("visible_content", &format!("<script src=a.js></script>{all}"), Passed),
        ("visible_content", "<style>body{visibility:hidden;animation:show 1s}</style><p>Tea", Passed),
        ("visible_content", "<style>body{display:none}@media screen{body{display:block}}</style><p>Tea", Passed),
    ]);
}

#[test]
fn a_page_with_only_the_text_of_a_missing_value_is_an_error() {
    for text in ["null", "undefined", "[object Object]", "Array", "{}", " NaN "] {
        hold(&[("error_text", &format!("<body>{text}"), Failed)]);
    }
    hold(&[("error_text", "<h1>Null</h1><p>The number before one.", Passed), ("error_text", "<body>Tea", Passed)]);
}

#[test]
fn an_html_page_at_another_address_is_called_one() {
    let page = |name: &str| format!("{name} 200 text/html \u{feff}<!doctype HTML>\\n<title>Tea</title>\\n<p>Tea");
    assert_eq!(found("robots_txt_valid", &page("robots")).errors, ["robots.txt is an HTML page"]);
    let unavailable = found("robots_txt_valid", "robots 503 text/html <html>unavailable");
    assert_eq!(unavailable.errors[0], "robots.txt responds with status 503");
    assert_eq!(found("sitemap_valid", &page("sitemap")).errors, ["the sitemap is an HTML page"]);
    assert_eq!(found("security_txt", &page("security")).errors, ["there is no /.well-known/security.txt"]);
}

#[test]
fn an_encoding_that_is_named_too_late_is_not_called_missing() {
    let page = |meta: &str| format!("header Content-Type: text/html\n\n<!--{}-->{meta}", "x".repeat(1_024));
    let late = "the page names its encoding only after the first 1,024 bytes";
    let pragma = "<meta http-equiv=Content-Type content='text/html; charset=utf-8'>";
    assert_eq!(found("charset", &page("<meta charset=utf-8>")).errors, [late]);
    assert_eq!(found("charset", &page(pragma)).errors, [late]);
    assert_eq!(found("charset", &page("<meta charset=nonsense>")).errors, ["the page does not name its encoding"]);
}

#[test]
fn a_doctype_without_effect_is_named_with_the_reason() {
    let old = "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"><p>Tea";
    let late = "the doctype is not at the beginning, so browsers ignore it and use quirks mode";
    say(&[
        (
            "doctype",
            old,
            Failed,
            "the doctype html -//W3C//DTD HTML 4.01 Transitional//EN puts browsers into quirks mode",
        ),
        ("doctype", "<!DOCTYPE tea><p>Tea", Failed, "the doctype tea puts browsers into quirks mode"),
        ("doctype", "status 200\n\nNotice: tea<!doctype html><html><p>Tea", Failed, late),
        ("doctype", "status 200\n\n\u{feff}\u{feff}<!doctype html><p>Tea", Failed, late),
        ("doctype", "<b>Warning</b>: tea<br>\n<!DOCTYPE html><html><p>Tea", Failed, late),
        ("doctype", "<html><p>Tea", Failed, "the page has no doctype, so"),
        ("doctype", "<!-- <!doctype html> --><html><p>Tea", Failed, "the page has no doctype, so"),
        ("doctype", "<p>Tea<iframe srcdoc='<!doctype html><p>Tea'></iframe>", Failed, "the page has no doctype, so"),
    ]);
}

#[test]
fn a_link_is_quoted_as_it_is_written() {
    let errors = found("link_text", "<html lang=de><a href=/tea>Mehr …</a>").errors;
    assert_eq!(errors, ["\u{201c}Mehr\u{201d} leads to /tea"]);
}

#[test]
fn a_style_attribute_is_quoted_once() {
    let errors = found("inline_css", "<p class=a style='color: red'>Tea<p style='color: red'>Tea").errors;
    assert_eq!(errors, ["style=\"color: red\" on <p class=\"a\">", "<p style=\"color: red\">"]);
}

#[test]
fn a_heading_without_text_is_named_by_its_place() {
    let errors = found("heading_order", "<h1>Tea</h1><h4 id=a></h4>").errors;
    assert_eq!(errors[1], "a heading of level 4 follows one of level 1: <h4 id=\"a\">");
}

/// Returns the errors of a check for a page of this type and body.
fn errors_of_body(id: &str, content_type: &str, body: &[u8]) -> Vec<String> {
    let url = url::Url::parse("https://shop.example/tea").unwrap();
    run(id, &AuditedPage::from_body(&url, content_type, body).unwrap()).errors
}

#[test]
fn an_encoding_that_does_not_fit_the_content_is_called_wrong() {
    let utf_8 = "text/html; charset=utf-8";
    let latin1 = "text/html; charset=iso-8859-1";
    let foreign = ["the page is declared as UTF-8, but some of it is not: browsers show \u{fffd} instead"];
    assert_eq!(errors_of_body("charset", utf_8, b"<p>gr\xfcner Tee"), foreign);
    assert_eq!(errors_of_body("charset", "text/html", b"<meta charset=utf-8><p>gr\xfcner Tee"), foreign);
    let hidden = ["the header declares windows-1252, but the page is UTF-8: browsers show wrong letters"];
    assert_eq!(errors_of_body("charset", latin1, "<meta charset=utf-8><p>grüner Tee".as_bytes()), hidden);
    let wide = ["the header declares UTF-16LE, but the page is not UTF-16: browsers show wrong letters"];
    assert_eq!(errors_of_body("charset", "text/html; charset=utf-16", b"<!doctype html><p>Tea"), wide);
    let by_meta = ["the meta declares windows-1251, but the page is UTF-8: browsers show wrong letters"];
    assert_eq!(errors_of_body("charset", "text/html", "<meta charset=cp1251><p>чай".as_bytes()), by_meta);
    for (content_type, body) in [
        (utf_8, "<p>grüner Tee".as_bytes()),
        (utf_8, "<p>The replacement character is \u{fffd}".as_bytes()),
        (utf_8, b"<p>&#xfffd;"),
        (latin1, b"<p>green tea"),
        (latin1, b"<p>gr\xfcner Tee"),
        ("text/html; charset=shift_jis", b"<p>\x97\xce\x92\x83"),
        ("text/html; charset=utf-16le", b"<\0p\0>\0\xfc\0"),
    ] {
        assert_eq!(errors_of_body("charset", content_type, body), [""; 0], "{content_type} {body:?}");
    }
}

#[test]
fn contradicting_words_of_cache_control_are_named() {
    let errors = |value: &str| found("cache_headers", &format!("header Cache-Control: {value}")).errors;
    assert_eq!(errors("no-store, max-age=600"), ["Cache-Control says both no-store and max-age=600"]);
    assert_eq!(errors("public, no-store"), ["Cache-Control says both no-store and public"]);
    assert_eq!(errors("no-store, max-age=0, must-revalidate"), [""; 0]);
}

#[test]
fn directives_of_a_header_for_one_robot_are_quoted_without_its_name() {
    let errors = found("noindex", "header X-Robots-Tag: googlebot: noindex").errors;
    assert_eq!(errors, ["the X-Robots-Tag header says noindex"]);
}

#[test]
fn characters_are_counted_as_people_see_them() {
    let title = |text: &str| found("title", &format!("<title>{text}</title>"));
    let hindi = "क्योटो की पहाड़ियों से ताज़ी हरी चाय, हाथ से चुनी हुई और घर तक पहुँचाई";
    let result = title(hindi);
    assert!(hindi.chars().count() > 60 && result.errors.is_empty(), "{result:?}");
    assert_eq!(title(&"ä".repeat(60)).errors, [""; 0]);
    assert_eq!(title(&"a\u{308}".repeat(60)).errors, [""; 0]);
    assert_eq!(title(&"a\u{308}".repeat(61)).errors, ["the title has 61 characters, at most 60 are shown"]);
    let description = format!("<meta name=description content='{}'>", "ชาเขียวที่ดี ".repeat(16));
    let result = found("description_length", &description);
    assert!(result.errors.is_empty(), "{result:?}");
}

#[test]
fn the_sizes_of_a_page_that_was_not_read_to_its_end_are_lower_bounds() {
    let url = url::Url::parse("https://shop.example/tea").unwrap();
    let mut page = AuditedPage::from_body(&url, "text/html", &b"<p>tea".repeat(4_000)).unwrap();
    let response = page.redirects.result.as_mut().unwrap();
    response.cut = true;
    response.wire_bytes = 400_000;
    assert_eq!(
        run("page_size", &page).errors,
        ["the page is at least 400000 bytes on the wire, at most 330000 recommended"]
    );
    assert_eq!(run("text_compression", &page).errors, ["at least 24000 bytes of HTML are sent uncompressed"]);
}

#[test]
fn a_page_in_several_languages_names_itself() {
    let page = |own: &str| {
        let back = "<link rel=alternate hreflang=en href=https://shop.example/tea>";
        let german = "<link rel=alternate hreflang=de href=https://shop.example/de>";
        found("hreflang_targets", &format!("alternate 200 text/html {back}\n\n{german}{own}<p>Tea")).errors
    };
    assert_eq!(page(""), ["no hreflang link names this page itself"]);
    assert_eq!(page("<link rel=alternate hreflang=en href=https://shop.example/tea>"), [""; 0]);
    let canonical = "<link rel=canonical href=https://shop.example/tea>";
    assert_eq!(page(&format!("{canonical}<link rel=alternate hreflang=en href=https://shop.example/tea#a>")), [""; 0]);
}
