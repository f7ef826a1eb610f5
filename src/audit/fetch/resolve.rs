//! Name resolution. `guard` checks every resolved address.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;

/// A pending lookup: all addresses of a name, or why there are none.
pub type Resolution<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Resolves names: the system, or a fixed table in tests.
pub trait Resolve: Send + Sync {
    /// All addresses of the name, in the order in which to try them.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolution<'a>;
}

/// The system's resolver: hosts file and name servers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolution<'a> {
        Box::pin(async move {
            // `lookup_host` needs a port, which is ignored.
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}
