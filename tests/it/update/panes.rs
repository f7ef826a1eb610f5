//! Keys act on the focused pane, and explain why where they do not apply.

use reportdeck::app::frame_layout::Pane;

use crate::support::states::*;
use crate::update::screen;

#[test]
fn esc_with_nothing_to_clear_keeps_the_focus() {
    let mut app = loaded();
    press(&mut app, "esc esc");
    assert_eq!(app.screen.focus, Pane::Reports);
    press(&mut app, "enter esc esc esc");
    assert_eq!(app.screen.focus, Pane::Reports, "from the report back to the list, and no further");
    press(&mut app, "1 esc");
    assert_eq!(app.screen.focus, Pane::Projects);
}

#[test]
fn report_keys_in_the_projects_pane_only_explain_where_they_work() {
    for key in ["e", "t", "m", "c", "y", "Y", "o", "O", "i"] {
        let mut app = loaded();
        let effects = press(&mut app, &format!("1 j {key}"));
        assert!(effects.is_empty() && app.overlays.is_empty(), "{key}: {effects:?}");
        assert!(screen(&app).contains("This is for reports: 2 goes there"), "{key}\n{}", screen(&app));
        press(&mut app, "2");
        assert_eq!(app.screen.focus, Pane::Reports);
    }
}
