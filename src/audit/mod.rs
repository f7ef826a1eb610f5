//! One URL in, one audited report out. Knows the domain; must not know who asked or where the report is kept.
//!
//! ```text
//! auditor ─► journey ─► fetch ─► guard, resolve, tls, body      the page, hop by hop
//!         ─► page ─► tree ─► parser                             parsed once
//!         ─► probes ─► journey                                  at most five other addresses
//!         ─► checks ─► score                                    one table entry each
//! ```

mod accessible_name;
mod auditor;
mod checks;
mod fetch;
mod headers;
mod limits;
mod page;
mod probes;
mod processor_time;
mod robots;
mod score;
mod sitemap;
mod text;

pub use auditor::{Audit, AuditError, Auditor, NotAudited};
pub use checks::check_result::Verdict;
pub use checks::entry::{CheckEntry, Needs};
pub use checks::table::{explanations, judge, table};
pub use fetch::fetch_error::{Refusal, Trouble};
pub use fetch::guard::{Allowed, Policy, Reach, normalise};
pub use fetch::resolve::{Resolution, Resolve, SystemResolver};
pub use limits::Limits;
pub use page::Page;
pub use processor_time::Unfinished;
pub use robots::{Robots, Unreadable};
