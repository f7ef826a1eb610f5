//! Cached rows of the last run, shown before the service responds. Read and stored on the journal thread: 100,000 rows
//! take longer than a frame.

use std::sync::Arc;

use jiff::Timestamp;

use crate::app::message::Message;
use crate::domain::list::cached_rows::{CachedRows, CachedRowsPart};
use crate::domain::list::rows::Rows;
use crate::domain::triage::changes::ListScope;
use crate::runtime::effects::Effects;

impl Effects {
    /// Reads the service's cached rows, or a further part of them, if its name is known already. The state counts the
    /// replies.
    pub(super) fn read_cached_rows(&self, part: Option<CachedRowsPart>) {
        if !self.knows_service() {
            return self.send(Message::CachedRows(None));
        }
        self.read_from_journal(move |journal, service| journal.load_rows(service, part), Message::CachedRows);
    }

    /// Stores the rows of a complete list.
    pub(super) fn store_cached_rows(&self, rows: Arc<Rows>, taken_at: Timestamp) {
        self.with_journal(move |journal, service| {
            let total = Some(rows.iter().count() as u64);
            let last = CachedRows {
                rows: Arc::unwrap_or_clone(rows),
                scope: ListScope::default(),
                taken_at,
                total,
                next: None,
            };
            journal.store_rows(service, &last)
        });
    }
}
