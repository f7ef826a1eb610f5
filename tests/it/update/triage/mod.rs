//! Triage: states and notes, the queue, and changes since an earlier look.

mod changes;
mod queue;
mod states;
