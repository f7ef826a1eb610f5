//! The computed causes, and the rows they were computed from.

use std::sync::Weak;

use crate::app::effect::RequestId;
use crate::domain::list::rows::Rows;
use crate::domain::triage::causes::lines::FoundCauses;

/// The computed causes, and the rows they were computed from.
#[derive(Debug, Default)]
pub struct CausesState {
    /// The causes; `None` until computed.
    pub found: Option<Box<FoundCauses>>,
    /// Checks were fetched since the screen was opened; those still unknown are not sent by the service.
    pub were_fetched: bool,
    pub(crate) request: Option<RequestId>,
    /// The examined rows. `Weak`, so that lists are not kept alive; changed rows have another address.
    pub(crate) rows: Weak<Rows>,
    /// The number of changes of the shown rows before they were examined.
    pub(crate) shown: u64,
}

/// The target of a line of the causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseTarget {
    /// The reports of the line with this index in its block.
    Reports(usize),
    /// Fetches the unknown checks.
    UnknownChecks,
    /// None: the line is informational.
    Nothing,
}
