//! Which URLs and which addresses an audit may touch. Must not open a connection or resolve a name.
//!
//! Two judgements, both on every hop: [`Guard::check_url`] before a name is resolved, [`Guard::check_address`] for
//! every address that came back. The address that was judged is the address that is dialled.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use url::{Host, Url};

use crate::audit::fetch::address_kind::{AddressKind, address_kind};
use crate::audit::fetch::fetch_error::UrlRefusal;
use crate::domain::text::Text;

/// Longer than any address that is worth a report.
const MAX_URL_LENGTH: usize = 2048;
/// The ports that public web pages are served on.
const WEB_PORTS: [u16; 4] = [80, 443, 8080, 8443];
/// Names that only mean something inside one house.
const PRIVATE_NAME_SUFFIXES: [&str; 5] = [".local", ".internal", ".home.arpa", ".lan", ".localdomain"];

/// What the auditor may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Whose machine this is.
    pub reach: Reach,
    /// Hosts and ranges allowed by name in the configuration, whatever kind of address they are.
    pub allowed: Vec<Allowed>,
    /// Where this very service listens: never audited, not even when its range is allowed.
    pub own_listener: Option<SocketAddr>,
    /// Ports of public hosts beside 80, 443, 8080 and 8443.
    pub extra_ports: Vec<u16>,
}

impl Policy {
    /// The policy with nothing allowed beyond its reach.
    pub fn new(reach: Reach) -> Self {
        Self { reach, allowed: Vec::new(), own_listener: None, extra_ports: Vec::new() }
    }
}

/// Whose machine this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// A service for strangers: public addresses only.
    PublicOnly,
    /// The machine of the person who asks: a loopback or private host is fine when their own URL names one.
    LocalUser,
}

/// A host or a range that the configuration allows by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    /// A host name, lower case, as it stands in URLs.
    Host(String),
    /// A range of addresses.
    Range(IpNet),
}

impl std::str::FromStr for Allowed {
    type Err = std::convert::Infallible;

    /// A range such as `10.0.0.0/8`, a single address, or else a host name.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if let Ok(range) = text.parse::<IpNet>() {
            return Ok(Self::Range(range));
        }
        Ok(match text.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) => Self::Range(IpNet::from(address.to_canonical())),
            Err(_) => Self::Host(text.trim_end_matches('.').to_ascii_lowercase()),
        })
    }
}

/// What the person's own URL permits beyond the public internet, for the whole audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) enum Permission {
    /// Nothing: from a public URL no redirect or probe leads inside.
    Public,
    /// The person named this machine: its loopback addresses, on any port.
    ThisMachine,
    /// The person named one house-internal host: that host, on any port, and no other.
    OneHost(String),
}

/// The policy, ready to judge.
#[derive(Debug, Clone)]
pub(in crate::audit) struct Guard {
    policy: Policy,
}

impl Guard {
    pub(in crate::audit) fn new(policy: Policy) -> Self {
        Self { policy }
    }

    /// What the person's own, normalised URL permits.
    pub(in crate::audit) fn permission(&self, url: &Url) -> Permission {
        if self.policy.reach == Reach::PublicOnly {
            return Permission::Public;
        }
        let name = host_name(url);
        let named = match literal(url) {
            Some(address) => address_kind(address),
            None if is_this_machine(&name) => AddressKind::Loopback,
            None if is_private_name(&name) => AddressKind::Private,
            None => AddressKind::Public,
        };
        match named {
            AddressKind::Loopback => Permission::ThisMachine,
            AddressKind::Private => Permission::OneHost(name),
            AddressKind::Public | AddressKind::Forbidden(_) => Permission::Public,
        }
    }

    /// Judges what can be judged before anything is resolved: scheme, userinfo, literal addresses and their ports.
    pub(in crate::audit) fn check_url(&self, url: &Url, permission: &Permission) -> Result<(), UrlRefusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(UrlRefusal::Scheme(Text::from_outside(url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlRefusal::Userinfo);
        }
        if !url.has_host() {
            return Err(UrlRefusal::NotAUrl(Text::from_outside(url.as_str())));
        }
        match literal(url) {
            Some(address) => self.check_address(url, address, permission).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Judges one address of the URL's host and gives back where to dial.
    pub(in crate::audit) fn check_address(
        &self,
        url: &Url,
        address: IpAddr,
        permission: &Permission,
    ) -> Result<SocketAddr, UrlRefusal> {
        let port = url.port_or_known_default().unwrap_or(0);
        // A mapped address is the IPv4 address it carries: what is judged and what is dialled must be the same.
        let address = address.to_canonical();
        let dialled = SocketAddr::new(address, port);
        if self.is_own_listener(dialled) {
            return Err(UrlRefusal::OwnListener(dialled));
        }
        let name = host_name(url);
        if self.is_allowed(&name, address) {
            return Ok(dialled);
        }
        let kind = address_kind(address);
        let permitted = match (kind, permission) {
            (AddressKind::Loopback, Permission::ThisMachine) => return Ok(dialled),
            (AddressKind::Loopback | AddressKind::Private, Permission::OneHost(host)) if *host == name => {
                return Ok(dialled);
            }
            (AddressKind::Public, Permission::Public | Permission::ThisMachine | Permission::OneHost(_)) => true,
            (AddressKind::Loopback | AddressKind::Private | AddressKind::Forbidden(_), _) => false,
        };
        if !permitted {
            return Err(UrlRefusal::Address { kind: kind.words(), address });
        }
        if WEB_PORTS.contains(&port) || self.policy.extra_ports.contains(&port) {
            Ok(dialled)
        } else {
            Err(UrlRefusal::Port(port))
        }
    }

    fn is_allowed(&self, name: &str, address: IpAddr) -> bool {
        self.policy.allowed.iter().any(|allowed| match allowed {
            Allowed::Host(host) => host == name,
            Allowed::Range(range) => range.contains(&address),
        })
    }

    fn is_own_listener(&self, dialled: SocketAddr) -> bool {
        let Some(own) = self.policy.own_listener else { return false };
        if own.port() != dialled.port() {
            return false;
        }
        let own = own.ip().to_canonical();
        // A listener on all addresses answers at every address of this machine, which are all not public or its own.
        own == dialled.ip()
            || dialled.ip().is_unspecified()
            || (own.is_unspecified() && address_kind(dialled.ip()) != AddressKind::Public)
    }
}

/// The URL as it will be audited: a scheme put in front where there was none, the fragment gone.
///
/// Without scheme a URL gets `https://`, or `http://` where it names this machine.
pub fn normalize(url: &str) -> Result<Url, UrlRefusal> {
    let text = url.trim();
    if text.len() > MAX_URL_LENGTH {
        return Err(UrlRefusal::TooLong(MAX_URL_LENGTH));
    }
    let mut parsed = match scheme_of(text)? {
        Some(_) => parse(text)?,
        None => parse_without_scheme(text)?,
    };
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(UrlRefusal::Userinfo);
    }
    if !parsed.has_host() || parsed.port() == Some(0) {
        return Err(UrlRefusal::NotAUrl(Text::from_outside(text)));
    }
    parsed.set_fragment(None);
    Ok(parsed)
}

fn parse(text: &str) -> Result<Url, UrlRefusal> {
    Url::parse(text).map_err(|error| UrlRefusal::NotAUrl(Text::from_outside(error.to_string())))
}

fn parse_without_scheme(text: &str) -> Result<Url, UrlRefusal> {
    let parsed = parse(&format!("https://{text}"))?;
    let here = literal(&parsed)
        .map_or_else(|| is_this_machine(&host_name(&parsed)), |address| address_kind(address) == AddressKind::Loopback);
    if here { parse(&format!("http://{text}")) } else { Ok(parsed) }
}

/// The scheme that was written, `None` where a host stands first, a refusal for every scheme but http and https.
fn scheme_of(text: &str) -> Result<Option<&str>, UrlRefusal> {
    let head = text.split(['/', '?', '#', '\\', '[', '@']).next().unwrap_or_default();
    let Some((word, rest)) = head.split_once(':') else { return Ok(None) };
    let names_a_scheme =
        text[word.len()..].starts_with("://") || (!rest.bytes().all(|byte| byte.is_ascii_digit()) || rest.is_empty());
    if !names_a_scheme {
        return Ok(None);
    }
    if word.eq_ignore_ascii_case("http") || word.eq_ignore_ascii_case("https") {
        return Ok(Some(word));
    }
    Err(UrlRefusal::Scheme(Text::from_outside(word)))
}

/// The host as rules compare it: lower case, without a trailing dot.
pub(in crate::audit) fn host_name(url: &Url) -> String {
    url.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase()
}

/// The address, where the host is one (in any spelling that a browser would take for one).
pub(in crate::audit) fn literal(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

fn is_this_machine(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

fn is_private_name(name: &str) -> bool {
    !name.contains('.') || PRIVATE_NAME_SUFFIXES.iter().any(|ending| name.ends_with(ending))
}

/// True when the URL names this machine: what needs the public internet does not apply to it.
pub(in crate::audit) fn names_this_machine(url: &Url) -> bool {
    literal(url)
        .map_or_else(|| is_this_machine(&host_name(url)), |address| address_kind(address) == AddressKind::Loopback)
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
