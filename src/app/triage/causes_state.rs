//! What the bad reports share, and what it was looked for in.

use std::sync::Weak;

use crate::app::effect::RequestId;
use crate::domain::list::rows::Rows;
use crate::domain::triage::causes::lines::FoundCauses;

/// What the bad reports share, and what it was looked for in.
#[derive(Debug, Default)]
pub struct CausesState {
    /// What was found; `None` until it came.
    pub found: Option<Box<FoundCauses>>,
    /// Unknown checks were fetched since the screen was opened: what is unknown still, the service does not send.
    pub were_fetched: bool,
    pub(crate) request: Option<RequestId>,
    /// The rows that were looked at. `Weak`, so that lists are not kept alive; changed ones have another address.
    pub(crate) rows: Weak<Rows>,
    /// How many of them were shown.
    pub(crate) shown: usize,
}

/// What a line of the causes does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseTarget {
    /// The reports of the line with this number in its block.
    Reports(usize),
    /// The unknown checks: they are fetched.
    UnknownChecks,
    /// Nothing: the line only informs.
    Nothing,
}
