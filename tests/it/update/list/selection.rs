//! Marks: they belong to ids, survive sorts, filters and refreshes, and can be undone.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::{Message, UpdateOutcome};
use reportdeck::domain::bulk::ItemReply;
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::input::{Input, Mouse, MouseKind};

use crate::support::session::draw;
use crate::support::states::*;

fn targets(app: &App) -> Vec<String> {
    app.targets().iter().map(|id| id.raw().to_owned()).collect()
}

fn marks(app: &App) -> String {
    app.reports.selection_text().unwrap_or_default()
}

#[test]
fn space_marks_and_moves_on_and_marks_stay_on_their_reports() {
    let mut app = loaded();
    press(&mut app, "space j space");
    assert_eq!((targets(&app), marks(&app)), (vec!["1".to_owned(), "3".to_owned()], "2 marked".to_owned()));
    press(&mut app, "s j j enter");
    let sorted = shown(&app);
    assert_ne!(sorted, ["1", "2", "3", "4", "5"], "in another order");
    let mut expected = vec!["1".to_owned(), "3".to_owned()];
    expected.sort_by_key(|id| sorted.iter().position(|shown| shown == id));
    assert_eq!(targets(&app), expected);
    let request = reports_request(&press(&mut app, "r"));
    let mut rows = five();
    rows.rotate_left(2);
    app.update(Message::Reports(request, Ok(page(rows, None, 5))), now());
    assert_eq!(targets(&app).len(), 2, "a refresh keeps marks");
    press(&mut app, "M");
    assert!(targets(&app).is_empty() && marks(&app).is_empty());
}

#[test]
fn hidden_marks_do_not_count() {
    let mut app = loaded();
    press(&mut app, "V");
    assert_eq!(marks(&app), "5 marked");
    press(&mut app, "b");
    assert_eq!(shown(&app), ["1", "2"]);
    assert_eq!((targets(&app).len(), marks(&app)), (2, "2 marked, 3 hidden".to_owned()));
    press(&mut app, "/ space n o n e enter");
    assert!(targets(&app).is_empty(), "hidden reports are not targets");
    assert_eq!(marks(&app), "0 marked, 5 hidden");
}

#[test]
fn ranges_are_marked_with_v_with_shift_and_with_the_mouse() {
    let mut app = loaded();
    press(&mut app, "j v j j");
    assert_eq!(targets(&app), ["2", "3", "4"], "also before the range ends");
    press(&mut app, "k v");
    assert_eq!(targets(&app), ["2", "3"]);
    press(&mut app, "G v k esc");
    assert_eq!(targets(&app), ["2", "3"], "Esc drops the range and keeps the marks");
    press(&mut app, "M g shift+down shift+down space");
    assert_eq!(targets(&app), ["1", "2", "3"]);
    press(&mut app, "M");
    let (_, drawn) = draw(&app, 100, 30);
    app.update(Message::FrameLayout(drawn), now());
    let rows = app.ctx.layout.hit_targets.iter().find_map(|(area, spot)| {
        use reportdeck::app::frame_layout::{HitTarget, Pane};
        (*spot == HitTarget::Rows(Pane::Reports)).then_some(*area)
    });
    let rows = rows.unwrap();
    for (kind, line) in [
        (MouseKind::Click, 1),
        (MouseKind::Drag, 1),
        (MouseKind::Drag, 3),
        (MouseKind::Release, 3),
        (MouseKind::Drag, 0),
    ] {
        let mouse = Mouse { kind, column: rows.column + 4, row: rows.row + line };
        app.update(Message::Input(Input::Mouse(mouse)), now());
        if kind == MouseKind::Release {
            assert_eq!(targets(&app), ["2", "3", "4"]);
            assert!(!app.reports.selection.draws_range());
        }
    }
}

#[test]
fn a_removed_report_loses_its_mark() {
    let mut app = loaded();
    press(&mut app, "space space");
    let effects = press(&mut app, "g enter");
    let gone = failure(reportdeck::domain::failure::FailureKind::NotFound);
    app.update(Message::Report(report_request(&effects), Err(gone)), now());
    assert_eq!(targets(&app), ["2"]);
}

#[test]
fn a_report_that_others_deleted_loses_its_mark_when_all_reports_are_read_again() {
    let mut app = loaded();
    press(&mut app, "space space space");
    let rows = || five().into_iter().filter(|row| row.id.raw() != "2").collect::<Vec<_>>();
    let request = reports_request(&press(&mut app, "r"));
    let effects = app.update(Message::Reports(request, Ok(page(rows()[..2].to_vec(), Some(2), 4))), now());
    assert_eq!(marks(&app), "3 marked", "until the list is complete");
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows()[2..].to_vec(), None, 4))), now());
    assert_eq!(marks(&app), "2 marked");
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    press(&mut app, "V");
    let request = reports_request(&press(&mut app, "1 j enter"));
    let of_project = five().into_iter().filter(|row| row.project.raw() == "blog.example").collect();
    app.update(Message::Reports(request, Ok(page(of_project, None, 2))), now());
    assert_eq!(marks(&app), "2 marked, 3 hidden", "a list of one project does not have the others");
}

#[test]
fn undo_restores_marks_filter_and_order_exactly() {
    let mut app = loaded();
    let state = |app: &App| (marks(app), app.reports.filter_line.value().to_owned(), app.reports.sort, shown(app));
    let mut states = vec![state(&app)];
    for keys in ["space space", "j v j v", "b", "S", "/ space t e a enter", "M"] {
        press(&mut app, keys);
        states.push(state(&app));
    }
    // Two presses of Space are two steps; every other action is one.
    for expected in states.iter().rev().skip(1).take(5) {
        press(&mut app, "u");
        assert_eq!(&state(&app), expected);
    }
    press(&mut app, "u u");
    assert_eq!(state(&app), states[0]);
    press(&mut app, "u U U U U U U U U U");
    assert_eq!(&state(&app), states.last().unwrap(), "redo restores everything");
    press(&mut app, "u space U");
    assert_eq!(notice(&app), "Nothing to redo", "a new step clears the redo history");
}

#[test]
fn undo_does_not_mark_deleted_reports() {
    let mut app = loaded();
    app.jobs.delete_delay = jiff::SignedDuration::ZERO;
    press(&mut app, "b b b b space space");
    let effects = press(&mut app, "D y");
    let stored = effects.iter().find_map(|effect| match effect {
        Effect::StoreRun(request, ..) => Some(*request),
        _ => None,
    });
    let effects = app.update(Message::RunStored(stored.unwrap(), Ok(None)), now());
    for effect in effects {
        if let Effect::SendItem(request, _) = effect {
            app.update(Message::BulkItem(request, ItemReply::Deleted(Ok(()))), now());
        }
    }
    assert_eq!(shown(&app).len(), 3);
    press(&mut app, "esc u");
    assert_eq!(marks(&app), "");
    assert!(notice(&app).contains("filter"), "the step below: {}", notice(&app));
    press(&mut app, "U U");
    assert_eq!(marks(&app), "");
}

#[test]
fn undo_restores_privacy_by_another_request() {
    let mut app = loaded();
    let updates = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Update(request, id, change, _) => Some((*request, id.raw().to_owned(), change.privacy)),
            _ => None,
        })
    };
    let answer = |app: &mut App, request, privacy| {
        let mut report = row(1, "https://shop.example/tea", 31);
        report.privacy = Some(privacy);
        app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(report))), now());
    };
    let (request, id, privacy) = updates(&press(&mut app, "e right ctrl+s")).unwrap();
    assert_eq!((id.as_str(), privacy), ("1", Some(Privacy::Private)));
    answer(&mut app, request, Privacy::Private);
    let (request, id, privacy) = updates(&press(&mut app, "j u y")).unwrap();
    assert_eq!((id.as_str(), privacy), ("1", Some(Privacy::Public)), "wherever the cursor is");
    assert!(updates(&press(&mut app, "U")).is_none(), "not during the write");
    answer(&mut app, request, Privacy::Public);
    let (request, _, privacy) = updates(&press(&mut app, "U")).unwrap();
    assert_eq!(privacy, Some(Privacy::Private));
    answer(&mut app, request, Privacy::Private);
    assert!(updates(&press(&mut app, "U")).is_none());
    assert!(updates(&press(&mut app, "u y")).is_some());
}

#[test]
fn a_range_keeps_its_other_reports_when_the_first_one_is_gone() {
    let mut app = loaded();
    press(&mut app, "j v j j");
    let request = reports_request(&press(&mut app, "r"));
    let mut rows = vec![row(0, "https://new.example/", 99)];
    rows.extend(five().into_iter().filter(|row| row.id.raw() != "2"));
    app.update(Message::Reports(request, Ok(page(rows, None, 5))), now());
    assert_eq!(targets(&app), ["3", "4"], "and no row that was not in it");
    press(&mut app, "v");
    assert_eq!(marks(&app), "2 marked");

    let mut app = loaded();
    let effects = press(&mut app, "G D y");
    let Some(Effect::DeleteReport(request, _)) = effects.last() else { panic!("nothing is deleted: {effects:?}") };
    press(&mut app, "v k k");
    app.update(Message::Deleted(*request, Ok(())), now());
    assert_eq!(targets(&app), ["3", "4"], "upwards, and after a deletion of one's own");
}

#[test]
fn each_deletion_of_a_run_takes_one_mark_and_leaves_the_hidden_ones() {
    let mut app = loaded();
    app.jobs.delete_delay = jiff::SignedDuration::ZERO;
    let effects = press(&mut app, "V b D y");
    let stored = effects.iter().find_map(|effect| match effect {
        Effect::StoreRun(request, ..) => Some(*request),
        _ => None,
    });
    let mut left = Vec::new();
    for effect in app.update(Message::RunStored(stored.unwrap(), Ok(None)), now()) {
        if let Effect::SendItem(request, _) = effect {
            app.update(Message::BulkItem(request, ItemReply::Deleted(Ok(()))), now());
            left.push(marks(&app));
        }
    }
    assert_eq!(left, ["1 marked, 3 hidden", "0 marked, 3 hidden"]);
}

#[test]
fn a_range_ends_when_the_filter_hides_where_it_began() {
    let mut app = loaded();
    press(&mut app, "j j v j j b");
    assert!(!app.reports.selection.draws_range());
}
