//! What a page of 100 kB costs: parsing alone, and parsing with every check of the table.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reportdeck::audit::{Page, judge};
use url::Url;

/// An ordinary page: headings, paragraphs, links, images, a form, a few scripts.
fn page_of(bytes: usize) -> String {
    let mut html = String::from(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Green tea from Kyoto</title>\
         <meta name=description content='Seven green teas from two regions.'>\
         <link rel=stylesheet href=/style.css><script src=/a.js defer></script></head><body><main><h1>Teas</h1>",
    );
    let mut number = 0;
    while html.len() < bytes {
        number += 1;
        // Writing to a String cannot fail.
        let _ = write!(
            html,
            "<section id=s{number} class='card wide'><h2>Tea number {number}</h2><p>It grew in the shade for three \
             weeks, <b>dark</b>, soft and sweet. <a href='/tea/{number}?from=list'>All about tea {number}</a></p>\
             <img src=/images/{number}.webp alt='Leaves of tea {number}' width=400 height=300 loading=lazy>\
             <form action=/order><label for=f{number}>Amount</label><input id=f{number} name=amount></form></section>"
        );
    }
    html.push_str("</main></body></html>");
    html
}

fn audit(criterion: &mut Criterion) {
    let html = page_of(100_000);
    let Ok(url) = Url::parse("https://shop.example/green-tea") else { return };
    let parsed = Page::from_html(&url, &html);
    let mut group = criterion.benchmark_group("audit of 100 kB");
    group.throughput(Throughput::Bytes(html.len() as u64));
    group.bench_function("parse", |bencher| bencher.iter(|| Page::from_html(&url, black_box(&html))));
    group.bench_function("checks", |bencher| bencher.iter(|| judge(black_box(&parsed))));
    group.bench_function("parse and checks", |bencher| {
        bencher.iter(|| judge(&Page::from_html(&url, black_box(&html))));
    });
    group.finish();
}

criterion_group!(benches, audit);
criterion_main!(benches);
