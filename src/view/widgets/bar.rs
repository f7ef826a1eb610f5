//! A horizontal bar.

/// Eighths of a cell, from one to eight.
const EIGHTHS: [&str; 8] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/// Draws a bar in eighths of a cell. A non-zero number is always visible.
pub(crate) fn bar(number: u64, most: u64, cells: u64) -> String {
    let eighths = (number * cells * 8).checked_div(most).unwrap_or(0).max(u64::from(number > 0));
    let full = "█".repeat((eighths / 8) as usize);
    let rest = (eighths % 8).checked_sub(1).map_or("", |at| EIGHTHS[at as usize]);
    format!("{full}{rest}")
}
