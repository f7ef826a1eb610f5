//! State that instances of a service share: the audit queue, request budgets, password attempts.

pub mod audit_events;
pub mod audit_jobs;
pub mod cleaning;
pub mod job_rows;
pub mod limits;
