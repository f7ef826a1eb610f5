//! Error pages with a success status: uncaught errors of programs, failed database connections, default pages of
//! servers, "page not found".
//!
//! Pages that explain such errors must not fail. A text therefore counts only if the page has few other words, and not
//! in the middle of the text; code, quotations, navigation and footers are ignored.

use serde_json::json;

use crate::audit::checks::check_result::{CheckResult, shortened};
use crate::audit::checks::document::broken::error_phrases::{
    AMBIGUOUS_STATUSES, BEGINNINGS, ERROR_PAGE_TEXTS, LONE_MESSAGES, PARTS, SENTENCES, STATUS_TEXTS, STATUS_WORDS,
    TITLE_BEGINNINGS, TITLE_ENDS, TITLES, WHOLE_TEXTS, WORDS_FOR_PAGE,
};
use crate::audit::checks::document::broken::program_messages::php_messages;
use crate::audit::fetch::response::HttpResponse;
use crate::audit::page::AuditedPage;
use crate::audit::page::tree::PageTree;
use crate::audit::text::keywords::count_words;

/// Elements whose text is not the page's content: code, quotations, navigation and the like.
const NOT_CONTENT: [&str; 13] =
    ["code", "pre", "samp", "kbd", "blockquote", "q", "nav", "header", "footer", "aside", "textarea", "select", "dl"];
/// The most words of a page on which an error text is the main content.
const FEW_WORDS: usize = 150;
/// The most words of a page with a status text, which may also be the heading of a short glossary entry.
const WORDS_BESIDE_A_STATUS: usize = 60;
/// With at most this many words outside of code, the code is the content of the page.
const WORDS_OF_AN_INTRODUCTION: usize = 15;
/// The longest non-HTML text that is examined, in bytes.
const LONGEST_PLAIN_TEXT: usize = 4_096;
/// How many bytes of a message are examined; longer ones begin with their subject.
const LONGEST_MESSAGE: usize = 16 * 1024;
/// The most words of the name of a system in the title of a test page.
const WORDS_OF_A_SYSTEM: usize = 6;
/// How many headings are examined.
const MOST_HEADINGS: usize = 3;
/// Separators between the parts of a title.
const TITLE_SEPARATORS: [&str; 9] = [" | ", " – ", " — ", " - ", " · ", " :: ", " » ", ": ", " • "];

pub(super) fn error_text(page: &AuditedPage, response: &HttpResponse) -> CheckResult {
    // The status check already fails for other statuses.
    if !(200..300).contains(&response.status) {
        return CheckResult::not_applicable();
    }
    let found = match &page.tree {
        Some(tree) => error_of_page(page, tree),
        None => error_of_plain_text(page),
    };
    match found {
        Some(text) => {
            let error = format!("the page responds with status {} and says \u{201c}{text}\u{201d}", response.status);
            CheckResult::failed(json!(text), error)
        }
        None => CheckResult::passed(json!(null)),
    }
}

fn error_of_plain_text(page: &AuditedPage) -> Option<String> {
    let response = page.response().filter(|response| response.body.len() <= LONGEST_PLAIN_TEXT)?;
    let is_text = response.header("content-type").is_some_and(|kind| kind.starts_with("text/plain"));
    let text = String::from_utf8_lossy(&response.body);
    let normal = normalize(&text);
    let is_error = begins_with_error(&normal) || STATUS_TEXTS.contains(&without_status(&normal));
    (is_text && is_error).then(|| start_of(&text))
}

fn error_of_page(page: &AuditedPage, tree: &PageTree) -> Option<String> {
    let title = page.title().unwrap_or_default();
    if let Some(recognised) = recognised_by_title(&title, &page.seen_text) {
        return Some(recognised);
    }
    if let Some(message) = php_messages(tree).into_iter().find(|message| message.is_fatal) {
        return Some(message.text);
    }
    let outside = tree.seen_text_outside(|element| NOT_CONTENT.contains(&&*element.name));
    let words = count_words(&outside);
    if words > FEW_WORDS {
        return None;
    }
    // A few words may be megabytes.
    let outside = &outside[..outside.floor_char_boundary(LONGEST_MESSAGE)];
    let headings = tree.named("h1").chain(tree.named("h2")).filter(|heading| !heading.unseen).take(MOST_HEADINGS);
    let headings: Vec<String> = headings.map(|heading| tree.seen_text_of(heading)).collect();
    // On a page of code only, the message is in the code.
    let all = &page.seen_text[..page.seen_text.floor_char_boundary(LONGEST_MESSAGE)];
    let all_of_it = if words <= WORDS_OF_AN_INTRODUCTION { all } else { "" };
    let whole = normalize(all_of_it);
    if WHOLE_TEXTS.contains(&whole.as_str()) || LONE_MESSAGES.iter().any(|message| whole.starts_with(message)) {
        return Some(start_of(all_of_it));
    }
    let places = headings.iter().map(String::as_str).chain([outside, all_of_it]);
    if let Some(place) = places.into_iter().find(|place| begins_with_error(&normalize(place))) {
        return Some(start_of(place));
    }
    for text in [outside, all_of_it] {
        let normal = normalize(text);
        if let Some(part) = PARTS.iter().find(|part| normal.contains(**part)) {
            return Some((*part).to_owned());
        }
    }
    status_text(&title, &headings, outside, words)
}

/// Recognises default pages and debugger pages by title or sentence.
fn recognised_by_title(title: &str, seen_text: &str) -> Option<String> {
    let normal = normalize(title);
    let rest = TITLE_BEGINNINGS.iter().find_map(|beginning| normal.strip_prefix(beginning));
    let is_test_page = rest.is_some_and(|rest| rest.split(' ').count() <= WORDS_OF_A_SYSTEM);
    let by_title =
        is_test_page || TITLES.contains(&normal.as_str()) || TITLE_ENDS.iter().any(|end| normal.ends_with(end));
    if by_title {
        return Some(start_of(title));
    }
    let is_short = seen_text.len() <= LONGEST_MESSAGE && count_words(seen_text) <= 2 * FEW_WORDS;
    if !is_short && !normal.contains(" at /") {
        return None;
    }
    let text = normalize(seen_text);
    let by_sentence = SENTENCES.iter().find(|sentence| text.contains(**sentence));
    by_sentence.map(|sentence| (*sentence).to_owned())
}

/// Recognises texts such as "Page not found": as title and heading of a page with few words, or as its only heading.
fn status_text(title: &str, headings: &[String], outside: &str, words: usize) -> Option<String> {
    let title_statuses = status_parts(title);
    let heading = headings.iter().find(|heading| !status_parts(heading).is_empty());
    let normal = normalize(outside);
    let beginning = without_status(&normal);
    // A single word is the beginning of many sentences.
    let begins = STATUS_TEXTS.iter().any(|text| text.contains(' ') && beginning.starts_with(text));
    let is_bare = |text: &str| STATUS_WORDS.contains(&without_status(&normalize(text)));
    let is_ambiguous = |text: &str| AMBIGUOUS_STATUSES.contains(&text);
    let has_only_a_status =
        words <= WORDS_OF_AN_INTRODUCTION && (title.trim().is_empty() || is_ambiguous(&normalize(title)));
    let is_explained =
        STATUS_TEXTS.iter().chain(&ERROR_PAGE_TEXTS).any(|text| !is_ambiguous(text) && normal.contains(text));
    let mut statuses = title_statuses.iter().cloned().chain(heading.into_iter().flat_map(|text| status_parts(text)));
    let is_error = has_only_a_status || is_explained || statuses.any(|status| !is_ambiguous(&status));
    // The heading may be in words of the site's own.
    let names_status = title_statuses.iter().any(|status| !STATUS_WORDS.contains(&status.as_str()));
    let is_missing_page = |status: &String| WORDS_FOR_PAGE.iter().any(|word| status.contains(word));
    let both_say_so = title_statuses.iter().any(is_missing_page)
        && heading.is_some_and(|text| status_parts(text).iter().any(is_missing_page));
    match heading {
        _ if !is_error || (words > WORDS_BESIDE_A_STATUS && !both_say_so) => None,
        Some(heading) if !title_statuses.is_empty() || title.trim().is_empty() || !is_bare(heading) => {
            Some(start_of(heading))
        }
        None if !title_statuses.is_empty() && (headings.is_empty() || begins) => Some(start_of(title)),
        None if begins && headings.is_empty() => Some(start_of(outside)),
        None if names_status && ERROR_PAGE_TEXTS.iter().any(|text| normal.contains(text)) => Some(start_of(title)),
        Some(_) | None => None,
    }
}

/// Returns the parts of a title or heading that are only a status text, and the whole if it is one.
fn status_parts(text: &str) -> Vec<String> {
    let whole = normalize(text);
    let mut parts = vec![whole.clone()];
    for separator in TITLE_SEPARATORS {
        parts = parts.iter().flat_map(|part| part.split(separator)).map(str::to_owned).collect();
    }
    parts.push(whole);
    let is_code = |part: &String| {
        matches!(part.trim_start_matches("error ").trim_start_matches("http "), "404" | "500" | "502" | "503" | "403")
    };
    parts.retain(|part| is_code(part) || STATUS_TEXTS.contains(&without_status(part)));
    parts
}

/// Removes status codes and the words around them: "HTTP 404: Not found." becomes "not found".
fn without_status(normal: &str) -> &str {
    let is_around = |sign: char| sign.is_ascii_digit() || sign.is_whitespace() || "-–—:.!…()#|・。".contains(sign);
    let text = normal.trim_matches(is_around);
    let text = text.strip_prefix("http error").or_else(|| text.strip_prefix("http")).unwrap_or(text);
    let bare = text.trim_matches(is_around);
    match bare.strip_prefix("error ") {
        Some(rest) if rest.starts_with(|sign: char| sign.is_ascii_digit()) => rest.trim_matches(is_around),
        Some(_) | None => bare,
    }
}

fn begins_with_error(normal: &str) -> bool {
    BEGINNINGS.iter().any(|beginning| normal.starts_with(beginning)) || normal == "it works!"
}

/// Normalises to lower case, straight apostrophes and single spaces.
fn normalize(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").replace(['\u{2019}', '\u{2018}', '`'], "'").replace(['\u{201c}', '\u{201d}'], "\"")
}

/// Truncates a text for a message.
fn start_of(text: &str) -> String {
    shortened(text.trim(), 120)
}

#[cfg(test)]
#[path = "error_text_tests.rs"]
mod tests;
