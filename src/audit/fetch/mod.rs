//! One HTTP request from URL to response: address policy, name resolution, TLS, bounded bodies, redirects.

pub(in crate::audit) mod address_kind;
pub(in crate::audit) mod body;
pub(in crate::audit) mod fetch_error;
pub(in crate::audit) mod fetcher;
pub(in crate::audit) mod guard;
pub(in crate::audit) mod redirects;
pub(in crate::audit) mod resolve;
pub(in crate::audit) mod response;
pub(in crate::audit) mod tls;
