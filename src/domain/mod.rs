//! What the program is about: reports, projects, queries, filters, failures.
//!
//! Plain data and pure rules. This layer knows nobody: no terminal, no HTTP, no database, no clock.

pub mod activity;
pub mod age;
pub mod arrange;
pub mod bulk;
pub mod causes;
pub mod check;
pub mod chunked;
pub mod columns;
pub mod draft;
pub mod export;
pub mod failure;
pub mod filter;
pub mod history;
pub mod incomplete;
pub mod look;
pub mod moment;
pub mod outcome;
pub mod paging;
pub mod places;
pub mod preset;
pub mod privacy;
pub mod project;
pub mod query;
pub mod remembered;
pub mod report;
pub mod rows;
pub mod search_text;
pub mod shared;
pub mod since;
pub mod standing;
pub mod text;
pub mod text_order;
pub mod triage;
pub mod view_line;
pub mod whereabouts;
pub mod work_order;
pub mod workspace;
