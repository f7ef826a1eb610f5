//! What every part of the state may use: the time, the service, keys, notices, request ids, and effects.

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

/// How many exchanges the activity list remembers.
const MOST_EXCHANGES: usize = 500;
/// How long a notice stays.
const NOTICE_DURATION: SignedDuration = SignedDuration::from_secs(12);

/// How far the connection is.
#[derive(Debug, Clone, PartialEq)]
pub enum Connection {
    /// The service is being started or looked up.
    Starting,
    /// It is known.
    Ready(Connected),
    /// It could not be started.
    Failed(Failure),
}

/// Shared context of an update. Panes and jobs get it beside their own state.
#[derive(Debug)]
pub struct Ctx {
    /// The time of the last message.
    pub now: Timestamp,
    /// How far the connection is.
    pub connection: Connection,
    /// Nothing may be written.
    pub read_only: bool,
    /// The service does not accept the key.
    pub key_refused: bool,
    /// The keys of actions.
    pub keymap: Arc<Keymap>,
    /// Where the keyboard was after the last message.
    pub(crate) context: Context,
    /// What the checks mean, for those that are known.
    pub explanations: Arc<Explanations>,
    /// Layout feedback from the last frame: visible row counts, hit targets.
    pub layout: FrameLayout,
    /// Requests and answers, the newest first.
    pub activity: VecDeque<Exchange>,
    /// The notice in the status line, and since when it stands there.
    pub notice: Option<(String, Timestamp)>,
    /// Steps that can be undone.
    pub(crate) undo: Undo,
    /// What the runtime shall do after this update.
    pub(crate) effects: Vec<Effect>,
    last_request: u64,
}

impl Ctx {
    /// The context before the first message.
    pub fn new(explanations: Arc<Explanations>, read_only: bool, now: Timestamp) -> Self {
        Self {
            now,
            connection: Connection::Starting,
            read_only,
            key_refused: false,
            keymap: Arc::default(),
            context: Context::Panes,
            explanations,
            layout: FrameLayout::default(),
            activity: VecDeque::new(),
            notice: None,
            undo: Undo::default(),
            effects: Vec::new(),
            last_request: 0,
        }
    }

    /// Puts a text into the status line.
    pub(crate) fn tell(&mut self, text: impl Into<String>) {
        self.notice = Some((text.into(), self.now));
    }

    /// Puts a failure into the status line. A refused key is remembered, so that another one can be asked for.
    pub(crate) fn tell_failure(&mut self, failure: &Failure) {
        self.note_failure(failure);
        // Texts of refused fields belong under their fields; where there is no form they stand with the rest.
        let fields = failure.fields.iter().map(|error| format!("{}: {}", error.field, error.texts.join(", ")));
        self.tell(std::iter::once(failure.to_string()).chain(fields).collect::<Vec<_>>().join(" · "));
    }

    /// Remembers whether the key was refused.
    pub(crate) fn note_failure(&mut self, failure: &Failure) {
        self.key_refused |= failure.kind == FailureKind::Unauthorised;
    }

    /// Takes the notice away when it has stood long enough.
    pub(crate) fn expire_notice(&mut self) {
        self.notice.take_if(|(_, since)| self.now.duration_since(*since) >= NOTICE_DURATION);
    }

    /// When the notice goes.
    pub(crate) fn notice_expires_at(&self) -> Option<Timestamp> {
        self.notice.as_ref().and_then(|(_, since)| since.saturating_add(NOTICE_DURATION).ok())
    }

    /// Adds an exchange to the activity list.
    pub(crate) fn record_exchange(&mut self, exchange: Exchange) {
        self.activity.push_front(exchange);
        self.activity.truncate(MOST_EXCHANGES);
    }

    /// An id for a request that no other request has.
    pub(crate) fn next_request(&mut self) -> RequestId {
        self.last_request += 1;
        RequestId(self.last_request)
    }

    /// Cancels a read, if there is one.
    pub(crate) fn cancel(&mut self, request: Option<RequestId>) {
        self.effects.extend(request.map(Effect::Cancel));
    }

    /// Whether there is a service to ask; it may still not answer.
    pub(crate) fn is_connected(&self) -> bool {
        matches!(self.connection, Connection::Ready(_))
    }

    /// Why the service cannot be asked for anything now.
    pub(crate) fn unreachable_reason(&self) -> Option<String> {
        match &self.connection {
            Connection::Starting => Some("The service is still starting".to_owned()),
            Connection::Failed(failure) => Some(failure.to_string()),
            Connection::Ready(_) => None,
        }
    }

    /// Until when a rate-limited service asks clients to wait.
    pub(crate) fn retry_at(&self, failure: &Failure) -> Option<Timestamp> {
        let wait = failure.retry_after.filter(|_| failure.kind == FailureKind::RateLimited)?;
        self.now.saturating_add(wait).ok()
    }

    /// The key of an action, as texts name it.
    pub fn key(&self, action: Action) -> String {
        self.keymap.key_name(action, self.context)
    }
}
