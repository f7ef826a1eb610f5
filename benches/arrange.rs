//! Filtering and sorting loaded rows: what a person waits for after a key, at 1,000 to 100,000 rows.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

#[path = "../tests/support/many.rs"]
mod many;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use jiff::Timestamp;
use reportdeck::domain::arrange::{Arrangement, Rows, arrange};
use reportdeck::domain::columns::Column;
use reportdeck::domain::filter::Filter;
use reportdeck::domain::query::Direction;
use reportdeck::domain::report::Report;
use reportdeck::domain::triage::{State, Triage, Triages};
use reportdeck::domain::work_order::Surroundings;

fn arrangement(filter: &str, sort: Option<(Column, Direction)>) -> Arrangement {
    Arrangement { project: None, filter: Filter::parse(filter), sort, around: Surroundings::default(), among: None }
}

/// Only what nobody works on yet, where every tenth row has a state.
fn untouched(rows: &Rows) -> Arrangement {
    let tenth = rows.iter().flatten().step_by(10);
    let waiting = |report: &Arc<Report>| Triage::set(State::Waiting, report, Timestamp::UNIX_EPOCH);
    let triages = tenth.map(|report| (report.id.clone(), waiting(report))).collect::<Triages>();
    let around = Surroundings { triages: Arc::new(triages), ..Surroundings::default() };
    Arrangement { around, ..arrangement("state:new", None) }
}

fn filters_and_sorts(criterion: &mut Criterion) {
    for count in [1_000, 10_000, 100_000] {
        let rows = many::rows(count);
        let cases = [
            ("filter by a term", arrangement("page-99", None)),
            ("filter by a qualifier", arrangement("result:bad", None)),
            ("filter by a state", untouched(&rows)),
            ("sort by url", arrangement("", Some((Column::Url, Direction::Ascending)))),
            ("sort by result", arrangement("", Some((Column::Result, Direction::Ascending)))),
            ("sort by work", arrangement("", Some((Column::Work, Direction::Descending)))),
        ];
        for (name, wanted) in cases {
            criterion.bench_with_input(BenchmarkId::new(name, count), &wanted, |bench, wanted| {
                bench.iter(|| black_box(arrange(black_box(&rows), wanted)));
            });
        }
    }
}

criterion_group!(benches, filters_and_sorts);
criterion_main!(benches);
