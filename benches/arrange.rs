//! Filtering and sorting loaded rows: what a person waits for after a key, at 1,000 to 1,000,000 rows.
//!
//! `cargo bench --bench arrange -- --quick` ends in a few minutes. What is called plain is the same without what makes it
//! fast, as a floor to compare with in the same run.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench takes its part of what the tests share
mod support;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use jiff::Timestamp;
use reportdeck::domain::list::arrange::{Arrangement, arrange};
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::list::filter::Filter;
use reportdeck::domain::list::query::Direction;
use reportdeck::domain::list::rows::Rows;
use reportdeck::domain::report::Report;
use reportdeck::domain::triage::priority::RowContext;
use reportdeck::domain::triage::{State, Triage, Triages};
use strum::IntoEnumIterator;
use support::generated_rows;

fn arrangement(filter: &str, sort: Option<(Column, Direction)>) -> Arrangement {
    Arrangement { project: None, filter: Filter::parse(filter), sort, around: RowContext::default(), among: None }
}

/// Only what nobody works on yet, where every tenth row has a state.
fn untouched(rows: &Rows) -> Arrangement {
    let tenth = rows.iter().step_by(10);
    let waiting = |report: &Report| Triage::set(State::Waiting, report, Timestamp::UNIX_EPOCH);
    let triages = tenth.map(|report| (report.id.clone(), waiting(report))).collect::<Triages>();
    let around = RowContext { triages: Arc::new(triages), ..RowContext::default() };
    Arrangement { around, ..arrangement("state:new", None) }
}

/// What is asked when a letter is added to a text.
fn narrowed(rows: &Rows, from: &str, to: &str) -> Arrangement {
    let (wider, narrower) = (arrangement(from, None), arrangement(to, None));
    assert!(narrower.narrows(&wider));
    Arrangement { among: Some(arrange(rows, &wider)), ..narrower }
}

/// A search as it is written first: each letter of each URL compared in both cases.
fn plain_search(rows: &Rows, term: &str) -> usize {
    let contains =
        |text: &str| text.as_bytes().windows(term.len()).any(|part| part.eq_ignore_ascii_case(term.as_bytes()));
    rows.iter().filter(|row| contains(row.url.raw())).count()
}

/// A sort as it is written first: rows are looked up for each comparison.
fn plain_sort(rows: &Rows) -> Vec<u32> {
    let mut places: Vec<u32> = (0_u32..).take(rows.len()).collect();
    let url = |place: &u32| rows.get(*place).map_or("", |row| row.url.raw());
    places.sort_by(|a, b| url(a).cmp(url(b)));
    places
}

fn filters_and_sorts(criterion: &mut Criterion) {
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        let rows = generated_rows::rows(count);
        let mut cases = vec![
            ("filter by a term".to_owned(), arrangement("page-99", None)),
            ("filter by a qualifier".to_owned(), arrangement("result:bad", None)),
            ("filter by a state".to_owned(), untouched(&rows)),
            ("narrow page-9 to page-99".to_owned(), narrowed(&rows, "page-9", "page-99")),
        ];
        for column in Column::iter() {
            let sort = Some((column, Direction::Ascending));
            cases.push((format!("sort by {}", column.name()), arrangement("", sort)));
        }
        for (name, wanted) in cases {
            criterion.bench_with_input(BenchmarkId::new(name, count), &wanted, |bench, wanted| {
                bench.iter(|| black_box(arrange(black_box(&rows), wanted)));
            });
        }
        criterion.bench_with_input(BenchmarkId::new("plain: filter by a term", count), &rows, |bench, rows| {
            bench.iter(|| black_box(plain_search(black_box(rows), "page-99")));
        });
        criterion.bench_with_input(BenchmarkId::new("plain: sort by url", count), &rows, |bench, rows| {
            bench.iter(|| black_box(plain_sort(black_box(rows))));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(300))
        .without_plots();
    targets = filters_and_sorts
}
criterion_main!(benches);
