//! Checks of the response, its headers, its URL and its connection.

pub(in crate::audit) mod address;
pub(in crate::audit) mod crawling;
pub(in crate::audit) mod headers;
pub(in crate::audit) mod policies;
pub(in crate::audit) mod robot_names;
pub(in crate::audit) mod targets;
pub(in crate::audit) mod transfer;
pub(in crate::audit) mod transport;
