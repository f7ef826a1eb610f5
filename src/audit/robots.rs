//! Parses and matches robots.txt (RFC 9309).

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::audit::fetch::guard::MAX_URL_LENGTH;
use crate::audit::fetch::response::HttpResponse;

/// The bytes of robots.txt that crawlers must parse (RFC 9309, 2.5); some ignore the rest.
pub(in crate::audit) const LONGEST_ROBOTS: usize = 500 * 1024;
/// The compared bytes of a path. A redirect may lead to one of 64 KiB, in which every rule is searched for.
const LONGEST_PATH: usize = MAX_URL_LENGTH;
/// The most invalid lines that are kept; further ones are only counted.
const MOST_INVALID_LINES: usize = 50;

/// An allow or disallow rule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RobotsRule {
    allows: bool,
    pattern: String,
}

/// The rules for one or more user agents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct RobotsGroup {
    agents: Vec<String>,
    rules: Vec<RobotsRule>,
}

/// A line that crawlers skip or misread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRobotsLine {
    /// Line number, from 1.
    pub number: usize,
    /// The line without its comment.
    pub line: String,
    /// What is wrong, as the end of a sentence.
    pub why: &'static str,
}

/// A parsed robots.txt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RobotsTxt {
    /// The sitemaps it names, in order.
    pub sitemaps: Vec<String>,
    /// The first lines that violate the grammar, at most 50.
    pub invalid_lines: Vec<InvalidRobotsLine>,
    /// The number of further lines that violate it.
    pub further_invalid_lines: usize,
    groups: Vec<RobotsGroup>,
}

impl RobotsTxt {
    /// Parses the text of a response; `None` for a status other than 2xx.
    pub(in crate::audit) fn of_response(response: &HttpResponse) -> Option<Self> {
        text_of(response).map(|text| Self::parse(&text))
    }

    /// Parses a file. Invalid lines are skipped and listed.
    pub fn parse(text: &str) -> Self {
        let mut robots = Self::default();
        let mut collecting_agents = false;
        for (index, line) in lines(text).enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            match line_error(line, robots.groups.is_empty()) {
                None => {}
                Some(_) if robots.invalid_lines.len() == MOST_INVALID_LINES => robots.further_invalid_lines += 1,
                Some(why) => {
                    robots.invalid_lines.push(InvalidRobotsLine { number: index + 1, line: line.to_owned(), why });
                }
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if !collecting_agents {
                        robots.groups.push(RobotsGroup::default());
                    }
                    collecting_agents = true;
                    if let Some(group) = robots.groups.last_mut() {
                        group.agents.push(product_token(value));
                    }
                }
                "sitemap" => robots.sitemaps.push(value.to_owned()),
                field @ ("allow" | "disallow") => {
                    collecting_agents = false;
                    robots.add_rule(field == "allow", value);
                }
                // Crawl-delay and other extensions do not end a group.
                _ => {}
            }
        }
        robots
    }

    fn add_rule(&mut self, allows: bool, value: &str) {
        // An empty pattern matches nothing: `Disallow:` allows everything.
        if let Some(group) = self.groups.last_mut().filter(|_| !value.is_empty()) {
            group.rules.push(RobotsRule { allows, pattern: normalize_percent_escapes(value) });
        }
    }

    /// Returns the rule that forbids a path (with its query) to the user agent; `None` when it is allowed.
    pub fn disallowed_by(&self, agent: &str, path: &str) -> Option<&str> {
        let path = normalize_percent_escapes(&path[..path.floor_char_boundary(LONGEST_PATH)]);
        let own: Vec<&RobotsGroup> = self.groups_of(&agent.to_ascii_lowercase());
        let groups = if own.is_empty() { self.groups_of("*") } else { own };
        let matching = groups.iter().flat_map(|group| &group.rules).filter(|rule| matches(&rule.pattern, &path));
        // The longest pattern decides; of two equally long ones, Allow (RFC 9309, 2.2.2).
        let deciding = matching.max_by_key(|rule| (rule.pattern.len(), rule.allows))?;
        (!deciding.allows).then_some(deciding.pattern.as_str())
    }

    fn groups_of(&self, agent: &str) -> Vec<&RobotsGroup> {
        self.groups.iter().filter(|group| group.agents.iter().any(|own| own == agent)).collect()
    }
}

/// Returns the text that crawlers parse, up to [`LONGEST_ROBOTS`] and without a byte order mark; `None` for a status
/// other than 2xx.
pub(in crate::audit) fn text_of(response: &HttpResponse) -> Option<Cow<'_, str>> {
    let start = &response.body[..response.body.len().min(LONGEST_ROBOTS)];
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    (200..300).contains(&response.status).then(|| String::from_utf8_lossy(start))
}

/// Splits a text into lines. CR, LF and CRLF all end one (RFC 9309, 2.2: `EOL`).
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split("\r\n").flat_map(|part| part.split(['\r', '\n']))
}

/// Returns the robot that a `user-agent` line names, in lower case: letters, `_` and `-` (RFC 9309, 2.2.1), or `*`.
/// Crawlers skip what follows, such as the version in `Googlebot/2.1`.
fn product_token(value: &str) -> String {
    let end = value.find(|sign: char| !(sign.is_ascii_alphabetic() || matches!(sign, '_' | '-')));
    let token = &value[..end.unwrap_or(value.len())];
    let token = if token.is_empty() { value.split_whitespace().next().unwrap_or_default() } else { token };
    token.to_ascii_lowercase()
}

/// Whether the text can be the name of a field. The standard leaves it open; fields in use are words like
/// `Crawl-delay`, and a line of JSON or HTML that contains a colon is not a field.
fn is_field_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|character| character.is_alphanumeric() || " -_.".contains(character))
}

/// Returns the violation of the grammar (RFC 9309, 2.2) or of the sitemaps protocol in a line.
///
/// Unknown fields are valid: "crawlers may interpret other records".
fn line_error(line: &str, is_before_any_robot: bool) -> Option<&'static str> {
    let Some((name, value)) = line.split_once(':') else { return Some("is not a field and a value") };
    let (name, value) = (name.trim(), value.trim());
    if !is_field_name(name) {
        return Some("is not a field and a value");
    }
    match name.to_ascii_lowercase().as_str() {
        "user-agent" if value.is_empty() => Some("names no robot"),
        "allow" | "disallow" if is_before_any_robot => Some("precedes any user-agent"),
        "allow" | "disallow" if !value.is_empty() && !value.starts_with(['/', '*']) => Some("does not begin with a /"),
        "sitemap" if url::Url::parse(value).is_err() => Some("is not an absolute URL"),
        _ => None,
    }
}

/// Normalizes percent escapes, so that two spellings of a path compare equal: those of unreserved characters decoded,
/// others in upper case, non-ASCII bytes escaped (RFC 9309, 2.2.2).
fn normalize_percent_escapes(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = escaped_byte(rest);
        let byte = escaped.unwrap_or(*first);
        let is_plain = match escaped {
            Some(byte) => byte.is_ascii_alphanumeric() || b"-._~".contains(&byte),
            None => byte.is_ascii(),
        };
        if is_plain {
            normal.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(normal, "%{byte:02X}");
        }
        rest = if escaped.is_some() { &rest[3..] } else { after };
    }
    normal
}

/// Returns the byte that a percent escape at the start stands for.
fn escaped_byte(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()
}

/// Whether the pattern matches the start of the path; `*` matches anything, a final `$` the end.
///
/// Greedy from left to right with a single backtracking point: never exponential.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix('$') {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let mut last = None;
    for piece in pieces {
        if let Some(former) = last.replace(piece) {
            let Some(at) = rest.find(former) else { return false };
            rest = &rest[at + former.len()..];
        }
    }
    match (last, anchored) {
        (None, false) => true,
        (None, true) => rest.is_empty(),
        (Some(piece), false) => rest.contains(piece),
        (Some(piece), true) => rest.ends_with(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may(robots: &str, path: &str) -> bool {
        RobotsTxt::parse(robots).disallowed_by("reportdeck", path).is_none()
    }

    #[test]
    fn the_examples_of_the_standard_hold() {
        for (rule, path, expected) in [
            ("Disallow: /", "/", false),
            ("Disallow:", "/", true),
            ("Disallow: /fish", "/fish.html", false),
            ("Disallow: /fish", "/Fish", true),
            ("Disallow: /fish/", "/fish", true),
            ("Disallow: /*.php", "/folder/any.php.file.html", false),
            ("Disallow: /*.php$", "/index.php?x=1", true),
            ("Disallow: /*.php$", "/folder/index.php", false),
            ("Disallow: /fish*.php", "/fishheads/catfish.php?parameters", false),
            ("Disallow: /p\nAllow: /page", "/page", true),
            ("Allow: /folder\nDisallow: /folder", "/folder/page", true),
            ("Allow: /page\nDisallow: /*.htm", "/page.htm", false),
            ("Disallow: /a%3cd.html", "/a%3Cd.html", false),
            ("Disallow: /bücher", "/b%C3%BCcher", false),
            ("Disallow: /*/x/*$", "/a/x/", false),
            ("Disallow: /$", "/", false),
            ("Disallow: /$", "/x", true),
        ] {
            assert_eq!(may(&format!("User-agent: *\n{rule}"), path), expected, "{rule} {path}");
        }
    }

    #[test]
    fn the_most_specific_group_applies_and_equal_groups_are_merged() {
        let robots = "User-agent: other\nUser-Agent: ReportDeck\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\
                      # more\nuser-agent: reportdeck\ndisallow: /b # here too";
        for (path, expected) in [("/a", false), ("/b", false), ("/c", true)] {
            assert_eq!(may(robots, path), expected, "{path}");
        }
        assert!(may("", "/anything"));
        assert!(may("Disallow: /", "/x"), "a rule before any robot's name holds for nobody");
    }

    #[test]
    fn a_line_ends_with_cr_lf_or_both() {
        for end in ["\r", "\n", "\r\n"] {
            let text = ["User-agent: *", "Disallow: /tea", "nonsense", "Sitemap: https://shop.example/s.xml"].join(end);
            assert!(!may(&text, "/tea"), "{end:?}");
            let robots = RobotsTxt::parse(&text);
            assert_eq!(robots.sitemaps, ["https://shop.example/s.xml"], "{end:?}");
            assert_eq!(robots.invalid_lines.iter().map(|line| line.number).collect::<Vec<_>>(), [3], "{end:?}");
        }
    }

    #[test]
    fn json_is_not_a_robots_txt() {
        for text in [r#"{"error": "not found"}"#, "{\n  \"user-agent\": \"*\",\n  \"disallow\": \"/\"\n}", "[]", "{}"] {
            let robots = RobotsTxt::parse(text);
            assert_eq!(robots.invalid_lines.first().map(|line| line.why), Some("is not a field and a value"), "{text}");
            assert_eq!(robots.disallowed_by("reportdeck", "/"), None, "{text}");
        }
    }

    #[test]
    fn the_start_of_a_successful_response_is_parsed() {
        let text = format!("User-agent: *\nDisallow: /tea\n{}\nDisallow: /late", "#".repeat(LONGEST_ROBOTS));
        let mut response = HttpResponse::of_body("text/plain", text.as_bytes());
        for (status, expected) in [(200, true), (203, true), (404, false), (301, false)] {
            response.status = status;
            let robots = RobotsTxt::of_response(&response);
            assert_eq!(robots.is_some(), expected, "{status}");
            let forbidden = |path| robots.as_ref().is_some_and(|robots| robots.disallowed_by("*", path).is_some());
            assert_eq!((forbidden("/tea"), forbidden("/late")), (expected, false), "{status}");
        }
    }

    #[test]
    fn invalid_lines_beyond_the_maximum_are_counted() {
        let robots = RobotsTxt::parse(&"x\n".repeat(10_000));
        assert_eq!((robots.invalid_lines.len(), robots.further_invalid_lines), (50, 9_950));
    }

    #[test]
    fn sitemaps_and_invalid_lines_are_reported() {
        let robots = RobotsTxt::parse(
            "Sitemap: https://shop.example/s.xml\n<html>\nUser-agent: *\nCrawl-delay: 5\nDisallow: /x",
        );
        assert_eq!(robots.sitemaps, ["https://shop.example/s.xml"]);
        assert_eq!(
            robots.invalid_lines.iter().map(|line| (line.number, line.line.as_str())).collect::<Vec<_>>(),
            [(2, "<html>")]
        );
        for (text, why) in [
            ("Disallow: /x", "precedes any user-agent"),
            ("User-agent: *\nDisallow: x", "does not begin with a /"),
            ("User-agent:\nDisallow: /x", "names no robot"),
            ("Sitemap: /map.xml", "is not an absolute URL"),
        ] {
            assert_eq!(
                RobotsTxt::parse(text).invalid_lines.iter().map(|line| line.why).collect::<Vec<_>>(),
                [why],
                "{text}"
            );
        }
        for text in ["User-agent: *\nDisallow:\nDisallow: *.php$\nTea-time: 5", ""] {
            assert_eq!(RobotsTxt::parse(text).invalid_lines, [], "{text}");
        }
        assert!(robots.disallowed_by("reportdeck", "/x").is_some());
    }
}
