//! Output of reports: clipboard, files, customer messages.

pub mod clipboard;
pub mod export;
pub mod message;
