//! Client and service addresses, directly or behind reverse proxies.
//!
//! Forwarded headers count only if the connection comes from a configured proxy.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use ipnet::IpNet;
use url::Url;

use super::access_log::Requester;
use crate::service::handlers::errors::ErrorResponse;

/// How the service is reached from outside.
#[derive(Debug, Clone, Default)]
pub struct Proxies {
    /// The public address, if it is not the one the service listens on. All links are built from it.
    pub public_url: Option<Url>,
    /// The proxies whose `Forwarded` and `X-Forwarded-*` headers are trusted.
    pub trusted: Vec<IpNet>,
}

/// The client of a request, and the address it used for the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientInfo {
    /// The client's address: the last one before all trusted proxies.
    pub address: IpAddr,
    /// The service's origin as the client sees it, without a trailing slash: `https://reports.example.com`. Empty if
    /// the request names no host.
    pub origin: String,
}

impl ClientInfo {
    /// Whether the client uses https, so that cookies can be restricted to it.
    pub fn uses_https(&self) -> bool {
        self.origin.starts_with("https://")
    }
}

/// The parsed forwarded headers of a request.
#[derive(Debug, Default, PartialEq, Eq)]
struct ForwardedHeaders {
    /// The addresses the request passed, the client's first. `None` for one that is hidden or malformed.
    path: Vec<Option<IpAddr>>,
    scheme: Option<String>,
    host: Option<String>,
}

/// The check of the `Host` header.
#[derive(Clone)]
pub struct HostCheck {
    proxies: Arc<Proxies>,
    /// If set, only requests that name this machine or the public address are served. This stops DNS rebinding: a web
    /// page whose own name resolves to a loopback address.
    on_loopback: bool,
}

impl HostCheck {
    pub fn new(proxies: Proxies, on_loopback: bool) -> Self {
        Self { proxies: Arc::new(proxies), on_loopback }
    }
}

/// Middleware: requires a single `Host` header that names this service, and adds [`ClientInfo`] to the request.
pub async fn identify(State(check): State<HostCheck>, mut request: Request, next: Next) -> Response {
    if request.headers().get_all(header::HOST).iter().count() > 1 {
        return ErrorResponse::Malformed("more than one Host header").into_response();
    }
    let named = host(request.headers(), request.uri());
    if check.on_loopback && !named.as_ref().is_some_and(|host| check.proxies.answers_to(host)) {
        return ErrorResponse::WrongHost.into_response();
    }
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().copied();
    let Some(ConnectInfo(peer)) = peer else { return next.run(request).await };
    let client = check.proxies.client_info(peer.ip(), request.headers(), named.as_ref());
    // For the access log. The cell is empty, since each request passes here once.
    if let Some(requester) = request.extensions().get::<Arc<Requester>>() {
        let _ = requester.address.set(client.address);
    }
    request.extensions_mut().insert(client);
    next.run(request).await
}

impl Proxies {
    fn answers_to(&self, host: &Authority) -> bool {
        let is_public = self.public_url.as_ref().and_then(Url::host_str);
        is_loopback(host.host()) || is_public.is_some_and(|public| public.eq_ignore_ascii_case(host.host()))
    }

    fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted.iter().any(|net| net.contains(&address))
    }

    fn client_info(&self, peer: IpAddr, headers: &HeaderMap, host: Option<&Authority>) -> ClientInfo {
        let peer = peer.to_canonical();
        let forwarding = if self.trusts(peer) { forwarding(headers) } else { ForwardedHeaders::default() };
        ClientInfo { address: self.client(peer, &forwarding.path), origin: self.origin(&forwarding, host) }
    }

    /// Returns the last address before all trusted proxies. Addresses that the client itself sent do not count.
    fn client(&self, peer: IpAddr, path: &[Option<IpAddr>]) -> IpAddr {
        let mut client = peer;
        for address in path.iter().rev() {
            match address {
                Some(address) if self.trusts(client) => client = address.to_canonical(),
                Some(_) | None => break,
            }
        }
        client
    }

    fn origin(&self, forwarding: &ForwardedHeaders, host: Option<&Authority>) -> String {
        if let Some(public) = &self.public_url {
            return public.as_str().trim_end_matches('/').to_owned();
        }
        let forwarded = forwarding.host.as_deref().and_then(|host| host.parse::<Authority>().ok());
        let https = forwarding.scheme.as_deref().is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"));
        let scheme = if https { "https" } else { "http" };
        forwarded.as_ref().or(host).map(|host| format!("{scheme}://{host}")).unwrap_or_default()
    }
}

/// Parses the headers of a trusted proxy. A proxy sets one of the two kinds and may pass the other on as the client
/// sent it: if both are present and name different clients, neither counts.
fn forwarding(headers: &HeaderMap) -> ForwardedHeaders {
    let (standard, x_forwarded) = (standard(headers), x_forwarded(headers));
    match (standard.path.is_empty(), x_forwarded.path.is_empty()) {
        (true, _) => x_forwarded,
        (false, true) => standard,
        (false, false) if standard.path.last() == x_forwarded.path.last() => x_forwarded,
        (false, false) => ForwardedHeaders::default(),
    }
}

/// Parses `X-Forwarded-For`, `-Proto` and `-Host`. The last of several values was added by the nearest proxy.
fn x_forwarded(headers: &HeaderMap) -> ForwardedHeaders {
    let last = |name: &str| items(headers, name).pop();
    ForwardedHeaders {
        path: items(headers, "x-forwarded-for").iter().map(|text| address(text)).collect(),
        scheme: last("x-forwarded-proto"),
        host: last("x-forwarded-host"),
    }
}

/// Parses `Forwarded` (RFC 7239): one element per proxy, each with `for`, `proto` and `host`.
fn standard(headers: &HeaderMap) -> ForwardedHeaders {
    let mut forwarding = ForwardedHeaders::default();
    for element in items(headers, "forwarded") {
        let mut node = None;
        for pair in element.split(';') {
            let (name, value) = pair.split_once('=').unwrap_or_default();
            let value = value.trim().trim_matches('"').to_owned();
            match name.trim().to_ascii_lowercase().as_str() {
                "for" => node = Some(address(&value)),
                "proto" => forwarding.scheme = Some(value),
                "host" => forwarding.host = Some(value),
                _ => {}
            }
        }
        forwarding.path.push(node.flatten());
    }
    forwarding
}

/// Returns the items of a list that may be spread over several headers of one name, in order.
fn items(headers: &HeaderMap, name: &str) -> Vec<String> {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(|item| item.trim().to_owned()).collect()
}

/// Parses an address with or without a port; an IPv6 address with a port is in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()))
}

/// Returns the host that a request names.
pub fn host(headers: &HeaderMap, uri: &Uri) -> Option<Authority> {
    match uri.authority() {
        Some(authority) => Some(authority.clone()),
        None => headers.get(header::HOST)?.to_str().ok()?.parse().ok(),
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let address = bare.parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn on_loopback_only_this_machine_is_accepted_as_host() {
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in
            ["", "example.org", "127.0.0.1.example.org", "localhost.example.org", "[::2]", "0.0.0.0", "10.0.0.1"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }

    fn proxies(trusted: &[&str], public_url: Option<&str>) -> Proxies {
        let trusted = trusted.iter().map(|net| net.parse().unwrap()).collect();
        Proxies { trusted, public_url: public_url.map(|url| url.parse().unwrap()) }
    }

    fn seen(proxies: &Proxies, peer: &str, sent: &[(&'static str, &str)]) -> (String, String) {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(*name, value.parse().unwrap());
        }
        let host = host(&headers, &Uri::from_static("/"));
        let client = proxies.client_info(peer.parse().unwrap(), &headers, host.as_ref());
        (client.address.to_string(), client.origin)
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:8750");

    #[test]
    fn forwarded_headers_of_untrusted_peers_do_not_count() {
        let forged =
            [HOST, ("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "https"), ("forwarded", "for=::9")];
        let expected = ("192.0.2.1".to_owned(), "http://127.0.0.1:8750".to_owned());
        assert_eq!(seen(&proxies(&[], None), "192.0.2.1", &forged), expected);
        assert_eq!(seen(&proxies(&["10.0.0.0/8"], None), "192.0.2.1", &forged), expected);
    }

    #[test]
    fn the_client_is_the_last_one_in_front_of_all_trusted_proxies() {
        let proxies = proxies(&["127.0.0.0/8", "10.0.0.0/8", "fd00::/8"], None);
        let client = |header: &'static str, value: &str| seen(&proxies, "127.0.0.1", &[HOST, (header, value)]).0;
        for (value, expected) in [
            ("203.0.113.9", "203.0.113.9"),
            ("6.6.6.6, 203.0.113.9", "203.0.113.9"),
            ("6.6.6.6, 203.0.113.9, 10.1.2.3", "203.0.113.9"),
            ("203.0.113.9:5123", "203.0.113.9"),
            ("[2001:db8::7]:443", "2001:db8::7"),
            ("2001:db8::7", "2001:db8::7"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            ("203.0.113.9, fd00::1", "203.0.113.9"),
            ("10.1.2.3", "10.1.2.3"),
            ("nonsense", "127.0.0.1"),
            ("203.0.113.9, nonsense", "127.0.0.1"),
            ("", "127.0.0.1"),
        ] {
            assert_eq!(client("x-forwarded-for", value), expected, "{value}");
        }
        for (value, expected) in [
            ("for=203.0.113.9;proto=https;host=reports.example", "203.0.113.9"),
            ("For=\"[2001:db8::7]:4711\"", "2001:db8::7"),
            ("for=6.6.6.6, for=203.0.113.9;by=10.0.0.1, for=10.2.2.2", "203.0.113.9"),
            ("for=_hidden", "127.0.0.1"),
            ("for=203.0.113.9, proto=https", "127.0.0.1"),
        ] {
            assert_eq!(client("forwarded", value), expected, "{value}");
        }
    }

    #[test]
    fn contradicting_forwarded_headers_do_not_count() {
        let proxies = proxies(&["127.0.0.1/32"], None);
        let client = |standard: &str, x_forwarded: &str| {
            seen(&proxies, "127.0.0.1", &[HOST, ("forwarded", standard), ("x-forwarded-for", x_forwarded)]).0
        };
        assert_eq!(client("for=203.0.113.9", "203.0.113.9"), "203.0.113.9");
        assert_eq!(client("for=6.6.6.6", "203.0.113.9"), "127.0.0.1");
        // The last client of each list was named by the nearest proxy.
        assert_eq!(client("for=6.6.6.6, for=203.0.113.9", "203.0.113.9"), "203.0.113.9");
        assert_eq!(client("for=203.0.113.9, for=6.6.6.6", "203.0.113.9, 203.0.113.7"), "127.0.0.1");
    }

    #[test]
    fn links_name_the_address_that_the_client_uses() {
        let one = proxies(&["127.0.0.1/32"], None);
        let forwarded = [
            HOST,
            ("x-forwarded-for", "203.0.113.9"),
            ("x-forwarded-host", "reports.example"),
            ("x-forwarded-proto", "https"),
        ];
        assert_eq!(seen(&one, "127.0.0.1", &forwarded).1, "https://reports.example");
        assert_eq!(seen(&one, "127.0.0.1", &[HOST]).1, "http://127.0.0.1:8750");
        let standard = [HOST, ("forwarded", "for=203.0.113.9;proto=https;host=reports.example:8443")];
        assert_eq!(seen(&one, "127.0.0.1", &standard).1, "https://reports.example:8443");
        let public = proxies(&[], Some("https://example.com/reports/"));
        assert_eq!(seen(&public, "192.0.2.1", &[HOST]).1, "https://example.com/reports");
        assert!(
            public.answers_to(&"EXAMPLE.com".parse().unwrap())
                && public.answers_to(&"example.com:8443".parse().unwrap())
        );
        for proxies in [public, one] {
            assert!(proxies.answers_to(&"localhost:8750".parse().unwrap()));
            assert!(!proxies.answers_to(&"example.org".parse().unwrap()));
        }
    }

    proptest! {
        #[test]
        fn any_forwarded_header_is_parsed_without_a_panic(value in "[ -~]{0,80}") {
            let proxies = proxies(&["0.0.0.0/0", "::/0"], None);
            for name in ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"] {
                seen(&proxies, "127.0.0.1", &[HOST, (name, &value)]);
            }
        }
    }
}
