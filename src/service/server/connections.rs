//! Connections: a limited number, with timeouts, so that idle clients do not keep others out.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::response::IntoResponse as _;
use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use prometheus_client::metrics::counter::Counter;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connection_places::{ActiveRequest, ConnectionPlace, Connections};
use super::request_body::RequestBody;
use crate::service::handlers::errors::ErrorResponse;

/// Limits of connections.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// The most open connections.
    most: usize,
    /// The timeout for a request's head; also the keep-alive timeout.
    head: Duration,
    /// The timeout of a write while the client does not read the response.
    answer: Duration,
}

/// The most open connections, if the process may open enough files.
const MOST_CONNECTIONS: usize = 800;
/// Files for the database and audits, which connections leave free, unless that is more than half of all.
const OTHER_FILES: usize = 150;

impl ConnectionLimits {
    /// Returns the limits of this process. Our clients close idle connections before the keep-alive timeout, so that none
    /// is closed during a request.
    pub fn of_process() -> Self {
        #[cfg(unix)]
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        #[cfg(not(unix))]
        let files: Option<u64> = None;
        let files = files.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX);
        let most = files.saturating_sub(OTHER_FILES).max(files / 2).min(MOST_CONNECTIONS);
        Self { most, head: Duration::from_mins(1), answer: Duration::from_secs(30) }
    }
}

/// The size in bytes up to which a request head is accepted (at twice that it is refused), and the write buffer of a
/// connection.
const HEAD: usize = 64 * 1024;

/// The pause after `accept` failed for lack of files or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);
/// How long a refused client may take to send its request and read the response.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);
/// The response to a connection beyond the limit.
const TOO_MANY: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: 80\r\n\
    cache-control: no-store\r\nretry-after: 1\r\nconnection: close\r\n\r\n\
    {\"message\":\"Too many connections are open. Try again in a moment.\",\"status\":503}";

/// Accepts connections until `stop` is cancelled, then finishes open requests. `refused` counts requests and connections
/// refused at the limit.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: CancellationToken,
    bounds: ConnectionLimits,
    refused: Counter,
) {
    let connections = Connections::new(bounds.most, refused);
    let open = TaskTracker::new();
    let take = |connection: (TcpStream, SocketAddr)| match connections.place() {
        Some(place) => drop(open.spawn(answer(connection, router.clone(), stop.clone(), (bounds, place)).boxed())),
        None => drop(open.spawn(refuse(connection, Arc::clone(&connections)).boxed())),
    };
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok(connection) => take(connection),
            Err(error) if is_of_one_connection(error.kind()) => {}
            Err(error) => {
                tracing::error!(%error, "connections cannot be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    // Connections waiting in the backlog would be reset, and a proxy does not resend their writes.
    while let Some(Ok(connection)) = listener.accept().now_or_never() {
        take(connection);
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// Serves one connection.
async fn answer(
    (stream, peer): (TcpStream, SocketAddr),
    router: Router,
    stop: CancellationToken,
    (bounds, place): (ConnectionLimits, ConnectionPlace),
) {
    let router = TowerToHyperService::new(router);
    let (close, place) = (place.close.clone(), Arc::new(place));
    let service = service_fn(move |mut request: Request<Incoming>| {
        let (router, place) = (router.clone(), Arc::clone(&place));
        async move {
            // The place went to another connection while this request was being received: it is not handled.
            let Some(under_way) = ActiveRequest::begin(Arc::clone(&place)) else {
                place.connections.record_refusal(peer);
                return Ok(ErrorResponse::Overloaded.into_response());
            };
            request.extensions_mut().insert(ConnectInfo(peer));
            let answered = router.call(request.map(|body| Body::new(RequestBody::new(body, place)))).await;
            // The request ends when the response has been written: then the body is dropped, and this with it.
            answered.map(|answer| {
                answer.map(|body| {
                    Body::new(body.map_err(move |error| {
                        let _ = &under_way;
                        error
                    }))
                })
            })
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(bounds.head).max_buf_size(HEAD);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(bounds.answer));
    let stream = TokioIo::new(Box::pin(stream));
    let mut connection = std::pin::pin!(builder.serve_connection(stream, service));
    let ended = tokio::select! {
        // First, so that a request that has arrived is read: a shutdown closes connections from which nothing was read.
        biased;
        ended = connection.as_mut() => ended,
        () = close.cancelled() => return,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::trace!(%error, "a connection failed");
    }
}

/// Responds with 503: too many connections.
async fn refuse((mut stream, peer): (TcpStream, SocketAddr), connections: Arc<Connections>) {
    connections.record_refusal(peer);
    let say = async {
        // Clients treat a response sent before their request as a broken connection.
        stream.peek(&mut [0]).await?;
        stream.write_all(TOO_MANY.as_bytes()).await?;
        stream.shutdown().await?;
        // Closing with unread input would reset the connection and lose the response.
        tokio::io::copy(&mut (&mut stream).take(64 * 1024), &mut tokio::io::sink()).await
    };
    // After a timeout the client neither sends nor reads.
    let _ = tokio::time::timeout(REFUSAL_TIMEOUT, say).await;
}

/// Whether an error concerns the accepted connection alone, so that the next `accept` may succeed.
fn is_of_one_connection(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionAborted | ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::{get, post};
    use tokio::sync::Semaphore;

    /// Requests to `/wait/0` and `/wait/1` signal that they have begun, and continue when permitted.
    static GATES: [(Semaphore, Semaphore); 2] = [const { (Semaphore::const_new(0), Semaphore::const_new(0)) }; 2];

    async fn waits(gate: usize) -> &'static str {
        GATES[gate].0.add_permits(1);
        GATES[gate].1.acquire().await.unwrap().forget();
        "waited"
    }

    /// A connection with a request in progress.
    async fn busy_connection(address: SocketAddr, gate: usize) -> TcpStream {
        let head = format!("GET /wait/{gate} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
        let stream = sent(address, head.as_bytes()).await;
        GATES[gate].0.acquire().await.unwrap().forget();
        stream
    }

    const HELLO: &[u8] = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";

    /// More than the system buffers for a connection.
    const LARGE_BODY: usize = 64 * 1024 * 1024;

    async fn serving(most: usize, head: Duration) -> SocketAddr {
        serving_counted(most, head, Counter::default()).await
    }

    async fn serving_counted(most: usize, head: Duration, refused: Counter) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/", get(async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string()))
            .route("/wait/0", get(async || waits(0).await))
            .route("/wait/1", get(async || waits(1).await))
            .route("/read", post(async |body: String| body))
            .route("/much", get(async || vec![b'a'; LARGE_BODY]));
        let bounds = ConnectionLimits { most, head, answer: Duration::from_millis(50) };
        tokio::spawn(serve(listener, router, CancellationToken::new(), bounds, refused));
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
    async fn connections_in_the_backlog_are_served_when_the_service_stops() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut waiting = Vec::new();
        for _ in 0..20 {
            waiting.push(sent(address, HELLO).await);
        }
        let stop = CancellationToken::new();
        stop.cancel();
        let router = Router::new().route("/", get(async || "here"));
        let bounds = ConnectionLimits { most: 100, head: Duration::from_mins(1), answer: Duration::from_mins(1) };
        tokio::spawn(serve(listener, router, stop, bounds, Counter::default()));
        for stream in waiting {
            assert!(read(stream).await.contains("here"));
        }
    }

    #[tokio::test]
    async fn endless_heads_and_idle_connections_are_closed() {
        let address = serving(8, Duration::from_millis(50)).await;
        for beginning in [&b""[..], b"GET / HT", b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: "] {
            assert!(!read(sent(address, beginning).await).await.contains("200"), "closed without a response");
        }
        let rested = read(sent(address, HELLO).await).await;
        assert!(rested.starts_with("HTTP/1.1 200") && rested.contains("127.0.0.1:"), "{rested}");
    }

    #[tokio::test]
    async fn a_client_that_reads_nothing_of_its_response_is_disconnected() {
        let address = serving(1, Duration::from_mins(1)).await;
        let mut lazy = sent(address, b"GET /much HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n").await;
        // The only place is free again, though the client that does not read is still connected.
        while !read(sent(address, b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n").await)
            .await
            .contains("200 OK")
        {
            tokio::task::yield_now().await;
        }
        let mut taken = Vec::new();
        let ended = lazy.read_to_end(&mut taken).await;
        assert!(ended.is_err() || taken.len() < LARGE_BODY, "it was cut off: {} bytes", taken.len());
    }

    #[tokio::test]
    async fn the_connection_that_has_been_idle_longest_makes_room() {
        let address = serving(3, Duration::from_mins(1)).await;
        let mut busy_connection = busy_connection(address, 0).await;
        let first = sent(address, b"GET").await;
        // Its request came later, so it has been idle for less time.
        let mut second = sent(address, HELLO).await;
        let mut answered = [0; 12];
        second.read_exact(&mut answered).await.unwrap();
        assert_eq!(&answered, b"HTTP/1.1 200");
        let close = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n";
        assert!(read(sent(address, close).await).await.contains("200 OK"), "a newcomer is let in");
        assert_eq!(read(first).await, "", "the longest idle one was closed");
        second.write_all(close).await.unwrap();
        assert!(read(second).await.contains("200 OK"), "the other one was not");
        GATES[0].1.add_permits(1);
        busy_connection.write_all(close).await.unwrap();
        assert!(read(busy_connection).await.contains("waited"), "and no request was broken off");
    }

    #[tokio::test]
    async fn thousands_of_idle_connections_keep_no_client_out() {
        let address = serving(20, Duration::from_mins(1)).await;
        let mut silent = Vec::new();
        for _ in 0..200 {
            silent.push(TcpStream::connect(address).await.unwrap());
        }
        let close = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n";
        for _ in 0..50 {
            assert!(read(sent(address, close).await).await.contains("200 OK"));
        }
    }

    #[tokio::test]
    async fn bodies_that_do_not_arrive_keep_no_client_out() {
        let address = serving(20, Duration::from_mins(1)).await;
        let beginning =
            b"POST /read HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 8\r\nconnection: close\r\n\r\nit is ";
        let mut partial = Vec::new();
        for _ in 0..200 {
            partial.push(sent(address, beginning).await);
        }
        let close = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n";
        for _ in 0..50 {
            assert!(read(sent(address, close).await).await.contains("200 OK"));
            let mut whole = sent(address, beginning).await;
            whole.write_all(b"me").await.unwrap();
            assert!(read(whole).await.ends_with("it is me"));
        }
    }

    #[tokio::test]
    async fn a_connection_beyond_the_limit_gets_503_while_all_others_are_busy() {
        let log = tempfile::NamedTempFile::new().unwrap();
        let file = Arc::new(log.reopen().unwrap());
        let _logging = tracing::subscriber::set_default(tracing_subscriber::fmt().with_writer(file).finish());
        let count = Counter::default();
        let address = serving_counted(2, Duration::from_mins(1), count.clone()).await;
        let kept = [busy_connection(address, 1).await, busy_connection(address, 1).await];
        let mut late = TcpStream::connect(address).await.unwrap();
        let early = tokio::time::timeout(Duration::from_millis(100), late.peek(&mut [0])).await;
        assert!(early.is_err(), "no response before there is a request");
        late.write_all(HELLO).await.unwrap();
        let refused = read(late).await;
        let (head, body) = refused.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 503") && head.contains("retry-after: 1"), "{head}");
        assert!(head.contains(&format!("content-length: {}\r", body.len())), "{head} {}", body.len());
        assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()["status"], 503);
        let logged = std::fs::read_to_string(log.path()).unwrap();
        assert!(logged.contains("too many connections are open") && logged.contains("127.0.0.1"), "{logged}");
        assert_eq!(count.get(), 1);
        drop(kept);
        let close = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n";
        while !read(sent(address, close).await).await.contains("200 OK") {
            tokio::task::yield_now().await;
        }
    }
}
