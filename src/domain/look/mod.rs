//! Options for the look of the dashboard, with their names in configuration and command line.

pub mod key_preset;
pub mod terminal_env;

use strum::IntoEnumIterator;

/// A theme by its name.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum ThemeName {
    /// The terminal's own colours, but dark text of our own where its background is light; follows it.
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

/// How much room rows and texts get.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Density {
    /// As many rows as fit.
    #[default]
    Compact,
    /// Room under headings and between columns, where the screen has it.
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

/// What the dashboard begins with.
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

/// The colour of a profile's header, which tells accounts apart at a glance.
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

/// Everything about the look that a person can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LookOptions {
    /// The colours.
    pub theme: ThemeName,
    /// Frames, bars, marks and arrows of ASCII characters only.
    pub ascii_frame: bool,
    /// The room.
    pub density: Density,
    /// The times to begin with; a key switches.
    pub times: Times,
    /// What the dashboard begins with.
    pub start: StartScreen,
}

/// Gives an enum of names its reading, its writing and the list for help.
macro_rules! named {
    ($kind:ty) => {
        impl $kind {
            /// The value of this name.
            pub fn named(name: &str) -> Option<Self> {
                name.parse().ok()
            }

            /// The name in configuration, options and help.
            pub fn name(self) -> &'static str {
                self.into()
            }

            /// All names, in the order of the help.
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
    /// The other way to tell them.
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
