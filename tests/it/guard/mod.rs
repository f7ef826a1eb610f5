//! Costs of a frame, a key, a filter, a sort and a load as counts, which are equal on every machine.
//!
//! The allocator counts each thread separately, so tests that run concurrently do not count.

mod measured_dashboard;
mod request_counts;

use allocation_counter::{AllocationInfo, measure};

use measured_dashboard::MeasuredDashboard;

/// More rows than are arranged immediately, and many times more.
const SIZES: [usize; 3] = [1_000, 10_000, 50_000];

/// Returns the number of allocations and allocated bytes of an operation, after a warm-up.
fn cost(dashboard: &mut MeasuredDashboard, act: fn(&mut MeasuredDashboard)) -> AllocationInfo {
    // Buffers that are kept grow once.
    (0..3).for_each(|_| act(dashboard));
    measure(|| act(dashboard))
}

#[track_caller]
fn within(what: &str, counted: u64, bound: u64) {
    println!("{what}: {counted} of at most {bound}");
    assert!(counted <= bound, "{what}: {counted}, limit {bound}");
}

#[test]
fn a_frame_and_a_key_cost_the_same_for_any_number_of_rows() {
    let [first, others @ ..] = SIZES.map(|size| {
        let mut dashboard = MeasuredDashboard::with(size);
        (
            cost(&mut dashboard, MeasuredDashboard::draw),
            cost(&mut dashboard, |dashboard| drop(dashboard.press("j"))),
            dashboard.drawn.visible.len(),
        )
    });
    for other in others {
        assert!(other.2 == first.2, "the same panes");
        for (one, other) in [(first.0, other.0), (first.1, other.1)] {
            // Larger numbers have more digits.
            let same = |one: u64, other: u64| one.abs_diff(other) * 50 <= one.max(100);
            assert!(same(one.count_total, other.count_total), "{one:?} {other:?}");
            assert!(same(one.bytes_total, other.bytes_total), "{one:?} {other:?}");
        }
    }
    within("allocations of a frame", first.0.count_total, 450);
    within("bytes of a frame", first.0.bytes_total, 13_000);
    assert_eq!(first.1.count_total, 0, "a key without a frame allocates nothing");
}

#[test]
fn a_key_and_a_frame_of_the_overview_cost_the_same_for_any_number_of_rows() {
    let [first, others @ ..] = SIZES.map(|size| {
        let mut dashboard = MeasuredDashboard::with(size);
        dashboard.press("0");
        assert!(!dashboard.app.overview_lines().is_empty(), "the rows are counted");
        cost(&mut dashboard, |dashboard| {
            dashboard.press("j");
            dashboard.draw();
        })
    });
    for other in others {
        let most = first.bytes_total + first.bytes_total / 10;
        within("bytes of a key and a frame of the overview", other.bytes_total, most);
    }
}

#[test]
fn a_filter_allocates_for_matching_rows_only() {
    let [small, large] = [10_000, 50_000].map(|size| {
        let mut dashboard = MeasuredDashboard::with(size);
        let counted = cost(&mut dashboard, |dashboard| {
            dashboard.paste_filter("no-such-page");
            dashboard.press("esc");
        });
        // Shown rows take four bytes each, in a vector that doubles as it grows.
        (counted.count_total, counted.bytes_total / size as u64)
    });
    assert!(large.0 < small.0 + 40, "{large:?} {small:?}: one allocation per row is too many");
    within("bytes of a filter and back, a row", large.1, 49);
}

#[test]
fn a_sort_allocates_one_key_per_row() {
    let [small, large] = [10_000, 50_000].map(|size| {
        let mut dashboard = MeasuredDashboard::with(size);
        dashboard.press("s home j enter");
        let counted = cost(&mut dashboard, |dashboard| drop(dashboard.press("S")));
        (counted.count_total, counted.bytes_total / size as u64)
    });
    assert!(large.0 < small.0 + 40, "{large:?} {small:?}: text keys would need one allocation per row");
    within("bytes of a sort, a row", large.1, 80);
}

#[test]
fn the_memory_of_a_row_is_bounded() {
    let size = 20_000;
    let mut dashboard = None;
    let counted = measure(|| dashboard = Some(MeasuredDashboard::with(size)));
    within("bytes kept of a row", counted.bytes_current.unsigned_abs() / size as u64, 395);
    drop(dashboard);
}

#[test]
fn the_marks_that_undo_restores_take_bounded_memory() {
    let mut dashboard = MeasuredDashboard::with(50_000);
    let counted = measure(|| {
        dashboard.press("V");
        (0..60).for_each(|_| drop(dashboard.press("space")));
    });
    within("megabytes of marks after 61 steps", counted.bytes_current.unsigned_abs() / 1_000_000, 50);
}

/// The work for a page depends on its own rows, not on those already loaded.
#[test]
fn a_page_costs_the_same_after_many_rows() {
    let [few, many] = [1_000, 40_000].map(|size| {
        let mut dashboard = MeasuredDashboard::loading(size);
        let pages = (0..8).map(|_| {
            let page = dashboard.next_page();
            measure(|| dashboard.take(page)).count_total
        });
        // A vector that doubles occasionally reallocates.
        pages.min().unwrap()
    });
    assert!(many <= few + few / 10, "{few} and {many}");
    within("allocations of a page", few, 14);
}

#[test]
fn each_typed_letter_of_a_filter_scans_fewer_rows() {
    let mut dashboard = MeasuredDashboard::with(20_000);
    let mut looked_at = Vec::new();
    for key in ["/", "p", "a", "g", "e", "-", "1", "2", "3"] {
        looked_at.extend(dashboard.press(key));
    }
    let all = 20_000;
    // The first letters match every URL, then every second one; the remaining rows are few enough to be arranged
    // immediately.
    assert_eq!(looked_at.len(), 7, "{looked_at:?}");
    assert!(looked_at.iter().all(|rows| *rows <= all), "{looked_at:?}");
    assert!(looked_at.last().is_some_and(|rows| *rows < all * 3 / 4), "{looked_at:?}");
}
