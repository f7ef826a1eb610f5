//! Dashboards of a team on one desk, and a TCP forwarder that can cut the connection to it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use reportdeck::api::address::BaseUrl;
use reportdeck::app::message::Message;
use reportdeck::domain::desk::Role;
use reportdeck::runtime::{DeskAccess, ServiceConnection};
use reportdeck::service::{Proxies, StoreAddress};
use secrecy::{ExposeSecret as _, SecretString};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::new_key;
use crate::support::embedded_service::{Running, store_of};
use crate::support::session::{Person, connected};

/// The maximum number of messages that a test waits for; a desk sends something at least every 50 seconds.
const MOST_MESSAGES: usize = 500;

/// A service with three bad reports, and its desk. On PostgreSQL it runs two instances, and members join them
/// alternately.
pub struct Team {
    pub running: Running,
    other: Option<Running>,
    joined: AtomicUsize,
    pub data: TempDir,
}

impl Team {
    pub async fn start() -> Self {
        let (running, data) = Running::start().await;
        for page in ["tea", "cart", "mugs"] {
            running.client.create(&format!("https://{page}.example/?score=31")).await;
        }
        let other = match store_of(data.path()).await {
            StoreAddress::Postgres(url) => {
                Some(Running::on_store(StoreAddress::Postgres(url), None, Proxies::default()).await.unwrap())
            }
            StoreAddress::Data(_) => None,
        };
        Self { running, other, joined: AtomicUsize::new(0), data }
    }

    /// Returns the instance that the next member joins.
    pub fn instance(&self) -> &Running {
        let number = self.joined.fetch_add(1, Ordering::SeqCst);
        self.other.as_ref().filter(|_| number % 2 == 1).unwrap_or(&self.running)
    }

    /// Opens a dashboard for a new member with a key of this role.
    pub async fn joins(&self, handle: &str, role: Role) -> Person {
        let key = new_key(self.data.path(), Some(handle), role).await;
        let mut person = Person::with(Ok(own_desk(&key, &self.instance().service.base_url())), None).await;
        until(&mut person, &[&format!("test · {handle}")]).await;
        person
    }

    /// Returns a connection to the service whose desk is reached through a forwarder.
    pub fn through(&self, line: &Line, key: &SecretString) -> ServiceConnection {
        let base = self.running.service.base_url();
        ServiceConnection { desk: Some(desk(key, &line.base, false)), ..connected(&base, key.expose_secret()) }
    }
}

/// Returns access to a desk: the service's own, or a separate one.
pub fn desk(key: &SecretString, base: &str, is_own: bool) -> DeskAccess {
    DeskAccess { base: BaseUrl::parse(base, false).unwrap(), key: key.clone(), is_own, presence: true }
}

/// Returns a connection to a service and its own desk.
pub fn own_desk(key: &SecretString, base: &str) -> ServiceConnection {
    ServiceConnection { desk: Some(desk(key, base, true)), ..connected(base, key.expose_secret()) }
}

/// Handles messages until the screen shows all these texts.
pub async fn until(person: &mut Person, texts: &[&str]) {
    for _ in 0..MOST_MESSAGES {
        let screen = person.look().await;
        if texts.iter().all(|text| screen.contains(text)) {
            return;
        }
        let message = person.session.next_message().await;
        person.session.handle(message);
    }
    person.sees(texts);
}

/// Handles messages until the screen no longer shows this text.
pub async fn until_gone(person: &mut Person, text: &str) {
    while person.look().await.contains(text) {
        let message = person.session.next_message().await;
        person.session.handle(message);
    }
}

/// Handles messages until the desk has confirmed every decision.
pub async fn until_sent(person: &mut Person) {
    person.until(|app| app.desk.as_ref().is_none_or(|desk| desk.outbox.is_empty())).await;
}

/// Advances the clock so that notices expire and presence is reported.
pub fn later(person: &mut Person) {
    let later = Timestamp::now() + SignedDuration::from_secs(15);
    person.session.handle_at(Message::Tick, later);
}

/// A TCP forwarder to a server. It can cut connections and drop a response.
pub struct Line {
    pub base: String,
    /// The server's address; `None` while the connection is cut.
    target: watch::Sender<Option<String>>,
    server: String,
    /// Number of writes whose response was dropped.
    lost: Arc<AtomicUsize>,
    /// Number of writes whose response is still to be dropped.
    to_lose: Arc<AtomicUsize>,
    /// Requests that get another response than the server's.
    interception: Arc<Mutex<Interception>>,
}

/// Requests that begin like this get this response, and do not reach the server.
struct Interception {
    beginnings: Vec<String>,
    reply: &'static [u8],
    /// Number of intercepted requests.
    count: usize,
}

impl Line {
    pub async fn to(base_url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let server = address_of(base_url);
        let (target, followed) = watch::channel(Some(server.clone()));
        let (lost, to_lose) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counts = (Arc::clone(&lost), Arc::clone(&to_lose));
        let interception = Arc::new(Mutex::new(Interception { beginnings: Vec::new(), reply: PAGE, count: 0 }));
        let intercepted = Arc::clone(&interception);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let (mut followed, (lost, to_lose)) = (followed.clone(), counts.clone());
                let intercepted = Arc::clone(&intercepted);
                tokio::spawn(async move {
                    let target = followed.borrow_and_update().clone();
                    let Some(target) = target else { return };
                    let far = TcpStream::connect(&target).await.unwrap();
                    tokio::select! {
                        () = forward(near, far, (&lost, &to_lose), &intercepted) => {}
                        _ = followed.changed() => {}
                    }
                });
            }
        });
        Self { base, target, server, lost, to_lose, interception }
    }

    /// Closes all connections and refuses new ones.
    pub fn cut(&self) {
        self.target.send_replace(None);
    }

    /// Restores the connection to the server.
    pub fn mend(&self) {
        self.target.send_replace(Some(self.server.clone()));
    }

    /// Forwards to another server from now on.
    pub fn lead_to(&mut self, base_url: &str) {
        self.server = address_of(base_url);
        self.mend();
    }

    /// Forwards the next PUT to the server, but drops its response and the connection.
    pub fn drop_next_response(&self) {
        self.to_lose.fetch_add(1, Ordering::SeqCst);
    }

    /// Answers requests that begin like this with a web page and status 200. They do not reach the server.
    pub fn intercept(&self, beginning: &str) {
        self.answer(&[beginning], PAGE);
    }

    /// Answers requests that begin like one of these with status 500. They do not reach the server.
    pub fn fail(&self, beginnings: &[&str]) {
        self.answer(beginnings, FAILURE);
    }

    /// Answers requests that begin like one of these with status 403. They do not reach the server.
    pub fn forbid(&self, beginnings: &[&str]) {
        self.answer(beginnings, FORBIDDEN);
    }

    fn answer(&self, beginnings: &[&str], reply: &'static [u8]) {
        let beginnings = beginnings.iter().map(ToString::to_string).collect();
        *self.interception.lock().unwrap() = Interception { beginnings, reply, count: 0 };
    }

    /// Returns the number of requests intercepted since the last change of their beginnings.
    pub fn intercepted(&self) -> usize {
        self.interception.lock().unwrap().count
    }

    /// Returns the number of dropped responses.
    pub fn lost(&self) -> usize {
        self.lost.load(Ordering::SeqCst)
    }
}

/// A response of something other than a desk.
const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 18\r\nconnection: close\r\n\r\n\
    <title>Hi!</title>";

/// A response of a server that cannot carry out a request.
const FAILURE: &[u8] = b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// A response of a firewall that rejects a request for its content.
const FORBIDDEN: &[u8] = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

impl Interception {
    /// Returns the response to a request that is intercepted, and counts it.
    fn reply_to(&mut self, request: &[u8]) -> Option<&'static [u8]> {
        let is_intercepted = self.beginnings.iter().any(|beginning| request.starts_with(beginning.as_bytes()));
        self.count += usize::from(is_intercepted);
        is_intercepted.then_some(self.reply)
    }
}

/// Forwards a connection until one side closes it, a response is dropped, or a request is intercepted.
async fn forward(
    mut near: TcpStream,
    mut far: TcpStream,
    (lost, to_lose): (&AtomicUsize, &AtomicUsize),
    interception: &Mutex<Interception>,
) {
    let (mut request, mut answer) = (vec![0; 65_536], vec![0; 65_536]);
    let mut loses = false;
    loop {
        tokio::select! {
            read = near.read(&mut request) => {
                let Ok(count @ 1..) = read else { return };
                let reply = interception.lock().unwrap().reply_to(&request[..count]);
                if let Some(reply) = reply {
                    drop(near.write_all(reply).await);
                    return;
                }
                let one_less = |left: usize| left.checked_sub(1);
                loses |= request.starts_with(b"PUT ")
                    && to_lose.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less).is_ok();
                if far.write_all(&request[..count]).await.is_err() {
                    return;
                }
            }
            read = far.read(&mut answer) => {
                let Ok(count @ 1..) = read else { return };
                if loses {
                    lost.fetch_add(1, Ordering::SeqCst);
                    return;
                }
                if near.write_all(&answer[..count]).await.is_err() {
                    return;
                }
            }
        }
    }
}

fn address_of(base_url: &str) -> String {
    base_url.trim_start_matches("http://").trim_end_matches('/').to_owned()
}
