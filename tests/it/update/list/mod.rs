//! The table of reports: what it holds, in which order, in which columns, and which rows are selected.

mod arrange;
mod cached_rows;
mod columns;
mod fetch_checks;
mod selection;
mod views;
