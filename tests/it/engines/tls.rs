//! TLS connections to the database: encrypted, and only to a server with a valid certificate.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::engines::postgres_failures::try_on;
use crate::support::postgres::{self, Server, connect, count};

/// Environment variable with the database URL for the process that trusts the certificate.
const URL: &str = "REPORTDECK_TEST_TLS_URL";
/// Environment variable with the same database through its socket.
const SOCKET: &str = "REPORTDECK_TEST_TLS_SOCKET";
const TEST: &str = "engines::tls::service_that_trusts_the_certificate";

/// Helper process with its own root certificates; does nothing unless the test below starts it.
#[tokio::test]
async fn service_that_trusts_the_certificate() {
    let (Ok(url), Ok(socket)) = (std::env::var(URL), std::env::var(SOCKET)) else { return };
    let running = try_on(&url).await.unwrap();
    running.client.create("https://shop.example/").await;
    let query =
        "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'reportdeck' AND ";
    let other = connect(&socket).await;
    assert!(count(&other, &format!("{query} ssl")).await > 0);
    assert_eq!(count(&other, &format!("{query} NOT ssl")).await, 0, "the connection is encrypted");
}

#[tokio::test]
async fn a_database_over_tls_is_used_only_with_a_valid_certificate_for_its_name() {
    if !postgres::is_there() {
        return;
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let certified = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let server = Server::with(|folder| {
        let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
        std::fs::write(&certificate, certified.cert.pem()).unwrap();
        std::fs::write(&key, certified.signing_key.serialize_pem()).unwrap();
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
        vec![
            "listen_addresses=127.0.0.1".to_owned(),
            format!("port={port}"),
            "ssl=on".to_owned(),
            format!("ssl_cert_file={}", certificate.display()),
            format!("ssl_key_file={}", key.display()),
        ]
    });
    let url = |host: &str| format!("postgres://postgres@{host}:{port}/postgres?sslmode=require");
    let Err(unknown) = try_on(&url("localhost")).await else { panic!("its certificate is not trusted") };
    assert!(unknown.to_string().contains("TLS") && unknown.to_string().contains("certificate"), "{unknown}");

    let roots = tempfile::tempdir().unwrap();
    let file = roots.path().join("roots.pem");
    std::fs::write(&file, certified.cert.pem()).unwrap();
    for (host, is_valid) in [("localhost", true), ("127.0.0.1", false)] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", TEST, "--nocapture"]).env("SSL_CERT_FILE", &file);
        command.env(URL, url(host)).env(SOCKET, server.url_of_port(port, "postgres"));
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.success(), is_valid, "{host}: {text}");
        assert!(is_valid || text.contains("not valid for"), "{host}: {text}");
    }
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_tls_is_required() {
    if !postgres::is_there() {
        return;
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let _server = Server::with(|_| vec!["listen_addresses=127.0.0.1".to_owned(), format!("port={port}")]);
    let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
    assert!(try_on(&url).await.is_ok(), "TLS is not required on the same machine");
    let Err(error) = try_on(&format!("{url}?sslmode=require")).await else { panic!("it started") };
    assert!(error.to_string().contains("TLS"), "{error}");
}
