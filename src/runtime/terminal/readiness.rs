//! Waiting for a file of the system without reading or writing it. Must not know what the file is.

use std::io;
use std::os::fd::{AsFd, AsRawFd};

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Watches a file for as long as the answer lives.
#[allow(deprecated)] // its successor is unsafe, for files that may be closed meanwhile; `AsFd` is only for those that are not
pub(crate) fn watched<T: AsFd + AsRawFd>(file: T, interest: Interest) -> io::Result<AsyncFd<T>> {
    AsyncFd::with_interest(file, interest)
}
