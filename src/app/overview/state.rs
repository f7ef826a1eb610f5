//! The counts of the overview, and what they were counted from.

use std::collections::HashMap;
use std::sync::Weak;

use crate::app::effect::RequestId;
use crate::domain::list::rows::Rows;
use crate::domain::overview::{Event, Overview};
use crate::domain::report::ReportId;
use crate::domain::triage::Triages;

/// The counts of the overview, and what they were counted from.
#[derive(Debug, Default)]
pub struct OverviewState {
    /// The counts; `None` until they came for the first time.
    pub counts: Option<Box<Overview>>,
    /// What happened last, the latest first.
    pub latest: Vec<Event>,
    pub(crate) request: Option<RequestId>,
    pub(crate) counted: CountedInput,
}

/// Identifies what was counted. `Weak`, so that lists are not kept alive; a changed one has another address.
#[derive(Debug, Default)]
pub(crate) struct CountedInput {
    pub(crate) rows: Weak<Rows>,
    pub(crate) triages: Weak<Triages>,
    pub(crate) fallen: Weak<HashMap<ReportId, u16>>,
    pub(crate) len: usize,
}
