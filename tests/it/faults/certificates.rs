//! Services with a trusted certificate, and with an untrusted one.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, Stream, crypto};

use crate::support::cli_user::CliUser;

/// Starts a service with one empty list at `https://localhost:port`; returns it with its certificate.
fn encrypted_service() -> (String, String) {
    let certified = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let (mut connection, config) = (connection.unwrap(), Arc::clone(&config));
            std::thread::spawn(move || {
                let mut tls = ServerConnection::new(config).unwrap();
                let mut stream = Stream::new(&mut tls, &mut connection);
                let mut request = [0; 4_096];
                // Clients that reject the certificate disconnect before a request.
                if stream.read(&mut request).is_ok_and(|length| length > 0) {
                    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
                    stream.write_all(format!("{head}content-length: 11\r\n\r\n{{\"data\":[]}}").as_bytes()).unwrap();
                }
            });
        }
    });
    (base, certified.cert.pem())
}

#[test]
fn a_local_service_can_be_read_over_tls_if_its_certificate_is_trusted() {
    let (base, certificate) = encrypted_service();
    let person = CliUser::with_service(&base);
    let file = person.home().join("roots.pem");
    std::fs::write(&file, certificate).unwrap();
    let read = person.with("SSL_CERT_FILE", file.to_str().unwrap()).run(&["reports", "list"]);
    assert_eq!((read.code, read.out.as_str()), (0, ""), "{read:?}");
}

#[test]
fn a_certificate_of_another_host_is_reported_without_advice_to_trust_it() {
    let (base, certificate) = encrypted_service();
    let person = CliUser::with_service(&base.replace("localhost", "127.0.0.1"));
    let file = person.home().join("roots.pem");
    std::fs::write(&file, certificate).unwrap();
    let refused = person.with("SSL_CERT_FILE", file.to_str().unwrap()).run(&["reports", "list"]);
    assert!(refused.error.contains("not valid for name"), "{refused:?}");
    assert!(refused.error.contains("Check the base URL") && !refused.error.contains("SSL_CERT_FILE"), "{refused:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_missing_file_of_certificates_is_named() {
    let person = CliUser::with_service("https://localhost:1").with("SSL_CERT_FILE", "/nowhere/roots.pem");
    let refused = person.run(&["reports", "list"]);
    assert!(refused.error.contains("SSL_CERT_FILE or SSL_CERT_DIR"), "{refused:?}");
    assert!(!refused.error.contains("builder error"), "{refused:?}");
}

#[test]
fn an_untrusted_certificate_is_reported_with_advice() {
    let (base, _) = encrypted_service();
    let refused = CliUser::with_service(&base).run(&["reports", "list"]);
    let problem = refused.problem();
    let message = problem["message"].as_str().unwrap();
    assert!(message.contains("the certificate of localhost"), "{problem}");
    assert!(refused.error.contains("SSL_CERT_FILE"), "{refused:?}");
}
