//! Databases of many reports: a few large projects and many small ones, mixed results, unordered times.
//!
//! Generated from a counter, so that every run measures the same data.

use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use reportdeck::service::seed::{SeedRow, seed};

/// Incremented whenever the generated rows change, so that databases of earlier versions are not reused.
const RECIPE: u32 = 1;
const WORDS: [&str; 16] = [
    "tea", "green", "black", "white", "garden", "kettle", "leaf", "cup", "brew", "water", "news", "price", "order",
    "cart", "help", "matcha",
];
const TWO_YEARS: u64 = 2 * 365 * 24 * 60 * 60;

/// Returns the directory of a database with this many reports inside `folder`. It is kept for the next run, because
/// generating a million reports takes a minute or two.
pub fn grown(folder: &Path, reports: u64) -> PathBuf {
    let data = folder.join(format!("grown-{RECIPE}-{reports}"));
    if !data.exists() {
        let unfinished = folder.join(format!("unfinished-{}", std::process::id()));
        seed(&unfinished, (0..reports).map(|number| row(number, projects(reports)))).unwrap();
        std::fs::rename(unfinished, &data).unwrap();
    }
    data
}

/// Returns the number of projects for this many reports: 10 for 1,000 and 1,700 for a million.
fn projects(reports: u64) -> u64 {
    (reports / 600).max(10) + 40 * u64::from(reports > 900_000)
}

fn row(number: u64, projects: u64) -> SeedRow {
    let mut rng = number;
    let mut throw = |sides: u64| {
        rng = mixed(rng);
        rng % sides
    };
    // Cubing a uniform distribution makes the first projects large and most of them small.
    let part = throw(10_000);
    let project = projects * part * part / 100_000_000 * part / 10_000;
    let project = format!("site{project}.example");
    let word = |at: u64| WORDS[usize::try_from(at).unwrap()];
    let url = format!("https://{project}/{}/{}-{}", word(throw(16)), word(throw(16)), throw(100_000));
    let failed = ["title", "description", "csp"].into_iter().filter(|_| throw(3) == 0).map(str::to_owned).collect();
    SeedRow {
        url,
        project,
        score: u8::try_from(throw(101)).unwrap(),
        generated_at: Timestamp::UNIX_EPOCH
            + SignedDuration::from_hours(480_000)
            + SignedDuration::from_secs(i64::try_from(throw(TWO_YEARS)).unwrap()),
        failed,
    }
}

/// Returns the next pseudo-random number (splitmix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
