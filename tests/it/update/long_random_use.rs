//! Long random use: Unicode of every plane, every escape sequence, any size, replies in any order. The output is
//! checked for control sequences that come from outside.
//!
//! `REPORTDECK_STEPS=200000 REPORTDECK_SEED=7 cargo test --test it long_random_use::` makes a long run.

use std::collections::HashSet;
use std::sync::Arc;

use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use ratatui_crossterm::CrosstermBackend;
use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::domain::report::check::{Check, CheckOutcome};
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::{Details, Report, ReportId};
use reportdeck::domain::text::Text;
use reportdeck::input::{Input, Mouse, MouseKind};
use reportdeck::view::{self, Look};

use crate::support::seeded_rng::{Rng, seed, steps};
use crate::support::states::*;
use crate::update::random::{assert_decided, assert_frame_is_whole, expected, started_with_profiles};

/// Characters and sequences that make terminals act, reverse, hide or overdraw text.
const CONTROL_TEXTS: [&str; 16] = [
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1bPq\x1b\\",
    "\u{9b}31m",
    "\u{9d}52;c;eA==\u{9c}",
    "\x07\x08\x0c\x7f",
    "\r\n\t",
    "\u{202e}\u{2066}\u{200f}",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "👩\u{200d}👩\u{200d}👧\u{fe0f}",
    "🇩🇪🇩",
    "日本語ｶﾞ",
    "\u{e0001}\u{e0041}\u{feff}\u{ad}",
    "\u{fdfd}\u{12031}",
    "\u{ffff}\u{10ffff}\u{e000}",
];

/// Some characters of any plane, among them control sequences.
fn text(rng: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..rng.below(12) {
        match rng.below(4) {
            0 => text.push_str(rng.pick::<&str>(&CONTROL_TEXTS)),
            1 => text.push((b' ' + rng.below(95) as u8).into()),
            _ => text.extend(char::from_u32(rng.below(0x11_0000) as u32)),
        }
    }
    text
}

fn add_hostile_texts(report: &mut Report, rng: &mut Rng) {
    report.url = Text::from_outside(format!("https://shop.example/{}", text(rng)));
    report.project = Arc::new(Text::from_outside(text(rng)));
    report.outcome = Outcome::from_name(&text(rng));
    report.failed = [Text::from_outside(text(rng)).shown()].into();
    let check = |rng: &mut Rng| Check {
        id: Text::from_outside(text(rng)),
        category: Some(Text::from_outside(text(rng))),
        importance: None,
        outcome: CheckOutcome::Failed,
        value: text(rng).into(),
        errors: vec![Text::from_outside(text(rng))],
    };
    let mut extra = serde_json::Map::new();
    extra.insert(text(rng), text(rng).into());
    let checks = Some(vec![check(rng), check(rng)]);
    report.details = Some(Box::new(Details { checks, extra, ..Details::default() }));
}

/// Returns the same reply with hostile texts in its fields.
fn with_hostile_texts(message: Message, rng: &mut Rng) -> Message {
    match message {
        Message::Reports(request, Ok(mut page)) => {
            for row in &mut page.rows {
                add_hostile_texts(row, rng);
                row.details = None;
            }
            // Sometimes a report is new, and sometimes one is missing.
            match rng.below(4) {
                0 => {
                    page.rows[0].id = ReportId::new(&text(rng));
                    page.rows.truncate(1 + rng.below(5));
                }
                1 => page.rows.extend((100..300).map(|number| row(number, &format!("https://{number}.example/"), 40))),
                _ => {}
            }
            Message::Reports(request, Ok(page))
        }
        Message::Projects(request, Ok(mut page)) => {
            page.rows.iter_mut().for_each(|project| project.name = Text::from_outside(text(rng)));
            Message::Projects(request, Ok(page))
        }
        Message::Report(request, Ok(mut report)) => {
            add_hostile_texts(&mut report, rng);
            Message::Report(request, Ok(report))
        }
        other => other,
    }
}

/// Draws a frame and checks every byte written to the terminal.
fn draw(app: &mut App, columns: u16, rows: u16) {
    let mut bytes = Vec::new();
    let viewport = Viewport::Fixed(Rect::new(0, 0, columns, rows));
    let mut terminal = Terminal::with_options(CrosstermBackend::new(&mut bytes), TerminalOptions { viewport }).unwrap();
    let mut drawn = None;
    let frame = terminal.draw(|frame| drawn = Some(view::draw(frame, app, &Look::default()))).unwrap();
    assert_frame_is_whole(frame.buffer);
    drop(terminal);
    assert_no_foreign_sequences(&String::from_utf8(bytes).unwrap());
    app.update(Message::FrameLayout(drawn.unwrap()), now());
}

/// Asserts that the output contains only cursor moves, colours and complete links.
fn assert_no_foreign_sequences(written: &str) {
    let mut letters = written.chars();
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            assert!(
                !letter.is_control() && !reportdeck::domain::text::is_invisible(letter),
                "{letter:?} in {written:?}"
            );
            continue;
        }
        match letters.next() {
            Some('[') => {
                let last = letters.find(|letter| !matches!(letter, '0'..='9' | ';' | ':' | '?'));
                assert!(matches!(last, Some('m' | 'H' | 'J' | 'K' | 'h' | 'l')), "{last:?} in {written:?}");
            }
            Some(']') => {
                assert!(letters.as_str().starts_with("8;"), "{written:?}");
                let address = letters.as_str().split('\u{1b}').next().unwrap();
                assert!(address.chars().all(|letter| letter.is_ascii_graphic()), "{address:?}");
                letters.nth(address.chars().count() + 1);
            }
            other => panic!("{other:?} in {written:?}"),
        }
    }
}

/// Asserts further invariants: marks belong to known reports, and the queue and the changes point at existing ones.
fn assert_invariants(app: &App) {
    assert_consistent(app);
    let incoming = app.reports.incoming.as_ref();
    let rows = app.reports.listing.rows.iter().chain(incoming.iter().flat_map(|incoming| incoming.rows.iter()));
    let known: HashSet<_> = rows.map(|row| &row.id).collect();
    for at in 0..app.reports.shown.len() {
        let id = &app.reports.shown_row(at).unwrap().id;
        assert!(!app.reports.is_marked(at) || known.contains(id), "{id:?} is marked");
    }
    if let Some(queue) = app.queue() {
        assert!(queue.at < queue.ids.len(), "{queue:?}");
    }
    if let Some(bulk) = &app.jobs.bulk {
        let tally = bulk.run.tally();
        assert_eq!(tally.all, bulk.run.items.len());
        assert!(tally.done + tally.failed + tally.skipped + tally.under_way <= tally.all);
    }
}

#[test]
fn long_random_use_with_any_unicode_text_keeps_the_state_consistent() {
    let (mut rng, count) = (Rng::new(seed()), steps(3_000));
    let (mut app, mut open) = started_with_profiles();
    let keys = keys_without(&[]);
    let (mut time, mut drawn) = (now(), 0);
    for _ in 0..count {
        let (mut action, mut clicked) = (None, false);
        let is_creating = app.jobs.create.is_some();
        let effects: Vec<Effect> = match rng.below(16) {
            0 => app.update(Message::Input(Input::Paste(text(&mut rng))), time),
            1 => {
                clicked = true;
                let (column, row) = (rng.below(200) as u16, rng.below(60) as u16);
                app.update(Message::Input(Input::Mouse(Mouse { kind: MouseKind::Click, column, row })), time)
            }
            2..6 if !open.is_empty() => {
                // Any of them: replies arrive in any order; some never arrive, and some arrive twice.
                let effect = open.remove(rng.below(open.len()));
                let (well, times) = (rng.below(3) > 0, [0, 1, 1, 1, 2][rng.below(5)]);
                let answers = (0..times).filter_map(|_| expected(&effect, well).answer).collect::<Vec<_>>();
                let messages =
                    answers.into_iter().map(|message| with_hostile_texts(message, &mut rng)).collect::<Vec<_>>();
                messages.into_iter().flat_map(|message| app.update(message, time)).collect()
            }
            6 => {
                time += jiff::SignedDuration::from_secs(rng.below(100).cast_signed() as i64);
                app.update(Message::Tick, time)
            }
            7 | 8 => {
                drawn += 1;
                let small = rng.below(3) == 0;
                let (columns, rows) = if small { (12, 6) } else { (200, 60) };
                draw(&mut app, rng.below(columns) as u16, rng.below(rows) as u16);
                Vec::new()
            }
            _ => {
                let name = *rng.pick(&keys);
                action = action_of(&app, name);
                press_at(&mut app, name, time)
            }
        };
        // Pages of one form were decided together, and are sent as replies arrive.
        let is_next_page = |effect: &Effect| is_creating && matches!(effect, Effect::Create(..));
        let (next_pages, decided): (Vec<_>, Vec<_>) = effects.into_iter().partition(is_next_page);
        assert_decided(&decided, action, clicked);
        open.extend(decided.into_iter().chain(next_pages));
        assert_invariants(&app);
        // The oldest open requests never get a reply.
        open.truncate(200);
    }
    println!("{count} steps, {drawn} screens");
}
