//! The address policy against server-side request forgery: which URLs and addresses an audit may request.
//!
//! Two checks on every hop: [`Policy::check_url`] before the name is resolved, [`Policy::check_address`] for every
//! resolved address. Only a checked address is connected to.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use url::{Host, Url};

use crate::audit::fetch::address_kind::{AddressKind, address_kind};
use crate::audit::fetch::fetch_error::UrlRefusal;
use crate::domain::text::Text;

/// The most characters of a URL.
pub const MAX_URL_LENGTH: usize = 2048;
/// The longest name of a host in DNS, in bytes.
const MAX_HOST_LENGTH: usize = 253;
/// The ports on which public hosts may be audited.
const WEB_PORTS: [u16; 4] = [80, 443, 8080, 8443];
/// Suffixes of names that are only valid inside a private network.
const PRIVATE_NAME_SUFFIXES: [&str; 5] = [".local", ".internal", ".home.arpa", ".lan", ".localdomain"];

/// The address policy of an auditor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Which networks are allowed in general.
    pub reach: Reach,
    /// Further hosts and ranges from the configuration, of any address kind.
    pub allowed: Vec<Allowed>,
    /// The address of this service: never audited, even when its range is allowed.
    pub own_listener: Option<SocketAddr>,
}

/// Which networks are allowed in general.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Public addresses only, for a service with other users.
    PublicOnly,
    /// Also a loopback or private host that the requested URL names, for the user of this machine.
    LocalUser,
}

/// A host or range that the configuration allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    /// A host name, in lower case and without a trailing dot.
    Host(String),
    /// A range of addresses.
    Range(IpNet),
}

impl From<&str> for Allowed {
    /// Parses a range such as `10.0.0.0/8` or a single address; anything else is a host name.
    fn from(text: &str) -> Self {
        let text = text.trim();
        if let Ok(range) = text.parse::<IpNet>() {
            return Self::Range(range);
        }
        match text.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) => Self::Range(IpNet::from(address.to_canonical())),
            Err(_) => Self::Host(text.trim_end_matches('.').to_ascii_lowercase()),
        }
    }
}

/// What the requested URL allows beyond the public internet, for the whole audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) enum Permission {
    /// Nothing: no redirect or probe may leave the public internet.
    Public,
    /// The URL names this machine: its loopback addresses, on any port.
    ThisMachine,
    /// The URL names a private host: that host, on any port.
    OneHost(String),
}

impl Policy {
    /// Creates a policy without additions.
    pub fn new(reach: Reach) -> Self {
        Self { reach, allowed: Vec::new(), own_listener: None }
    }

    /// Returns what the requested, normalized URL allows.
    pub(in crate::audit) fn permission(&self, url: &Url) -> Permission {
        if self.reach == Reach::PublicOnly {
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

    /// Checks what is known before the name is resolved: scheme, userinfo, and for a literal address also its port.
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

    /// Checks one address of the URL's host and returns the address to connect to.
    pub(in crate::audit) fn check_address(
        &self,
        url: &Url,
        address: IpAddr,
        permission: &Permission,
    ) -> Result<SocketAddr, UrlRefusal> {
        let port = url.port_or_known_default().unwrap_or(0);
        // An IPv4-mapped address is checked and connected to as the IPv4 address it contains.
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
        match (kind, permission) {
            (AddressKind::Loopback, Permission::ThisMachine) => Ok(dialled),
            (AddressKind::Loopback | AddressKind::Private, Permission::OneHost(host)) if *host == name => Ok(dialled),
            (AddressKind::Public, _) if WEB_PORTS.contains(&port) => Ok(dialled),
            (AddressKind::Public, _) => Err(UrlRefusal::Port(port)),
            (AddressKind::Loopback | AddressKind::Private | AddressKind::Forbidden(_), _) => {
                Err(UrlRefusal::Address { kind: kind.words(), address })
            }
        }
    }

    fn is_allowed(&self, name: &str, address: IpAddr) -> bool {
        self.allowed.iter().any(|allowed| match allowed {
            Allowed::Host(host) => host == name,
            Allowed::Range(range) => range.contains(&address),
        })
    }

    fn is_own_listener(&self, dialled: SocketAddr) -> bool {
        let Some(own) = self.own_listener else { return false };
        if own.port() != dialled.port() {
            return false;
        }
        let own = own.ip().to_canonical();
        // A listener on all addresses is reachable at every loopback, private or reserved address of this machine.
        own == dialled.ip()
            || dialled.ip().is_unspecified()
            || (own.is_unspecified() && address_kind(dialled.ip()) != AddressKind::Public)
    }
}

/// Normalizes a URL for an audit: adds a missing scheme and removes the fragment.
///
/// The missing scheme is `https`, or `http` for a URL that names this machine.
pub fn normalize(url: &str) -> Result<Url, UrlRefusal> {
    let text = url.trim();
    if text.chars().count() > MAX_URL_LENGTH {
        return Err(UrlRefusal::TooLong(MAX_URL_LENGTH));
    }
    let mut parsed = if has_scheme(text)? { parse(text)? } else { parse_without_scheme(text)? };
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(UrlRefusal::Userinfo);
    }
    if !may_be_page(&parsed) || parsed.port() == Some(0) {
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
    if names_this_machine(&parsed) { parse(&format!("http://{text}")) } else { Ok(parsed) }
}

/// Whether the text begins with a scheme, and not with a host. Fails for schemes other than http and https.
fn has_scheme(text: &str) -> Result<bool, UrlRefusal> {
    let head = text.split(['/', '?', '#', '\\', '[', '@']).next().unwrap_or_default();
    let Some((word, rest)) = head.split_once(':') else { return Ok(false) };
    let names_a_scheme =
        text[word.len()..].starts_with("://") || (!rest.bytes().all(|byte| byte.is_ascii_digit()) || rest.is_empty());
    let is_of_web = word.eq_ignore_ascii_case("http") || word.eq_ignore_ascii_case("https");
    if names_a_scheme && !is_of_web {
        return Err(UrlRefusal::Scheme(Text::from_outside(word)));
    }
    Ok(names_a_scheme)
}

/// Whether a URL can be that of a web page: http or https, with a host that can exist.
pub(in crate::audit) fn may_be_page(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && (1..=MAX_HOST_LENGTH).contains(&host_name(url).len())
}

/// Returns the host in lower case, without a trailing dot.
pub(in crate::audit) fn host_name(url: &Url) -> String {
    url.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase()
}

/// Returns the host of a URL without `www.`.
pub(in crate::audit) fn site_name(url: &Url) -> String {
    let host = host_name(url);
    host.strip_prefix("www.").map(str::to_owned).unwrap_or(host)
}

/// Whether a host is the domain or one of its subdomains.
pub(in crate::audit) fn is_below(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|sub| sub.is_empty() || sub.ends_with('.'))
}

/// Returns the address if the host is an IP address, in any spelling of the URL standard.
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

/// Whether the URL names this machine; checks that need the public internet do not apply to it.
pub(in crate::audit) fn names_this_machine(url: &Url) -> bool {
    literal(url)
        .map_or_else(|| is_this_machine(&host_name(url)), |address| address_kind(address) == AddressKind::Loopback)
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
