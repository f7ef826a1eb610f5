//! The access log and the request metrics.
//!
//! Logs the path, the key's name and the client's address, but never a query, a header or a body: these may contain
//! keys, passwords or signed links.

use std::net::SocketAddr;
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::Response;

use super::proxies::ClientInfo;
use super::state::SharedState;
use crate::api::contract;
use crate::domain::text::clean;
use crate::service::store::key_rows::ActiveKey;

/// The metrics label of requests that match no route.
const NO_ROUTE: &str = "none";

/// Logged for an unknown key or client.
const NONE: &str = "none";

/// Middleware: logs and counts each request.
pub async fn observe(State(state): State<SharedState>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = method(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str).to_owned();
    // Clients may send any character of UTF-8, and a log is read on terminals.
    let path = clean(request.uri().path()).into_owned();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip().to_canonical());
    let response = next.run(request).await;
    let (status, took) = (response.status().as_u16(), started.elapsed());
    state.metrics.answered(method, &route, status, took);
    let used = response.extensions().get::<ActiveKey>();
    let (key, key_number) = (used.map_or(NONE, |key| key.name.as_str()), used.and_then(|key| key.id));
    // A request refused for its `Host` header has no `ClientInfo`.
    let client = response.extensions().get::<ClientInfo>().map(|visitor| visitor.address).or(peer);
    let client = client.map_or_else(|| NONE.to_owned(), |address| address.to_string());
    let milliseconds = took.as_micros() as f64 / 1000.0;
    let length = response.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    // Monitoring polls all day, so its requests are logged at debug level only.
    if matches!(route.as_str(), contract::HEALTH | contract::METRICS) {
        tracing::debug!(method, path, status, milliseconds, "request");
    } else {
        tracing::info!(method, path, status, milliseconds, length, key, key_number, client, "request");
    }
    response
}

/// Returns the metrics label of a method. Unknown methods share one label, since clients can invent any number of them.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
