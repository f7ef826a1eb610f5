//! A proxy between client and service that injects random faults: it loses requests and responses, cuts, resets,
//! drips, delays, repeats and corrupts bytes, floods, refuses, fails, and stays silent, until it is healed.
//!
//! Every request is recorded with its outcome, so that a test can count what was sent and answered. A corrupted byte
//! is one that no JSON and no head may contain: no client can detect other changes on a plain connection.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::support::seeded_rng::Rng;

/// What happens to one exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Nothing.
    None,
    /// The request is reset before it reached the service.
    LoseRequest,
    /// The connection is closed without a response.
    HangUp,
    /// The service answers, and the connection is reset instead.
    LoseAnswer,
    /// A part of the answer, then the end of the connection.
    Cut,
    /// A part of the answer, then a reset.
    Break,
    /// The answer in small pieces.
    Drip,
    /// The response after those of later requests.
    Hold,
    /// A part of the answer twice.
    Repeat,
    /// One byte of the response is invalid at its place.
    Spoil,
    /// A body without an end.
    Flood,
    /// The service responds, and nothing is passed on.
    Silence,
    /// The proxy refuses: nothing reaches the service.
    Refuse,
    /// The service responds, and the proxy reports a failure.
    Fail,
}

/// The faults of a network that a client with short limits can wait for.
pub const FAULTS: [Fault; 13] = [
    Fault::LoseRequest,
    Fault::HangUp,
    Fault::LoseAnswer,
    Fault::Cut,
    Fault::Break,
    Fault::Drip,
    Fault::Hold,
    Fault::Repeat,
    Fault::Spoil,
    Fault::Flood,
    Fault::Silence,
    Fault::Refuse,
    Fault::Fail,
];
/// The refusals of the proxy, with extra headers. Those with a Retry-After are the most frequent.
const REFUSALS: [(&str, &str); 8] = [
    ("429 Too Many Requests", "retry-after: 0\r\n"),
    ("429 Too Many Requests", "retry-after: 1\r\n"),
    ("429 Too Many Requests", "retry-after: 1\r\nx-ratelimit-remaining: 0\r\nx-ratelimit-reset: 1\r\n"),
    ("503 Service Unavailable", "retry-after: 0\r\n"),
    ("503 Service Unavailable", ""),
    ("500 Internal Server Error", ""),
    ("403 Forbidden", ""),
    ("401 Unauthorized", ""),
];
/// The failures that the proxy reports: the request may have been performed.
const FAILURES: [(&str, &str); 3] =
    [("500 Internal Server Error", ""), ("502 Bad Gateway", ""), ("504 Gateway Timeout", "retry-after: 0\r\n")];
/// The longest time that an answer is held back.
const HELD: Duration = Duration::from_millis(30);
/// The size of a flood, bounded in case a client has no limit.
const FLOOD: usize = 8 * 1024 * 1024;

/// A request and its outcome.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    /// Path and query.
    pub target: String,
    pub body: String,
    pub head: String,
    pub fault: Fault,
    /// The status that was answered, by the service or by something before it.
    pub status: Option<u16>,
    /// What it answered.
    pub answer: String,
    /// The whole answer was handed to the client, unharmed.
    pub delivered: bool,
}

impl Seen {
    /// True for a 429 of the proxy: the one refusal after which a write may be sent again.
    pub fn was_put_off(&self) -> bool {
        self.fault == Fault::Refuse && self.status == Some(429)
    }
}

/// A running proxy.
pub struct Proxy {
    /// The base URL for the client.
    pub base: String,
    shared: Arc<Shared>,
    accepting: tokio::task::JoinHandle<()>,
}

struct Shared {
    service: String,
    faults: Vec<Fault>,
    /// One exchange in this many gets a fault.
    one_in: usize,
    rng: Mutex<Rng>,
    healed: AtomicBool,
    under_way: AtomicUsize,
    answered: Notify,
    seen: Mutex<Vec<Seen>>,
}

impl Proxy {
    /// Starts a proxy for the service at this URL; one exchange in `one_in` gets one of these faults.
    pub async fn before(base_url: &str, seed: u64, faults: &[Fault], one_in: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            service: base_url.trim_start_matches("http://").to_owned(),
            faults: faults.to_vec(),
            one_in,
            rng: Mutex::new(Rng::new(seed)),
            healed: AtomicBool::new(false),
            under_way: AtomicUsize::new(0),
            answered: Notify::new(),
            seen: Mutex::default(),
        });
        let accepted = Arc::clone(&shared);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&accepted)));
            }
        });
        Self { base, shared, accepting }
    }

    /// Stops injecting faults.
    pub fn heal(&self) {
        self.shared.healed.store(true, Ordering::SeqCst);
    }

    /// Waits until the service has answered every request that reached it.
    pub async fn rest(&self) {
        while self.shared.under_way.load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// The number of exchanges by fault.
    pub fn faults(&self) -> BTreeMap<Fault, usize> {
        let mut counts = BTreeMap::new();
        for seen in self.shared.seen.lock().unwrap().iter() {
            *counts.entry(seen.fault).or_default() += 1;
        }
        counts
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(mut client: TcpStream, shared: Arc<Shared>) {
    while let Some((head, body)) = message(&mut client).await {
        shared.under_way.fetch_add(1, Ordering::SeqCst);
        let going_on = exchange(&mut client, &shared, head, body).await;
        shared.answered.notify_waiters();
        if going_on.is_none() {
            return;
        }
    }
}

/// One exchange; `None` when the connection is over.
async fn exchange(client: &mut TcpStream, shared: &Shared, head: String, body: Vec<u8>) -> Option<()> {
    let (fault, mut rng) = shared.fate();
    let mut line = head.split_whitespace().map(str::to_owned);
    let place = {
        let mut seen = shared.seen.lock().unwrap();
        seen.push(Seen {
            method: line.next().unwrap_or_default(),
            target: line.next().unwrap_or_default(),
            body: String::from_utf8_lossy(&body).into_owned(),
            head: head.clone(),
            fault,
            status: None,
            answer: String::new(),
            delivered: false,
        });
        seen.len() - 1
    };
    let gets_there = !matches!(fault, Fault::LoseRequest | Fault::HangUp | Fault::Refuse);
    let mut answer = if gets_there { shared.ask(&head, &body).await } else { None };
    match fault {
        Fault::Refuse => answer = Some(said(*rng.pick(&REFUSALS))),
        Fault::Fail if answer.is_some() => answer = Some(said(*rng.pick(&FAILURES))),
        _ => {}
    }
    if let Some((head, body)) = &answer {
        let mut seen = shared.seen.lock().unwrap();
        seen[place].status = head.split_whitespace().nth(1).and_then(|status| status.parse().ok());
        seen[place].answer = String::from_utf8_lossy(body).into_owned();
    }
    // Nothing of this reaches the service any more.
    shared.under_way.fetch_sub(1, Ordering::SeqCst);
    let Some((head, body)) = answer else {
        if fault != Fault::HangUp {
            client.set_zero_linger().unwrap();
        }
        return None;
    };
    let delivered = shared.deliver(client, (fault, &mut rng), head.as_bytes(), &body).await;
    shared.seen.lock().unwrap()[place].delivered = delivered.is_some();
    delivered
}

impl Shared {
    /// What happens to the next exchange, and its own random numbers.
    fn fate(&self) -> (Fault, Rng) {
        let mut rng = self.rng.lock().unwrap();
        let own = Rng::new(rng.number());
        let goes_wrong = !self.healed.load(Ordering::SeqCst) && rng.below(self.one_in) == 0;
        (if goes_wrong { *rng.pick(&self.faults) } else { Fault::None }, own)
    }

    /// Asks the service, on a connection of its own.
    async fn ask(&self, head: &str, body: &[u8]) -> Option<(String, Vec<u8>)> {
        let mut service = TcpStream::connect(&self.service).await.ok()?;
        let head = head.strip_suffix("\r\n")?;
        let host = head.lines().find(|line| line.to_ascii_lowercase().starts_with("host:"))?;
        let head = head.replace(host, &format!("host: {}", self.service));
        let request = [format!("{head}connection: close\r\n\r\n").as_bytes(), body].concat();
        service.write_all(&request).await.ok()?;
        let (head, body) = message(&mut service).await?;
        // The connection to the client stays: clients meet old connections too.
        let kept: Vec<&str> =
            head.lines().filter(|line| !line.to_ascii_lowercase().starts_with("connection:")).collect();
        Some((kept.join("\r\n") + "\r\n", body))
    }

    /// Hands the answer over; `None` when the connection is over.
    async fn deliver(
        &self,
        client: &mut TcpStream,
        (fault, rng): (Fault, &mut Rng),
        head: &[u8],
        body: &[u8],
    ) -> Option<()> {
        let mut whole = [head, body].concat();
        let at = rng.below(whole.len());
        match fault {
            Fault::None | Fault::Refuse | Fault::Fail => {}
            Fault::LoseRequest | Fault::HangUp | Fault::LoseAnswer => {
                client.set_zero_linger().unwrap();
                return None;
            }
            Fault::Cut | Fault::Break => {
                client.write_all(&whole[..at]).await.ok()?;
                client.flush().await.ok()?;
                if fault == Fault::Break {
                    tokio::task::yield_now().await;
                    client.set_zero_linger().unwrap();
                }
                return None;
            }
            Fault::Drip => {
                for piece in whole.chunks(whole.len().div_ceil(8)) {
                    client.write_all(piece).await.ok()?;
                    client.flush().await.ok()?;
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                return Some(());
            }
            Fault::Hold => drop(tokio::time::timeout(HELD, self.answered.notified()).await),
            Fault::Repeat => {
                let again = whole[at..whole.len().min(at + 40)].to_vec();
                whole.splice(at..at, again);
                client.write_all(&whole).await.ok()?;
                return None;
            }
            Fault::Spoil => {
                whole[at] = 1;
                client.write_all(&whole).await.ok()?;
                return None;
            }
            Fault::Flood => return flood(client).await,
            Fault::Silence => {
                // Until the client gives up.
                let _ = client.read(&mut [0]).await;
                return None;
            }
        }
        client.write_all(&whole).await.ok()
    }
}

/// A response made by the proxy.
fn said((status, more): (&str, &str)) -> (String, Vec<u8>) {
    let body = format!("{{\"message\": \"{status}\", \"status\": {}}}", &status[..3]);
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{more}content-length: {}\r\n\r\n", body.len());
    (head, body.into_bytes())
}

async fn flood(client: &mut TcpStream) -> Option<()> {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"data\": [";
    client.write_all(head).await.ok()?;
    let piece = b"{\"id\": 1}, ".repeat(4096);
    for _ in 0..FLOOD / piece.len() {
        client.write_all(&piece).await.ok()?;
    }
    None
}

/// A head with its empty line, and the body that it announces; `None` at the end of a connection.
async fn message(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        more(stream, &mut bytes).await?;
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length =
        head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    while bytes.len() < end + length.unwrap_or(0_usize) {
        more(stream, &mut bytes).await?;
    }
    Some((head, bytes.split_off(end)))
}

async fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut piece = [0; 4096];
    let count = stream.read(&mut piece).await.ok().filter(|count| *count > 0)?;
    bytes.extend_from_slice(&piece[..count]);
    Some(())
}
