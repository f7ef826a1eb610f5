//! One frame of 160×48: only rows that fit are looked at, so it must cost the same at 1,000 and at 100,000 rows.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

#[path = "../tests/support/many.rs"]
mod many;
#[path = "../tests/support/states.rs"]
mod states;

use criterion::{Criterion, criterion_group, criterion_main};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use reportdeck::app::App;
use reportdeck::app::message::Message;
use reportdeck::view::{self, Look};

fn loaded(count: usize) -> App {
    let (mut app, effects) = states::connected();
    let rows = many::rows(count).into_iter().flatten().map(|row| (*row).clone()).collect();
    let page = states::page(rows, None, count as u64);
    app.update(Message::Reports(states::reports_request(&effects), Ok(page)), states::now());
    app
}

fn frames(criterion: &mut Criterion) {
    let look = Look::default();
    for count in [1_000, 10_000, 100_000] {
        let mut app = loaded(count);
        let mut terminal = Terminal::new(TestBackend::new(160, 48)).unwrap();
        criterion.bench_function(&format!("key down and its frame, {count} rows"), |bench| {
            bench.iter(|| {
                states::press(&mut app, "j");
                terminal.draw(|frame| drop(view::draw(frame, &app, &look))).unwrap();
            });
        });
    }
}

criterion_group!(benches, frames);
criterion_main!(benches);
