//! Triage options, as plain data. The look of the dashboard is in `domain::look`.

/// `[triage]`: what decides about the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriageChoice {
    /// Days without an audit after which a report counts as untested.
    pub untested_days: u16,
}

impl Default for TriageChoice {
    fn default() -> Self {
        Self { untested_days: 30 }
    }
}
