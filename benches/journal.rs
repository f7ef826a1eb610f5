//! What this machine remembers and makes of it at 100,000 reports: last rows, snapshots, states, their comparison, the
//! order of work, and the causes of 10,000 bad reports.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench takes its part of what the tests share
mod support;

use std::collections::HashSet;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use jiff::{SignedDuration, Timestamp};
use reportdeck::domain::list::cached_rows::CachedRows;
use reportdeck::domain::list::rows::Rows;
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::{Report, ReportId};
use reportdeck::domain::triage::causes::{Breadth, causes};
use reportdeck::domain::triage::changes::{ListScope, Snapshot, compare};
use reportdeck::domain::triage::priority::{RowContext, by_priority};
use reportdeck::domain::triage::{State, Triage, Triages, observe};
use reportdeck::journal::Journal;
use support::generated_rows;

const MANY: usize = 100_000;
const CHECKS: u64 = 44;

/// The rows of the other benches, with some ten of 44 failing checks each, as our own service lists them: in so many
/// sets, as pages of the same template fail the same checks.
fn rows(sets: u64) -> Rows {
    generated_rows::rows(MANY).into_iter().zip(0_u64..).map(|(row, number)| failing(&row, number % sets)).collect()
}

fn failing(report: &Report, number: u64) -> Report {
    let mut dice = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995;
    let mut failed = Vec::new();
    for check in 0..CHECKS {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        // The first checks fail often, the last ones hardly ever.
        if dice.is_multiple_of(check + 3) {
            failed.push(format!("check_number_{check}").into());
        }
    }
    Report { failed: failed.into_iter().collect(), ..report.clone() }
}

fn snapshot(rows: &Rows, taken_at: Timestamp) -> Snapshot {
    Snapshot::take(rows.iter(), ListScope::default(), true, taken_at)
}

/// A list in which one report in a hundred was audited again and lost points.
fn later(rows: &Rows) -> Rows {
    let changed = |(place, row): (usize, &Report)| {
        let lost = |score| if place % 100 == 0 { score / 2 } else { score };
        Report { score: row.score.map(lost), ..row.clone() }
    };
    rows.iter().enumerate().map(changed).collect()
}

fn time(hour: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(400_000 + hour)
}

fn remembering(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let rows = rows(2_000);
    let last =
        CachedRows { rows: rows.clone(), scope: ListScope::default(), taken_at: time(0), total: None, next: None };
    criterion.bench_function("keep 100,000 last rows", |bench| bench.iter(|| journal.store_rows("a", &last).unwrap()));
    criterion.bench_function("read 100,000 last rows", |bench| {
        bench.iter_with_large_drop(|| {
            let first = journal.load_rows("a", None).unwrap();
            std::iter::successors(first, |last| journal.load_rows("a", Some(last.next?)).unwrap()).collect::<Vec<_>>()
        });
    });
    criterion.bench_function("take a snapshot of 100,000", |bench| {
        bench.iter_with_large_drop(|| snapshot(&rows, time(0)));
    });
    let (older, newer) = (snapshot(&rows, time(0)), snapshot(&later(&rows), time(1)));
    let mut number = 0;
    criterion.bench_function("keep a snapshot of 100,000", |bench| {
        bench.iter(|| {
            number += 1;
            let taken = if number % 2 == 0 { &older } else { &newer };
            let taken = Snapshot { taken_at: time(number), ..taken.clone() };
            journal.store_snapshot("a", &taken).unwrap();
        });
    });
    criterion.bench_function("read a snapshot of 100,000", |bench| {
        bench.iter_with_large_drop(|| {
            journal.load_snapshot_before("a", &ListScope::default(), time(1_000_000)).unwrap().unwrap()
        });
    });
    let wanted: HashSet<ReportId> = rows.iter().take(50).map(|report| report.id.clone()).collect();
    let kept = Journal::open(&folder.path().join("other.sqlite")).unwrap();
    (0..10).for_each(|day| {
        let taken = if day % 2 == 0 { &older } else { &newer };
        kept.store_snapshot("a", &Snapshot { taken_at: time(day * 24), ..taken.clone() }).unwrap();
    });
    criterion.bench_function("scores of 50 in 10 snapshots", |bench| {
        bench.iter(|| black_box(kept.load_scores("a", &wanted).unwrap()));
    });
    criterion.bench_function("compare 100,000 of which 1,000 moved", |bench| {
        bench.iter(|| black_box(compare(&older, &newer, time(0), SignedDuration::from_hours(24 * 30))));
    });
    let size = std::fs::metadata(folder.path().join("journal.sqlite")).unwrap().len();
    println!("the journal takes {} MB", size >> 20);
}

fn judging(criterion: &mut Criterion) {
    // The worst case: no two pages fail the same.
    let rows = rows(u64::MAX);
    let places: Vec<u32> = (0_u32..).take(rows.len()).collect();
    let tenth = rows.iter().step_by(10);
    let triages: Triages =
        tenth.map(|report| (report.id.clone(), Triage::set(State::Waiting, report, time(0)))).collect();
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let all: Vec<_> = triages.iter().map(|(id, triage)| (id.clone(), triage.clone())).collect();
    criterion.bench_function("keep 10,000 states", |bench| bench.iter(|| journal.upsert_states("a", &all).unwrap()));
    criterion.bench_function("read 10,000 states", |bench| {
        bench.iter_with_large_drop(|| journal.load_states("a").unwrap());
    });
    let later = later(&rows);
    criterion.bench_function("observe 100,000 of which 10,000 have a state", |bench| {
        let reopened =
            |report: &Report| triages.get(&report.id).is_some_and(|triage| observe(triage, report, time(1)).is_some());
        bench.iter(|| black_box(later.iter().filter(|report| reopened(report)).count()));
    });
    let around = RowContext { now: time(1), triages: Arc::new(triages), ..RowContext::default() };
    criterion.bench_function("put 100,000 in work order", |bench| {
        bench.iter(|| black_box(by_priority(&rows, &places, &around)));
    });
    let bad = |place: &u32| rows.get(*place).is_some_and(|report| report.outcome == Outcome::Bad);
    let bad: Vec<u32> = places.into_iter().filter(bad).take(10_000).collect();
    criterion.bench_function("causes of 10,000 bad", |bench| {
        bench.iter(|| black_box(causes(&rows, &bad, Breadth::Bad)));
    });
}

criterion_group!(benches, remembering, judging);
criterion_main!(benches);
