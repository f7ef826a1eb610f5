//! Saved views: naming, reopening, and sharing as one line.

use std::collections::HashSet;

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::domain::list::cached_rows::{FormerView, SavedView};
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::list::query::Direction;
use reportdeck::domain::text::Text;
use reportdeck::input::{Action, Input};

use crate::support::session::draw;
use crate::support::states::*;

fn drawn() -> App {
    let mut app = loaded();
    let (_, drawn) = draw(&app, 140, 40);
    app.update(Message::FrameLayout(drawn), now());
    app
}

fn saved(effects: &[Effect]) -> Option<SavedView> {
    effects.iter().find_map(|effect| match effect {
        Effect::SaveView(view) => Some(view.clone()),
        Effect::RestoreView(FormerView { name, line: Some(line), .. }) => {
            Some(SavedView { name: name.clone(), line: line.clone() })
        }
        _ => None,
    })
}

#[test]
fn a_view_is_saved_reopened_and_named_on_the_screen() {
    let mut app = drawn();
    press(&mut app, "b");
    let worst = saved(&press(&mut app, "W w o r s t enter")).unwrap();
    assert_eq!((worst.name.as_str(), app.reports.view_name()), ("worst", Some("worst")));
    press(&mut app, "b b S");
    saved(&press(&mut app, "W o l d e s t enter")).unwrap();
    assert_eq!(app.reports.sort, (Column::GeneratedAt, Direction::Ascending));
    press(&mut app, "]");
    assert_eq!((app.reports.view_name(), shown(&app).len()), (Some("worst"), 2));
    assert!(draw(&app, 140, 40).0.contains("view worst"));
    press(&mut app, "[");
    assert_eq!(app.reports.view_name(), Some("oldest"));
    press(&mut app, "u");
    assert_eq!(app.reports.view_name(), Some("worst"), "undo goes back through the opened views");
}

#[test]
fn views_that_were_read_before_one_was_saved_are_read_again() {
    let mut app = drawn();
    press(&mut app, "b W w o r s t enter");
    let effects = app.update(Message::Views(Vec::new()), now());
    assert!(matches!(effects[..], [Effect::ReadViews]), "{effects:?}");
    assert_eq!(app.reports.view_name(), Some("worst"));
    let stored = app.reports.views.clone();
    assert!(app.update(Message::Views(stored), now()).is_empty());
    assert_eq!(app.reports.view_name(), Some("worst"));
}

#[test]
fn what_a_view_changed_is_undone_and_redone_together() {
    let mut app = drawn();
    let view = r#"view sort=url:asc columns=url,result project="blog" filter="result:bad""#;
    let views = vec![SavedView { name: "blog".to_owned(), line: view.to_owned() }];
    app.update(Message::Views(views), now());
    let state = |app: &App| {
        let reports = &app.reports;
        (reports.filter_line.value().to_owned(), reports.sort, reports.scope.clone(), reports.columns.clone())
    };
    let before = state(&app);
    press(&mut app, "]");
    let shown = state(&app);
    assert_eq!((app.reports.view_name(), shown.0.as_str()), (Some("blog"), "result:bad"));
    press(&mut app, "u");
    assert_eq!(state(&app), before);
    let notice = notice(&app);
    let restored = "sorted by audited, newest first · all projects · columns · no filter";
    assert_eq!(notice, format!("Undone: {restored} · {} redoes", app.ctx.key(Action::Redo)));
    press(&mut app, "U");
    assert_eq!(state(&app), shown);
}

#[test]
fn views_that_differ_only_in_their_columns_are_all_reached_and_named() {
    let mut app = drawn();
    let state = to_column(Column::State);
    press(&mut app, &format!("W n a r r o w enter C {state} space esc W ctrl+u w i d e enter"));
    assert_eq!(app.reports.view_name(), Some("wide"), "the one just saved");
    press(&mut app, "b W w o r s t enter");
    let mut next = || {
        press(&mut app, "]");
        app.reports.view_name().map(str::to_owned)
    };
    let seen: Vec<_> = (0..4).filter_map(|_| next()).collect();
    assert_eq!(seen, ["narrow", "wide", "worst", "narrow"]);
}

#[test]
fn a_view_with_the_usual_columns_shows_those_that_are_usual_when_it_is_opened() {
    let mut app = drawn();
    let line = saved(&press(&mut app, "b W w o r s t enter")).unwrap().line;
    assert!(!line.contains("columns="), "{line}");
    press(&mut app, "m enter b ]");
    assert_eq!(app.reports.view_name(), Some("worst"));
    assert!(app.reports.wanted_columns().contains(&Column::State), "reports have states now");
}

#[test]
fn a_view_is_deleted_in_the_palette() {
    let mut app = drawn();
    for name in ["w o r s t", "w h o l e"] {
        press(&mut app, &format!("b W {name} enter"));
    }
    press(&mut app, ": d e l e t e space w o r");
    assert!(draw(&app, 140, 40).0.contains("delete view worst"));
    let effects = press(&mut app, "enter");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::DeleteView(name) if name == "worst")), "{effects:?}");
    assert_eq!(app.reports.views.iter().map(|view| view.name.as_str()).collect::<Vec<_>>(), ["whole"]);
    let effects = press(&mut app, "u");
    assert_eq!(saved(&effects).map(|view| view.name).as_deref(), Some("worst"), "{effects:?}");
    assert_eq!(app.reports.views.iter().map(|view| view.name.as_str()).collect::<Vec<_>>(), ["whole", "worst"]);
    press(&mut app, ": d e l e t e space w o r enter");
    press(&mut app, ": d e l e t e enter");
    assert_eq!(app.reports.views.len(), 1, "the action alone deletes a report");
}

#[test]
fn a_view_replaced_by_one_of_its_name_can_be_restored() {
    let mut app = drawn();
    press(&mut app, "b W x enter b W");
    let former = app.reports.views[0].line.clone();
    press(&mut app, "x enter");
    assert_ne!(app.reports.views[0].line, former);
    assert_eq!(notice(&app), "View x replaced: u undoes it");
    let effects = press(&mut app, "u");
    assert_eq!(saved(&effects).map(|view| view.line), Some(former.clone()), "{effects:?}");
    assert_eq!(app.reports.views[0].line, former);
}

#[test]
fn a_view_that_cannot_be_read_does_not_hide_those_behind_it() {
    let mut app = drawn();
    press(&mut app, "b W x enter b W z enter");
    let mut views = app.reports.views.clone();
    views.insert(1, SavedView { name: "y".to_owned(), line: "view sort=colour:asc filter=".to_owned() });
    app.update(Message::Views(views), now());
    for key in ["]", "["] {
        let seen: HashSet<_> = (0..4)
            .filter_map(|_| {
                press(&mut app, key);
                app.reports.view_name().map(str::to_owned)
            })
            .collect();
        assert_eq!(seen, HashSet::from(["x".to_owned(), "z".to_owned()]), "{key}");
    }
}

#[test]
fn a_view_is_shared_as_one_line() {
    let mut app = drawn();
    press(&mut app, "b S");
    let effects = press(&mut app, "ctrl+y");
    let Some(Effect::Copy(line)) = effects.first() else { panic!("{effects:?}") };
    let mut colleague = drawn();
    press(&mut colleague, "W");
    colleague.update(Message::Input(Input::Paste(format!("{line}\n"))), now());
    press(&mut colleague, "enter");
    assert_eq!(colleague.reports.sort, app.reports.sort);
    assert_eq!(colleague.reports.filter_line.value(), "result:bad");
}

#[test]
fn a_pasted_view_replaces_the_name_of_the_current_one_in_the_field() {
    let mut app = drawn();
    press(&mut app, "b W w o r s t enter W");
    let line = "view sort=score:asc filter=\"result:good\"";
    app.update(Message::Input(Input::Paste(line.to_owned())), now());
    press(&mut app, "enter");
    assert_eq!((app.reports.filter_line.value(), app.reports.views.len()), ("result:good", 1));
}

#[test]
fn a_pasted_view_with_a_mistake_is_explained_and_can_be_corrected() {
    let mut app = drawn();
    press(&mut app, "W");
    let line = "view sort=score filter=\"result:good\"";
    app.update(Message::Input(Input::Paste(line.to_owned())), now());
    press(&mut app, "enter");
    assert_eq!(app.reports.views, [], "it is no name");
    let notice = notice(&app);
    assert!(notice.contains("sort=COLUMN:asc"), "{notice}");
    press(&mut app, "home");
    (0.."view sort=score".len()).for_each(|_| drop(press(&mut app, "right")));
    press(&mut app, ": a s c enter");
    assert_eq!((app.reports.filter_line.value(), app.overlays.len()), ("result:good", 0));
}

#[test]
fn starting_with_a_view_shows_it_or_reports_that_it_is_missing() {
    let mut app = drawn();
    press(&mut app, "b");
    let view = saved(&press(&mut app, "W x enter")).unwrap();
    for (name, expected) in [("x", "View x"), ("y", "There is no view named y here")] {
        let mut app = drawn();
        app.session.first_view = Some(name.to_owned());
        app.update(Message::Views(vec![view.clone()]), now());
        assert_eq!(notice(&app), expected);
    }
    let mut empty = drawn();
    press(&mut empty, "]");
    assert!(empty.ctx.notice.unwrap().0.contains("W saves"));
}

#[test]
fn a_view_saved_inside_a_project_restores_the_project() {
    let mut app = loaded();
    press(&mut app, "1 j enter b W i n s i d e enter");
    assert_eq!(app.reports.scope.as_ref().map(Text::raw), Some("blog.example"));
    press(&mut app, "1 g enter esc W a l l enter");
    assert!(app.reports.scope.is_none());
    press(&mut app, ": v i e w space i n s i d e enter");
    assert_eq!(app.reports.scope.as_ref().map(Text::raw), Some("blog.example"));
    assert_eq!(app.projects.current().map(|project| project.name.raw()), Some("blog.example"), "the pane follows");
    press(&mut app, ": v i e w space a l l enter");
    assert!(app.reports.scope.is_none(), "a view of all projects leaves the current project");
}

#[test]
fn the_palette_saves_shows_and_deletes_views_in_capitals_too() {
    let mut app = loaded();
    let run = |app: &mut App, command: &str| {
        press(app, ":");
        app.update(Message::Input(Input::Paste(command.to_owned())), now());
        press(app, "enter");
        notice(app).to_owned()
    };
    assert!(run(&mut app, "Save My shops").starts_with("View My shops saved"));
    assert_eq!(run(&mut app, "View my shops"), "View My shops");
    assert!(run(&mut app, "Delete view My").starts_with("View My shops deleted"));
}

#[test]
fn a_name_that_is_too_long_is_not_cut_but_refused() {
    let most = "x ".repeat(60);
    for script in ["W ", ": s a v e space "] {
        let mut app = drawn();
        let effects = press(&mut app, &format!("{script}{most}x enter"));
        assert_eq!(saved(&effects), None);
        assert_eq!(
            notice(&app),
            "Not saved: the name has 61 characters, and the name of a view has at most 60. Shorten it"
        );
        assert!(!app.overlays.is_empty(), "the name can be shortened: {script}");
        let effects = press(&mut app, "backspace enter");
        assert_eq!(saved(&effects).map(|view| view.name.len()), Some(60), "{script}");
        assert!(app.overlays.is_empty());
    }
}

#[test]
fn the_smallest_screen_shows_why_a_name_is_refused() {
    let mut app = drawn();
    press(&mut app, &format!("W {}x enter", "x ".repeat(60)));
    let (screen, _) = draw(&app, 40, 12);
    assert!(screen.contains("Not saved: the name has 61") && screen.contains("Save view as"), "{screen}");
    assert!(screen.contains("xxxx"), "the field stays visible: {screen}");
}
