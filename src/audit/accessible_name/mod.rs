//! Accessible names of elements (Accessible Name and Description Computation 1.2, HTML-AAM 1.0). Comments refer to the
//! steps of section 4.3.2.
//!
//! One deviation: a hidden `label` gives no name. The standard allows it, but browsers differ, and sighted people do
//! not see that label.

mod attributes;
pub(in crate::audit) mod names;
pub(in crate::audit) mod roles;
