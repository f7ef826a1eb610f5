//! What the person chose about looks and triage, as plain data. Must not know colours, cells or widgets.

/// `[look]`: how the dashboard looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LookChoice {
    /// Which colours.
    pub theme: ThemeChoice,
    /// Frames of `+`, `-` and `|`, for terminals and fonts without line drawing.
    pub ascii_frame: bool,
    /// How much space rows take.
    pub density: Density,
    /// How times are written.
    pub times: Times,
}

/// Which colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum ThemeChoice {
    /// What suits the terminal.
    #[default]
    Auto,
    /// The terminal's own sixteen colours.
    Terminal,
    /// For dark backgrounds.
    Dark,
    /// For light backgrounds.
    Light,
    /// The strongest contrast.
    HighContrast,
    /// Told apart without red and green.
    ColourBlind,
    /// No colours: bold, dim and reversed only.
    Plain,
}

/// How much space rows take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Density {
    /// As many rows as fit.
    #[default]
    Compact,
    /// With room between them.
    Comfortable,
}

/// How times are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Times {
    /// `2 h ago`
    #[default]
    Relative,
    /// `2026-11-21 13:02`
    Exact,
}

/// The colour of a profile's header, so that accounts are told apart at a glance.
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

/// `[triage]`: what decides about the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriageChoice {
    /// After so many days without an audit a report counts as untested.
    pub untested_days: u16,
}

impl Default for TriageChoice {
    fn default() -> Self {
        Self { untested_days: 30 }
    }
}
