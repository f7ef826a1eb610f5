//! The desk of the current service: one task that reads it, follows its changes, and sends decisions.

mod context;
mod follow;
mod join;
mod outbox;

use futures_util::FutureExt as _;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::AbortHandle;

pub(super) use context::{DeskContext, DeskOrder};

/// A running desk task. Dropping it ends the task; unsent writes stay in the journal's outbox.
pub(super) struct DeskTask {
    orders: UnboundedSender<DeskOrder>,
    task: AbortHandle,
}

impl DeskTask {
    /// Starts to look for the desk and to follow it.
    pub(super) fn start(context: DeskContext) -> Self {
        let (orders, taken) = unbounded_channel();
        // Not tracked among the tasks that quitting waits for: it never ends by itself, and the outbox is in the
        // journal.
        let task = tokio::spawn(join::run(context, taken).boxed()).abort_handle();
        Self { orders, task }
    }

    /// Sends an order. If the desk rejected the user, the task has ended; decisions are in the journal.
    pub(super) fn order(&self, order: DeskOrder) {
        drop(self.orders.send(order));
    }
}

impl Drop for DeskTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}
