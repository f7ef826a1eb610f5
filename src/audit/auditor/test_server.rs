//! A loopback test server that sends scripted bytes, well-formed or not.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// What the server does after the bytes of a reply.
#[derive(Clone)]
pub(in crate::audit) enum ReplyEnd {
    Close,
    /// Drops the connection without a shutdown.
    BreakOff,
    /// Sends nothing more and waits for the client to give up.
    Hang,
    /// Repeats these bytes until the client closes.
    Forever(Vec<u8>),
    /// Sends one byte at a time, pausing after each, until the client closes.
    Drip(Duration),
}

/// One scripted reply.
#[derive(Clone)]
pub(in crate::audit) struct Reply {
    bytes: Vec<u8>,
    ending: ReplyEnd,
    /// The delay before the first byte.
    delay: Duration,
}

impl Reply {
    /// Creates a reply of exactly these bytes, whether or not they are HTTP.
    pub(in crate::audit) fn raw(bytes: &[u8], ending: ReplyEnd) -> Self {
        Self { bytes: bytes.to_vec(), ending, delay: Duration::ZERO }
    }

    /// Delays the reply.
    pub(in crate::audit) fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Creates a reply of status, header lines and body, with its Content-Length.
    pub(in crate::audit) fn new(status: u16, headers: &[&str], body: &[u8]) -> Self {
        let mut bytes = head(status, headers);
        bytes.truncate(bytes.len() - 2);
        bytes.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
        bytes.extend_from_slice(body);
        Self::raw(&bytes, ReplyEnd::Close)
    }

    /// Creates an HTML page.
    pub(in crate::audit) fn html(body: &str) -> Self {
        Self::new(200, &["content-type: text/html; charset=utf-8"], body.as_bytes())
    }

    /// Creates a redirect.
    pub(in crate::audit) fn to(location: &str) -> Self {
        Self::new(301, &[&format!("location: {location}")], b"")
    }

    /// Creates the head of a reply and the start of a body, followed by `ending`.
    pub(in crate::audit) fn open(headers: &[&str], start: &[u8], ending: ReplyEnd) -> Self {
        let mut bytes = head(200, headers);
        bytes.extend_from_slice(start);
        Self::raw(&bytes, ending)
    }
}

fn head(status: u16, headers: &[&str]) -> Vec<u8> {
    let mut lines = vec![format!("HTTP/1.1 {status} Said")];
    lines.extend(headers.iter().map(|line| (*line).to_owned()));
    lines.push("\r\n".to_owned());
    lines.join("\r\n").into_bytes()
}

/// A running server, stopped when dropped.
pub(in crate::audit) struct Server {
    pub(in crate::audit) address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Serves the replies by path; all other paths get a 404.
    pub(in crate::audit) async fn start(replies: &[(&str, Reply)]) -> Self {
        Self::listen(replies, None).await
    }

    /// Like [`Self::start`], behind TLS.
    pub(in crate::audit) async fn start_tls(replies: &[(&str, Reply)], acceptor: TlsAcceptor) -> Self {
        Self::listen(replies, Some(acceptor)).await
    }

    async fn listen(replies: &[(&str, Reply)], acceptor: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let replies: HashMap<String, Reply> =
            replies.iter().map(|(path, reply)| ((*path).to_owned(), reply.clone())).collect();
        let (replies, asked) = (Arc::new(replies), Arc::new(Mutex::new(Vec::new())));
        let noted = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (replies, noted, acceptor) = (Arc::clone(&replies), Arc::clone(&noted), acceptor.clone());
                tokio::spawn(async move {
                    match acceptor {
                        None => serve(stream, &replies, &noted).await,
                        Some(acceptor) => {
                            if let Ok(stream) = acceptor.accept(stream).await {
                                serve(stream, &replies, &noted).await;
                            }
                        }
                    }
                });
            }
        });
        Self { address, asked, task }
    }

    /// Returns the URL of a path.
    pub(in crate::audit) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the paths requested so far.
    pub(in crate::audit) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn serve<S>(mut stream: S, replies: &HashMap<String, Reply>, asked: &Mutex<Vec<String>>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let path = text.split(' ').nth(1).unwrap_or_default().to_owned();
    let reply = replies.get(&path).cloned().unwrap_or_else(|| Reply::new(404, &[], b"not here"));
    asked.lock().unwrap().push(path);
    tokio::time::sleep(reply.delay).await;
    if stream.write_all(&reply.bytes).await.is_err() {
        return;
    }
    let _ = stream.flush().await;
    match reply.ending {
        ReplyEnd::Close => {
            let _ = stream.shutdown().await;
        }
        ReplyEnd::BreakOff => {}
        ReplyEnd::Hang => {
            let _ = stream.read_u8().await;
        }
        ReplyEnd::Forever(bytes) => while stream.write_all(&bytes).await.is_ok() {},
        ReplyEnd::Drip(pause) => {
            while stream.write_all(b"x").await.is_ok() && stream.flush().await.is_ok() {
                tokio::time::sleep(pause).await;
            }
        }
    }
}
