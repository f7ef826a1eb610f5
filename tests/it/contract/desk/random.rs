//! Three clients of one desk with lost responses, repeated and delayed requests, and lagging readers. In the end the
//! rows match the log, every write has been applied once, and every reader has seen every event once.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use reportdeck::api::client::Client as ApiClient;
use reportdeck::api::desk::{ChangesRequest, RowWriteFailure};
use reportdeck::domain::desk::{
    ChangeId, DeskContent, DeskNote, DeskRow, LogPosition, NoteWrite, Role, RowPrecondition, RowWrite,
};
use reportdeck::domain::report::ReportId;
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::State;

use crate::support::desk_team::{change, member, note, row};
use crate::support::embedded_service::Running;

const PEOPLE: [&str; 3] = ["anna", "ben", "carla"];
const STATES: [State; 5] = [State::New, State::Looking, State::Waiting, State::WontFix, State::Done];

/// An action of a client.
#[derive(Debug, Clone)]
enum Step {
    /// Writes a row based on the version in its copy, or on another one.
    Row {
        state: usize,
        holder: Option<usize>,
        cause: Option<u8>,
        is_wrong: bool,
    },
    Note,
    /// Withdraws the first note in its copy.
    Withdraw,
    /// Reads new events.
    Read,
}

/// What the network does to a request.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Once,
    /// The request arrives twice in a row.
    Twice,
    /// The request arrives, and again after everything else.
    Again,
    /// The request arrives only after everything else.
    Late,
}

fn step() -> impl Strategy<Value = (usize, u8, Step, Fate)> {
    let write = (
        0..STATES.len(),
        prop::option::of(0..3_usize),
        prop::option::weighted(0.3, 0..2_u8),
        prop::bool::weighted(0.2),
    );
    let step = prop_oneof![
        6 => write.prop_map(|(state, holder, cause, is_wrong)| Step::Row { state, holder, cause, is_wrong }),
        2 => Just(Step::Note),
        1 => Just(Step::Withdraw),
        4 => Just(Step::Read),
    ];
    let fate =
        prop_oneof![4 => Just(Fate::Once), 2 => Just(Fate::Twice), 1 => Just(Fate::Again), 1 => Just(Fate::Late)];
    (0..3_usize, 1..3_u8, step, fate)
}

/// A prepared request: the same bytes each time it is sent.
#[derive(Debug, Clone)]
enum Sent {
    Row(usize, ReportId, RowPrecondition, Box<RowWrite>),
    Note(usize, ReportId, NoteWrite),
    Withdraw(usize, ReportId, i64, ChangeId),
}

/// The outcome of a request.
#[derive(Debug, Clone, PartialEq)]
enum Outcome {
    Row(DeskRow),
    Conflict,
    Note(DeskNote),
    Refused(u16),
}

/// A client with its copy of the desk.
struct Side {
    client: ApiClient,
    copy: DeskContent,
    seen: Vec<i64>,
}

impl Side {
    async fn read(&mut self) {
        loop {
            let request = ChangesRequest {
                service: Some(1),
                after: self.copy.position,
                wait: std::time::Duration::ZERO,
                presence: None,
            };
            let part = self.client.desk_changes(&request).await.unwrap();
            assert!(!part.reset);
            for event in &part.events {
                self.seen.push(event.revision);
                self.copy.apply(event);
            }
            self.copy.position = part.position;
            if !part.more {
                return;
            }
        }
    }
}

fn prepare(sides: &[Side], client: usize, report: u8, step: &Step) -> Option<Sent> {
    let (copy, report) = (&sides[client].copy, ReportId::new(&report.to_string()));
    Some(match step {
        Step::Row { state, holder, cause, is_wrong } => {
            let known =
                copy.rows.get(&report).map_or(RowPrecondition::Absent, |row| RowPrecondition::Version(row.version));
            let expected = if *is_wrong { RowPrecondition::Version(99) } else { known };
            let write = row(STATES[*state], holder.map(|holder| PEOPLE[holder]));
            let cause = cause.map(|cause| Text::from_outside(format!("audit {cause}")));
            Sent::Row(client, report, expected, Box::new(RowWrite { cause, ..write }))
        }
        Step::Note => Sent::Note(client, report, note("who?")),
        Step::Withdraw => {
            let note = copy.notes.values().next()?;
            Sent::Withdraw(client, note.report.clone(), note.id, change())
        }
        Step::Read => return None,
    })
}

async fn send(sides: &[Side], sent: &Sent) -> Outcome {
    match sent {
        Sent::Row(client, report, expected, write) => {
            match sides[*client].client.write_desk_row(1, report, *expected, write).await {
                Ok(row) => Outcome::Row(row),
                Err(RowWriteFailure::Conflict(_)) => Outcome::Conflict,
                Err(RowWriteFailure::Failed(failure)) => Outcome::Refused(failure.status.unwrap()),
            }
        }
        Sent::Note(client, report, write) => {
            let written = sides[*client].client.write_desk_note(1, report, write).await;
            written.map_or_else(|failure| Outcome::Refused(failure.status.unwrap()), Outcome::Note)
        }
        Sent::Withdraw(client, report, id, change) => {
            let withdrawn = sides[*client].client.withdraw_desk_note(1, report, *id, *change).await;
            withdrawn.map_or_else(|failure| Outcome::Refused(failure.status.unwrap()), Outcome::Note)
        }
    }
}

async fn play(steps: Vec<(usize, u8, Step, Fate)>) {
    let (running, data) = Running::start().await;
    let mut sides = Vec::new();
    for handle in PEOPLE {
        let client = member(&running, data.path(), handle, Role::Triage).await;
        sides.push(Side { client, copy: DeskContent::default(), seen: Vec::new() });
    }
    let mut late = Vec::new();
    for (client, report, step, fate) in steps {
        let Some(sent) = prepare(&sides, client, report, &step) else {
            sides[client].read().await;
            continue;
        };
        if matches!(fate, Fate::Late) {
            late.push((sent, None));
            continue;
        }
        let first = send(&sides, &sent).await;
        if matches!(fate, Fate::Twice) {
            let second = send(&sides, &sent).await;
            // A repeated write gets the same response; the reason for a conflict may be gone, so that the write
            // succeeds.
            assert!(second == first || first == Outcome::Conflict, "{sent:?}: {first:?}, then {second:?}");
        }
        if matches!(fate, Fate::Again) {
            late.push((sent, Some(first)));
        }
    }
    // Concurrently, in any order.
    let all = futures_util::future::join_all(late.iter().map(|(sent, _)| send(&sides, sent))).await;
    for ((sent, first), second) in late.iter().zip(all) {
        // The row may have changed since the audit's decision was applied: then the response is the current row.
        let Sent::Row(_, _, _, write) = sent else { continue };
        let is_same = first.as_ref().is_none_or(|first| *first == second || *first == Outcome::Conflict);
        assert!(is_same || write.cause.is_some(), "{sent:?}: {first:?}, then {second:?}");
    }
    for side in &mut sides {
        side.read().await;
    }
    let end = sides[0].client.desk().await.unwrap().unwrap().position;
    let (rows, notes) =
        (sides[0].client.desk_rows(1, None).await.unwrap(), sides[0].client.desk_notes(1, None).await.unwrap());
    let rows: BTreeMap<ReportId, DeskRow> = rows.rows.into_iter().map(|row| (row.report.clone(), row)).collect();
    let notes: BTreeMap<i64, DeskNote> = notes.notes.into_iter().map(|note| (note.id, note)).collect();
    for side in &sides {
        assert_eq!(side.seen, (1..=end.revision).collect::<Vec<_>>(), "every event once, in order");
        assert_eq!(side.copy.position, end);
        let folded: BTreeMap<ReportId, DeskRow> = side.copy.rows.clone().into_iter().collect();
        assert_eq!((folded, &side.copy.notes), (rows.clone(), &notes), "rows and notes match the log");
    }
    let request = ChangesRequest {
        service: Some(1),
        after: LogPosition::default(),
        wait: std::time::Duration::ZERO,
        presence: None,
    };
    let log = sides[0].client.desk_changes(&request).await.unwrap().events;
    let changes: BTreeSet<ChangeId> = log.iter().map(|event| event.change).collect();
    assert_eq!(changes.len(), log.len(), "every write is applied once");
    let causes: Vec<_> = log.iter().filter_map(|event| Some((event.report.clone(), event.cause.clone()?))).collect();
    let once: BTreeSet<_> = causes.iter().cloned().collect();
    assert_eq!(causes.len(), once.len(), "every cause is applied once");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 100, ..ProptestConfig::default() })]

    #[test]
    fn rows_match_the_log_whatever_happens_to_requests(steps in prop::collection::vec(step(), 1..50)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(play(steps));
    }
}
