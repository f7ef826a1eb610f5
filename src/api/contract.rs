//! The reports API: paths and names on the wire, shared by client and service.
//!
//! Constants and path functions only.

use url::form_urlencoded::byte_serialize;

/// The version prefix of every path.
pub const VERSION: &str = "/api/v1";
/// List and create reports.
pub const REPORTS: &str = "/api/v1/reports";
/// Show, update and delete a report by id.
pub const REPORT: &str = "/api/v1/reports/{id}";
/// List projects.
pub const PROJECTS: &str = "/api/v1/projects";
/// Delete a project by name.
pub const PROJECT: &str = "/api/v1/projects/{project}";
/// Earlier results of a report. An extension of ours.
pub const HISTORY: &str = "/api/v1/reports/{id}/history";
/// A URL that opens a report page in a browser. An extension of ours.
pub const LINK: &str = "/api/v1/reports/{id}/link";
/// The web page of a report; needs no key. An extension of ours.
pub const REPORT_PAGE: &str = "/reports/{id}";
/// The icon of report pages.
pub const ICON: &str = "/icon.svg";
/// The preview image of a shared link to a good report.
pub const GOOD_IMAGE: &str = "/good.png";
/// The preview image for a decent report.
pub const DECENT_IMAGE: &str = "/decent.png";
/// The preview image for a bad report.
pub const BAD_IMAGE: &str = "/bad.png";
/// Rules for crawlers.
pub const ROBOTS: &str = "/robots.txt";
/// The health check; needs no key. An extension of ours.
pub const HEALTH: &str = "/health";

/// Metrics for Prometheus; needs no key. An extension of ours.
pub const METRICS: &str = "/metrics";
/// The OpenAPI 3.1 description; needs no key. An extension of ours.
pub const DESCRIPTION: &str = "/api/v1/openapi.json";

/// The overview of a desk. An extension of ours, like all desk endpoints.
pub const DESK: &str = "/api/v1/desk";
/// Find or create a service on the desk.
pub const DESK_SERVICES: &str = "/api/v1/desk/services";
/// Move the rows of a service to another one that is the same under another address.
pub const DESK_MERGE: &str = "/api/v1/desk/services/{service}/merge";
/// All rows of a service.
pub const DESK_STATES: &str = "/api/v1/desk/states";
/// State and holder of one report; `{service}` is the number of a service on the desk.
pub const DESK_STATE: &str = "/api/v1/desk/states/{service}/{report}";
/// All notes of a service.
pub const DESK_NOTES: &str = "/api/v1/desk/notes";
/// Add a note to a report.
pub const DESK_REPORT_NOTES: &str = "/api/v1/desk/states/{service}/{report}/notes";
/// Withdraw a note.
pub const DESK_REPORT_NOTE: &str = "/api/v1/desk/states/{service}/{report}/notes/{id}";
/// The history of one report.
pub const DESK_REPORT_EVENTS: &str = "/api/v1/desk/states/{service}/{report}/events";
/// Changes since a position of the log; a long poll.
pub const DESK_CHANGES: &str = "/api/v1/desk/changes";

/// The content type of request bodies for reports and projects.
pub const FORM: &str = "application/x-www-form-urlencoded";
/// The content type of desk bodies.
pub const JSON: &str = "application/json";

/// The path of one report.
pub fn report_path(id: &str) -> String {
    format!("{REPORTS}/{}", segment(id))
}

/// The path of all earlier results of one report.
pub fn history_path(id: &str) -> String {
    format!("{}/history", report_path(id))
}

/// The path that returns a URL of the report page.
pub fn link_path(id: &str) -> String {
    format!("{}/link", report_path(id))
}

/// The path of the report's web page.
pub fn report_page_path(id: &str) -> String {
    format!("/reports/{}", segment(id))
}

/// The path of one project.
pub fn project_path(name: &str) -> String {
    format!("{PROJECTS}/{}", segment(name))
}

/// The path of state and holder of one report on a desk.
pub fn desk_state_path(service: i64, report: &str) -> String {
    format!("{DESK_STATES}/{service}/{}", segment(report))
}

/// Percent-encodes one path segment. A plus is literal in paths, so spaces become `%20`.
fn segment(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Names of query parameters and form fields.
pub mod parameter {
    /// The search query.
    pub const SEARCH: &str = "search";
    /// The field that the search applies to.
    pub const SEARCH_BY: &str = "search_by";
    /// Only this project, by name.
    pub const PROJECT: &str = "project";
    /// Only this result.
    pub const RESULT: &str = "result";
    /// The sort key.
    pub const SORT_BY: &str = "sort_by";
    /// The sort direction.
    pub const SORT: &str = "sort";
    /// Rows per page.
    pub const PER_PAGE: &str = "per_page";
    /// The page number, from 1.
    pub const PAGE: &str = "page";
    /// The cursor returned with the previous page, instead of a page number.
    pub const CURSOR: &str = "cursor";
    /// The number of rows to skip. Some services page this way; ours does not.
    pub const OFFSET: &str = "offset";
    /// The page to audit.
    pub const URL: &str = "url";
    /// Who may see the report page: 0, 1 or 2.
    pub const PRIVACY: &str = "privacy";
    /// The report page's password.
    pub const PASSWORD: &str = "password";
    /// The signature that opens a report page that is not public.
    pub const PASS: &str = "pass";
    /// The download format of a report page: json or csv.
    pub const FORMAT: &str = "format";
    /// 1 re-runs the report.
    pub const RESULTS: &str = "results";
    /// The number of a service on a desk.
    pub const SERVICE: &str = "service";
    /// Only entries after this report, id or revision.
    pub const AFTER: &str = "after";
    /// Only entries before this revision.
    pub const BEFORE: &str = "before";
    /// The id of a write on a desk.
    pub const CHANGE: &str = "change";
    /// Seconds to wait for a change.
    pub const WAIT: &str = "wait";
    /// The report that the user is looking at.
    pub const AT: &str = "at";
    /// The user's activity there: viewing or writing.
    pub const DOING: &str = "doing";
}

/// Names of response fields.
pub mod field {
    /// The audited page.
    pub const URL: &str = "url";
    /// When a link to a report page expires.
    pub const EXPIRES_AT: &str = "expires_at";
    /// Of a check: true, false, or null without a verdict.
    pub const PASSED: &str = "passed";
    /// Of a check: high, medium, low or note.
    pub const IMPORTANCE: &str = "importance";
    /// Of a check: seo, performance, security, accessibility, other.
    pub const CATEGORY: &str = "category";
    /// Of a check: passed, failed, note or `not_applicable`.
    pub const OUTCOME: &str = "outcome";
    /// Of a check: the measured value.
    pub const VALUE: &str = "value";
    /// Of a check: the problems. Of an error response: the messages per field.
    pub const ERRORS: &str = "errors";
    /// The content of the envelope.
    pub const DATA: &str = "data";
    /// The cursor of the next page.
    pub const NEXT_CURSOR: &str = "next_cursor";
    /// The HTTP status, repeated in the body.
    pub const STATUS: &str = "status";
    /// The error message.
    pub const MESSAGE: &str = "message";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_paths_are_percent_encoded() {
        assert_eq!(report_path("12"), "/api/v1/reports/12");
        assert_eq!(project_path("a b/c+d"), "/api/v1/projects/a%20b%2Fc%2Bd");
        assert_eq!(project_path("ü"), "/api/v1/projects/%C3%BC");
    }

    #[test]
    fn every_path_begins_with_the_version() {
        let desk = [DESK, DESK_SERVICES, DESK_MERGE, DESK_STATES, DESK_STATE, DESK_NOTES, DESK_CHANGES];
        for path in [REPORTS, REPORT, HISTORY, LINK, PROJECTS, PROJECT].into_iter().chain(desk) {
            assert!(path.starts_with(VERSION), "{path}");
        }
    }
}
