//! Audits: a bounded queue in front of the auditor.

pub mod queue;
pub mod runner;
