//! The help page and the command palette.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::Pane;
use reportdeck::app::overlays::Overlay;
use reportdeck::app::overlays::help::{HelpEntry, HelpKey};
use reportdeck::app::overlays::palette::PaletteRow;
use reportdeck::input::{Action, Context};

use crate::support::states::*;
use crate::update::screen;

fn entries(app: &App) -> Vec<HelpEntry> {
    let Some(Overlay::Help(help)) = app.overlays.last() else { panic!("no help is open") };
    help.entries(&app.ctx.keymap)
}

/// Returns the actions that the help page offers, in order.
fn offered(app: &App) -> Vec<Action> {
    let action = |entry: &HelpEntry| if let HelpEntry::Key(key) = entry { Some(key.binding.action) } else { None };
    entries(app).iter().filter_map(action).collect()
}

/// Returns the actions of the palette in order, without views.
fn commands(app: &App) -> Vec<Action> {
    let action = |row: &PaletteRow| if let PaletteRow::Run(key, _) = row { Some(key.binding.action) } else { None };
    app.palette_rows().iter().filter_map(action).collect()
}

#[test]
fn help_describes_the_pane_it_was_opened_in() {
    let mut app = loaded();
    press(&mut app, "?");
    let of_reports = offered(&app);
    assert!(of_reports.contains(&Action::WriteNote) && !of_reports.contains(&Action::StateWaiting));
    assert!(screen(&app).contains("Keys: reports"), "{}", screen(&app));
    press(&mut app, "esc 1 ?");
    let of_projects = offered(&app);
    assert!(of_projects.contains(&Action::Delete) && !of_projects.contains(&Action::WriteNote));
    assert!(screen(&app).contains("Keys: projects"));
    press(&mut app, "esc 2 Q ?");
    let of_queue = offered(&app);
    assert!(of_queue.contains(&Action::StateWaiting) && !of_queue.contains(&Action::MarkAll));
    assert!(screen(&app).contains("Keys: queue"));
}

#[test]
fn every_action_is_listed_once_with_the_keys_that_trigger_it_there() {
    for script in ["?", "1 ?", "3 ?", "Q ?", "0 ?", "L ?", "C ?"] {
        let mut app = loaded();
        press(&mut app, script);
        let Some(Overlay::Help(help)) = app.overlays.last() else { panic!("{script} does not open help") };
        let context = help.context;
        let actions = offered(&app);
        for (at, action) in actions.iter().enumerate() {
            assert!(!actions[..at].contains(action), "{script}: {action:?} twice");
            assert!(app.ctx.keymap.binding_for(*action, context).is_some(), "{script}: {action:?}");
        }
        for entry in entries(&app) {
            let HelpEntry::Key(HelpKey { binding, keys }) = entry else { continue };
            let repeated = keys.iter().enumerate().find(|(at, key)| keys[..*at].contains(key));
            assert!(repeated.is_none(), "{script}: {:?} {keys:?}", binding.action);
        }
    }
}

#[test]
fn enter_on_a_key_closes_help_and_does_what_the_key_does_here() {
    let mut app = loaded();
    press(&mut app, "? n e w space r e p o r t enter");
    assert!(app.form().is_some());
    let mut app = loaded();
    press(&mut app, "Q ? w a i t i n g enter");
    assert!(app.queue().is_some_and(|queue| app.settled(queue) == 1), "the key acts in the queue");
}

#[test]
fn a_key_of_another_screen_is_found_and_not_run() {
    let mut app = loaded();
    press(&mut app, "? s n o o z e space f o r");
    assert!(offered(&app).is_empty());
    let lines: Vec<HelpEntry> = entries(&app);
    let at = lines.iter().position(|entry| matches!(entry, HelpEntry::Line { .. })).expect("the action is listed");
    for _ in 0..at {
        press(&mut app, "down");
    }
    assert!(press(&mut app, "enter").is_empty());
    assert_eq!(app.context(), Context::Help);
}

#[test]
fn a_folded_topic_shows_the_filter_syntax() {
    let mut app = loaded();
    press(&mut app, "?");
    let topic = entries(&app).iter().position(|entry| matches!(entry, HelpEntry::Topic(..))).unwrap();
    let before = entries(&app).len();
    for _ in 0..topic {
        press(&mut app, "down");
    }
    press(&mut app, "enter");
    assert!(entries(&app).len() > before);
    press(&mut app, "down down down down down");
    assert!(screen(&app).contains("the URL contains this"), "{}", screen(&app));
    press(&mut app, "up up up up up enter");
    assert_eq!(entries(&app).len(), before);
}

#[test]
fn tab_goes_to_the_next_group_of_help() {
    let mut app = loaded();
    press(&mut app, "? tab");
    let Some(Overlay::Help(help)) = app.overlays.last() else { panic!() };
    let HelpEntry::Key(key) = &entries(&app)[help.cursor.at] else { panic!() };
    assert_eq!(key.binding.action, Action::Filter);
    press(&mut app, "shift+tab shift+tab");
    let Some(Overlay::Help(help)) = app.overlays.last() else { panic!() };
    assert!(matches!(entries(&app)[help.cursor.at], HelpEntry::Topic(..)), "wraps around");
}

#[test]
fn the_palette_knows_the_words_of_other_programs() {
    for script in [": q enter", ": q u i t enter", ": q ! enter", ": q a enter", ": w q enter"] {
        let mut app = loaded();
        let effects = press(&mut app, script);
        assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit)), "{script}: {effects:?}");
    }
    let mut app = loaded();
    press(&mut app, ": s e a r c h enter");
    assert_eq!(app.context(), Context::FilterLine, "another word for filter");
    let mut app = loaded();
    press(&mut app, ": o v e r v i e w enter");
    assert_eq!(app.context(), Context::Overview);
}

#[test]
fn the_palette_lists_exact_matches_first_then_recently_used_actions() {
    let mut app = loaded();
    press(&mut app, ": d e l e t e");
    assert_eq!(commands(&app)[0], Action::Delete);
    press(&mut app, "esc : t o g g l e space t i m e s enter :");
    assert_eq!(commands(&app)[0], Action::ToggleTimes);
    press(&mut app, "t o g g l e");
    assert_eq!(commands(&app)[0], Action::ToggleTimes, "before equally good matches");
}

#[test]
fn the_palette_offers_actions_of_the_context_and_explains_disabled_ones() {
    let mut app = loaded();
    press(&mut app, ":");
    assert!(
        !commands(&app).iter().any(|action| matches!(action, Action::StateWaiting | Action::Submit | Action::Pick))
    );
    let rows = app.palette_rows();
    let disabled = |row: &PaletteRow| matches!(row, PaletteRow::Run(_, Some(_)));
    let first = rows.iter().position(disabled).expect("there are no marks, so unmarking is disabled");
    assert!(rows[first..].iter().all(disabled), "disabled actions come last");
    press(&mut app, "u n m a r k space a l l enter");
    assert_eq!(app.context(), Context::Palette, "the palette stays open");
    assert!(screen(&app).contains("Nothing is marked"));
}

#[test]
fn the_palette_in_the_projects_pane_offers_its_actions() {
    let mut app = loaded();
    press(&mut app, "1 :");
    assert!(!commands(&app).contains(&Action::WriteNote));
    assert_eq!(app.screen.focus, Pane::Projects);
}
