//! The search in a list above the panes: moves the cursor to lines that contain the typed words.

use tui_input::Input as TextField;

use crate::app::App;
use crate::app::list_window::CursorMove;
use crate::app::overlays::help::words;
use crate::app::overlays::{ListSearch, Overlay};
use crate::domain::activity::Exchange;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::search_text::always;

impl App {
    /// Opens the search field of the list on top.
    pub(crate) fn open_search(&mut self) {
        let Some((cursor, _)) = self.list_on_top() else { return };
        let from = cursor.at;
        self.overlays.push(Overlay::Search(ListSearch { field: TextField::default(), from }));
    }

    /// Returns the lines that contain every typed word, first to last; none without a word.
    fn search_matches(&self) -> Vec<usize> {
        let [.., list, Overlay::Search(search)] = self.overlays.as_slice() else { return Vec::new() };
        let words = words(search.field.value());
        if words.is_empty() {
            return Vec::new();
        }
        // Word by word, because a word may be a URL.
        let searched = |line: String| line.split_whitespace().map(always).collect::<Vec<_>>().join(" ");
        let lines = self.searched_lines(list).into_iter().map(searched);
        let is_match = |line: &String| words.iter().all(|word| line.contains(word));
        lines.enumerate().filter(|(_, line)| is_match(line)).map(|(at, _)| at).collect()
    }

    /// Describes the matches: `2 of 12 hits`.
    pub fn matches_text(&self) -> String {
        let [
            ..,
            Overlay::History(cursor) | Overlay::Activity(cursor) | Overlay::Run(cursor) | Overlay::Changes(cursor),
            Overlay::Search(search),
        ] = self.overlays.as_slice()
        else {
            return String::new();
        };
        if search.field.value().trim().is_empty() {
            return String::new();
        }
        let matches = self.search_matches();
        match matches.binary_search(&cursor.at) {
            Ok(index) => format!("{} of {}", grouped(index as u64 + 1), counted(matches.len() as u64, "hit")),
            Err(_) => counted(matches.len() as u64, "hit"),
        }
    }

    /// Moves to the next or previous match, wrapping around.
    pub(crate) fn step_match(&mut self, forward: bool) {
        let Some((cursor, count)) = self.list_on_top() else { return };
        let last = count.saturating_sub(1);
        let neighbour = if forward { cursor.at + 1 } else { cursor.at.checked_sub(1).unwrap_or(last) };
        self.go_to_match(neighbour, forward);
    }

    /// Moves to the first match at `from` or after it, or before it if not `forward`, wrapping around. Stays at the line
    /// where the search began if there is none.
    pub(crate) fn go_to_match(&mut self, from: usize, forward: bool) {
        let Some(Overlay::Search(search)) = self.overlays.last() else { return };
        let began = search.from;
        let matches = self.search_matches();
        let target = if forward {
            matches.iter().find(|at| **at >= from).or(matches.first())
        } else {
            matches.iter().rfind(|at| **at <= from).or(matches.last())
        };
        self.go(CursorMove::To(target.copied().unwrap_or(began)));
    }

    /// Returns the searched text of each line of a list; none for an overlay without a search. Headings have no text.
    fn searched_lines(&self, list: &Overlay) -> Vec<String> {
        match list {
            Overlay::History(_) => {
                let lines = self.log.lines.iter();
                lines.map(|line| format!("{} {}", line.last.author, line.text())).collect()
            }
            Overlay::Activity(_) => self.ctx.activity.iter().map(exchange_text).collect(),
            Overlay::Run(_) => {
                let items = self.jobs.bulk.as_ref().map(|bulk| bulk.run.listed()).unwrap_or_default();
                let texts = items.into_iter().map(|item| (item.in_words(), &item.url));
                texts.map(|((state, detail), url)| format!("{state} {url} {detail}")).collect()
            }
            Overlay::Changes(_) => {
                let changes = &self.triage.changes;
                let ids = (0..changes.line_count()).map(|at| changes.line(at).and_then(|line| changes.id(line)));
                ids.map(|id| id.map(|id| self.changed_name(id)).unwrap_or_default()).collect()
            }
            Overlay::Form(_)
            | Overlay::Dialog(_)
            | Overlay::Menu(_)
            | Overlay::Help(_)
            | Overlay::Palette(_)
            | Overlay::Key(_)
            | Overlay::Note(_)
            | Overlay::StateNote(_)
            | Overlay::ViewName(_)
            | Overlay::Queue(_)
            | Overlay::Columns(_)
            | Overlay::Overview(_)
            | Overlay::Causes(_)
            | Overlay::Search(_) => Vec::new(),
        }
    }
}

fn exchange_text(exchange: &Exchange) -> String {
    let status = exchange.status.map(|status| status.to_string()).unwrap_or_default();
    format!("{status} {} {} {}", exchange.method, exchange.path, exchange.problem)
}
