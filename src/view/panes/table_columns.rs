//! The columns of the table of reports: which fit, where they stand, and how wide they are.

use crate::app::App;
use crate::domain::list::columns::{Column, ColumnEntry};
use crate::view::times::width_of;

/// The least width of the URL while another column can be left out.
const NARROWEST_URL: u16 = 30;
/// The same where a person chose the columns, and where the host is left out of the URLs.
const NARROWEST_SHORT_URL: u16 = 18;
/// The cells before the first column: the cursor, or a symbol of a running write.
pub(crate) const MARKER: u16 = 2;

/// A column with its place on the line.
pub(crate) struct Placed {
    pub(crate) entry: &'static ColumnEntry,
    pub(crate) offset: u16,
    pub(crate) width: u16,
}

/// The columns of a table of some width.
pub(crate) struct TableColumns {
    /// Those that fit, from left to right.
    pub(crate) placed: Vec<Placed>,
    /// Another column is wanted and does not fit.
    pub(crate) some_hidden: bool,
}

impl TableColumns {
    /// The columns that fit into `cells` cells. The URL takes what is left.
    pub(crate) fn of(app: &App, cells: u16, gap: u16) -> Self {
        let are_chosen = app.reports.columns.shown.is_some();
        let is_short = are_chosen || app.reports.is_in_one_project();
        let narrowest = if is_short { NARROWEST_SHORT_URL } else { NARROWEST_URL };
        let mut wanted = app.reports.wanted_columns();
        let all = wanted.len();
        let needed = |wanted: &[Column]| {
            // Exact times cost the URL a few cells, but no column.
            let fixed = wanted.iter().filter(|column| **column != Column::Url);
            MARKER + narrowest + fixed.map(|column| app.reports.width_of(*column) + gap).sum::<u16>()
        };
        while needed(&wanted) > cells {
            // Of the usual columns the least important goes; of those that a person put in order the last one.
            let at = if are_chosen {
                wanted.iter().rposition(|column| *column != Column::Url)
            } else {
                let ranked = (0..wanted.len()).filter(|at| wanted[*at].entry().drop_rank > 1);
                ranked.max_by_key(|at| wanted[*at].entry().drop_rank)
            };
            let Some(at) = at else { break };
            wanted.remove(at);
        }
        let some_hidden = wanted.len() < all;
        let width = |column: Column| width_of(app, column.entry());
        let fixed: u16 =
            wanted.iter().filter(|column| **column != Column::Url).map(|column| width(*column) + gap).sum();
        // Room for the mark of what does not fit; and a number at the end stands apart from the frame.
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

    /// Whether a column is among those that fit.
    pub(crate) fn holds(&self, column: Column) -> bool {
        self.placed.iter().any(|placed| placed.entry.column == column)
    }
}
