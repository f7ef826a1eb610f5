//! What a page costs, small, ordinary and huge: parsing alone, the checks alone, and a whole judgement.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

#[path = "support/page.rs"]
mod page;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reportdeck::audit::{AuditedPage, run_checks};
use url::Url;

fn audit(criterion: &mut Criterion) {
    let url = Url::parse("https://shop.example/green-tea").unwrap();
    for (name, bytes) in [("5 kB", 5_000), ("100 kB", 100_000), ("2 MB", 2_000_000)] {
        let html = page::of(bytes);
        let parsed = AuditedPage::from_html(&url, &html).unwrap();
        let mut group = criterion.benchmark_group(format!("audit of {name}"));
        group.throughput(Throughput::Bytes(html.len() as u64));
        if bytes > 1_000_000 {
            group.sample_size(20);
        }
        group.bench_function("parse", |bencher| bencher.iter(|| AuditedPage::from_html(&url, black_box(&html))));
        group.bench_function("checks", |bencher| bencher.iter(|| run_checks(black_box(&parsed))));
        group.bench_function("parse and checks", |bencher| {
            bencher.iter(|| run_checks(&AuditedPage::from_html(&url, black_box(&html)).unwrap()));
        });
        group.finish();
    }
}

criterion_group!(benches, audit);
criterion_main!(benches);
