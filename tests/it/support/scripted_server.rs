//! An HTTP server that follows a script, including resets, silence and endless bodies, and records every request.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A received request.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    pub method: String,
    /// Path and query as received.
    pub target: String,
    /// The complete head, including the request line.
    pub head: String,
    pub body: String,
    /// Number of earlier requests with the same method and path.
    pub before: usize,
    /// Number of connections accepted before its own.
    pub connection: usize,
}

impl RecordedRequest {
    /// Returns the path without its query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap()
    }

    /// Returns the method and path, such as `GET /api/v1/reports`.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.path())
    }

    /// Returns a decoded query parameter.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let url = reqwest::Url::parse("http://x.invalid").unwrap().join(&self.target).unwrap();
        url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }
}

/// The server's reaction to a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A status and a JSON body.
    Json(u16, Value),
    /// A status, header lines without line breaks, and a body with its Content-Length.
    Full(u16, Vec<String>, Vec<u8>),
    /// Raw bytes; then the connection is closed.
    Raw(Vec<u8>),
    /// The connection is reset without a response.
    Reset,
    /// The connection stays open without a response.
    Silence,
    /// The first bytes once, then the others again and again, after this pause each time.
    Endless(Vec<u8>, Vec<u8>, Duration),
}

impl Reply {
    /// Returns a status with headers such as `Location: /x` and no body.
    pub fn head(status: u16, headers: &[&str]) -> Self {
        Self::Full(status, headers.iter().map(|&header| header.to_owned()).collect(), Vec::new())
    }

    /// Returns a web page.
    pub fn html(status: u16, title: &str) -> Self {
        let page = format!("<!doctype html><html><head><title>{title}</title></head><body>x</body></html>");
        Self::Full(status, vec!["Content-Type: text/html; charset=utf-8".into()], page.into_bytes())
    }

    /// Returns a successful response with this text as its body, declared as JSON.
    pub fn text(body: &str) -> Self {
        Self::Full(200, vec!["Content-Type: application/json".into()], body.as_bytes().to_vec())
    }
}

type Script = Arc<dyn Fn(&RecordedRequest) -> Reply + Send + Sync>;

/// A running server.
pub struct ScriptedServer {
    pub base: String,
    script: Arc<Mutex<Script>>,
    asked: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl ScriptedServer {
    /// Starts a server with this script.
    pub async fn start(script: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(Arc::new(script)));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let service = Self { base, script: Arc::clone(&script), asked: Arc::clone(&asked) };
        tokio::spawn(async move {
            let mut connections = 0..;
            while let Ok((stream, _)) = listener.accept().await {
                let connection = connections.next().unwrap();
                tokio::spawn(serve(stream, connection, Arc::clone(&script), Arc::clone(&asked)));
            }
        });
        service
    }

    /// Replaces the script.
    pub fn now(&self, script: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static) {
        *self.script.lock().unwrap() = Arc::new(script);
    }

    /// Returns all received requests.
    pub fn asked(&self) -> Vec<RecordedRequest> {
        self.asked.lock().unwrap().clone()
    }

    /// Returns the requests of one kind, such as `GET /api/v1/reports`.
    pub fn asked_for(&self, line: &str) -> Vec<RecordedRequest> {
        self.asked().into_iter().filter(|asked| asked.line() == line).collect()
    }

    /// Returns the number of requests of one kind.
    pub fn count(&self, line: &str) -> usize {
        self.asked_for(line).len()
    }
}

async fn serve(
    mut stream: TcpStream,
    connection: usize,
    script: Arc<Mutex<Script>>,
    log: Arc<Mutex<Vec<RecordedRequest>>>,
) {
    while let Some(asked) = request(&mut stream, connection, &log).await {
        let script = Arc::clone(&script.lock().unwrap());
        if answer(&mut stream, script(&asked)).await.is_none() {
            return;
        }
    }
}

/// Reads one request; `None` when the client has closed the connection.
async fn request(
    stream: &mut TcpStream,
    connection: usize,
    log: &Mutex<Vec<RecordedRequest>>,
) -> Option<RecordedRequest> {
    let (head, body) = read_message(stream).await?;
    let mut line = head.split_whitespace();
    let (method, target) = (line.next()?.to_owned(), line.next()?.to_owned());
    let body = String::from_utf8_lossy(&body).into_owned();
    let mut asked = RecordedRequest { method, target, head, body, before: 0, connection };
    let mut log = log.lock().unwrap();
    asked.before = log.iter().filter(|other| other.line() == asked.line()).count();
    log.push(asked.clone());
    Some(asked)
}

/// Reads a head with its empty line, and a body of the announced length; `None` at the end of the connection.
pub(super) async fn read_message(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
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

/// Carries out a reply; `None` when the connection has ended.
async fn answer(stream: &mut TcpStream, reply: Reply) -> Option<()> {
    match reply {
        Reply::Json(status, body) => {
            full(stream, status, &["Content-Type: application/json".into()], body.to_string().as_bytes()).await
        }
        Reply::Full(status, headers, body) => full(stream, status, &headers, &body).await,
        Reply::Raw(bytes) => {
            stream.write_all(&bytes).await.ok()?;
            stream.shutdown().await.ok()?;
            None
        }
        Reply::Reset => {
            stream.set_zero_linger().unwrap();
            None
        }
        Reply::Silence => {
            // Until the client gives up.
            more(stream, &mut Vec::new()).await?;
            None
        }
        Reply::Endless(start, piece, pause) => {
            stream.write_all(&start).await.ok()?;
            loop {
                tokio::time::sleep(pause).await;
                stream.write_all(&piece).await.ok()?;
            }
        }
    }
}

async fn full(stream: &mut TcpStream, status: u16, headers: &[String], body: &[u8]) -> Option<()> {
    let mut head = format!("HTTP/1.1 {status} Said\r\n");
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    if status != 204 {
        write!(head, "Content-Length: {}\r\n", body.len()).unwrap();
    }
    head.push_str("\r\n");
    stream.write_all(&[head.as_bytes(), body].concat()).await.ok()
}
