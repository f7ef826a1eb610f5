//! One line in the log and one count in the metrics for every request.
//!
//! A log names the path, the key's name and the client's address, but never a query, a header or a body: there are
//! keys, passwords and signed links in them.

use std::net::SocketAddr;
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::Response;

use super::auth::KeyName;
use super::proxies::ClientInfo;
use super::state::SharedState;
use crate::api::contract;

/// What requests to addresses that nobody knows are counted under.
const NO_ROUTE: &str = "none";

/// What stands in the log for a key or a client that is not known.
const NONE: &str = "none";

/// Lets a request pass and notes how it was answered.
pub async fn observe(State(state): State<SharedState>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = method(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str).to_owned();
    let path = request.uri().path().to_owned();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip().to_canonical());
    let response = next.run(request).await;
    let (status, took) = (response.status().as_u16(), started.elapsed());
    state.metrics.answered(method, &route, status, took);
    let key = response.extensions().get::<KeyName>().map_or(NONE, |KeyName(name)| name);
    // A request that was refused for its Host header has no visitor.
    let client = response.extensions().get::<ClientInfo>().map(|visitor| visitor.address).or(peer);
    let client = client.map_or_else(|| NONE.to_owned(), |address| address.to_string());
    let milliseconds = took.as_micros() as f64 / 1000.0;
    let length = response.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    // Whoever watches the service asks all day: that is no news.
    if matches!(route.as_str(), contract::HEALTH | contract::METRICS) {
        tracing::debug!(method, path, status, milliseconds, "answered");
    } else {
        tracing::info!(method, path, status, milliseconds, length, key, client, "answered");
    }
    response
}

/// The name of a method. Anybody can make up more of them than a metric should count apart.
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
