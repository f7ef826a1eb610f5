//! Random use of the dashboard: the keys to press, and what holds after every step.

use std::collections::BTreeSet;

use reportdeck::app::App;
use reportdeck::input::Action;
use reportdeck::input::bindings::BINDINGS;

/// Every key of the default bindings once, without those that may mean one of these actions somewhere; and the key that
/// edits text without a binding.
pub fn keys_without(actions: &[Action]) -> Vec<&'static str> {
    let keys_of = |is_left_out: bool| -> BTreeSet<&'static str> {
        let bindings = BINDINGS.iter().filter(|binding| actions.contains(&binding.action) == is_left_out);
        bindings.flat_map(|binding| binding.keys).copied().collect()
    };
    keys_of(false).difference(&keys_of(true)).copied().chain(["backspace"]).collect()
}

/// The cursor is on a row that is shown, and every shown row is loaded.
#[track_caller]
pub fn assert_consistent(app: &App) {
    let shown = &app.reports.shown;
    assert!(shown.is_empty() || app.reports.at < shown.len());
    assert_eq!(app.reports.current().map(|row| row.id.clone()), app.reports.cursor.clone());
    assert!(shown.iter().all(|place| app.reports.listing.rows.get(*place).is_some()));
    assert!(app.projects.at <= app.projects.rows().len());
}
