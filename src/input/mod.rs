//! Keys to meaning: actions, contexts, bindings. Must not know the state or the screen.
//!
//! A key is resolved against a plain [`Context`] that the state derives; nothing here remembers anything.

pub mod action;
pub mod bindings;
pub mod context;
pub mod keymap;
pub mod translate;

pub use action::Action;
pub use context::Context;
pub use translate::{Input, Mouse, MouseKind};
