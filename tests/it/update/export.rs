//! Exports: the shown or marked rows and the chosen columns, fixed when the menu opens.

use std::sync::Arc;

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::app::overlays::Overlay;
use reportdeck::domain::export::FileFormat;
use reportdeck::domain::export::request::ExportRequest;
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::list::query::Direction;

use crate::support::session::draw;
use crate::support::states::*;

fn exported(effects: &[Effect]) -> (FileFormat, Arc<ExportRequest>) {
    let found = effects.iter().find_map(|effect| match effect {
        Effect::Export(format, request) => Some((*format, Arc::clone(request))),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("nothing is exported: {effects:?}"))
}

fn ids(request: &ExportRequest) -> Vec<&str> {
    request.reports().map(|report| report.id.raw()).collect()
}

fn menu(app: &App) -> (String, Vec<String>) {
    let Some(Overlay::Menu(menu)) = app.overlays.last() else { panic!("no menu is open") };
    (menu.title.clone(), menu.rows.iter().map(|(text, _)| text.clone()).collect())
}

fn drawn(app: &mut App, columns: u16) {
    let (_, drawn) = draw(app, columns, 30);
    app.update(Message::FrameLayout(drawn), now());
}

#[test]
fn an_export_contains_the_shown_rows_in_their_order() {
    let mut app = loaded();
    app.screen.zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(1));
    assert!(press(&mut app, "S ctrl+s").is_empty(), "nothing is written before a format is chosen");
    let (title, rows) = menu(&app);
    assert_eq!(title, "Export 5 shown reports");
    assert_eq!(rows[0], "CSV       reports-2026-11-21-1502.csv", "at the local time");
    assert_eq!(rows.len(), 4);
    let (format, request) = exported(&press(&mut app, "j j enter"));
    assert_eq!(format, FileFormat::Markdown);
    assert_eq!(ids(&request), ["5", "4", "3", "2", "1"]);
    assert!(Arc::ptr_eq(&request.rows, &app.reports.listing.rows));
    let (service, filter, order) = (&*request.service, &*request.filter, &*request.order);
    assert_eq!((service, filter, order), ("seo.example", "", "audited, oldest first"));
    assert_eq!((request.places.len(), request.of), (5, None));
    assert!(app.overlays.is_empty());
}

#[test]
fn an_export_names_its_filter_and_project() {
    let mut app = loaded();
    let (_, request) = exported(&press(&mut app, "b ctrl+s enter"));
    assert_eq!(ids(&request), ["1", "2"]);
    assert_eq!((request.filter.as_str(), request.of), ("result:bad", Some(5)));
    let (_, request) = exported(&press(&mut app, "1 g j j enter ctrl+s enter"));
    assert_eq!((request.filter.as_str(), request.of), ("project:\"shop.example\" result:bad", Some(3)));
}

#[test]
fn marked_reports_are_exported_instead_of_shown_ones_and_hidden_marks_are_not() {
    let mut app = loaded();
    press(&mut app, "space j space ctrl+s");
    assert_eq!(menu(&app).0, "Export 2 marked reports");
    let (format, request) = exported(&press(&mut app, "enter"));
    assert_eq!((format, ids(&request)), (FileFormat::Csv, vec!["1", "3"]));
    assert_eq!((request.filter.as_str(), request.of), ("marked", Some(5)));
    let (_, request) = exported(&press(&mut app, "b ctrl+s enter"));
    assert_eq!(ids(&request), ["1"], "hidden marks are not exported");
    press(&mut app, "esc esc g v j ctrl+s");
    assert_eq!(menu(&app).0, "Export 2 marked reports", "a range being selected counts");
}

#[test]
fn every_chosen_column_is_exported_however_narrow_the_window_is() {
    let mut app = loaded();
    let all = [Column::Result, Column::Url, Column::Project, Column::GeneratedAt, Column::Privacy, Column::Failed];
    for (columns, keys) in [(240, "ctrl+s enter"), (40, "ctrl+s enter"), (40, "1 2 ctrl+s enter")] {
        drawn(&mut app, columns);
        let (_, request) = exported(&press(&mut app, keys));
        assert_eq!(request.columns, all, "{columns} columns");
    }
}

#[test]
fn an_export_names_missing_rows_and_excludes_later_ones() {
    let (mut app, effects) = connected();
    let first = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 1_089))), now());
    press(&mut app, "ctrl+s");
    assert_eq!(menu(&app).0, "Export 5 shown reports (5 of 1,089 loaded)");
    let more = vec![row(6, "https://shop.example/six", 50), row(7, "https://shop.example/seven", 60)];
    app.update(Message::Reports(reports_request(&first), Ok(page(more, Some(3), 1_089))), now());
    assert_eq!(shown(&app).len(), 7);
    let (_, request) = exported(&press(&mut app, "enter"));
    assert_eq!(ids(&request), ["1", "2", "3", "4", "5"], "the title still matches the rows");
    assert_eq!(request.of, Some(1_089));
    press(&mut app, "/ t e a enter");
    app.update(Message::Reports(reports_request(&first), Ok(page(Vec::new(), None, 0))), now());
    let (_, request) = exported(&press(&mut app, "ctrl+s enter"));
    assert_eq!((ids(&request), request.filter.as_str()), (vec!["1"], "tea"));
}

#[test]
fn an_export_without_rows_explains_why() {
    for keys in ["", "/ n o n e enter"] {
        let mut app = if keys.is_empty() { started() } else { loaded() };
        press(&mut app, keys);
        assert!(press(&mut app, "ctrl+s").is_empty() && app.overlays.is_empty());
        assert_eq!(notice(&app), "No report is shown: nothing to export");
    }
}

#[test]
fn an_export_says_in_words_how_its_rows_are_ordered() {
    for (column, ascending, descending) in [
        (Column::Result, "result, bad first", "result, good first"),
        (Column::Score, "score, lowest first", "score, highest first"),
        (Column::Failed, "failing checks, fewest first", "failing checks, most first"),
        (Column::Url, "url, A to Z", "url, Z to A"),
        (Column::Urgency, "urgency, least urgent first", "urgency, most urgent first"),
    ] {
        let mut app = loaded();
        let mut orders = [Direction::Ascending, Direction::Descending].map(|direction| {
            app.reports.sort = (column, direction);
            exported(&press(&mut app, "ctrl+s enter")).1.order.clone()
        });
        orders.sort();
        let mut expected = [ascending, descending];
        expected.sort_unstable();
        assert_eq!(orders, expected);
    }
}
