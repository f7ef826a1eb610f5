//! One frame of 160×48: only rows that fit are looked at, so it must cost the same at 1,000 and at 100,000 rows.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench takes its part of what the tests share
mod support;

use criterion::{Criterion, criterion_group, criterion_main};
use ratatui::backend::{CrosstermBackend, TestBackend};
use ratatui::layout::{Rect, Size};
use ratatui::{Terminal, TerminalOptions, Viewport};
use reportdeck::app::App;
use reportdeck::app::message::Message;
use reportdeck::runtime::terminal::backend::TtyBackend;
use reportdeck::view::{self, Look};
use support::{generated_rows, states};

fn loaded(count: usize) -> App {
    let (mut app, effects) = states::connected();
    let rows = generated_rows::rows(count).into_iter().collect();
    let page = states::page(rows, None, count as u64);
    app.update(Message::Reports(states::reports_request(&effects), Ok(page)), states::now());
    app
}

fn screen() -> Terminal<TtyBackend<std::io::Sink>> {
    Terminal::new(TtyBackend::new(std::io::sink(), Size::new(160, 48))).unwrap()
}

fn frames(criterion: &mut Criterion) {
    let look = Look::default();
    for count in [1_000, 10_000, 100_000] {
        let mut app = loaded(count);
        let mut terminal = screen();
        criterion.bench_function(&format!("key down and its frame, {count} rows"), |bench| {
            bench.iter(|| {
                states::press(&mut app, "j");
                terminal.draw(|frame| drop(view::draw(frame, &app, &look))).map(drop)
            });
        });
    }
}

/// What the library writes, as long as it is needed.
struct Page(Vec<u8>);

impl std::io::Write for Page {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.clear();
        Ok(())
    }
}

/// Loaded, and knowing how many rows fit, so that the list scrolls as it does for a person.
fn fitted() -> App {
    let mut app = loaded(100_000);
    let mut terminal = Terminal::new(TestBackend::new(160, 48)).unwrap();
    let mut drawn = app.ctx.layout.clone();
    terminal.draw(|frame| drawn = view::draw(frame, &app, &Look::default())).unwrap();
    app.update(Message::FrameLayout(drawn), states::now());
    app
}

/// The same down to the bytes for the terminal, by the drawing library's own backend and by ours: the cursor back and
/// forth, the list by one row (after the first forty), everything anew.
fn bytes(criterion: &mut Criterion) {
    let look = Look::default();
    for (name, script) in [("cursor", "j k"), ("scroll", "j"), ("jump", "G g")] {
        let mut app = fitted();
        let mut keys = script.split(' ').cycle();
        let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, 160, 48)) };
        let mut theirs = Terminal::with_options(CrosstermBackend::new(Page(Vec::new())), options).unwrap();
        criterion.bench_function(&format!("{name}, its frame and bytes by the library"), |bench| {
            bench.iter(|| {
                states::press(&mut app, keys.next().unwrap_or_default());
                theirs.draw(|frame| drop(view::draw(frame, &app, &look))).unwrap();
            });
        });
        let mut app = fitted();
        let mut keys = script.split(' ').cycle();
        let mut ours = screen();
        criterion.bench_function(&format!("{name}, its frame and bytes by ours"), |bench| {
            bench.iter(|| {
                states::press(&mut app, keys.next().unwrap_or_default());
                ours.draw(|frame| drop(view::draw(frame, &app, &look))).map(drop)
            });
        });
    }
}

criterion_group!(benches, frames, bytes);
criterion_main!(benches);
