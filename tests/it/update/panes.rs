//! Keys act on the focused pane, and explain why where they do not apply.

use reportdeck::app::App;
use reportdeck::app::frame_layout::Pane;
use reportdeck::app::message::Message;
use reportdeck::domain::list::paging::Page;
use reportdeck::domain::project::Project;

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

/// The projects of a service that sends no counts.
fn projects_without_counts() -> Page<Project> {
    let mut page = two_projects();
    for project in &mut page.rows {
        (project.reports, project.good, project.decent, project.bad) = (None, None, None, None);
    }
    page
}

/// Reports, good and bad ones of a project as the pane shows them.
fn counts(app: &App, name: &str) -> Option<(u64, u64, u64)> {
    let project = app.projects.named(name)?;
    Some((project.reports?, project.good?, project.bad?))
}

#[test]
fn projects_without_counts_are_counted_in_the_loaded_rows_once_these_are_all() {
    let (mut app, effects) = connected();
    let (reports, projects) = (reports_request(&effects), projects_request(&effects));
    app.update(Message::Projects(projects, Ok(projects_without_counts())), now());
    let first = five()[..2].to_vec();
    let effects = app.update(Message::Reports(reports, Ok(page(first, Some(2), 5))), now());
    assert_eq!(counts(&app, "shop.example"), None, "a part of the list says nothing");
    app.update(Message::Reports(reports_request(&effects), Ok(page(five()[2..].to_vec(), None, 5))), now());
    let of = |project: &str| five().iter().filter(|row| row.project.raw() == project).count() as u64;
    let (all, good, bad) = counts(&app, "shop.example").unwrap();
    assert_eq!(all, of("shop.example"));
    let counted = |word: &str| {
        let rows = five();
        rows.iter().filter(|row| row.project.raw() == "shop.example" && row.outcome.word() == word).count() as u64
    };
    assert_eq!((good, bad), (counted("good"), counted("bad")));
    // A filtered list does not change them; a deletion does.
    press(&mut app, "b");
    assert_eq!(counts(&app, "shop.example"), Some((all, good, bad)));
}

#[test]
fn counts_of_a_service_are_not_replaced() {
    let (mut app, effects) = connected();
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    app.update(Message::Reports(reports_request(&effects), Ok(page(five()[..1].to_vec(), None, 1))), now());
    assert_eq!(counts(&app, "blog.example"), Some((2, 2, 0)));
}
