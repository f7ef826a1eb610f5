//! Copying to the clipboard, scroll bars, and releasing the mouse to the terminal.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::{Area, HitTarget, Pane};
use reportdeck::app::message::Message;
use reportdeck::input::{Input, Mouse, MouseKind};

use crate::support::session;
use crate::support::states::*;

/// A state that knows the layout of a screen of this size.
fn drawn(mut app: App, columns: u16, rows: u16) -> App {
    loop {
        let (_, drawn) = session::draw(&app, columns, rows);
        if drawn == app.ctx.layout {
            return app;
        }
        app.update(Message::FrameLayout(drawn), now());
    }
}

fn copied(app: &mut App, script: &str) -> String {
    let effects = press(app, script);
    let Some(Effect::Copy(text)) = effects.into_iter().next() else { panic!("{script} copies nothing") };
    text
}

#[test]
fn the_copy_menu_copies_the_named_field_of_the_report_under_the_cursor() {
    let mut app = drawn(opened(), 160, 48);
    assert_eq!(copied(&mut app, "Y"), "https://shop.example/tea");
    assert_eq!(copied(&mut app, "y enter"), "https://shop.example/tea");
    assert_eq!(copied(&mut app, "y j enter"), "1");
    let row = copied(&mut app, "y j j enter");
    assert!(row.starts_with("bad\t31\thttps://shop.example/tea\t"), "{row}");
    let markdown = copied(&mut app, "y j j j enter");
    assert!(markdown.starts_with("# shop.example/tea\n\n- URL: https://shop.example/tea\n"), "{markdown}");
    assert!(markdown.contains("- **title** (high): the page has no title\n  - "), "{markdown}");
    let effects = press(&mut app, "y G enter");
    assert!(matches!(&effects[..], [Effect::CopyReportPage(id)] if id.raw() == "1"), "{effects:?}");
}

#[test]
fn the_copy_menu_copies_all_marked_reports() {
    let mut app = drawn(loaded(), 160, 48);
    press(&mut app, "space space");
    assert_eq!(copied(&mut app, "y enter"), "https://shop.example/tea\nhttps://shop.example/cart?step=2");
    assert_eq!(copied(&mut app, "y j enter"), "1\n2");
    assert_eq!(copied(&mut app, "y j j enter").lines().count(), 2);
    assert!(copied(&mut app, "y j j j enter").contains("\n| bad | 44 | https://shop.example/cart?step=2 |"));
}

#[test]
fn without_a_report_nothing_is_copied_and_without_a_service_no_page_link() {
    let mut app = drawn(started(), 160, 48);
    assert!(press(&mut app, "y").is_empty() && app.overlays.is_empty());
    assert_eq!(notice(&app), "No report under the cursor");
}

fn mouse(app: &mut App, kind: MouseKind, (column, row): (u16, u16)) -> Vec<Effect> {
    app.update(Message::Input(Input::Mouse(Mouse { kind, column, row })), now())
}

fn scroll_bar(app: &App, pane: Option<Pane>) -> Area {
    let found = app.ctx.layout.hit_targets.iter().find(|(_, spot)| *spot == HitTarget::ScrollBar(pane));
    found.unwrap_or_else(|| panic!("no scroll bar of {pane:?}")).0
}

#[test]
fn an_overflowing_list_has_a_scroll_bar_that_follows_the_mouse() {
    let (mut app, effects) = connected();
    let rows = (1..=100).map(|number| row(number, "https://shop.example/", 31)).collect();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 100))), now());
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    let mut app = drawn(app, 80, 24);
    assert!(!app.ctx.layout.hit_targets.iter().any(|(_, spot)| *spot == HitTarget::ScrollBar(Some(Pane::Projects))));
    let bar = scroll_bar(&app, Some(Pane::Reports));

    mouse(&mut app, MouseKind::Click, (bar.column, bar.row + bar.height - 1));
    assert_eq!(cursor(&app).as_deref(), Some("100"));
    // The pointer may leave the bar while the button is down.
    mouse(&mut app, MouseKind::Drag, (2, bar.row + bar.height / 2));
    let middle: usize = cursor(&app).unwrap().parse().unwrap();
    assert!((40..=60).contains(&middle), "{middle}");
    mouse(&mut app, MouseKind::Drag, (2, 0));
    assert_eq!(cursor(&app).as_deref(), Some("1"));
    mouse(&mut app, MouseKind::Release, (2, 0));
    mouse(&mut app, MouseKind::Drag, (bar.column, bar.row + 5));
    assert_eq!(cursor(&app).as_deref(), Some("1"), "the button has been released");
    assert!(app.reports.selection.is_empty());
}

#[test]
fn the_help_page_is_scrolled_by_its_scroll_bar() {
    let mut app = loaded();
    press(&mut app, "?");
    let mut app = drawn(app, 80, 24);
    let bar = scroll_bar(&app, None);
    let top = session::draw(&app, 80, 24).0;
    mouse(&mut app, MouseKind::Click, (bar.column, bar.row + bar.height - 1));
    let bottom = session::draw(&app, 80, 24).0;
    assert!(bottom.contains("Keys of columns, runs and history") && !top.contains("Keys of columns"), "{bottom}");
    mouse(&mut app, MouseKind::Drag, (bar.column, bar.row));
    assert_eq!(session::draw(&app, 80, 24).0, top);
}

#[test]
fn the_report_is_scrolled_by_its_scroll_bar() {
    let mut app = drawn(opened(), 118, 24);
    let bar = scroll_bar(&app, Some(Pane::Report));
    mouse(&mut app, MouseKind::Click, (bar.column, bar.row + bar.height - 1));
    assert_eq!(app.report.window.top, app.ctx.layout.report_lines - app.ctx.layout.report);
    mouse(&mut app, MouseKind::Click, (bar.column, bar.row));
    assert_eq!(app.report.window.top, 0);
}

#[test]
fn mouse_capture_is_toggled_from_any_context() {
    let mut app = drawn(loaded(), 80, 24);
    assert!(matches!(press(&mut app, "ctrl+t")[..], [Effect::CaptureMouse(false)]));
    assert!(session::draw(&app, 80, 24).0.contains("ctrl+t captures it again"));
    assert!(matches!(press(&mut app, "/ ctrl+t")[..], [Effect::CaptureMouse(true)]));
}
