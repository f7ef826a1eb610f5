//! Random use: after any messages the state is consistent, and nothing is written without a decision of the user.

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::frame_layout::Area;
use reportdeck::app::message::{Connected, DeskJoined, DeskMessage, Message, UpdateOutcome};
use reportdeck::domain::bulk::{BulkOperation, ItemReply};
use reportdeck::domain::desk::{DeskActor, DeskContent, DeskMe, DeskWrite, OutboxEntry, Role};
use reportdeck::domain::failure::{FailureKind, FieldError, LookupOutcome, WriteFailure};
use reportdeck::domain::list::filter::known_values::KnownValues;
use reportdeck::domain::list::paging::Page;
use reportdeck::domain::look::Density;
use reportdeck::domain::overview::Overview;
use reportdeck::domain::report::{Report, ReportId};
use reportdeck::domain::triage::State;
use reportdeck::domain::triage::causes::lines;
use reportdeck::domain::triage::changes::comparison::{ComparisonRequest, ComparisonResult};
use reportdeck::domain::triage::changes::{ListScope, Snapshot, compare};
use reportdeck::input::{Action, Context, Input};
use reportdeck::view::{self, Look, SMALLEST_HEIGHT, SMALLEST_WIDTH};

use crate::support::states::*;

/// One step of random use.
#[derive(Debug, Clone)]
enum Step {
    Key(&'static str),
    Paste(String),
    Click(u16, u16),
    /// Answers the oldest open request, successfully or not, and possibly twice.
    Answer {
        well: bool,
        twice: bool,
    },
    Draw(u16, u16, Density),
    Wait(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => proptest::sample::select(keys_without(&[])).prop_map(Step::Key),
        1 => any::<String>().prop_map(Step::Paste),
        1 => (0_u16..100, 0_u16..40).prop_map(|(column, row)| Step::Click(column, row)),
        3 => (any::<bool>(), any::<bool>()).prop_map(|(well, twice)| Step::Answer { well, twice }),
        2 => (0_u16..100, 0_u16..40, density()).prop_map(|(columns, rows, density)| Step::Draw(columns, rows, density)),
        1 => (0_i64..100).prop_map(Step::Wait),
    ]
}

fn density() -> impl Strategy<Value = Density> {
    proptest::sample::select(vec![Density::Compact, Density::Comfortable])
}

/// What a test expects of an effect: the actions that may cause it, and the message that answers it.
pub(super) struct Expected {
    /// `None` if it needs no decision of the user.
    decided_by: Option<&'static [Action]>,
    pub(super) answer: Option<Message>,
}

/// Actions that confirm a button, form or menu, and so send a write.
const CONFIRMING: &[Action] = &[Action::Submit, Action::Press, Action::Confirm, Action::Pick];
/// Further actions that change a single report.
const CHANGING: &[Action] =
    &[Action::Submit, Action::Press, Action::Confirm, Action::Pick, Action::RerunReport, Action::Undo, Action::Redo];
/// Further actions that start a bulk run.
const STARTING_A_RUN: &[Action] = &[Action::Press, Action::Confirm, Action::Pick, Action::RetryFailed];

/// Returns what is expected of an effect if the service succeeds, or fails.
pub(super) fn expected(effect: &Effect, well: bool) -> Expected {
    let bad = || failure(FailureKind::Service);
    let unsure = || WriteFailure::Unsure { failure: bad(), found: LookupOutcome::Nothing };
    let read = |answer: Message| Expected { decided_by: None, answer: Some(answer) };
    let decided = |actions, answer| Expected { decided_by: Some(actions), answer: Some(answer) };
    match effect {
        Effect::ListReports { request, .. } => {
            read(Message::Reports(*request, if well { Ok(listed(*request)) } else { Err(bad()) }))
        }
        Effect::ListProjects(request, ..) => {
            read(Message::Projects(*request, if well { Ok(two_projects()) } else { Err(bad()) }))
        }
        Effect::ShowReport(request, id) => {
            let number = id.raw().parse().unwrap_or(1);
            let report = row(number, "https://shop.example/tea", 50);
            read(Message::Report(*request, if well { Ok(report) } else { Err(failure(FailureKind::NotFound)) }))
        }
        Effect::Create(request, new) => {
            let failure = if new.url.len().is_multiple_of(2) { unsure() } else { rejected() };
            let created = if well { Ok(row(77, "https://new.example/", 81)) } else { Err(failure) };
            decided(CONFIRMING, Message::Created(*request, created))
        }
        Effect::Update(request, id, _, base) => {
            let updated = if well { Ok(updated(id, base.is_some())) } else { Err(unsure()) };
            decided(CHANGING, Message::Updated(*request, updated))
        }
        Effect::StoreRun(request, ..) => {
            decided(STARTING_A_RUN, Message::RunStored(*request, if well { Ok(None) } else { Err(bad()) }))
        }
        Effect::DeleteReport(request, _) | Effect::DeleteProject(request, _) => {
            decided(CONFIRMING, Message::Deleted(*request, if well { Ok(()) } else { Err(unsure()) }))
        }
        Effect::Export(..) => decided(
            &[Action::Pick],
            Message::Notice(if well { Ok("5 reports in a file".to_owned()) } else { Err(bad()) }),
        ),
        // A run continues by itself once started.
        Effect::SendItem(request, write) => {
            read(Message::BulkItem(*request, of_run(&write.id, &write.operation, well)))
        }
        Effect::ReadItem(request, id) => read(Message::BulkItem(*request, ItemReply::Looked(Ok(audited_again(id))))),
        Effect::ReadCachedRows(_) => read(Message::CachedRows(well.then(cached_rows))),
        Effect::GeneratePassword => read(Message::Password("generated".into())),
        Effect::FindCauses(request, rows, places) => {
            read(Message::Causes(*request, Box::new(lines::find_causes(rows, places))))
        }
        Effect::ReadLog(request) => read(Message::Log(*request, None)),
        Effect::ReadTimeline(request, _) => read(Message::Timeline(*request, None)),
        Effect::CountOverview(request, rows, project, context) => {
            read(Message::Overview(*request, Box::new(Overview::of(rows, project.as_ref(), context))))
        }
        Effect::CollectFilterValues(request, rows, projects) => {
            read(Message::FilterValues(*request, Box::new(KnownValues::collect(rows, projects))))
        }
        Effect::Compare(request, wanted) => {
            read(Message::ComparisonResult(*request, if well { Ok(Box::new(compared(wanted))) } else { Err(bad()) }))
        }
        Effect::ShowChecks(request, id) => {
            read(Message::Checks(*request, if well { Ok(audited_again(id)) } else { Err(bad()) }))
        }
        Effect::Connect(profile) => {
            let name = profile.clone().unwrap_or_default();
            let connected = Connected { name, host: String::new(), read_only: false, accent: None, directory: None };
            read(Message::Connected(if well { Ok(connected) } else { Err(failure(FailureKind::Unreachable)) }))
        }
        Effect::JoinDesk => read(Message::Desk(vec![if well { joined() } else { DeskMessage::Absent(None) }])),
        Effect::SendToDesk(entries) => {
            Expected { decided_by: None, answer: entries.first().map(|entry| of_desk(entry, well)) }
        }
        Effect::Arrange(..)
        | Effect::ForgetDecision(_)
        | Effect::SendPresence(..)
        | Effect::Cancel(_)
        | Effect::UseKey(_)
        | Effect::CaptureMouse(_)
        | Effect::Stop
        | Effect::Copy(_)
        | Effect::CopyPassword(_)
        | Effect::WriteMessage(..)
        | Effect::EditFile(_)
        | Effect::CopyReportPage(_)
        | Effect::OpenWebPage(_)
        | Effect::OpenReportPage(_)
        | Effect::StoreColumns(_)
        | Effect::StoreSeen(_)
        | Effect::StoreDraft(_)
        | Effect::DeleteDraft(_)
        | Effect::ReadJournal
        | Effect::ReadStates
        | Effect::ReadViews
        | Effect::StoreStates(..)
        | Effect::UpdateStates(..)
        | Effect::Log(_)
        | Effect::StoreNotes(_)
        | Effect::SaveView(_)
        | Effect::DeleteView(_)
        | Effect::RestoreView(_)
        | Effect::StoreRows(..)
        | Effect::StoreItem(..)
        | Effect::DeleteRun(_)
        | Effect::Quit => Expected { decided_by: None, answer: None },
    }
}

/// A list that fits the screen, or a longer one.
fn listed(request: RequestId) -> Page<Report> {
    let more = if request.0.is_multiple_of(3) { 100..160 } else { 0..0 };
    let more = more.map(|number| row(number, &format!("https://{number}.example/"), 40));
    let rows: Vec<Report> = five().into_iter().chain(more).collect();
    let count = rows.len() as u64;
    page(rows, None, count)
}

/// A rejection with many long errors.
fn rejected() -> WriteFailure {
    let mut failure = failure(FailureKind::Invalid);
    let texts = || vec!["No page of the web has this address. ".repeat(10); 12];
    failure.fields =
        ["url", "privacy", "template"].map(|field| FieldError { field: field.to_owned(), texts: texts() }).into();
    WriteFailure::Refused(failure)
}

/// A desk on which `ben` holds the first report.
fn joined() -> DeskMessage {
    let me = DeskMe {
        handle: Some("anna".parse().unwrap()),
        actor: DeskActor::Person("anna".parse().unwrap()),
        role: Role::Triage,
    };
    let mut content = DeskContent::default();
    content.put_row(desk_row(five()[0].id.raw(), State::Looking, "ben", 1));
    DeskMessage::Joined(Box::new(DeskJoined {
        me,
        people: Vec::new(),
        content,
        outbox: Vec::new(),
        seed: [7; 16],
        read_at: now(),
        is_reached: true,
        is_own: false,
    }))
}

/// The desk's reply to a decision: written, or in conflict.
fn of_desk(entry: &OutboxEntry, well: bool) -> Message {
    let (change, id) = (entry.write.change(), entry.write.report());
    Message::Desk(vec![match &entry.write {
        DeskWrite::Row { write, .. } if well => {
            DeskMessage::Written(change, Box::new(desk_row(id.raw(), write.state, "ben", 2)))
        }
        DeskWrite::Row { .. } => {
            DeskMessage::Conflict(change, Some(Box::new(desk_row(id.raw(), State::Waiting, "ben", 3))))
        }
        DeskWrite::Note { .. } | DeskWrite::Withdrawal { .. } if well => {
            DeskMessage::SetAside(change, failure(FailureKind::Unreadable))
        }
        DeskWrite::Note { .. } | DeskWrite::Withdrawal { .. } => {
            DeskMessage::Refused(change, failure(FailureKind::Service))
        }
    }])
}

/// A comparison with a list in which the first report was better, and which had a report that is now missing.
fn compared(wanted: &ComparisonRequest) -> ComparisonResult {
    let newer = Snapshot::take(wanted.rows.iter(), ListScope::default(), true, now());
    let mut before = five();
    before[0].score = Some(99);
    before.push(row(99, "https://shop.example/gone", 10));
    let older = Snapshot::take(before.iter(), ListScope::default(), true, now());
    let comparison = compare(&older, &newer, now(), wanted.untested_for);
    ComparisonResult { baseline: Some(now()), comparison, ..ComparisonResult::default() }
}

/// A report after another audit.
fn audited_again(id: &ReportId) -> Report {
    row(id.raw().parse().unwrap_or(1), "https://shop.example/tea", 51)
}

/// Every other report is changed by somebody else while it is edited.
fn updated(id: &ReportId, is_compared: bool) -> UpdateOutcome {
    let is_even = id.raw().parse().is_ok_and(|number: u32| number.is_multiple_of(2));
    if is_compared && is_even {
        UpdateOutcome::Changed(audited_again(id))
    } else {
        UpdateOutcome::Saved(audited_again(id))
    }
}

/// The reply about one report of a run.
fn of_run(id: &ReportId, operation: &BulkOperation, well: bool) -> ItemReply {
    let limited = || WriteFailure::Refused(failure(FailureKind::RateLimited));
    match operation {
        BulkOperation::Delete => ItemReply::Deleted(if well { Ok(()) } else { Err(limited()) }),
        BulkOperation::Rerun | BulkOperation::Privacy { .. } => {
            ItemReply::Updated(if well { Ok(audited_again(id)) } else { Err(limited()) })
        }
    }
}

fn draw(app: &mut App, (columns, rows): (u16, u16), density: Density) -> Result<(), TestCaseError> {
    let look = Look { density, ..Look::default() };
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let mut drawn = None;
    terminal.draw(|frame| drawn = Some(view::draw(frame, app, &look))).unwrap();
    assert_frame_is_whole(terminal.backend().buffer());
    if app.overlays.len() == 1 {
        assert_boxes_are_whole(terminal.backend().buffer());
    }
    let foreign = |text: &str| text.chars().any(|c| c.is_control() || reportdeck::domain::text::is_invisible(c));
    prop_assert!(!terminal.backend().buffer().content().iter().any(|cell| foreign(cell.symbol())));
    let outside = |place: &Area| place.column + place.width > columns || place.row + place.height > rows;
    let targets = &drawn.as_ref().unwrap().hit_targets;
    prop_assert!(!targets.iter().any(|(place, _)| outside(place)), "{targets:?} in {columns}x{rows}");
    // The event loop redraws a frame only if its layout caused requests.
    let now = app.ctx.now;
    if app.update(Message::FrameLayout(drawn.unwrap()), now).is_empty() {
        let first = terminal.backend().buffer().clone();
        terminal.draw(|frame| drop(view::draw(frame, app, &look))).unwrap();
        prop_assert_eq!(terminal.backend().buffer(), &first, "redrawing changes nothing");
    }
    Ok(())
}

/// Asserts that nothing is drawn over the frame of the screen and of the footer.
pub(super) fn assert_frame_is_whole(screen: &Buffer) {
    let area = *screen.area();
    if area.width < SMALLEST_WIDTH || area.height < SMALLEST_HEIGHT {
        return;
    }
    let is_frame = |column, row| "┌┐└┘├┤┬┴┼─│┃".contains(screen[(column, row)].symbol());
    let sides = area.rows().flat_map(|row| [(0, row.y), (area.right() - 1, row.y)]);
    let broken =
        sides.chain((0..area.width).map(|column| (column, area.bottom() - 1))).find(|at| !is_frame(at.0, at.1));
    assert_eq!(broken, None, "nothing is drawn over the frame: {screen:#?}");
    // An error above the status line has the divider above it.
    let left = |row| screen[(0, row)].symbol();
    let is_error = left(area.bottom() - 3) == "│";
    assert!(!is_error || area.rows().any(|row| left(row.y) == "├"), "half of an error is covered: {screen:#?}");
}

/// Asserts that nothing is drawn over the sides of a box inside the screen.
fn assert_boxes_are_whole(screen: &Buffer) {
    let symbol = |column, row| screen[(column, row)].symbol();
    let area = *screen.area();
    for corner in area.positions().filter(|at| at.y > 0 && symbol(at.x, at.y) == "┌") {
        let right = (corner.x..area.right()).find(|column| symbol(*column, corner.y) == "┐");
        let right = right.unwrap_or_else(|| panic!("no right corner: {screen:#?}"));
        for side in [corner.x, right] {
            let end = (corner.y + 1..area.bottom()).find(|row| !"│┃├┤".contains(symbol(side, *row)));
            let end = end.map(|row| symbol(side, row));
            assert_eq!(end, Some(if side == right { "┘" } else { "└" }), "a side is broken: {screen:#?}");
        }
    }
}

/// Asserts that writes and files follow only a click or an action that decides them.
#[track_caller]
pub(super) fn assert_decided(effects: &[Effect], action: Option<Action>, clicked: bool) {
    for effect in effects {
        let is_decided = expected(effect, true)
            .decided_by
            .is_none_or(|actions| clicked || action.is_some_and(|action| actions.contains(&action)));
        assert!(is_decided, "{action:?} caused {effect:?}");
    }
}

/// Asserts that Esc leads back to the panes from everywhere.
fn assert_leads_out(app: &mut App, open: &mut Vec<Effect>, time: Timestamp) {
    for _ in 0..12 {
        open.extend(press_at(app, "esc", time));
    }
    assert!(app.overlays.is_empty(), "{:?} is still open", app.overlays);
    assert!(matches!(app.context(), Context::Panes | Context::Overview), "{:?}", app.context());
}

/// Asserts that nothing remains under way once all requests were answered successfully.
fn assert_settles(app: &mut App, mut open: Vec<Effect>, mut time: Timestamp) {
    for _ in 0..600 {
        if open.is_empty() {
            time += SignedDuration::from_secs(10);
            open = app.update(Message::Tick, time);
        }
        if !open.is_empty() {
            let answer = expected(&open.remove(0), true).answer;
            open.extend(answer.map(|message| app.update(message, time)).into_iter().flatten());
        }
    }
    // The last answer may have caused one more request.
    let open: Vec<_> = open.iter().filter(|effect| expected(effect, true).answer.is_some()).collect();
    assert!(open.len() < 2, "{open:?}");
    assert!(app.jobs.writes.is_empty(), "{:?}", app.jobs.writes);
    assert_eq!((app.pending_text(), app.creation_text(), app.checks_text()), (None, None, None));
    assert!(
        !app.reports.loading_text(&app.ctx, true).starts_with("loading"),
        "{:?}",
        app.reports.loading_text(&app.ctx, true)
    );
}

/// A dashboard that just started, with two profiles to switch between, and its open requests.
pub(super) fn started_with_profiles() -> (App, Vec<Effect>) {
    let (mut app, mut open) = connected();
    open.splice(0..0, app.start());
    add_profiles(&mut app);
    (app, open)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn random_use_keeps_the_state_consistent(steps in proptest::collection::vec(step(), 1..120)) {
        let (mut app, mut open) = started_with_profiles();
        let mut time = now();
        for step in steps {
            let (mut action, mut clicked) = (None, false);
            let effects = match step {
                Step::Key(name) => { action = action_of(&app, name); press_at(&mut app, name, time) }
                Step::Paste(text) => app.update(Message::Input(Input::Paste(text)), time),
                Step::Click(column, row) => {
                    clicked = true;
                    let kind = reportdeck::input::MouseKind::Click;
                    app.update(Message::Input(Input::Mouse(reportdeck::input::Mouse { kind, column, row })), time)
                }
                Step::Answer { well, twice } if !open.is_empty() => {
                    let effect = open.remove(0);
                    let mut effects = Vec::new();
                    for _ in 0..=u8::from(twice) {
                        if let Some(message) = expected(&effect, well).answer { effects.extend(app.update(message, time)); }
                    }
                    effects
                }
                Step::Answer { .. } => app.update(Message::Reports(RequestId(u64::MAX), Ok(page(Vec::new(), None, 0))), time),
                Step::Draw(columns, rows, density) => { draw(&mut app, (columns, rows), density)?; Vec::new() }
                Step::Wait(seconds) => { time += SignedDuration::from_secs(seconds); app.update(Message::Tick, time) }
            };
            assert_decided(&effects, action, clicked);
            open.extend(effects);
            assert_consistent(&app);
        }
        assert_leads_out(&mut app, &mut open, time);
        assert_settles(&mut app, open, time);
    }
}
