//! Errors of the address policy and of fetching a page.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use crate::domain::text::Text;

/// Why a URL may not be audited. Its `Display` is one clause for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlRefusal {
    /// Not an http or https URL with a host.
    #[error("it is not a web address ({0})")]
    NotAUrl(Text),
    /// Longer than the limit in characters.
    #[error("it is longer than {0} characters")]
    TooLong(usize),
    /// A scheme that is neither http nor https.
    #[error("only http and https pages may be, not {0}")]
    Scheme(Text),
    /// A user name or a password in the URL.
    #[error("it carries a user name or a password")]
    Userinfo,
    /// A port that is not one of the web ports.
    #[error("port {0} is not a port of web pages")]
    Port(u16),
    /// An address outside of the public internet.
    #[error("it points to {kind} ({address})")]
    Address {
        /// The kind of address, with its article.
        kind: &'static str,
        /// The address.
        address: IpAddr,
    },
    /// The address of the service that runs the audit.
    #[error("it points to this service ({0})")]
    OwnListener(SocketAddr),
}

/// Why a page could not be fetched. Its `Display` is one clause for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FetchError {
    /// The address policy refused a hop.
    #[error("a redirect or link leads to a URL that may not be audited: {0}")]
    Refused(UrlRefusal),
    /// The name has no address.
    #[error("the name {name} could not be resolved: {reason}")]
    Name {
        /// The name.
        name: Text,
        /// The message of the resolver.
        reason: Text,
    },
    /// The connection failed.
    #[error("no connection to {address}: {reason}")]
    Connect {
        /// The address.
        address: SocketAddr,
        /// The message of the operating system.
        reason: Text,
    },
    /// The TLS handshake failed.
    #[error("the TLS handshake failed: {0}")]
    Tls(Text),
    /// The response is not valid HTTP, or incomplete.
    #[error("the response could not be read: {0}")]
    Protocol(Text),
    /// A part of the request exceeded its time limit.
    #[error("{part} took longer than {} s", .limit.as_secs_f32())]
    TooSlow {
        /// The part, as the subject of the sentence.
        part: &'static str,
        /// The time limit.
        limit: Duration,
    },
    /// More redirects than the limit.
    #[error("more than {0} redirects")]
    TooManyRedirects(usize),
    /// A redirect to a URL that was already requested.
    #[error("the redirects form a loop at {0}")]
    Circle(Text),
    /// A redirect to something that is not a URL.
    #[error("a redirect leads to something that is not a web address ({0})")]
    BadRedirect(Text),
}

impl FetchError {
    /// Returns the name of the error kind in JSON.
    pub fn name(&self) -> &'static str {
        self.into()
    }
}
