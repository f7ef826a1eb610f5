//! The layout of the overview.

use ratatui::layout::Rect;
use strum::IntoEnumIterator as _;

use crate::app::App;
use crate::domain::overview::OverviewBlock;
use crate::view::widgets::blocks;

/// The minimum width for two columns.
const TWO_COLUMNS: u16 = 100;

/// Computes the visible blocks and their areas: as many rows of blocks as fit, including the focused block.
pub(super) fn places(
    app: &App,
    place: Rect,
    focused: OverviewBlock,
    lines: &[(OverviewBlock, impl Sized)],
) -> Vec<(OverviewBlock, Rect)> {
    let blocks: Vec<OverviewBlock> = OverviewBlock::iter().collect();
    let columns = if place.width >= TWO_COLUMNS { 2 } else { 1 };
    let rows: Vec<&[OverviewBlock]> = blocks.chunks(columns).collect();
    // Neighbouring blocks share a line of their frames.
    let height = |row: &[OverviewBlock]| {
        let heights = row.iter().map(|block| wanted(app, *block, blocks::count(lines, *block) as u16));
        heights.max().unwrap_or_default() + 1
    };
    let at = rows.iter().position(|row| row.contains(&focused)).unwrap_or_default();
    let mut start = 0;
    while start < at && rows[start..=at].iter().map(|row| height(row)).sum::<u16>() >= place.height {
        start += 1;
    }
    let mut shown: Vec<(&[OverviewBlock], u16)> = Vec::new();
    let mut left = place.height - 1;
    for row in &rows[start..] {
        // A row may lack one line.
        let height = height(row);
        if !shown.is_empty() && left < (height - 1).max(2) {
            break;
        }
        let height = height.min(left);
        left -= height;
        shown.push((row, height));
    }
    // The remaining room is for the open work, which ends with the most urgent reports, then for the row of blocks with
    // the most hidden lines, then for the last row.
    let is_work = |block| block == OverviewBlock::Work;
    let is_list = |block| !matches!(block, OverviewBlock::History | OverviewBlock::Scores);
    for is_meant in [is_work, is_list] {
        let hidden = |(row, height): &(&[OverviewBlock], u16)| {
            let counts = row.iter().filter(|block| is_meant(**block)).map(|block| blocks::count(lines, *block) as u16);
            counts.max().unwrap_or_default().saturating_sub(height - 1)
        };
        if let Some(row) = shown.iter_mut().max_by_key(|row| hidden(row)) {
            let more = hidden(row).min(left);
            (row.1, left) = (row.1 + more, left - more);
        }
    }
    if let Some((_, height)) = shown.last_mut() {
        *height += left;
    }
    let mut placed = Vec::new();
    let mut y = place.y;
    let half = place.width / columns as u16;
    for (row, height) in shown {
        for (block, column) in row.iter().zip(0_u16..) {
            let x = column * half;
            let width = if usize::from(column) + 1 == columns { place.width - x } else { half + 1 };
            placed.push((*block, Rect::new(x, y, width, height + 1)));
        }
        y += height;
    }
    placed
}

/// Returns the preferred number of lines of a block.
fn wanted(app: &App, block: OverviewBlock, count: u16) -> u16 {
    match block {
        OverviewBlock::Results => count,
        OverviewBlock::Changes if app.triage.changes.baseline().is_some() => 5,
        OverviewBlock::Changes => 1,
        OverviewBlock::Projects | OverviewBlock::Checks => count.clamp(2, 5),
        OverviewBlock::Work | OverviewBlock::Latest => count.clamp(2, 6),
        OverviewBlock::History | OverviewBlock::Scores => 6,
    }
}
