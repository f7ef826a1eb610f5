//! `desk`: handover, log and live events of the desk, merging services, and importing this machine's states.

use std::collections::HashSet;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::api::client::{Client, Priority};
use crate::api::decode::RowDetail;
use crate::api::desk::{ChangesRequest, RowWriteFailure};
use crate::api::desk_entry::has_refused;
use crate::cli::args::DeskCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::{self, CommandError, FailedItem, print_note};
use crate::cli::output::paged_list::{self, ListReading};
use crate::cli::output::record::Record;
use crate::cli::output::{Shape, column};
use crate::cli::setup::access::{LONGEST_WAIT, Purpose, with_rate_limit_waits};
use crate::cli::setup::desk::{TeamDesk, change_id, no_desk};
use crate::cli::setup::interrupt::Interrupt;
use crate::cli::setup::local_journal::LocalJournal;
use crate::domain::desk::handover::{HandoverLine, handover};
use crate::domain::desk::{DeskEvent, DeskNews, DeskService, EventDetail, NoteWrite, RowPrecondition, RowWrite};
use crate::domain::export::json::time;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::list::query::{ReportQuery, ResultFilter};
use crate::domain::report::outcome::Outcome;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;
use crate::domain::text::numbers::counted;
use crate::domain::triage::Triage;

/// How long one request of `watch` waits for an event.
const WAIT: Duration = Duration::from_secs(45);
/// The pause before `watch` retries after a failure.
const PAUSE: Duration = Duration::from_secs(5);

/// Runs a `desk` command.
pub async fn run(context: &CommandContext<'_>, command: DeskCommand) -> Result<(), CommandError> {
    let is_write = matches!(command, DeskCommand::Services { merge: Some(_) } | DeskCommand::Import);
    let desk = TeamDesk::open(context, if is_write { Purpose::Write } else { Purpose::Read }).await?;
    match command {
        DeskCommand::Handover { since } => hand_over(context, &desk, since).await,
        DeskCommand::Watch { mine } => watch(context, &desk, mine).await,
        DeskCommand::Log { since } => log(context, &desk, since).await,
        DeskCommand::Services { merge } => services(context, &desk, merge.as_deref()).await,
        DeskCommand::Import => import(context, &desk).await,
    }
}

async fn hand_over(context: &CommandContext<'_>, desk: &TeamDesk, shift: SignedDuration) -> Result<(), CommandError> {
    let now = Timestamp::now();
    let client = desk.clients.service.as_ref().unwrap_or(&desk.clients.desk);
    let (reports, mut completeness) = bad_reports(client).await?;
    let content = desk.content().await?;
    let events = desk.events(now.saturating_sub(shift).unwrap_or(Timestamp::MIN)).await?;
    let mut lines = handover(&reports, &content, &events, (now, shift));
    for line in lines.iter_mut().filter(|line| line.url.is_empty()) {
        // No longer bad, or deleted since.
        match with_rate_limit_waits(async || client.show_report(&line.report).await).await {
            Ok(report) => report.url.raw().clone_into(&mut line.url),
            Err(failure) if failure.kind == FailureKind::NotFound => {}
            Err(failure) => return Err(failure.into()),
        }
    }
    if let Err(CommandError::Incomplete { printed, .. }) = &mut completeness {
        *printed = lines.len();
        if lines.is_empty() {
            return completeness;
        }
    }
    context.print_list(column::HANDOVER, lines.iter().map(Record::handover), "reports to hand over")?;
    completeness
}

/// Returns the bad reports of a service, and whether any are missing.
async fn bad_reports(client: &Client) -> Result<(Vec<Report>, Result<(), CommandError>), CommandError> {
    let query = ReportQuery { result: Some(ResultFilter::Bad), per_page: Some(100), ..ReportQuery::default() };
    let reading = ListReading {
        id: |report: &Report| report.id.raw(),
        rows: "reports",
        // Not every service filters by result.
        keeps: &|report| report.outcome == Outcome::Bad,
        is_narrowed: true,
        is_order_fixed: true,
        is_printed: false,
    };
    paged_list::read_all(&reading, async |token| {
        client.list_reports(&query, token, RowDetail::Row, Priority::Person).await
    })
    .await
}

async fn log(context: &CommandContext<'_>, desk: &TeamDesk, since: SignedDuration) -> Result<(), CommandError> {
    let since = Timestamp::now().saturating_sub(since).unwrap_or(Timestamp::MIN);
    let events = desk.events(since).await?;
    Ok(context.print_list(column::DESK_EVENT, events.iter().map(Record::desk_event), "events on the desk")?)
}

/// Prints events until interrupted. An unreachable desk is reported once and retried.
async fn watch(context: &CommandContext<'_>, desk: &TeamDesk, mine: bool) -> Result<(), CommandError> {
    if mine && desk.me.is_none() {
        let message = "this key belongs to no person, so no event concerns it";
        return Err(CommandError::usage(message, "Leave --mine out, or use a personal key"));
    }
    let mut interrupt = Interrupt::new()?;
    // The rows of a table would be printed at the end.
    let mut printer = context.printer(Shape::Details, column::DESK_EVENT);
    let (mut service, mut after) = (desk.service, desk.position);
    let mut is_reached = true;
    loop {
        let request = ChangesRequest { service: Some(service), after, wait: WAIT, presence: None };
        let answer = tokio::select! {
            answer = desk.clients.desk.desk_changes(&request) => answer,
            () = interrupt.wait() => break,
        };
        let pause = match answer {
            Ok(part) => {
                is_reached = true;
                after = part.position;
                if part.reset {
                    print_note(
                        "note: the desk's log does not continue from the last event: it was restored from a backup or \
                         shortened, so events may be missing here",
                    );
                }
                for event in &part.events {
                    if let EventDetail::Merged { from, into } = event.detail
                        && from == service
                    {
                        service = into;
                    }
                    let concerns = |me| DeskNews::of(event, me).is_some();
                    if !mine || desk.me.as_ref().is_some_and(concerns) {
                        printer.record(&Record::desk_event(event))?;
                    }
                }
                printer.flush()?;
                // A desk without a free place to wait says when to ask again.
                Duration::from_secs(part.pause)
            }
            Err(failure) if failure.kind == FailureKind::NotFound || has_refused(&failure, true) => {
                return Err(failure.into());
            }
            Err(failure) => {
                if std::mem::take(&mut is_reached) {
                    print_note(&format!("note: {failure}; retrying"));
                }
                failure.retry_after.unwrap_or(PAUSE).min(LONGEST_WAIT)
            }
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = interrupt.wait() => break,
        }
    }
    Ok(printer.finish()?)
}

/// Prints the desk's services, after merging two of them if requested.
async fn services(context: &CommandContext<'_>, desk: &TeamDesk, merge: Option<&[i64]>) -> Result<(), CommandError> {
    let client = &desk.clients.desk;
    if let Some([from, into]) = merge {
        let change = change_id()?;
        with_rate_limit_waits(async || client.merge_desk_services(*from, *into, change).await).await?;
    }
    let overview = with_rate_limit_waits(async || client.desk().await).await?;
    let overview = overview.ok_or_else(|| no_desk(client.base().as_str()))?;
    let records = overview
        .services
        .into_iter()
        .map(|DeskService { id, label, base, .. }| Record::new(json!({ "id": id, "label": label, "base_url": base })));
    Ok(context.print_list(column::DESK_SERVICE, records, "services")?)
}

/// Writes this machine's states and notes to the desk, except for states of reports that already have one there. A
/// write that is refused, that fails with 500, or whose response cannot be read, does not keep the others from being
/// written. What was written is printed although another failure ends the import.
async fn import(context: &CommandContext<'_>, desk: &TeamDesk) -> Result<(), CommandError> {
    let journal = LocalJournal::open(context)?;
    let (own_states, own_notes) = (journal.states()?, journal.notes()?);
    let content = desk.content().await?;
    let (mut states, mut notes, mut kept) = (0_u64, 0_u64, 0_u64);
    let of = own_states.len() + own_notes.iter().count();
    let mut failures = Vec::new();
    let mut add_failure = |report: &ReportId, failure: Failure| {
        let is_of_this_write =
            matches!(failure.kind, FailureKind::Invalid | FailureKind::Unreadable | FailureKind::TooLarge)
                || failure.status == Some(500);
        if !is_of_this_write {
            // The following writes would fail in the same way.
            return Err(failure);
        }
        // A single failure is printed at the end.
        if of > 1 {
            exit::notify_failure(&format!("{}: ", report.shown()), &failure);
        }
        failures.push(FailedItem { item: report.raw().to_owned(), failure });
        Ok(())
    };
    let ended: Result<(), Failure> = async {
        for (report, triage) in own_states.iter() {
            if content.rows.contains_key(report) {
                kept += 1;
                continue;
            }
            let write = row_of(triage)?;
            let expected = RowPrecondition::Absent;
            let written = async || match desk.clients.desk.write_desk_row(desk.service, report, expected, &write).await
            {
                Ok(_) => Ok(true),
                Err(RowWriteFailure::Conflict(_)) => Ok(false),
                Err(RowWriteFailure::Failed(failure)) => Err(failure),
            };
            match with_rate_limit_waits(written).await {
                Ok(true) => states += 1,
                Ok(false) => kept += 1,
                Err(failure) => add_failure(report, failure)?,
            }
        }
        let present: HashSet<_> = content.notes.values().map(|note| (&note.report, note.text.raw())).collect();
        for (report, note) in own_notes.iter().filter(|(report, note)| !present.contains(&(*report, note.text.raw()))) {
            let write = NoteWrite { change: change_id()?, text: note.text.clone(), decided_at: Some(note.written_at) };
            let written = async || desk.clients.desk.write_desk_note(desk.service, report, &write).await;
            match with_rate_limit_waits(written).await {
                Ok(_) => notes += 1,
                Err(failure) => add_failure(report, failure)?,
            }
        }
        Ok(())
    }
    .await;
    let (brought, texts) = (counted(states, "state"), counted(notes, "note"));
    print_note(&format!("note: {brought} and {texts} uploaded to the desk; {} already there", counted(kept, "state")));
    ended?;
    CommandError::of_many(failures, Vec::new(), of)
}

/// Returns the write of a local state, which has no holder.
fn row_of(triage: &Triage) -> Result<RowWrite, Failure> {
    Ok(RowWrite {
        change: change_id()?,
        state: triage.state,
        holder: None,
        baseline: triage.baseline.clone(),
        reason: triage.reason.as_deref().map(Text::from_outside),
        cause: None,
        decided_at: Some(triage.set_at),
    })
}

impl Record {
    /// Creates the record of a desk event.
    fn desk_event(event: &DeskEvent) -> Self {
        let mut json = serde_json::to_value(event).unwrap_or_else(|_| json!({}));
        // As in lists of reports, so that the events of reports can be piped into commands on reports.
        json["id"] = json["report"].clone();
        let (kind, before, after) = event.words();
        let cells = [("person", &*event.person.shown()), ("kind", kind), ("before", &before), ("after", &after)];
        Self::new(json).with_cells(cells.map(|(column, text)| (column, text.to_owned())))
    }

    /// Creates the record of a line of a handover.
    fn handover(line: &HandoverLine) -> Self {
        Self::new(json!({
            "part": line.part.name(),
            "id": line.report.raw(),
            "url": line.url,
            "state": line.state.name(),
            "person": line.person,
            "at": time(line.at),
            "note": line.note,
        }))
    }
}
