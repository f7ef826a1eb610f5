//! The routes, as a table: method, path, whether a key is needed, and who answers.
//!
//! Must not know what the answers are.

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use axum::{Json, Router};
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::api::contract;

use super::answer::{self, Refusal};
use super::observe::observe;
use super::store::projects::totals;
use super::{Shared, auth, metrics, projects, report_page, reports};

/// One route.
struct Route {
    path: &'static str,
    needs_key: bool,
    /// The method and who answers it.
    answer: fn() -> MethodRouter<Shared>,
}

/// Every route of the service. To add one, add an entry.
const ROUTES: [Route; 14] = [
    Route { path: contract::REPORTS, needs_key: true, answer: || get(reports::list) },
    Route { path: contract::REPORTS, needs_key: true, answer: || post(reports::create) },
    Route { path: contract::REPORT, needs_key: true, answer: || get(reports::show) },
    Route { path: contract::REPORT, needs_key: true, answer: || put(reports::update) },
    Route { path: contract::REPORT, needs_key: true, answer: || patch(reports::update) },
    Route { path: contract::REPORT, needs_key: true, answer: || delete(reports::delete) },
    Route { path: contract::HISTORY, needs_key: true, answer: || get(reports::history) },
    Route { path: contract::LINK, needs_key: true, answer: || get(report_page::link) },
    Route { path: contract::REPORT_PAGE, needs_key: false, answer: pages },
    Route { path: contract::ICON, needs_key: false, answer: || get(report_page::icon) },
    Route { path: contract::PROJECTS, needs_key: true, answer: || get(projects::list) },
    Route { path: contract::PROJECT, needs_key: true, answer: || delete(projects::delete) },
    Route { path: contract::METRICS, needs_key: false, answer: || get(metrics::show) },
    Route { path: contract::HEALTH, needs_key: false, answer: || get(health) },
];

/// What every answer says about itself: it is nobody's to keep, and what it is called is what it is.
const HEADERS: [(HeaderName, &str); 2] =
    [(header::CACHE_CONTROL, "no-store"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];

/// The routes with all that stands in front of them. `on_loopback` also checks which machine a request names.
pub(super) fn router(shared: Shared, on_loopback: bool) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let answer = (route.answer)();
        let answer = if route.needs_key {
            answer.route_layer(from_fn_with_state(shared.clone(), auth::require_key))
        } else {
            answer
        };
        router = router.route(route.path, answer);
    }
    let mut router = router
        .fallback(async || Refusal::NotFound("Address"))
        .method_not_allowed_fallback(async || Refusal::MethodNotAllowed)
        .layer(CatchPanicLayer::custom(answer::panicked));
    if on_loopback {
        router = router.layer(from_fn(auth::require_loopback_host));
    }
    router = router.layer(from_fn_with_state(shared.clone(), observe));
    for (name, value) in HEADERS {
        router = router.layer(SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value)));
    }
    router.with_state(shared)
}

/// Report pages are text for people on slow lines: they are compressed.
fn pages() -> MethodRouter<Shared> {
    get(report_page::show).post(report_page::unlock).layer(CompressionLayer::new())
}

/// `GET /health`: whether the database answers.
async fn health(State(shared): State<Shared>) -> Result<Json<serde_json::Value>, Refusal> {
    shared.store.read(totals).await?;
    Ok(Json(json!({ contract::field::STATUS: 200 })))
}
