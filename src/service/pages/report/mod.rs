//! The page of a report: its parts, and the template that joins them.

pub mod checks;
pub mod download;
pub mod history;
pub mod preview;

use askama::Template;
use axum::http::StatusCode;

use self::checks::{PageCategory, PageChecks, PageRepair};
use self::history::{HistoryChart, HistoryLine};
use self::preview::LinkPreview;
use super::html::{self, Frame, HtmlPage};
use super::language::{PageLanguage, PageTexts, fill};
use crate::api::contract;
use crate::domain::report::check::{Check, CheckOutcome};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::short_url;
use crate::domain::text::{Text, clean, fit, fit_middle};
use crate::service::handlers::errors::ErrorResponse;
use crate::service::store::rows::{DUPLICATES_AMONG, DuplicateCounts, HistoryRow, ReportRow};
use crate::service::store::values;

/// The longest page title, in cells.
const LONGEST_TITLE: usize = 60;
/// The longest heading, in cells: about six lines on a phone.
const LONGEST_HEADING: usize = 120;

#[derive(Template)]
#[template(path = "page.html", config = "assets/askama.toml")]
struct ReportPage<'a> {
    frame: Frame,
    t: &'a PageTexts,
    kind: String,
    title: &'a str,
    description: &'a str,
    /// Whether the page is public: search engines may index it, and shared links have an image.
    is_public: bool,
    /// The page's address, without its pass.
    address: &'a str,
    image: &'a str,
    /// The audited page: as a heading, as requested, and as a link if it is http or https.
    page: &'a str,
    url: &'a str,
    link: Option<&'a str>,
    project: &'a str,
    /// The result: its class, sign and word.
    class: &'static str,
    sign: &'static str,
    result: &'a str,
    score: i64,
    score_of: String,
    failed_of: String,
    /// Why the score is capped: the beginning of the sentence, the finding, and the score without the cap.
    capped: Option<(String, &'a str, String)>,
    audited_at: &'a str,
    audited: &'a str,
    repairs: Vec<PageRepair<'a>>,
    categories: Vec<PageCategory<'a>>,
    chart: Option<HistoryChart>,
    history: Vec<HistoryLine<'a>>,
    history_count: String,
    preview: Option<LinkPreview>,
    /// Notes about other pages of the project with the same texts; they do not affect the score.
    duplicates: Vec<String>,
}

/// Renders the page of a report. `origin` is the service's address, for absolute links.
pub fn report(
    row: &ReportRow,
    checks: &[Check],
    former: &[HistoryRow],
    duplicates: DuplicateCounts,
    origin: &str,
    language: &'static PageLanguage,
) -> Result<HtmlPage, ErrorResponse> {
    let (t, found) = (&language.page, PageChecks::new(checks, row.score, language));
    let (url, link) = (clean(&row.url), web_address(&row.url));
    let readable = Text::of_url(row.url.as_str());
    let short = short_url(readable.shown());
    let heading = fit_middle(short, LONGEST_HEADING);
    let title = fill(&t.title, &[("page", &short)]);
    let (class, result) = (values::result_name(row.rank), history::result_text(language, row.rank));
    let (sign, image) = sign_and_image(class);
    let (audited_at, audited) = history::format_time(row.generated_at);
    let failed = found.count(CheckOutcome::Failed);
    let judged = failed + found.count(CheckOutcome::Passed);
    let page = ReportPage {
        frame: Frame::new(language),
        t,
        kind: fill(&t.kind, &[("id", &row.id)]),
        title: &fit(&title, LONGEST_TITLE),
        description: &fill(
            &t.description,
            &[
                ("page", &heading),
                ("result", &result),
                ("score", &row.score),
                ("failed", &failed),
                ("judged", &judged),
                ("when", &audited),
            ],
        ),
        is_public: row.privacy == Privacy::Public.code(),
        address: &format!("{origin}{}", contract::report_page_path(&row.id.to_string())),
        image: &format!("{origin}{image}"),
        page: &heading,
        url: &url,
        link: link.as_deref(),
        project: &clean(&row.project),
        class,
        sign,
        result,
        score: row.score,
        score_of: fill(&t.score_of, &[("score", &row.score)]),
        failed_of: fill(&t.failed_of, &[("failed", &failed), ("judged", &judged)]),
        capped: found.capping().map(|check| {
            let because = fill(&t.capped, &[("score", &row.score), ("check", &found.title(check))]);
            let error = check.errors.first().map_or(found.title(check), |error| error.shown());
            (because, error, fill(&t.uncapped, &[("score", &found.uncapped())]))
        }),
        audited_at: &audited_at,
        audited: &audited,
        repairs: found.repairs(),
        categories: found.categories(),
        chart: history::chart(row, former, language),
        history: history::lines(row, former, language),
        history_count: fill(&t.former_results, &[("count", &former.len())]),
        preview: LinkPreview::of(checks),
        duplicates: [(duplicates.titles, &t.same_title), (duplicates.descriptions, &t.same_description)]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, text)| fill(text, &[("count", &count), ("among", &DUPLICATES_AMONG)]))
            .collect(),
    };
    html::write(StatusCode::OK, language, &page)
}

/// Returns the address if it is http or https; nothing else may get into an `href`.
fn web_address(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

/// Returns the sign of a result, and the path of its preview image.
fn sign_and_image(result: &str) -> (&'static str, &'static str) {
    match result {
        "good" => ("✓", contract::GOOD_IMAGE),
        "decent" => ("~", contract::DECENT_IMAGE),
        _ => ("✗", contract::BAD_IMAGE),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::json;

    pub(in crate::service::pages) fn row(url: &str) -> ReportRow {
        ReportRow {
            id: 12,
            url: url.to_owned(),
            project: "shop.example\"><script>".into(),
            rank: 0,
            score: 31,
            generated_at: 0,
            created_at: 0,
            updated_at: 0,
            privacy: 0,
            has_password: false,
            fetch_error: None,
            failed: "title".to_owned(),
        }
    }

    fn html(url: &str, stored: &str, language: &str) -> String {
        let headers = [(axum::http::header::ACCEPT_LANGUAGE, language.parse().unwrap())].into_iter().collect();
        let checks = checks::read(stored).unwrap();
        let (duplicates, language) = (DuplicateCounts::default(), PageLanguage::of_request(&headers));
        report(&row(url), &checks, &[], duplicates, "http://127.0.0.1", language).unwrap().into_html()
    }

    #[test]
    fn nothing_from_outside_becomes_markup() {
        let hostile = "'\"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\u{202e}";
        let checks = json!({ "title": {"outcome": "failed", "importance": hostile, "category": hostile,
                                       "value": {"title": hostile}, "errors": [hostile]},
                              "open_graph": {"outcome": "failed", "value": {"og:image": hostile, hostile: hostile}},
                              hostile: {"outcome": "passed", "errors": []} });
        for language in ["en", "de"] {
            let html = html(&format!("https://shop.example/{hostile}"), &checks.to_string(), language);
            let tree = scraper::Html::parse_document(&html);
            let found = |selector: &str| tree.select(&scraper::Selector::parse(selector).unwrap()).count();
            assert_eq!((found("script"), found("img"), found("[onerror]"), found("style")), (0, 0, 0, 1));
            assert_eq!(found("[style]"), 0, "the policy forbids style attributes");
            assert!(!html.contains('\u{202e}'));
            assert!(found("main h1") == 1 && found("head > title") == 1);
            let title = scraper::Selector::parse("head > title").unwrap();
            let title: String = tree.select(&title).flat_map(|title| title.text()).collect();
            let begins = if language == "en" { "Report: shop.example/'" } else { "Bericht: shop.example/'" };
            assert!(title.starts_with(begins) && title.chars().count() <= LONGEST_TITLE, "{title}");
        }
    }

    #[test]
    fn a_long_url_is_shortened_in_the_heading_and_complete_in_the_link() {
        let url = format!("https://shop.example/tea?{}&end=1", "utm_source=newsletter&".repeat(80));
        let tree = scraper::Html::parse_document(&html(&url, "{}", "en"));
        let text = |selector: &str| -> String {
            tree.select(&scraper::Selector::parse(selector).unwrap()).flat_map(|found| found.text()).collect()
        };
        let heading = text("h1");
        assert!(heading.starts_with("shop.example/tea?") && heading.ends_with("&end=1"), "{heading}");
        assert!(heading.chars().count() <= LONGEST_HEADING, "{heading}");
        assert_eq!(text("dd a"), url);
        let description = scraper::Selector::parse("meta[name=description]").unwrap();
        let description = tree.select(&description).next().and_then(|meta| meta.attr("content")).unwrap();
        assert!(description.contains(&heading) && !description.contains(&url), "{description}");
    }

    #[test]
    fn a_report_of_an_earlier_version_has_a_page() {
        let stored = json!({ "title": {"outcome": "failed"}, "gone_check": {"outcome": "odd", "errors": ["x"]},
                             "csp": {"outcome": "passed", "category": "security", "importance": "unknown"} });
        let html = html("https://shop.example/", &stored.to_string(), "en");
        for text in ["1 of 2 checks failed", "gone_check", "Content security policy"] {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert!(!html.contains("points</span>"), "without weights nothing is known of the score");
        assert!(!html.contains("Earlier audits") && !html.contains("In search results"));
    }

    #[test]
    fn only_web_addresses_become_links() {
        for (url, expected) in [("https://shop.example/", 1), ("javascript:alert(1)", 0), ("shop.example", 0)] {
            let links = html(url, "{}", "en").matches("<a href=\"http").count();
            assert_eq!(links, expected, "{url}");
        }
    }

    #[test]
    fn the_page_counts_the_findings_that_it_does_not_list() {
        let page = |errors: &[String]| {
            let checks = json!({ "image_keywords": {"outcome": "failed", "category": "seo", "errors": errors} });
            html("https://shop.example/", &checks.to_string(), "en")
        };
        let more = ["and 20 more".to_owned()];
        let listed: Vec<String> = (1..=20).map(|number| format!("no alt: <img {number}>")).collect();
        let images = page(&[&listed[..], &more[..]].concat());
        for text in ["40 × ", "<summary>37 more</summary>", "<li>and 20 more</li>"] {
            assert!(images.contains(text), "{text}: {images}");
        }
        assert!(!page(&listed).contains("<li>and "), "all are listed");
        let different: Vec<String> = (1..=20).map(|number| format!("<img {number}> has no alt")).collect();
        let images = page(&[&different[..], &more[..]].concat());
        assert!(images.contains("<summary>37 more</summary>"), "{images}");
    }

    #[test]
    fn the_page_is_in_the_language_and_findings_are_marked_as_english() {
        let checks = json!({ "title": {"outcome": "failed", "importance": "high", "category": "seo",
                                       "value": {"title": "Tea"}, "errors": ["the page has 2 titles"]} });
        let german = html("https://shop.example/", &checks.to_string(), "de-AT,de;q=0.9,en;q=0.5");
        let texts =
            ["<html lang=\"de\">", "Zuerst beheben", "Bestanden, wenn", "<bdi lang=\"en\">the page has 2 titles</bdi>"];
        for text in texts {
            assert!(german.contains(text), "{text}: {german}");
        }
        assert!(!german.contains("Fix first"));
    }
}
