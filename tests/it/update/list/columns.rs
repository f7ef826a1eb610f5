//! The columns of the table: chosen, moved, resized, stored, and part of a view.

use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::domain::list::column_layout::ColumnLayout;
use reportdeck::domain::list::columns::Column;

use crate::support::states::*;
use crate::update::{screen, screen_of};

#[test]
fn columns_are_hidden_shown_and_moved() {
    let mut app = loaded();
    let effects = press(&mut app, "C j j space");
    assert!(!app.reports.wanted_columns().contains(&Column::Project));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreColumns(ColumnLayout { shown: Some(_), .. }))));
    press(&mut app, &format!("{} space", to_column(Column::State)));
    let columns = app.reports.wanted_columns();
    let place = |column| columns.iter().position(|other| *other == column).unwrap();
    assert_eq!(
        place(Column::State),
        place(Column::Url) + 1,
        "a column that is shown moves behind the URL, so that it fits"
    );
    press(&mut app, "K K");
    assert_eq!(app.reports.wanted_columns().first(), Some(&Column::State));
    press(&mut app, "esc");
    assert!(screen(&app).contains("STATE"));
    press(&mut app, "u u u u");
    assert_eq!(app.reports.columns, ColumnLayout::default(), "each step is undone");
}

#[test]
fn the_url_column_cannot_be_hidden_and_the_defaults_can_be_restored() {
    let mut app = loaded();
    press(&mut app, "C j space");
    assert!(app.reports.wanted_columns().contains(&Column::Url));
    press(&mut app, "k space");
    assert!(app.reports.columns.shown.is_some());
    let effects = press(&mut app, "x");
    assert_eq!(app.reports.columns, ColumnLayout::default());
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreColumns(ColumnLayout { shown: None, .. }))));
}

#[test]
fn a_view_includes_its_columns_and_is_saved_and_found_in_the_palette() {
    let mut app = loaded();
    press(&mut app, &format!("C {} space esc", to_column(Column::State)));
    let chosen = app.reports.columns.clone();
    let effects = press(&mut app, ": s a v e space m i n e enter");
    assert!(
        effects.iter().any(
            |effect| matches!(effect, Effect::SaveView(view) if view.name == "mine" && view.line.contains("state"))
        )
    );
    press(&mut app, "C x esc");
    assert_eq!(app.reports.columns, ColumnLayout::default());
    press(&mut app, ": v i e w space m i n e enter");
    assert_eq!(app.reports.columns, chosen);
}

#[test]
fn chosen_columns_survive_a_restart() {
    let mut app = loaded();
    app.update(
        Message::Columns(ColumnLayout { shown: Some(vec![Column::Url, Column::Id]), ..ColumnLayout::default() }),
        now(),
    );
    assert!(screen(&app).contains("ID") && !screen(&app).contains("PRIVACY"));
}

#[test]
fn a_column_is_resized_within_limits() {
    let mut app = loaded();
    let usual = app.reports.width_of(Column::Project);
    let effects = press(&mut app, "C j j + +");
    assert_eq!(app.reports.width_of(Column::Project), usual + 2);
    assert!(
        effects.iter().any(
            |effect| matches!(effect, Effect::StoreColumns(chosen) if chosen.widths.contains_key(&Column::Project))
        )
    );
    press(&mut app, "- -");
    assert!(app.reports.columns.widths.is_empty(), "the default width is not stored");
    for _ in 0..80 {
        press(&mut app, "-");
    }
    assert_eq!(app.reports.width_of(Column::Project), 3);
    press(&mut app, "x");
    assert_eq!(app.reports.columns, ColumnLayout::default());
}

#[test]
fn a_column_that_does_not_fit_is_marked() {
    let mut app = loaded();
    press(&mut app, &format!("C {} space", to_column(Column::State)));
    let text = screen_of(&app, 120);
    assert!(text.contains("STATE"), "{text}");
    assert!(text.contains("does not fit"), "other columns do not fit beside it: {text}");
    press(&mut app, "esc");
    let heading = screen_of(&app, 120).lines().nth(2).unwrap().to_owned();
    assert!(heading.contains('›'), "{heading}");
}

#[test]
fn a_column_of_states_appears_once_a_report_has_one() {
    let mut app = loaded();
    assert!(!screen(&app).contains("STATE"));
    press(&mut app, "m enter");
    let text = screen(&app);
    let (result, state) = (text.find("RESULT").unwrap(), text.find("STATE").unwrap());
    assert!(result < state && state < text.find("URL").unwrap(), "{text}");
    assert_eq!(app.reports.columns, ColumnLayout::default(), "no choice of columns is stored");
    // Where the column does not fit, the state is shown in brackets after the URL.
    assert!(screen_of(&app, 40).contains("[looking]"), "{}", screen_of(&app, 40));
}

#[test]
fn the_host_is_left_out_within_a_project_and_copied_all_the_same() {
    let mut app = loaded();
    press(&mut app, "1 j j enter");
    let text = screen(&app);
    assert!(text.contains("/cart?step=2") && !text.contains("shop.example/cart"), "{text}");
    let effects = press(&mut app, "j Y");
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::Copy(text) if text == "https://shop.example/cart?step=2"))
    );
    let mut app = loaded();
    press(&mut app, "1 j j =");
    assert!(app.reports.filter_line.value().starts_with("project:\""), "also for a filter by a complete name");
    assert!(!screen(&app).contains("shop.example/cart"), "{}", screen(&app));
}
