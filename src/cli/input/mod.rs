//! What commands read besides their options: ids and URLs from stdin, passwords, confirmations.

pub mod confirm;
pub mod operands;
pub mod password;
pub mod secret_prompt;
