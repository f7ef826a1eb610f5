//! Handing reports over: to the clipboard and as files.

pub mod clipboard;
pub mod export;
pub mod message;
