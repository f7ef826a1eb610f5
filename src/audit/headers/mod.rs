//! Parsers of response headers, following the standards and browsers. The checks judge the values.

pub(in crate::audit) mod content_type;
pub(in crate::audit) mod cookie;
pub(in crate::audit) mod csp;
pub(in crate::audit) mod frame_options;
pub(in crate::audit) mod transport_security;
