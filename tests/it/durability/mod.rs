//! The built binary under failures: kills, a second instance, full and read-only disks, foreign or damaged databases,
//! too many connections, a log that nobody reads.

mod desk_log;
mod disk_full;
mod disk_quota;
mod idle_connections;
mod instance_lock;
mod kill;
mod password_memory;
mod restored_desk;
mod unread_log;
mod unusable_data;
