//! The list is read again by itself while the dashboard stays open.

use jiff::{SignedDuration, Timestamp};

use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::Message;
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::list::paging::{Next, Page};
use reportdeck::domain::text::Text;

use crate::support::session::draw;
use crate::support::states::{
    connected, create_request, failure, five, loaded, now, page, press, project, projects_request, reports_request,
    row, two_projects,
};
use crate::update::screen;

/// A dashboard that refreshes so many minutes after its list was read, with one page of reports.
fn refreshing_after(minutes: u16) -> App {
    let (mut app, effects) = connected();
    app.session.refresh_minutes = minutes;
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    app
}

fn after(seconds: i64) -> Timestamp {
    now() + SignedDuration::from_secs(seconds)
}

fn reads(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::ListReports { .. })).count()
}

/// Ticks after so many seconds, and returns the number of lists requested then.
fn reads_after(app: &mut App, seconds: i64) -> usize {
    reads(&app.update(Message::Tick, after(seconds)))
}

#[test]
fn a_list_of_one_page_is_read_again_half_a_minute_after_the_configured_time() {
    let mut app = refreshing_after(5);
    assert_eq!(reads_after(&mut app, 329), 0);
    assert!(app.wake_at().unwrap() <= after(330));
    let effects = app.update(Message::Tick, after(330));
    assert_eq!(reads(&effects), 1);
    assert_eq!(reads_after(&mut app, 3600), 0, "one reading at a time");
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), after(3600));
    assert_eq!((reads_after(&mut app, 3929), reads_after(&mut app, 3930)), (0, 1));
}

#[test]
fn zero_minutes_mean_never() {
    assert_eq!(reads_after(&mut refreshing_after(0), 864_000), 0);
}

#[test]
fn a_refresh_that_failed_is_repeated_later_unless_the_key_was_refused() {
    for (kind, repeated) in [(FailureKind::Service, 1), (FailureKind::Unauthorised, 0)] {
        let mut app = refreshing_after(5);
        let effects = app.update(Message::Tick, after(330));
        app.update(Message::Reports(reports_request(&effects), Err(failure(kind))), after(331));
        assert_eq!(app.reports.listing.loaded(), 5, "the rows stay");
        assert_eq!(reads_after(&mut app, 3600), repeated, "{kind:?}");
    }
}

#[test]
fn a_list_that_failed_after_its_first_page_is_read_again_later() {
    let mut app = refreshing_after(5);
    let effects = app.update(Message::Tick, after(330));
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), after(330));
    app.update(Message::Reports(reports_request(&effects), Err(failure(FailureKind::TimedOut))), after(331));
    assert_eq!(reads_after(&mut app, 3600), 1);
}

#[test]
fn a_list_whose_loading_was_stopped_is_not_read_again() {
    let (mut app, effects) = connected();
    app.session.refresh_minutes = 5;
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    press(&mut app, "esc");
    assert_eq!(reads_after(&mut app, 3600), 0);
}

/// A dashboard that shows one of two projects, and the request for its reports after a refresh.
fn refreshed_project() -> (App, RequestId) {
    let mut app = loaded();
    press(&mut app, "1 j enter");
    assert_eq!(app.reports.scope.as_ref().map(Text::raw), Some("blog.example"));
    let request = reports_request(&press(&mut app, "2 r"));
    (app, request)
}

#[test]
fn a_project_that_somebody_deleted_is_named_whether_its_list_is_empty_or_missing() {
    let missing = || Err(failure(FailureKind::NotFound).with_status(404));
    for reply in [Ok(page(Vec::new(), None, 0)), missing()] {
        let (mut app, request) = refreshed_project();
        let is_empty = reply.is_ok();
        let effects = app.update(Message::Reports(request, reply), now());
        let mut projects = two_projects();
        projects.rows.retain(|project| project.name.raw() != "blog.example");
        app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
        if !is_empty {
            // The rows of the former list do not match.
            press(&mut app, "/ n o n e enter");
        }
        let (screen, _) = draw(&app, 140, 40);
        assert!(screen.contains("The service has no project blog.example"), "{is_empty}\n{screen}");
        assert!(screen.contains("1 goes to the projects") && !screen.contains("match"), "{screen}");
    }
}

#[test]
fn an_empty_project_that_is_still_listed_is_not_called_missing() {
    let (mut app, request) = refreshed_project();
    let effects = app.update(Message::Reports(request, Ok(page(Vec::new(), None, 0))), now());
    let mut projects = two_projects();
    projects.rows[1] = project("blog.example", 0, 0, 0);
    app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
    let (screen, _) = draw(&app, 140, 40);
    assert!(screen.contains("The service has no matching reports"), "{screen}");
}

#[test]
fn a_search_in_a_project_without_hits_reads_no_projects() {
    let (mut app, request) = refreshed_project();
    app.update(Message::Reports(request, Ok(page(five(), Some(2), 500))), now());
    let request = reports_request(&press(&mut app, "/ n o n e enter"));
    let effects = app.update(Message::Reports(request, Ok(page(Vec::new(), None, 0))), now());
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::ListProjects(..))), "{effects:?}");
}

#[test]
fn a_list_of_one_page_names_the_rows_that_the_service_returned_whatever_is_created_or_deleted_since() {
    let (mut app, effects) = connected();
    let rows = (1..=100).map(|number| row(number, &format!("https://shop.example/{number}"), 31)).collect();
    let without_evidence = Page { next: Next::NoEvidence, total: None, last_page: None, ..page(rows, None, 100) };
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(without_evidence)), now());
    let missing = failure(FailureKind::NotFound).with_status(404);
    app.update(Message::Reports(reports_request(&effects), Err(missing)), now());
    let expected = "the service returned 100 rows and no next page";
    assert!(screen(&app).contains(expected), "{}", screen(&app));
    let effects = press(&mut app, "n h t t p s : / / n e w . e x a m p l e ctrl+s");
    let created = row(101, "https://new.example", 31);
    app.update(Message::Created(create_request(&effects), Ok(created)), now());
    assert_eq!(app.reports.listing.loaded(), 101);
    let later = now() + jiff::SignedDuration::from_mins(1);
    app.update(Message::Tick, later);
    assert!(screen(&app).contains(expected), "{}", screen(&app));
}
