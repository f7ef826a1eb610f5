//! Filtering and sorting loaded rows: what a person waits for after a key, at 1,000 to 100,000 rows.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

#[path = "../tests/support/many.rs"]
mod many;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use jiff::Timestamp;
use reportdeck::domain::arrange::{Arrangement, arrange};
use reportdeck::domain::columns::Column;
use reportdeck::domain::filter::Filter;
use reportdeck::domain::query::Direction;

fn arrangement(filter: &str, sort: Option<(Column, Direction)>) -> Arrangement {
    Arrangement { project: None, filter: Filter::parse(filter), sort, now: Timestamp::UNIX_EPOCH }
}

fn filters_and_sorts(criterion: &mut Criterion) {
    for count in [1_000, 10_000, 100_000] {
        let rows = many::rows(count);
        let cases = [
            ("filter by a term", arrangement("page-99", None)),
            ("filter by a qualifier", arrangement("result:bad", None)),
            ("sort by url", arrangement("", Some((Column::Url, Direction::Ascending)))),
            ("sort by result", arrangement("", Some((Column::Result, Direction::Ascending)))),
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
