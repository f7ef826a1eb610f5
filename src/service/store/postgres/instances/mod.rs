//! What the instances of a service share: the queue of audits, request budgets, attempts at page passwords.

pub mod audit_events;
pub mod audit_jobs;
pub mod cleaning;
pub mod job_rows;
pub mod limits;
