//! Clicks on forms, dialogs and stacked lists; the wheel; dragging.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::{Area, HitTarget, Pane};
use reportdeck::app::message::Message;
use reportdeck::app::overlays::Overlay;
use reportdeck::app::overlays::form::FormField;
use reportdeck::domain::list::columns::{COLUMNS, Column};
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::input::{Action, Context, Input, Mouse, MouseKind};

use crate::support::session;
use crate::support::states::*;

/// The common size of a terminal, and the smallest.
const SIZES: [(u16, u16); 2] = [(140, 40), (40, 12)];

/// Draws the screen, as the runtime does before it reads the next event.
fn draw(app: &mut App, (columns, rows): (u16, u16)) -> String {
    let (screen, drawn) = session::draw(app, columns, rows);
    app.update(Message::FrameLayout(drawn), now());
    screen
}

fn mouse(app: &mut App, kind: MouseKind, (column, row): (u16, u16)) -> Vec<Effect> {
    app.update(Message::Input(Input::Mouse(Mouse { kind, column, row })), now())
}

fn area_of(app: &App, target: HitTarget) -> Option<Area> {
    app.ctx.layout.hit_targets.iter().find(|(_, spot)| *spot == target).map(|(area, _)| *area)
}

/// Clicks on the last letter of a text on the screen.
#[track_caller]
fn click(app: &mut App, size: (u16, u16), text: &str) -> Vec<Effect> {
    let screen = draw(app, size);
    let found = screen.lines().enumerate().find_map(|(row, line)| Some((row, line.split_once(text)?.0)));
    let Some((row, before)) = found else { panic!("`{text}` is not on the screen:\n{screen}") };
    let at = (reportdeck::domain::text::width(&format!("{before}{text}")) as u16 - 1, row as u16);
    let mut effects = mouse(app, MouseKind::Click, at);
    effects.extend(mouse(app, MouseKind::Release, at));
    effects
}

#[test]
fn clicks_on_a_form_choose_what_was_clicked_and_press_its_buttons() {
    for size in SIZES {
        let mut app = loaded();
        press(&mut app, "e");
        let privacy = |app: &App| app.form().unwrap().privacy;
        if size.0 == 140 {
            for (text, chosen) in [("private", Privacy::Private), (") password", Privacy::Password)] {
                click(&mut app, size, text);
                assert_eq!(privacy(&app), Some(chosen));
            }
        } else {
            for (text, chosen) in [("‹ public ›", Privacy::Private), ("‹ private ›", Privacy::Password)] {
                click(&mut app, size, text);
                assert_eq!(privacy(&app), Some(chosen));
            }
        }
        click(&mut app, size, "│ password");
        press(&mut app, "t e a");
        assert_eq!(app.form().unwrap().focus, FormField::Password);
        for rerun in [true, false, true] {
            click(&mut app, size, "re-run the report");
            assert_eq!(app.form().unwrap().rerun, rerun);
        }
        let effects = click(&mut app, size, "[ Save ]");
        assert!(effects.iter().any(|effect| matches!(effect, Effect::Update(..))), "{effects:?}");
        click(&mut app, size, if size.0 == 140 { "privacy" } else { "‹ password ›" });
        assert_eq!(privacy(&app), Some(Privacy::Password), "nothing changes while it is saved");

        let mut app = loaded();
        press(&mut app, "n a");
        let effects = click(&mut app, size, "[ Cancel ]");
        assert!(app.form().is_none() && effects.iter().any(|effect| matches!(effect, Effect::StoreDraft(_))));
    }
}

#[test]
fn clicks_on_the_buttons_of_a_dialog_need_the_typed_text_as_keys_do() {
    for size in SIZES {
        let mut app = loaded();
        press(&mut app, "D");
        assert!(click(&mut app, size, "[ Cancel ]").is_empty());
        assert!(app.overlays.is_empty());
        press(&mut app, "D");
        let effects = click(&mut app, size, "[ Delete ]");
        assert!(matches!(&effects[..], [Effect::DeleteReport(_, id)] if id.raw() == "1"), "{effects:?}");

        let mut app = loaded();
        press(&mut app, "1 j D b l o g");
        assert!(click(&mut app, size, "[ Delete ]").is_empty());
        press(&mut app, ". e x a m p l e");
        let effects = click(&mut app, size, "[ Delete ]");
        assert!(matches!(&effects[..], [Effect::DeleteProject(_, name)] if name == "blog.example"), "{effects:?}");
    }
}

#[test]
fn only_a_drag_that_begins_on_a_row_marks_rows() {
    let mut app = loaded();
    draw(&mut app, SIZES[0]);
    let rows = area_of(&app, HitTarget::Rows(Pane::Reports)).unwrap();
    let heading = area_of(&app, HitTarget::Heading(Column::Url)).unwrap();
    let hint = app.ctx.layout.hit_targets.iter().find(|(_, spot)| matches!(spot, HitTarget::Hint(_))).unwrap().0;
    for start in [heading, hint] {
        let mut app = loaded();
        draw(&mut app, SIZES[0]);
        mouse(&mut app, MouseKind::Click, (start.column, start.row));
        press(&mut app, "esc");
        mouse(&mut app, MouseKind::Drag, (rows.column + 3, rows.row + 2));
        mouse(&mut app, MouseKind::Release, (rows.column + 3, rows.row + 2));
        assert!(app.reports.selection.is_empty());
        assert_eq!(cursor(&app).as_deref(), Some("1"));
    }
}

#[test]
fn a_drag_that_leaves_the_rows_marks_those_up_to_its_line() {
    let mut app = loaded();
    draw(&mut app, SIZES[0]);
    let rows = area_of(&app, HitTarget::Rows(Pane::Reports)).unwrap();
    let report = area_of(&app, HitTarget::Rows(Pane::Report)).unwrap();
    let below = rows.row + rows.height;
    for (from, to, marked) in [
        (rows.row + 1, (report.column, rows.row + 3), 3),
        (rows.row + 1, (rows.column, below), 4),
        (rows.row + 1, (rows.column, rows.row - 1), 2),
        (rows.row + 1, (report.column, rows.row + 1), 0),
        (below - 1, (rows.column, rows.row + 1), 0),
    ] {
        mouse(&mut app, MouseKind::Click, (rows.column + 3, from));
        mouse(&mut app, MouseKind::Drag, to);
        mouse(&mut app, MouseKind::Release, to);
        assert_eq!(app.reports.selection.ids.len(), marked, "{from} {to:?}: {}", draw(&mut app, SIZES[0]));
        press(&mut app, "M");
    }
    mouse(&mut app, MouseKind::Click, (rows.column + 3, rows.row + 1));
    mouse(&mut app, MouseKind::Release, (rows.column + 3, rows.row + 1));
    mouse(&mut app, MouseKind::Click, (0, 0));
    mouse(&mut app, MouseKind::Drag, (rows.column + 3, rows.row + 3));
    assert!(app.reports.selection.is_empty(), "{}", draw(&mut app, SIZES[0]));
}

#[test]
fn the_wheel_moves_the_list_under_the_mouse_and_the_list_on_top() {
    let mut app = loaded();
    draw(&mut app, SIZES[0]);
    let projects = area_of(&app, HitTarget::Rows(Pane::Projects)).unwrap();
    let at = (projects.column, projects.row);
    mouse(&mut app, MouseKind::WheelDown, at);
    assert_eq!((app.screen.focus, app.projects.at, cursor(&app).as_deref()), (Pane::Projects, 2, Some("1")));
    mouse(&mut app, MouseKind::WheelUp, at);
    assert_eq!(app.projects.at, 0);
    press(&mut app, "C");
    draw(&mut app, SIZES[0]);
    mouse(&mut app, MouseKind::WheelDown, at);
    let Some(Overlay::Columns(columns)) = app.overlays.last() else { panic!("{:?}", app.overlays) };
    assert_eq!((columns.at, app.projects.at), (3, 0));
}

#[test]
fn scroll_bars_of_lists_projects_and_the_queue_follow_the_mouse() {
    let end = |area: Area| (area.column, area.row + area.height - 1);
    let mut app = loaded();
    let request = projects_request(&press(&mut app, "1 r"));
    let mut projects = two_projects();
    projects.rows = (0..60).map(|number| project(&format!("{number}.example"), 1, 0, 0)).collect();
    app.update(Message::Projects(request, Ok(projects)), now());
    draw(&mut app, SIZES[0]);
    let bar = area_of(&app, HitTarget::ScrollBar(Some(Pane::Projects))).expect("60 projects do not fit");
    mouse(&mut app, MouseKind::Click, end(bar));
    assert_eq!(app.projects.at, 60);
    mouse(&mut app, MouseKind::Release, end(bar));

    press(&mut app, "C");
    draw(&mut app, (80, 12));
    let bar = area_of(&app, HitTarget::ScrollBar(None)).expect("the columns do not fit");
    mouse(&mut app, MouseKind::Click, end(bar));
    mouse(&mut app, MouseKind::Drag, (bar.column, bar.row));
    mouse(&mut app, MouseKind::Drag, end(bar));
    let Some(Overlay::Columns(columns)) = app.overlays.last() else { panic!("{:?}", app.overlays) };
    assert_eq!(columns.at, COLUMNS.len() - 1);
    mouse(&mut app, MouseKind::Release, end(bar));

    let mut app = opened();
    press(&mut app, "2 Q");
    while cursor(&app) != app.subject().map(|report| report.id.raw().to_owned()) {
        press(&mut app, "n");
    }
    draw(&mut app, (60, 12));
    let bar = area_of(&app, HitTarget::ScrollBar(Some(Pane::Report))).expect("the report does not fit");
    mouse(&mut app, MouseKind::Click, end(bar));
    assert_eq!(app.report.window.top, app.ctx.layout.report_lines - app.ctx.layout.report);
    assert_eq!(app.screen.focus, Pane::Reports, "the queue has the focus");
}

#[test]
fn a_click_ends_the_wait_for_quitting_as_a_key_does() {
    let mut app = loaded();
    press(&mut app, "t q");
    assert!(app.session.quitting);
    draw(&mut app, SIZES[0]);
    let rows = area_of(&app, HitTarget::Rows(Pane::Reports)).unwrap();
    mouse(&mut app, MouseKind::Click, (rows.column + 3, rows.row + 1));
    assert!(!app.session.quitting && app.ctx.notice.is_none(), "{:?}", app.ctx.notice);
}

#[test]
fn two_clicks_on_the_hint_for_quitting_quit_as_its_key_does_twice() {
    let mut app = loaded();
    press(&mut app, "t");
    draw(&mut app, SIZES[0]);
    let hint = area_of(&app, HitTarget::Hint(Action::Quit)).unwrap();
    let mut click = || mouse(&mut app, MouseKind::Click, (hint.column, hint.row));
    assert!(!click().iter().any(|effect| matches!(effect, Effect::Quit)), "it waits for the re-run");
    assert!(click().iter().any(|effect| matches!(effect, Effect::Quit)));
}

#[test]
fn moving_in_a_generated_password_leaves_it_copyable() {
    let mut app = loaded();
    press(&mut app, "n tab right right tab ctrl+g");
    app.update(Message::Password("kettle-77".into()), now());
    let effects = press(&mut app, "left home ctrl+y");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::CopyPassword(_))), "{:?}", app.ctx.notice);
}

#[test]
fn a_click_in_a_text_field_moves_its_cursor() {
    for size in SIZES {
        let mut app = loaded();
        press(&mut app, "n");
        let url = |app: &App| app.form().unwrap().url.value().to_owned();
        app.update(Message::Input(Input::Paste("https://t.example/茶x".into())), now());
        // The click is on the last letter, so the cursor goes before it.
        click(&mut app, size, "https://t");
        press(&mut app, "a");
        assert_eq!(url(&app), "https://at.example/茶x");
        click(&mut app, size, "茶x");
        press(&mut app, "b");
        assert_eq!(url(&app), "https://at.example/茶bx");
        // Behind the text it goes to the end. A text that is longer than the field is scrolled to the cursor.
        draw(&mut app, size);
        let field = area_of(&app, HitTarget::Text).unwrap();
        mouse(&mut app, MouseKind::Click, (field.column + field.width - 1, field.row));
        app.update(Message::Input(Input::Paste("-long".repeat(20))), now());
        draw(&mut app, size);
        mouse(&mut app, MouseKind::Click, (field.column + field.width - 3, field.row));
        press(&mut app, "c");
        assert!(url(&app).ends_with("-locng"), "{}", url(&app));
    }
}

#[test]
fn a_click_in_the_filter_line_moves_its_cursor() {
    let mut app = loaded();
    press(&mut app, "/");
    app.update(Message::Input(Input::Paste("shop".into())), now());
    click(&mut app, (140, 40), "/ sh");
    press(&mut app, "x");
    assert_eq!(app.reports.filter_line.value(), "sxhop");
}

#[test]
fn a_second_click_on_a_row_of_a_run_opens_its_report() {
    let mut app = loaded();
    press(&mut app, "V t y");
    for _ in 0..2 {
        click(&mut app, SIZES[0], "cart?step=2");
    }
    assert!(app.overlays.is_empty() && cursor(&app).as_deref() == Some("2"), "{}", draw(&mut app, SIZES[0]));
}

#[test]
fn the_filter_ends_in_the_rows_even_after_the_wheel_scrolled_another_pane() {
    for (pane, end) in [(Pane::Projects, "enter"), (Pane::Report, "enter"), (Pane::Projects, "esc")] {
        let mut app = loaded();
        press(&mut app, "/ t e a");
        draw(&mut app, SIZES[0]);
        let area = area_of(&app, HitTarget::Rows(pane)).unwrap();
        mouse(&mut app, MouseKind::WheelDown, (area.column, area.row));
        press(&mut app, end);
        assert_eq!((app.screen.focus, app.context()), (Pane::Reports, Context::Panes), "{pane:?} {end}");
    }
}

#[test]
fn the_second_click_of_a_double_click_is_not_for_what_the_first_one_opened_or_closed() {
    let size = (80, 20);
    let mut app = loaded();
    press(&mut app, "s k k k k k k k k k k");
    draw(&mut app, size);
    let line = area_of(&app, HitTarget::OverlayLine(0)).unwrap();
    let before = (app.screen.focus, cursor(&app));
    mouse(&mut app, MouseKind::Click, (line.column, line.row));
    assert!(app.overlays.is_empty(), "the first click chooses");
    draw(&mut app, size);
    let rows = app.ctx.layout.hit_target(line.column, line.row);
    assert!(matches!(rows, Some((_, HitTarget::Rows(Pane::Reports)))), "{rows:?}");
    mouse(&mut app, MouseKind::Click, (line.column, line.row));
    assert_eq!((app.screen.focus, cursor(&app)), before);
}

#[test]
fn the_list_below_a_search_field_takes_clicks_and_the_wheel() {
    let size = SIZES[0];
    let mut app = loaded();
    press(&mut app, "V t y / z");
    let at = |app: &App| if let Some(Overlay::Run(cursor)) = app.overlays.first() { cursor.at } else { usize::MAX };
    click(&mut app, size, "cart?step=2");
    let clicked = at(&app);
    assert_ne!(clicked, 0);
    assert_eq!(app.context(), Context::PromptWithRows, "the search goes on");
    mouse(&mut app, MouseKind::WheelUp, (10, 5));
    assert_eq!(at(&app), clicked.saturating_sub(3), "nothing matches, and the wheel still moves");
    for _ in 0..2 {
        click(&mut app, size, "cart?step=2");
    }
    assert!(app.overlays.is_empty() && cursor(&app).as_deref() == Some("2"), "{}", draw(&mut app, size));
}
