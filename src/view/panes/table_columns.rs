//! The column layout of the table of reports: which columns fit, their offsets and widths.

use crate::app::App;
use crate::domain::list::columns::{Column, ColumnEntry};
use crate::view::times::width_of;

/// The minimum width of the URL while other columns can be dropped.
const NARROWEST_URL: u16 = 30;
/// The minimum if the user chose the columns, or URLs are shown without their host.
const NARROWEST_SHORT_URL: u16 = 18;
/// The cells before the first column, for the cursor or the symbol of a running write.
pub(crate) const MARKER: u16 = 2;

/// A column with its position in the line.
pub(crate) struct Placed {
    pub(crate) entry: &'static ColumnEntry,
    pub(crate) offset: u16,
    pub(crate) width: u16,
}

/// The columns of a table of a certain width.
pub(crate) struct TableColumns {
    /// The columns that fit, from left to right.
    pub(crate) placed: Vec<Placed>,
    /// Whether some columns do not fit.
    pub(crate) some_hidden: bool,
}

impl TableColumns {
    /// Computes the columns that fit into `cells` cells. The URL takes the remaining width.
    pub(crate) fn of(app: &App, cells: u16, gap: u16) -> Self {
        let are_chosen = app.reports.columns.shown.is_some();
        let is_short = are_chosen || app.reports.is_in_one_project();
        let narrowest = if is_short { NARROWEST_SHORT_URL } else { NARROWEST_URL };
        let mut wanted = app.reports.wanted_columns();
        let all = wanted.len();
        let without_holders =
            |column: Column, is_narrow: bool| if is_narrow { app.reports.holder_cells(column) } else { 0 };
        let mut is_narrow = false;
        let needed = |wanted: &[Column], is_narrow: bool| {
            // Exact times narrow the URL, but drop no column.
            let fixed = wanted.iter().filter(|column| **column != Column::Url);
            let width = |column: &Column| app.reports.width_of(*column) - without_holders(*column, is_narrow) + gap;
            MARKER + narrowest + fixed.map(width).sum::<u16>()
        };
        while needed(&wanted, is_narrow) > cells {
            // Of the default columns the least important is dropped; of the user's choice the last one.
            let at = if are_chosen {
                wanted.iter().rposition(|column| *column != Column::Url)
            } else {
                let ranked = (0..wanted.len()).filter(|at| wanted[*at].entry().drop_rank > 1);
                ranked.max_by_key(|at| wanted[*at].entry().drop_rank)
            };
            let Some(at) = at else { break };
            if !is_narrow && app.reports.holder_cells(wanted[at]) > 0 {
                is_narrow = true;
            } else {
                wanted.remove(at);
            }
        }
        let some_hidden = wanted.len() < all;
        let width = |column: Column| width_of(app, column.entry()) - without_holders(column, is_narrow);
        let fixed: u16 =
            wanted.iter().filter(|column| **column != Column::Url).map(|column| width(*column) + gap).sum();
        // Room for the mark that columns are hidden, or between a final number and the frame.
        let margin = u16::from(some_hidden || wanted.last().is_some_and(|last| last.is_number()));
        let url = cells.saturating_sub(MARKER + fixed + margin);
        let mut offset = MARKER;
        let mut placed = Vec::with_capacity(wanted.len());
        for column in wanted {
            let width = if column == Column::Url { url } else { width(column) };
            placed.push(Placed { entry: column.entry(), offset, width });
            offset += width + if column != Column::Url || width > 0 { gap } else { 0 };
        }
        Self { placed, some_hidden }
    }

    /// Whether a column fits.
    pub(crate) fn holds(&self, column: Column) -> bool {
        self.placed.iter().any(|placed| placed.entry.column == column)
    }
}
