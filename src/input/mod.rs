//! Keys to meaning: actions, contexts, bindings.
//!
//! A key is resolved against a plain [`Context`] that the state derives; what is remembered is only the beginning of a
//! sequence of keys.

pub mod action;
pub mod bindings;
pub mod context;
pub mod key;
pub mod keymap;
pub mod presets;
pub mod remap;
pub mod translate;

pub use action::Action;
pub use context::Context;
pub use translate::{Input, Mouse, MouseKind};
