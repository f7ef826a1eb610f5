//! TLS connections. An invalid certificate is recorded and the connection continues: a page behind one still gets a
//! report, and nothing confidential is sent to it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use der::asn1::{AnyRef, GeneralizedTime, UtcTime};
use der::{Decode as _, SliceReader, Tag, Tagged as _};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Url;

use crate::audit::fetch::fetch_error::FetchError;
use crate::audit::fetch::guard::literal;
use crate::domain::text::Text;

/// The result of verifying a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateStatus {
    /// Chain, dates and name are valid.
    Valid,
    /// Invalid, with the reason.
    Invalid(String),
    /// Not verified, with the reason, for example a machine without root certificates.
    Unverified(String),
}

/// The certificate of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The result of the verification.
    pub status: CertificateStatus,
    /// Whole days until it expires; negative after that.
    pub days_left: Option<i64>,
}

type Verifier = Result<Arc<dyn ServerCertVerifier>, String>;

/// Opens TLS connections. The system's root certificates are loaded once, on first use.
#[derive(Debug)]
pub(in crate::audit) struct Tls {
    provider: Arc<CryptoProvider>,
    verifier: OnceCell<Verifier>,
}

/// An established TLS connection and the certificate of the server.
pub(in crate::audit) struct TlsConnection {
    pub(in crate::audit) stream: TlsStream<TcpStream>,
    pub(in crate::audit) certificate: Certificate,
    pub(in crate::audit) speaks_http2: bool,
}

impl Default for Tls {
    fn default() -> Self {
        Self { provider: Arc::new(rustls::crypto::ring::default_provider()), verifier: OnceCell::new() }
    }
}

impl Tls {
    /// Creates connections that trust only these root certificates.
    #[cfg(test)]
    pub(in crate::audit) fn trusting(roots: rustls::RootCertStore) -> Self {
        use rustls::client::WebPkiServerVerifier;
        let tls = Self::default();
        let built = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&tls.provider)).build();
        let verifier = built.map(|verifier| verifier as Arc<dyn ServerCertVerifier>).map_err(|error| error.to_string());
        Self { verifier: OnceCell::new_with(Some(verifier)), ..tls }
    }

    /// Performs the handshake. An invalid certificate is recorded, not refused.
    pub(in crate::audit) async fn handshake(&self, stream: TcpStream, url: &Url) -> Result<TlsConnection, FetchError> {
        let failed = |reason: String| FetchError::Tls(Text::from_outside(reason));
        let name =
            server_name(url).ok_or_else(|| failed("the host has no name that a certificate can contain".into()))?;
        let recorder = Arc::new(RecordingVerifier {
            inner: self.verifier().await,
            provider: Arc::clone(&self.provider),
            status: Mutex::new(None),
        });
        let mut config = ClientConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(error.to_string()))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(&recorder) as Arc<dyn ServerCertVerifier>)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let connector = TlsConnector::from(Arc::new(config));
        let stream = connector.connect(name, stream).await.map_err(|error| failed(error.to_string()))?;
        let (_, session) = stream.get_ref();
        let days_left = session.peer_certificates().and_then(|chain| chain.first()).and_then(|leaf| days_left(leaf));
        let speaks_http2 = session.alpn_protocol() == Some(b"h2");
        let certificate = Certificate { status: recorder.status(), days_left };
        Ok(TlsConnection { stream, certificate, speaks_http2 })
    }

    async fn verifier(&self) -> Verifier {
        let build = || async {
            let provider = Arc::clone(&self.provider);
            // Loading the system's certificates blocks for many milliseconds.
            match tokio::task::spawn_blocking(|| rustls_platform_verifier::Verifier::new(provider)).await {
                Ok(Ok(verifier)) => Ok(Arc::new(verifier) as Arc<dyn ServerCertVerifier>),
                Ok(Err(error)) => Err(format!("this machine has no root certificates ({error})")),
                Err(error) => Err(error.to_string()),
            }
        };
        self.verifier.get_or_init(build).await.clone()
    }
}

fn server_name(url: &Url) -> Option<ServerName<'static>> {
    match literal(url) {
        Some(address) => Some(ServerName::from(address)),
        None => ServerName::try_from(url.host_str()?.trim_end_matches('.').to_owned()).ok(),
    }
}

fn days_left(leaf: &CertificateDer<'_>) -> Option<i64> {
    let day = i64::try_from(Duration::from_hours(24).as_secs()).ok()?;
    let not_after = i64::try_from(not_after(leaf).ok()?.as_secs()).ok()?;
    let now = i64::try_from(UnixTime::now().as_secs()).ok()?;
    Some((not_after - now).div_euclid(day))
}

/// Returns the end of a certificate's validity as the time since 1970 (RFC 5280, 4.1).
fn not_after(certificate: &[u8]) -> der::Result<Duration> {
    let mut parts = SliceReader::new(AnyRef::from_der(certificate)?.value())?;
    let mut fields = SliceReader::new(AnyRef::decode(&mut parts)?.value())?;
    // The version is explicit and optional; serial number, signature algorithm and issuer precede the validity.
    let fields_before = if Tag::peek(&fields)?.is_context_specific() { 4 } else { 3 };
    for _ in 0..fields_before {
        AnyRef::decode(&mut fields)?;
    }
    let mut times = SliceReader::new(AnyRef::decode(&mut fields)?.value())?;
    AnyRef::decode(&mut times)?;
    let time = AnyRef::decode(&mut times)?;
    match time.tag() {
        Tag::UtcTime => Ok(time.decode_as::<UtcTime>()?.to_unix_duration()),
        _ => Ok(time.decode_as::<GeneralizedTime>()?.to_unix_duration()),
    }
}

/// Accepts every certificate and records the result of the real verifier.
#[derive(Debug)]
struct RecordingVerifier {
    inner: Verifier,
    provider: Arc<CryptoProvider>,
    status: Mutex<Option<CertificateStatus>>,
}

impl RecordingVerifier {
    fn status(&self) -> CertificateStatus {
        let noted = self.status.lock().unwrap_or_else(PoisonError::into_inner).clone();
        noted.unwrap_or_else(|| CertificateStatus::Unverified("the server sent no certificate".into()))
    }
}

impl ServerCertVerifier for RecordingVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let status = match &self.inner {
            Err(why) => CertificateStatus::Unverified(why.clone()),
            Ok(inner) => match inner.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
                Ok(_) => CertificateStatus::Valid,
                Err(error) => CertificateStatus::Invalid(in_words(&error)),
            },
        };
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = Some(status);
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

fn in_words(error: &Error) -> String {
    let Error::InvalidCertificate(kind) = error else { return error.to_string() };
    match kind {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "the certificate has expired".into(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the certificate is not valid yet".into()
        }
        CertificateError::UnknownIssuer => "the certificate is not signed by a trusted authority".into(),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "the certificate is for another name".into()
        }
        CertificateError::Revoked => "the certificate was revoked".into(),
        // rustls has no variant for it, and its message is the name in the source of webpki.
        CertificateError::Other(cause) if cause.0.to_string() == "CaUsedAsEndEntity" => {
            "the certificate is that of an authority, as self-signed ones often are, and not of a server".into()
        }
        // The enum of rustls is non-exhaustive; its own message serves for the rest.
        other => format!("the certificate is not valid: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::not_after;

    #[test]
    fn the_end_of_a_certificate_is_read_in_both_of_its_forms() {
        // Up to 2049 it is a UTCTime, later a GeneralizedTime (RFC 5280, 4.1.2.5).
        for (year, seconds) in [(2030, 1_893_456_000), (2049, 2_493_072_000), (2051, 2_556_144_000)] {
            let mut params = rcgen::CertificateParams::new(vec!["shop.example".to_owned()]).unwrap();
            params.not_after = rcgen::date_time_ymd(year, 1, 1);
            let signed = params.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap();
            assert_eq!(not_after(signed.der()).unwrap().as_secs(), seconds, "{year}");
        }
    }

    #[test]
    fn bytes_that_are_not_a_certificate_have_no_end() {
        let signed = rcgen::generate_simple_self_signed(vec!["shop.example".to_owned()]).unwrap().cert;
        for length in 0..signed.der().len() {
            assert!(not_after(&signed.der()[..length]).is_err(), "{length}");
        }
    }
}
