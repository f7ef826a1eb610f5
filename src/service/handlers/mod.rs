//! Request handlers, and what they share: forms, list pages, JSON, errors.

pub mod cursor;
pub mod desk;
pub mod errors;
pub mod form;
pub mod json;
pub mod list_page;
pub mod monitoring;
pub mod projects;
pub mod report_form;
pub mod report_pages;
pub mod reports;
