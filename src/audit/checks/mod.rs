//! The checks. A new check is an entry in a file of `document` or `http`; the tests of `table` verify that it is
//! complete.

pub(in crate::audit) mod check_result;
mod document;
pub(in crate::audit) mod entry;
mod http;
#[cfg(test)]
pub(in crate::audit) mod samples;
pub(in crate::audit) mod table;
