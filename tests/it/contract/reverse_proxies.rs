//! The service behind a reverse proxy: accepted hosts, links, and rate limits per client. Uses scripted proxy headers,
//! and real Caddy and nginx if they are installed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use reportdeck::service::Proxies;
use reqwest::{Method, header};

use crate::support::embedded_service::{Client, KEY, Running, sent};
use crate::support::own_process::KilledOnDrop;
use crate::support::scripted_server::{Reply, ScriptedServer};
use crate::support::waiting::until;

const PUBLIC: &str = "https://reports.example";

fn trusting(public_url: Option<&str>) -> Proxies {
    Proxies { public_url: public_url.map(|url| url.parse().unwrap()), trusted: vec!["127.0.0.1/32".parse().unwrap()] }
}

/// Creates a report whose page has the password `tea`.
async fn protected(running: &Running) -> i64 {
    let form = [("url", "https://shop.example/"), ("privacy", "2"), ("password", "tea")];
    let created = running.client.send(Method::POST, "/api/v1/reports", &form).await.expect(201);
    created.body["data"]["id"].as_i64().unwrap()
}

/// Returns the status of a wrong password sent through a proxy.
async fn guess(at: &Client, id: i64, headers: &[(&str, &str)]) -> u16 {
    let request = at.request(Method::POST, &format!("/reports/{id}")).form(&[("password", "wrong")]);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn the_public_address_is_accepted_as_host_and_used_in_links() {
    let data = tempfile::tempdir().unwrap();
    let running = Running::behind_proxies(data.path(), trusting(Some(PUBLIC))).await;
    let id = protected(&running).await;
    for host in ["reports.example", "reports.example:443", "127.0.0.1"] {
        let list = running.client.request(Method::GET, "/api/v1/reports").header(header::HOST, host);
        let list = sent(list).await.expect(200);
        assert_eq!(list.body["links"]["first"], format!("{PUBLIC}/api/v1/reports?page=1"), "{host}");
        let link = running.client.request(Method::GET, &format!("/api/v1/reports/{id}/link"));
        let link = sent(link.header(header::HOST, host)).await.expect(200);
        let link = link.body["data"]["url"].as_str().unwrap().to_owned();
        assert!(link.starts_with(&format!("{PUBLIC}/reports/{id}?pass=")), "{link}");
    }
    let other = running.client.request(Method::GET, "/health").header(header::HOST, "evil.example");
    let refused = sent(other).await.expect(403);
    assert!(refused.body["message"].as_str().unwrap().contains("public_url"), "{refused:?}");
}

#[tokio::test]
async fn each_client_behind_a_trusted_proxy_has_its_own_rate_limit() {
    let data = tempfile::tempdir().unwrap();
    let running = Running::behind_proxies(data.path(), trusting(None)).await;
    let id = protected(&running).await;
    let at = Client::new(&running.service.base_url(), None);
    for _ in 0..5 {
        assert_eq!(guess(&at, id, &[("x-forwarded-for", "203.0.113.1")]).await, 403);
    }
    assert_eq!(guess(&at, id, &[("x-forwarded-for", "203.0.113.1")]).await, 429);
    assert_eq!(
        guess(&at, id, &[("x-forwarded-for", "6.6.6.6, 203.0.113.1")]).await,
        429,
        "forged addresses are ignored"
    );
    assert_eq!(guess(&at, id, &[("forwarded", "for=203.0.113.1;proto=https")]).await, 429);
    assert_eq!(guess(&at, id, &[("x-forwarded-for", "203.0.113.2")]).await, 403, "another visitor");
}

#[tokio::test]
async fn forwarded_headers_from_an_untrusted_peer_are_ignored() {
    let (running, _data) = Running::start().await;
    let id = protected(&running).await;
    let at = Client::new(&running.service.base_url(), None);
    for visitor in 0..5 {
        assert_eq!(guess(&at, id, &[("x-forwarded-for", &format!("203.0.113.{visitor}"))]).await, 403);
    }
    assert_eq!(guess(&at, id, &[("x-forwarded-for", "203.0.113.77")]).await, 429);
    let list = running.client.request(Method::GET, "/api/v1/reports").header("x-forwarded-proto", "https");
    let list = sent(list.header("x-forwarded-host", "evil.example")).await.expect(200);
    assert_eq!(list.body["meta"]["path"], format!("{}/api/v1/reports", running.service.base_url()));
}

/// Finds a program; prints a note if it is not installed.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain(["/usr/sbin".into()]);
    let found = places.map(|place| place.join(name)).find(|path| path.is_file());
    if found.is_none() {
        eprintln!("not run: {name} is not installed");
    }
    found
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn write_file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
    path
}

/// Waits until the proxy responds, then checks a password guess, a link and a list through it.
async fn is_served_through(proxy: &mut KilledOnDrop, id: i64, port: u16, passes_host: bool) {
    let through = Client::new(&format!("http://127.0.0.1:{port}"), Some(KEY));
    until("the proxy responds", async || {
        assert!(proxy.try_wait().unwrap().is_none(), "the proxy did not start");
        through.request(Method::GET, "/health").send().await.is_ok()
    })
    .await;
    let named = |request: reqwest::RequestBuilder| request.header(header::HOST, "reports.example");
    let list = sent(named(through.request(Method::GET, "/api/v1/reports"))).await.expect(200);
    assert_eq!(list.body["links"]["first"], format!("{PUBLIC}/api/v1/reports?page=1"), "host passed on: {passes_host}");
    let link = sent(named(through.request(Method::GET, &format!("/api/v1/reports/{id}/link")))).await.expect(200);
    assert!(link.body["data"]["url"].as_str().unwrap().starts_with(PUBLIC));
    let form = named(through.request(Method::POST, &format!("/reports/{id}"))).form(&[("password", "tea")]);
    let opened = form.send().await.unwrap();
    assert_eq!(opened.status(), 303);
    assert!(opened.headers()[header::SET_COOKIE].to_str().unwrap().ends_with("; Secure"));
}

/// Starts nginx with these blocks of its `http` section. `None` if it is not installed.
fn nginx(folder: &Path, blocks: &str) -> Option<KilledOnDrop> {
    let program = program("nginx")?;
    let text = format!(
        "daemon off; master_process off; pid '{0}/pid'; error_log stderr warn; events {{}}\n\
         http {{ access_log off; client_body_temp_path '{0}/a'; proxy_temp_path '{0}/b'; fastcgi_temp_path '{0}/c';\n\
         uwsgi_temp_path '{0}/d'; scgi_temp_path '{0}/e'; {blocks} }}",
        folder.display()
    );
    let file = write_file(folder, "nginx.conf", &text);
    let child = Command::new(program).arg("-c").arg(&file).args(["-p", folder.to_str().unwrap()]).spawn();
    Some(KilledOnDrop(child.unwrap()))
}

/// Starts Caddy with these sites. `None` if it is not installed.
fn caddy(folder: &Path, sites: &str) -> Option<KilledOnDrop> {
    let program = program("caddy")?;
    let file = write_file(folder, "Caddyfile", &format!("{{\n admin off\n auto_https off\n}}\n{sites}\n"));
    let child = Command::new(program)
        .args(["run", "--adapter", "caddyfile", "--config"])
        .arg(&file)
        .env("HOME", folder)
        .env("XDG_CONFIG_HOME", folder)
        .env("XDG_DATA_HOME", folder)
        .stderr(Stdio::null())
        .spawn();
    Some(KilledOnDrop(child.unwrap()))
}

#[tokio::test]
async fn the_service_works_behind_nginx_with_the_host_preserved_or_rewritten() {
    let data = tempfile::tempdir().unwrap();
    let running = Running::behind_proxies(data.path(), trusting(Some(PUBLIC))).await;
    let (id, folder) = (protected(&running).await, tempfile::tempdir().unwrap());
    for (passes_host, set) in [(true, "proxy_set_header Host $host;"), (false, "")] {
        let (port, at) = (free_port(), running.service.address());
        let blocks = format!(
            "server {{ listen 127.0.0.1:{port}; location / {{\n\
             proxy_pass http://{at}; {set} proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\n\
             proxy_set_header X-Forwarded-Proto https; }} }}"
        );
        let Some(mut proxy) = nginx(folder.path(), &blocks) else { return };
        is_served_through(&mut proxy, id, port, passes_host).await;
    }
}

#[tokio::test]
async fn the_service_works_behind_caddy_with_the_host_preserved_or_rewritten() {
    let data = tempfile::tempdir().unwrap();
    let running = Running::behind_proxies(data.path(), trusting(Some(PUBLIC))).await;
    let (id, folder) = (protected(&running).await, tempfile::tempdir().unwrap());
    for (passes_host, set) in [(true, ""), (false, "header_up Host {upstream_hostport}")] {
        let (port, at) = (free_port(), running.service.address());
        let site = format!("http://:{port} {{\n bind 127.0.0.1\n reverse_proxy {at} {{\n {set}\n }}\n}}");
        let Some(mut proxy) = caddy(folder.path(), &site) else { return };
        is_served_through(&mut proxy, id, port, passes_host).await;
    }
}

/// Reads a file of `assets/deploy`, and replaces parts of it, each of which occurs.
fn deployed(file: &str, replaced: &[(&str, &str)]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/deploy").join(file);
    replaced.iter().fold(std::fs::read_to_string(path).unwrap(), |text, (from, to)| {
        assert!(text.contains(from), "{file}: {from}");
        text.replace(from, to)
    })
}

#[tokio::test]
async fn the_deployed_proxies_pass_on_no_forwarding_header_of_a_client() {
    for file in ["nginx.conf", "Caddyfile", "containers/Caddyfile"] {
        let service = ScriptedServer::start(|_| Reply::text("{}")).await;
        let (folder, port, at) = (tempfile::tempdir().unwrap(), free_port(), service.base.replace("http://", ""));
        let site = format!("http://:{port} {{\n bind 127.0.0.1");
        let started = match file {
            "nginx.conf" => {
                let listen = format!("listen 127.0.0.1:{port};");
                let text = deployed(file, &[("127.0.0.1:8750", &at), ("listen 443 ssl http2;", &listen)]);
                // Without TLS, IPv6 and the redirect of port 80.
                let (upstream, redirect) = text.split_once("server {\n    listen 80;").unwrap();
                let (_, server) = redirect.split_once("\n}\n").unwrap();
                let lines = server.lines().filter(|line| !line.contains("ssl") && !line.contains("[::]"));
                nginx(folder.path(), &format!("{upstream}{}", lines.collect::<Vec<_>>().join("\n")))
            }
            "Caddyfile" => {
                caddy(folder.path(), &deployed(file, &[("reports.example.com {", &site), ("127.0.0.1:8750", &at)]))
            }
            _ => {
                let instances = "reportdeck-1:8750 reportdeck-2:8750 reportdeck-3:8750";
                caddy(folder.path(), &deployed(file, &[("reports.example.com {", &site), (instances, &at)]))
            }
        };
        let Some(mut proxy) = started else { continue };
        let client = Client::new(&format!("http://127.0.0.1:{port}"), None);
        until("the proxy responds", async || {
            assert!(proxy.try_wait().unwrap().is_none(), "the proxy did not start");
            let request = client.request(Method::GET, "/reports/1").header(header::HOST, "reports.example.com");
            let request = request.header("forwarded", "for=forged;host=forged").header("x-forwarded-host", "forged");
            request.header("x-forwarded-for", "forged").header("x-forwarded-proto", "forged").send().await.is_ok()
        })
        .await;
        let received = service.asked().into_iter().find(|request| request.path() == "/reports/1").unwrap();
        let head = received.head.to_lowercase();
        let forged: Vec<_> = head.lines().filter(|line| line.contains("forged")).collect();
        // nginx adds the client's address at the end; the service reads it from there.
        assert!(forged.is_empty() || forged == ["x-forwarded-for: forged, 127.0.0.1"], "{file}: {head}");
        assert!(head.contains("127.0.0.1"), "{file}: {head}");
    }
}
