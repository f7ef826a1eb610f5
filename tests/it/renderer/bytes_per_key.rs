//! Bytes written to a real screen for each key, which matter on slow lines. Independent of any clock.

use std::io;

use ratatui::backend::Backend;
use ratatui::layout::{Rect, Size};
use ratatui::{Terminal, TerminalOptions, Viewport};
use ratatui_crossterm::CrosstermBackend;
use reportdeck::app::App;
use reportdeck::app::frame_layout::FrameLayout;
use reportdeck::app::message::Message;
use reportdeck::runtime::terminal::backend::TtyBackend;
use reportdeck::view::{self, Look};

use crate::renderer::emulator::Seen;
use crate::renderer::written::Written;
use crate::support::{generated_rows, states};

const SIZE: Size = Size::new(160, 48);

/// A dashboard with a thousand reports of twenty projects.
fn loaded() -> App {
    let (mut app, effects) = states::connected();
    let rows = generated_rows::rows(1_000).into_iter().collect();
    app.update(Message::Reports(states::reports_request(&effects), Ok(states::page(rows, None, 1_000))), states::now());
    let mut projects = states::two_projects();
    projects.rows = (0..20)
        .map(|number| {
            let host = format!("{}{}.example", ["shop", "blog", "news", "docs"][number % 4], number / 4);
            states::project(&host, 10, 20, 20)
        })
        .collect();
    app.update(Message::Projects(states::projects_request(&effects), Ok(projects)), states::now());
    app
}

/// Draws like the event loop: again if the layout feedback has changed.
fn paint<B: Backend<Error = io::Error>>(terminal: &mut Terminal<B>, app: &mut App, look: &Look) {
    let mut drawn = FrameLayout::default();
    terminal.draw(|frame| drawn = view::draw(frame, app, look)).unwrap();
    if drawn != app.ctx.layout {
        app.update(Message::FrameLayout(drawn), states::now());
        terminal.draw(|frame| drop(view::draw(frame, app, look))).unwrap();
    }
}

/// Returns the bytes written for each key, by our backend and by ratatui's.
fn bytes(size: Size, script: &str) -> Vec<(String, usize, usize)> {
    let look = Look::default();
    let mut app = loaded();
    let written = Written::default();
    let mut ours = Terminal::new(TtyBackend::new(written.clone(), size)).unwrap();
    let library = Written::default();
    let options = TerminalOptions { viewport: Viewport::Fixed(Rect::from(size)) };
    let mut theirs = Terminal::with_options(CrosstermBackend::new(library.clone()), options).unwrap();
    let mut seen = Seen::new(size);
    let mut figures = Vec::new();
    for key in ["", "", ""].into_iter().chain(script.split_whitespace()) {
        states::press(&mut app, key);
        paint(&mut theirs, &mut app, &look);
        ours.draw(|frame| drop(view::draw(frame, &app, &look))).unwrap();
        let bytes = written.take();
        seen.write(&bytes);
        let their_bytes = library.take().len();
        let drawn = theirs.draw(|frame| drop(view::draw(frame, &app, &look))).unwrap().buffer.clone();
        seen.shows_cells(&drawn, &format!("after {key}"));
        // The output of the second frame belongs to no key.
        library.take();
        figures.push((key.to_owned(), bytes.len(), their_bytes));
    }
    figures.split_off(3)
}

/// Printed for comparison: `cargo test --test it renderer:: -- --nocapture`.
fn print_figures(size: Size, script: &str) -> Vec<(String, usize, usize)> {
    let figures = bytes(size, script);
    for (key, ours, theirs) in &figures {
        println!("{size} {key}: {theirs} → {ours}");
        assert!(ours <= theirs, "{key} takes {ours} bytes, and {theirs} with ratatui's own backend");
    }
    figures
}

#[test]
fn moving_the_cursor_and_scrolling_write_few_bytes() {
    let figures = print_figures(SIZE, &"j ".repeat(60));
    let most = |keys: std::ops::Range<usize>| figures[keys].iter().map(|(_, ours, _)| *ours).max().unwrap();
    assert!(most(0..30) <= 400, "a moved cursor takes {} bytes", most(0..30));
    // The cursor is in the last row now, so the whole list scrolls.
    assert!(figures[50..].iter().all(|(_, _, theirs)| *theirs > 3_000), "the list scrolls");
    assert!(most(50..60) <= 1_000, "a scrolled list takes {} bytes", most(50..60));
}

#[test]
fn no_key_writes_more_bytes_than_the_plain_backend_and_the_screens_are_equal() {
    for (size, down) in [(SIZE, 45), (Size::new(80, 24), 22), (Size::new(40, 12), 11)] {
        let down = "j ".repeat(down);
        print_figures(
            size,
            &format!("{down} ctrl+d ctrl+u pgdn pgdn pgup k k / s e c t enter esc ? j j pgdn k esc p p G k g s esc"),
        );
    }
}
