//! The desk of the current service: one task that reads it, follows its changes, and sends decisions.

mod context;
mod follow;
mod join;
mod outbox;

use futures_util::FutureExt as _;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::domain::desk::PresenceActivity;
use context::DeskOrders;
pub(super) use context::{DeskContext, OutboxOrder, UserPresence};

/// A running desk task. Dropping it ends the task; unsent writes stay in the journal's outbox.
pub(super) struct DeskTask {
    outbox: UnboundedSender<OutboxOrder>,
    presence: watch::Sender<UserPresence>,
    task: AbortHandle,
}

impl DeskTask {
    /// Starts to look for the desk and to follow it.
    pub(super) fn start(context: DeskContext) -> Self {
        let (outbox, outbox_orders) = unbounded_channel();
        let (presence, latest_presence) = watch::channel((None, PresenceActivity::Viewing));
        let orders = DeskOrders { outbox: outbox_orders, presence: latest_presence };
        // Not tracked among the tasks that quitting waits for: it never ends by itself, and the outbox is in the
        // journal.
        let task = tokio::spawn(join::run(context, orders).boxed()).abort_handle();
        Self { outbox, presence, task }
    }

    /// Changes the outbox. If the desk rejected the user, the task has ended; decisions are in the journal.
    pub(super) fn order(&self, order: OutboxOrder) {
        drop(self.outbox.send(order));
    }

    /// Reports the user's presence.
    pub(super) fn show_presence(&self, presence: UserPresence) {
        self.presence.send_replace(presence);
    }
}

impl Drop for DeskTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}
