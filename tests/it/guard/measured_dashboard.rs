//! A dashboard whose work is counted: N rows, its keys and its frames.

use crossterm::event::Event;
use ratatui::Terminal;
use ratatui::layout::Size;
use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::frame_layout::FrameLayout;
use reportdeck::app::message::Message;
use reportdeck::domain::list::arrange::arrange;
use reportdeck::domain::list::paging::Page;
use reportdeck::domain::overview::Overview;
use reportdeck::domain::report::Report;
use reportdeck::input::Input;
use reportdeck::input::keymap::{Key, Keymap};
use reportdeck::input::translate::translate;
use reportdeck::runtime::terminal::backend::TtyBackend;
use reportdeck::view::{self, Look};

use crate::support::generated_rows;
use crate::support::states::{connected, now, page, reports_request};

/// A dashboard and its screen.
pub struct MeasuredDashboard {
    pub app: App,
    pub drawn: FrameLayout,
    terminal: Terminal<TtyBackend<std::io::Sink>>,
    look: Look,
    keymap: Keymap,
    /// The awaited page, and the number of its first row.
    waiting: Option<RequestId>,
    next: usize,
}

impl MeasuredDashboard {
    /// Creates a dashboard with a complete list of `size` rows.
    pub fn with(size: usize) -> Self {
        Self::new(size, None)
    }

    /// Creates a dashboard that waits for further pages.
    pub fn loading(size: usize) -> Self {
        Self::new(size, Some(size as u64 / 100 + 1))
    }

    fn new(size: usize, next: Option<u64>) -> Self {
        let (mut app, effects) = connected();
        let first = Ok(page(reports(0, size), next, size as u64));
        let effects = app.update(Message::Reports(reports_request(&effects), first), now());
        let waiting = next.map(|_| reports_request(&effects));
        let terminal = Terminal::new(TtyBackend::new(std::io::sink(), Size::new(160, 48))).unwrap();
        let (drawn, look, keymap) = (FrameLayout::default(), Look::default(), Keymap::default());
        let mut dashboard = Self { app, drawn, terminal, look, keymap, waiting, next: size };
        dashboard.draw();
        dashboard.app.update(Message::FrameLayout(dashboard.drawn.clone()), now());
        dashboard.draw();
        dashboard
    }

    /// Draws one frame, down to the bytes for the terminal.
    pub fn draw(&mut self) {
        let Self { app, drawn, terminal, look, .. } = self;
        terminal.draw(|frame| *drawn = view::draw(frame, app, look)).unwrap();
    }

    /// Presses keys and handles everything that follows, including arrangements; returns the number of rows scanned by
    /// each arrangement.
    pub fn press(&mut self, script: &str) -> Vec<usize> {
        let mut looked_at = Vec::new();
        for name in script.split(' ') {
            let event = Event::Key(Key::parse(name).unwrap().event());
            let input = translate(&event, self.app.context(), &self.keymap).unwrap();
            let effects = self.app.update(Message::Input(input), now());
            looked_at.extend(answer_arrangings(&mut self.app, effects));
        }
        looked_at
    }

    /// Pastes a filter, and handles everything that follows.
    pub fn paste_filter(&mut self, text: &str) {
        self.press("/");
        let effects = self.app.update(Message::Input(Input::Paste(text.to_owned())), now());
        answer_arrangings(&mut self.app, effects);
        self.press("enter");
    }

    /// Returns the awaited page.
    pub fn next_page(&mut self) -> (RequestId, Page<Report>) {
        let rows = reports(self.next, 100);
        self.next += 100;
        (self.waiting.unwrap(), page(rows, Some(self.next as u64 / 100 + 1), 1_000_000))
    }

    /// Handles a page.
    pub fn take(&mut self, (request, page): (RequestId, Page<Report>)) {
        let effects = self.app.update(Message::Reports(request, Ok(page)), now());
        self.waiting = Some(reports_request(&effects));
    }
}

fn reports(from: usize, count: usize) -> Vec<Report> {
    generated_rows::rows(from + count).into_iter().skip(from).collect()
}

/// Performs every requested arrangement and count.
fn answer_arrangings(app: &mut App, mut effects: Vec<Effect>) -> Vec<usize> {
    let mut looked_at = Vec::new();
    while let Some(effect) = effects.pop() {
        if let Effect::Arrange(request, rows, arrangement) = effect {
            looked_at.push(arrangement.among.as_ref().map_or(rows.len(), Vec::len));
            let shown = arrange(&rows, &arrangement);
            drop(rows);
            effects.extend(app.update(Message::Arranged(request, shown), now()));
        } else if let Effect::CountOverview(request, rows, project, context) = effect {
            let counts = Overview::of(&rows, project.as_ref(), &context);
            effects.extend(app.update(Message::Overview(request, Box::new(counts)), now()));
        }
    }
    looked_at
}
