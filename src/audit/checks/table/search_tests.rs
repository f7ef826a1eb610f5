//! Edge cases of the checks for search engines in which a standard or a search engine's documentation decides.

use super::standards_tests::{found, hold};
use crate::domain::report::check::CheckOutcome::{Failed, NotApplicable, Note, Passed};

#[test]
fn two_spellings_of_a_path_in_robots_txt_are_equal() {
    let robots = |page: &str, rule: &str| {
        format!("url https://shop.example{page}\nrobots 200 text/plain User-agent: *\\nDisallow: {rule}")
    };
    hold(&[
        ("robots", &robots("/~anna/tea", "/%7Eanna/"), Failed),
        ("robots", &robots("/%7eanna/tea", "/~anna/"), Failed),
        ("robots", &robots("/green-tea", "/%67reen%2Dtea"), Failed),
        ("robots", &robots("/a/b", "/a%2Fb"), Passed),
        ("robots", &robots("/a%2fb", "/a%2Fb"), Failed),
        ("robots", &robots("/100%", "/100%"), Failed),
    ]);
}

#[test]
fn a_version_after_the_name_of_a_robot_is_skipped() {
    let robots = |agent: &str| format!("robots 200 text/plain User-agent: {agent}\\nDisallow: /");
    hold(&[
        ("robots", &robots("Googlebot/2.1"), Failed),
        ("robots", &robots("Bingbot/2.0 (+http://www.bing.com/bingbot.htm)"), Failed),
        ("robots", &robots("* # everybody"), Failed),
        ("robots", &robots("Googlebot-Image/1.0"), Passed),
        ("robots", &robots("Googlebotany"), Passed),
        ("ai_robots", &robots("GPTBot/1.2"), Note),
    ]);
    assert_eq!(found("ai_robots", &robots("GPTBot/1.2")).errors, ["robots.txt excludes GPTBot"]);
}

#[test]
fn the_file_of_the_front_page_may_name_the_front_page_as_canonical() {
    let page =
        |path: &str| format!("url https://shop.example{path}\n\n<link rel=canonical href=https://shop.example/>");
    hold(&[
        ("canonical", &page("/index.html"), Passed),
        ("canonical", &page("/index.php?from=mail"), Passed),
        ("canonical", &page("/Default.aspx"), Passed),
        ("canonical", &page("/?from=mail"), Passed),
        ("canonical", &page("/home"), Passed),
        ("canonical", &page("/Startseite/"), Passed),
        ("canonical", &page("/accueil.html"), Passed),
        ("canonical", &page("/en-us/"), Passed),
        ("canonical", &page("/home/tea"), Failed),
        ("canonical", &page("/homeware"), Failed),
        ("canonical", &page("/tea/index.html"), Failed),
        ("canonical", &page("/index-of-teas.html"), Failed),
        ("canonical", &page("/index.php/tea"), Failed),
    ]);
}

#[test]
fn every_address_of_a_mailto_link_is_found() {
    let link = |href: &str| format!("<a href='mailto:{href}'>Write to us</a>");
    hold(&[
        ("plaintext_email", &link("a@shop.example,b@shop.example?subject=Tea"), Failed),
        ("plaintext_email", &link("a%40shop.example"), Failed),
        ("plaintext_email", &link("?subject=Tea"), Passed),
        ("plaintext_email", "<a href='/write?to=mailto:a@shop.example'>Write to us</a>", Passed),
    ]);
    let result = found("plaintext_email", &link("b@shop.example, a@shop.example"));
    let errors = ["harvesters can collect a@shop.example", "harvesters can collect b@shop.example"];
    assert_eq!(result.errors, errors);
}

#[test]
fn profiles_on_hosts_of_one_language_are_social() {
    let link = |href: &str| format!("<a href={href}>Us</a>");
    hold(&[
        ("social", &link("https://de.linkedin.com/company/tea"), Passed),
        ("social", &link("https://de-de.facebook.com/tea"), Passed),
        ("social", &link("https://m.facebook.com/tea"), Passed),
        ("social", &link("https://www.threads.com/@tea"), Passed),
        ("social", &link("https://www.pinterest.de/tea/"), Passed),
        ("social", &link("https://pinterest.co.uk/tea/"), Passed),
        ("social", &link("https://t.me/kyototea"), Passed),
        ("social", &link("https://weibo.com/kyototea"), Passed),
        ("social", &link("https://www.reddit.com/r/tea/"), Passed),
        ("social", &link("https://social.example/@tea"), Passed),
        ("social", &link("https://social.example/@tea/115"), Failed),
        ("social", &link("/@tea"), Failed),
        ("social", &link("https://www.pinterest.de/pin/create/button/"), Failed),
        ("social", &link("https://pinterest.example.com/tea/"), Failed),
        ("social", &link("https://docs.github.com/en/tea"), Failed),
        ("social", &link("https://netflix.com/tea"), Failed),
        ("social", &link("https://www.x.com/"), Failed),
    ]);
}

#[test]
fn a_link_that_shares_the_page_is_no_profile() {
    let link = |href: &str| format!("<a href='{href}'>Share</a>");
    hold(&[
        ("social", &link("https://www.facebook.com/sharer/sharer.php?u=https://shop.example/"), Failed),
        ("social", &link("https://twitter.com/intent/tweet?text=Tea"), Failed),
        ("social", &link("https://www.linkedin.com/shareArticle?url=https://shop.example/"), Failed),
        ("social", &link("https://www.pinterest.com/pin/create/button/?url=https://shop.example/"), Failed),
        ("social", &link("https://twitter.com/share?text=Tea"), Failed),
        ("social", &link("https://t.me/share/url?url=https://shop.example/"), Failed),
        ("social", &link("https://www.reddit.com/submit?url=https://shop.example/"), Failed),
        ("social", &link("https://www.facebook.com/share/1AbCdEf/"), Passed),
        ("social", &link("https://www.facebook.com/sharedtea"), Passed),
    ]);
}

#[test]
fn a_sitemap_may_be_a_text_file_or_a_feed() {
    let named = "robots 200 text/plain Sitemap: https://shop.example/sitemap.txt";
    let page = |sitemap: &str| format!("{named}\nsitemap 200 text/plain {sitemap}");
    let one = "https://shop.example/tea\\n";
    hold(&[
        ("sitemap_valid", &page("https://shop.example/\\r\\n\\nhttps://shop.example/tea?a=1,b\\n"), Passed),
        ("sitemap_valid", &page(&one.repeat(50_000)), Passed),
        ("sitemap_valid", &page(&one.repeat(50_001)), Failed),
        ("sitemap_valid", &page("https://shop.example/\\n/tea"), Failed),
        ("sitemap_valid", &page("https://shop.example/\\nGreen tea: the best"), Failed),
        ("sitemap_valid", &page("mailto:a@shop.example"), Failed),
        ("sitemap_valid", &page("<rss version='2.0'><channel/></rss>"), Note),
        ("sitemap_valid", &page("<feed xmlns='http://www.w3.org/2005/Atom'/>"), Note),
    ]);
}

#[test]
fn the_image_of_open_graph_has_three_names() {
    let page = |image: &str| {
        let others =
            ["title", "type", "url"].map(|name| format!("<meta property=og:{name} content=https://a.example/>"));
        others.concat() + image
    };
    hold(&[
        ("open_graph", &page("<meta property=og:image:url content=https://a.example/a.png>"), Passed),
        ("open_graph", &page("<meta property=og:image:secure_url content=https://a.example/a.png>"), Passed),
        ("open_graph", &page("<meta property=og:image content=''>"), Failed),
        ("open_graph", &page("<meta property=og:image:url content=/a.png>"), Failed),
        ("open_graph", &page("<meta property=og:image:alt content=Tea>"), Failed),
    ]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_field_of_robots_txt() {
    let robots = |text: &str| format!("robots 200 text/plain \u{feff}{text}");
    hold(&[
        ("robot_directives", &robots("User-agent: *\\nDisallow: /secret"), NotApplicable),
        ("robot_directives", &robots("Useragent: *\\nDisallow: /secret"), Failed),
        ("robots_txt_valid", &robots("User-agent: *\\nDisallow: /secret"), Passed),
    ]);
}

#[test]
fn what_a_review_or_an_offer_is_about_needs_no_fields_of_its_own() {
    let product = r#"{"@type": "Product", "name": "Sencha"}"#;
    let page = |fields: &str| {
        format!("<script type=application/ld+json>{{\"@context\": \"https://schema.org\", {fields}}}</script>")
    };
    let review = r#""@type": "Review", "author": "Anna", "reviewRating": {"ratingValue": 5}"#;
    let service = r#""@type": "Store", "name": "Tea", "address": "Kyoto""#;
    hold(&[
        ("rich_results", &page(&format!("{review}, \"itemReviewed\": {product}")), Passed),
        ("rich_results", &page(&format!("{service}, \"makesOffer\": {{\"itemOffered\": {product}}}")), Passed),
        ("rich_results", &page(&format!("\"@graph\": [{product}]")), Failed),
        ("rich_results", &page("\"@type\": \"Review\", \"itemReviewed\": {\"@type\": \"Product\"}"), Failed),
    ]);
}

#[test]
fn a_word_of_the_title_may_be_in_the_path_without_its_accents() {
    let page = |path: &str, title: &str| format!("url https://shop.example{path}\n\n<title>{title}</title>");
    hold(&[
        ("seo_friendly_url", &page("/cafe", "Café"), Passed),
        ("seo_friendly_url", &page("/caf%C3%A9", "Café"), Passed),
        ("seo_friendly_url", &page("/groessen", "Größen"), Passed),
        ("seo_friendly_url", &page("/GROSSEN", "Größen"), Passed),
        ("seo_friendly_url", &page("/evenements", "Événements"), Passed),
        ("seo_friendly_url", &page("/smorgas", "Smörgås"), Passed),
        ("seo_friendly_url", &page("/coffee", "Café"), Failed),
        ("seo_friendly_url", &page("/", "Café"), Passed),
    ]);
}

#[test]
fn an_organization_may_have_a_logo_and_no_name() {
    let page = |field: &str| {
        format!("<script type=application/ld+json>{{\"@type\": \"Organization\", {field}, \"url\": \"x\"}}</script>")
    };
    hold(&[
        ("rich_results", &page("\"logo\": \"https://shop.example/a.png\""), Passed),
        ("rich_results", &page("\"email\": \"a@shop.example\""), Failed),
    ]);
}

#[test]
fn json_ld_objects_of_one_id_describe_one_thing() {
    let block = |fields: &str| {
        format!("<script type=application/ld+json>{{\"@context\": \"https://schema.org\", {fields}}}</script>")
    };
    let product = r##""@id": "#tea", "@type": "Product""##;
    let named = block(&format!("{product}, \"name\": \"Sencha\""));
    let rated = block(&format!("{product}, \"aggregateRating\": {{\"ratingValue\": 5}}"));
    let untyped = block(r##""@id": "#tea", "offers": {"price": 5}"##);
    hold(&[
        ("rich_results", &format!("{named}{rated}"), Passed),
        ("rich_results", &format!("{untyped}{named}"), Passed),
        ("rich_results", &format!("{named}{}", rated.replace("#tea", "#other")), Failed),
        ("rich_results", &format!("{named}{}", block(product)), Failed),
        ("rich_results", &block(product), NotApplicable),
        ("rich_results", &untyped, NotApplicable),
    ]);
    let twice = found("rich_results", &format!("{named}{named}"));
    assert_eq!(twice.errors, ["Product has no review or aggregateRating or offers"]);
}

#[test]
fn the_front_page_of_a_language_needs_no_word_of_its_title_in_its_path() {
    let page = |path: &str| format!("url https://shop.example{path}\n\n<title>Green tea from Kyoto</title>");
    for path in ["/de/", "/en-us", "/ch/fr/", "/zh-Hans/", "/index.html", "/index.php", "/Default.aspx"] {
        hold(&[("seo_friendly_url", &page(path), Passed)]);
    }
    for path in ["/de/x", "/tee", "/de/index.html", "/pt_br/", "/index-of-wares", "/ü1/"] {
        hold(&[("seo_friendly_url", &page(path), Failed)]);
    }
}

#[test]
fn a_user_of_a_host_before_a_path_or_port_is_no_mailbox() {
    hold(&[
        ("plaintext_email", "<pre>git clone git@code.example.com:tea/tea.git</pre>", Passed),
        ("plaintext_email", "<pre>postgres://tea:secret@db.example.com:5432/tea</pre>", Passed),
        ("plaintext_email", "<p>Mail:tea@shop.example", Failed),
        ("plaintext_email", "<p>For example name@example.com or a@mail.Example.org", Passed),
        ("plaintext_email", "<p>Write to tea@tea-example.com", Failed),
        ("plaintext_email", "<p>Write to tea@shop.example: we answer.", Failed),
    ]);
}

#[test]
fn wide_characters_say_as_much_as_two_letters() {
    let page = |title: &str, text: &str| format!("<title>{title}</title><meta name=description content='{text}'>");
    hold(&[
        ("title_quality", &page("日本茶専門店", ""), Passed),
        ("title_quality", &page("일본 녹차 가게", ""), Passed),
        ("title_quality", &page("日本茶", ""), Failed),
        ("title_quality", &page("Grüne Tee", ""), Failed),
        ("description_length", &page("", "京都の日本茶専門店。煎茶、玉露、抹茶などを全国にお届け。"), Passed),
        ("description_length", &page("", &"茶".repeat(161)), Note),
        ("description_length", &page("", "京都の日本茶"), Note),
    ]);
}

#[test]
fn the_current_page_and_a_link_that_is_switched_off_need_no_address() {
    hold(&[
        ("crawlable_links", "<a href=/>Tea</a><a aria-current=page>Green</a>", Passed),
        ("crawlable_links", "<a class='nav-link disabled' aria-disabled=true>Green</a>", NotApplicable),
        ("crawlable_links", "<a aria-disabled=false>Green</a>", Failed),
        ("crawlable_links", "<a>Green</a>", Failed),
        ("crawlable_links", "<a aria-current=page href='javascript:go()'>Green</a>", Failed),
        ("crawlable_links", "<a href=\"javascript:linkTo_UnCryptMailto('ocknvq')\">info(at)shop.example</a>", Passed),
    ]);
}

#[test]
fn the_front_page_of_another_site_may_be_the_canonical_one() {
    let page = |href: &str| format!("url https://shop.example/winter-tea\n\n<link rel=canonical href={href}>");
    hold(&[
        ("canonical", &page("https://winter-tea.example/"), Passed),
        ("canonical", &page("https://shop.example/"), Failed),
        ("canonical", &page("http://shop.example"), Failed),
        ("canonical", &page("https://www.shop.example/"), Failed),
    ]);
}

#[test]
fn what_is_in_the_body_by_mistake_is_not_called_missing() {
    // An element that does not belong into the head ends it.
    let page = |meta: &str| format!("<head><div></div>{meta}</head><p>Tea");
    let description = found("meta_description", &page("<meta name=description content=Tea>"));
    assert_eq!(description.errors, ["the meta description is in the body, which begins with <div>"]);
    let canonical = found("canonical", &page("<link rel=canonical href=https://shop.example/tea>"));
    assert_eq!((canonical.outcome, canonical.errors[0].as_str()), (Note, "the canonical URL is in the body"));
    assert_eq!(found("meta_description", &page("")).errors, ["the page has no meta description"]);
}

#[test]
fn a_word_for_the_default_is_no_misspelt_rule() {
    hold(&[
        ("robot_directives", "<meta name=robots content='index, dofollow'>", Passed),
        ("robot_directives", "<meta name=robots content='nofolow'>", Failed),
    ]);
}

#[test]
fn a_title_in_another_script_than_the_path_has_no_words_in_it() {
    let page = |path: &str, title: &str| format!("url https://shop.example{path}\n\n<title>{title}</title>");
    hold(&[
        ("seo_friendly_url", &page("/zelyonyj-chaj", "Зелёный чай"), Passed),
        ("seo_friendly_url", &page("/company", "会社概要"), Passed),
        ("seo_friendly_url", &page("/чай", "Зелёный чай"), Passed),
        ("seo_friendly_url", &page("/кофе", "Зелёный чай"), Failed),
        ("seo_friendly_url", &page("/company", "会社概要 Teahouse"), Failed),
    ]);
    let mixed = found("seo_friendly_url", &page("/company", "会社概要 Teahouse"));
    assert_eq!(mixed.errors, ["no word of the title is in the path: teahouse"]);
}

#[test]
fn anchors_with_another_role_are_no_links() {
    hold(&[
        ("crawlable_links", "<a role=button tabindex=0>Menu</a>", NotApplicable),
        ("crawlable_links", "<a role=button href='javascript:void(0)'>Menu</a><a href=/>Tea</a>", Passed),
        ("crawlable_links", "<a role=link href='javascript:void(0)'>Tea</a>", Failed),
    ]);
}

#[test]
fn things_that_an_article_only_names_need_no_fields_of_their_own() {
    let page = |field: &str| {
        format!(
            "<script type=application/ld+json>{{\"@context\": \"https://schema.org\", \"@type\": \"Article\", \
             \"headline\": \"Tea\", \"{field}\": {{\"@type\": \"Product\", \"name\": \"Sencha\"}}}}</script>"
        )
    };
    hold(&[
        ("rich_results", &page("about"), Passed),
        ("rich_results", &page("mentions"), Passed),
        ("rich_results", &page("isRelatedTo"), Passed),
        ("rich_results", &page("subEvent"), Passed),
        ("rich_results", &page("mainEntity"), Failed),
    ]);
}

#[test]
fn the_first_value_of_open_graph_takes_precedence() {
    let page = |images: [&str; 2]| {
        let metas = ["og:title", "og:type", "og:url"].map(|name| format!("<meta property={name} content=tea>"));
        let images = images.map(|image| format!("<meta property=og:image content='{image}'>"));
        format!("{}{}<p>Tea", metas.concat(), images.concat())
    };
    hold(&[
        ("open_graph", &page(["https://shop.example/a.png", ""]), Passed),
        ("open_graph", &page(["https://shop.example/a.png", "/b.png"]), Passed),
        ("open_graph", &page(["/a.png", "https://shop.example/b.png"]), Failed),
        ("open_graph", &page(["", "https://shop.example/b.png"]), Passed),
        ("structured_data", "<meta property=og:title content=''><p>Tea", Failed),
    ]);
}

#[test]
fn korean_words_are_found_with_other_particles() {
    let page = |text: &str| format!("<html lang=ko><title>교토에서 온 녹차</title><p>{text}");
    hold(&[
        ("content_keywords", &page("교토의 언덕에서 자란 녹차입니다."), Passed),
        ("content_keywords", &page("녹차를 팝니다."), Passed),
        ("content_keywords", &page("커피를 팝니다."), Failed),
    ]);
}

#[test]
fn a_button_or_the_image_of_a_heading_may_show_the_words_of_the_title() {
    hold(&[
        ("content_keywords", "<title>Sign in</title><form><input type=submit value='Sign in'></form>", Passed),
        ("content_keywords", "<title>Kyoto tea</title><h1><img src=a.svg alt='Kyoto tea'></h1><p>Welcome", Passed),
        ("content_keywords", "<title>Kyoto tea</title><h1 hidden>Kyoto tea</h1><p>Welcome", Failed),
    ]);
}

#[test]
fn a_name_from_a_program_is_no_vague_text_of_a_link() {
    let link = |text: &str| format!("<html lang=en><p>See <a href=/reference>{text}</a>.");
    hold(&[
        ("link_text", &link("<code>this</code>"), Passed),
        ("link_text", &link("<code>&lt;details&gt;</code>"), Passed),
        ("link_text", "<html lang=en><code><a href=/reference>this</a></code>", Passed),
        ("link_text", &link("this"), Failed),
        ("link_text", &link("<b>this</b>"), Failed),
    ]);
}
