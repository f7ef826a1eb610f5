//! A block of the overview: its area, and the position of its lines among all lines.

use jiff::Timestamp;
use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::HitTarget;
use crate::domain::overview::{Overview, OverviewBlock};
use crate::view::canvas::Canvas;

/// The maximum number of cells of a bar.
pub(super) const BAR: u64 = 16;
/// The number of days in the history.
pub(super) const DAYS: i64 = 30;

/// The area of a block, and the position of its lines among all lines.
pub(super) struct BlockArea<'a> {
    pub(super) block: OverviewBlock,
    pub(super) inner: Rect,
    /// The index of its first line.
    pub(super) first: usize,
    /// The number of its lines.
    pub(super) count: usize,
    pub(super) cursor: Option<usize>,
    pub(super) counts: &'a Overview,
}

impl BlockArea<'_> {
    /// The number of lines, including those that are not listed.
    pub(super) fn block_len(&self) -> usize {
        match self.block {
            OverviewBlock::Projects => self.counts.projects.len().max(self.count),
            OverviewBlock::Checks => {
                let unknown = usize::from(!self.counts.unknown_checks.is_empty());
                (self.counts.failing.len() + unknown).max(self.count)
            }
            OverviewBlock::Results
            | OverviewBlock::Changes
            | OverviewBlock::Work
            | OverviewBlock::Latest
            | OverviewBlock::History
            | OverviewBlock::Scores => self.count,
        }
    }
}

/// Highlights the line under the cursor, and makes the line clickable.
pub(super) fn select(canvas: &mut Canvas, block: &BlockArea<'_>, index: usize, place: Rect) {
    if block.cursor == Some(index) {
        canvas.style_line((place.x, place.y), place.width, canvas.look.theme.selected);
    }
    canvas.hit(place, HitTarget::OverlayLine(block.first + index));
}

/// Returns the time of the last look, if there is one to compare with.
pub(super) fn baseline(app: &App) -> Option<Timestamp> {
    app.triage.changes.compared.as_ref()?.baseline
}
