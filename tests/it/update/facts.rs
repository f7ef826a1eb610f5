//! What one part of the state learns when a report or project changes while another part is about it.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::jobs::state::DELETE_DELAY;
use reportdeck::app::message::{DeskMessage, Message, UpdateOutcome};
use reportdeck::app::overlays::Overlay;
use reportdeck::app::overlays::dialog::Question;
use reportdeck::domain::desk::{ChangeId, DeskActor, DeskEvent, DeskNote, EventDetail, LogPosition};
use reportdeck::domain::failure::{Failure, FailureKind, WriteFailure};
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::report::failed_checks::FailedChecks;
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::domain::report::{Details, Report};
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::{Notes, State, Triage};
use reportdeck::input::{Action, Input};

use crate::support::states::*;
use crate::update::desk::{join_desk, on_desk, receive};
use crate::update::screen;

/// Reads everything again, whatever is open.
fn refresh(app: &mut App) -> Vec<Effect> {
    app.update(Message::Input(Input::Action(Action::RefreshAll)), now())
}

/// Returns the id of the first request that updates a report.
fn update_request(effects: &[Effect]) -> RequestId {
    let request = |effect: &Effect| if let Effect::Update(request, ..) = effect { Some(*request) } else { None };
    effects.iter().find_map(request).expect("no report is updated")
}

/// A report with all details.
fn whole(row: Report) -> Report {
    Report { details: Some(Box::new(Details { checks: Some(Vec::new()), ..Details::default() })), ..row }
}

/// Creates this report with the form.
fn create(app: &mut App, report: Report) -> Vec<Effect> {
    press(app, "n");
    app.update(Message::Input(Input::Paste("new.example".into())), now());
    let request = create_request(&press(app, "ctrl+s"));
    app.update(Message::Created(request, Ok(report)), now())
}

#[test]
fn a_form_or_menu_about_a_project_that_is_deleted_meanwhile_changes_no_other_project() {
    for (opens, chooses) in [("e", "right right ctrl+s"), ("x", "j j enter")] {
        let mut app = loaded();
        press(&mut app, "1 j");
        press(&mut app, opens);
        let request = projects_request(&refresh(&mut app));
        let mut projects = two_projects();
        projects.rows.retain(|project| project.name.raw() != "blog.example");
        app.update(Message::Projects(request, Ok(projects)), now());
        assert_eq!(app.projects.current().unwrap().name.raw(), "shop.example");
        press(&mut app, chooses);
        let Some(Overlay::Dialog(dialog)) = app.overlays.last() else { panic!("{}", screen(&app)) };
        let Question::Bulk { plan, about, .. } = &dialog.question else { panic!("{dialog:?}") };
        let ids: Vec<&str> = plan.items.iter().map(|item| item.id.raw()).collect();
        assert_eq!((ids, about.as_deref()), (vec!["3", "5"], Some("blog.example: 2 reports")), "{opens}");
    }
}

#[test]
fn what_was_decided_on_a_desk_is_not_undone_without_it() {
    let mut app = on_desk(Vec::new());
    press(&mut app, "m enter");
    receive(&mut app, DeskMessage::Absent(None));
    let effects = press(&mut app, "u");
    assert!(effects.is_empty(), "{effects:?}");
    assert_eq!(notice(&app), "Nothing to undo");
}

#[test]
fn a_report_created_while_a_refresh_waits_or_is_stopped_stays_in_the_list() {
    for is_stopped in [false, true] {
        let mut app = loaded();
        let first = reports_request(&press(&mut app, "r"));
        let effects = app.update(Message::Reports(first, Ok(page(five()[..4].to_vec(), Some(2), 6))), now());
        if is_stopped {
            press(&mut app, "esc");
        } else {
            let limited = Failure { retry_after: Some(Duration::from_secs(5)), ..failure(FailureKind::RateLimited) };
            app.update(Message::Reports(reports_request(&effects), Err(limited)), now());
        }
        create(&mut app, row(77, "https://new.example/", 81));
        let effects = if is_stopped {
            press(&mut app, "r")
        } else {
            app.update(Message::Tick, now() + SignedDuration::from_secs(6))
        };
        let rest = vec![five()[4].clone(), row(6, "https://shop.example/six", 90)];
        app.update(Message::Reports(reports_request(&effects), Ok(page(rest, None, 6))), now());
        assert!(app.reports.incoming.is_none());
        assert!(shown(&app).contains(&"77".to_owned()), "{is_stopped}: {:?}", shown(&app));
    }
}

/// A dashboard in which the deletion of the first report is pending.
fn with_a_pending_deletion() -> App {
    let mut app = loaded();
    app.jobs.delete_delay = DELETE_DELAY;
    press(&mut app, "D y");
    app
}

#[test]
fn a_pending_deletion_that_cannot_be_sent_is_named() {
    let mut app = with_a_pending_deletion();
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Err(failure(FailureKind::Unauthorised))), now());
    press(&mut app, "R");
    let effects = press(&mut app, "q y");
    assert!(effects.is_empty(), "the program neither deletes nor quits: {effects:?}");
    assert_eq!(notice(&app), "The service is still starting");
    app.update(Message::Tick, now() + SignedDuration::from_secs(6));
    assert_eq!(notice(&app), "The deletion of shop.example/tea was not sent: D asks again");
}

#[test]
fn a_deletion_is_named_in_the_notice_and_the_history_although_its_report_is_no_longer_listed() {
    let mut app = with_a_pending_deletion();
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page(five()[1..].to_vec(), None, 4))), now());
    let effects = app.update(Message::Tick, now() + SignedDuration::from_secs(6));
    let Some(Effect::DeleteReport(request, _)) = effects.last() else { panic!("{effects:?}") };
    let effects = app.update(Message::Deleted(*request, Ok(())), now());
    assert_eq!(notice(&app), "shop.example/tea was deleted");
    let names = effects.iter().find_map(|effect| match effect {
        Effect::Log(entries) => Some(entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>()),
        _ => None,
    });
    assert_eq!(names, Some(vec!["shop.example/tea"]));
}

#[test]
fn a_shown_report_is_read_again_after_its_row_has_changed_however_many_were_read_since() {
    let url = |number: u32| format!("https://shop.example/{number}");
    let rows: Vec<Report> = (1..=80).map(|number| row(number, &url(number), 20)).collect();
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows.clone(), None, 80))), now());
    let request = report_request(&press(&mut app, "enter"));
    app.update(Message::Report(request, Ok(whole(rows[0].clone()))), now());
    // A message about the others reads them.
    let mut effects = press(&mut app, "2 j v G y G enter");
    let mut read = 0;
    while let Some(at) = effects.iter().position(|effect| matches!(effect, Effect::ShowChecks(..))) {
        let Effect::ShowChecks(request, id) = effects.remove(at) else { unreachable!() };
        let number: usize = id.raw().parse().unwrap();
        effects.extend(app.update(Message::Checks(request, Ok(whole(rows[number - 1].clone()))), now()));
        read += 1;
    }
    assert_eq!(read, 64, "as many as are cached");
    press(&mut app, "esc esc esc g");
    assert_eq!(app.current_report().unwrap().id.raw(), "1");
    let request = reports_request(&press(&mut app, "r"));
    let audited = Report { generated_at: Some(now()), ..row(1, &url(1), 90) };
    let rows = std::iter::once(audited).chain(rows.into_iter().skip(1)).collect();
    app.update(Message::Reports(request, Ok(page(rows, None, 80))), now());
    assert_eq!(app.current_report().unwrap().score, Some(90));
}

#[test]
fn a_re_run_report_has_its_place_in_a_list_that_is_sorted_again_by_the_time_of_the_audit() {
    let mut app = loaded();
    let request = update_request(&press(&mut app, "j j t"));
    let audited = Report { generated_at: Some(now()), ..five()[2].clone() };
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(audited))), now());
    assert_eq!(shown(&app), ["1", "2", "3", "4", "5"], "no row moves under the cursor");
    press(&mut app, "S S");
    assert_eq!(shown(&app), ["3", "1", "2", "4", "5"]);
}

#[test]
fn undo_goes_on_below_the_privacy_of_a_report_that_others_have_deleted() {
    let mut app = loaded();
    press(&mut app, "space space space esc");
    let request = update_request(&press(&mut app, "g e right ctrl+s"));
    let private = Report { privacy: Some(Privacy::Private), ..five()[0].clone() };
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(private))), now());
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page(five()[1..].to_vec(), None, 4))), now());
    assert!(press(&mut app, "u").is_empty());
    assert_eq!(notice(&app), "Not undone: report 1 is no longer listed");
    press(&mut app, "u");
    assert_eq!(notice(&app), "Undone: 3 marked · U redoes");
}

fn reads_projects(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::ListProjects(..)))
}

#[test]
fn the_projects_are_counted_again_when_a_report_is_found_gone_or_in_another_project() {
    let mut app = loaded();
    let gone = failure(FailureKind::NotFound).with_status(404);
    let request = update_request(&press(&mut app, "t"));
    assert!(reads_projects(&app.update(Message::Updated(request, Err(WriteFailure::Refused(gone.clone()))), now())));
    let request = report_request(&press(&mut app, "enter"));
    assert!(reads_projects(&app.update(Message::Report(request, Err(gone)), now())));
    assert_eq!(shown(&app), ["3", "4", "5"]);
    let mut app = loaded();
    let request = report_request(&press(&mut app, "enter"));
    let moved = Report { project: Arc::clone(&five()[2].project), ..whole(five()[0].clone()) };
    assert!(reads_projects(&app.update(Message::Report(request, Ok(moved)), now())));
}

#[test]
fn a_refresh_keeps_the_checks_of_a_created_report() {
    let mut app = loaded();
    let created = row(77, "https://new.example/", 31);
    create(&mut app, whole(created.clone()));
    let request = reports_request(&press(&mut app, "r"));
    let listed = Report { failed: FailedChecks::default(), ..created.clone() };
    app.update(Message::Reports(request, Ok(page([five(), vec![listed]].concat(), None, 6))), now());
    assert!(app.reports.listing.row(&created.id).unwrap().knows_failing());
}

#[test]
fn a_list_sorted_by_state_is_sorted_again_when_the_states_arrive_after_the_rows() {
    for is_on_desk in [false, true] {
        let mut app = loaded();
        press(&mut app, &format!("s {} enter", to_column(Column::State)));
        assert_eq!(shown(&app), ["1", "2", "3", "4", "5"]);
        if is_on_desk {
            join_desk(&mut app, vec![desk_row("1", State::WontFix, "anna", 1)]);
        } else {
            let triage = Triage::set(State::WontFix, &five()[0], now());
            let triages = [(five()[0].id.clone(), triage)].into_iter().collect();
            app.update(Message::States(triages, Notes::default()), now());
        }
        assert_eq!(shown(&app), ["2", "3", "4", "5", "1"], "{is_on_desk}");
    }
}

#[test]
fn a_note_of_a_colleague_appears_in_the_open_history() {
    let mut app = on_desk(Vec::new());
    let reads_log = |effects: &[Effect]| {
        let request = |effect: &Effect| if let Effect::ReadLog(request) = effect { Some(*request) } else { None };
        effects.iter().find_map(request)
    };
    let request = reads_log(&press(&mut app, "@")).unwrap();
    app.update(Message::Log(request, Some(Vec::new())), now());
    let (report, author) = (five()[0].id.clone(), DeskActor::Person("ben".parse().unwrap()));
    let text = Text::from_outside("ask the customer");
    let note = DeskNote { id: 1, report: report.clone(), author: author.clone(), text, at: now(), withdrawn: false };
    let events = vec![DeskEvent {
        revision: 9,
        change: ChangeId::from_random([9; 16]),
        service: Some(1),
        report: Some(report),
        person: author,
        detail: EventDetail::Note { before: None, after: Box::new(note) },
        cause: None,
        at: now(),
        decided_at: None,
    }];
    let position = LogPosition { revision: 9, change: None };
    let effects = receive(&mut app, DeskMessage::Changes { events, present: Vec::new(), position });
    app.update(Message::Log(reads_log(&effects).expect("the history is read again"), Some(Vec::new())), now());
    assert!(screen(&app).contains("ask the customer"), "{}", screen(&app));
}

#[test]
fn a_privacy_that_a_list_showed_before_the_response_can_be_undone() {
    let mut app = loaded();
    let request = update_request(&press(&mut app, "e right ctrl+s"));
    let private = Report { privacy: Some(Privacy::Private), ..five()[0].clone() };
    let list = reports_request(&refresh(&mut app));
    let rows = std::iter::once(private.clone()).chain(five().into_iter().skip(1)).collect();
    app.update(Message::Reports(list, Ok(page(rows, None, 5))), now());
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(private))), now());
    assert_eq!(notice(&app), "shop.example/tea: public → private · u undoes");
    update_request(&press(&mut app, "u y"));
}

#[test]
fn a_created_report_is_not_counted_among_those_that_a_search_has_found() {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    let request = reports_request(&press(&mut app, "/ t e a enter"));
    app.update(Message::Reports(request, Ok(page(five()[..1].to_vec(), None, 1))), now());
    for (number, url, found) in [(77, "https://new.example/", 1), (78, "https://new.example/Tea", 2)] {
        create(&mut app, row(number, url, 81));
        assert_eq!((shown(&app).len() as u64, app.reports.total(&app.projects)), (found, found), "{url}");
    }
}
