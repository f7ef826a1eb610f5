//! Any number of report rows, generated from a counter, so that every run measures the same data.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use reportdeck::domain::list::rows::Rows;
use reportdeck::domain::report::failed_checks::FailedChecks;
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::domain::report::{Report, ReportId};
use reportdeck::domain::text::Text;

/// Returns `count` rows of twenty projects, newest first.
pub fn rows(count: usize) -> Rows {
    let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(400_000);
    (0..count).map(|number| row(number, now)).collect()
}

fn row(number: usize, now: Timestamp) -> Report {
    let host = format!("{}{}.example", ["shop", "blog", "news", "docs"][number % 4], number / 7 % 5);
    let score = u8::try_from(number * 7_919 % 101).unwrap_or_default();
    Report {
        id: ReportId::new(&number.to_string()),
        url: Text::from_outside(format!("https://{host}/section-{}/page-{number}", number % 37)),
        project: Arc::new(Text::from_outside(host)),
        outcome: Outcome::from_score(f64::from(score)),
        score: Some(score),
        generated_at: (now - SignedDuration::from_secs(i64::try_from(number).unwrap_or_default() * 61)).into(),
        privacy: Some(Privacy::Public),
        fetch_failure: None,
        has_password: Some(false),
        failed: FailedChecks::default(),
        details: None,
    }
}
