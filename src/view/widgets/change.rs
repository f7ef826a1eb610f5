//! The change of a number of failures.

use ratatui::style::Style;

use crate::domain::text::numbers::grouped;
use crate::view::theme::Theme;

/// Formats a change: `▲24` (worse), `▼3` (better), or a dot if unchanged.
pub(crate) fn change(before: u64, now: u64, theme: &Theme) -> (String, Style) {
    match now.cast_signed() - before.cast_signed() {
        0 => ("·".to_owned(), theme.dim),
        more @ 1.. => (format!("▲{}", grouped(more.unsigned_abs())), theme.bad),
        less => (format!("▼{}", grouped(less.unsigned_abs())), theme.good),
    }
}
