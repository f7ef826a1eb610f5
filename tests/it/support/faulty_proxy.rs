//! A proxy between client and service that injects random faults until it is healed: lost requests and responses,
//! resets, delays, slow, repeated, corrupted and endless responses, refusals, failures, and silence.
//!
//! Every request is recorded with its outcome, so that a test can count what was sent and what succeeded. A corrupted
//! byte is one that is invalid in JSON and in a response head; other corruption is undetectable on a plain connection.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::support::scripted_server::read_message;
use crate::support::seeded_rng::Rng;

/// What happens to one request and its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// No fault.
    None,
    /// The connection is reset before the request reaches the service.
    LoseRequest,
    /// The connection is closed without a response.
    HangUp,
    /// The service performs the request; the connection is reset instead of a response.
    LoseAnswer,
    /// A truncated response, then a regular close.
    Cut,
    /// A truncated response, then a reset.
    Break,
    /// The response in small pieces.
    Drip,
    /// The response arrives after those of later requests.
    Hold,
    /// Part of the response is repeated.
    Repeat,
    /// One byte of the response is replaced by an invalid one.
    Spoil,
    /// An endless body.
    Flood,
    /// The service performs the request; the client receives no response.
    Silence,
    /// The proxy refuses the request; it does not reach the service.
    Refuse,
    /// The service performs the request; the proxy reports a failure.
    Fail,
}

/// The faults that a client with short time limits recovers from.
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
/// Refusals of the proxy with extra headers. Those with a Retry-After are the most frequent.
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
/// Failures that the proxy reports although the request may have been performed.
const FAILURES: [(&str, &str); 3] =
    [("500 Internal Server Error", ""), ("502 Bad Gateway", ""), ("504 Gateway Timeout", "retry-after: 0\r\n")];
/// The maximum delay of a response.
const HELD: Duration = Duration::from_millis(30);
/// The size of an endless body, bounded in case a client has no limit.
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
    /// The status sent to the client, by the service or by the proxy.
    pub status: Option<u16>,
    /// The response body of the service.
    pub answer: String,
    /// The complete response reached the client unmodified.
    pub delivered: bool,
}

impl Seen {
    /// Whether the proxy refused it with 429, the only refusal after which a write may be sent again.
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
    /// One request in this many gets a fault.
    one_in: usize,
    rng: Mutex<Rng>,
    healed: AtomicBool,
    under_way: AtomicUsize,
    answered: Notify,
    seen: Mutex<Vec<Seen>>,
}

impl Proxy {
    /// Starts a proxy for the service at this URL that injects one of these faults into one request of `one_in`.
    pub async fn in_front_of(base_url: &str, seed: u64, faults: &[Fault], one_in: usize) -> Self {
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

    /// Waits until the service has responded to every request that reached it.
    pub async fn rest(&self) {
        while self.shared.under_way.load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Returns every request so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// Counts the requests by fault.
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
    while let Some((head, body)) = read_message(&mut client).await {
        shared.under_way.fetch_add(1, Ordering::SeqCst);
        let going_on = exchange(&mut client, &shared, head, body).await;
        shared.answered.notify_waiters();
        if going_on.is_none() {
            return;
        }
    }
}

/// Handles one request; `None` when the connection has ended.
async fn exchange(client: &mut TcpStream, shared: &Shared, head: String, body: Vec<u8>) -> Option<()> {
    let (fault, mut rng) = shared.next_fault();
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
        Fault::Refuse => answer = Some(proxy_response(*rng.pick(&REFUSALS))),
        Fault::Fail if answer.is_some() => answer = Some(proxy_response(*rng.pick(&FAILURES))),
        _ => {}
    }
    if let Some((head, body)) = &answer {
        let mut seen = shared.seen.lock().unwrap();
        seen[place].status = head.split_whitespace().nth(1).and_then(|status| status.parse().ok());
        seen[place].answer = String::from_utf8_lossy(body).into_owned();
    }
    // Faults before the service: the request is not forwarded.
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
    /// Chooses the fault of the next request, and seeds its own random numbers.
    fn next_fault(&self) -> (Fault, Rng) {
        let mut rng = self.rng.lock().unwrap();
        let own = Rng::new(rng.number());
        let goes_wrong = !self.healed.load(Ordering::SeqCst) && rng.below(self.one_in) == 0;
        (if goes_wrong { *rng.pick(&self.faults) } else { Fault::None }, own)
    }

    /// Forwards a request to the service on a new connection.
    async fn ask(&self, head: &str, body: &[u8]) -> Option<(String, Vec<u8>)> {
        let mut service = TcpStream::connect(&self.service).await.ok()?;
        let head = head.strip_suffix("\r\n")?;
        let host = head.lines().find(|line| line.to_ascii_lowercase().starts_with("host:"))?;
        let head = head.replace(host, &format!("host: {}", self.service));
        let request = [format!("{head}connection: close\r\n\r\n").as_bytes(), body].concat();
        service.write_all(&request).await.ok()?;
        let (head, body) = read_message(&mut service).await?;
        // The client's connection stays open, so that clients also reuse older connections.
        let kept: Vec<&str> =
            head.lines().filter(|line| !line.to_ascii_lowercase().starts_with("connection:")).collect();
        Some((kept.join("\r\n") + "\r\n", body))
    }

    /// Sends the response to the client; `None` when the connection has ended.
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

/// Returns a response made by the proxy.
fn proxy_response((status, more): (&str, &str)) -> (String, Vec<u8>) {
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
