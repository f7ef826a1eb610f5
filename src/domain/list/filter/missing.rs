//! Warnings about filter terms that match no loaded report because the value does not occur.

use std::ops::Range;

use super::known_values::{KnownValues, unless_any};
use super::line::split_with_places;
use super::problem::FilterProblem;
use super::{Term, Test, contains_ignoring_case, project_fits, result_fits};
use crate::domain::text::nearest::nearest;
use crate::domain::text::numbers::grouped;

/// Returns a problem for each term whose value no loaded report has.
pub fn missing_values(text: &str, known: &KnownValues) -> Vec<FilterProblem> {
    if known.reports == 0 {
        return Vec::new();
    }
    let missing = |(place, word): (Range<usize>, String)| {
        let Term { test, .. } = Term::parse(&word).ok().flatten()?;
        let (what, values, wanted, unknown) = match &test {
            // `project:""` selects the reports without a project.
            Test::Project { text, .. } if text.is_empty() => return None,
            Test::Project { text, whole } => {
                let fits = |value: &str| project_fits(value, text, *whole);
                ("No project is called", unless_any(&known.projects, fits)?, text, 0)
            }
            Test::Check { text, whole } => {
                let fits = |value: &str| if *whole { value == text } else { contains_ignoring_case(value, text) };
                ("No loaded report fails a check called", unless_any(&known.checks, fits)?, text, known.without_checks)
            }
            Test::Result(text) => {
                let fits = |value: &str| result_fits(value, text);
                ("No loaded report has the result", unless_any(&known.results, fits)?, text, 0)
            }
            Test::Url(_)
            | Test::Path(_)
            | Test::Privacy(_)
            | Test::State(_)
            | Test::Fetch(_)
            | Test::Score(..)
            | Test::Age(..) => {
                return None;
            }
        };
        let unknown = if unknown > 0 { format!(" (unknown for {})", grouped(unknown)) } else { String::new() };
        let value = format!("{what} `{wanted}`{unknown}");
        Some(FilterProblem::new(place, &value, nearest(wanted, &values)))
    };
    split_with_places(text).into_iter().filter_map(missing).collect()
}
