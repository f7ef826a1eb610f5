//! Explains the urgency of a report: its parts, and the difference to the row above.

use crate::app::App;
use crate::app::overlays::MenuChoice;
use crate::domain::list::columns::Column;
use crate::domain::list::query::Direction;
use crate::domain::report::Report;
use crate::domain::text::numbers::grouped;
use crate::domain::triage::urgency::{RowContext, UrgencyPart, explain, points};
use crate::input::Action;

impl App {
    /// Opens a menu with the parts of the urgency of the report under the cursor, and the difference to the row above.
    pub(crate) fn explain_urgency(&mut self) {
        let Some(report) = self.subject() else { return };
        let around = self.triage.row_context(&self.ctx);
        let parts = explain(report, &around);
        let sum: u32 = parts.iter().map(|part| part.points).sum();
        let mut rows: Vec<String> =
            parts.iter().map(|part| format!("{:<10}{:>4}  {}", part.name, part.points, part.why)).collect();
        rows.push(format!("{:<10}{sum:>4}", "sum"));
        if let Some((place, above)) = self.row_above() {
            rows.push(String::new());
            rows.push(compared(place, above, (sum, &parts), &around));
        }
        let title = match self.place_by_urgency() {
            Some((place, of)) => format!("Why this is {} of {}", ordinal(place), grouped(of as u64)),
            None => format!("How urgent this is: {} sorts by urgency", self.ctx.key(Action::SortBy)),
        };
        let rows = rows.into_iter().map(|row| (row, MenuChoice::Nothing)).collect();
        self.open_menu(title, rows, 0);
    }

    /// Describes an urgency, largest part first: `704: result 600 (bad 12), age 60 (last audited 36 days ago)`. The
    /// brief form omits the reasons.
    pub fn urgency_text(&self, report: &Report, is_brief: bool) -> String {
        let mut parts = explain(report, &self.triage.row_context(&self.ctx));
        let sum: u32 = parts.iter().map(|part| part.points).sum();
        parts.retain(|part| part.points > 0);
        parts.sort_by_key(|part| std::cmp::Reverse(part.points));
        let text = |part: &UrgencyPart| {
            let why = if is_brief { String::new() } else { format!(" ({})", part.why) };
            format!("{} {}{why}", part.name, part.points)
        };
        let parts: Vec<String> = parts.iter().map(text).collect();
        format!("{}: {}", grouped(u64::from(sum)), parts.join(", "))
    }

    /// Returns the position, from 1, and the length of the queue, or of a list sorted by urgency.
    fn place_by_urgency(&self) -> Option<(usize, usize)> {
        if let Some(queue) = self.queue() {
            return Some((queue.at + 1, queue.ids.len()));
        }
        let is_by_urgency = self.reports.sort == (Column::Urgency, Direction::Descending);
        is_by_urgency.then(|| (self.reports.at + 1, self.reports.shown.len()))
    }

    /// Returns the preceding report and its position, from 1.
    fn row_above(&self) -> Option<(usize, &Report)> {
        let (place, _) = self.place_by_urgency()?;
        let before = place.checked_sub(2)?;
        let row = match self.queue() {
            Some(queue) => self.reports.listing.row(queue.ids.get(before)?)?,
            None => self.reports.shown_row(before)?,
        };
        Some((before + 1, row))
    }
}

/// Compares with the row above: `2nd: shop.example/cart has 610: checks +40, waiting -24`.
fn compared(place: usize, above: &Report, (sum, parts): (u32, &[UrgencyPart]), around: &RowContext) -> String {
    let theirs = explain(above, around);
    let differences = theirs.iter().zip(parts).filter(|(one, other)| one.points != other.points);
    let differences: Vec<String> = differences
        .map(|(one, other)| format!("{} {:+}", one.name, i64::from(one.points) - i64::from(other.points)))
        .collect();
    let total = points(above, around);
    let why = if total == sum { "the same, and the smaller id".to_owned() } else { differences.join(", ") };
    format!("{}: {} has {total}: {why}", ordinal(place), above.short_url())
}

/// Formats an ordinal: `1st`, `2nd`, `3rd`, `11th`.
fn ordinal(place: usize) -> String {
    let end = match (place % 10, place % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{}{end}", grouped(place as u64))
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn positions_are_written_as_ordinals() {
        let ordinals: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 102, 1_111].into_iter().map(ordinal).collect();
        assert_eq!(ordinals, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "1,111th"]);
    }
}
