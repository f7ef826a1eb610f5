//! Name resolution. `guard` checks every resolved address.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use futures_util::future::BoxFuture;

/// Resolves names: the system, or a fixed table in tests.
pub trait Resolve: Send + Sync {
    /// Returns all addresses of the name, in the order in which to try them.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The system's resolver (hosts file and name servers), except that names below `localhost` are always this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            // RFC 6761, 6.3: these names mean this machine, whatever a name server says.
            if name.trim_end_matches('.').to_ascii_lowercase().ends_with(".localhost") {
                return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
            }
            // `lookup_host` needs a port, which is ignored.
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn names_below_localhost_are_this_machine() {
        for name in ["tea.localhost", "A.Tea.LOCALHOST."] {
            let found = SystemResolver.resolve(name).await.unwrap();
            assert!(found.iter().all(IpAddr::is_loopback) && found.len() == 2, "{name}: {found:?}");
        }
    }
}
