//! Audits: a bounded queue in front of the auditor, in this process or shared by instances.

pub mod commit_retry;
pub mod job;
#[cfg(feature = "postgres")]
pub mod leases;
pub mod local_queue;
pub mod page_auditor;
pub mod page_audits;
pub mod queue;
pub mod queue_parts;
pub mod runner;
#[cfg(feature = "postgres")]
pub mod shared_queue;
