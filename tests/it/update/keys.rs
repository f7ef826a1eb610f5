//! Keys, the mouse, forms and text fields in every state.

use jiff::SignedDuration;
use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::{FrameLayout, HitTarget, Pane};
use reportdeck::app::message::{Message, UpdateOutcome};
use reportdeck::domain::draft::DraftKey;
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::list::query::Direction;
use reportdeck::domain::look::Preset;
use reportdeck::domain::report::Details;
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::report_state::ReportState;
use reportdeck::input::bindings::BINDINGS;
use reportdeck::input::key::Sequence;
use reportdeck::input::remap::remapped;
use reportdeck::input::{Action, Context, Input, Mouse, MouseKind};
use strum::IntoEnumIterator;

use crate::support::session;
use crate::support::states::*;
use crate::update::random::assert_decided;
use crate::update::screen;

/// Keys to press first, where an action has nothing to do in the ordinary state.
fn preparation(action: Action) -> &'static str {
    match action {
        Action::Back => "b",
        Action::MoveFirst | Action::MoveUp | Action::HalfPageUp | Action::PageUp => "G",
        Action::MoveLeft | Action::FocusReports => "1 3",
        _ => "2",
    }
}

#[test]
fn every_key_binding_of_the_panes_acts_or_explains_why_not() {
    let scopes = Context::Panes.scopes();
    for binding in BINDINGS.iter().filter(|binding| scopes.contains(&binding.scope)) {
        for key in binding.keys {
            let mut app = in_context(Context::Panes);
            let layout =
                FrameLayout { reports: 4, projects: 4, visible: vec![Pane::Reports], ..FrameLayout::default() };
            app.update(Message::FrameLayout(layout), now());
            press(&mut app, preparation(binding.action));
            let before = format!("{app:?}");
            let effects = press(&mut app, key);
            let name = binding.action.name();
            assert!(!effects.is_empty() || format!("{app:?}") != before, "{key} ({name}) did nothing");
        }
    }
}

#[test]
fn the_key_that_quits_closes_a_list_above_the_panes_first() {
    for keys in ["L", "w", "@", "@ @", "C", "s", "=", "x", "y", "Q", "space space t y"] {
        let mut app = loaded();
        press(&mut app, keys);
        assert!(!app.overlays.is_empty(), "{keys}");
        let is_quit = |effects: Vec<Effect>| effects.iter().any(|effect| matches!(effect, Effect::Quit));
        while !app.overlays.is_empty() {
            let open = app.overlays.len();
            assert!(!is_quit(press(&mut app, "q")) && app.overlays.len() < open, "{keys}");
        }
    }
}

#[test]
fn what_was_undone_is_redone_on_every_screen_that_offers_it() {
    for keys in ["2", "L", "0", "w", "@", "C", "Q"] {
        let mut app = loaded();
        press(&mut app, "m down enter");
        press(&mut app, keys);
        press(&mut app, "u");
        let notice = notice(&app);
        assert!(notice.ends_with("U redoes"), "{keys}: {notice}");
        assert!(app.triage.states.triages.is_empty());
        press(&mut app, "U");
        assert_eq!(app.triage.states.triages.len(), 1, "{keys}: {:?}", app.ctx.notice);
    }
}

#[test]
fn every_action_is_safe_in_every_context() {
    for context in Context::iter() {
        for action in Action::iter() {
            let mut app = in_context(context);
            let effects = app.update(Message::Input(Input::Action(action)), now());
            assert_decided(&effects, Some(action), false);
            assert_consistent(&app);
            session::draw(&app, 100, 30);
        }
    }
}

#[test]
fn the_mouse_selects_opens_sorts_scrolls_and_presses_hints() {
    let mut app = loaded();
    let (_, drawn) = session::draw(&app, 140, 40);
    app.update(Message::FrameLayout(drawn.clone()), now());
    let mouse = |app: &mut App, kind, (column, row)| {
        app.update(Message::Input(Input::Mouse(Mouse { kind, column, row })), now())
    };
    let corner = |wanted: fn(&HitTarget) -> bool| {
        let (area, _) = drawn.hit_targets.iter().find(|(_, spot)| wanted(spot)).expect("it is on the screen");
        (area.column, area.row)
    };
    let rows = corner(|spot| matches!(spot, HitTarget::Rows(Pane::Reports)));
    mouse(&mut app, MouseKind::Click, (rows.0 + 3, rows.1 + 1));
    assert_eq!(cursor(&app).as_deref(), Some("2"));
    let effects = mouse(&mut app, MouseKind::Click, (rows.0 + 3, rows.1 + 1));
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::ShowReport(_, id) if id.raw() == "2")),
        "a double click opens"
    );
    mouse(&mut app, MouseKind::WheelDown, rows);
    assert_eq!((cursor(&app).as_deref(), app.screen.focus), (Some("5"), Pane::Reports));
    let heading = |wanted: Column| {
        let (area, _) =
            drawn.hit_targets.iter().find(|(_, spot)| *spot == HitTarget::Heading(wanted)).expect("it has a heading");
        (area.column, area.row)
    };
    mouse(&mut app, MouseKind::Click, heading(Column::Url));
    mouse(&mut app, MouseKind::Release, heading(Column::Url));
    assert_eq!(app.reports.sort, (Column::Url, Direction::Ascending));
    mouse(&mut app, MouseKind::Click, heading(Column::GeneratedAt));
    mouse(&mut app, MouseKind::Drag, heading(Column::Url));
    mouse(&mut app, MouseKind::Release, heading(Column::Url));
    let columns = app.reports.wanted_columns();
    let place = |wanted: Column| columns.iter().position(|column| *column == wanted);
    assert!(place(Column::GeneratedAt) < place(Column::Url), "a heading is dragged to another position: {columns:?}");
    assert_eq!(app.reports.sort, (Column::Url, Direction::Ascending));
    let projects = corner(|spot| matches!(spot, HitTarget::Rows(Pane::Projects)));
    mouse(&mut app, MouseKind::Click, (projects.0 + 3, projects.1 + 1));
    assert_eq!(app.reports.scope.as_ref().map(reportdeck::domain::text::Text::raw), Some("blog.example"));
    mouse(&mut app, MouseKind::Click, corner(|spot| matches!(spot, HitTarget::Hint(Action::NewReport))));
    assert!(app.form().is_some());
}

#[test]
fn a_password_is_hidden_again_when_its_field_is_left() {
    let mut app = loaded();
    press(&mut app, "n tab right right tab s e c r e t");
    let shows = |app: &App| session::draw(app, 100, 30).0.contains("secret");
    assert!(!shows(&app));
    press(&mut app, "ctrl+r");
    assert!(shows(&app));
    press(&mut app, "tab shift+tab");
    assert!(!shows(&app));
    assert!(press(&mut app, "ctrl+g").iter().any(|effect| matches!(effect, Effect::GeneratePassword)));
}

#[test]
fn a_generated_password_is_copied_once_and_then_hidden() {
    let mut app = loaded();
    let copied = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::CopyPassword(_)));
    press(&mut app, "n tab right right tab s e c r e t");
    assert!(!copied(&press(&mut app, "ctrl+y")), "a typed password is not copied");
    assert_eq!(notice(&app), "Only a generated password can be copied: ctrl+g generates one");
    press(&mut app, "ctrl+g");
    app.update(Message::Password("kettle-77".into()), now());
    let shown = session::draw(&app, 100, 30).0;
    assert!(shown.contains("kettle-77") && shown.contains("ctrl+y copy once"), "{shown}");
    assert!(copied(&press(&mut app, "ctrl+y")));
    let shown = session::draw(&app, 100, 30).0;
    assert!(!shown.contains("kettle-77") && !shown.contains("copy once"), "{shown}");
    assert!(!copied(&press(&mut app, "ctrl+y")));
    assert_eq!(notice(&app), "Already copied: ctrl+g generates another");
    app.update(Message::Password("kettle-78".into()), now());
    press(&mut app, "x");
    assert!(!copied(&press(&mut app, "ctrl+y")), "the generated password has been edited");
}

#[test]
fn a_form_closed_while_saving_leaves_no_draft_on_success() {
    let mut app = loaded();
    let effects = press(&mut app, "n a . b ctrl+s esc");
    let effects = app.update(Message::Created(create_request(&effects), Ok(row(9, "https://a.b/", 90))), now());
    assert!(effects.iter().any(|effect| matches!(effect, Effect::DeleteDraft(key) if *key == DraftKey::NewReport)));
    assert_eq!(cursor(&app).as_deref(), Some("1"), "the cursor does not jump to the new report");
    assert!(shown(&app).contains(&"9".to_owned()));
}

#[test]
fn a_created_report_is_under_the_cursor() {
    let mut app = loaded();
    let effects = press(&mut app, "n a . b ctrl+s");
    app.update(Message::Created(create_request(&effects), Ok(row(9, "https://a.b/", 90))), now());
    assert_eq!(cursor(&app).as_deref(), Some("9"));
}

#[test]
fn a_created_report_of_another_project_is_not_said_to_be_filtered() {
    let mut app = loaded();
    press(&mut app, "1 j enter");
    let effects = press(&mut app, "n a . b ctrl+s");
    app.update(Message::Created(create_request(&effects), Ok(row(9, "https://a.b/", 90))), now());
    assert_eq!(notice(&app), "a.b is good 90 (not in this list)");
}

#[test]
fn f5_reloads_from_the_history_and_from_the_requests() {
    for script in ["@", "@ @"] {
        let mut app = loaded();
        press(&mut app, script);
        let effects = press(&mut app, "f5");
        assert!(effects.iter().any(|effect| matches!(effect, Effect::ListReports { .. })), "{script}: {effects:?}");
    }
}

#[test]
fn a_missing_preview_keeps_its_row_and_a_missing_opened_report_removes_it() {
    let mut app = loaded();
    app.update(
        Message::FrameLayout(FrameLayout {
            reports: 5,
            visible: vec![Pane::Reports, Pane::Report],
            ..FrameLayout::default()
        }),
        now(),
    );
    press(&mut app, "j");
    let effects = app.update(Message::Tick, app.report.fetch_at.expect("the report is fetched later"));
    app.update(Message::Report(report_request(&effects), Err(failure(FailureKind::NotFound))), now());
    assert_eq!(shown(&app).len(), 5);
    let request = report_request(&press(&mut app, "enter"));
    app.update(Message::Report(request, Err(failure(FailureKind::NotFound))), now());
    assert_eq!(shown(&app), ["1", "3", "4", "5"]);
    let request = reports_request(&press(&mut app, "R"));
    app.update(Message::Reports(request, Ok(page(five(), None, 5))), now());
    assert_eq!(shown(&app).len(), 5, "a later list that contains the report restores it");
}

#[test]
fn enter_changes_no_choice_and_a_search_without_results_stays_open() {
    let mut app = loaded();
    press(&mut app, "e enter");
    assert!(app.form().unwrap().draft().is_none());
    press(&mut app, "esc ? z z z z enter");
    assert!(!app.overlays.is_empty(), "further letters must stay text");
}

#[test]
fn rate_limited_projects_and_reports_are_requested_again() {
    let mut limited = failure(FailureKind::RateLimited);
    limited.retry_after = Some(std::time::Duration::from_secs(7));
    let mut app = loaded();
    let request = projects_request(&press(&mut app, "1 r"));
    app.update(Message::Projects(request, Err(limited.clone())), now());
    let request = report_request(&press(&mut app, "3"));
    app.update(Message::Report(request, Err(limited)), now());
    assert!(app.update(Message::Tick, now() + SignedDuration::from_secs(6)).is_empty());
    let effects = app.update(Message::Tick, now() + SignedDuration::from_secs(7));
    projects_request(&effects);
    report_request(&effects);
}

#[test]
fn a_refresh_of_the_reports_also_requests_projects_that_could_not_be_read() {
    let mut app = loaded();
    let effects = press(&mut app, "R");
    app.update(Message::Projects(projects_request(&effects), Err(failure(FailureKind::Unreachable))), now());
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    assert!(screen(&app).contains("! "), "{}", screen(&app));
    let effects = press(&mut app, "2 r");
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    assert!(!screen(&app).contains("! "), "{}", screen(&app));
}

#[test]
fn a_project_with_an_untypable_name_is_deleted_by_typing_a_word() {
    let (mut app, effects) = connected();
    let mut projects = two_projects();
    projects.rows[0].name = "a\u{1b}[31m".into();
    app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
    press(&mut app, "1 j D d e l e t e");
    let effects = press(&mut app, "enter");
    assert!(matches!(&effects[..], [Effect::DeleteProject(_, name)] if name == "a\u{1b}[31m"), "{effects:?}");
}

#[test]
fn a_re_run_names_the_checks_that_flipped() {
    let rerun = |after: Option<&[&str]>, before: Option<&[&str]>| {
        let mut app = loaded();
        let effects = press(&mut app, "t");
        let Some(Effect::Update(request, ..)) = effects.last() else { panic!("{effects:?}") };
        let mut report = row(1, "https://shop.example/tea", 64);
        report.failed = after.map(|ids| ids.iter().map(|id| (*id).into()).collect()).unwrap_or_default();
        let history = before.map(|failed| ReportState {
            generated_at: None,
            outcome: Outcome::Bad,
            score: Some(31),
            failing: Some(failed.iter().map(|id| (*id).into()).collect()),
        });
        report.details = Some(Box::new(Details { history: history.into_iter().collect(), ..Details::default() }));
        app.update(Message::Updated(*request, Ok(UpdateOutcome::Saved(report))), now());
        app.ctx.notice.unwrap().0
    };
    let expected = "shop.example/tea: bad 31 → decent 64";
    assert_eq!(
        rerun(Some(&["title"]), None),
        format!("{expected} · repaired meta_description"),
        "the row had the failed checks"
    );
    assert_eq!(
        rerun(Some(&["csp"]), Some(&["csp", "hsts"])),
        format!("{expected} · repaired hsts"),
        "the response is more recent"
    );
    let all = format!("{expected} · repaired title, meta_description");
    assert_eq!(rerun(Some(&[]), None), all, "no check fails any more");
    assert_eq!(rerun(None, None), expected, "without checks no flips are reported");
}

#[test]
fn the_footer_shows_the_keys_of_the_current_state() {
    let footer = |app: &App, columns: u16| {
        let screen = crate::update::screen_of(app, columns);
        screen.lines().rev().nth(1).unwrap().to_owned()
    };
    let mut app = loaded();
    press(&mut app, "n tab right right tab s");
    assert!(footer(&app, 80).contains("ctrl+r show"), "{}", footer(&app, 80));
    press(&mut app, "ctrl+r");
    assert!(footer(&app, 80).contains("ctrl+r hide"), "the password is visible: {}", footer(&app, 80));

    let mut app = loaded();
    press(&mut app, "Q");
    let narrow = footer(&app, 40);
    assert!(narrow.contains("n next") && narrow.contains("m state") && narrow.contains("? keys"), "{narrow}");
    assert!(footer(&app, 120).contains("1 looking"));

    let mut app = loaded();
    press(&mut app, "K");
    assert!(footer(&app, 80).contains("Enter uses it"), "the key is not stored: {}", footer(&app, 80));

    let mut app = loaded();
    press(&mut app, "1");
    assert!(!footer(&app, 140).contains("delete"), "`All` is not a project: {}", footer(&app, 140));
    press(&mut app, "j");
    assert!(footer(&app, 140).contains("D delete project"), "{}", footer(&app, 140));
    press(&mut app, "D");
    assert!(footer(&app, 140).contains("← Delete") || footer(&app, 140).contains("Esc"), "{}", footer(&app, 140));
}

#[test]
fn saving_privacy_reports_the_change_and_how_to_undo_it() {
    let mut app = loaded();
    let effects = press(&mut app, "e right ctrl+s");
    let Some(Effect::Update(request, ..)) = effects.iter().find(|effect| matches!(effect, Effect::Update(..))) else {
        panic!("{effects:?}")
    };
    let mut report = row(1, "https://shop.example/tea", 31);
    report.privacy = Some(reportdeck::domain::report::privacy::Privacy::Private);
    app.update(Message::Updated(*request, Ok(UpdateOutcome::Saved(report))), now());
    assert_eq!(notice(&app), "shop.example/tea: public → private · u undoes");
    press(&mut app, "u");
    assert!(session::draw(&app, 100, 30).0.contains("Make public"), "it needs confirmation");
    press(&mut app, "esc b u");
    assert_eq!(notice(&app), "Undone: no filter · U redoes");
}

#[test]
fn a_key_taken_from_an_action_is_reported_once_and_leaves_esc_and_ctrl_c() {
    let keys = vec![Sequence::parse("q").unwrap()];
    let (_, conflicts) = remapped(Preset::Vim, &[(Action::MoveDown, keys)]);
    let messages: Vec<&str> = conflicts.iter().map(|conflict| conflict.message.as_str()).collect();
    assert_eq!(
        messages,
        ["q is now the key of move_down: taken from quit", "q is now the key of move_down: taken from back"]
    );
}

#[test]
fn a_command_that_has_nothing_to_do_says_so() {
    for (context, keys, action, expected) in [
        (Context::Queue, "", Action::PreviousInQueue, "This is the first report of the queue"),
        (Context::Run, "", Action::RetryFailed, "The run is not finished: what failed can be retried then"),
        (Context::Changes, "", Action::MarkSection, "No listed report to mark here"),
        (Context::Changes, "", Action::ToggleMark, "No listed report to mark here"),
        (Context::Changes, "", Action::Pick, "Nothing to open on this line"),
        (Context::Causes, "", Action::Pick, "Nothing to open on this line"),
        (Context::History, "", Action::Pick, "Nothing to open on this line"),
        (Context::Panes, "3", Action::Open, "The report is open"),
        (Context::FormText, "", Action::GeneratePassword, "This needs the password field"),
        (Context::FormText, "", Action::RevealPassword, "This needs the password field"),
    ] {
        let mut app = in_context(context);
        press(&mut app, keys);
        let effects = app.update(Message::Input(Input::Action(action)), now());
        assert_eq!(notice(&app), expected, "{context:?}: {effects:?}");
    }
    let (mut app, _) = connected();
    press(&mut app, "3 enter");
    assert_eq!(notice(&app), "No report under the cursor");
}

#[test]
fn a_letter_of_another_script_says_that_it_is_not_a_key() {
    let mut app = loaded();
    for script in ["й", "D о", "esc Q л"] {
        press(&mut app, script);
        assert!(
            notice(&app).ends_with("is not a key: keys are Latin letters, so switch the keyboard layout"),
            "{script}"
        );
    }
    press(&mut app, "esc / й");
    assert_eq!((app.reports.filter_line.value(), app.reports.typing), ("й", true));
}
