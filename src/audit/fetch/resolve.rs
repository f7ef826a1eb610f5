//! Names to addresses. Must not know which addresses are allowed; `guard` judges every one that comes from here.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;

/// What a resolver gives back: all addresses of a name, or why there are none.
pub type Resolution<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Whoever turns a name into addresses: the system, or a script in tests.
pub trait Resolve: Send + Sync {
    /// All addresses of the name, in the order in which they should be tried.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolution<'a>;
}

/// The resolver of the machine: its hosts file and its name servers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolution<'a> {
        Box::pin(async move {
            // The port is not used: only the addresses are kept.
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}
