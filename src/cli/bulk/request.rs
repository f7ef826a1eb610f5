//! What is wished for each of many reports: one request for each, whatever it changes.
//!
//! Must not know when it is sent.

use crate::api::client::Client;
use crate::domain::bulk::{BulkOperation, ItemReply};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{ReportChange, ReportId};

/// What is wished.
pub enum BulkRequest {
    /// To change something, several things at once too.
    Change(ReportChange),
    /// To delete it.
    Delete,
}

impl BulkRequest {
    /// The deed that a lost answer is judged by. Of several changes in one request it is the one that proves the
    /// others: who audited again has set the privacy too.
    pub fn deed(&self) -> BulkOperation {
        match self {
            Self::Change(change) if change.rerun => BulkOperation::Rerun,
            // A password alone is for pages that have one.
            Self::Change(ReportChange { privacy, password, .. }) => {
                BulkOperation::Privacy { privacy: privacy.unwrap_or(Privacy::Password), password: password.clone() }
            }
            Self::Delete => BulkOperation::Delete,
        }
    }

    /// Sends it, once.
    pub async fn send(&self, client: &Client, id: &ReportId) -> ItemReply {
        match self {
            Self::Change(change) => ItemReply::Updated(client.update_report(id, change).await),
            Self::Delete => ItemReply::Deleted(client.delete_report(id).await),
        }
    }
}
