//! The context of an update, shared by all parts of the state: time, service, keys, notices, request ids, effects.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::app::effect::{Effect, RequestId};
use crate::app::frame_layout::FrameLayout;
use crate::app::message::Connected;
use crate::app::undo::Undo;
use crate::domain::activity::Exchange;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::check::Explanations;
use crate::input::keymap::Keymap;
use crate::input::{Action, Context};

/// How long a notice is shown.
const NOTICE_DURATION: SignedDuration = SignedDuration::from_secs(12);

/// The state of the connection.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Connection {
    /// The service is being started or looked up.
    #[default]
    Starting,
    /// Connected.
    Ready(Connected),
    /// Could not be started or reached.
    Failed(Failure),
}

/// Shared context of an update, passed to panes and jobs beside their own state.
#[derive(Debug, Default)]
pub struct Ctx {
    /// The time of the last message.
    pub now: Timestamp,
    /// The state of the connection.
    pub connection: Connection,
    /// Whether writes are disabled.
    pub read_only: bool,
    /// Whether the journal could not be read: states, notes, views and the history may lack what it contains.
    pub is_journal_unreadable: bool,
    /// Why the service rejected the key, if it did.
    pub key_refusal: Option<String>,
    /// The keys of actions.
    pub keymap: Arc<Keymap>,
    /// The keyboard context after the last message.
    pub(crate) context: Context,
    /// Explanations of the known checks.
    pub explanations: Arc<Explanations>,
    /// Layout feedback from the last frame: visible row counts, hit targets.
    pub layout: FrameLayout,
    /// Requests and replies, newest first.
    pub activity: VecDeque<Exchange>,
    /// The notice in the status line, and when it was set.
    pub notice: Option<(String, Timestamp)>,
    /// Steps that can be undone.
    pub(crate) undo: Undo,
    /// The effects of the current update.
    pub(crate) effects: Vec<Effect>,
    last_request: u64,
}

impl Ctx {
    /// Creates the context before the first message.
    pub fn new(explanations: Arc<Explanations>, read_only: bool, now: Timestamp) -> Self {
        Self { now, read_only, explanations, ..Self::default() }
    }

    /// Shows a notice in the status line.
    pub(crate) fn notify(&mut self, text: impl Into<String>) {
        self.notice = Some((text.into(), self.now));
    }

    /// Shows a failure in the status line, and remembers why the key was rejected.
    pub(crate) fn notify_failure(&mut self, failure: &Failure) {
        self.note_failure(failure);
        // The banner shows a rejected key, with the keys for it.
        if failure.kind != FailureKind::Unauthorised {
            // Outside forms, validation errors of fields are appended to the message.
            self.notify(format!("! {}", failure.with_fields(failure.to_string())));
        }
    }

    /// Remembers why the key was rejected.
    pub(crate) fn note_failure(&mut self, failure: &Failure) {
        if failure.kind == FailureKind::Unauthorised {
            self.key_refusal = Some(failure.message.clone());
        }
    }

    /// Shows the notice for as long again.
    pub(crate) fn renew_notice(&mut self) {
        if let Some((_, since)) = &mut self.notice {
            *since = self.now;
        }
    }

    /// Says, for the status line, that the journal could not be read.
    pub fn journal_problem(&self) -> Option<String> {
        self.is_journal_unreadable.then(|| "the journal cannot be read".to_owned())
    }

    /// Removes an expired notice.
    pub(crate) fn expire_notice(&mut self) {
        self.notice.take_if(|(_, since)| self.now.duration_since(*since) >= NOTICE_DURATION);
    }

    /// Returns when the notice expires.
    pub(crate) fn notice_expires_at(&self) -> Option<Timestamp> {
        self.notice.as_ref().and_then(|(_, since)| since.saturating_add(NOTICE_DURATION).ok())
    }

    /// Returns a new request id.
    pub(crate) fn next_request(&mut self) -> RequestId {
        self.last_request += 1;
        RequestId(self.last_request)
    }

    /// Cancels a pending read.
    pub(crate) fn cancel(&mut self, request: Option<RequestId>) {
        self.effects.extend(request.map(Effect::Cancel));
    }

    /// Whether a service is connected.
    pub(crate) fn is_connected(&self) -> bool {
        matches!(self.connection, Connection::Ready(_))
    }

    /// Returns why no request can be sent now.
    pub(crate) fn unreachable_reason(&self) -> Option<String> {
        match &self.connection {
            Connection::Starting => Some("The service is still starting".to_owned()),
            Connection::Failed(failure) => Some(failure.to_string()),
            Connection::Ready(_) => None,
        }
    }

    /// Returns when a rate-limited request may be sent again.
    pub(crate) fn retry_at(&self, failure: &Failure) -> Option<Timestamp> {
        let wait = failure.retry_after.filter(|_| failure.kind == FailureKind::RateLimited)?;
        self.now.saturating_add(wait).ok()
    }

    /// Returns the name of an action's key, for texts.
    pub fn key(&self, action: Action) -> String {
        self.keymap.key_name(action, self.context)
    }

    /// Returns a hint with the key of an action of forms, in which the palette does not open: empty without a key.
    pub fn form_hint(&self, before: &str, action: Action, after: &str) -> String {
        let bound = self.keymap.binding_for(action, Context::FormText);
        bound.map(|_| format!("{before}{}{after}", self.key(action))).unwrap_or_default()
    }
}
