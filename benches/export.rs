//! Writing a file of the rows on the screen: what a person waits for after ctrl+s, at 100,000 rows.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench takes its part of what the tests share
mod support;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use jiff::Timestamp;
use reportdeck::domain::export::{Export, ExportInfo, FileFormat};
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::triage::priority::RowContext;
use strum::IntoEnumIterator as _;
use support::generated_rows;

const ROWS: usize = 100_000;

fn files(criterion: &mut Criterion) {
    let rows = generated_rows::rows(ROWS);
    let columns: Vec<Column> = Column::iter().collect();
    let around = RowContext::default();
    let (service, filter, order) = ("seo.example", "", "");
    let about = ExportInfo { service, filter, order, rows: ROWS, of: None, now: Timestamp::UNIX_EPOCH };
    let mut group = criterion.benchmark_group("export of 100,000 rows");
    group.sample_size(10);
    for format in FileFormat::iter() {
        let export = Export { format, columns: &columns, about, around: &around };
        group.bench_function(format.name(), |bench| {
            bench.iter(|| {
                let reports = black_box(&rows).iter();
                export.write(reports, &mut std::io::sink()).unwrap();
            });
        });
    }
    group.finish();
}

criterion_group!(benches, files);
criterion_main!(benches);
