//! Triage: states and notes, the queue, what changed since the last look, causes, and the order of urgency.

pub mod causes;
pub mod changes;
pub mod missing;
pub mod priority;
pub mod queue;
pub mod states;
