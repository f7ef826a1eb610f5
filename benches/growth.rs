//! Growth with the number of reports: everything that users wait for at 1,000, 10,000, 100,000 and 1,000,000 reports,
//! in one table with reasons.
//!
//! `cargo bench --bench growth` prints the table. The dashboard loads at most 100,000 rows of a list; figures for more
//! loaded rows are hypothetical. Databases are generated once and kept in the target directory. Not a criterion bench,
//! because each figure needs the state left by the one before.

#![allow(missing_docs, dead_code, clippy::unwrap_used)] // a bench may panic

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench uses only part of the shared helpers
mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use crossterm::event::Event;
use ratatui::Terminal;
use ratatui::layout::Size;
use reportdeck::api::decode::{self, RowDetail, envelope};
use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::FrameLayout;
use reportdeck::app::message::Message;
use reportdeck::domain::list::arrange::arrange;
use reportdeck::domain::list::interner::Interner;
use reportdeck::domain::report::Report;
use reportdeck::input::Input;
use reportdeck::input::keymap::{Key, Keymap};
use reportdeck::input::translate::translate;
use reportdeck::runtime::terminal::backend::TtyBackend;
use reportdeck::view::{self, Look};
use support::{
    embedded_service::{KEY, Running},
    seeded_database,
    session::Person,
    states,
};
use tokio::runtime::Runtime;

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const RUNS: usize = 9;
/// Set for a helper process that prints the memory used by this number of rows.
const MEMORY_OF: &str = "REPORTDECK_MEMORY_OF";

/// What is measured, how it grows, and why.
const KINDS: [(&str, &str); 12] = [
    ("service started, first rows on the screen, ms", "nearly constant: one page from the start of an index"),
    ("everything loaded, ms", "linear, up to 100,000 loaded rows"),
    ("key ↓ and its frame, ms", "constant: only visible rows"),
    ("page ↓ and its frame, ms", "constant: only visible rows"),
    ("filter by a term, last key to frame, ms", "linear"),
    ("filter by a qualifier, last key to frame, ms", "linear"),
    ("narrowing page-9 to page-99, last key to frame, ms", "linear in the rows that matched before"),
    ("sort by URL, last key to frame, ms", "n log n, with more cache misses"),
    ("sort by result, last key to frame, ms", "n log n"),
    ("decode and append a page of 100, ms", "constant: ids are in a hash table"),
    ("memory per loaded row, bytes (difference of RSS)", "constant"),
    ("memory of all loaded rows, MB", "linear, up to 100,000 loaded rows"),
];

type Figures = Vec<[Option<f64>; SIZES.len()]>;

/// A dashboard and its screen.
struct Desk {
    app: App,
    terminal: Terminal<TtyBackend<std::io::Sink>>,
    look: Look,
    keymap: Keymap,
}

/// Rows as decoded from a service's pages: equal values are interned.
struct Pages(Interner);

impl Pages {
    /// Returns a page as JSON.
    fn json(from: usize, count: usize) -> String {
        let row = |number: usize| {
            let host = format!("{}{}.example", ["shop", "blog", "news", "docs"][number % 4], number / 7 % 5);
            let score = number * 7_919 % 101;
            let result = if score > 79 {
                "good"
            } else if score < 49 {
                "bad"
            } else {
                "decent"
            };
            let time = jiff::Timestamp::from_second(1_700_000_000 - i64::try_from(number).unwrap() * 61).unwrap();
            format!(
                r#"{{"id":{number},"url":"https://{host}/section-{}/page-{number}","project":"{host}","result":"{result}",
                "score":{score},"generated_at":"{time}","privacy":0,"password":null}}"#,
                number % 37
            )
        };
        let rows: Vec<String> = (from..from + count).map(row).collect();
        format!(r#"{{"data":[{}]}}"#, rows.join(","))
    }

    fn read(&mut self, json: &str) -> Vec<Report> {
        let (rows, _) = envelope::rows(serde_json::from_str(json).unwrap()).unwrap();
        rows.iter().filter_map(|row| decode::report(row.as_object()?, RowDetail::Row, &mut self.0)).collect()
    }

    fn of(&mut self, count: usize) -> Vec<Report> {
        let mut rows = Vec::with_capacity(count);
        for from in (0..count).step_by(100) {
            rows.extend(self.read(&Self::json(from, 100)));
        }
        rows
    }
}

impl Desk {
    fn with(rows: Vec<Report>, next: Option<u64>) -> (Self, Vec<Effect>) {
        let (mut app, effects) = states::connected();
        let total = rows.len() as u64;
        let page = states::page(rows, next, total);
        let effects = app.update(Message::Reports(states::reports_request(&effects), Ok(page)), states::now());
        let terminal = Terminal::new(TtyBackend::new(std::io::sink(), Size::new(160, 48))).unwrap();
        let mut desk = Self { app, terminal, look: Look::default(), keymap: Keymap::default() };
        desk.draw();
        (desk, effects)
    }

    fn draw(&mut self) {
        let Self { app, terminal, look, .. } = self;
        let mut drawn = FrameLayout::default();
        terminal.draw(|frame| drawn = view::draw(frame, app, look)).unwrap();
        if drawn != app.ctx.layout {
            app.update(Message::FrameLayout(drawn), states::now());
            self.draw();
        }
    }

    fn update(&mut self, message: Message) {
        let mut effects = self.app.update(message, states::now());
        while let Some(effect) = effects.pop() {
            if let Effect::Arrange(request, rows, arrangement) = effect {
                let shown = arrange(&rows, &arrangement);
                drop(rows);
                effects.extend(self.app.update(Message::Arranged(request, shown), states::now()));
            }
        }
    }

    fn press(&mut self, script: &str) {
        for name in script.split(' ') {
            let event = Event::Key(Key::parse(name).unwrap().event());
            let input = translate(&event, self.app.context(), &self.keymap).unwrap();
            self.update(Message::Input(input));
        }
        self.draw();
    }

    fn paste(&mut self, text: &str) {
        self.update(Message::Input(Input::Paste(text.to_owned())));
        self.draw();
    }

    /// Returns the median time of an operation, each run after its preparation.
    fn median(&mut self, prepare: impl Fn(&mut Self), act: impl Fn(&mut Self)) -> f64 {
        middle((0..RUNS).map(|_| {
            prepare(self);
            let began = Instant::now();
            act(self);
            began.elapsed()
        }))
    }
}

fn middle(times: impl Iterator<Item = Duration>) -> f64 {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// From the start: service, first page, first screen.
async fn first_rows(data: &Path) -> (Duration, Duration) {
    let began = Instant::now();
    let running = Running::on(data).await;
    let mut person = Person::connecting(&running.service.base_url(), KEY);
    while person.session.app().reports.shown.is_empty() {
        let message = person.session.next_message().await;
        person.session.handle(message);
    }
    person.screen();
    let first = began.elapsed();
    person.look().await;
    (first, began.elapsed())
}

fn of_the_service(runtime: &Runtime, data: &Path) -> [f64; 2] {
    let times: Vec<_> = (0..3).map(|_| runtime.block_on(first_rows(data))).collect();
    [middle(times.iter().map(|(first, _)| *first)), middle(times.iter().map(|(_, all)| *all))]
}

fn of_the_dashboard(size: usize) -> [f64; 7] {
    let (mut desk, _) = Desk::with(Pages(Interner::default()).of(size), None);
    assert_eq!(desk.app.reports.shown.len(), size);
    let key = desk.median(|_| {}, |desk| desk.press("j"));
    let page = desk.median(|_| {}, |desk| desk.press("pgdn"));
    desk.press("g");
    let mut filter = |before: &str, last: &str| {
        let taken = desk.median(
            |desk| {
                // Returns to the list from anywhere.
                desk.press("esc esc esc 2 /");
                if !before.is_empty() {
                    desk.paste(before);
                }
            },
            |desk| desk.paste(last),
        );
        assert!((1..size).contains(&desk.app.reports.shown.len()), "{before}{last}");
        desk.press("esc esc esc 2");
        taken
    };
    let term = filter("", "page-99");
    let qualifier = filter("", "result:bad");
    let narrowing = filter("page-9", "9");
    assert_eq!(desk.app.reports.shown.len(), size);
    // From another order each time: sorting by the last column of the menu first.
    let url = desk.median(|desk| desk.press("s G enter s home j"), |desk| desk.press("enter"));
    let result = desk.median(|desk| desk.press("s G enter s home"), |desk| desk.press("enter"));
    [key, page, term, qualifier, narrowing, url, result]
}

/// Loads pages of 100 after `size` rows; `None` if no more are loaded.
fn of_a_page(size: usize) -> Option<f64> {
    let (mut pages, loaded) = (Pages(Interner::default()), size.min(99_000));
    if size > 100_000 {
        return None;
    }
    let (mut desk, effects) = Desk::with(pages.of(loaded), Some(loaded as u64 / 100 + 1));
    let (mut request, mut from) = (states::reports_request(&effects), loaded);
    Some(middle((0..RUNS).map(|_| {
        let json = Pages::json(from, 100);
        from += 100;
        let began = Instant::now();
        let page = states::page(pages.read(&json), Some(from as u64 / 100 + 1), 1_000_000);
        let effects = desk.app.update(Message::Reports(request, Ok(page)), states::now());
        let taken = began.elapsed();
        request = states::reports_request(&effects);
        taken
    })))
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}

/// Prints by how many kB resident memory grows with this number of rows, loaded in pages of 100 as from a service, and
/// how many were loaded.
fn print_memory(size: usize) {
    let (mut desk, effects) = Desk::with(Pages(Interner::default()).of(100), Some(2));
    let mut pages = Pages(Interner::default());
    let mut request = states::reports_request(&effects);
    let before = resident();
    for from in (100..size).step_by(100) {
        let next = if from + 100 < size { Some(from as u64 / 100 + 2) } else { None };
        let page = states::page(pages.read(&Pages::json(from, 100)), next, size as u64);
        let effects = desk.app.update(Message::Reports(request, Ok(page)), states::now());
        if !desk.app.reports.is_loading() {
            break;
        }
        request = states::reports_request(&effects);
    }
    println!("{} {}", resident() - before, desk.app.reports.listing.loaded() - 100);
}

/// Returns the bytes per row, and the megabytes of all loaded rows.
fn memory_of(size: usize) -> [f64; 2] {
    let mut own = std::process::Command::new(std::env::current_exe().unwrap());
    let printed = own.env(MEMORY_OF, size.to_string()).output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    let (kilobytes, rows) = printed.trim().split_once(' ').unwrap();
    let (kilobytes, rows): (f64, f64) = (kilobytes.parse().unwrap(), rows.parse().unwrap());
    [kilobytes * 1_024.0 / rows, kilobytes * 1_024.0 / 1e6]
}

fn shown(figure: Option<f64>) -> String {
    match figure {
        None => "–".to_owned(),
        Some(figure) if figure < 10.0 => format!("{figure:.2}"),
        Some(figure) if figure < 100.0 => format!("{figure:.1}"),
        Some(figure) => format!("{figure:.0}"),
    }
}

fn main() {
    if let Ok(size) = std::env::var(MEMORY_OF) {
        print_memory(size.parse().unwrap());
        return;
    }
    let most = std::env::var("REPORTDECK_MOST").ok().and_then(|most| most.parse().ok()).unwrap_or(usize::MAX);
    let runtime = Runtime::new().unwrap();
    let mut figures: Figures = vec![[None; SIZES.len()]; KINDS.len()];
    for (at, size) in SIZES.into_iter().enumerate().filter(|(_, size)| *size <= most) {
        let data = seeded_database::grown(env!("CARGO_TARGET_TMPDIR").as_ref(), size as u64);
        let service = of_the_service(&runtime, &data).map(Some);
        let dashboard = of_the_dashboard(size).map(Some);
        let page = [of_a_page(size)];
        let memory = memory_of(size).map(Some);
        let all = service.into_iter().chain(dashboard).chain(page).chain(memory);
        for (row, figure) in figures.iter_mut().zip(all) {
            row[at] = figure;
        }
        eprintln!("{size} reports are measured");
    }
    println!("\n| | 1,000 | 10,000 | 100,000 | 1,000,000 | growth |\n|---|---:|---:|---:|---:|---|");
    for ((name, growth), figures) in KINDS.iter().zip(figures) {
        println!("| {name} | {} | {growth} |", figures.map(shown).join(" | "));
    }
}
