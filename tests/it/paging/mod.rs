//! Walking through lists whose service says in its own way, or not at all, how to get further pages.

mod page_failures;
mod paged_service;
mod paging_styles;
