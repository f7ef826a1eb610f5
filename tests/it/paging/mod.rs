//! Lists of services with every paging style, or none.

mod page_failures;
mod paged_service;
mod paging_styles;
