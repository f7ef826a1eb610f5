//! Writes: edits, delayed deletions, and operations on many reports.

mod bulk;
mod bulk_undo;
mod create_many;
mod edits;
mod fetch_failures;
mod pending_deletes;
mod questions;
