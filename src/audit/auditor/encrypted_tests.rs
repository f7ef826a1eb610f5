//! Whole audits of pages behind TLS: valid and invalid certificates, HTTP/2, connections that end abruptly.

use tokio_rustls::TlsAcceptor;

use super::tests::{GOOD, HTML, is_bad, outcome};
use super::*;
use crate::audit::auditor::test_server::{Reply, ReplyEnd, Server};
use crate::audit::fetch::guard::Reach;
use crate::domain::report::check::CheckOutcome;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::text::Text;

struct Identity {
    acceptor: TlsAcceptor,
    certificate: Vec<u8>,
}

fn identity(name: &str, protocols: &[&[u8]]) -> Identity {
    identity_with(name, protocols, &[&rustls::version::TLS13, &rustls::version::TLS12], |_| ())
}

/// Creates a server with a self-signed certificate, changed by `change`, that supports these versions of TLS.
fn identity_with(
    name: &str,
    protocols: &[&[u8]],
    versions: &[&'static rustls::SupportedProtocolVersion],
    change: impl FnOnce(&mut rcgen::CertificateParams),
) -> Identity {
    let mut params = rcgen::CertificateParams::new(vec![name.to_owned()]).unwrap();
    change(&mut params);
    let signing_key = rcgen::KeyPair::generate().unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let certificate = params.self_signed(&signing_key).unwrap().der().clone();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Identity { acceptor: TlsAcceptor::from(Arc::new(config)), certificate: certificate.to_vec() }
}

fn trusting(roots: Vec<Vec<u8>>) -> Auditor {
    let mut store = rustls::RootCertStore::empty();
    for root in roots {
        store.add(root.into()).unwrap();
    }
    Auditor::of(Fetcher {
        policy: Policy::new(Reach::LocalUser),
        limits: AuditLimits::default(),
        resolver: Arc::new(SystemResolver),
        dialer: Arc::new(TcpDialer),
        tls: Tls::trusting(store),
    })
}

#[tokio::test]
async fn an_invalid_certificate_is_reported_and_the_page_audited() {
    let own = identity("localhost", &[b"http/1.1"]);
    let other = identity("other.example", &[b"http/1.1"]);
    let server = Server::start_tls(&[("/", Reply::html(GOOD))], own.acceptor).await;
    let url = format!("https://localhost:{}/", server.address.port());
    for (roots, expected) in
        [(vec![other.certificate], CheckOutcome::Failed), (vec![own.certificate], CheckOutcome::Passed)]
    {
        let audit = trusting(roots).audit(&url).await.unwrap();
        assert_eq!(audit.failure, None);
        assert_eq!(outcome(&audit, "tls_valid"), expected);
        assert_eq!(outcome(&audit, "title"), CheckOutcome::Passed);
        assert_eq!(outcome(&audit, "https_encryption"), CheckOutcome::Passed);
        assert_eq!(outcome(&audit, "http2"), CheckOutcome::Failed);
        assert_eq!(is_bad(&audit), expected == CheckOutcome::Failed, "{}", audit.score);
    }
}

#[tokio::test]
async fn a_certificate_for_another_name_is_reported() {
    let other = identity("other.example", &[]);
    let server = Server::start_tls(&[("/", Reply::html(GOOD))], other.acceptor).await;
    let audit = trusting(vec![other.certificate]).audit(&format!("https://{}/", server.address)).await.unwrap();
    let check = audit.checks.iter().find(|check| check.id.raw() == "tls_valid").unwrap();
    assert_eq!(check.errors[0].shown(), "the certificate is for another name");
}

#[tokio::test]
async fn an_invalid_certificate_is_described_by_its_fault() {
    let http1: &[&[u8]] = &[b"http/1.1"];
    let with = |change: fn(&mut rcgen::CertificateParams)| {
        identity_with("localhost", http1, &[&rustls::version::TLS13], change)
    };
    let expired = with(|params| params.not_after = rcgen::date_time_ymd(2020, 1, 1));
    let early = with(|params| params.not_before = rcgen::date_time_ymd(2999, 1, 1));
    let unknown = with(|params| params.distinguished_name.push(rcgen::DnType::CommonName, "an unknown authority"));
    // `openssl req -x509` makes such a certificate.
    let authority = with(|params| params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained));
    let trusted = identity("localhost", http1);
    for (identity, root, expected) in [
        (expired, None, "the certificate has expired"),
        (early, None, "the certificate is not valid yet"),
        (unknown, Some(trusted.certificate), "the certificate is not signed by a trusted authority"),
        (
            authority,
            None,
            "the certificate is that of an authority, as self-signed ones often are, and not of a server",
        ),
    ] {
        let root = root.unwrap_or(identity.certificate);
        let server = Server::start_tls(&[("/", Reply::html(GOOD))], identity.acceptor).await;
        let audit = trusting(vec![root]).audit(&format!("https://localhost:{}/", server.address.port())).await.unwrap();
        let check = audit.checks.iter().find(|check| check.id.raw() == "tls_valid").unwrap();
        assert_eq!(check.errors.first().map(Text::shown), Some(expected));
        assert!(is_bad(&audit) && outcome(&audit, "title") == CheckOutcome::Passed, "the page is audited all the same");
    }
}

#[tokio::test]
async fn a_server_with_only_tls_1_2_is_audited() {
    let own = identity_with("localhost", &[b"http/1.1"], &[&rustls::version::TLS12], |_| ());
    let server = Server::start_tls(&[("/", Reply::html(GOOD))], own.acceptor).await;
    let url = format!("https://localhost:{}/", server.address.port());
    let audit = trusting(vec![own.certificate]).audit(&url).await.unwrap();
    assert_eq!((audit.failure.as_deref(), outcome(&audit, "tls_valid")), (None, CheckOutcome::Passed));
}

#[tokio::test]
async fn an_abrupt_end_of_the_connection_is_accepted_only_without_a_length() {
    let own = identity("localhost", &[]);
    let length = format!("content-length: {}", GOOD.len() + 10);
    let server = Server::start_tls(
        &[
            ("/open", Reply::open(&[HTML], GOOD.as_bytes(), ReplyEnd::BreakOff)),
            ("/short", Reply::open(&[HTML, &length], GOOD.as_bytes(), ReplyEnd::BreakOff)),
        ],
        own.acceptor,
    )
    .await;
    let auditor = trusting(vec![own.certificate]);
    let audit = |path| format!("https://localhost:{}{path}", server.address.port());
    let open = auditor.audit(&audit("/open")).await.unwrap();
    assert_eq!((open.failure.as_deref(), outcome(&open, "title")), (None, CheckOutcome::Passed));
    let short = auditor.audit(&audit("/short")).await.unwrap();
    assert!(short.failure.as_ref().is_some_and(|failure| failure.contains("could not be read")), "{:?}", short.failure);
}

#[tokio::test]
async fn a_server_without_tls_gives_a_bad_result() {
    use tokio::io::AsyncWriteExt as _;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let audit = trusting(Vec::new()).audit(&url).await.unwrap();
    assert!(
        audit.failure.as_ref().is_some_and(|failure| failure.contains("the TLS handshake failed")),
        "{:?}",
        audit.failure
    );
    assert_eq!(FetchFailure::of_checks(&audit.checks), Some(FetchFailure::Tls));
    assert_eq!(outcome(&audit, "tls_valid"), CheckOutcome::Failed);
    assert!(is_bad(&audit));
}

#[tokio::test]
async fn http2_is_used_where_the_server_offers_it() {
    use hyper_util::rt::{TokioExecutor, TokioIo};
    let own = identity("localhost", &[b"h2"]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/tea?x=1", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let stream = own.acceptor.accept(stream).await.unwrap();
            let response = hyper::service::service_fn(|request: hyper::Request<hyper::body::Incoming>| async move {
                let body = format!("{GOOD}<p>{}", request.uri());
                let reply = hyper::Response::builder().header("content-type", "text/html");
                reply.body(http_body_util::Full::new(bytes::Bytes::from(body)))
            });
            let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            tokio::spawn(async move { drop(builder.serve_connection(TokioIo::new(stream), response).await) });
        }
    });
    let audit = trusting(vec![own.certificate]).audit(&url).await.unwrap();
    assert_eq!(audit.failure, None);
    assert_eq!(outcome(&audit, "http2"), CheckOutcome::Passed);
    assert_eq!(outcome(&audit, "tls_valid"), CheckOutcome::Passed);
}
