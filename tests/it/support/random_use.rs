//! Random use of the dashboard: the keys to press, and invariants of every step.

use std::collections::BTreeSet;

use reportdeck::app::App;
use reportdeck::input::Action;
use reportdeck::input::bindings::BINDINGS;

/// Returns every key of the default bindings once, except those bound to one of these actions in any context; and one
/// editing key that has no binding.
pub fn keys_without(actions: &[Action]) -> Vec<&'static str> {
    let keys_of = |is_left_out: bool| -> BTreeSet<&'static str> {
        let bindings = BINDINGS.iter().filter(|binding| actions.contains(&binding.action) == is_left_out);
        bindings.flat_map(|binding| binding.keys).copied().collect()
    };
    keys_of(false).difference(&keys_of(true)).copied().chain(["backspace"]).collect()
}

/// Asserts that the cursor is on a shown row, and that every shown row is loaded.
#[track_caller]
pub fn assert_consistent(app: &App) {
    let shown = &app.reports.shown;
    assert!(shown.is_empty() || app.reports.at < shown.len());
    assert_eq!(app.reports.current().map(|row| row.id.clone()), app.reports.cursor.clone());
    assert!(shown.iter().all(|place| app.reports.listing.rows.get(*place).is_some()));
    assert!(app.projects.at <= app.projects.rows().len());
}
