//! Every line of the overview opens exactly the reports that it counts.

use super::*;
use crate::domain::list::filter::Filter;
use crate::domain::report::Report;
use crate::domain::report::check::Importance;
use crate::domain::report::tests::{explained, row};
use crate::domain::triage::{State, Triage, Triages};
use jiff::Timestamp;
use proptest::prelude::*;

fn now() -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(400_000)
}

fn reports() -> impl Strategy<Value = Vec<(Report, Option<State>)>> {
    let outcome = prop::sample::select(vec!["good", "decent", "bad", "odd", ""]);
    let state = prop::sample::select(vec![
        None,
        Some(State::New),
        Some(State::Looking),
        Some(State::Waiting),
        Some(State::ToVerify),
        Some(State::WontFix),
        Some(State::Done),
    ]);
    let fields = (outcome, prop::option::of(0_u8..=100), 0_usize..3, 0_i64..60, state);
    let failed = prop::collection::vec(prop::sample::select(vec!["title", "title_length", "links"]), 0..3);
    prop::collection::vec((fields, failed), 0..40).prop_map(|drawn| {
        let report = |(number, ((word, score, project, hours, state), failed)): (usize, _)| {
            let failed: Vec<&str> = failed;
            let mut report = row(&number.to_string(), "https://shop.example/tea", Outcome::from_name(word));
            report.score = score;
            report.project = Arc::new(Text::from_outside(["shop.example", "shop.example.org", "tea"][project]));
            report.generated_at = Some(now() - SignedDuration::from_hours(hours));
            report.fetch_failure = [None, None, Some(FetchFailure::Dns), Some(FetchFailure::ServerError)][number % 4];
            report.failed = failed.into_iter().map(CheckId::from).collect();
            (report, state)
        };
        drawn.into_iter().enumerate().map(report).collect()
    })
}

fn counted(reports: &[(Report, Option<State>)]) -> (Overview, Vec<Report>, Triages) {
    let mut triages = Triages::default();
    for (report, state) in reports {
        if let Some(state) = state {
            let mut triage = Triage::set(*state, report, now() - SignedDuration::from_hours(24 * 8));
            // Reopened.
            triage.reason = (*state == State::New).then(|| "reopened: good 90 → bad 31".to_owned());
            triages.put(report.id.clone(), triage);
        }
    }
    let rows: Rows = reports.iter().map(|(report, _)| report.clone()).collect();
    let context = RowContext { now: now(), triages: Arc::new(triages.clone()), ..RowContext::default() };
    (Overview::of(&rows, None, &context), rows.iter().cloned().collect(), triages)
}

/// The counts on the lines of a block, as shown on screen.
fn numbers(overview: &Overview, block: OverviewBlock) -> Vec<u64> {
    let ResultCounts { good, decent, bad } = overview.results;
    match block {
        OverviewBlock::Results => {
            let other = Some(overview.other_results()).filter(|other| *other > 0);
            let unfetched = overview.unfetched.iter().map(|(_, reports)| *reports);
            let all = Some(unfetched.clone().sum()).filter(|all| *all > 0);
            [good, decent, bad].into_iter().chain(other).chain(all).chain(unfetched).collect()
        }
        OverviewBlock::History => vec![bad],
        OverviewBlock::Scores => overview.scores.bins.to_vec(),
        OverviewBlock::Projects => overview
            .projects
            .iter()
            .map(|project| if project.counts.bad > 0 { project.counts.bad } else { project.reports })
            .collect(),
        OverviewBlock::Checks => overview.failing.iter().map(|(_, reports)| *reports).collect(),
        OverviewBlock::Work => {
            std::iter::once(overview.open).chain(overview.states.iter().map(|state| state.reports)).collect()
        }
        OverviewBlock::Latest => overview
            .audits
            .iter()
            .map(|event| match &event.kind {
                EventKind::Audits { reports, .. } => *reports,
                EventKind::Logged { .. } => 0,
            })
            .collect(),
        OverviewBlock::Changes => Vec::new(),
    }
}

proptest! {
    #[test]
    fn each_line_opens_exactly_the_reports_that_it_counts(reports in reports()) {
        let (overview, rows, triages) = counted(&reports);
        for block in OverviewBlock::iter() {
            let targets = overview.targets(block);
            let filters = targets.iter().filter_map(|target| match target {
                OverviewTarget::Rows(filter) => Some(filter),
                _ => None,
            });
            for (filter, number) in filters.zip(numbers(&overview, block)) {
                let parsed = Filter::parse(filter);
                prop_assert!(parsed.problems().is_empty(), "{}", filter);
                let opened = rows.iter().filter(|report| parsed.keeps(report, &triages, now())).count();
                prop_assert_eq!(opened as u64, number, "{:?} {}", block, filter);
            }
        }
    }

    #[test]
    fn every_report_is_counted_once(reports in reports()) {
        let (overview, rows, _) = counted(&reports);
        let all = rows.len() as u64;
        prop_assert_eq!(overview.reports, all);
        prop_assert_eq!(overview.results.sum() + overview.other_results(), all);
        prop_assert_eq!(overview.scores.bins.iter().sum::<u64>() + overview.scores.unscored, all);
        prop_assert_eq!(overview.projects.iter().map(|project| project.reports).sum::<u64>(), all);
        prop_assert!(overview.projects.is_sorted_by_key(|project| Reverse(project.counts.bad)));
        prop_assert!(overview.urgent.len() <= MOST_URGENT && overview.urgent.len() as u64 <= overview.open);
    }
}

#[test]
fn bad_reports_without_known_checks_are_named() {
    let bad = row("7", "https://shop.example", Outcome::Bad);
    let (overview, ..) = counted(&[(bad, None)]);
    assert_eq!(overview.targets(OverviewBlock::Checks), [OverviewTarget::FetchChecks]);
    assert_eq!(overview.unknown_checks, [ReportId::new("7")]);
}

#[test]
fn a_report_that_waits_for_more_than_a_week_is_overdue() {
    let bad = row("7", "https://shop.example", Outcome::Bad);
    let (overview, ..) = counted(&[(bad, Some(State::Waiting))]);
    assert_eq!(overview.states, [StateCount { kind: StateKind::Waiting, reports: 1, overdue: 1 }]);
    assert_eq!(overview.open, 0);
}

#[test]
fn quantiles_are_scores_that_were_given() {
    let scored = |score| {
        let mut report = row(&format!("{score}"), "https://shop.example", Outcome::Good);
        report.score = Some(score);
        (report, None)
    };
    let (overview, ..) = counted(&(1..=10).map(|tenth| scored(tenth * 10)).collect::<Vec<_>>());
    assert_eq!((overview.scores.median, overview.scores.worst_tenth), (Some(50), Some(10)));
    let (overview, ..) = counted(&[]);
    assert_eq!((overview.scores.median, overview.scores.worst_tenth), (None, None));
}

#[test]
fn the_overview_of_a_project_counts_only_its_reports() {
    let tea = Text::from_outside("tea");
    let [shop, mut blog] = ["7", "8"].map(|id| row(id, "https://shop.example", Outcome::Bad));
    blog.project = Arc::new(tea.clone());
    let overview = Overview::of(&[shop, blog].into_iter().collect(), Some(&tea), &RowContext::default());
    let projects: Vec<&str> = overview.projects.iter().map(|project| project.name.raw()).collect();
    assert_eq!((overview.reports, overview.results.bad, projects), (1, 1, vec!["tea"]));
}

#[test]
fn of_projects_with_as_many_bad_reports_the_one_with_more_reports_is_first() {
    let reports = ["few", "many", "many"].map(|name| {
        let project = Arc::new(Text::from_outside(name));
        (Report { project, ..row(name, "https://shop.example", Outcome::Good) }, None)
    });
    let (overview, ..) = counted(&reports);
    assert_eq!(overview.projects.iter().map(|project| project.name.raw()).collect::<Vec<_>>(), ["many", "few"]);
}

#[test]
fn of_checks_that_fail_as_often_the_more_important_one_is_first() {
    let explanations = [("favicon", explained(Importance::Low)), ("title", explained(Importance::High))];
    let context = RowContext { explanations: Arc::new(explanations.into_iter().collect()), ..RowContext::default() };
    let failed = ["favicon", "house_style", "title"].into();
    let bad = Report { failed, ..row("7", "https://shop.example", Outcome::Bad) };
    let overview = Overview::of(&std::iter::once(bad).collect(), None, &context);
    let ids: Vec<&str> = overview.failing.iter().map(|(id, _)| &**id).collect();
    assert_eq!(ids, ["title", "favicon", "house_style"]);
}

#[test]
fn a_block_has_no_more_lines_than_fit() {
    let mut bad = row("7", "https://shop.example", Outcome::Bad);
    bad.failed = (0..MOST_LINES + 5).map(|number| CheckId::from(number.to_string())).collect();
    let (overview, ..) = counted(&[(bad, None)]);
    assert_eq!(overview.targets(OverviewBlock::Checks).len(), MOST_LINES);
}
