//! The table of checks: one entry each, complete. Whoever adds a check adds an entry, and the tests ask for the rest.
//!
//! Must not know how a page was fetched; a rule reads one `AuditedPage` and answers with one `CheckResult`.

pub(in crate::audit) mod check_result;
mod document;
pub(in crate::audit) mod entry;
mod http;
#[cfg(test)]
pub(in crate::audit) mod samples;
pub(in crate::audit) mod table;
