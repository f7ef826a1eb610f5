//! The base URL of a service, and the URLs of its endpoints.
//!
//! Requests go to the configured origin only.

use url::{Host, Url};

use crate::api::contract::VERSION;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::clean;

/// The base URL of a service, without `/api/v1` and a final slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Parses a base URL, with or without `/api/v1` and a final slash.
    ///
    /// Plain http is accepted for loopback only, unless `allow_insecure`: the key would be sent unencrypted.
    pub fn parse(text: &str, allow_insecure: bool) -> Result<Self, Failure> {
        let wrong = |why: &str| {
            // Without what precedes an `@` or is in a query, which may be a secret.
            let shown = text.rsplit_once('@').map_or(text, |(_, host)| host);
            let shown = shown.split('?').next().unwrap_or_default();
            let message = format!("The base URL `{}` cannot be used: {why}", clean(shown));
            Failure::new(FailureKind::Invalid, message, "Write it like https://reports.example.com")
        };
        let text = text.trim();
        // `localhost:8750` has the scheme `localhost`.
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        if !matches!(scheme.as_deref(), Some("http" | "https")) {
            return Err(wrong("it does not begin with https:// or http://"));
        }
        let mut url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it holds a user name or password"));
        }
        if url.scheme() == "http" && !is_loopback(&url) && !allow_insecure {
            return Err(wrong(
                "it is plain http, so anyone on the network could read the API key (allow_insecure = true in its profile permits it)",
            ));
        }
        if url.query().is_some() {
            return Err(wrong("it has a query, which requests would not carry"));
        }
        url.set_fragment(None);
        let mut path = url.path().trim_end_matches('/');
        while let Some(rest) = path.strip_suffix(VERSION) {
            path = rest.trim_end_matches('/');
        }
        let path = path.to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }

    /// Builds the URL of an API path.
    ///
    /// Returns `None` for a name that consists of dots only or is empty, which no URL can contain.
    pub fn endpoint(&self, path: &str) -> Option<Url> {
        let mut url = self.0.clone();
        let whole = format!("{}{path}", self.0.path().trim_end_matches('/'));
        url.set_path(&whole);
        (url.path() == whole && !whole.ends_with('/')).then_some(url)
    }

    /// Returns scheme, host and port.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Whether a URL has the same origin. The key is not sent anywhere else.
    pub fn is_same_origin(&self, url: &Url) -> bool {
        self.0.origin() == url.origin()
    }

    /// Whether the service is on this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.0)
    }

    /// Whether the scheme is https, also on loopback.
    pub fn uses_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The host for display, with its port unless it is the default one.
    pub fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// The base URL without a final slash, for messages.
    pub fn as_str(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::contract::{REPORTS, report_path};

    #[test]
    fn base_urls_are_completed_and_normalized() {
        for text in
            ["https://a.example", "https://a.example/", "https://a.example/api/v1", " https://a.example/api/v1/ "]
        {
            let base = BaseUrl::parse(text, false).unwrap();
            assert_eq!(base.endpoint(REPORTS).unwrap().as_str(), "https://a.example/api/v1/reports", "{text}");
        }
        let below = BaseUrl::parse("https://a.example/seo/api/v1/", false).unwrap();
        assert_eq!(below.endpoint(REPORTS).unwrap().path(), "/seo/api/v1/reports");
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let base = BaseUrl::parse("https://a.example:8443", false).unwrap();
        let is_same = |text| base.is_same_origin(&Url::parse(text).unwrap());
        assert!(is_same("https://A.example:8443/elsewhere"));
        for other in ["http://a.example:8443", "https://b.example:8443", "https://a.example"] {
            assert!(!is_same(other), "{other}");
        }
    }

    #[test]
    fn a_key_is_never_sent_over_plain_http() {
        assert!(BaseUrl::parse("http://a.example", false).is_err());
        assert!(BaseUrl::parse("http://a.example", true).is_ok());
        for text in ["http://alocalhost", "http://localhost.example", "http://126.0.0.1"] {
            assert!(BaseUrl::parse(text, false).is_err(), "{text}");
        }
        for text in ["http://127.0.0.1:8750", "http://[::1]:1", "http://localhost", "http://seo.localhost:8750"] {
            assert!(BaseUrl::parse(text, false).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_password_in_an_address_is_refused_without_being_repeated() {
        for text in
            ["https://me:secret@a.example", "https://me:s/secret@a.example", "https://secret@@a.example", "secret@a"]
        {
            let failure = BaseUrl::parse(text, true).unwrap_err().to_string();
            assert!(failure.contains("`a") && !failure.contains("secret"), "{failure}");
        }
    }

    #[test]
    fn a_query_is_refused_without_being_repeated() {
        for text in ["https://a.example/seo?tenant=secret", "https://a.example?secret"] {
            let failure = BaseUrl::parse(text, false).unwrap_err().to_string();
            assert!(failure.contains("`https://a.example") && failure.contains("has a query"), "{failure}");
            assert!(!failure.contains("secret"), "{failure}");
        }
        let base = BaseUrl::parse("https://a.example/seo#/reports", false).unwrap();
        assert_eq!(base.endpoint(REPORTS).unwrap().as_str(), "https://a.example/seo/api/v1/reports");
    }

    #[test]
    fn an_address_without_a_scheme_is_explained() {
        for text in ["", "a.example", "a.example:8443", "ftp://a.example", "é"] {
            let failure = BaseUrl::parse(text, true).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Invalid);
            assert!(failure.message.ends_with("it does not begin with https:// or http://"), "{failure}");
        }
        assert!(BaseUrl::parse("HTTPS://a.example", false).is_ok());
    }

    #[test]
    fn ids_cannot_leave_their_path_segment() {
        let base = BaseUrl::parse("https://a.example", false).unwrap();
        let path = |id: &str| base.endpoint(&report_path(id)).map(|url| url.path().to_owned());
        assert_eq!(path("a/b?c#d"), Some("/api/v1/reports/a%2Fb%3Fc%23d".into()));
        assert_eq!(path("é %"), Some("/api/v1/reports/%C3%A9%20%25".into()));
        assert_eq!(path(".."), None);
        assert_eq!(path(""), None);
    }
}
