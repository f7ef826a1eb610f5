//! Slow pages on many loopback addresses, each its own host, that record concurrent audits.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// The response time of a page.
const DELAY: Duration = Duration::from_millis(150);
const PAGE: &str = "<!doctype html><html lang=\"en\"><title>Tea</title><h1>Tea</h1><p>words</p>";

/// The pages `http://127.0.0.<host>:<port>/page/<number>`.
pub struct SlowPages {
    port: u16,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    /// Pages being served, by host.
    open: HashMap<u8, u32>,
    most: u32,
    pages: HashMap<String, u32>,
}

impl SlowPages {
    /// Serves pages on this many hosts until the runtime ends.
    pub async fn serve(hosts: u8) -> Self {
        let seen = Arc::<Mutex<Seen>>::default();
        let mut port = 0;
        for host in 1..=hosts {
            let listener = TcpListener::bind((Ipv4Addr::new(127, 0, 0, host), port)).await.unwrap();
            port = listener.local_addr().unwrap().port();
            let seen = Arc::clone(&seen);
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(answer(stream, host, Arc::clone(&seen)));
                }
            });
        }
        Self { port, seen }
    }

    /// Returns the URL of a page.
    pub fn url(&self, host: u8, number: usize) -> String {
        format!("http://127.0.0.{host}:{}/page/{number}", self.port)
    }

    /// Returns the maximum number of pages of one host that were audited concurrently.
    pub fn most_of_a_host(&self) -> u32 {
        self.seen.lock().unwrap().most
    }

    /// Returns the number of audited pages, and the maximum number of audits of one page.
    pub fn audited(&self) -> (usize, u32) {
        let seen = self.seen.lock().unwrap();
        (seen.pages.len(), seen.pages.values().sum())
    }
}

async fn answer(stream: TcpStream, host: u8, seen: Arc<Mutex<Seen>>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    let mut header = String::new();
    while stream.read_line(&mut header).await? > 2 {
        header.clear();
    }
    let path = line.split(' ').nth(1).unwrap_or_default();
    // An audit also requests the same path with a trailing slash, which is a 404.
    let is_page = path.starts_with("/page/") && !path.ends_with('/') && line.starts_with("GET ");
    if is_page {
        let mut seen = seen.lock().unwrap();
        *seen.pages.entry(format!("{host}{path}")).or_default() += 1;
        let open = seen.open.entry(host).or_default();
        *open += 1;
        let now = *open;
        seen.most = seen.most.max(now);
    }
    if is_page {
        tokio::time::sleep(DELAY).await;
        *seen.lock().unwrap().open.get_mut(&host).unwrap() -= 1;
    }
    let (status, body) = if is_page { ("200 OK", PAGE) } else { ("404 Not Found", "") };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await
}
