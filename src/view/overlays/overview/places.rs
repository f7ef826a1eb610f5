//! The layout of the overview.

use jiff::Timestamp;
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
    let tallest = |row: &[OverviewBlock], height: fn(&App, OverviewBlock, u16) -> u16| {
        row.iter().map(|block| height(app, *block, blocks::count(lines, *block) as u16)).max().unwrap_or_default()
    };
    // Neighbouring blocks share a line of their frames.
    let height = |row: &[OverviewBlock]| tallest(row, wanted) + 1;
    let at = rows.iter().position(|row| row.contains(&focused)).unwrap_or_default();
    let mut start = 0;
    while start < at && rows[start..=at].iter().map(|row| height(row)).sum::<u16>() >= place.height {
        start += 1;
    }
    let mut shown: Vec<(&[OverviewBlock], u16)> = Vec::new();
    let mut left = place.height - 1;
    for row in &rows[start..] {
        let height = if shown.is_empty() { height(row).min(left) } else { height(row) };
        if height > left {
            break;
        }
        left -= height;
        shown.push((row, height));
    }
    // The row of blocks with the most hidden lines gets the remaining room, then the last one.
    let hidden = |app: &App, block, count: u16| match block {
        OverviewBlock::History | OverviewBlock::Scores => 0,
        _ => count.saturating_sub(wanted(app, block, count)),
    };
    if let Some((row, height)) = shown.iter_mut().max_by_key(|(row, _)| tallest(row, hidden)) {
        let more = tallest(row, hidden).min(left);
        (*height, left) = (*height + more, left - more);
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
        OverviewBlock::Changes if baseline(app).is_some() => 4,
        OverviewBlock::Changes => 1,
        OverviewBlock::Projects | OverviewBlock::Checks => count.clamp(2, 5),
        OverviewBlock::Work | OverviewBlock::Latest => count.clamp(2, 6),
        OverviewBlock::History | OverviewBlock::Scores => 6,
    }
}

/// Returns the time of the last look, if there is one to compare with.
pub(super) fn baseline(app: &App) -> Option<Timestamp> {
    app.triage.changes.compared.as_ref()?.baseline
}
