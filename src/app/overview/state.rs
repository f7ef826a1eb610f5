//! The counts of the overview, and the inputs they were computed from.

use std::collections::HashMap;
use std::sync::Weak;

use crate::app::effect::RequestId;
use crate::domain::list::rows::Rows;
use crate::domain::overview::{Event, Overview};
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::domain::triage::Triages;

/// The counts of the overview, and the inputs they were computed from.
#[derive(Debug, Default)]
pub struct OverviewState {
    /// The counts; `None` until first computed.
    pub counts: Option<Box<Overview>>,
    /// The latest events, latest first.
    pub latest: Vec<Event>,
    pub(crate) request: Option<RequestId>,
    pub(crate) counted: CountedInput,
}

/// Identifies the counted inputs. `Weak`, so that lists are not kept alive; a changed input has another address.
#[derive(Debug, Default)]
pub(crate) struct CountedInput {
    pub(crate) rows: Weak<Rows>,
    pub(crate) project: Option<Text>,
    pub(crate) triages: Weak<Triages>,
    pub(crate) fallen: Weak<HashMap<ReportId, u16>>,
    pub(crate) len: usize,
}
