//! Reports that a refresh inserts above the visible rows are announced until they have been seen.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::FrameLayout;
use reportdeck::app::message::Message;
use reportdeck::domain::report::Report;
use reportdeck::input::Input;

use crate::support::session;
use crate::support::states::*;
use crate::update::screen;

fn rows(numbers: impl Iterator<Item = u32>) -> Vec<Report> {
    numbers.map(|number| row(number, &format!("https://shop.example/page-{number}"), 90)).collect()
}

/// Reports 10 to 99 on a screen of twenty lines, scrolled to the end.
fn scrolled() -> App {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows(10..100), None, 90))), now());
    let layout = |app: &App| -> FrameLayout { session::draw(app, 120, 24).1 };
    let drawn = layout(&app);
    app.update(Message::FrameLayout(drawn), now());
    press(&mut app, "G");
    assert!(app.reports.window.top > 0);
    app
}

fn refresh(app: &mut App, numbers: impl Iterator<Item = u32>) {
    let request = reports_request(&press(app, "r"));
    let rows = rows(numbers);
    let count = rows.len() as u64;
    app.update(Message::Reports(request, Ok(page(rows, None, count))), now());
}

#[test]
fn new_rows_above_are_announced_with_the_key_that_goes_there() {
    let mut app = scrolled();
    refresh(&mut app, 7..100);
    assert!(screen(&app).contains("3 new above (g goes there)"), "{}", screen(&app));
    assert_eq!(cursor(&app).as_deref(), Some("99"), "the cursor stays on its report");
    refresh(&mut app, 5..100);
    assert!(screen(&app).contains("5 new above"), "later rows are added to the count: {}", screen(&app));
    press(&mut app, "k");
    assert!(screen(&app).contains("5 new above"), "the new rows have not been seen yet");
    press(&mut app, "g G");
    assert!(!screen(&app).contains("new above"), "the new rows have been seen");
}

#[test]
fn created_rows_above_are_announced_too() {
    let mut app = scrolled();
    press(&mut app, "g n");
    app.update(Message::Input(Input::Paste("a.example\nb.example".to_owned())), now());
    let effects = press(&mut app, "ctrl+s");
    let requests: Vec<_> = effects
        .iter()
        .filter_map(|effect| if let Effect::Create(request, _) = effect { Some(*request) } else { None })
        .collect();
    for (request, number) in requests.into_iter().zip([101, 102]) {
        let report = Report { generated_at: Some(now()), ..row(number, "https://a.example/", 90) };
        app.update(Message::Created(request, Ok(report)), now());
    }
    app.ctx.notice = None;
    assert!(screen(&app).contains("2 new above (g goes there)"), "{}", screen(&app));
    press(&mut app, "g");
    assert_eq!((shown(&app)[0].as_str(), screen(&app).contains("new above")), ("101", false));
}

#[test]
fn rows_below_and_known_rows_are_not_announced() {
    let mut app = scrolled();
    refresh(&mut app, 10..103);
    assert!(!screen(&app).contains("new above"), "below: {}", screen(&app));
    refresh(&mut app, 12..103);
    assert!(!screen(&app).contains("new above"), "fewer: {}", screen(&app));
    press(&mut app, "g");
    refresh(&mut app, 9..100);
    assert!(screen(&app).contains("3 new above"), "the cursor's row stays in place: {}", screen(&app));
}

#[test]
fn another_filter_ends_the_announcement() {
    let mut app = scrolled();
    refresh(&mut app, 7..100);
    press(&mut app, "/ p a g e enter G");
    assert!(!screen(&app).contains("new above"), "{}", screen(&app));
}
