//! The layout of the causes screen.

use ratatui::layout::Rect;

use crate::domain::triage::causes::lines::CauseBlock;

/// The minimum width for two columns.
const TWO_COLUMNS: u16 = 100;
/// Lines of an unfocused block in the stacked layout.
const UNFOCUSED: u16 = 3;
/// The minimum number of lines of the focused block beside others.
const FOCUSED: u16 = 5;
/// The maximum number of lines of the check sets below two columns.
const MOST_SETS: u16 = 8;

/// Computes the visible blocks and their frames. Neighbours share a line or a column of their frames.
pub(super) fn places(place: Rect, focused: CauseBlock, counts: &[(CauseBlock, usize)]) -> Vec<(CauseBlock, Rect)> {
    if place.width >= TWO_COLUMNS { in_two_columns(place, counts) } else { in_one_column(place, focused, counts) }
}

/// Checks on the left, projects and addresses on the right, check sets below.
fn in_two_columns(place: Rect, counts: &[(CauseBlock, usize)]) -> Vec<(CauseBlock, Rect)> {
    let count = |block| counts.iter().find(|(of, _)| *of == block).map_or(0, |(_, count)| *count as u16);
    let third = place.height / 3;
    let sets = count(CauseBlock::Sets).min(MOST_SETS).min(third) + 2;
    let upper = place.height + 1 - sets;
    let half = place.width / 2;
    let right = Rect { x: place.x + half, width: place.width - half, height: upper, ..place };
    // Each gets half of the height, plus what the other does not need.
    let even = upper / 2;
    let (projects, addresses) = (count(CauseBlock::Projects) + 2, count(CauseBlock::Addresses) + 2);
    let projects = projects.clamp(3, even.max((upper + 1).saturating_sub(addresses)).max(3));
    vec![
        (CauseBlock::Checks, Rect { width: half + 1, height: upper, ..place }),
        (CauseBlock::Projects, Rect { height: projects, ..right }),
        (CauseBlock::Addresses, Rect { y: place.y + projects - 1, height: upper + 1 - projects, ..right }),
        (CauseBlock::Sets, Rect { y: place.y + upper - 1, height: sets, ..place }),
    ]
}

/// Stacks the blocks: the focused one gets the room left by a few lines of the others, or all of it.
fn in_one_column(place: Rect, focused: CauseBlock, counts: &[(CauseBlock, usize)]) -> Vec<(CauseBlock, Rect)> {
    let unfocused = |count: usize| (count as u16).min(UNFOCUSED) + 1;
    let others: u16 = counts.iter().filter(|(block, _)| *block != focused).map(|(_, count)| unfocused(*count)).sum();
    let left = place.height.saturating_sub(others + 1);
    if left <= FOCUSED {
        return vec![(focused, place)];
    }
    let mut y = place.y;
    let mut placed = Vec::new();
    for (block, count) in counts {
        let height = if *block == focused { left } else { unfocused(*count) };
        placed.push((*block, Rect { y, height: height + 1, ..place }));
        y += height;
    }
    placed
}
