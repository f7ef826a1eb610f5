//! Authentication: requests need a valid API key.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

use super::access_log::Requester;
use super::state::SharedState;
use crate::domain::desk::Role;
use crate::service::handlers::errors::ErrorResponse;
use crate::service::store::key_rows::{KeyDigest, KeyEnd, RequestKey};

/// Returns the stored form of a key. A key is 256 random bits, so a fast hash is enough.
pub fn digest(key: &str) -> KeyDigest {
    Sha256::digest(key.as_bytes()).into()
}

/// The logged name of the key that exists for this run only.
const RUN_KEY: &str = "run";

/// Middleware: requires an active key with at least the given role, applies its rate limit, and adds the rate limit
/// headers.
pub async fn require_key(
    State((state, needed)): State<(SharedState, Role)>,
    mut request: Request,
    next: Next,
) -> Response {
    let (key, end) = match find_key(&state, request.headers()).await {
        Ok(found) => found,
        Err(refusal) => return refusal.into_response(),
    };
    // For the access log. The cell is empty, since each request is authenticated once.
    if let Some(requester) = request.extensions().get::<Arc<Requester>>() {
        let _ = requester.key.set(key.clone());
    }
    if let Some(end) = end {
        return ErrorResponse::KeyEnded(end).into_response();
    }
    let (mut response, budget) = match state.rate_limiter.take(key.id).await {
        Ok(budget) if key.role < needed => (ErrorResponse::RoleTooLow(key.role, needed).into_response(), budget),
        Ok(budget) => {
            request.extensions_mut().insert(key);
            (next.run(request).await, budget)
        }
        Err(refusal) => (refusal.into_response(), None),
    };
    // A 429 of the audit queue keeps its own headers.
    if let Some(budget) = budget.filter(|_| response.status() != StatusCode::TOO_MANY_REQUESTS) {
        budget.write(response.headers_mut());
    }
    response
}

/// Checks that the key of a request is still active.
pub async fn check_key(state: &SharedState, headers: &HeaderMap) -> Result<(), ErrorResponse> {
    let (_, end) = find_key(state, headers).await?;
    end.map_or(Ok(()), |end| Err(ErrorResponse::KeyEnded(end)))
}

/// Returns the key of a request, and why it is refused if it is not active.
async fn find_key(state: &SharedState, headers: &HeaderMap) -> Result<(RequestKey, Option<KeyEnd>), ErrorResponse> {
    let sent = digest(bearer(headers).ok_or(ErrorResponse::Unauthenticated)?);
    if state.run_key.is_some_and(|kept| kept.ct_eq(&sent).into()) {
        let key = RequestKey { id: None, name: RUN_KEY.to_owned(), role: Role::Admin, person: None };
        return Ok((key, None));
    }
    let (key, end) = state.store.find_key(sent).await?.ok_or(ErrorResponse::Unauthenticated)?;
    if let Some(id) = key.id.filter(|_| end.is_none()) {
        record_use(state, id);
    }
    Ok((key, end))
}

/// Stores the time of the key's last use in the background, so that a database that cannot be written does not fail
/// reads.
fn record_use(state: &SharedState, id: i64) {
    if !state.key_uses.is_due(id) {
        return;
    }
    let state = state.clone();
    let record = async move {
        let store = state.store.clone();
        let write = async move { Ok(store.record_key_use(id).await?) };
        // A failure is already logged.
        drop(state.tasks.finish(write).await);
    };
    tokio::spawn(record.boxed());
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, key) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| key.trim()).filter(|key| !key.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_is_bearer_in_any_case_and_no_other() {
        for (value, expected) in [
            ("Bearer abc", Some("abc")),
            ("bearer  abc ", Some("abc")),
            ("Bearer", None),
            ("Bearer ", None),
            ("Basic abc", None),
            ("abc", None),
        ] {
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())]);
            assert_eq!(bearer(&headers), expected, "{value}");
        }
    }
}
