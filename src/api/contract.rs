//! The interface, once: paths and names on the wire, for the client that asks and the service that answers.
//!
//! Names only.

use url::form_urlencoded::byte_serialize;

/// The version of the interface, in front of every path.
pub const VERSION: &str = "/api/v1";
/// List and create reports.
pub const REPORTS: &str = "/api/v1/reports";
/// Show, update and delete a report; `{id}` stands for its id.
pub const REPORT: &str = "/api/v1/reports/{id}";
/// List projects.
pub const PROJECTS: &str = "/api/v1/projects";
/// Delete a project; `{project}` stands for its name.
pub const PROJECT: &str = "/api/v1/projects/{project}";
/// The results a report had before. Not part of the interface, but of ours.
pub const HISTORY: &str = "/api/v1/reports/{id}/history";
/// An address that opens a report's page in a browser. Not part of the interface, but of ours.
pub const LINK: &str = "/api/v1/reports/{id}/link";
/// The page of a report for people; needs no key. Not part of the interface, but of ours.
pub const REPORT_PAGE: &str = "/reports/{id}";
/// The icon of report pages.
pub const ICON: &str = "/icon.svg";
/// The picture that a shared link to a good report shows.
pub const GOOD_IMAGE: &str = "/good.png";
/// The same for a decent report.
pub const DECENT_IMAGE: &str = "/decent.png";
/// The same for a bad report.
pub const BAD_IMAGE: &str = "/bad.png";
/// What robots may ask for.
pub const ROBOTS: &str = "/robots.txt";
/// Whether the service can answer; needs no key. Not part of the interface, but of ours.
pub const HEALTH: &str = "/health";

/// What the service counts, for Prometheus; needs no key. Not part of the interface, but of ours.
pub const METRICS: &str = "/metrics";
/// What the interface is, as OpenAPI 3.1; needs no key. Not part of the interface, but of ours.
pub const DESCRIPTION: &str = "/api/v1/openapi.json";

/// What a desk says about itself. Not part of the interface, but of ours; so is all of the desk.
pub const DESK: &str = "/api/v1/desk";
/// Find or create a service on the desk.
pub const DESK_SERVICES: &str = "/api/v1/desk/services";
/// Move the rows of a service to another one, which is the same under another address.
pub const DESK_MERGE: &str = "/api/v1/desk/services/{service}/merge";
/// All rows of a service.
pub const DESK_STATES: &str = "/api/v1/desk/states";
/// State and holder of one report; `{service}` stands for the number of a service on the desk.
pub const DESK_STATE: &str = "/api/v1/desk/states/{service}/{report}";
/// All notes of a service.
pub const DESK_NOTES: &str = "/api/v1/desk/notes";
/// Add a note to a report.
pub const DESK_REPORT_NOTES: &str = "/api/v1/desk/states/{service}/{report}/notes";
/// Withdraw a note.
pub const DESK_REPORT_NOTE: &str = "/api/v1/desk/states/{service}/{report}/notes/{id}";
/// What was done to one report.
pub const DESK_REPORT_EVENTS: &str = "/api/v1/desk/states/{service}/{report}/events";
/// What was changed since a position of the log; waits for a change.
pub const DESK_CHANGES: &str = "/api/v1/desk/changes";

/// The content type of the bodies of reports and projects.
pub const FORM: &str = "application/x-www-form-urlencoded";
/// The content type of the bodies of a desk.
pub const JSON: &str = "application/json";

/// The path of one report.
pub fn report_path(id: &str) -> String {
    format!("{REPORTS}/{}", segment(id))
}

/// The path of the address that opens a report's page.
pub fn link_path(id: &str) -> String {
    format!("{}/link", report_path(id))
}

/// The path of a report's page for people.
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

/// One part of a path, percent-encoded. In paths a plus is a plus, so spaces are written `%20`.
fn segment(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Parameters of lists and writes.
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
    /// Which page, from 1.
    pub const PAGE: &str = "page";
    /// The rows behind those of the page that this text came with, instead of a page's number.
    pub const CURSOR: &str = "cursor";
    /// The rows after this number of rows. Some services page so; ours does not.
    pub const OFFSET: &str = "offset";
    /// The page to audit.
    pub const URL: &str = "url";
    /// Who may see the report page: 0, 1 or 2.
    pub const PRIVACY: &str = "privacy";
    /// The report page's password.
    pub const PASSWORD: &str = "password";
    /// What opens a report page that is not public; stands in its address.
    pub const PASS: &str = "pass";
    /// The format that a report page is downloaded in: json or csv.
    pub const FORMAT: &str = "format";
    /// 1 audits again.
    pub const RESULTS: &str = "results";
    /// The number of a service on a desk.
    pub const SERVICE: &str = "service";
    /// What comes after this: a report, an id, a revision.
    pub const AFTER: &str = "after";
    /// What comes before this revision.
    pub const BEFORE: &str = "before";
    /// The id of a write on a desk.
    pub const CHANGE: &str = "change";
    /// How many seconds to wait for a change.
    pub const WAIT: &str = "wait";
    /// The report at which somebody is.
    pub const AT: &str = "at";
    /// What somebody does there: viewing or writing.
    pub const DOING: &str = "doing";
}

/// Fields of answers.
pub mod field {
    /// A report's id.
    pub const ID: &str = "id";
    /// The audited page.
    pub const URL: &str = "url";
    /// The project's name.
    pub const PROJECT: &str = "project";
    /// good, decent or bad.
    pub const RESULT: &str = "result";
    /// 0–100.
    pub const SCORE: &str = "score";
    /// Why the page could not be fetched: dns, tls, refused, timeout, 4xx, 5xx, other or null. Not part of the interface.
    pub const FETCH_ERROR: &str = "fetch_error";
    /// When the page was last audited.
    pub const GENERATED_AT: &str = "generated_at";
    /// When the report or project came into being.
    pub const CREATED_AT: &str = "created_at";
    /// When the report was last changed.
    pub const UPDATED_AT: &str = "updated_at";
    /// 0, 1 or 2.
    pub const PRIVACY: &str = "privacy";
    /// Whether a page password is set.
    pub const PASSWORD: &str = "password";
    /// Check id to what the check found.
    pub const RESULTS: &str = "results";
    /// The ids of failed checks.
    pub const FAILED: &str = "failed";
    /// The results a report had before, the latest first.
    pub const HISTORY: &str = "history";
    /// Until when a link opens its page.
    pub const EXPIRES_AT: &str = "expires_at";
    /// How many reports a project holds.
    pub const REPORTS: &str = "reports";
    /// How many of them are good.
    pub const GOOD: &str = "good";
    /// How many of them are decent.
    pub const DECENT: &str = "decent";
    /// How many of them are bad.
    pub const BAD: &str = "bad";
    /// Of a check: true, false, or null where nothing was judged.
    pub const PASSED: &str = "passed";
    /// Of a check: high, medium, low or note.
    pub const IMPORTANCE: &str = "importance";
    /// Of a check: seo, performance, security, accessibility, other.
    pub const CATEGORY: &str = "category";
    /// Of a check: passed, failed, note or `not_applicable`.
    pub const OUTCOME: &str = "outcome";
    /// Of a check: what was measured.
    pub const VALUE: &str = "value";
    /// Of a check: what is wrong. Of a refusal: the texts per field.
    pub const ERRORS: &str = "errors";
    /// The envelope's content.
    pub const DATA: &str = "data";
    /// The envelope's links to other pages.
    pub const LINKS: &str = "links";
    /// The envelope's paging.
    pub const META: &str = "meta";
    /// The cursor of the next page.
    pub const NEXT_CURSOR: &str = "next_cursor";
    /// The HTTP status again, in the body.
    pub const STATUS: &str = "status";
    /// A refusal in words.
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
