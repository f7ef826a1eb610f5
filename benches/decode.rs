//! Reading a page of 100 reports, as a list sends it and with whole audits inside, next to parsing its JSON alone; and
//! the way without a tree of values, which lists take.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use reportdeck::api::decode::{self, RowDetail, envelope};
use reportdeck::domain::list::interner::Interner;
use serde_json::{Value, json};

fn page(whole: bool) -> String {
    let checks: serde_json::Map<String, Value> = (0..69)
        .map(|number| {
            (
                format!("check_{number}"),
                json!({"passed": number % 3 > 0, "importance": "high", "value": number, "errors": ["wrong"]}),
            )
        })
        .collect();
    let row = |number: usize| {
        let mut row = json!({
            "id": number, "url": format!("https://shop.example/section/page-{number}"), "project": "shop.example",
            "result": "bad", "score": 31, "generated_at": "2026-11-21T14:02:00Z", "privacy": 0, "password": false,
        });
        if whole {
            row["results"] = Value::Object(checks.clone());
        }
        row
    };
    json!({"data": (0..100).map(row).collect::<Vec<_>>(), "meta": {"current_page": 1, "last_page": 1}}).to_string()
}

fn read(json: &str, detail: RowDetail) -> usize {
    let (rows, _) = envelope::rows(serde_json::from_str(json).unwrap()).unwrap();
    let mut shared = Interner::default();
    rows.iter().filter_map(|row| decode::report(row.as_object()?, detail, &mut shared)).count()
}

fn pages(criterion: &mut Criterion) {
    let json = page(false);
    assert_eq!(decode::rows(&json, &mut Interner::default()).unwrap().rows.len(), read(&json, RowDetail::Row));
    criterion.bench_function("read 100 rows straight from their text", |bench| {
        bench.iter(|| black_box(decode::rows(black_box(&json), &mut Interner::default()).unwrap().rows.len()));
    });
    for (name, whole, detail) in [("rows", false, RowDetail::Row), ("whole audits", true, RowDetail::Everything)] {
        let json = page(whole);
        criterion.bench_function(&format!("parse 100 {name}"), |bench| {
            bench.iter(|| black_box(serde_json::from_str::<Value>(black_box(&json)).unwrap()));
        });
        criterion.bench_function(&format!("parse and decode 100 {name}"), |bench| {
            bench.iter(|| black_box(read(black_box(&json), detail)));
        });
    }
}

criterion_group!(benches, pages);
criterion_main!(benches);
