//! The table of routes: method, path, the role that a key needs, handler, description.

use std::sync::LazyLock;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use super::access_log::observe;
use super::auth;
use super::openapi::{self, Describe};
use super::proxies::{self, HostCheck};
use super::state::SharedState;
use crate::api::contract;
use crate::domain::desk::Role::{self, Admin, Triage, Viewer};
use crate::service::handlers::errors::{self, ErrorResponse};
use crate::service::handlers::{desk, monitoring, projects, report_pages, reports};
use crate::service::pages::html;

/// One route.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    /// The role that a key needs; `None` for routes without a key.
    pub role: Option<Role>,
    /// The handler.
    answer: fn() -> MethodRouter<SharedState>,
    /// The OpenAPI operation; `None` for pages that people open.
    pub described: Option<Describe>,
}

const fn with_key(
    role: Role,
    method: Method,
    path: &'static str,
    answer: fn() -> MethodRouter<SharedState>,
    described: Describe,
) -> Route {
    Route { method, path, role: Some(role), answer, described: Some(described) }
}

const fn open(
    method: Method,
    path: &'static str,
    answer: fn() -> MethodRouter<SharedState>,
    described: Option<Describe>,
) -> Route {
    Route { method, path, role: None, answer, described }
}

/// Every route of the service.
pub const ROUTES: [Route; 30] = [
    with_key(Viewer, Method::GET, contract::REPORTS, || get(reports::list), openapi::list_reports),
    with_key(Admin, Method::POST, contract::REPORTS, || post(reports::create), openapi::create_report),
    with_key(Viewer, Method::GET, contract::REPORT, || get(reports::show), openapi::show_report),
    with_key(Triage, Method::PUT, contract::REPORT, || put(reports::update), openapi::update_report),
    with_key(Triage, Method::PATCH, contract::REPORT, || patch(reports::update), openapi::update_report),
    with_key(Admin, Method::DELETE, contract::REPORT, || delete(reports::delete), openapi::delete_report),
    with_key(Viewer, Method::GET, contract::HISTORY, || get(reports::history), openapi::report_history),
    with_key(Viewer, Method::GET, contract::LINK, || get(report_pages::link), openapi::report_link),
    with_key(Viewer, Method::GET, contract::PROJECTS, || get(projects::list), openapi::list_projects),
    with_key(Admin, Method::DELETE, contract::PROJECT, || delete(projects::delete), openapi::delete_project),
    with_key(Viewer, Method::GET, contract::DESK, || get(desk::reads::overview), openapi::desk::overview),
    with_key(Triage, Method::POST, contract::DESK_SERVICES, || post(desk::writes::service), openapi::desk::service),
    with_key(Admin, Method::POST, contract::DESK_MERGE, || post(desk::writes::merge), openapi::desk::merge),
    with_key(Viewer, Method::GET, contract::DESK_STATES, || get(desk::reads::rows), openapi::desk::rows),
    with_key(Triage, Method::PUT, contract::DESK_STATE, || put(desk::writes::row), openapi::desk::write_row),
    with_key(Viewer, Method::GET, contract::DESK_NOTES, || get(desk::reads::notes), openapi::desk::notes),
    with_key(Triage, Method::POST, contract::DESK_REPORT_NOTES, || post(desk::writes::note), openapi::desk::add_note),
    with_key(
        Triage,
        Method::DELETE,
        contract::DESK_REPORT_NOTE,
        || delete(desk::writes::withdraw),
        openapi::desk::withdraw,
    ),
    with_key(Viewer, Method::GET, contract::DESK_REPORT_EVENTS, || get(desk::reads::history), openapi::desk::history),
    with_key(Viewer, Method::GET, contract::DESK_CHANGES, || get(desk::changes::follow), openapi::desk::changes),
    open(Method::GET, contract::REPORT_PAGE, || small(get(report_pages::show)), None),
    open(Method::POST, contract::REPORT_PAGE, || small(post(report_pages::unlock)), None),
    open(Method::GET, contract::ICON, || get(html::icon), None),
    open(Method::GET, contract::GOOD_IMAGE, || get(html::image), None),
    open(Method::GET, contract::DECENT_IMAGE, || get(html::image), None),
    open(Method::GET, contract::BAD_IMAGE, || get(html::image), None),
    open(Method::GET, contract::ROBOTS, || get(html::robots), None),
    open(Method::GET, contract::DESCRIPTION, || small(get(describe)), None),
    open(Method::GET, contract::METRICS, || get(monitoring::metrics), None),
    open(Method::GET, contract::HEALTH, || get(monitoring::health), Some(openapi::health)),
];

/// Headers of every response: no caching, no content type sniffing.
const HEADERS: [(HeaderName, &str); 2] =
    [(header::CACHE_CONTROL, "no-store"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];

/// Builds the router with its middleware.
pub fn router(state: SharedState, entrance: HostCheck) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let answer = (route.answer)();
        let answer = match route.role {
            Some(role) => answer.route_layer(from_fn_with_state((state.clone(), role), auth::require_key)),
            None => answer,
        };
        router = router.route(route.path, answer);
    }
    let mut router = router
        .fallback(async || ErrorResponse::NotFound("Address"))
        .method_not_allowed_fallback(async || ErrorResponse::MethodNotAllowed)
        .layer(CatchPanicLayer::custom(errors::panicked));
    router = router.layer(from_fn_with_state(entrance, proxies::identify));
    router = router.layer(from_fn_with_state(state.clone(), observe));
    for (name, value) in HEADERS {
        router = router.layer(SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value)));
    }
    router.with_state(state)
}

/// Compresses the responses, for slow connections.
fn small(answer: MethodRouter<SharedState>) -> MethodRouter<SharedState> {
    answer.layer(CompressionLayer::new())
}

/// `GET /api/v1/openapi.json`
async fn describe() -> impl IntoResponse {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
        let routes = ROUTES;
        let described =
            routes.iter().filter_map(|route| Some((route.path, &route.method, route.role.is_some(), route.described?)));
        openapi::document(described).to_string()
    });
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}
