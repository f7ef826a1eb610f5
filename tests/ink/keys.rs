//! How many bytes a key takes on the real screen: what a slow line feels. Nothing here depends on a clock.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::layout::{Rect, Size};
use ratatui::{Terminal, TerminalOptions, Viewport};
use reportdeck::app::App;
use reportdeck::app::drawn::Drawn;
use reportdeck::app::message::Message;
use reportdeck::runtime::ink::Ink;
use reportdeck::view::{self, Look};

use crate::seen::Seen;
use crate::{many, states};

const SIZE: Size = Size::new(160, 48);

/// The dashboard with a thousand reports of twenty projects.
fn loaded() -> App {
    let (mut app, effects) = states::connected();
    let rows = many::rows(1_000).into_iter().flatten().map(|row| (*row).clone()).collect();
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

/// Draws as the loop does: once more where drawing taught something.
fn paint<B: Backend<Error = io::Error>>(terminal: &mut Terminal<B>, app: &mut App, look: &Look) {
    let mut drawn = Drawn::default();
    terminal.draw(|frame| drawn = view::draw(frame, app, look)).unwrap();
    if drawn != app.drawn {
        app.update(Message::Drawn(drawn), states::now());
        terminal.draw(|frame| drop(view::draw(frame, app, look))).unwrap();
    }
}

#[derive(Clone, Default)]
struct Page(Rc<RefCell<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The bytes of each key: ours, and those of the drawing library by itself.
fn bytes(size: Size, script: &str) -> Vec<(String, usize, usize)> {
    let look = Look::default();
    let mut app = loaded();
    let mut ours = Terminal::new(Ink::of_size(size)).unwrap();
    let page = Page::default();
    let options = TerminalOptions { viewport: Viewport::Fixed(Rect::from(size)) };
    let mut theirs = Terminal::with_options(CrosstermBackend::new(page.clone()), options).unwrap();
    let mut seen = Seen::new(size);
    let mut figures = Vec::new();
    for key in ["", "", ""].into_iter().chain(script.split_whitespace()) {
        states::press(&mut app, key);
        paint(&mut ours, &mut app, &look);
        paint(&mut theirs, &mut app, &look);
        let bytes = ours.backend_mut().take();
        seen.write(&bytes);
        let drawn = theirs.draw(|frame| drop(view::draw(frame, &app, &look))).unwrap().buffer.clone();
        seen.shows_cells(&drawn, &format!("after {key}"));
        let library = page.0.borrow().len();
        page.0.borrow_mut().clear();
        figures.push((key.to_owned(), bytes.len(), library));
    }
    figures.split_off(3)
}

#[test]
fn figures() {
    for (size, down) in [(SIZE, 60), (Size::new(80, 24), 30), (Size::new(40, 12), 15)] {
        let script = format!(
            "{} ctrl+d ctrl+u pagedown pagedown pageup k k / s e c t i o n esc ? j j esc p p G g s esc",
            "j ".repeat(down)
        );
        for (key, ours, theirs) in bytes(size, &script) {
            println!("{size} {key}: {theirs} → {ours}");
        }
    }
}
