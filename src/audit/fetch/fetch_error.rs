//! What may go wrong: a URL that may not be audited, and a page that could not be fetched, each as one sentence.
//!
//! Must not know how a fetch is done nor who shows the sentence.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use crate::domain::failure::{Failure, FailureKind, FieldError};
use crate::domain::text::Text;

/// Why a URL may not be audited. Its Display is one sentence for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlRefusal {
    /// Not something a browser could open.
    #[error("this URL may not be audited: it is not a web address ({0})")]
    NotAUrl(Text),
    /// Longer than any sensible address.
    #[error("this URL may not be audited: it is longer than {0} characters")]
    TooLong(usize),
    /// A scheme that is neither http nor https.
    #[error("this URL may not be audited: only http and https pages are, not {0}")]
    Scheme(Text),
    /// A user name or a password in the URL.
    #[error("this URL may not be audited: it carries a user name or a password")]
    Userinfo,
    /// A port on which public web pages are not served.
    #[error("this URL may not be audited: port {0} is not one of those that web pages are served on")]
    Port(u16),
    /// An address outside of the public internet.
    #[error("this URL may not be audited: it points to {kind} ({address})")]
    Address {
        /// What kind of address, with its article.
        kind: &'static str,
        /// The address itself.
        address: IpAddr,
    },
    /// The service that would do the audit.
    #[error("this URL may not be audited: it points to this very service ({0})")]
    OwnListener(SocketAddr),
}

/// How every refusal begins: it speaks about the URL that the person gave.
const BEGINNING: &str = "this URL may not be audited: ";

impl UrlRefusal {
    /// The reason alone, for a URL that somebody else gave.
    fn reason(&self) -> String {
        let told = self.to_string();
        told.strip_prefix(BEGINNING).map(str::to_owned).unwrap_or(told)
    }
}

impl From<UrlRefusal> for Failure {
    /// A refusal is a value that was refused: the URL's.
    fn from(refusal: UrlRefusal) -> Self {
        let told = refusal.to_string();
        let fields = vec![FieldError { field: "url".to_owned(), texts: vec![told.clone()] }];
        let advice = "give the http or https address of a page that may be audited from here";
        Self { fields, ..Self::new(FailureKind::Invalid, told, advice) }
    }
}

/// Why a page could not be fetched. Its Display is one clause for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The guard said no, on whichever hop.
    #[error("the way leads where no audit may go: {}", .0.reason())]
    Refused(UrlRefusal),
    /// The name has no address.
    #[error("the name {name} could not be resolved: {reason}")]
    Name {
        /// The name that was asked for.
        name: Text,
        /// What the resolver said.
        reason: Text,
    },
    /// Nobody answered at the address.
    #[error("no connection to {address}: {reason}")]
    Connect {
        /// The address that was dialled.
        address: SocketAddr,
        /// What the system said.
        reason: Text,
    },
    /// No encrypted connection came about.
    #[error("no encrypted connection: {0}")]
    Tls(Text),
    /// The answer was not HTTP, or broke off.
    #[error("the answer could not be read: {0}")]
    Protocol(Text),
    /// A part of the work took longer than it may.
    #[error("{part} took longer than {} s", .limit.as_secs_f32())]
    TooSlow {
        /// Which part, as the subject of the sentence.
        part: &'static str,
        /// How long it may take.
        limit: Duration,
    },
    /// More redirects than anybody follows.
    #[error("more than {0} redirects")]
    TooManyRedirects(usize),
    /// A redirect to where we were already.
    #[error("the redirects run in a circle at {0}")]
    Circle(Text),
    /// A redirect that says nowhere sensible to go.
    #[error("a redirect leads to something that is not a web address ({0})")]
    BadRedirect(Text),
}

impl FetchError {
    /// A short word for the kind of trouble, for values that programs read.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Refused(_) => "refused",
            Self::Name { .. } => "name",
            Self::Connect { .. } => "connect",
            Self::Tls(_) => "tls",
            Self::Protocol(_) => "protocol",
            Self::TooSlow { .. } => "too_slow",
            Self::TooManyRedirects(_) => "too_many_redirects",
            Self::Circle(_) => "circle",
            Self::BadRedirect(_) => "bad_redirect",
        }
    }
}
