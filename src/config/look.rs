//! What the person chose about triage, as plain data. How the dashboard looks is `domain::look`.

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
