//! Fetches one URL without following redirects: resolves the name, checks every address, connects to a checked address
//! and sends one request.
//!
//! Built on hyper, because a report shows phases, transferred bytes and the certificate, and because an HTTP client
//! could connect to an address that was not checked. Proxy settings of the environment are ignored.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::header;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;
use tokio_util::either::Either;
use tokio_util::task::AbortOnDropHandle;
use url::Url;

use crate::audit::fetch::body::{decode, is_decodable};
use crate::audit::fetch::fetch_error::FetchError;
use crate::audit::fetch::guard::{Permission, Policy, literal};
use crate::audit::fetch::resolve::Resolve;
use crate::audit::fetch::response::{HttpResponse, Phases};
use crate::audit::fetch::tls::Tls;
use crate::audit::limits::AuditLimits;
use crate::domain::text::Text;

/// The user agent of all requests; the part before the slash is matched against robots.txt.
pub(in crate::audit) const USER_AGENT: &str = concat!("reportdeck/", env!("CARGO_PKG_VERSION"));
/// The most headers of one response; their bytes have a limit of their own.
const MOST_HEADERS: usize = 512;
/// The most addresses of a name to try.
const MOST_ADDRESSES: usize = 3;

/// Opens connections: over the network, or in tests to a loopback server that plays public addresses.
pub(in crate::audit) trait Dial: Send + Sync {
    fn dial(&self, address: SocketAddr) -> BoxFuture<'_, std::io::Result<TcpStream>>;
}

/// Opens TCP connections over the network.
pub(in crate::audit) struct TcpDialer;

impl Dial for TcpDialer {
    fn dial(&self, address: SocketAddr) -> BoxFuture<'_, std::io::Result<TcpStream>> {
        Box::pin(TcpStream::connect(address))
    }
}

/// Fetches URLs under the address policy and the limits of an audit.
pub(in crate::audit) struct Fetcher {
    pub(in crate::audit) policy: Policy,
    pub(in crate::audit) limits: AuditLimits,
    pub(in crate::audit) resolver: Arc<dyn Resolve>,
    pub(in crate::audit) dialer: Arc<dyn Dial>,
    pub(in crate::audit) tls: Tls,
}

/// Options of a request, the same for all hops of a redirect chain.
#[derive(Debug, Clone)]
pub(in crate::audit) struct FetchOptions {
    pub(in crate::audit) permission: Permission,
    /// The most decoded bytes of the body.
    pub(in crate::audit) body_limit: usize,
    /// The deadline of the whole chain.
    pub(in crate::audit) deadline: tokio::time::Instant,
}

impl Fetcher {
    /// Fetches one URL within the time limit of one hop and before the deadline.
    pub(in crate::audit) async fn fetch(&self, url: &Url, options: &FetchOptions) -> Result<HttpResponse, FetchError> {
        let left = options.deadline.saturating_duration_since(tokio::time::Instant::now());
        let limit = self.limits.hop.min(left);
        let slow = if left < self.limits.hop {
            FetchError::TooSlow { part: "all requests up to the response", limit: self.limits.network }
        } else {
            FetchError::TooSlow { part: "the response", limit }
        };
        timeout(limit, self.hop(url, options)).await.unwrap_or(Err(slow))
    }

    async fn hop(&self, url: &Url, options: &FetchOptions) -> Result<HttpResponse, FetchError> {
        self.policy.check_url(url, &options.permission).map_err(FetchError::Refused)?;
        let mut phases = Phases::default();
        let mut phase_start = Instant::now();
        let mut lap = || {
            let start = std::mem::replace(&mut phase_start, Instant::now());
            phase_start - start
        };
        let addresses = self.addresses(url, &options.permission).await?;
        phases.resolve = lap();
        let stream = self.connect(&addresses).await?;
        phases.connect = lap();
        let (hyper_response, certificate, _task) = if url.scheme() == "https" {
            let encrypted = self.tls.handshake(stream, url).await?;
            phases.tls = lap();
            let (hyper_response, task) =
                self.send(Either::Right(encrypted.stream), url, encrypted.speaks_http2).await?;
            (hyper_response, Some(encrypted.certificate), task)
        } else {
            let (hyper_response, task) = self.send(Either::Left(stream), url, false).await?;
            (hyper_response, None, task)
        };
        phases.first_byte = lap();
        let mut response = HttpResponse {
            status: hyper_response.status().as_u16(),
            http2: hyper_response.version() == Version::HTTP_2,
            headers: hyper_response.headers().clone(),
            body: Vec::new(),
            wire_bytes: 0,
            cut: false,
            phases,
            certificate,
        };
        if response.redirect().is_none() {
            read_body(&mut response, hyper_response.into_body(), options.body_limit).await?;
            response.phases.body = lap();
        }
        Ok(response)
    }

    /// Resolves the URL's host. One forbidden address refuses the whole name.
    async fn addresses(&self, url: &Url, permission: &Permission) -> Result<Vec<SocketAddr>, FetchError> {
        let found: Vec<IpAddr> = match (literal(url), url.host_str()) {
            (Some(address), _) => vec![address],
            (None, Some(name)) => {
                let failed = |reason: String| FetchError::Name {
                    name: Text::from_outside(name),
                    reason: Text::from_outside(reason),
                };
                let found = self.resolver.resolve(name).await.map_err(|error| failed(error.to_string()))?;
                if found.is_empty() {
                    return Err(failed("it has no address".into()));
                }
                found
            }
            (None, None) => Vec::new(),
        };
        let judged = found.into_iter().map(|address| self.policy.check_address(url, address, permission));
        judged.collect::<Result<_, _>>().map_err(FetchError::Refused)
    }

    /// Connects to the first address that accepts, trying at most `MOST_ADDRESSES`.
    async fn connect(&self, addresses: &[SocketAddr]) -> Result<TcpStream, FetchError> {
        let limit = self.limits.connect;
        let mut fetch_error = FetchError::TooSlow { part: "the connection", limit };
        for address in addresses.iter().take(MOST_ADDRESSES) {
            match timeout(limit, self.dialer.dial(*address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => {
                    fetch_error =
                        FetchError::Connect { address: *address, reason: Text::from_outside(error.to_string()) };
                }
                Err(_) => fetch_error = FetchError::TooSlow { part: "the connection", limit },
            }
        }
        Err(fetch_error)
    }

    /// Sends the request and waits for the response headers. The task drives the connection until its handle is dropped.
    async fn send(
        &self,
        stream: Either<TcpStream, TlsStream<TcpStream>>,
        url: &Url,
        http2: bool,
    ) -> Result<(Response<Incoming>, AbortOnDropHandle<()>), FetchError> {
        let io = TokioIo::new(stream);
        let request = request(url, http2)?;
        if http2 {
            let mut builder = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
            builder
                .timer(TokioTimer::new())
                .max_header_list_size(u32::try_from(self.limits.headers).unwrap_or(u32::MAX));
            let (mut sender, connection) = builder.handshake(io).await.map_err(|error| broken(&error))?;
            let task = AbortOnDropHandle::new(tokio::spawn(connection.map(drop).boxed()));
            let hyper_response = sender.send_request(request).await.map_err(|error| broken(&error))?;
            return Ok((hyper_response, task));
        }
        let mut builder = hyper::client::conn::http1::Builder::new();
        builder
            .max_buf_size(self.limits.headers.max(8192))
            .max_header_size(self.limits.headers)
            .max_headers(MOST_HEADERS);
        let (mut sender, connection) = builder.handshake(io).await.map_err(|error| broken(&error))?;
        let task = AbortOnDropHandle::new(tokio::spawn(connection.map(drop).boxed()));
        let hyper_response = sender.send_request(request).await.map_err(|error| broken(&error))?;
        Ok((hyper_response, task))
    }
}

/// Builds the request: HTTP/1.1 needs a path and a Host header, HTTP/2 the whole URL.
fn request(url: &Url, http2: bool) -> Result<Request<Empty<Bytes>>, FetchError> {
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let target = if http2 { format!("{}://{authority}{path}", url.scheme()) } else { path.to_owned() };
    let mut builder = Request::get(target)
        .header(header::USER_AGENT, USER_AGENT)
        .header(header::ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8")
        .header(header::ACCEPT_ENCODING, "gzip, deflate");
    if !http2 {
        builder = builder.header(header::HOST, authority).header(header::CONNECTION, "close");
    }
    builder.body(Empty::new()).map_err(|error| FetchError::Protocol(Text::from_outside(error.to_string())))
}

async fn read_body(response: &mut HttpResponse, mut body: Incoming, limit: usize) -> Result<(), FetchError> {
    let encoding = response.header("content-encoding").unwrap_or_default().to_owned();
    let failed = |reason: String| FetchError::Protocol(Text::from_outside(reason));
    if !is_decodable(&encoding) {
        return Err(failed(format!("its encoding {encoding} was not requested")));
    }
    // A body without a length ends with the connection, and many servers close a TLS connection abruptly.
    let is_open_ended = !response.http2
        && response.header("content-length").is_none()
        && response.header("transfer-encoding").is_none();
    let mut wire = Vec::new();
    while wire.len() < limit
        && let Some(frame) = body.frame().await
    {
        match frame {
            Ok(frame) => wire.extend_from_slice(frame.data_ref().map_or(&[], |piece| &piece[..])),
            Err(_) if is_open_ended => break,
            Err(error) => return Err(broken(&error)),
        }
    }
    response.wire_bytes = wire.len();
    let (bytes, is_cut) =
        decode(&encoding, &wire, limit).map_err(|_| failed(format!("its {encoding} data is damaged")))?;
    response.cut = is_cut || response.wire_bytes >= limit;
    response.body = bytes;
    Ok(())
}

fn broken(error: &hyper::Error) -> FetchError {
    let mut reason = error.to_string();
    // hyper's message says which operation failed; its source says why.
    if let Some(cause) = std::error::Error::source(error) {
        reason = format!("{reason}: {cause}");
    }
    FetchError::Protocol(Text::from_outside(reason))
}
