//! One URL in, one audited report out. Knows the domain; must not know who asked or where the report is kept.
//!
//! ```text
//! auditor ─► journey ─► fetch ─► guard, resolve, tls, body      the page, hop by hop
//!         ─► page ─► tree ─► parser                             parsed once
//!         ─► probes ─► journey                                  at most five other addresses
//!         ─► checks ─► score                                    one table entry each
//! ```

mod accessible_name;
mod addresses;
mod auditor;
mod body;
mod checks;
mod encoding;
mod fetch;
mod guard;
mod headers;
mod journey;
mod language_tag;
mod limits;
mod link_header;
mod page;
mod parser;
mod probes;
mod processor_time;
mod resolve;
mod robots;
mod score;
mod sitemap;
mod tls;
mod tree;
mod trouble;
mod verdict;
mod viewport;
mod words;

#[cfg(test)]
mod test_server;

pub use auditor::{Audit, AuditError, Auditor, NotAudited};
pub use checks::{CheckEntry, Needs, explanations, judge, table};
pub use guard::{Allowed, Policy, Reach, normalise};
pub use limits::Limits;
pub use page::Page;
pub use processor_time::Unfinished;
pub use resolve::{Resolution, Resolve, SystemResolver};
pub use robots::{Robots, Unreadable};
pub use trouble::{Refusal, Trouble};
pub use verdict::Verdict;
