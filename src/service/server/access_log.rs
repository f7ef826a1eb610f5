//! The access log and the request metrics.
//!
//! Logs the path, the key's name and the client's address, but never a query, a header or a body: these may contain
//! keys, passwords or signed links.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::Response;

use super::state::SharedState;
use crate::api::contract;
use crate::domain::text::clean;
use crate::service::store::key_rows::RequestKey;

/// The metrics label of requests that match no route.
const NO_ROUTE: &str = "none";

/// The methods with a metrics label of their own.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// Logged for an unknown key or client.
const NONE: &str = "none";

/// The status that is logged, as by nginx, for a client that disconnected before the response. Its write may have been
/// carried out.
const CLIENT_GONE: u16 = 499;

/// Who sent a request: an extension of the request that the layers below the access log fill in.
#[derive(Default)]
pub struct Requester {
    /// The key, also if it is revoked or expired.
    pub key: OnceLock<RequestKey>,
    /// The client's address; unset if the request was refused for its `Host` header.
    pub address: OnceLock<IpAddr>,
}

/// A request being handled. It is logged and counted when this is dropped, because the future of a request whose client
/// disconnects is dropped.
struct ObservedRequest {
    state: SharedState,
    started: Instant,
    method: &'static str,
    route: String,
    path: String,
    peer: Option<IpAddr>,
    requester: Arc<Requester>,
    status: u16,
    length: Option<String>,
}

/// Middleware: logs and counts each request.
pub async fn observe(State(state): State<SharedState>, mut request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str).to_owned();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip().to_canonical());
    let mut observed = ObservedRequest {
        state,
        started: Instant::now(),
        method: method(request.method()),
        route,
        // Clients may send any character of UTF-8, and a log is read on terminals.
        path: clean(request.uri().path()).into_owned(),
        peer,
        requester: Arc::default(),
        status: CLIENT_GONE,
        length: None,
    };
    request.extensions_mut().insert(Arc::clone(&observed.requester));
    let response = next.run(request).await;
    observed.status = response.status().as_u16();
    let length = response.headers().get(header::CONTENT_LENGTH);
    observed.length = length.and_then(|length| length.to_str().ok()).map(str::to_owned);
    response
}

impl Drop for ObservedRequest {
    fn drop(&mut self) {
        let Self { method, ref route, ref path, status, ref length, .. } = *self;
        let took = self.started.elapsed();
        self.state.metrics.answered(method, route, status, took);
        let used = self.requester.key.get();
        let (key, key_number) = (used.map_or(NONE, |key| key.name.as_str()), used.and_then(|key| key.id));
        let client = self.requester.address.get().or(self.peer.as_ref());
        let client = client.map_or_else(|| NONE.to_owned(), ToString::to_string);
        let milliseconds = took.as_micros() as f64 / 1000.0;
        // Monitoring polls all day, so its requests are logged at debug level only.
        if matches!(route.as_str(), contract::HEALTH | contract::METRICS) {
            tracing::debug!(method, path, status, milliseconds, "request");
        } else {
            tracing::info!(method, path, status, milliseconds, length, key, key_number, client, "request");
        }
    }
}

/// Returns the metrics label of a method. Unknown methods share one label, since clients can invent any number of them.
fn method(method: &Method) -> &'static str {
    METHODS.into_iter().find(|known| method == known).unwrap_or("other")
}
