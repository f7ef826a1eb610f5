//! The languages of the report page, chosen by `Accept-Language`.
//!
//! To add a language, add a file to `assets/report_page/texts` and a line to [`LANGUAGES`]; the tests name what is
//! missing. The findings of checks are stored in English and not translated.

mod texts;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::{HeaderMap, header};

pub use texts::{AccessTexts, CheckTexts, PageLanguage, PageTexts, fill};

use crate::audit::EXPLANATIONS;
use crate::domain::report::check::Explanation;

/// The tag and the file of each language. The first one is the default.
const LANGUAGES: [(&str, &str); 2] = [
    ("en", include_str!("../../../../assets/report_page/texts/en.toml")),
    ("de", include_str!("../../../../assets/report_page/texts/de.toml")),
];

static PARSED: LazyLock<Vec<PageLanguage>> = LazyLock::new(|| {
    let read = |(tag, file): &(&'static str, &str)| {
        let mut language = parse(file).unwrap_or_else(|error| {
            // A test parses every file, so this is unreachable in a tested build.
            tracing::error!(%error, tag, "a language file cannot be read");
            PageLanguage::default()
        });
        if language.checks.is_empty() {
            language.checks = english_checks();
        }
        PageLanguage { tag, ..language }
    };
    LANGUAGES.iter().map(read).collect()
});

/// Parses the file of a language. By way of a JSON value, because decoding the texts straight from TOML is compiled three
/// times.
fn parse(file: &str) -> anyhow::Result<PageLanguage> {
    Ok(serde_json::from_value(toml::from_str(file)?)?)
}

fn english_checks() -> BTreeMap<String, CheckTexts> {
    let texts = |explanation: &Explanation| CheckTexts {
        title: explanation.title.to_owned(),
        remedy: explanation.remedy.to_owned(),
        passes_when: explanation.passes_when.to_owned(),
    };
    EXPLANATIONS.iter().map(|(id, explanation)| ((*id).to_owned(), texts(explanation))).collect()
}

impl PageLanguage {
    /// Returns the language that the request's headers prefer, or English.
    pub fn of_request(headers: &HeaderMap) -> &'static Self {
        let sent = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
        let tags: Vec<&str> = LANGUAGES.iter().map(|(tag, _)| *tag).collect();
        &PARSED[preferred(&sent.collect::<Vec<_>>().join(","), &tags)]
    }

    /// Returns English.
    pub fn english() -> &'static Self {
        &PARSED[0]
    }
}

/// Returns the index of the offered tag with the highest weight in an `Accept-Language` value (RFC 9110, 12.5.4).
/// `de-AT` also matches `de`, and `*` the first tag that is not named. At equal weight the range that comes first in
/// the header wins. 0 if none is accepted.
fn preferred(accepted: &str, offered: &[&str]) -> usize {
    let ranges: Vec<(&str, u16)> = accepted.split(',').filter_map(range).collect();
    let primary = |range: &str| range.split('-').next().unwrap_or_default().to_ascii_lowercase();
    // The position in the header breaks ties, so that the order of `LANGUAGES` does not.
    let weigh = |(place, tag): (usize, &&str)| {
        let exact = ranges.iter().filter(|(range, _)| primary(range) == *tag).map(|(_, weight)| *weight).max();
        let any = ranges.iter().find(|(range, _)| *range == "*").map(|(_, weight)| *weight);
        let weight = exact.or(any).filter(|weight| *weight > 0)?;
        let at = ranges.iter().position(|(range, _)| primary(range) == *tag).unwrap_or(ranges.len());
        Some((weight, std::cmp::Reverse((at, place))))
    };
    let best = offered.iter().enumerate().filter_map(weigh).max();
    best.map_or(0, |(_, std::cmp::Reverse((_, place)))| place)
}

/// Parses one range and its weight in thousandths; `None` if the weight is malformed.
fn range(part: &str) -> Option<(&str, u16)> {
    let mut pieces = part.split(';').map(str::trim);
    let tag = pieces.next().filter(|tag| !tag.is_empty())?;
    let weight = pieces.find_map(|piece| piece.strip_prefix("q=").or_else(|| piece.strip_prefix("Q=")));
    Some((tag, weight.map_or(Some(1000), thousandths)?))
}

/// Parses a weight from 0 to 1 with at most three decimals, in thousandths.
fn thousandths(weight: &str) -> Option<u16> {
    let (whole, decimals) = weight.trim().split_once('.').unwrap_or((weight.trim(), ""));
    let is_weight =
        matches!(whole, "0" | "1") && decimals.len() <= 3 && decimals.bytes().all(|byte| byte.is_ascii_digit());
    let weight = is_weight.then(|| format!("{whole}{decimals:0<3}").parse().ok())??;
    (weight <= 1000).then_some(weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_check_has_a_title_a_remedy_and_a_threshold_in_every_language() {
        for (tag, file) in LANGUAGES {
            let file = parse(file).unwrap_or_else(|error| panic!("{tag}: {error}"));
            if tag == "en" {
                assert!(file.checks.is_empty(), "English texts of checks stand in the table of checks");
                continue;
            }
            for id in EXPLANATIONS.keys() {
                let texts = file.checks.get(*id).unwrap_or_else(|| panic!("{tag}.toml has no [checks.{id}]"));
                for text in [&texts.title, &texts.remedy, &texts.passes_when] {
                    assert!(!text.trim().is_empty(), "{tag}: {id}");
                }
            }
            for id in file.checks.keys() {
                assert!(EXPLANATIONS.contains_key(&**id), "{tag}.toml describes {id}, which is no check");
            }
        }
    }

    #[test]
    fn names_of_categories_fit_below_their_gauges() {
        for (tag, file) in LANGUAGES {
            let file = parse(file).unwrap();
            let texts = &file.page;
            for name in [&texts.seo, &texts.performance, &texts.security, &texts.accessibility, &texts.other] {
                let longest = name.split([' ', '\u{ad}']).map(|part| part.chars().count()).max();
                assert!(longest <= Some(13), "{tag}: {name}");
            }
        }
    }

    #[test]
    fn texts_of_all_languages_name_the_values_that_the_english_ones_name() {
        let texts = |file: &str| -> toml::Table { toml::from_str(file).unwrap() };
        let names = |text: &str| {
            let parts = text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0.to_owned()));
            // The check's name is part of the English error already.
            parts.filter(|name| name != "check").collect::<std::collections::BTreeSet<_>>()
        };
        let english = texts(LANGUAGES[0].1);
        for (tag, file) in LANGUAGES {
            let file = texts(file);
            for section in ["page", "access"] {
                for (key, text) in file[section].as_table().unwrap() {
                    let english = english[section][key].as_str().unwrap();
                    assert_eq!(names(text.as_str().unwrap()), names(english), "{tag}: {key}");
                }
            }
        }
    }

    #[test]
    fn the_preferred_language_follows_the_weights_of_the_header() {
        let table = [
            ("", "en"),
            ("de", "de"),
            ("DE-at, en;q=0.9", "de"),
            ("fr, de;q=0.3", "de"),
            ("en;q=0.8,de;q=0.9", "de"),
            ("de;q=0.5,en;q=0.5", "de"),
            ("en;q=0.5,de;q=0.5", "en"),
            ("fr, *;q=0.1", "en"),
            ("en;q=0, *", "de"),
            ("de;q=0", "en"),
            ("de;q=2, en;q=0.1", "en"),
            ("de ; Q=0.7 , en;q=0.6", "de"),
            ("de;q=1.000, en;q=0.001", "de"),
            ("de;q=0.0001, en;q=0", "en"),
            ("*", "en"),
            ("denn", "en"),
        ];
        for (accepted, expected) in table {
            assert_eq!(["en", "de"][preferred(accepted, &["en", "de"])], expected, "{accepted}");
        }
    }

    #[test]
    fn values_are_filled_in_once() {
        assert_eq!(fill("{a} of {b}", &[("a", &"{b}"), ("b", &3)]), "{b} of 3");
        assert_eq!(fill("{unknown} { }", &[("a", &1)]), "{unknown} { }");
    }

    proptest! {
        #[test]
        fn any_header_chooses_one_of_the_languages(accepted in "[a-zA-Z*;=,.0-9 -]{0,60}") {
            prop_assert!(preferred(&accepted, &["en", "de"]) < 2);
        }
    }
}
