//! Colours and attributes by meaning. Only this folder names colours.
//!
//! Every result has a word and a shape as well, so the plain theme loses nothing.
//! To add a theme, add its name and an entry to the table of palettes.

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
    /// The theme of this name on a terminal with this number of colours. Without colours every theme is the plain one.
    pub fn of(name: ThemeName, colours: Colours) -> Self {
        if colours == Colours::None {
            return Self::plain();
        }
        match palettes::PALETTES.iter().find(|palette| palette.name == name) {
            Some(palette) => palette.theme(colours),
            // `auto` begins with the terminal's own colours, until the terminal said what its background is.
            None if name == ThemeName::Plain => Self::plain(),
            None => Self::terminal(),
        }
    }
}

/// The symbol of a result, which does without colour.
pub fn outcome_shape(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Good => "✓",
        Outcome::Decent => "~",
        Outcome::Bad => "✗",
        Outcome::Other(_) => "?",
        Outcome::Missing => "·",
    }
}

/// The symbol and the word of a report's result. A page that could not be fetched is not called poor: it has a symbol of
/// its own and the word of what failed.
pub fn result_label(report: &Report) -> (&'static str, &str) {
    match report.fetch_failure {
        Some(failure) => ("!", failure.word()),
        None => (outcome_shape(&report.outcome), report.outcome.word()),
    }
}

/// The symbol of a check's outcome.
pub fn check_shape(outcome: CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Failed => "✗",
        CheckOutcome::Note => "i",
        CheckOutcome::Passed => "✓",
        CheckOutcome::NotApplicable => "·",
    }
}
