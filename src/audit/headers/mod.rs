//! Headers of an answer, read as browsers read them. Says what they mean, not whether that is good.

pub(in crate::audit) mod content_type;
pub(in crate::audit) mod cookie;
pub(in crate::audit) mod csp;
pub(in crate::audit) mod frame_options;
pub(in crate::audit) mod link_header;
