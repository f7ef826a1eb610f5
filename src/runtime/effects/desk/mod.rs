//! The desk of the service in use: one task that reads it, follows its changes, and sends what is decided here.

mod context;
mod follow;
mod join;
mod outbox;

use futures_util::FutureExt as _;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::AbortHandle;

pub(super) use context::{DeskContext, DeskOrder};

/// The running task of a desk. Dropping it ends the task; what was not sent stays in the outbox of the journal.
pub(super) struct DeskTask {
    orders: UnboundedSender<DeskOrder>,
    task: AbortHandle,
}

impl DeskTask {
    /// Looks for the desk and follows it.
    pub(super) fn start(context: DeskContext) -> Self {
        let (orders, taken) = unbounded_channel();
        // Not among the tasks that quitting waits for: it never ends by itself, and the outbox is in the journal.
        let task = tokio::spawn(join::run(context, taken).boxed()).abort_handle();
        Self { orders, task }
    }

    /// Gives an order. The task has ended where the desk refuses; a decision is in the journal.
    pub(super) fn order(&self, order: DeskOrder) {
        drop(self.orders.send(order));
    }
}

impl Drop for DeskTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}
