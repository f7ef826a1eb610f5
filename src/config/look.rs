//! What the person chose about profiles' colours and triage, as plain data. How the dashboard looks is
//! `domain::look`. Must not know colours, cells or widgets.

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
