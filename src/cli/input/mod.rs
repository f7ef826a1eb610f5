//! Input of commands besides options: ids and URLs from stdin, passwords, confirmations.

pub mod confirm;
pub mod operands;
pub mod password;
pub mod secret_prompt;
