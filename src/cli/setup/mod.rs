//! Shared parts of commands: the service and its client, profiles, keys, and probes of this machine and of a service.

pub mod access;
pub mod desk;
pub mod embedded;
pub mod interrupt;
pub mod keymap;
pub mod local_journal;
pub mod log;
pub mod machine_probe;
pub mod profiles;
pub mod sample_history;
pub mod service_probe;
pub mod wait_note;
pub mod write_log;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The default address of `serve`.
pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8750);
