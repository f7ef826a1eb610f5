//! The effect of ten concurrent audits on the response to a key: `update` and a frame, with and without audits.
//!
//! Not a criterion bench, because the slowest keys matter and not the mean. The audited server runs in the same process
//! on loopback, so its work slows the dashboard too.

#![allow(missing_docs, clippy::unwrap_used)] // a bench may panic

#[path = "support/page.rs"]
mod page;
#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench uses only part of the shared helpers
mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::layout::Size;
use reportdeck::app::App;
use reportdeck::app::message::Message;
use reportdeck::audit::{Auditor, Policy, Reach};
use reportdeck::runtime::terminal::backend::TtyBackend;
use reportdeck::view::{self, Look};
use support::{generated_rows, states};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Number of finished audits.
static DONE: AtomicUsize = AtomicUsize::new(0);
const KEYS: usize = 1_000;
/// Faster than anybody types.
const BETWEEN_KEYS: Duration = Duration::from_millis(5);

fn loaded() -> App {
    let (mut app, effects) = states::connected();
    let rows = generated_rows::rows(1_000).into_iter().collect();
    let page = states::page(rows, None, 1_000);
    app.update(Message::Reports(states::reports_request(&effects), Ok(page)), states::now());
    app
}

/// Serves one page for every request.
async fn serve(listener: TcpListener, html: &'static str) {
    while let Ok((mut stream, _)) = listener.accept().await {
        tokio::spawn(async move {
            let mut head = [0_u8; 2_048];
            let _ = stream.read(&mut head).await;
            let answer =
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length";
            let _ = stream.write_all(format!("{answer}: {}\r\n\r\n{html}", html.len()).as_bytes()).await;
        });
    }
}

/// Returns the times of all keys, sorted.
async fn keys() -> Vec<Duration> {
    let look = Look::default();
    let mut app = loaded();
    let mut terminal = Terminal::new(TtyBackend::new(std::io::sink(), Size::new(160, 48))).unwrap();
    let mut times = Vec::with_capacity(KEYS);
    for _ in 0..KEYS {
        tokio::time::sleep(BETWEEN_KEYS).await;
        let started = Instant::now();
        states::press(&mut app, "j");
        terminal.draw(|frame| drop(view::draw(frame, &app, &look))).unwrap();
        times.push(started.elapsed());
    }
    times.sort_unstable();
    times
}

fn print_times(name: &str, times: &[Duration]) {
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{name}: half within {:?}, 95 % within {:?}, 99 % within {:?}, all within {:?}",
        at(50),
        at(95),
        at(99),
        at(100)
    );
}

#[tokio::main]
async fn main() {
    let html: &'static str = page::of(100_000).leak();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/tea", listener.local_addr().unwrap());
    tokio::spawn(serve(listener, html));
    let alone = keys().await;
    let auditor = Auditor::new(Policy::new(Reach::LocalUser));
    let audits: Vec<_> = (0..10)
        .map(|_| {
            let (auditor, url) = (auditor.clone(), url.clone());
            tokio::spawn(async move {
                loop {
                    assert_eq!(auditor.audit(&url).await.unwrap().failure, None);
                    DONE.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    let beside = keys().await;
    let audited = DONE.load(Ordering::Relaxed);
    for audit in audits {
        audit.abort();
    }
    print_times("a key alone", &alone);
    print_times("during ten audits", &beside);
    let ratio = |share: usize| {
        let at = |times: &[Duration]| times[(times.len() - 1) * share / 100].as_secs_f64();
        at(&beside) / at(&alone)
    };
    println!("ratio: {:.2} of medians, {:.2} of 95th percentiles, during {audited} audits", ratio(50), ratio(95));
}
