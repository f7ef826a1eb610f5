//! Dashboard states made from messages alone, at a fixed time, for snapshots and for tests of `update`.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use crossterm::event::Event;
use jiff::Timestamp;
use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::{Connected, Message};
use reportdeck::app::session::state::ProfileChoice;
use reportdeck::audit;
use reportdeck::domain::desk::{DeskActor, DeskRow, Handle};
use reportdeck::domain::failure::{Failure, FailureKind};
use reportdeck::domain::list::cached_rows::CachedRows;
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::list::paging::{Next, Page, PageToken};
use reportdeck::domain::project::Project;
use reportdeck::domain::report::check::{Check, CheckOutcome, Importance};
use reportdeck::domain::report::failed_checks::{CheckId, FailedChecks};
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::domain::report::report_state::ReportState;
use reportdeck::domain::report::{Details, Report, ReportId};
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::State;
use reportdeck::domain::triage::changes::ListScope;
use reportdeck::input::bindings::BINDINGS;
use reportdeck::input::keymap::{Key, Keymap};
use reportdeck::input::translate::translate;
use reportdeck::input::{Action, Context};
use strum::IntoEnumIterator as _;

/// The default keymap, built once because tests press many keys.
static KEYMAP: LazyLock<Keymap> = LazyLock::new(Keymap::default);

/// The current time in every snapshot: 2026-11-21 14:02 UTC.
pub fn now() -> Timestamp {
    "2026-11-21T14:02:00Z".parse().unwrap()
}

/// The keys that go to a column in the list of columns and in the sort menu, from the end, where hidden columns are.
pub fn to_column(column: Column) -> String {
    format!("G{}", " k".repeat(Column::iter().count() - 1 - column as usize))
}

/// A dashboard that just started.
pub fn started() -> App {
    let mut app = App::new(Arc::new(audit::explanations()), false, now());
    // Deletions are sent immediately, except in tests of pending deletions.
    app.jobs.delete_delay = jiff::SignedDuration::ZERO;
    app
}

/// A dashboard that just connected, and its first effects.
pub fn connected() -> (App, Vec<Effect>) {
    let mut app = started();
    let connected =
        Connected { name: "work".into(), host: "seo.example".into(), read_only: false, accent: None, directory: None };
    let effects = app.update(Message::Connected(Ok(connected)), now());
    (app, effects)
}

/// Returns the id of the first request that lists reports.
pub fn reports_request(effects: &[Effect]) -> RequestId {
    effects
        .iter()
        .find_map(|effect| if let Effect::ListReports { request, .. } = effect { Some(*request) } else { None })
        .expect("no reports are requested")
}

/// Returns the id of the first request that lists projects.
pub fn projects_request(effects: &[Effect]) -> RequestId {
    effects
        .iter()
        .find_map(|effect| if let Effect::ListProjects(request, ..) = effect { Some(*request) } else { None })
        .expect("no projects are requested")
}

/// Returns the id of the first request for one report.
pub fn report_request(effects: &[Effect]) -> RequestId {
    effects
        .iter()
        .find_map(|effect| if let Effect::ShowReport(request, _) = effect { Some(*request) } else { None })
        .expect("no report is requested")
}

/// Returns the id of the first request that creates a report.
pub fn create_request(effects: &[Effect]) -> RequestId {
    effects
        .iter()
        .find_map(|effect| if let Effect::Create(request, _) = effect { Some(*request) } else { None })
        .expect("no report is created")
}

/// A row with this score, generated at the hour of its number.
pub fn row(number: u32, url: &str, score: u8) -> Report {
    Report {
        id: ReportId::new(&number.to_string()),
        url: Text::of_url(url),
        project: Arc::new(Text::from_outside(url.split('/').nth(2).unwrap_or("shop.example"))),
        outcome: Outcome::from_score(f64::from(score)),
        score: Some(score),
        generated_at: (now() - jiff::SignedDuration::from_hours(i64::from(number))).into(),
        privacy: Some(Privacy::Public),
        fetch_failure: None,
        has_password: Some(false),
        failed: if score < 80 { ["title", "meta_description"].into() } else { FailedChecks::default() },
        details: None,
    }
}

/// Five cached rows from a day ago.
pub fn cached_rows() -> CachedRows {
    let rows = five().into_iter().collect();
    CachedRows {
        rows,
        scope: ListScope::default(),
        taken_at: now() - jiff::SignedDuration::from_hours(24),
        total: Some(5),
        next: None,
    }
}

/// A dashboard that just started with five cached rows.
pub fn with_cached_rows() -> App {
    let mut app = started();
    app.update(Message::CachedRows(Some(cached_rows())), now());
    app
}

/// A dashboard with cached rows that just connected, and its first effects.
pub fn connected_with_cached_rows() -> (App, Vec<Effect>) {
    let mut app = with_cached_rows();
    let connected =
        Connected { name: "work".into(), host: "seo.example".into(), read_only: false, accent: None, directory: None };
    let effects = app.update(Message::Connected(Ok(connected)), now());
    (app, effects)
}

/// A dashboard with cached rows whose service is unreachable.
pub fn offline() -> App {
    let (mut app, effects) = connected_with_cached_rows();
    let mut unreachable = failure(FailureKind::Unreachable);
    unreachable.message = "Listing reports failed: the service cannot be reached".into();
    unreachable.advice = "Check the address and the network".into();
    app.update(Message::Reports(reports_request(&effects), Err(unreachable.clone())), now());
    app.update(Message::Projects(projects_request(&effects), Err(unreachable)), now());
    app
}

/// A page of rows.
pub fn page(rows: Vec<Report>, next: Option<u64>, total: u64) -> Page<Report> {
    let next = next.map_or(Next::End, |number| Next::Page(PageToken::Number(number)));
    Page { rows, unreadable: 0, next, total: Some(total), last_page: Some(total.div_ceil(100)), per_page: Some(100) }
}

/// Five rows of two projects.
pub fn five() -> Vec<Report> {
    vec![
        row(1, "https://shop.example/tea", 31),
        row(2, "https://shop.example/cart?step=2", 44),
        row(3, "https://blog.example/a-very-long-address/that-does-not-fit/into-any-column/of-a-narrow-terminal", 92),
        row(4, "https://shop.example/", 64),
        row(5, "https://blog.example/日本語/メニュー", 85),
    ]
}

/// A project with its counts.
pub fn project(name: &str, good: u64, decent: u64, bad: u64) -> Project {
    Project {
        name: Text::from_outside(name),
        created_at: Some(now()),
        reports: Some(good + decent + bad),
        good: Some(good),
        decent: Some(decent),
        bad: Some(bad),
        extra: serde_json::Map::new(),
    }
}

/// A page with two projects.
pub fn two_projects() -> Page<Project> {
    let rows = vec![project("shop.example", 0, 1, 2), project("blog.example", 2, 0, 0)];
    Page { rows, unreadable: 0, next: Next::End, total: Some(2), last_page: Some(1), per_page: Some(100) }
}

/// A dashboard with five rows and two projects.
pub fn loaded() -> App {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    app
}

/// A dashboard with the first report opened: checks of every outcome and an unknown field.
pub fn opened() -> App {
    let mut app = loaded();
    let effects = press(&mut app, "enter");
    let request = report_request(&effects);
    let mut whole = row(1, "https://shop.example/tea", 31);
    let mut extra = serde_json::Map::new();
    extra.insert("campaign".into(), "autumn".into());
    let former = |outcome, score, failed: &[&str]| ReportState {
        generated_at: Some(now() - jiff::SignedDuration::from_hours(26)),
        outcome,
        score: Some(score),
        failing: Some(failed.iter().map(|id| CheckId::from(*id)).collect()),
    };
    let history = vec![former(Outcome::Bad, 25, &["title", "csp"]), former(Outcome::Decent, 64, &["csp"])];
    whole.details = Some(Box::new(Details { checks: Some(checks()), history, extra }));
    app.update(Message::Report(request, Ok(whole)), now());
    app
}

fn checks() -> Vec<Check> {
    let check = |id: &str, outcome, importance, value: serde_json::Value, errors: &[&str]| Check {
        id: id.into(),
        category: Some("seo".into()),
        importance: Some(importance),
        outcome,
        value,
        errors: errors.iter().map(|error| Text::from_outside(*error)).collect(),
    };
    vec![
        check("language", CheckOutcome::Passed, Importance::Medium, "en".into(), &[]),
        check("title", CheckOutcome::Failed, Importance::High, 0.into(), &["the page has no title"]),
        check("hreflang", CheckOutcome::NotApplicable, Importance::Low, serde_json::Value::Null, &[]),
        check("description_length", CheckOutcome::Note, Importance::Note, 12.into(), &["12 characters"]),
        check("brand_new_check", CheckOutcome::Failed, Importance::Low, "?".into(), &["something new is wrong"]),
    ]
}

/// A list request that failed in this way.
pub fn failure(kind: FailureKind) -> Failure {
    Failure::new(kind, "Listing reports failed: the service reported an error (500)", "Try again in a moment")
}

/// Returns the action bound to a key in the current context, if any.
pub fn action_of(app: &App, key: &str) -> Option<Action> {
    KEYMAP.action(Key::parse(key).ok()?, app.context())
}

/// A dashboard with reports in this keyboard context.
pub fn in_context(context: Context) -> App {
    let mut app = opened();
    let script = match context {
        Context::Panes => "2",
        Context::FilterLine => "/",
        Context::FormText => "n",
        Context::FormChoice => "n tab",
        Context::Dialog => "2 D",
        Context::DialogText => "1 j D",
        Context::Menu => "s",
        Context::Help => "?",
        Context::Palette => ":",
        Context::PromptWithRows => "m",
        Context::History => "@",
        Context::Activity => "@ @",
        Context::Prompt => "K",
        Context::Run => "V t y",
        Context::Queue => "Q",
        Context::Changes => "L",
        Context::Columns => "C",
        Context::Overview => "0",
        Context::Causes => "w",
    };
    press(&mut app, script);
    assert_eq!(app.context(), context, "{script} leads to another context");
    app
}

/// Presses keys and returns their effects.
pub fn press(app: &mut App, script: &str) -> Vec<Effect> {
    press_at(app, script, now())
}

/// Presses keys at a given time and returns their effects.
pub fn press_at(app: &mut App, script: &str, at: Timestamp) -> Vec<Effect> {
    let mut effects = Vec::new();
    for name in script.split_whitespace() {
        let key = Key::parse(name).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        if let Some(input) = translate(&Event::Key(key.event()), app.context(), &KEYMAP) {
            effects.extend(app.update(Message::Input(input), at));
        }
    }
    effects
}

/// Returns the ids of the shown rows, in order.
pub fn shown(app: &App) -> Vec<String> {
    (0..app.reports.shown.len()).filter_map(|at| Some(app.reports.shown_row(at)?.id.raw().to_owned())).collect()
}

/// Returns the text of the notice, empty if there is none.
pub fn notice(app: &App) -> &str {
    app.ctx.notice.as_ref().map_or("", |(text, _)| text)
}

/// Adds two profiles to switch between.
pub fn add_profiles(app: &mut App) {
    let profile = |name: &str| ProfileChoice { name: Some(name.to_owned()), text: format!("{name} · {name}.example") };
    app.session.profiles = vec![profile("work"), profile("home")];
}

/// Returns the id of the row under the cursor.
pub fn cursor(app: &App) -> Option<String> {
    app.reports.current().map(|report| report.id.raw().to_owned())
}

/// Returns every key of the default bindings once, except those bound to one of these actions in any context; and one
/// editing key that has no binding.
pub fn keys_without(actions: &[Action]) -> Vec<&'static str> {
    let keys_of = |is_left_out: bool| -> BTreeSet<&'static str> {
        let bindings = BINDINGS.iter().filter(|binding| actions.contains(&binding.action) == is_left_out);
        bindings.flat_map(|binding| binding.keys).copied().collect()
    };
    keys_of(false).difference(&keys_of(true)).copied().chain(["backspace"]).collect()
}

/// Asserts that the cursor is on a shown row, and that every shown row is loaded.
#[track_caller]
pub fn assert_consistent(app: &App) {
    let shown = &app.reports.shown;
    assert!(shown.is_empty() || app.reports.at < shown.len());
    assert_eq!(app.reports.current().map(|row| row.id.clone()), app.reports.cursor.clone());
    assert!(shown.iter().all(|place| app.reports.listing.rows.get(*place).is_some()));
    assert!(app.projects.at <= app.projects.rows().len());
}

/// A row of a desk with this holder, who also set the state.
pub fn desk_row(id: &str, state: State, holder: &str, version: i64) -> DeskRow {
    let holder: Handle = holder.parse().unwrap();
    let baseline = five()[0].state();
    let set_by = DeskActor::Person(holder.clone());
    let report = ReportId::new(id);
    DeskRow { report, state, holder: Some(holder), baseline, reason: None, version, set_by, set_at: now() }
}
