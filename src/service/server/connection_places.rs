//! The limited places for connections, and which of them are idle.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prometheus_client::metrics::counter::Counter;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// The open connections. At the limit, the one that has been idle longest is closed in favour of a new one. A
/// connection is idle while no request is being handled, including before its first request and while a head or a body is
/// being received.
pub(super) struct Connections {
    most: usize,
    /// Requests and connections refused at the limit.
    refused: Counter,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    next_id: u64,
    by_id: HashMap<u64, OpenConnection>,
}

struct OpenConnection {
    /// `None` while a request is being handled.
    idle_since: Option<Instant>,
    close: CancellationToken,
}

/// One of the limited places for connections, freed on drop.
pub(super) struct ConnectionPlace {
    pub(super) connections: Arc<Connections>,
    id: u64,
    /// Cancelled when the place goes to another connection.
    pub(super) close: CancellationToken,
}

impl Connections {
    pub(super) fn new(most: usize, refused: Counter) -> Arc<Self> {
        Arc::new(Self { most, refused, open: Mutex::default() })
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a place for a new connection; `None` if every open connection is handling a request.
    pub(super) fn place(self: &Arc<Self>) -> Option<ConnectionPlace> {
        let mut open = self.open();
        if open.by_id.len() >= self.most {
            let idle = open.by_id.iter().filter_map(|(id, connection)| Some((connection.idle_since?, *id)));
            let (_, longest) = idle.min()?;
            open.by_id.remove(&longest)?.close.cancel();
        }
        let (id, close) = (open.next_id, CancellationToken::new());
        open.next_id += 1;
        open.by_id.insert(id, OpenConnection { idle_since: Some(Instant::now()), close: close.clone() });
        drop(open);
        Some(ConnectionPlace { connections: Arc::clone(self), id, close })
    }

    /// Logs and counts a request or connection that is refused before the access log and the metrics of requests see it.
    pub(super) fn record_refusal(&self, peer: SocketAddr) {
        self.refused.inc();
        tracing::warn!(client = %peer.ip().to_canonical(), "refused with 503: too many connections are open");
    }
}

impl ConnectionPlace {
    /// Records that a request begins (`None`), ends, or waits for its body; false if the place has gone to another
    /// connection.
    pub(super) fn set_idle(&self, idle_since: Option<Instant>) -> bool {
        let mut open = self.connections.open();
        open.by_id.get_mut(&self.id).map(|connection| connection.idle_since = idle_since).is_some()
    }
}

/// A request being handled; its connection is not idle until this is dropped.
pub(super) struct ActiveRequest(Arc<ConnectionPlace>);

impl ActiveRequest {
    /// Begins a request; `None` if the connection's place has gone to another one.
    pub(super) fn begin(place: Arc<ConnectionPlace>) -> Option<Self> {
        place.set_idle(None).then_some(Self(place))
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        self.0.set_idle(Some(Instant::now()));
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.connections.open().by_id.remove(&self.id);
    }
}
