//! A loopback server for tests that says exactly what it is told, byte by byte, well-behaved or not.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// What the server does after the bytes of a reply.
#[derive(Clone)]
pub(in crate::audit) enum Ending {
    Close,
    /// Leaves without a goodbye.
    BreakOff,
    /// Says nothing more and waits for the other side to lose its patience.
    Hang,
    /// Goes on with these bytes until the other side has had enough.
    Forever(Vec<u8>),
    /// The same, but one byte at a time with a pause before each.
    Drip(Duration),
}

/// One scripted reply.
#[derive(Clone)]
pub(in crate::audit) struct Reply {
    bytes: Vec<u8>,
    ending: Ending,
    /// Thinks that long before it says anything.
    delay: Duration,
}

impl Reply {
    /// Exactly these bytes, whether they are HTTP or not.
    pub(in crate::audit) fn raw(bytes: &[u8], ending: Ending) -> Self {
        Self { bytes: bytes.to_vec(), ending, delay: Duration::ZERO }
    }

    /// The same reply, later.
    pub(in crate::audit) fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// A status, header lines and a body, with its length.
    pub(in crate::audit) fn new(status: u16, headers: &[&str], body: &[u8]) -> Self {
        let mut bytes = head(status, headers);
        bytes.truncate(bytes.len() - 2);
        bytes.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
        bytes.extend_from_slice(body);
        Self::raw(&bytes, Ending::Close)
    }

    /// A page of HTML.
    pub(in crate::audit) fn html(body: &str) -> Self {
        Self::new(200, &["content-type: text/html; charset=utf-8"], body.as_bytes())
    }

    /// A redirect.
    pub(in crate::audit) fn to(location: &str) -> Self {
        Self::new(301, &[&format!("location: {location}")], b"")
    }

    /// The head of a reply and the start of a body that ends as told.
    pub(in crate::audit) fn open(headers: &[&str], start: &[u8], ending: Ending) -> Self {
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

/// A running server. Dropping it ends it.
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
    /// Serves the replies by path; everything else is a 404.
    pub(in crate::audit) async fn start(replies: &[(&str, Reply)]) -> Self {
        Self::listen(replies, None).await
    }

    /// The same behind TLS.
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

    /// The URL of a path.
    pub(in crate::audit) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The paths that were asked for so far.
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
        Ending::Close => {
            let _ = stream.shutdown().await;
        }
        Ending::BreakOff => {}
        Ending::Hang => {
            let _ = stream.read_u8().await;
        }
        Ending::Forever(bytes) => while stream.write_all(&bytes).await.is_ok() {},
        Ending::Drip(pause) => {
            while stream.write_all(b"x").await.is_ok() && stream.flush().await.is_ok() {
                tokio::time::sleep(pause).await;
            }
        }
    }
}
