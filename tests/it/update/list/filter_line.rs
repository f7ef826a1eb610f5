//! The filter line: completions, number of matches, error messages, and keys that lead out of an empty result.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::domain::list::filter::known_values::KnownValues;
use reportdeck::domain::report::failed_checks::FailedChecks;
use reportdeck::input::Input;

use crate::support::generated_rows;
use crate::support::states::*;
use crate::update::screen;

fn typing(text: &str) -> App {
    let mut app = loaded();
    press(&mut app, "/");
    app.update(Message::Input(Input::Paste(text.to_owned())), now());
    app
}

fn line(app: &App) -> &str {
    app.reports.filter_line.value()
}

#[test]
fn tab_goes_through_the_completions_and_the_rows_follow() {
    let mut app = typing("res");
    press(&mut app, "tab");
    assert_eq!(line(&app), "result:", "a single completion is inserted at once");
    press(&mut app, "tab");
    assert_eq!((line(&app), app.reports.shown.len()), ("result:good ", 2));
    press(&mut app, "tab tab");
    assert_eq!((line(&app), app.reports.shown.len()), ("result:bad ", 2));
    press(&mut app, "tab");
    assert_eq!(line(&app), "result:good ", "wraps around");
    press(&mut app, "shift+tab");
    assert_eq!(line(&app), "result:bad ");
    press(&mut app, "t e tab enter");
    assert_eq!(line(&app), "result:bad te", "typing ends the cycle, and words of URLs have no completions");
}

#[test]
fn a_pasted_text_keeps_the_space_that_separates_it_from_the_typed_one() {
    let mut app = typing("  result:bad \n");
    assert_eq!(line(&app), "result:bad", "a first text needs none");
    for pasted in [" tea\r\n", "\n!cart"] {
        app.update(Message::Input(Input::Paste(pasted.to_owned())), now());
    }
    assert_eq!(line(&app), "result:bad tea !cart");
}

#[test]
fn the_right_arrow_completes_at_the_end_and_moves_before_it() {
    let mut app = typing("pro");
    press(&mut app, "left right");
    assert_eq!(line(&app), "pro", "the key moves the cursor");
    press(&mut app, "right");
    assert_eq!(line(&app), "project:");
    press(&mut app, "right");
    assert_eq!(line(&app), "project:\"shop.example\" ", "the most frequent value comes first");
    press(&mut app, "enter");
    assert_eq!(line(&app), "project:\"shop.example\"", "without a trailing space");
    assert_eq!(app.reports.shown.len(), 3);
}

#[test]
fn a_word_typed_after_a_complete_term_is_a_term_of_its_own() {
    let mut app = loaded();
    press(&mut app, "b / t e a");
    assert_eq!((line(&app), shown(&app)), ("result:bad tea", vec!["1".to_owned()]));
    let mut app = typing("project:\"shop.example\"");
    press(&mut app, "enter / enter");
    assert_eq!(line(&app), "project:\"shop.example\"", "nothing is typed");
    press(&mut app, "u");
    assert_eq!(line(&app), "", "and nothing to undo");
    for unfinished in ["te", "result:", "project:\"shop"] {
        let mut app = typing(unfinished);
        press(&mut app, "enter / x");
        assert_eq!(line(&app), format!("{unfinished}x"), "it can be continued");
    }
}

#[test]
fn match_counts_and_hints_are_shown_while_typing() {
    let shown = screen(&typing("tea"));
    assert!(shown.contains("/ tea") && shown.contains("1 hit "), "{shown}");
    let shown = screen(&typing("check:"));
    assert!(shown.contains("title 3") && shown.contains("Tab"), "{shown}");
    // A list whose rows have no checks.
    let (mut app, effects) = connected();
    let rows =
        five().into_iter().map(|row| reportdeck::domain::report::Report { failed: FailedChecks::default(), ..row });
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows.collect(), None, 5))), now());
    press(&mut app, "/ c h e c k :");
    let shown = screen(&app);
    assert!(shown.contains("checks unknown: 5 of 5"), "{shown}");
}

#[test]
fn a_mistake_is_explained_while_typing_and_afterwards() {
    for (text, expected) in [
        ("reslt:bad", "unknown qualifier reslt; did you mean result:?"),
        ("state:waitng", "did you mean waiting?"),
        ("result:bda", "did you mean bad?"),
        ("check:titel", "did you mean title?"),
        ("project:shop.exampel", "did you mean shop.example?"),
    ] {
        let mut app = typing(text);
        let shown = screen(&app);
        assert!(shown.contains(expected), "{expected}: {shown}");
        press(&mut app, "enter");
        let shown = screen(&app);
        assert!(shown.contains("did you mean"), "{text}: {shown}");
        press(&mut app, "/ tab");
        assert_eq!(app.reports.filter.problems(), [], "{text} → {}", line(&app));
    }
}

#[test]
fn an_empty_result_offers_keys_that_work() {
    let mut app = typing("nothing");
    assert!(screen(&app).contains("Esc leaves the line; then Esc clears the filter."), "{}", screen(&app));
    press(&mut app, "esc");
    assert!(screen(&app).contains("Esc clears the filter, / edits the filter."), "{}", screen(&app));
    press(&mut app, "esc");
    assert_eq!((line(&app), app.reports.shown.len()), ("", 5));
    // Marks are cleared first.
    press(&mut app, "space / n o n e enter");
    let shown = screen(&app);
    assert!(shown.contains("/ edits the filter.") && !shown.contains("Esc clears"), "{shown}");
}

#[test]
fn the_values_of_many_rows_are_collected_once_in_the_background() {
    let (mut app, effects) = connected();
    let rows: Vec<_> = generated_rows::rows(6_000).into_iter().collect();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 6_000))), now());
    let wanted =
        |effects: &[Effect]| effects.iter().filter(|effect| matches!(effect, Effect::CollectFilterValues(..))).count();
    let mut effects = press(&mut app, "/");
    assert_eq!(wanted(&effects), 1);
    let again = press(&mut app, "p r o j e c t :");
    assert_eq!(wanted(&again), 0, "once");
    let collect = effects.iter().position(|effect| matches!(effect, Effect::CollectFilterValues(..))).unwrap();
    let Effect::CollectFilterValues(request, rows, projects) = effects.swap_remove(collect) else { unreachable!() };
    app.update(Message::FilterValues(request, Box::new(KnownValues::collect(&rows, &projects))), now());
    assert_eq!(wanted(&press(&mut app, "s h")), 0);
    press(&mut app, "tab");
    assert!(line(&app).starts_with("project:\"shop"), "{}", line(&app));
}

#[test]
fn a_check_of_the_row_selects_no_rows_that_fail_another_one_whose_id_contains_it() {
    let (mut app, effects) = connected();
    let failing = |number, check: &str| reportdeck::domain::report::Report {
        failed: [check].into(),
        ..row(number, "https://shop.example/tea", 31)
    };
    let rows = vec![failing(1, "title"), failing(2, "title_quality")];
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 2))), now());
    for (keys, expected) in [("= G enter", "1"), ("u - G enter", "2")] {
        press(&mut app, keys);
        assert_eq!(shown(&app), [expected], "{}", line(&app));
    }
}
