//! The desk: triage shared by a team. People and their roles, one row per report with state and holder, note threads,
//! and the log of all changes.
//!
//! The types also define the JSON of `/api/v1/desk`, for both client and service.

mod change_id;
mod content;
mod event;
pub mod handover;
mod json;
mod news;
mod outbox;
mod overview;
mod pages;
mod person;
mod presence;
mod row;
#[cfg(test)]
mod tests;
mod write;

pub use change_id::ChangeId;
pub use content::DeskContent;
pub use event::{DeskEvent, EventDetail};
pub use json::error_text;
pub use news::{DeskNews, DeskNewsKind, mentions};
pub use outbox::{CLAIM, Conflict, DeskWrite, LONGEST_UNASKED, OutboxEntry};
pub use overview::{DeskMe, DeskOverview, DeskService, LogPosition, OWN_SERVICE};
pub use pages::{DeskChanges, EventsPage, NotesPage, RowsPage};
pub use person::{DeskActor, Handle, InvalidHandle, LONGEST_PERSON_NAME, Person, Role, put_person};
pub use presence::{Presence, PresenceActivity};
pub use row::{DeskNote, DeskRow, holder_after};
pub use write::{NoteWrite, RowPrecondition, RowWrite, ServiceLookup};
