//! Rows as tab-separated values for pasting into a spreadsheet. No value can become a formula or break out of its cell.

use super::csv::escape_formula;
use super::field::ExportField;
use crate::domain::list::columns::Column;
use crate::domain::report::Report;
use crate::domain::triage::urgency::RowContext;

/// Formats one line per report, without a header row, to be pasted below existing rows.
pub fn lines<'r>(columns: &[Column], reports: impl IntoIterator<Item = &'r Report>, around: &RowContext) -> String {
    let fields = ExportField::of(columns);
    // Sanitised texts contain no tabs or line breaks.
    let line = |report: &Report| {
        let cells: Vec<_> =
            fields.iter().map(|field| escape_formula(&field.text(report, around)).into_owned()).collect();
        cells.join("\t")
    };
    reports.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::outcome::Outcome;
    use crate::domain::report::tests::row;

    #[test]
    fn a_row_is_one_line_with_any_text() {
        let hostile = row("=1+1", "https://shop.example/\ta\nb", Outcome::Bad);
        let plain = row("2", "https://shop.example/tea", Outcome::Good);
        assert_eq!(
            lines(&[Column::Id, Column::Result, Column::Url], [&hostile, &plain], &RowContext::default()),
            "'=1+1\tbad\t\thttps://shop.example/ a b\n2\tgood\t\thttps://shop.example/tea"
        );
    }
}
