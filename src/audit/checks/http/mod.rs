//! Checks of the response, its headers, its URL and its connection.

pub(in crate::audit) mod address;
pub(in crate::audit) mod crawling;
pub(in crate::audit) mod headers;
pub(in crate::audit) mod transfer;
pub(in crate::audit) mod transport;
