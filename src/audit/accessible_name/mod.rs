//! Accessible names: what a screen reader says for an element, by Accessible Name and Description Computation 1.2 and
//! the mappings of HTML-AAM 1.0. Steps are named as in section 4.3.2 of the former.
//!
//! It is stricter in one point: a hidden `label` gives no name. The standard allows it, browsers differ, and people who
//! see the page do not see that label.

mod attributes;
pub(in crate::audit) mod names;
pub(in crate::audit) mod roles;
