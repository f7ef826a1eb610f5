//! Appearance options, with their names in configuration and on the command line.

pub mod key_preset;
pub mod terminal_env;

use strum::IntoEnumIterator;

/// The name of a theme.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum ThemeName {
    /// The terminal's own colours, with dark text colours of ours on a light background; follows changes.
    #[default]
    Auto,
    /// The terminal's own sixteen colours.
    Terminal,
    /// Light text on a dark background of its own.
    Dark,
    /// Dark text on a light background of its own.
    Light,
    /// Black, white and few strong colours.
    HighContrast,
    /// Blue and orange instead of green and red.
    ColourBlind,
    /// No colours: bold, dim and reversed only.
    Plain,
}

/// The spacing of rows and texts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Density {
    /// As many rows as fit.
    #[default]
    Compact,
    /// Extra space under headings and between columns, where the screen has room.
    Comfortable,
}

/// How times are written.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Times {
    /// `2 h ago`
    #[default]
    Relative,
    /// `2026-01-02 14:02`, with the zone in the heading.
    Exact,
}

/// The initial screen.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum StartScreen {
    /// The list of reports.
    #[default]
    List,
    /// The overview of the list.
    Overview,
}

/// The colour of a profile's header, to tell accounts apart at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Accent {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Blue.
    Blue,
    /// Magenta.
    Magenta,
    /// Cyan.
    Cyan,
    /// White.
    White,
}

/// All appearance options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LookOptions {
    /// The colours.
    pub theme: ThemeName,
    /// Whether frames, bars, marks and arrows use ASCII characters only.
    pub ascii_frame: bool,
    /// The spacing.
    pub density: Density,
    /// The initial time format; a key toggles it.
    pub times: Times,
    /// The initial screen.
    pub start: StartScreen,
}

/// Implements parsing, naming and listing for an enum of option names.
macro_rules! named {
    ($kind:ty) => {
        impl $kind {
            /// Parses a name.
            pub fn named(name: &str) -> Option<Self> {
                name.parse().ok()
            }

            /// The name in configuration, options and help.
            pub fn name(self) -> &'static str {
                self.into()
            }

            /// All names, in help order.
            pub fn names() -> Vec<&'static str> {
                Self::iter().map(Self::name).collect()
            }
        }
    };
}

named!(ThemeName);
named!(Density);
named!(Times);
named!(StartScreen);

impl Times {
    /// The other format.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Relative => Self::Exact,
            Self::Exact => Self::Relative,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        let names = ["auto", "terminal", "dark", "light", "high-contrast", "colour-blind", "plain"];
        assert_eq!(ThemeName::names(), names);
        assert_eq!(Density::names(), ["compact", "comfortable"]);
        assert_eq!(Times::names(), ["relative", "exact"]);
        for theme in ThemeName::iter() {
            assert_eq!(ThemeName::named(theme.name()), Some(theme));
        }
        assert_eq!(ThemeName::named("Dark "), None);
    }
}
