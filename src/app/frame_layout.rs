//! Layout feedback from the last frame: visible row counts, hit targets. Written by the view, read by `update`.

use crate::domain::list::columns::Column;
use crate::domain::report::privacy::Privacy;
use crate::input::Action;

/// The three panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum Pane {
    /// The list of projects.
    Projects,
    /// The table of reports.
    Reports,
    /// The report under the cursor.
    Report,
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    /// Leftmost column.
    pub column: u16,
    /// Topmost row.
    pub row: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Area {
    /// Whether a cell is inside.
    pub fn holds(&self, column: u16, row: u16) -> bool {
        (self.column..self.column.saturating_add(self.width)).contains(&column)
            && (self.row..self.row.saturating_add(self.height)).contains(&row)
    }
}

/// The target of a click on an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitTarget {
    /// The rows of a pane, starting at the area's top.
    Rows(Pane),
    /// The scroll bar of a pane, or of the list on top.
    ScrollBar(Option<Pane>),
    /// The heading of a column.
    Heading(Column),
    /// A line of the menu, list or screen on top, by index.
    OverlayLine(usize),
    /// A hint in the footer.
    Hint(Action),
    /// A field or button of the form, by index.
    Field(usize),
    /// A choice of the form's privacy field.
    PrivacyChoice(Privacy),
    /// A button of the dialog: true for the confirming one.
    Button(bool),
    /// The text field that has the focus.
    Text,
}

/// The layout of a frame.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrameLayout {
    /// Rows that fit into the projects pane.
    pub projects: usize,
    /// Rows that fit into the reports pane.
    pub reports: usize,
    /// Lines that fit into the report pane.
    pub report: usize,
    /// Lines that the whole report takes.
    pub report_lines: usize,
    /// Rows that fit into the menu or list on top.
    pub overlay: usize,
    /// For each line of the help page, its first entry or the next one below.
    pub help_lines: Vec<usize>,
    /// For each cell of the text field that has the focus, the index of its character.
    pub text_cells: Vec<usize>,
    /// Clickable areas; later ones are on top.
    pub hit_targets: Vec<(Area, HitTarget)>,
    /// The panes that were visible.
    pub visible: Vec<Pane>,
}

impl FrameLayout {
    /// The hit target at a cell.
    pub fn hit_target(&self, column: u16, row: u16) -> Option<(Area, HitTarget)> {
        self.hit_targets.iter().rev().find(|(area, _)| area.holds(column, row)).copied()
    }
}
