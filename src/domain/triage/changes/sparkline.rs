//! A line chart in one line of text.

/// The characters of a chart, from low to high. Terminals without them get others from `view::ascii`.
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws values from 0 to 100 in exactly `cells` cells, right-aligned, latest value last.
///
/// The scale is fixed, so that charts are comparable. With more values than cells each cell shows the last value of its
/// share, so that the latest is always visible.
pub fn sparkline(values: &[u8], cells: usize) -> String {
    let step = |value: u8| STEPS[usize::from(value.min(100)) * (STEPS.len() - 1) / 100];
    let drawn = values.len().min(cells);
    let last_of = |cell: usize| values[(cell + 1) * values.len() / drawn - 1];
    let empty = std::iter::repeat_n(' ', cells - drawn);
    empty.chain((0..drawn).map(|cell| step(last_of(cell)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chart_goes_up_and_down_with_its_values() {
        assert_eq!(sparkline(&[0, 31, 50, 78, 100], 5), "▁▃▄▆█");
        assert_eq!(sparkline(&[0, 31, 50, 78, 100], 7), "  ▁▃▄▆█");
        assert_eq!(sparkline(&[0, 0, 100, 100], 2), "▁█");
        assert_eq!(sparkline(&[], 3), "   ");
        assert_eq!(sparkline(&[50], 0), "");
    }

    proptest! {
        #[test]
        fn a_chart_has_its_width_and_ends_with_the_latest(values in proptest::collection::vec(any::<u8>(), 1..40), cells in 1_usize..30) {
            let chart = sparkline(&values, cells);
            prop_assert_eq!(chart.chars().count(), cells);
            prop_assert!(chart.ends_with(&sparkline(&values[values.len() - 1..], 1)));
        }
    }
}
