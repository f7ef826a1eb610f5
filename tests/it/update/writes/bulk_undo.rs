//! Undo of a bulk run that has changed the privacy of reports.

use jiff::SignedDuration;
use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::domain::bulk::{BulkItem, ItemReply, ItemState};
use reportdeck::domain::failure::{FailureKind, WriteFailure};
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::domain::report::{Report, ReportId};

use crate::support::states::*;
use crate::update::screen;

/// Answers everything that a run sends. `refused` is the report whose update fails.
fn answer_all(app: &mut App, mut effects: Vec<Effect>, refused: Option<&str>) {
    while !effects.is_empty() {
        let mut next = Vec::new();
        for effect in effects {
            let message = match effect {
                Effect::StoreRun(request, ..) => Message::RunStored(request, Ok(None)),
                Effect::ReadItem(request, id) => Message::BulkItem(request, ItemReply::Looked(Ok(public(app, &id)))),
                Effect::SendItem(request, write) => {
                    let planned = write.operation.change().unwrap().privacy;
                    let report = Report { privacy: planned, ..public(app, &write.id) };
                    Message::BulkItem(request, reply(refused == Some(write.id.raw()), report))
                }
                _ => continue,
            };
            next.extend(app.update(message, now()));
        }
        effects = next;
    }
}

fn reply(is_refused: bool, report: Report) -> ItemReply {
    let failure = || WriteFailure::Refused(failure(FailureKind::Forbidden));
    ItemReply::Updated(if is_refused { Err(failure()) } else { Ok(report) })
}

fn public(app: &App, id: &ReportId) -> Report {
    Report { privacy: Some(Privacy::Public), ..app.reports.listing.row(id).unwrap().clone() }
}

/// Returns the items of a run that begins, as `id before`, skipped ones in brackets.
fn begun(effects: &[Effect]) -> Vec<String> {
    let text = |item: &BulkItem| match &item.state {
        ItemState::Skipped(reason) => format!("({} {reason})", item.id.raw()),
        _ => format!("{} {}", item.id.raw(), item.before),
    };
    let items = |effect: &Effect| match effect {
        Effect::StoreRun(_, _, items) => Some(items.iter().map(text).collect()),
        _ => None,
    };
    effects.iter().find_map(items).unwrap_or_default()
}

#[test]
fn a_run_that_was_retried_is_undone_as_a_whole() {
    let mut app = loaded();
    press(&mut app, "space space e right right ctrl+s");
    let effects = press(&mut app, "y");
    let all: Vec<String> = begun(&effects).iter().map(|item| item.replace(" public", "")).collect();
    answer_all(&mut app, effects, Some(&all[1]));
    assert!(screen(&app).contains("retries the 1 that failed · u undoes it"), "{}", screen(&app));
    let effects = press(&mut app, "r");
    answer_all(&mut app, effects, None);
    let effects = press(&mut app, "u y");
    assert_eq!(begun(&effects), [format!("{} private", all[0]), format!("{} private", all[1])]);
    answer_all(&mut app, effects, None);
    press(&mut app, "u");
    assert_eq!(notice(&app), "Only a deletion that was not sent can be undone here");
}

#[test]
fn a_run_by_hand_that_sets_the_former_privacy_again_is_a_step_of_its_own() {
    let mut app = loaded();
    press(&mut app, "space space e right right ctrl+s");
    let effects = press(&mut app, "y");
    answer_all(&mut app, effects, None);
    press(&mut app, "esc g space space x j j enter");
    let effects = press(&mut app, "y");
    assert_eq!(begun(&effects).len(), 2);
    answer_all(&mut app, effects, None);
    press(&mut app, "u");
    let shown = screen(&app);
    assert!(shown.contains("Make private 2 reports?") && shown.contains("Undoes: make public"), "{shown}");
}

#[test]
fn the_rest_of_a_cancelled_or_partly_failed_undo_can_be_undone_and_what_was_undone_redone() {
    // A run is identified by when it began.
    let later = |seconds| now() + SignedDuration::from_secs(seconds);
    let mut app = loaded();
    press(&mut app, "space space space e right right ctrl+s");
    let effects = press(&mut app, "y");
    let all: Vec<String> = begun(&effects).iter().map(|item| item.replace(" public", "")).collect();
    answer_all(&mut app, effects, None);
    let effects = press_at(&mut app, "u y", later(1));
    answer_all(&mut app, effects, Some(&all[1]));
    assert!(screen(&app).contains("retries the 1 that failed · u undoes the rest"), "{}", screen(&app));
    // Cancelled before anything is sent.
    let effects = press_at(&mut app, "u y", later(2));
    assert_eq!(begun(&effects), [format!("{} private", all[1])]);
    press(&mut app, "x");
    answer_all(&mut app, effects, None);
    assert!(screen(&app).contains("u undoes the rest"), "{}", screen(&app));
    let effects = press_at(&mut app, "u y", later(3));
    assert_eq!(begun(&effects), [format!("{} private", all[1])]);
    // What fails again would hide the steps below it. It can still be retried.
    answer_all(&mut app, effects, Some(&all[1]));
    let shown = screen(&app);
    assert!(shown.contains("retries the 1 that failed") && !shown.contains("undoes the rest"), "{shown}");
    let effects = press(&mut app, "r");
    answer_all(&mut app, effects, None);
    // Each part is redone by itself, the last one first.
    let effects = press_at(&mut app, "U y", later(4));
    assert_eq!(begun(&effects), [format!("{} public", all[1])]);
    answer_all(&mut app, effects, None);
    let effects = press_at(&mut app, "U y", later(5));
    assert_eq!(begun(&effects), [format!("{} public", all[0]), format!("{} public", all[2])]);
    answer_all(&mut app, effects, Some(&all[2]));
    assert!(screen(&app).contains("U redoes the rest"), "{}", screen(&app));
}
