//! Triage: states and notes, the queue, and changes since an earlier look.

mod causes;
mod changes;
mod queue;
mod states;
