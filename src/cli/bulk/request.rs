//! The request that a bulk command sends for each report.

use crate::api::client::Client;
use crate::domain::bulk::{BulkOperation, ItemReply};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{ReportChange, ReportId};

/// A request for each report.
pub enum BulkRequest {
    /// An update, of one or more fields.
    Change(ReportChange),
    /// A deletion.
    Delete,
}

impl BulkRequest {
    /// The operation that decides a lost response. Of several changes in one request it is the one that proves the
    /// others: after a re-run the privacy is set too.
    pub fn operation(&self) -> BulkOperation {
        match self {
            Self::Change(change) if change.rerun => BulkOperation::Rerun,
            // A password without a privacy is for pages with privacy 2.
            Self::Change(ReportChange { privacy, password, .. }) => {
                BulkOperation::Privacy { privacy: privacy.unwrap_or(Privacy::Password), password: password.clone() }
            }
            Self::Delete => BulkOperation::Delete,
        }
    }

    /// Sends the request, once.
    pub async fn send(&self, client: &Client, id: &ReportId) -> ItemReply {
        match self {
            Self::Change(change) => ItemReply::Updated(client.update_report(id, change).await),
            Self::Delete => ItemReply::Deleted(client.delete_report(id).await),
        }
    }
}
