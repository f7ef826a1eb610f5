//! Headers of an answer, read as browsers read them. Says what they mean, not whether that is good.

pub(super) mod content_type;
pub(super) mod cookie;
pub(super) mod csp;
pub(super) mod frame_options;
