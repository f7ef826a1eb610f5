//! Audits one URL: fetches the page, runs the checks, computes the score.
//!
//! ```text
//! auditor ─► fetch::redirects ─► fetch::fetcher ─► guard, resolve, tls, body   every hop
//!         ─► page ─► tree ─► parser                                            parsed once
//!         ─► probes ─► fetch::redirects                                        at most twelve other URLs
//!         ─► checks ─► domain::report::score                                   one table entry per check
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
mod sitemap;
mod text;

pub use auditor::{Audit, Auditor, NotAudited};
pub use checks::table::{EXPLANATIONS, explanations, run_checks, table};
pub use fetch::guard::{Allowed, MAX_URL_LENGTH, Policy, Reach, normalize};
pub use page::AuditedPage;
pub use robots::RobotsTxt;
