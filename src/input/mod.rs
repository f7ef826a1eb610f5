//! Translates keys to actions: contexts, bindings, key sequences.

pub mod action;
pub mod bindings;
pub mod context;
pub mod explanations;
pub mod key;
pub mod keymap;
pub mod presets;
pub mod remap;
pub mod translate;

pub use action::Action;
pub use context::Context;
pub use translate::{Input, Mouse, MouseKind};
