//! Triage options, as plain data. The look of the dashboard is in `domain::look`.

/// `[triage]`: settings of the inbox and of claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriageChoice {
    /// Days without an audit after which a report counts as untested.
    pub untested_days: u16,
    /// How many hours a claim of a report on a desk lasts.
    pub claim_hours: u16,
}

impl Default for TriageChoice {
    fn default() -> Self {
        Self { untested_days: 30, claim_hours: 8 }
    }
}
