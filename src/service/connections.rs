//! Connections: so many at once, and each sends a head in time, so that nobody who keeps silent keeps others out.
//!
//! Must not know what is asked for.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::stalled::Stalled;

/// What connections may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// How many are open at once.
    most: usize,
    /// How long the head of a request may take; also how long a connection may rest between two requests.
    head: Duration,
    /// How long somebody may take nothing of an answer.
    answer: Duration,
}

/// Most systems let a process have 1,024 files: the database and audits need some of them. Clients of ours give a
/// resting connection up sooner than that, so that none is closed under a request.
pub(super) const USUAL: Bounds = Bounds { most: 800, head: Duration::from_mins(1), answer: Duration::from_secs(30) };

/// The longest head of a request, and what is kept of an answer until it is taken: the memory of a connection.
const HEAD: usize = 64 * 1024;

/// The pause after the system gave no connection, for lack of files or memory.
const BREATH: Duration = Duration::from_millis(200);
/// How long somebody who is refused may take to read why.
const FAREWELL: Duration = Duration::from_secs(1);
/// What is said to one connection too many.
const TOO_MANY: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: 80\r\n\
    cache-control: no-store\r\nretry-after: 1\r\nconnection: close\r\n\r\n\
    {\"message\":\"Too many connections are open. Try again in a moment.\",\"status\":503}";

/// Serves until it is told to stop, and then finishes what was asked.
pub(super) async fn serve(listener: TcpListener, router: Router, stop: CancellationToken, bounds: Bounds) {
    let places = Arc::new(Semaphore::new(bounds.most));
    let open = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match (accepted, Arc::clone(&places).try_acquire_owned()) {
            (Ok(visitor), Ok(place)) => {
                drop(open.spawn(answer(visitor, router.clone(), stop.clone(), (bounds, place))));
            }
            (Ok((stream, _)), Err(_)) => drop(open.spawn(refuse(stream))),
            (Err(error), _) if is_of_one_connection(error.kind()) => {}
            (Err(error), _) => {
                tracing::error!(%error, "no connection can be taken");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// Answers what is asked over one connection.
async fn answer(
    (stream, peer): (TcpStream, SocketAddr),
    router: Router,
    stop: CancellationToken,
    (bounds, _place): (Bounds, OwnedSemaphorePermit),
) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.call(request.map(Body::new))
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(bounds.head).max_buf_size(HEAD);
    let stream = TokioIo::new(Stalled::new(stream, bounds.answer));
    let mut connection = std::pin::pin!(builder.serve_connection(stream, service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::trace!(%error, "a connection broke");
    }
}

/// Says that there is no room.
async fn refuse(mut stream: TcpStream) {
    let say = async {
        stream.write_all(TOO_MANY.as_bytes()).await?;
        stream.shutdown().await?;
        // Closed with something unread, the connection would be reset and the answer lost.
        tokio::io::copy(&mut (&mut stream).take(64 * 1024), &mut tokio::io::sink()).await
    };
    // Who does not read it has gone.
    let _ = tokio::time::timeout(FAREWELL, say).await;
}

/// A connection that broke before it was taken says nothing about the next one.
fn is_of_one_connection(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionAborted | ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;

    const HELLO: &[u8] = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";

    /// More than the system keeps for a connection.
    const MUCH: usize = 64 * 1024 * 1024;

    async fn serving(most: usize, head: Duration) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/", get(async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string()))
            .route("/much", get(async || vec![b'a'; MUCH]));
        let bounds = Bounds { most, head, answer: Duration::from_millis(50) };
        tokio::spawn(serve(listener, router, CancellationToken::new(), bounds));
        address
    }

    async fn sent(address: SocketAddr, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream
    }

    async fn read(mut stream: TcpStream) -> String {
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        text
    }

    #[tokio::test]
    async fn a_head_that_never_ends_and_a_connection_that_rests_are_closed() {
        let address = serving(8, Duration::from_millis(50)).await;
        for beginning in [&b""[..], b"GET / HT", b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: "] {
            assert!(!read(sent(address, beginning).await).await.contains("200"), "it is closed, and nothing is told");
        }
        let rested = read(sent(address, HELLO).await).await;
        assert!(rested.starts_with("HTTP/1.1 200") && rested.contains("127.0.0.1:"), "{rested}");
    }

    #[tokio::test]
    async fn who_reads_nothing_of_an_answer_is_given_up() {
        let address = serving(1, Duration::from_mins(1)).await;
        let mut lazy = sent(address, b"GET /much HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n").await;
        // The only place is free again, though the lazy one is still there.
        while !read(sent(address, b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n").await)
            .await
            .contains("200 OK")
        {
            tokio::task::yield_now().await;
        }
        let mut taken = Vec::new();
        let ended = lazy.read_to_end(&mut taken).await;
        assert!(ended.is_err() || taken.len() < MUCH, "it was cut off: {} bytes", taken.len());
    }

    #[tokio::test]
    async fn one_connection_too_many_is_told_so_and_there_is_room_again_later() {
        let address = serving(2, Duration::from_mins(1)).await;
        let kept = [sent(address, b"GET").await, sent(address, b"GET").await];
        let refused = read(sent(address, HELLO).await).await;
        let (head, body) = refused.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 503") && head.contains("retry-after: 1"), "{head}");
        assert!(head.contains(&format!("content-length: {}\r", body.len())), "{head} {}", body.len());
        assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()["status"], 503);
        drop(kept);
        let close = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n";
        while !read(sent(address, close).await).await.contains("200 OK") {
            tokio::task::yield_now().await;
        }
    }
}
