//! The table of reports: its rows, order, columns, selection and saved views.

mod arrange;
mod cached_rows;
mod columns;
mod fetch_checks;
mod filter_line;
mod new_above;
mod refresh;
mod selection;
mod views;
