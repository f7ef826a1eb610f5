//! A dashboard session without a terminal: scripted keys, and the screen as text.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::Event;
use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use reportdeck::api::address::BaseUrl;
use reportdeck::api::limits::Limits;
use reportdeck::app::App;
use reportdeck::app::frame_layout::FrameLayout;
use reportdeck::app::message::Message;
use reportdeck::app::session::state::ProfileChoice;
use reportdeck::audit;
use reportdeck::config::child_process::KeyVariables;
use reportdeck::domain::failure::Failure;
use reportdeck::domain::look::terminal_env::TerminalEnv;
use reportdeck::domain::look::{StartScreen, Times};
use reportdeck::input::keymap::Key;
use reportdeck::runtime::session::Session;
use reportdeck::runtime::{Connect, Launch, ServiceConnection};
use reportdeck::view::theme::Theme;
use reportdeck::view::{self, Look};

/// The look of screens in tests: no colours.
pub fn look() -> Look {
    Look { theme: Theme::plain(), ..Look::default() }
}

/// Draws a state on a screen of this size; returns its text and the layout feedback.
pub fn draw(app: &App, columns: u16, rows: u16) -> (String, FrameLayout) {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let mut drawn = FrameLayout::default();
    terminal.draw(|frame| drawn = view::draw(frame, app, &look())).unwrap();
    (text_of(terminal.backend().buffer()), drawn)
}

/// Returns the text of a screen, one line per row; a wide character occupies two cells.
pub fn text_of(buffer: &Buffer) -> String {
    let mut lines = Vec::new();
    for row in 0..buffer.area.height {
        let (mut line, mut column) = (String::new(), 0);
        while column < buffer.area.width {
            let symbol = buffer[(column, row)].symbol();
            line.push_str(symbol);
            column += (reportdeck::domain::text::width(symbol) as u16).max(1);
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Journal, exports and profiles of a session.
struct SessionOptions {
    journal: Option<PathBuf>,
    /// The name under which the journal knows the service before it is connected.
    journal_name: Option<String>,
    directory: PathBuf,
    /// The profiles to switch to; all are the same service under other names.
    profiles: Vec<ProfileChoice>,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self { journal: None, journal_name: None, directory: nowhere(), profiles: Vec::new() }
    }
}

/// Returns an established connection to this service.
pub fn connected(base_url: &str, key: &str) -> ServiceConnection {
    let base = BaseUrl::parse(base_url, false).unwrap();
    ServiceConnection {
        name: "test".to_owned(),
        host: String::new(),
        base,
        key: key.into(),
        read_only: false,
        accent: None,
        directory: None,
        desk: None,
    }
}

/// Returns launch options without profiles, journal or view. Deletions are sent immediately.
pub fn launch(connect: Connect, look: Look) -> Launch {
    Launch {
        connect,
        profiles: (Vec::new(), None),
        untested_days: 30,
        refresh_minutes: 5,
        claim: reportdeck::domain::desk::CLAIM,
        read_only: false,
        delete_delay: jiff::SignedDuration::ZERO,
        journal: None,
        directory: PathBuf::new(),
        journal_name: None,
        view: None,
        start: StartScreen::List,
        keymap: Arc::default(),
        explanations: Arc::default(),
        terminal_env: TerminalEnv::default(),
        message_template: None,
        editor: vec!["true".to_owned()],
        key_variables: KeyVariables::default(),
        look,
        times: Times::default(),
        zone: TimeZone::UTC,
    }
}

/// A user of the dashboard: presses keys and reads the screen.
pub struct Person {
    pub session: Session,
    /// Number of keys pressed by scripts, not counting typed texts.
    pub pressed: usize,
    size: (u16, u16),
}

impl Person {
    /// Starts a dashboard on this service.
    pub async fn at(base_url: &str, key: &str) -> Self {
        Self::with(Ok(connected(base_url, key)), None).await
    }

    /// Starts a dashboard with a journal.
    pub async fn with_journal(journal: &Path, base_url: &str, key: &str) -> Self {
        Self::with(Ok(connected(base_url, key)), Some(journal.to_owned())).await
    }

    /// Starts a dashboard with any outcome of connecting, and optionally a journal.
    pub async fn with(connection: Result<ServiceConnection, Failure>, journal: Option<PathBuf>) -> Self {
        Self::launched(connection, SessionOptions { journal, ..SessionOptions::default() }, false, Limits::default())
            .await
    }

    /// Starts a dashboard whose journal knows the service before it is connected, as from the command line.
    pub async fn with_known_service(
        connection: Result<ServiceConnection, Failure>,
        journal: &Path,
        name: &str,
    ) -> Self {
        let limits = Limits { first_pause: std::time::Duration::from_millis(1), ..Limits::default() };
        let options = SessionOptions {
            journal: Some(journal.to_owned()),
            journal_name: Some(name.to_owned()),
            ..SessionOptions::default()
        };
        Self::launched(connection, options, false, limits).await
    }

    /// Starts a dashboard with a second profile, whose name the journal also knows.
    pub async fn with_two_profiles(journal: &Path, base_url: &str, key: &str, other: &str) -> Self {
        let profile =
            |name: Option<&str>| ProfileChoice { name: name.map(str::to_owned), text: name.unwrap_or("first").into() };
        let profiles = vec![profile(None), profile(Some(other))];
        let options = SessionOptions { journal: Some(journal.to_owned()), profiles, ..SessionOptions::default() };
        Self::launched(Ok(connected(base_url, key)), options, false, Limits::default()).await
    }

    /// Starts a dashboard in read-only mode.
    pub async fn read_only(base_url: &str, key: &str) -> Self {
        Self::launched(Ok(connected(base_url, key)), SessionOptions::default(), true, Limits::default()).await
    }

    /// Starts a dashboard with other client limits.
    pub async fn with_limits(limits: Limits, base_url: &str, key: &str) -> Self {
        Self::launched(Ok(connected(base_url, key)), SessionOptions::default(), false, limits).await
    }

    /// Starts a dashboard with other client limits and a journal.
    pub async fn with_limits_and_journal(limits: Limits, journal: &Path, base_url: &str, key: &str) -> Self {
        let options = SessionOptions { journal: Some(journal.to_owned()), ..SessionOptions::default() };
        Self::launched(Ok(connected(base_url, key)), options, false, limits).await
    }

    /// Starts a dashboard that exports into this directory.
    pub async fn exporting_into(directory: &std::path::Path, base_url: &str, key: &str) -> Self {
        let options = SessionOptions { directory: directory.to_owned(), ..SessionOptions::default() };
        Self::launched(Ok(connected(base_url, key)), options, false, Limits::default()).await
    }

    /// Starts a dashboard with a journal that exports into this directory.
    pub async fn with_journal_exporting_into(journal: &Path, directory: &Path, base_url: &str, key: &str) -> Self {
        let (journal, directory) = (Some(journal.to_owned()), directory.to_owned());
        let options = SessionOptions { journal, directory, ..SessionOptions::default() };
        Self::launched(Ok(connected(base_url, key)), options, false, Limits::default()).await
    }

    /// Starts a dashboard without waiting for anything.
    pub fn connecting(base_url: &str, key: &str) -> Self {
        Self::launch(Ok(connected(base_url, key)), SessionOptions::default(), false, Limits::default())
    }

    /// Starts a dashboard with these connections and the default profile, without waiting for anything.
    pub fn with_connections(connect: Connect, profiles: &[&str], journal: Option<PathBuf>) -> Self {
        let named = profiles.iter().map(|&name| ProfileChoice { name: Some(name.to_owned()), text: name.to_owned() });
        let nameless = ProfileChoice { name: None, text: "first".to_owned() };
        let profiles = std::iter::once(nameless).chain(named).collect();
        let launch = Launch { profiles: (profiles, None), journal, ..launch(connect, look()) };
        Self { session: Session::start(launch), pressed: 0, size: (140, 40) }
    }

    async fn launched(
        connection: Result<ServiceConnection, Failure>,
        options: SessionOptions,
        read_only: bool,
        limits: Limits,
    ) -> Self {
        let mut person = Self::launch(connection, options, read_only, limits);
        person.look().await;
        person
    }

    fn launch(
        connection: Result<ServiceConnection, Failure>,
        options: SessionOptions,
        read_only: bool,
        limits: Limits,
    ) -> Self {
        let connect: Connect = Arc::new(move |request| {
            let mut connection = connection.clone();
            if let (Ok(connection), Some(profile)) = (&mut connection, request.profile) {
                connection.name = profile;
            }
            Box::pin(async move { connection })
        });
        let launch = Launch {
            profiles: (options.profiles, None),
            read_only,
            journal: options.journal,
            message_template: Some(options.directory.join("message.txt")),
            directory: options.directory,
            journal_name: options.journal_name,
            explanations: Arc::new(audit::explanations()),
            ..launch(connect, look())
        };
        Self { session: Session::start_within(launch, limits), pressed: 0, size: (140, 40) }
    }

    /// Presses the keys of a script and waits after each one until the session is idle. Keys are separated by spaces
    /// and named as in the key table; texts are in single quotes.
    pub async fn press(&mut self, script: &str) -> &mut Self {
        for word in words(script) {
            if let Some(text) = word.strip_prefix('\'') {
                for character in text.chars() {
                    self.key(&character.to_string());
                }
            } else {
                self.pressed += 1;
                self.key(&word);
            }
            self.look().await;
        }
        self
    }

    /// Presses a key without waiting.
    pub fn key(&mut self, name: &str) {
        let name = if name == " " { "space" } else { name };
        let key = Key::parse(name).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        self.session.take_event(&Event::Key(key.event()));
    }

    /// Pastes a text.
    pub async fn paste(&mut self, text: &str) {
        self.session.take_event(&Event::Paste(text.to_owned()));
        self.look().await;
    }

    /// Waits until the session is idle; returns the screen.
    pub async fn look(&mut self) -> String {
        loop {
            self.session.settle().await;
            let (text, drawn) = draw(self.session.app(), self.size.0, self.size.1);
            if drawn == self.session.app().ctx.layout {
                return text;
            }
            self.session.handle(Message::FrameLayout(drawn));
        }
    }

    /// Handles messages until the state fulfils a condition.
    pub async fn until(&mut self, condition: impl Fn(&App) -> bool) {
        while !condition(self.session.app()) {
            let message = self.session.next_message().await;
            self.session.handle(message);
        }
    }

    /// Returns the current screen without waiting.
    pub fn screen(&self) -> String {
        draw(self.session.app(), self.size.0, self.size.1).0
    }

    /// Changes the size of the terminal.
    pub async fn resize(&mut self, columns: u16, rows: u16) -> String {
        self.size = (columns, rows);
        self.session.take_event(&Event::Resize(columns, rows));
        self.look().await
    }

    /// Asserts that the screen shows these texts.
    #[track_caller]
    pub fn sees(&self, texts: &[&str]) -> &Self {
        let screen = self.screen();
        for text in texts {
            assert!(screen.contains(text), "`{text}` is not on the screen:\n{screen}");
        }
        self
    }

    /// Asserts that the screen shows none of these texts.
    #[track_caller]
    pub fn misses(&self, texts: &[&str]) -> &Self {
        let screen = self.screen();
        for text in texts {
            assert!(!screen.contains(text), "`{text}` is on the screen:\n{screen}");
        }
        self
    }
}

/// Returns the path of a directory that does not exist, so that no test leaves files behind.
fn nowhere() -> std::path::PathBuf {
    std::path::PathBuf::from("no-such-directory")
}

/// Splits a script: `n 'shop.example/a b' ctrl+s` gives `n`, `'shop.example/a b`, `ctrl+s`.
fn words(script: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in script.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(format!("'{part}"));
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
