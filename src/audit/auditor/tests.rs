//! Whole audits of loopback servers: well-behaved, broken and hostile ones.

use std::io::Write as _;
use std::time::Duration;

use tokio::net::TcpStream;

use super::*;
use crate::audit::auditor::test_network::{Detour, Script};
use crate::audit::auditor::test_server::{Reply, ReplyEnd, Server};
use crate::audit::fetch::fetcher::Dial;
use crate::audit::fetch::guard::Reach;
use crate::audit::fetch::resolve::Resolve;
use crate::domain::report::check::CheckOutcome;
use crate::domain::report::fetch_failure::FetchFailure;

pub(in crate::audit) const HTML: &str = "content-type: text/html; charset=utf-8";
pub(in crate::audit) const GOOD: &str = "<!DOCTYPE html><html lang=en><title>Green tea</title><h1>All our tea</h1>";

pub(in crate::audit) fn persons_machine(limits: AuditLimits) -> Auditor {
    auditor_with(Policy::new(Reach::LocalUser), limits, Arc::new(SystemResolver), Arc::new(TcpDialer))
}

/// Limits for servers that never finish; on a busy machine well-behaved ones need longer.
fn impatient() -> AuditLimits {
    AuditLimits { hop: Duration::from_millis(300), ..AuditLimits::default() }
}

/// Creates an auditor for public addresses only, whose every connection goes to the server.
fn detoured(server: &Server, resolver: Arc<Script>) -> (Auditor, Arc<Detour>) {
    detoured_with(server, resolver, Policy::new(Reach::PublicOnly))
}

/// Like [`detoured`], with another policy.
pub(in crate::audit) fn detoured_with(
    server: &Server,
    resolver: Arc<Script>,
    policy: Policy,
) -> (Auditor, Arc<Detour>) {
    let detour = Arc::new(Detour::to(server.address));
    let dialer = Arc::clone(&detour) as Arc<dyn Dial>;
    (auditor_with(policy, AuditLimits::default(), resolver, dialer), detour)
}

/// Creates an auditor with this resolver and dialler.
pub(in crate::audit) fn auditor_with(
    policy: Policy,
    limits: AuditLimits,
    resolver: Arc<dyn Resolve>,
    dialer: Arc<dyn Dial>,
) -> Auditor {
    Auditor::of(Fetcher { policy, limits, resolver, dialer, tls: Tls::default() })
}

pub(in crate::audit) fn outcome(audit: &Audit, id: &str) -> CheckOutcome {
    audit.checks.iter().find(|check| check.id.raw() == id).unwrap().outcome
}

pub(in crate::audit) fn is_bad(audit: &Audit) -> bool {
    audit.outcome == Outcome::Bad && audit.score <= 48
}

#[tokio::test]
async fn a_page_on_loopback_is_audited_completely() {
    let robots = Reply::new(200, &["content-type: text/plain"], b"User-agent: *\nDisallow: /secret\nSitemap: /map.xml");
    let server = Server::start(&[("/tea", Reply::html(GOOD)), ("/robots.txt", robots)]).await;
    let audit = persons_machine(AuditLimits::default()).audit(&format!("{}/tea#top", server.address)).await.unwrap();
    assert_eq!(audit.url.as_str(), server.url("/tea"));
    assert_eq!(audit.project, "127.0.0.1");
    assert_eq!(audit.failure, None);
    assert_eq!(audit.checks.len(), crate::audit::checks::table::table().count());
    for id in ["title", "headings", "http_status", "404_page", "robots", "doctype", "language"] {
        assert_eq!(outcome(&audit, id), CheckOutcome::Passed, "{id}");
    }
    for id in ["https_encryption", "https_redirect", "tls_valid", "http2", "hsts"] {
        assert_eq!(outcome(&audit, id), CheckOutcome::NotApplicable, "{id}");
    }
    let asked = server.asked();
    for path in ["/tea", "/tea/", "/robots.txt", "/map.xml", "/favicon.ico", "/.well-known/security.txt"] {
        assert_eq!(asked.iter().filter(|own| *own == path).count(), 1, "{path}: {asked:?}");
    }
    assert_eq!(asked.len(), 7, "{asked:?}");
}

#[tokio::test]
async fn redirects_are_followed_counted_and_ended() {
    let mut replies: Vec<(String, Reply)> =
        (0..20).map(|step| (format!("/{step}"), Reply::to(&format!("/{}", step + 1)))).collect();
    replies.push(("/a".into(), Reply::to("/b")));
    replies.push(("/b".into(), Reply::to("/tea")));
    replies.push(("/tea".into(), Reply::html(GOOD)));
    replies.push(("/round".into(), Reply::to("/about")));
    replies.push(("/about".into(), Reply::to("/round")));
    replies.push(("/self".into(), Reply::to("/self#again")));
    replies.push(("/mad".into(), Reply::to("http://[")));
    replies.push(("/file".into(), Reply::to("file:///etc/passwd")));
    let replies: Vec<(&str, Reply)> = replies.iter().map(|(path, reply)| (path.as_str(), reply.clone())).collect();
    let server = Server::start(&replies).await;
    let auditor = persons_machine(AuditLimits::default());
    let audit = auditor.audit(&server.url("/a")).await.unwrap();
    assert_eq!(audit.final_url.path(), "/tea");
    assert_eq!(outcome(&audit, "redirect_chain"), CheckOutcome::Failed);
    for (path, expected) in [
        ("/0", "more than 10 redirects"),
        ("/round", "loop"),
        ("/self", "loop"),
        ("/mad", "not a web address"),
        ("/file", "only http"),
    ] {
        let audit = auditor.audit(&server.url(path)).await.unwrap();
        assert!(
            audit.failure.as_ref().is_some_and(|failure| failure.contains(expected)),
            "{path}: {:?}",
            audit.failure
        );
        assert!(is_bad(&audit), "{path}");
    }
    assert_eq!(server.asked().iter().filter(|path| *path == "/11").count(), 0);
    let audit = auditor.audit(&server.url("/10")).await.unwrap();
    assert_eq!((audit.failure, audit.final_url.path()), (None, "/20"), "ten redirects are followed");
}

#[tokio::test]
async fn a_redirect_to_no_web_page_leaves_the_project_as_it_is() {
    let long = format!("http://{}example/", "a.".repeat(150));
    let targets = [("/mail", "mailto:tea@shop.example"), ("/app", "market://details?id=tea"), ("/long", &long)];
    let server = Server::start(&targets.map(|(path, target)| (path, Reply::to(target)))).await;
    for (path, _) in targets {
        let audit = persons_machine(AuditLimits::default()).audit(&server.url(path)).await.unwrap();
        assert!(audit.failure.is_some() && is_bad(&audit), "{path}");
        assert_eq!(audit.project, "127.0.0.1", "{path}");
    }
}

#[tokio::test]
async fn a_redirect_leads_no_further_than_the_requested_url_allows() {
    let private = Reply::to("http://192.168.0.1/");
    let metadata = Reply::to("http://169.254.169.254/latest");
    let server = Server::start(&[("/private", private), ("/metadata", metadata)]).await;
    for path in ["/private", "/metadata"] {
        let audit = persons_machine(AuditLimits::default()).audit(&server.url(path)).await.unwrap();
        assert!(
            audit.failure.as_ref().is_some_and(|failure| failure.contains("URL that may not be audited: it points to"))
        );
        assert!(is_bad(&audit));
    }
}

#[tokio::test]
async fn a_service_refuses_names_that_resolve_to_private_addresses() {
    let server = Server::start(&[("/", Reply::html(GOOD))]).await;
    let script = Script::new(&[
        ("inner.example", &[&["10.0.0.1"]]),
        ("mixed.example", &[&["93.184.216.34", "127.0.0.1"]]),
        ("mapped.example", &[&["::ffff:169.254.169.254"]]),
    ]);
    let (auditor, detour) = detoured(&server, script);
    for name in ["inner.example", "mixed.example", "mapped.example", "127.0.0.1", "0x7f.1"] {
        let refused = auditor.audit(&format!("http://{name}/")).await;
        assert!(matches!(refused, Err(NotAudited::Refused(UrlRefusal::Address { .. }))), "{name}: {refused:?}");
    }
    let refused = auditor.audit("http://inner.example/").await.unwrap_err().to_string();
    assert_eq!(refused, "this URL may not be audited: it points to a private address (10.0.0.1)");
    assert!(detour.dialled.lock().unwrap().is_empty());
}

#[tokio::test]
async fn only_the_checked_address_is_connected_to() {
    let server = Server::start(&[("/", Reply::html(GOOD)), ("/on", Reply::to("/"))]).await;
    // Public on the first lookup, an internal address afterwards.
    let script = || Script::new(&[("shop.example", &[&["93.184.216.34"], &["127.0.0.1"]])]);
    let (auditor, detour) = detoured(&server, script());
    let audit = auditor.audit("http://www.shop.example/").await.unwrap();
    assert!(audit.failure.is_some_and(|failure| failure.contains("could not be resolved")));
    let audit = auditor.audit("http://shop.example/").await.unwrap();
    assert_eq!((audit.failure, audit.project.as_str()), (None, "shop.example"));
    // The probes looked up the name again, got the internal address, and were not sent.
    assert_eq!(*detour.dialled.lock().unwrap(), ["93.184.216.34:80".parse().unwrap()]);
    let (auditor, detour) = detoured(&server, script());
    let audit = auditor.audit("http://shop.example/on").await.unwrap();
    assert!(audit.failure.as_ref().is_some_and(|failure| failure.contains("127.0.0.1")), "{:?}", audit.failure);
    assert_eq!(detour.dialled.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_public_page_never_leads_to_private_addresses() {
    let server =
        Server::start(&[("/", Reply::to("http://localhost/admin")), ("/ip", Reply::to("http://[::1]/"))]).await;
    let script = Script::new(&[("shop.example", &[&["93.184.216.34"]]), ("localhost", &[&["127.0.0.1"]])]);
    let (auditor, _) = detoured(&server, script);
    for path in ["/", "/ip"] {
        let audit = auditor.audit(&format!("http://shop.example{path}")).await.unwrap();
        let failure = audit.failure.clone().unwrap();
        assert!(failure.contains("an address of this machine"), "{failure}");
        assert!(is_bad(&audit));
    }
}

#[tokio::test]
async fn bombs_and_endless_bodies_are_cut() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(GOOD.as_bytes()).unwrap();
    encoder.write_all(&vec![b' '; 20_000_000]).unwrap();
    let bomb = encoder.finish().unwrap();
    let server = Server::start(&[
        ("/bomb", Reply::new(200, &[HTML, "content-encoding: gzip"], &bomb)),
        ("/endless", Reply::open(&[HTML], GOOD.as_bytes(), ReplyEnd::Forever(vec![b' '; 10_000]))),
    ])
    .await;
    let auditor = persons_machine(AuditLimits { decoded: 200_000, ..AuditLimits::default() });
    for path in ["/bomb", "/endless"] {
        let audit = auditor.audit(&server.url(path)).await.unwrap();
        assert_eq!(audit.failure, None, "{path}");
        assert_eq!(outcome(&audit, "html_decoded_size"), CheckOutcome::Failed, "{path}");
        assert_eq!(outcome(&audit, "title"), CheckOutcome::Passed, "{path}");
    }
}

#[tokio::test]
async fn a_word_that_is_no_encoding_does_not_change_the_body() {
    let reply = |word: &str| Reply::new(200, &[HTML, &format!("content-encoding: {word}")], GOOD.as_bytes());
    let server = Server::start(&[("/none", reply("none")), ("/charset", reply("UTF-8"))]).await;
    for path in ["/none", "/charset"] {
        let audit = persons_machine(AuditLimits::default()).audit(&server.url(path)).await.unwrap();
        assert_eq!((&audit.failure, outcome(&audit, "title")), (&None, CheckOutcome::Passed), "{path}");
    }
}

#[tokio::test]
async fn a_missing_response_times_out() {
    let endless_head = Reply::open(&["x-long: yes"], b"", ReplyEnd::Hang);
    let long: Vec<String> = (0..80).map(|line| format!("x-{line}: {}", "a".repeat(1000))).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let server = Server::start(&[
        ("/dripping", Reply::open(&[HTML], GOOD.as_bytes(), ReplyEnd::Hang)),
        ("/silent", endless_head),
        ("/headers", Reply::new(200, &long, b"")),
        ("/brotli", Reply::new(200, &[HTML, "content-encoding: br"], b"x")),
        ("/damaged", Reply::new(200, &[HTML, "content-encoding: gzip"], b"this is no gzip")),
    ])
    .await;
    let (impatient, patient) = (persons_machine(impatient()), persons_machine(AuditLimits::default()));
    for (path, expected) in [
        ("/dripping", "took longer than 0.3 s"),
        ("/silent", "took longer than 0.3 s"),
        ("/headers", "could not be read"),
        ("/brotli", "was not requested"),
        ("/damaged", "damaged"),
    ] {
        let auditor = if expected.contains("longer") { &impatient } else { &patient };
        let audit = auditor.audit(&server.url(path)).await.unwrap();
        assert!(
            audit.failure.as_ref().is_some_and(|failure| failure.contains(expected)),
            "{path}: {:?}",
            audit.failure
        );
        assert!(is_bad(&audit), "{path}");
        assert_eq!(outcome(&audit, "title"), CheckOutcome::NotApplicable, "{path}");
        assert_eq!(audit.score, 0, "{path}");
    }
    assert!(!server.asked().contains(&"/robots.txt".to_owned()), "probes of a page that did not come");
}

#[tokio::test]
async fn a_refused_connection_gives_a_bad_result() {
    let server = Server::start(&[]).await;
    let url = server.url("/");
    let address = server.address;
    drop(server);
    // The port is free once the listener's task is gone.
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    let audit = persons_machine(AuditLimits::default()).audit(&url).await.unwrap();
    assert!(audit.failure.as_ref().is_some_and(|failure| failure.contains("no connection")), "{:?}", audit.failure);
    assert!(is_bad(&audit));
    assert_eq!(audit.checks.len(), crate::audit::checks::table::table().count());
}

#[tokio::test]
async fn the_service_does_not_audit_itself() {
    let server = Server::start(&[("/", Reply::html(GOOD))]).await;
    let policy = Policy { own_listener: Some(server.address), ..Policy::new(Reach::LocalUser) };
    let refused = Auditor::new(policy).audit(&server.url("/")).await;
    assert!(matches!(refused, Err(NotAudited::Refused(UrlRefusal::OwnListener(_)))), "{refused:?}");
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn error_statuses_cap_the_score() {
    let server = Server::start(&[
        ("/broken", Reply::new(500, &[HTML], GOOD.as_bytes())),
        ("/empty", Reply::new(200, &[HTML], b" \n")),
        ("/nothing", Reply::new(204, &[], b"")),
        ("/octets", Reply::new(200, &["content-type: application/octet-stream"], b"")),
        ("/typeless", Reply::new(200, &[], b"just some words")),
        ("/wrong-type", Reply::new(200, &["content-type: nonsense"], b"just some words")),
    ])
    .await;
    for (path, reason) in [
        ("/broken", "status 500"),
        ("/missing", "status 404"),
        ("/empty", "status 200 and without content"),
        ("/nothing", "status 204 and without content"),
        ("/octets", "status 200 and without content"),
        ("/typeless", "names no content type"),
        ("/wrong-type", "names no content type"),
    ] {
        let audit = persons_machine(AuditLimits::default()).audit(&server.url(path)).await.unwrap();
        let status = audit.checks.iter().find(|check| check.id.raw() == "http_status").unwrap();
        assert_eq!(status.outcome, CheckOutcome::Failed, "{path}");
        assert!(status.errors[0].raw().contains(reason), "{path}: {:?}", status.errors);
        assert!(is_bad(&audit) && audit.score <= 20 && audit.failure.is_none(), "{path}: {}", audit.score);
        let class = match reason {
            "status 500" => Some(FetchFailure::ServerError),
            "status 404" => Some(FetchFailure::ClientError),
            _ => None,
        };
        assert_eq!(FetchFailure::of_checks(&audit.checks), class, "{path}");
    }
}

#[tokio::test]
async fn every_status_from_400_on_caps_the_score_of_a_page_that_is_fine_otherwise() {
    for status in [400, 401, 403, 404, 410, 429, 451, 499, 500, 502, 503, 504, 599] {
        let server = Server::start(&[("/tea", Reply::new(status, &[HTML], GOOD.as_bytes()))]).await;
        let audit = persons_machine(AuditLimits::default()).audit(&server.url("/tea")).await.unwrap();
        assert!(is_bad(&audit) && audit.score <= 20, "{status}: {}", audit.score);
        let class = FetchFailure::of_status(status.into());
        assert!(class.is_some() && FetchFailure::of_checks(&audit.checks) == class, "{status}: {class:?}");
    }
}

#[tokio::test]
async fn failed_fetches_have_a_class() {
    let server = Server::start(&[("/loop", Reply::new(302, &["location: /loop"], b""))]).await;
    let (auditor, _) = detoured(&server, Script::new(&[("shop.example", &[&["93.184.216.34"]])]));
    let unknown = auditor.audit("http://no-such-host.example/").await.unwrap();
    assert_eq!(FetchFailure::of_checks(&unknown.checks), Some(FetchFailure::Dns));
    let looped = auditor.audit("http://shop.example/loop").await.unwrap();
    assert_eq!(FetchFailure::of_checks(&looped.checks), Some(FetchFailure::Other));
    for audit in [unknown, looped] {
        assert!(is_bad(&audit) && audit.score <= 20, "{}", audit.score);
    }
}

#[tokio::test]
async fn a_response_of_another_type_and_html_without_a_type_are_audited() {
    let server = Server::start(&[
        ("/typeless", Reply::new(200, &[], GOOD.as_bytes())),
        ("/plain", Reply::new(200, &["content-type: text/plain"], b"just some words")),
    ])
    .await;
    for path in ["/typeless", "/plain"] {
        let audit = persons_machine(AuditLimits::default()).audit(&server.url(path)).await.unwrap();
        assert_eq!(outcome(&audit, "http_status"), CheckOutcome::Passed, "{path}");
    }
}
