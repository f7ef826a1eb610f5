//! Whole audits of hostile sites: names that resolve differently, redirects to forbidden addresses, endless responses.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::net::TcpStream;

use super::test_network::{Detour, Script};
use super::tests::{GOOD, HTML, auditor_with, detoured_with, is_bad, outcome, persons_machine};
use super::*;
use crate::audit::auditor::test_server::{Reply, ReplyEnd, Server};
use crate::audit::fetch::fetcher::Dial;
use crate::audit::fetch::guard::{Allowed, Reach};
use crate::domain::report::check::CheckOutcome;

const PUBLIC: &str = "93.184.216.34";

fn failure(audit: &Audit) -> &str {
    audit.failure.as_deref().unwrap_or("none")
}

#[test]
fn the_default_limits_are_the_documented_ones() {
    let limits = AuditLimits::default();
    assert_eq!((limits.redirects, limits.probe_redirects), (10, 3));
    assert_eq!((limits.decoded, limits.headers), (5 * 1024 * 1024, 64 * 1024));
    assert_eq!(limits.connect, Duration::from_secs(5));
    // In wall-clock time; parsing and checking are limited by processor time.
    assert!(limits.network + 2 * limits.processor_wait <= Duration::from_secs(20));
    assert!(limits.parse + limits.checks <= Duration::from_secs(10));
}

#[tokio::test]
async fn redirects_to_anything_but_public_web_pages_are_refused() {
    let locations = [
        ("/ftp", "ftp://shop.example/", "only http"),
        ("/script", "javascript:alert(1)", "only http"),
        ("/data", "data:text/html,tea", "only http"),
        ("/socket", "ws://shop.example/", "only http"),
        ("/mail", "mailto:tea@shop.example", "only http"),
        ("/blank", "about:blank", "only http"),
        ("/user", "http://me:secret@shop.example/", "a user name or a password"),
        ("/name", "//me@shop.example/", "a user name or a password"),
        ("/port", "http://shop.example:22/", "port 22"),
        ("/number", "http://2130706433/", "an address of this machine"),
        ("/hex", "//0x7f.1/", "an address of this machine"),
        ("/mapped", "http://[::ffff:10.0.0.1]/", "a private address"),
        ("/cloud", "http://169.254.169.254/latest/meta-data", "a link-local address"),
        ("/zero", "http://0/", "a reserved address"),
        ("/inner", "http://inner.example/", "a private address"),
        ("/nowhere", "http://", "not a web address"),
    ];
    let replies: Vec<(&str, Reply)> = locations.iter().map(|(path, to, _)| (*path, Reply::to(to))).collect();
    let server = Server::start(&replies).await;
    for reach in [Reach::PublicOnly, Reach::LocalUser] {
        let script = Script::new(&[("shop.example", &[&[PUBLIC]]), ("inner.example", &[&["10.0.0.1"]])]);
        let (auditor, detour) = detoured_with(&server, script, Policy::new(reach));
        for (path, to, expected) in locations {
            let audit = auditor.audit(&format!("http://shop.example{path}")).await.unwrap();
            assert!(failure(&audit).contains(expected), "{to}: {}", failure(&audit));
            assert!(is_bad(&audit), "{to}");
        }
        let dialled = detour.dialled.lock().unwrap();
        assert!(dialled.iter().all(|address| address.ip().to_string() == PUBLIC), "{dialled:?}");
    }
}

#[tokio::test]
async fn a_name_that_resolves_differently_later_is_refused() {
    let server = Server::start(&[("/", Reply::to("/next")), ("/next", Reply::html(GOOD))]).await;
    // Validated again on each hop; each time the validated address is dialled, without another lookup in between.
    for (second, expected) in [
        ("127.0.0.1", "an address of this machine"),
        ("::1", "an address of this machine"),
        ("::ffff:192.168.0.1", "a private address"),
        ("64:ff9b::a9fe:a9fe", "a link-local address"),
        ("fe80::1", "a link-local address"),
    ] {
        let script = Script::new(&[("shop.example", &[&[PUBLIC], &[PUBLIC, second]])]);
        let (auditor, detour) = detoured_with(&server, script, Policy::new(Reach::LocalUser));
        let audit = auditor.audit("http://shop.example/").await.unwrap();
        assert!(failure(&audit).contains(expected), "{second}: {}", failure(&audit));
        assert_eq!(detour.dialled.lock().unwrap().len(), 1, "{second}");
    }
}

#[tokio::test]
async fn probes_obey_the_same_address_guard_as_pages() {
    let robots = Reply::new(200, &["content-type: text/plain"], b"Sitemap: http://169.254.169.254/map.xml");
    let icon = Reply::to("http://127.0.0.1/favicon.ico");
    let server = Server::start(&[("/", Reply::html(GOOD)), ("/robots.txt", robots), ("/favicon.ico", icon)]).await;
    let script = Script::new(&[("shop.example", &[&[PUBLIC]])]);
    let (auditor, detour) = detoured_with(&server, script, Policy::new(Reach::LocalUser));
    let audit = auditor.audit("http://shop.example/").await.unwrap();
    assert_eq!(failure(&audit), "none");
    assert_eq!(outcome(&audit, "favicon"), CheckOutcome::Failed);
    assert_eq!(outcome(&audit, "sitemap_valid"), CheckOutcome::NotApplicable);
    assert!(server.asked().contains(&"/favicon.ico".to_owned()));
    let dialled = detour.dialled.lock().unwrap();
    assert!(dialled.iter().all(|address| address.ip().to_string() == PUBLIC), "{dialled:?}");
}

#[tokio::test]
async fn canonical_urls_and_other_languages_obey_the_same_address_guard() {
    let links = "<link rel=canonical href=http://169.254.169.254/meta-data>\
                 <link rel=alternate hreflang=de href=http://127.0.0.1/de>\
                 <link rel=alternate hreflang=fr href=http://10.0.0.1/fr>\
                 <link rel=alternate hreflang=it href=http://shop.example/it>";
    let page = Reply::html(&GOOD.replace("<h1>", &format!("{links}<h1>")));
    let inner = Reply::to("http://[::1]/it");
    let server = Server::start(&[("/", page), ("/it", inner)]).await;
    let script = Script::new(&[("shop.example", &[&[PUBLIC]]), ("www.shop.example", &[&["192.168.0.1"]])]);
    let (auditor, detour) = detoured_with(&server, script, Policy::new(Reach::LocalUser));
    let audit = auditor.audit("http://shop.example/").await.unwrap();
    assert_eq!(outcome(&audit, "canonical_target"), CheckOutcome::Note);
    assert_eq!(outcome(&audit, "hreflang_targets"), CheckOutcome::Note);
    assert_eq!(outcome(&audit, "duplicate_addresses"), CheckOutcome::Passed);
    let dialled = detour.dialled.lock().unwrap();
    assert!(dialled.iter().all(|address| address.ip().to_string() == PUBLIC), "{dialled:?}");
}

#[tokio::test]
async fn an_audit_asks_for_at_most_twelve_other_urls() {
    let languages = ["de", "fr", "it", "es", "nl", "pl"];
    let links = languages.map(|tag| format!("<link rel=alternate hreflang={tag} href=http://shop.example/{tag}>"));
    let links = format!("<link rel=canonical href=http://shop.example/all>{}", links.concat());
    let page = Reply::html(&GOOD.replace("<h1>", &format!("{links}<h1>")));
    let server = Server::start(&[("/tea", page)]).await;
    let script = Script::new(&[("shop.example", &[&[PUBLIC]]), ("www.shop.example", &[&[PUBLIC]])]);
    let (auditor, _) = detoured_with(&server, script, Policy::new(Reach::PublicOnly));
    let audit = auditor.audit("http://shop.example/tea").await.unwrap();
    assert_eq!(failure(&audit), "none");
    let asked = server.asked();
    let probes: Vec<&String> = asked.iter().skip(1).collect();
    assert_eq!(probes.len(), 12, "{probes:?}");
    assert_eq!(languages.iter().filter(|tag| asked.contains(&format!("/{tag}"))).count(), 3, "{asked:?}");
}

#[tokio::test]
async fn no_redirect_leads_to_the_service_itself() {
    let own = Server::start(&[("/", Reply::html(GOOD))]).await;
    let server = Server::start(&[("/", Reply::to(&own.url("/")))]).await;
    let policy = Policy {
        allowed: vec!["127.0.0.0/8".into()],
        own_listener: Some(own.address),
        ..Policy::new(Reach::PublicOnly)
    };
    let audit = Auditor::new(policy).audit(&server.url("/")).await.unwrap();
    assert!(failure(&audit).contains("to this service"), "{}", failure(&audit));
    assert!(own.asked().is_empty());
}

/// A dialler whose connections never complete.
struct NeverConnects;

impl Dial for NeverConnects {
    fn dial(&self, _: SocketAddr) -> BoxFuture<'_, std::io::Result<TcpStream>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_attempt_ends_after_five_seconds() {
    let script = Script::new(&[("shop.example", &[&[PUBLIC]])]);
    let auditor = auditor_with(Policy::new(Reach::PublicOnly), AuditLimits::default(), script, Arc::new(NeverConnects));
    let started = tokio::time::Instant::now();
    let audit = auditor.audit("http://shop.example/").await.unwrap();
    assert_eq!(failure(&audit), "the connection took longer than 5 s");
    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_slow_body_times_out_and_an_endless_one_is_cut() {
    let drip = ReplyEnd::Drip(Duration::from_millis(10));
    let compressed = [HTML, "content-encoding: gzip, gzip"];
    let server = Server::start(&[
        ("/body", Reply::open(&[HTML], GOOD.as_bytes(), drip.clone())),
        ("/head", Reply::raw(b"HTTP/1.1 200 Said\r\nx-tea: ", drip.clone())),
        ("/status", Reply::raw(b"HTTP/1.1 200 ", drip)),
        ("/headers", Reply::raw(b"HTTP/1.1 200 Said\r\n", ReplyEnd::Forever(b"x-tea: green\r\n".to_vec()))),
        ("/hints", Reply::raw(b"", ReplyEnd::Forever(b"HTTP/1.1 103 Early\r\n\r\n".to_vec()))),
        ("/nonsense", Reply::raw(b"", ReplyEnd::Forever(vec![0; 5_000]))),
        ("/twice", Reply::new(200, &compressed, b"x")),
    ])
    .await;
    let patient = persons_machine(AuditLimits::default());
    let impatient = persons_machine(AuditLimits { hop: Duration::from_millis(700), ..AuditLimits::default() });
    for (auditor, path, expected) in [
        (&impatient, "/body", "took longer than 0.7 s"),
        (&impatient, "/head", "took longer than 0.7 s"),
        (&impatient, "/status", "took longer than 0.7 s"),
        (&patient, "/headers", "could not be read"),
        (&impatient, "/hints", "took longer than 0.7 s"),
        (&patient, "/nonsense", "could not be read"),
        (&patient, "/twice", "was not requested"),
    ] {
        let audit = auditor.audit(&server.url(path)).await.unwrap();
        assert!(failure(&audit).contains(expected), "{path}: {}", failure(&audit));
        assert!(is_bad(&audit), "{path}");
    }
}

#[tokio::test]
async fn all_hops_together_have_one_deadline() {
    let slowly = Duration::from_millis(200);
    let replies: Vec<(String, Reply)> =
        (0..10).map(|step| (format!("/{step}"), Reply::to(&format!("/{}", step + 1)).after(slowly))).collect();
    let replies: Vec<(&str, Reply)> = replies.iter().map(|(path, reply)| (path.as_str(), reply.clone())).collect();
    let server = Server::start(&replies).await;
    let limits = AuditLimits { network: Duration::from_millis(500), ..AuditLimits::default() };
    let audit = persons_machine(limits).audit(&server.url("/0")).await.unwrap();
    assert!(failure(&audit).contains("the response took longer"), "{}", failure(&audit));
    // The limit, not what the earlier hops left of it.
    assert_eq!(failure(&audit), "all requests up to the response took longer than 0.5 s");
    assert!(server.asked().len() < 5, "{:?}", server.asked());
}

#[tokio::test]
async fn concurrent_checks_leave_one_processor_free() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let auditor = persons_machine(AuditLimits { processor_wait: Duration::from_mins(1), ..AuditLimits::default() });
    let most = auditor.turns.available_permits();
    assert!(most >= 1 && most <= std::thread::available_parallelism().unwrap().get());
    let (running, highest) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let (auditor, running, highest) = (auditor.clone(), Arc::clone(&running), Arc::clone(&highest));
        tasks.spawn(async move {
            let work = move || {
                highest.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(5));
                running.fetch_sub(1, Ordering::SeqCst);
                Ok(())
            };
            auditor.compute(work).await
        });
    }
    assert!(tasks.join_all().await.iter().all(Result::is_ok));
    assert!(highest.load(Ordering::SeqCst) <= most);
    // Another audit that keeps all permits delays the others, but does not stop them.
    let impatient =
        persons_machine(AuditLimits { processor_wait: Duration::from_millis(10), ..AuditLimits::default() });
    let _kept = impatient.turns.acquire_many(u32::try_from(most).unwrap()).await.unwrap();
    assert_eq!(impatient.compute(|| Ok(1)).await, Ok(1));
    let panicking = impatient.compute(|| -> Result<u8, ProcessorTimeExceeded> { panic!("as the test wants it") });
    assert_eq!(panicking.await, Err(NotAudited::Panicked));
}

#[tokio::test]
async fn a_page_beyond_its_processor_time_has_no_result() {
    let server = Server::start(&[("/", Reply::html(GOOD))]).await;
    for (limits, work) in [
        (AuditLimits { parse: Duration::ZERO, ..AuditLimits::default() }, "parsing the page"),
        (AuditLimits { checks: Duration::ZERO, ..AuditLimits::default() }, "judging the page"),
    ] {
        let unfinished = persons_machine(limits).audit(&server.url("/")).await.unwrap_err();
        assert_eq!(unfinished, NotAudited::Unfinished(ProcessorTimeExceeded { work, limit: Duration::ZERO }));
    }
}

/// The runtime's clock is moved while the audit waits for a processor; its probes must not lose that time.
#[tokio::test]
async fn waiting_for_a_processor_does_not_count_as_network_time() {
    let server = Server::start(&[("/", Reply::html(GOOD))]).await;
    let auditor = persons_machine(AuditLimits { processor_wait: Duration::from_hours(1), ..AuditLimits::default() });
    let all = u32::try_from(auditor.turns.available_permits()).unwrap();
    let held = Arc::clone(&auditor.turns).acquire_many_owned(all).await.unwrap();
    let (waiting, url) = (auditor.clone(), server.url("/"));
    let before = Arc::strong_count(&auditor.turns);
    let audit = tokio::spawn(async move { waiting.audit(&url).await });
    // Waiting for a permit clones the `Arc` of the semaphore.
    while Arc::strong_count(&auditor.turns) == before {
        tokio::task::yield_now().await;
    }
    tokio::time::pause();
    tokio::time::advance(Duration::from_mins(10)).await;
    tokio::time::resume();
    drop(held);
    let audit = audit.await.unwrap().unwrap();
    for id in ["robots", "404_page", "title"] {
        assert_eq!(outcome(&audit, id), CheckOutcome::Passed, "{id}");
    }
}

#[tokio::test]
async fn proxies_of_the_environment_are_ignored() {
    // The environment belongs to the whole process, so another process checks it.
    const TOLD: &str = "REPORTDECK_TEST_OF_PROXIES";
    let server = Server::start(&[("/", Reply::html(GOOD))]).await;
    if let Ok(url) = std::env::var(TOLD) {
        let audit = persons_machine(AuditLimits::default()).audit(&url).await.unwrap();
        assert_eq!(failure(&audit), "none");
        return;
    }
    let proxy = Server::start(&[]).await;
    let mut command = tokio::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "audit::auditor::guarded_tests::proxies_of_the_environment_are_ignored"]);
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env(name, proxy.url(""));
    }
    let output =
        command.env_remove("NO_PROXY").env_remove("no_proxy").env(TOLD, server.url("/")).output().await.unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
    assert!(server.asked().contains(&"/".to_owned()));
    assert!(proxy.asked().is_empty(), "{:?}", proxy.asked());
}

#[tokio::test]
async fn every_decompression_bomb_stops_at_the_limit() {
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use std::io::Write as _;
    let bytes = [GOOD.as_bytes(), &vec![b' '; 20_000_000]].concat();
    let mut members = GzEncoder::new(Vec::new(), Compression::best());
    members.write_all(&[GOOD.as_bytes(), &[b' '; 10_000]].concat()).unwrap();
    let many = members.finish().unwrap().repeat(5_000);
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    zlib.write_all(&bytes).unwrap();
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::best());
    raw.write_all(&bytes).unwrap();
    let (zlib, raw) = (zlib.finish().unwrap(), raw.finish().unwrap());
    let server = Server::start(&[
        ("/zlib", Reply::new(200, &[HTML, "content-encoding: deflate"], &zlib)),
        ("/raw", Reply::new(200, &[HTML, "content-encoding: deflate"], &raw)),
        ("/members", Reply::new(200, &[HTML, "content-encoding: gzip"], &many)),
    ])
    .await;
    let auditor = persons_machine(AuditLimits { decoded: 200_000, ..AuditLimits::default() });
    for (path, sent) in [("/zlib", &zlib), ("/raw", &raw), ("/members", &many)] {
        let audit = auditor.audit(&server.url(path)).await.unwrap();
        assert_eq!(failure(&audit), "none", "{path}");
        let found = |id: &str| audit.checks.iter().find(|check| check.id.raw() == id).unwrap();
        let size = found("html_decoded_size");
        assert_eq!(size.outcome, CheckOutcome::Failed, "{path}");
        assert!(size.value.as_u64().is_some_and(|bytes| bytes <= 200_000), "{path}: {}", size.value);
        let wire = found("page_size").value.as_u64().unwrap();
        assert_eq!(wire.min(200_000), sent.len().min(200_000) as u64, "{path}: the size on the wire");
        assert_eq!(outcome(&audit, "title"), CheckOutcome::Passed, "{path}");
    }
}

#[tokio::test]
async fn loopback_is_allowed_on_the_command_line_and_refused_in_a_service() {
    let server = Server::start(&[("/", Reply::html(GOOD))]).await;
    let detour = Arc::new(Detour::to(server.address));
    let script = || Script::new(&[("nas.local", &[&["192.168.1.7"]]), ("localhost", &[&["127.0.0.1"]])]);
    let auditor = |policy| auditor_with(policy, AuditLimits::default(), script(), Arc::clone(&detour) as Arc<dyn Dial>);
    for url in ["http://localhost:9/", "http://nas.local/", "http://192.168.1.7:99/", "http://[::1]/"] {
        let audit = auditor(Policy::new(Reach::LocalUser)).audit(url).await.unwrap();
        assert_eq!(failure(&audit), "none", "{url}");
        let refused = auditor(Policy::new(Reach::PublicOnly)).audit(url).await;
        assert!(matches!(refused, Err(NotAudited::Refused(UrlRefusal::Address { .. }))), "{url}: {refused:?}");
    }
    let allowed = ["nas.local", "192.168.1.0/24", "::1", "localhost"].map(Allowed::from).to_vec();
    for url in ["http://localhost:9/", "http://nas.local/", "http://192.168.1.7:99/", "http://[::1]/"] {
        let policy = Policy { allowed: allowed.clone(), ..Policy::new(Reach::PublicOnly) };
        assert_eq!(failure(&auditor(policy).audit(url).await.unwrap()), "none", "{url}");
    }
}
