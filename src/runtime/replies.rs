//! Messages of tasks, marked with the service that they are about.
//!
//! A task may reply after the user has switched to another service. What it read about the previous one must not be
//! shown there.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::app::message::Message;

/// The number of switches to another service so far.
pub(super) type ServiceNumber = u64;

/// A message of a task.
struct Reply {
    message: Message,
    /// The service in use when the task began.
    service: ServiceNumber,
}

/// Sends messages of tasks.
#[derive(Clone)]
pub(super) struct ReplySender {
    sender: UnboundedSender<Reply>,
    /// The service in use.
    pub(super) service: ServiceNumber,
}

impl ReplySender {
    /// Sends a message. The receiver is gone once the session is over.
    pub(super) fn send(&self, message: Message) {
        drop(self.sender.send(Reply { message, service: self.service }));
    }
}

/// Receives messages of tasks.
pub(super) struct ReplyReceiver(UnboundedReceiver<Reply>);

impl ReplyReceiver {
    /// Waits for a message; `None` if there is no sender any more. `service` is the one in use.
    pub(super) async fn recv(&mut self, service: ServiceNumber) -> Option<Message> {
        loop {
            if let Some(message) = self.0.recv().await?.current(service) {
                return Some(message);
            }
        }
    }

    /// Returns the next message that has arrived, if any. `service` is the one in use.
    pub(super) fn try_recv(&mut self, service: ServiceNumber) -> Option<Message> {
        loop {
            if let Some(message) = self.0.try_recv().ok()?.current(service) {
                return Some(message);
            }
        }
    }

    /// Whether no message has arrived.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Creates a sender and its receiver.
pub(super) fn channel() -> (ReplySender, ReplyReceiver) {
    let (sender, receiver) = unbounded_channel();
    (ReplySender { sender, service: 0 }, ReplyReceiver(receiver))
}

impl Reply {
    /// Returns the message, unless it is about a service that is no longer in use.
    fn current(self, service: ServiceNumber) -> Option<Message> {
        (self.service == service || !is_about_service(&self.message)).then_some(self.message)
    }
}

/// Whether a message is about a service without naming it or a request. Replies with a request's id are dropped by the
/// state.
fn is_about_service(message: &Message) -> bool {
    matches!(
        message,
        Message::Connected(_)
            | Message::CachedRows(_)
            | Message::Drafts(_)
            | Message::Columns(_)
            | Message::Views(_)
            | Message::States(..)
            | Message::InterruptedRuns(_)
            | Message::Desk(_)
            | Message::Exchange(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::activity::Exchange;

    #[test]
    fn cached_rows_of_the_previous_service_and_requests_to_it_are_dropped() {
        let (mut sender, mut replies) = channel();
        sender.send(Message::CachedRows(None));
        sender.send(Message::Exchange(Exchange {
            at: jiff::Timestamp::UNIX_EPOCH,
            method: "GET",
            path: "/api/v1/reports".to_owned(),
            audits: false,
            status: Some(200),
            took: std::time::Duration::ZERO,
            bytes: 0,
            limit: None,
            attempt: 1,
            problem: String::new(),
        }));
        sender.service += 1;
        sender.send(Message::CachedRows(None));
        let service = sender.service;
        assert!(matches!(replies.try_recv(service), Some(Message::CachedRows(None))));
        assert!(replies.try_recv(service).is_none());
    }
}
