//! Lists of reports: queries, pages, the loaded rows and their index, columns, filters and sort orders.

pub mod arrange;
pub mod cached_rows;
pub mod column_layout;
pub mod columns;
pub mod filter;
pub mod incomplete;
pub mod interner;
pub mod paging;
pub mod query;
pub mod row_index;
pub mod rows;
pub mod view_line;
