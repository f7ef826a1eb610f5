//! The history on a report page: earlier results with what changed, and a chart of the scores.

use jiff::Timestamp;

use super::checks::class_of;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::history::Flips;
use crate::domain::report::outcome::{BAD_BELOW, GOOD_ABOVE};
use crate::domain::text::clean;
use crate::service::pages::language::{PageLanguage, fill};
use crate::service::store::rows::{HistoryRow, ReportRow};
use crate::service::store::values;

/// The most checks named in one line of the history.
const MOST_NAMES: usize = 8;
/// The horizontal extent of the chart's plot.
const LEFT: f64 = 12.0;
const RIGHT: f64 = 328.0;
/// The y of score 0; one score point is one unit high.
const BOTTOM: f64 = 108.0;

/// An earlier result in the history.
#[derive(Debug, PartialEq, Eq)]
pub struct HistoryLine<'a> {
    pub at: String,
    pub when: String,
    pub result: &'a str,
    pub score: i64,
    pub then: String,
}

/// The scores over time as SVG coordinates.
#[derive(Debug, PartialEq)]
pub struct HistoryChart {
    pub label: String,
    /// The points of the polyline.
    pub line: String,
    pub dots: Vec<ChartDot>,
    pub first_day: String,
    pub last_day: String,
    /// The y of the lowest good and decent score.
    pub good: f64,
    pub decent: f64,
}

/// A result in the chart.
#[derive(Debug, PartialEq)]
pub struct ChartDot {
    pub x: f64,
    pub y: f64,
    pub class: &'static str,
    /// `2026-11-21 14:02 UTC: 64`.
    pub title: String,
}

/// Returns the word for a result in a language.
pub fn result_text(language: &PageLanguage, rank: i64) -> &str {
    let texts = &language.page;
    match values::result_name(rank) {
        "good" => &texts.good,
        "decent" => &texts.decent,
        _ => &texts.bad,
    }
}

/// Returns the history: each earlier result with what changed in the following audit.
pub fn lines<'a>(row: &ReportRow, former: &[HistoryRow], language: &'a PageLanguage) -> Vec<HistoryLine<'a>> {
    let ids = |failed: &str| failed.lines().map(CheckId::from).collect::<Vec<_>>();
    let mut after = ids(&row.failed);
    let mut lines = Vec::new();
    for result in former {
        let before = ids(&result.failed);
        let then = changes(&Flips::between(&before, &after), language);
        let (at, when) = format_time(result.generated_at);
        lines.push(HistoryLine { at, when, result: result_text(language, result.rank), score: result.score, then });
        after = before;
    }
    lines
}

/// Formats changes: `repaired Title, Encryption · broken Content security policy and 2 more`.
fn changes(flips: &Flips, language: &PageLanguage) -> String {
    let texts = &language.page;
    if flips.is_empty() {
        return texts.as_before.clone();
    }
    let listed = |verb: &str, ids: &[CheckId]| {
        let title =
            |id: &CheckId| language.checks.get(&**id).map_or_else(|| clean(id).into_owned(), |text| text.title.clone());
        let names: Vec<String> = ids.iter().take(MOST_NAMES).map(title).collect();
        let more = ids.len().saturating_sub(MOST_NAMES);
        let rest = if more > 0 { format!(" {}", fill(&texts.and_more, &[("count", &more)])) } else { String::new() };
        (!ids.is_empty()).then(|| format!("{verb} {}{rest}", names.join(", ")))
    };
    let parts = [listed(&texts.repaired, &flips.repaired), listed(&texts.broken, &flips.broken)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Returns the chart of the earlier results, which come latest first, and the current one; `None` without earlier
/// results.
pub fn chart(row: &ReportRow, former: &[HistoryRow], language: &PageLanguage) -> Option<HistoryChart> {
    let mut results: Vec<(i64, i64)> = former.iter().rev().map(|old| (old.generated_at, old.score)).collect();
    results.push((row.generated_at, row.score));
    let (first, last) = (results.first()?, results.last()?);
    if results.len() < 2 {
        return None;
    }
    let step = (RIGHT - LEFT) / (results.len() - 1) as f64;
    let dot = |(place, (at, score)): (usize, &(i64, i64))| ChartDot {
        x: (LEFT + step * place as f64).round(),
        y: height(*score as f64),
        class: class_of(u8::try_from(*score).unwrap_or_default()),
        title: format!("{}: {score}", format_time(*at).1),
    };
    let dots: Vec<ChartDot> = results.iter().enumerate().map(dot).collect();
    let day = |at: i64| values::time(at).strftime("%Y-%m-%d").to_string();
    Some(HistoryChart {
        label: fill(&language.page.chart, &[("count", &results.len()), ("first", &first.1), ("last", &last.1)]),
        line: dots.iter().map(|dot| format!("{},{}", dot.x, dot.y)).collect::<Vec<_>>().join(" "),
        first_day: day(first.0),
        last_day: day(last.0),
        // Scores of this service are whole numbers.
        good: height(GOOD_ABOVE + 1.0),
        decent: height(BAD_BELOW),
        dots,
    })
}

/// Returns the y of a score.
fn height(score: f64) -> f64 {
    BOTTOM - score.clamp(0.0, 100.0)
}

/// Formats a time for programs (RFC 3339) and for people, in UTC.
pub fn format_time(milliseconds: i64) -> (String, String) {
    let at: Timestamp = values::time(milliseconds);
    (at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(), at.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn former(failed: &str) -> HistoryRow {
        HistoryRow { rank: 0, score: 31, generated_at: 0, failed: failed.to_owned() }
    }

    fn present() -> ReportRow {
        ReportRow {
            id: 1,
            url: String::new(),
            project: String::new(),
            rank: 1,
            score: 64,
            generated_at: 86_400_000,
            created_at: 0,
            updated_at: 0,
            privacy: 0,
            has_password: false,
            fetch_error: None,
            failed: "csp".to_owned(),
        }
    }

    #[test]
    fn each_former_result_is_compared_with_the_one_after_it() {
        let rows = [former("csp\ntitle"), former("csp\ntitle\nhsts")];
        let lines = lines(&present(), &rows, PageLanguage::english());
        let then: Vec<&str> = lines.iter().map(|line| &*line.then).collect();
        assert_eq!(then, ["repaired Title", "repaired Strict transport security"]);
        assert_eq!(lines[0].when, "1970-01-01 00:00 UTC");
    }

    #[test]
    fn the_chart_goes_from_the_first_result_to_the_present_one() {
        assert_eq!(chart(&present(), &[], PageLanguage::english()), None);
        let chart = chart(&present(), &[former("")], PageLanguage::english()).unwrap();
        assert_eq!(chart.line, "12,77 328,44");
        assert_eq!((chart.dots[0].class, chart.dots[1].class), ("bad", "decent"));
        assert_eq!(chart.label, "Scores of the last 2 audits: from 31 to 64");
        assert_eq!(chart.last_day, "1970-01-02");
    }
}
