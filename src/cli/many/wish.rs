//! What is wished for each of many reports: one request for each, whatever it changes.
//!
//! Must not know when it is sent.

use crate::api::client::Client;
use crate::domain::bulk::{Answer, Deed};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{ReportChange, ReportId};

/// What is wished.
pub(in crate::cli) enum Wish {
    /// To change something, several things at once too.
    Change(ReportChange),
    /// To delete it.
    Delete,
}

impl Wish {
    /// The deed that a lost answer is judged by. Of several changes in one request it is the one that proves the
    /// others: who audited again has set the privacy too.
    pub(super) fn deed(&self) -> Deed {
        match self {
            Self::Change(change) if change.rerun => Deed::Rerun,
            // A password alone is for pages that have one.
            Self::Change(ReportChange { privacy, password, .. }) => {
                Deed::Privacy { privacy: privacy.unwrap_or(Privacy::Password), password: password.clone() }
            }
            Self::Delete => Deed::Delete,
        }
    }

    /// Sends it, once.
    pub(super) async fn send(&self, client: &Client, id: &ReportId) -> Answer {
        match self {
            Self::Change(change) => Answer::Updated(client.update_report(id, change).await),
            Self::Delete => Answer::Deleted(client.delete_report(id).await),
        }
    }
}
