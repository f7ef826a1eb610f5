//! A resolver and a dialler for tests: scripted addresses, and connections that all lead to one loopback server.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use tokio::net::TcpStream;

use crate::audit::fetch::fetcher::Dial;
use crate::audit::fetch::resolve::Resolve;

/// A resolver that returns scripted addresses, one list per lookup; the last one repeats.
pub(in crate::audit) struct Script(Mutex<HashMap<String, Vec<Vec<IpAddr>>>>);

impl Script {
    pub(in crate::audit) fn new(names: &[(&str, &[&[&str]])]) -> Arc<Self> {
        let parse = |response: &&[&str]| response.iter().map(|address| address.parse().unwrap()).collect();
        let names = names.iter().map(|(name, responses)| ((*name).to_owned(), responses.iter().map(parse).collect()));
        Arc::new(Self(Mutex::new(names.collect())))
    }
}

impl Resolve for Script {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        let mut names = self.0.lock().unwrap();
        let response = names
            .get_mut(name)
            .map(|responses| if responses.len() > 1 { responses.remove(0) } else { responses[0].clone() });
        Box::pin(async move { response.ok_or_else(|| std::io::Error::other("no such name")) })
    }
}

/// A dialler that connects every address to one loopback server, and records the dialled addresses.
pub(in crate::audit) struct Detour {
    to: SocketAddr,
    pub(in crate::audit) dialled: Mutex<Vec<SocketAddr>>,
}

impl Detour {
    pub(in crate::audit) fn to(to: SocketAddr) -> Self {
        Self { to, dialled: Mutex::default() }
    }
}

impl Dial for Detour {
    fn dial(&self, address: SocketAddr) -> BoxFuture<'_, std::io::Result<TcpStream>> {
        self.dialled.lock().unwrap().push(address);
        Box::pin(TcpStream::connect(self.to))
    }
}
