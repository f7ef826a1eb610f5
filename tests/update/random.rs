//! Random use: whatever messages come, the state stays sound and nothing is written that nobody decided.

use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::{Connected, Edited, Message};
use reportdeck::app::session::state::ProfileChoice;
use reportdeck::domain::bulk::{BulkOperation, ItemReply};
use reportdeck::domain::failure::{FailureKind, LookupOutcome, WriteFailure};
use reportdeck::domain::report::{Report, ReportId};
use reportdeck::domain::triage::causes::filters;
use reportdeck::domain::triage::changes::comparison::{ComparisonRequest, ComparisonResult};
use reportdeck::domain::triage::changes::{ListScope, Snapshot, compare};
use reportdeck::input::Input;
use reportdeck::view::{self, Look};

use super::states::*;

/// One step of random use.
#[derive(Debug, Clone)]
enum Step {
    Key(&'static str),
    Paste(String),
    Click(u16, u16),
    /// Answers the oldest open request, well or badly, perhaps twice.
    Answer {
        well: bool,
        twice: bool,
    },
    Draw(u16, u16),
    Wait(i64),
}

pub(super) const KEYS: [&str; 80] = [
    "j",
    "k",
    "h",
    "l",
    "g",
    "G",
    "ctrl+d",
    "ctrl+u",
    "pgdn",
    "pgup",
    "tab",
    "shift+tab",
    "1",
    "2",
    "3",
    "enter",
    "esc",
    "p",
    "f",
    "/",
    "b",
    "=",
    "-",
    "s",
    "S",
    "r",
    "R",
    "n",
    "e",
    "t",
    "D",
    "delete",
    "Y",
    "o",
    "?",
    ":",
    "@",
    "K",
    "q",
    "y",
    "left",
    "right",
    "up",
    "down",
    "space",
    "ctrl+s",
    "ctrl+r",
    "ctrl+g",
    "ctrl+x",
    "backspace",
    "home",
    "end",
    "x",
    ".",
    "v",
    "V",
    "M",
    "m",
    "c",
    "w",
    "W",
    "]",
    "[",
    "u",
    "U",
    "O",
    "ctrl+y",
    "shift+down",
    "A",
    "L",
    "Q",
    "i",
    "C",
    "z",
    "J",
    "d",
    "T",
    "y",
    "Y",
    "ctrl+t",
];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => proptest::sample::select(&KEYS[..]).prop_map(Step::Key),
        1 => any::<String>().prop_map(Step::Paste),
        1 => (0_u16..100, 0_u16..40).prop_map(|(column, row)| Step::Click(column, row)),
        3 => (any::<bool>(), any::<bool>()).prop_map(|(well, twice)| Step::Answer { well, twice }),
        2 => (0_u16..100, 0_u16..40).prop_map(|(columns, rows)| Step::Draw(columns, rows)),
        1 => (0_i64..100).prop_map(Step::Wait),
    ]
}

/// The message that answers an effect.
pub(super) fn answer(effect: &Effect, well: bool) -> Option<Message> {
    let bad = || failure(FailureKind::Service);
    let unsure = || WriteFailure::Unsure { failure: bad(), found: LookupOutcome::Nothing };
    Some(match effect {
        Effect::ListReports { request, .. } => {
            Message::Reports(*request, if well { Ok(page(five(), None, 5)) } else { Err(bad()) })
        }
        Effect::ListProjects(request, ..) => {
            Message::Projects(*request, if well { Ok(two_projects()) } else { Err(bad()) })
        }
        Effect::ShowReport(request, id) => {
            let number = id.raw().parse().unwrap_or(1);
            let report = row(number, "https://shop.example/tea", 50);
            Message::Report(*request, if well { Ok(report) } else { Err(failure(FailureKind::NotFound)) })
        }
        Effect::Create(request, _) => {
            Message::Created(*request, if well { Ok(row(77, "https://new.example/", 81)) } else { Err(unsure()) })
        }
        Effect::Update(request, id, _) => Message::Updated(*request, if well { Ok(again(id)) } else { Err(unsure()) }),
        Effect::Edit(request, id, ..) => Message::Edited(*request, if well { Ok(edited(id)) } else { Err(unsure()) }),
        Effect::StoreRun(request, ..) => Message::RunStored(*request, if well { Ok(None) } else { Err(bad()) }),
        Effect::SendItem { request, id, operation, .. } => Message::BulkItem(*request, of_run(id, operation, well)),
        Effect::ReadItem(request, id) => Message::BulkItem(*request, ItemReply::Looked(Ok(again(id)))),
        Effect::DeleteReport(request, _) | Effect::DeleteProject(request, _) => {
            Message::Deleted(*request, if well { Ok(()) } else { Err(unsure()) })
        }
        Effect::Export(..) => Message::Notice(if well { Ok("5 reports in a file".to_owned()) } else { Err(bad()) }),
        Effect::ReadCachedRows(_) => Message::CachedRows(well.then(remembered)),
        Effect::GeneratePassword => Message::Password("generated".into()),
        Effect::FindCauses(request, rows, places) => Message::Causes(*request, filters::find_causes(rows, places)),
        Effect::Compare(request, wanted) => {
            Message::ComparisonResult(*request, if well { Ok(compared(wanted)) } else { Err(bad()) })
        }
        Effect::ShowChecks(request, id) => Message::Checks(*request, if well { Ok(again(id)) } else { Err(bad()) }),
        Effect::Connect(profile) => {
            let name = profile.clone().unwrap_or_default();
            let connected = Connected { name, host: String::new(), read_only: false, accent: None, directory: None };
            Message::Connected(if well { Ok(connected) } else { Err(failure(FailureKind::Unreachable)) })
        }
        Effect::Arrange(..)
        | Effect::Cancel(_)
        | Effect::UseKey(_)
        | Effect::CaptureMouse(_)
        | Effect::Stop
        | Effect::Copy(_)
        | Effect::CopyReportPage(_)
        | Effect::OpenWebPage(_)
        | Effect::OpenReportPage(_)
        | Effect::StoreColumns(_)
        | Effect::StoreDraft(_)
        | Effect::DeleteDraft(_)
        | Effect::ReadJournal
        | Effect::ReadStates
        | Effect::StoreStates(_)
        | Effect::UpdateStates(_)
        | Effect::StoreNote(..)
        | Effect::SaveView(_)
        | Effect::StoreRows(..)
        | Effect::StoreItem(..)
        | Effect::DeleteRun(_)
        | Effect::Quit => return None,
    })
}

/// A comparison with a list in which the first report was better, and one was there that is gone.
fn compared(wanted: &ComparisonRequest) -> ComparisonResult {
    let newer = Snapshot::take(wanted.rows.iter(), ListScope::default(), true, now());
    let mut before = five();
    before[0].score = Some(99);
    before.push(row(99, "https://shop.example/gone", 10));
    let older = Snapshot::take(before.iter(), ListScope::default(), true, now());
    let comparison = compare(&older, &newer, now(), wanted.untested_for);
    ComparisonResult { baseline: Some(now()), comparison, ..ComparisonResult::default() }
}

/// A report after it was audited again.
fn again(id: &ReportId) -> Report {
    row(id.raw().parse().unwrap_or(1), "https://shop.example/tea", 51)
}

/// Every other report is changed by somebody else while it is edited.
fn edited(id: &ReportId) -> Edited {
    let is_even = id.raw().parse().is_ok_and(|number: u32| number.is_multiple_of(2));
    if is_even { Edited::Changed(again(id)) } else { Edited::Saved(again(id)) }
}

/// The answer about one report of a run.
fn of_run(id: &ReportId, operation: &BulkOperation, well: bool) -> ItemReply {
    let limited = || WriteFailure::Refused(failure(FailureKind::RateLimited));
    match operation {
        BulkOperation::Delete => ItemReply::Deleted(if well { Ok(()) } else { Err(limited()) }),
        BulkOperation::Rerun | BulkOperation::Privacy { .. } => {
            ItemReply::Updated(if well { Ok(again(id)) } else { Err(limited()) })
        }
    }
}

pub(super) fn is_sound(app: &App) -> Result<(), TestCaseError> {
    let shown = &app.reports.shown;
    prop_assert!(shown.is_empty() || app.reports.at < shown.len());
    prop_assert_eq!(app.reports.current().map(|row| row.id.clone()), app.reports.cursor.clone());
    prop_assert!(shown.iter().all(|place| app.reports.listing.rows.get(*place).is_some()));
    prop_assert!(app.projects.at <= app.projects.rows().len());
    Ok(())
}

fn draw(app: &mut App, columns: u16, rows: u16) -> Result<(), TestCaseError> {
    let look = Look::default();
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let mut drawn = None;
    terminal.draw(|frame| drawn = Some(view::draw(frame, app, &look))).unwrap();
    let foreign = |text: &str| text.chars().any(|c| c.is_control() || reportdeck::domain::text::is_invisible(c));
    prop_assert!(!terminal.backend().buffer().content().iter().any(|cell| foreign(cell.symbol())));
    // The event loop draws a frame again only where its layout began requests.
    let now = app.ctx.now;
    if app.update(Message::FrameLayout(drawn.unwrap()), now).is_empty() {
        let first = terminal.backend().buffer().clone();
        terminal.draw(|frame| drop(view::draw(frame, app, &look))).unwrap();
        prop_assert_eq!(terminal.backend().buffer(), &first, "the frame is final");
    }
    Ok(())
}

/// A write that changes a report may only follow the keys that decide it.
pub(super) fn was_decided(effects: &[Effect], key: Option<&str>, clicked: bool) -> bool {
    effects.iter().all(|effect| match effect {
        Effect::Create(..) => clicked || matches!(key, Some("ctrl+s" | "enter" | "y")),
        Effect::Update(..) | Effect::Edit(..) => {
            clicked || matches!(key, Some("ctrl+s" | "enter" | "t" | "y" | "u" | "U"))
        }
        // A run goes on by itself once it was begun.
        Effect::StoreRun(..) => clicked || matches!(key, Some("enter" | "y" | "r")),
        Effect::DeleteReport(..) | Effect::DeleteProject(..) => clicked || matches!(key, Some("enter" | "y")),
        Effect::Export(..) => clicked || key == Some("enter"),
        Effect::Connect(_)
        | Effect::ListReports { .. }
        | Effect::ListProjects(..)
        | Effect::ShowReport(..)
        | Effect::ShowChecks(..)
        | Effect::Compare(..)
        | Effect::StoreColumns(_)
        | Effect::Arrange(..)
        | Effect::FindCauses(..)
        | Effect::Cancel(_)
        | Effect::UseKey(_)
        | Effect::CaptureMouse(_)
        | Effect::Stop
        | Effect::CopyReportPage(_)
        | Effect::Copy(_)
        | Effect::OpenWebPage(_)
        | Effect::OpenReportPage(_)
        | Effect::GeneratePassword
        | Effect::StoreDraft(_)
        | Effect::DeleteDraft(_)
        | Effect::ReadJournal
        | Effect::ReadStates
        | Effect::StoreStates(_)
        | Effect::UpdateStates(_)
        | Effect::StoreNote(..)
        | Effect::SaveView(_)
        | Effect::ReadCachedRows(_)
        | Effect::StoreRows(..)
        | Effect::SendItem { .. }
        | Effect::ReadItem(..)
        | Effect::StoreItem(..)
        | Effect::DeleteRun(_)
        | Effect::Quit => true,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn random_use_leaves_the_state_sound(steps in proptest::collection::vec(step(), 1..120)) {
        let (mut app, mut open) = connected();
        open.splice(0..0, app.start());
        let profile = |name: &str| ProfileChoice { name: Some(name.to_owned()), text: name.to_owned() };
        app.session.profiles = vec![profile("work"), profile("home")];
        let mut time = now();
        for step in steps {
            let (mut key, mut clicked) = (None, false);
            let effects = match step {
                Step::Key(name) => { key = Some(name); press_at(&mut app, name, time) }
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
                        if let Some(message) = answer(&effect, well) { effects.extend(app.update(message, time)); }
                    }
                    effects
                }
                Step::Answer { .. } => app.update(Message::Reports(RequestId(u64::MAX), Ok(page(Vec::new(), None, 0))), time),
                Step::Draw(columns, rows) => { draw(&mut app, columns, rows)?; Vec::new() }
                Step::Wait(seconds) => { time += jiff::SignedDuration::from_secs(seconds); app.update(Message::Tick, time) }
            };
            prop_assert!(was_decided(&effects, key, clicked), "{key:?} led to {effects:?}");
            open.extend(effects);
            is_sound(&app)?;
        }
    }
}
