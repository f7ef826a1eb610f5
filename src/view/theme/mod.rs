//! Styles by meaning. Only this folder names colours.
//!
//! Every result also has a word and a shape, so that the plain theme loses no information. To add a theme, add its name
//! and an entry to the table of palettes.

#[cfg(test)]
mod contrast;
pub mod palettes;
mod style;
mod tone;

use crate::domain::look::ThemeName;
use crate::domain::look::terminal_env::Colours;
use crate::domain::report::Report;
use crate::domain::report::check::CheckOutcome;
use crate::domain::report::outcome::Outcome;

pub use self::style::Theme;

impl Theme {
    /// Returns the theme of this name for a terminal with these colours. Without colours every theme is the plain one.
    pub fn of(name: ThemeName, colours: Colours) -> Self {
        if colours == Colours::None {
            return Self::plain();
        }
        match palettes::PALETTES.iter().find(|palette| palette.name == name) {
            Some(palette) => palette.theme(colours),
            // `auto` starts with the terminal's own colours, until the terminal has reported its background.
            None if name == ThemeName::Plain => Self::plain(),
            None => Self::terminal(),
        }
    }
}

/// Returns the symbol of a result, which works without colour.
pub fn outcome_shape(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Good => "✓",
        Outcome::Decent => "~",
        Outcome::Bad => "✗",
        Outcome::Other(_) => "?",
        Outcome::Missing => "·",
    }
}

/// Returns the symbol and label of a report's result. A page that could not be fetched is not called bad: it has its
/// own symbol and the name of the failure.
pub fn result_label(report: &Report) -> (&'static str, &str) {
    match report.fetch_failure {
        Some(failure) => ("!", failure.name()),
        None => (outcome_shape(&report.outcome), report.outcome.name()),
    }
}

/// Returns the symbol of a check's outcome.
pub fn check_shape(outcome: CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Failed => "✗",
        CheckOutcome::Note => "i",
        CheckOutcome::Passed => "✓",
        CheckOutcome::NotApplicable => "·",
    }
}
