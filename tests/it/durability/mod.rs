//! What the built binary does when things go badly: killed while it writes, started twice, without room, without the
//! right to write, with a database that is newer, damaged or none, and with more connections than it has places.

mod disk_full;
mod disk_quota;
mod idle_connections;
mod instance_lock;
mod kill;
mod password_memory;
mod unusable_data;
