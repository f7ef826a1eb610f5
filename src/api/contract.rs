//! Paths and field names of the interface, written once: the client asks with them, the service answers to them.
//!
//! Must not know either of the two.

/// What every path begins with; the version is part of it (INTERFACE.md 9).
pub const PREFIX: &str = "/api/v1";
/// The collection of reports, below [`PREFIX`].
pub const REPORTS: &str = "reports";
/// The collection of projects, below [`PREFIX`].
pub const PROJECTS: &str = "projects";
