//! Lines of the causes as styled text.

use crate::app::App;
use crate::domain::text::numbers::{grouped, percent};
use crate::domain::text::{fit_middle, width};
use crate::domain::triage::causes::CauseGroup;
use crate::domain::triage::causes::lines::{CauseBlock, FoundCauses};
use crate::view::canvas::{Canvas, StyledText, padded};
use crate::view::widgets::bar::bar;
use crate::view::widgets::change::change;

/// The maximum number of cells of a bar.
const BAR: usize = 16;
/// The minimum width with bars.
const WITH_BARS: usize = 50;
/// The minimum width with the importance of checks.
const WITH_IMPORTANCE: usize = 40;
/// The cells of `▲1,234`.
const CHANGE: usize = 7;

/// The widths of the columns of a block.
pub(super) struct Columns {
    block: CauseBlock,
    name: usize,
    importance: usize,
    bar: usize,
    numbers: usize,
    change: usize,
    /// The largest number, which scales the bars.
    most: u64,
}

impl Columns {
    /// Computes the widths that fit into `cells` cells.
    pub(super) fn of(app: &App, found: &FoundCauses, block: CauseBlock, cells: u16) -> Self {
        let cells = usize::from(cells);
        let lines = found.lines(block);
        let most = lines.iter().map(CauseGroup::reports).max().unwrap_or(1);
        let numbers = lines.iter().map(|line| width(&number(block, line))).max().unwrap_or_default();
        let of_checks = block == CauseBlock::Checks;
        let knows_change = of_checks && lines.first().is_some_and(|line| app.failed_before(&line.label).is_some());
        let change = if knows_change { CHANGE } else { 0 };
        let importance = if of_checks && cells >= WITH_IMPORTANCE { 8 } else { 0 };
        let bar = if cells >= WITH_BARS { BAR.min(cells / 4) + 1 } else { 0 };
        // `100 %`, and a cell before each column.
        let taken = numbers + 1 + 6 + change + importance + bar;
        Self { block, name: cells.saturating_sub(taken), importance, bar, numbers, change, most }
    }
}

/// Formats the number of reports, and the number compared with if it differs between lines.
fn number(block: CauseBlock, line: &CauseGroup) -> String {
    match block {
        CauseBlock::Projects => format!("{} of {}", grouped(line.reports()), grouped(line.of)),
        CauseBlock::Checks | CauseBlock::Addresses | CauseBlock::Sets => grouped(line.reports()),
    }
}

/// Formats a line: `title  high  ████▎  601  73 %  ▲24`.
pub(super) fn line(canvas: &Canvas, app: &App, line: &CauseGroup, columns: &Columns) -> StyledText {
    let theme = &canvas.look.theme;
    let mut pieces = vec![(padded(&fit_middle(&line.label, columns.name), columns.name), theme.text)];
    if columns.importance > 0 {
        let known = app.ctx.explanations.get(&*line.label);
        pieces.push((format!(" {:<7}", known.map_or("", |known| known.importance.name())), theme.dim));
    }
    if columns.bar > 0 {
        let whole = if columns.block == CauseBlock::Projects { line.of } else { columns.most };
        let cells = columns.bar - 1;
        pieces.push((format!(" {}", padded(&bar(line.reports(), whole, cells as u64), cells)), theme.bad));
    }
    let numbers = format!(" {:>1$}", number(columns.block, line), columns.numbers);
    pieces.push((format!("{numbers} {:>5}", percent(line.reports(), line.of)), theme.text));
    if columns.change > 0 {
        let before = app.failed_before(&line.label).unwrap_or(line.reports());
        let (text, style) = change(before, line.reports(), theme);
        pieces.push((format!(" {text:>0$}", columns.change - 1), style));
    }
    pieces
}
