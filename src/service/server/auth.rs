//! Authentication: a valid API key.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

use super::rate_limit::Caller;
use super::state::SharedState;
use crate::service::handlers::errors::ErrorResponse;
use crate::service::store::tables::keys::{self, KeyDigest};

/// The stored form of a key. A key is 256 random bits, so a fast hash is enough.
pub fn digest(key: &str) -> KeyDigest {
    Sha256::digest(key.as_bytes()).into()
}

/// The name of a request's key, for the log.
#[derive(Debug, Clone)]
pub struct KeyName(pub String);

/// The logged name of the key that exists for this run only.
const RUN: &str = "run";

/// Middleware: requires an active key, applies its rate limit, and adds the rate limit headers.
pub async fn require_key(State(state): State<SharedState>, request: Request, next: Next) -> Response {
    let (caller, name) = match check_key(&state, request.headers()).await {
        Ok(caller) => caller,
        Err(refusal) => return refusal.into_response(),
    };
    let (mut response, budget) = match state.rate_limiter.take(caller) {
        Ok(budget) => (next.run(request).await, budget),
        Err(spent) => (ErrorResponse::TooMany(spent).into_response(), None),
    };
    // A 429 of the audit queue keeps its own headers.
    if let Some(budget) = budget.filter(|_| response.status() != StatusCode::TOO_MANY_REQUESTS) {
        budget.write(response.headers_mut());
    }
    response.extensions_mut().insert(name);
    response
}

async fn check_key(state: &SharedState, headers: &HeaderMap) -> Result<(Caller, KeyName), ErrorResponse> {
    let sent = digest(bearer(headers).ok_or(ErrorResponse::Unauthenticated)?);
    if state.run_key.is_some_and(|kept| same(&kept, &sent)) {
        return Ok((Caller::Run, KeyName(RUN.into())));
    }
    let in_use = state.store.read(keys::in_use).await?;
    // Every digest is compared, so that the time taken does not depend on which one matches.
    let known = in_use.into_iter().fold(None, |known, key| if same(&key.digest, &sent) { Some(key) } else { known });
    let known = known.ok_or(ErrorResponse::Unauthenticated)?;
    Ok((Caller::Stored(known.id), KeyName(known.name)))
}

fn same(left: &KeyDigest, right: &KeyDigest) -> bool {
    left.ct_eq(right).into()
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
