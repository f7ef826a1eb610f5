//! `reports state` and `reports note`: states and notes from the desk, or else from this machine's journal, as in the
//! dashboard.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use crate::api::client::Client;
use crate::cli::bulk::{self, BulkCommand, ResultOrder};
use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::input::operands;
use crate::cli::output::record::Record;
use crate::cli::output::{Shape, column, note_empty_list};
use crate::cli::setup::access::{Access, Purpose};
use crate::cli::setup::desk::{HeldState, StateSource, TeamDesk, change_id, shown};
use crate::cli::setup::local_journal::LocalJournal;
use crate::cli::setup::write_log::WriteLog;
use crate::domain::desk::NoteWrite;
use crate::domain::event_log::LogEntry;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::{Report, ReportId};
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::shell_word;
use crate::domain::triage::{LONGEST_NOTE, Note, NoteChange, State, StateKind, Triage};

/// The default snooze time: a week.
const SNOOZE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Prints the states of these or all reports, or sets one.
pub(super) async fn state(
    context: &CommandContext<'_>,
    ids: &[String],
    set: Option<StateKind>,
    snooze: Option<SignedDuration>,
) -> Result<(), CommandError> {
    if snooze.is_some() && set != Some(StateKind::Snoozed) {
        return Err(CommandError::usage("--for requires --set snoozed", "Leave it out"));
    }
    if let (None, [_, .., last]) = (set, ids)
        && last.parse::<StateKind>().is_ok()
    {
        return Err(CommandError::usage(format!("{last} is a state"), format!("Set it with --set {last}")));
    }
    let Some(kind) = set else {
        let source = StateSource::find(context, Purpose::Read).await?;
        let states: Vec<HeldState> = if let StateSource::Desk(desk) = &source {
            desk.held_states().await?
        } else {
            let states = LocalJournal::open(context)?.states()?;
            states.iter().map(|(id, triage)| (id.clone(), triage.clone(), None)).collect()
        };
        let mut found: Vec<(&ReportId, &HeldState)> = states.iter().map(|held| (&held.0, held)).collect();
        found.sort_by_key(|(id, (_, triage, _))| (triage.set_at, id.raw()));
        let advice = (column::STATE, "states", "--set STATE sets one");
        return print((context, source), ids, advice, &found, |id, (_, triage, holder)| {
            Record::state(id, triage, holder.as_ref())
        });
    };
    let now = Timestamp::now();
    let until = now.saturating_add(snooze.unwrap_or(SNOOZE)).unwrap_or(Timestamp::MAX);
    let state = State::of(kind, Some(until)).unwrap_or(State::New);
    let decision = |report: &Report| Triage::set(state, report, now);
    let entry = |report: &Report, former: Option<&Triage>, triage: &Triage| {
        LogEntry::of_state(report, former, Some(triage).filter(|triage| !triage.is_plain()), now)
    };
    if let Some(desk) = TeamDesk::of_person(context, Purpose::Write).await? {
        let log = WriteLog::open(context);
        return for_each(context, ids, column::STATE, async |report| {
            let triage = decision(report);
            let (former, row) = desk.set_state(&report.id, &triage).await?;
            let former = former.map(|row| row.triage().expire(now));
            log.record([entry(report, former.as_ref(), &triage)]);
            Ok(Record::state(&report.id, &row.triage(), row.holder.as_ref()))
        })
        .await;
    }
    let journal = LocalJournal::open(context)?;
    let states = journal.states()?;
    for_each(context, ids, column::STATE, async |report| {
        let triage = decision(report);
        journal.set_state(&report.id, &triage, entry(report, states.get(&report.id), &triage))?;
        Ok(Record::state(&report.id, &triage, None))
    })
    .await
}

/// Prints the notes about these or all reports, or adds one.
pub(super) async fn note(context: &CommandContext<'_>, ids: &[String], add: Option<&str>) -> Result<(), CommandError> {
    let Some(text) = add else {
        let source = StateSource::find(context, Purpose::Read).await?;
        let notes = match &source {
            StateSource::Desk(desk) => desk.notes().await?,
            StateSource::Local | StateSource::Unknown(_) => LocalJournal::open(context)?.notes()?,
        };
        let mut found: Vec<(&ReportId, &Note)> = notes.iter().collect();
        found.sort_by_key(|(id, note)| (note.written_at, id.raw()));
        let advice = (column::NOTE, "notes", "--add TEXT adds one");
        return print((context, source), ids, advice, &found, |id, note| Record::note(id, note));
    };
    let length = text.trim().chars().count();
    if length > LONGEST_NOTE {
        let (given, most) = (counted(length as u64, "character"), grouped(LONGEST_NOTE as u64));
        let message = format!("the note has {given}, and a note has at most {most}");
        return Err(CommandError::usage(message, "Shorten it, or add several notes"));
    }
    let now = Timestamp::now();
    let Some(note) = Note::new(text, now) else {
        return Err(CommandError::usage("the note is empty", "Give the note a text"));
    };
    if let Some(desk) = TeamDesk::of_person(context, Purpose::Write).await? {
        // A note that is sent again has the same id: after a 503, the desk may have stored it.
        let changes = RefCell::new(HashMap::new());
        return for_each(context, ids, column::NOTE, async |report| {
            let change = *changes.borrow_mut().entry(report.id.clone()).or_insert(change_id()?);
            let write = NoteWrite { change, text: note.text.clone(), decided_at: None };
            let written = desk.clients.desk.write_desk_note(desk.service, &report.id, &write).await;
            let written = written.map_err(|failure| with_note_advice(failure, &report.id))?;
            Ok(Record::note(&report.id, &shown(&written)))
        })
        .await;
    }
    let journal = LocalJournal::open(context)?;
    let notes = journal.notes()?;
    for_each(context, ids, column::NOTE, async |report| {
        let written_at = notes.next_time(&report.id, now);
        let note = Note { written_at, ..note.clone() };
        let change = NoteChange { report: report.id.clone(), written_at, note: Some(note.clone()) };
        journal.add_note(change)?;
        Ok(Record::note(&report.id, &note))
    })
    .await
}

/// Advises against adding a note again without a look, if its response was lost: it may be stored.
fn with_note_advice(failure: Failure, id: &ReportId) -> Failure {
    match failure.kind {
        FailureKind::Service
        | FailureKind::Unreadable
        | FailureKind::TooLarge
        | FailureKind::Unreachable
        | FailureKind::TimedOut => {
            let shows = format!("`reportdeck reports note {}` shows it", shell_word(id.shown()));
            let advice = format!("Whether the note was stored is unknown. {shows}: look before you add it again");
            Failure { advice, ..failure }
        }
        FailureKind::Unauthorised
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::WrongAddress
        | FailureKind::Invalid
        | FailureKind::RateLimited
        | FailureKind::Local => failure,
    }
}

/// Fetches each report from the service, which also checks that it exists, and applies `change` to it: a write to the
/// desk or this machine, not to the service.
async fn for_each(
    context: &CommandContext<'_>,
    ids: &[String],
    columns: &'static [column::TableColumn],
    change: impl AsyncFn(&Report) -> Result<Record, Failure>,
) -> Result<(), CommandError> {
    let ids = operands::distinct_ids(ids)?;
    let command = BulkCommand::write("storing", ResultOrder::from(context.format()));
    let access = Access::choose(context, Purpose::Read)?;
    let changed = async |client: &Client, id: &str| change(&client.show_report(&ReportId::new(id)).await?).await;
    bulk::perform_on_service(access, command, &ids, context.printer(Shape::Many, columns), async |client, id| {
        changed(client, id).await.into()
    })
    .await
}

/// Prints what is known about the reports that the operands name, or about all reports without operands. Fails if
/// there may be more.
fn print<Known>(
    (context, source): (&CommandContext<'_>, StateSource),
    operands: &[String],
    (columns, rows, advice): (&'static [column::TableColumn], &str, &str),
    known: &[(&ReportId, Known)],
    record: impl Fn(&ReportId, &Known) -> Record,
) -> Result<(), CommandError> {
    let named = operands::distinct_ids(operands)?;
    let named: HashSet<&str> = named.iter().map(String::as_str).collect();
    let mut printer = context.printer(Shape::Many, columns);
    let mut printed = HashSet::new();
    for (id, known) in known.iter().filter(|(id, _)| operands.is_empty() || named.contains(id.raw())) {
        printer.record(&record(id, known))?;
        printed.insert(id.raw());
    }
    source.finish(&mut printer)?;
    if operands.is_empty() && printed.is_empty() {
        note_empty_list(rows);
    }
    if printed.len() < named.len() {
        let without = named.len() - printed.len();
        print_note(&format!("note: no {rows} for {without} of {} ids; {advice}", named.len()));
    }
    Ok(())
}
