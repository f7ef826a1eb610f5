//! The table of routes: path, the role that a key needs, method and handler.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use super::access_log::observe;
use super::auth;
use super::proxies::{self, HostCheck};
use super::state::SharedState;
use crate::api::contract;
use crate::domain::desk::Role::{self, Admin, Triage, Viewer};
use crate::service::handlers::errors::{self, ErrorResponse};
use crate::service::handlers::{desk, monitoring, projects, report_pages, reports};
use crate::service::pages::html;

/// One route.
pub struct Route {
    pub path: &'static str,
    /// The role that a key needs; `None` for routes without a key.
    pub role: Option<Role>,
    /// The method and its handler.
    answer: fn() -> MethodRouter<SharedState>,
}

/// The API as OpenAPI 3.1.
pub const OPENAPI: &str = include_str!("../../../assets/openapi.json");

const fn with_key(role: Role, path: &'static str, answer: fn() -> MethodRouter<SharedState>) -> Route {
    Route { path, role: Some(role), answer }
}

const fn open(path: &'static str, answer: fn() -> MethodRouter<SharedState>) -> Route {
    Route { path, role: None, answer }
}

/// Every route of the service.
pub const ROUTES: [Route; 30] = [
    with_key(Viewer, contract::REPORTS, || get(reports::list)),
    with_key(Admin, contract::REPORTS, || post(reports::create)),
    with_key(Viewer, contract::REPORT, || get(reports::show)),
    with_key(Triage, contract::REPORT, || put(reports::update)),
    with_key(Triage, contract::REPORT, || patch(reports::update)),
    with_key(Admin, contract::REPORT, || delete(reports::delete)),
    with_key(Viewer, contract::HISTORY, || get(reports::history)),
    with_key(Viewer, contract::LINK, || get(report_pages::link)),
    with_key(Viewer, contract::PROJECTS, || get(projects::list)),
    with_key(Admin, contract::PROJECT, || delete(projects::delete)),
    with_key(Viewer, contract::DESK, || get(desk::reads::overview)),
    with_key(Triage, contract::DESK_SERVICES, || post(desk::writes::service)),
    with_key(Admin, contract::DESK_MERGE, || post(desk::writes::merge)),
    with_key(Viewer, contract::DESK_STATES, || get(desk::reads::rows)),
    with_key(Triage, contract::DESK_STATE, || put(desk::writes::row)),
    with_key(Viewer, contract::DESK_NOTES, || get(desk::reads::notes)),
    with_key(Triage, contract::DESK_REPORT_NOTES, || post(desk::writes::note)),
    with_key(Triage, contract::DESK_REPORT_NOTE, || delete(desk::writes::withdraw)),
    with_key(Viewer, contract::DESK_REPORT_EVENTS, || get(desk::reads::history)),
    with_key(Viewer, contract::DESK_CHANGES, || get(desk::changes::follow)),
    open(contract::REPORT_PAGE, || small(get(report_pages::show))),
    open(contract::REPORT_PAGE, || small(post(report_pages::unlock))),
    open(contract::ICON, || get(html::icon)),
    open(contract::GOOD_IMAGE, || get(html::image)),
    open(contract::DECENT_IMAGE, || get(html::image)),
    open(contract::BAD_IMAGE, || get(html::image)),
    open(contract::ROBOTS, || get(html::robots)),
    open(contract::DESCRIPTION, || small(get(describe))),
    open(contract::METRICS, || get(monitoring::metrics)),
    open(contract::HEALTH, || get(monitoring::health)),
];

/// Headers of every response: no caching, no content type sniffing.
const HEADERS: [(HeaderName, &str); 2] =
    [(header::CACHE_CONTROL, "no-store"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];

/// Builds the router with its middleware.
pub fn router(state: SharedState, check: HostCheck) -> Router {
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
    router = router.layer(from_fn_with_state(check, proxies::identify));
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
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};
    use strum::IntoEnumIterator;

    use super::*;
    use crate::audit::MAX_URL_LENGTH;
    use crate::domain::desk::PresenceActivity;
    use crate::domain::list::query::{Direction, PAGE_SIZES, ProjectSort, ReportSort, ResultFilter};
    use crate::domain::report::fetch_failure::FetchFailure;
    use crate::domain::report::privacy::LONGEST_PASSWORD;
    use crate::domain::triage::{LONGEST_NOTE, StateKind};
    use crate::service::handlers::desk::changes::ACTIVITIES;
    use crate::service::handlers::desk::input;

    fn document() -> Value {
        serde_json::from_str(OPENAPI).unwrap()
    }

    #[test]
    fn every_path_of_the_api_is_described_and_nothing_else() {
        let document = document();
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
        let mut described = BTreeSet::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for operation in operations.as_object().unwrap().values() {
                described.insert((path.as_str(), operation["security"] == json!([{ "key": [] }])));
            }
        }
        let routes = ROUTES;
        let of_api = routes.iter().filter(|route| route.role.is_some() || route.path == contract::HEALTH);
        let served: BTreeSet<_> = of_api.map(|route| (route.path, route.role.is_some())).collect();
        let differing: Vec<_> = served.symmetric_difference(&described).collect();
        assert!(
            differing.is_empty(),
            "(path, needs a key): only one of ROUTES and assets/openapi.json has {differing:?}"
        );
    }

    fn words<T>(table: &[(&'static str, T)]) -> Value {
        table.iter().map(|(word, _)| *word).collect()
    }

    #[test]
    fn the_description_has_the_limits_and_words_of_the_code() {
        let document = document();
        let parameter = |path: &str, name: &str| {
            let all = document["paths"][path]["get"]["parameters"].as_array().unwrap();
            let found = all.iter().find(|parameter| parameter["name"] == name).unwrap();
            found["schema"].clone()
        };
        for (path, name, expected) in [
            (contract::REPORTS, "search_by", words(&reports::SEARCHABLE)),
            (contract::REPORTS, "sort_by", json!(ReportSort::iter().map(ReportSort::name).collect::<Vec<_>>())),
            (contract::REPORTS, "result", json!(ResultFilter::iter().map(ResultFilter::name).collect::<Vec<_>>())),
            (contract::REPORTS, "sort", json!(Direction::iter().map(Direction::name).collect::<Vec<_>>())),
            (contract::REPORTS, "per_page", json!(PAGE_SIZES)),
            (contract::PROJECTS, "search_by", words(&projects::SEARCHABLE)),
            (contract::PROJECTS, "sort_by", json!(ProjectSort::iter().map(ProjectSort::name).collect::<Vec<_>>())),
            (contract::PROJECTS, "sort", json!(Direction::iter().map(Direction::name).collect::<Vec<_>>())),
            (contract::PROJECTS, "per_page", json!(PAGE_SIZES)),
            (contract::DESK_CHANGES, "doing", words(&ACTIVITIES)),
        ] {
            assert_eq!(parameter(path, name)["enum"], expected, "{path} {name}");
        }
        let field = |method: &str, path: &str, name: &str| {
            let content = &document["paths"][path][method]["requestBody"]["content"];
            content.as_object().unwrap().values().next().unwrap()["schema"]["properties"][name].clone()
        };
        for (method, path, name, most) in [
            ("post", contract::REPORTS, "url", MAX_URL_LENGTH),
            ("post", contract::REPORTS, "password", LONGEST_PASSWORD),
            ("put", contract::REPORT, "password", LONGEST_PASSWORD),
            ("patch", contract::REPORT, "password", LONGEST_PASSWORD),
            ("post", contract::DESK_SERVICES, "base", input::LONGEST_BASE),
            ("post", contract::DESK_SERVICES, "label", input::LONGEST_LABEL),
            ("post", contract::DESK_REPORT_NOTES, "text", LONGEST_NOTE),
        ] {
            assert_eq!(field(method, path, name)["maxLength"], most, "{method} {path} {name}");
        }
        let row = |name: &str| field("put", contract::DESK_STATE, name)["anyOf"][0].clone();
        assert_eq!(row("reason")["maxLength"], input::LONGEST_REASON);
        assert_eq!(row("cause")["maxLength"], input::LONGEST_CAUSE);
        let id = field("post", contract::DESK_SERVICES, "service_id")["anyOf"][0]["pattern"].clone();
        assert_eq!(id, format!("^[A-Za-z0-9._-]{{1,{}}}$", input::LONGEST_SERVICE_ID));
        let report = &document["paths"][contract::DESK_REPORT_EVENTS]["get"]["parameters"][1];
        assert_eq!(report["schema"]["maxLength"], input::LONGEST_REPORT);
        let schema = |name: &str, field: &str| document["components"]["schemas"][name]["properties"][field].clone();
        let states: Value = StateKind::iter().map(StateKind::name).collect();
        assert_eq!(schema("DeskRow", "state")["enum"], states);
        assert_eq!(field("put", contract::DESK_STATE, "state")["enum"], states);
        let roles: Value = Role::iter().map(Role::name).collect();
        assert_eq!(schema("DeskEvent", "role")["enum"], roles);
        let activities: Value = PresenceActivity::iter().map(PresenceActivity::name).collect();
        assert_eq!(schema("DeskPresence", "doing")["enum"], activities);
        let failures = FetchFailure::iter().map(|failure| Value::from(failure.name())).chain([Value::Null]);
        assert_eq!(schema("Report", "fetch_error")["enum"], failures.collect::<Value>());
    }
}
