//! The state behind the pictures: two dozen reports of four projects, their results of the day before, triage states
//! and notes.
//!
//! Everything is fixed, and effects are answered immediately.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jiff::SignedDuration;
use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::{DeskJoined, DeskMessage, Message};
use reportdeck::domain::desk::{DeskActor, DeskContent, DeskMe, DeskRow, Handle, Presence, PresenceActivity, Role};
use reportdeck::domain::event_log::line::lines;
use reportdeck::domain::event_log::{LogEntry, LogKind};
use reportdeck::domain::failure::{Failure, FailureKind};
use reportdeck::domain::list::paging::{Next, Page};
use reportdeck::domain::list::row_index::RowIndex;
use reportdeck::domain::overview::Overview;
use reportdeck::domain::project::Project;
use reportdeck::domain::report::check::{Check, CheckOutcome};
use reportdeck::domain::report::failed_checks::CheckId;
use reportdeck::domain::report::failed_checks::FailedChecks;
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::domain::report::report_state::ReportState;
use reportdeck::domain::report::{Details, Report, ReportId};
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::causes;
use reportdeck::domain::triage::changes::comparison::{ComparisonRequest, ComparisonResult};
use reportdeck::domain::triage::changes::{BadShareHistory, FormerFailures, ListScope, Snapshot, compare};
use reportdeck::domain::triage::{Note, Notes, State, Triage, Triages};

use crate::support::states::{connected, now, page, press, project, row};

/// Age of the earlier list, taken the evening before.
const EVENING: SignedDuration = SignedDuration::from_hours(20);

/// Number, URL, score, hours since the audit, previous score.
type Line = (u32, &'static str, u8, i64, Option<u8>);

const LINES: [Line; 24] = [
    (812, "shop.example/tea/gyokuro", 31, 1, Some(64)),
    (811, "shop.example/tea/sencha", 38, 1, Some(66)),
    (810, "shop.example/cart?step=2", 44, 2, Some(44)),
    (809, "blog.example/2026/first-flush", 92, 2, None),
    (808, "shop.example/tea/matcha", 36, 3, Some(63)),
    (807, "docs.example/brewing/temperature", 97, 4, Some(97)),
    (806, "shop.example/", 71, 5, Some(58)),
    (805, "docs.example/brewing/water", 88, 5, Some(74)),
    (804, "blog.example/日本語/茶の湯", 85, 7, Some(85)),
    (803, "news.example/opening-hours", 47, 9, Some(69)),
    (802, "shop.example/checkout/address", 52, 11, Some(52)),
    (801, "docs.example/", 94, 12, Some(94)),
    (800, "news.example/spring-market", 62, 26, Some(62)),
    (799, "blog.example/kettles-compared", 81, 28, Some(81)),
    (798, "shop.example/tea/hojicha", 33, 30, Some(33)),
    (797, "blog.example/a-year-in-uji", 90, 33, Some(90)),
    (796, "shop.example/gift-cards", 66, 50, Some(66)),
    (795, "news.example/", 73, 52, Some(73)),
    (794, "docs.example/glossary", 91, 75, Some(91)),
    (793, "shop.example/imprint", 84, 98, Some(84)),
    (792, "blog.example/", 87, 122, Some(87)),
    (791, "news.example/archive/2024", 41, 900, Some(41)),
    (790, "docs.example/storage", 95, 1_100, Some(95)),
    (789, "blog.example/about", 76, 1_300, Some(76)),
];

/// Returns the checks that fail with this score; bad pages of the shop have one fault in common.
fn failing(url: &str, score: u8) -> FailedChecks {
    let names: &[&str] = match score {
        80.. => &["csp"],
        60..80 => &["csp", "image_dimensions", "meta_description"],
        _ if url.contains("/tea/") => &["csp", "image_dimensions", "meta_description", "render_blocking", "title"],
        _ => &["csp", "image_dimensions", "meta_description", "render_blocking"],
    };
    names.iter().map(|name| CheckId::from(*name)).collect()
}

fn report(&(number, url, score, hours, _): &Line) -> Report {
    let mut report = row(number, &format!("https://{url}"), score);
    report.project = Arc::new(Text::from_outside(url.split('/').next().unwrap()));
    report.generated_at = (now() - SignedDuration::from_hours(hours)).into();
    report.failed = failing(url, score);
    report.privacy = Some(match number % 7 {
        0 => Privacy::Password,
        3 => Privacy::Private,
        _ => Privacy::Public,
    });
    report.has_password = Some(number % 7 == 0);
    report
}

/// The report with all its checks, in the words of our own audit, and its previous result.
fn whole(id: &ReportId) -> Report {
    let line = LINES.iter().find(|line| line.0.to_string() == id.raw()).unwrap();
    let mut report = report(line);
    let explanations: BTreeMap<_, _> = reportdeck::audit::explanations().into_iter().collect();
    let checks = explanations.iter().filter_map(|(name, explanation)| {
        let failed = report.failed.iter().any(|failed| **failed == **name);
        let (value, error) = finding(name, failed)?;
        Some(Check {
            id: Text::from_outside(*name),
            category: Some(Text::from_outside(explanation.category)),
            importance: Some(explanation.importance),
            outcome: if failed { CheckOutcome::Failed } else { CheckOutcome::Passed },
            value,
            errors: error.filter(|_| failed).map(Text::from_outside).into_iter().collect(),
        })
    });
    let checks = checks.collect();
    let history = line.4.map(|score| ReportState {
        generated_at: Some(now() - EVENING - SignedDuration::from_hours(6)),
        outcome: Outcome::from_score(f64::from(score)),
        score: Some(score),
        failing: Some(failing(line.1, score).to_vec().into()),
    });
    report.details =
        Some(Box::new(Details { checks: Some(checks), history: history.into_iter().collect(), ..Details::default() }));
    report
}

/// Returns value and errors of a check as our audit words them; only for the checks of these pages.
fn finding(name: &str, failed: bool) -> Option<(serde_json::Value, Option<&'static str>)> {
    use serde_json::{Value, json};
    Some(match name {
        "title" if failed => (Value::Null, Some("the page has no title")),
        "title" => (json!({ "title": "Tea from Uji", "length": 12 }), None),
        "meta_description" if failed => (Value::Null, Some("the page has no meta description")),
        "meta_description" => (json!("Green tea from Uji, picked by hand in spring."), None),
        "csp" => (json!(["script-src"]), Some("the policy says nothing about object-src")),
        "render_blocking" if failed => (json!({ "scripts": 1, "stylesheets": 2 }), Some("blocks: /shop.js")),
        "render_blocking" => (json!({ "scripts": 0, "stylesheets": 1 }), None),
        "image_dimensions" => (json!(7), Some("no dimensions: img")),
        "language" => (json!("en"), None),
        "http_status" => (json!(200), None),
        "charset" => (json!("utf-8"), None),
        "doctype" => (json!("html"), None),
        _ => return None,
    })
}

fn projects() -> Page<Project> {
    let mut counts: Vec<(&str, [u64; 3])> = Vec::new();
    for (_, url, score, ..) in LINES {
        let name = url.split('/').next().unwrap();
        let at = counts.iter().position(|(other, _)| *other == name).unwrap_or_else(|| {
            counts.push((name, [0; 3]));
            counts.len() - 1
        });
        counts[at].1[match score {
            80.. => 0,
            50..80 => 1,
            _ => 2,
        }] += 1;
    }
    let rows: Vec<Project> =
        counts.iter().map(|(name, [good, decent, bad])| project(name, *good, *decent, *bad)).collect();
    let total = Some(rows.len() as u64);
    Page { rows, unreadable: 0, next: Next::End, total, last_page: Some(1), per_page: Some(100) }
}

/// A report some days before the earlier list: a little better or worse.
fn earlier(report: &Report, days: i64) -> Report {
    let number: i64 = report.id.raw().parse().unwrap();
    let score = i64::from(report.score.unwrap()) + (number + days * 3) % 7 * 4 - 12 + days / 3;
    let score = u8::try_from(score.clamp(0, 100)).unwrap();
    Report { score: Some(score), outcome: Outcome::from_score(f64::from(score)), ..report.clone() }
}

/// The list of the evening before: other scores, and one more page.
fn compared(wanted: &ComparisonRequest) -> ComparisonResult {
    let newer = Snapshot::take(wanted.rows.iter(), ListScope::default(), true, now());
    let at = now() - EVENING;
    let former = LINES.iter().filter_map(|line| {
        let mut report = report(line);
        report.score = Some(line.4?);
        report.outcome = Outcome::from_score(f64::from(line.4?));
        report.failed = failing(line.1, line.4?);
        report.generated_at = report.generated_at.map(|audited| audited.min(at - SignedDuration::from_hours(6)));
        Some(report)
    });
    let mut former: Vec<Report> = former.collect();
    former.push(row(700, "https://news.example/winter-market", 58));
    let older = Snapshot::take(former.iter(), ListScope::default(), true, at);
    let mut comparison = compare(&older, &newer, now(), wanted.untested_for);
    comparison.count_projects((&older, &newer), &wanted.rows);
    let moved = comparison.regressed.iter().chain(&comparison.improved);
    let scores = moved.map(|moved| {
        let line = LINES.iter().find(|line| line.0.to_string() == moved.id.raw()).unwrap();
        let before = line.4.unwrap();
        // Two audits ago each score was a little better than in the previous one.
        let days = [(4, before + 5), (3, before + 3), (2, before), (0, line.2)];
        let seen = days.map(|(day, score)| (now() - SignedDuration::from_hours(24 * day), score));
        (moved.id.clone(), seen.to_vec())
    });
    let scores = scores.collect();
    let names = HashMap::from([(ReportId::new("700"), "news.example/winter-market".to_owned())]);
    let (mut trends, places) = (BadShareHistory::default(), RowIndex::of_all(&wanted.rows));
    for days in [27, 24, 21, 19, 16, 13, 11, 9, 6, 4, 2] {
        let look = Snapshot::take(
            former.iter().map(|report| earlier(report, days)).collect::<Vec<_>>().iter(),
            ListScope::default(),
            true,
            now() - SignedDuration::from_hours(24 * days),
        );
        trends.add(&look, &wanted.rows, &places);
    }
    for look in [&older, &newer] {
        trends.add(look, &wanted.rows, &places);
    }
    let results = Some(older.results());
    let failing = FormerFailures::of(&older, &wanted.rows).map(Box::new);
    ComparisonResult { baseline: Some(at), results, failing, comparison, scores, names, trends }
}

fn states() -> (Triages, Notes) {
    let given = [(810, State::Looking), (803, State::Waiting), (798, State::ToVerify)];
    let triage = |(number, state): (u32, State)| {
        let line = LINES.iter().find(|line| line.0 == number).unwrap();
        let report = report(line);
        (report.id.clone(), Triage::set(state, &report, now() - SignedDuration::from_mins(30)))
    };
    let note = Note::new("the shop's template puts shop.js first; asked Ines", now()).unwrap();
    (given.into_iter().map(triage).collect(), [(ReportId::new("810"), note)].into_iter().collect())
}

/// Events of this morning and of the day before.
fn logged() -> Vec<LogEntry> {
    let entry = |kind: LogKind, number: u32, hours: i64, words: [&str; 3]| {
        let report = report(LINES.iter().find(|line| line.0 == number).unwrap());
        let [before, after, detail] = words.map(str::to_owned);
        LogEntry { before, after, detail, ..LogEntry::about(kind, &report, now() - SignedDuration::from_hours(hours)) }
    };
    let mut entries = vec![
        entry(LogKind::Rerun, 803, 28, ["decent 69", "bad 47", "broken title, hsts"]),
        entry(LogKind::Rerun, 810, 26, ["bad 31", "bad 44", "repaired csp"]),
        entry(LogKind::Rerun, 798, 26, ["bad 20", "bad 33", ""]),
        entry(LogKind::Privacy, 798, 25, ["private", "public", ""]),
    ];
    let (triages, _) = states();
    let mut set: Vec<LogEntry> = triages
        .iter()
        .map(|(id, triage)| {
            let report = report(LINES.iter().find(|line| line.0.to_string() == id.raw()).unwrap());
            LogEntry::of_state(&report, None, Some(triage), triage.set_at)
        })
        .collect();
    set.sort_by(|one, other| one.name.cmp(&other.name));
    entries.extend(set);
    entries
}

/// Returns the reply to an effect, if the demo has one.
fn answer(effect: &Effect) -> Option<Message> {
    Some(match effect {
        Effect::ListReports { request, .. } => {
            let rows: Vec<Report> = LINES.iter().map(report).collect();
            let total = rows.len() as u64;
            Message::Reports(*request, Ok(page(rows, None, total)))
        }
        Effect::ListProjects(request, ..) => Message::Projects(*request, Ok(projects())),
        Effect::ShowReport(request, id) => Message::Report(*request, Ok(whole(id))),
        // The only report of the earlier list that is no longer listed.
        Effect::ShowChecks(request, id) if id.raw() == "700" => {
            let gone = Failure::new(FailureKind::NotFound, "not found", "").with_status(404);
            Message::Checks(*request, Err(gone))
        }
        Effect::ShowChecks(request, id) => Message::Checks(*request, Ok(whole(id))),
        Effect::FindCauses(request, rows, places) => {
            Message::Causes(*request, Box::new(causes::lines::find_causes(rows, places)))
        }
        Effect::ReadLog(request) => Message::Log(*request, Some(lines(logged()))),
        Effect::ReadTimeline(request, id) => {
            let of_report = |entry: &LogEntry| entry.report.as_ref() == Some(id);
            Message::Timeline(*request, Some(logged().into_iter().filter(of_report).collect()))
        }
        Effect::CountOverview(request, rows, project, context) => {
            Message::Overview(*request, Box::new(Overview::of(rows, project.as_ref(), context)))
        }
        Effect::Compare(request, wanted) => Message::ComparisonResult(*request, Ok(Box::new(compared(wanted)))),
        _ => return None,
    })
}

/// Answers all effects, including those that follow from the answers.
pub fn settle(app: &mut App, mut effects: Vec<Effect>) {
    while let Some(effect) = effects.pop() {
        if let Some(message) = answer(&effect) {
            effects.extend(app.update(message, now()));
        }
    }
}

/// The dashboard at the start of the morning.
pub fn morning() -> App {
    let (mut app, effects) = connected();
    settle(&mut app, effects);
    let (triages, notes) = states();
    let effects = app.update(Message::States(triages, notes), now());
    settle(&mut app, effects);
    app
}

/// Presses keys one by one and pauses after each; all effects are answered in between.
pub fn press_and_settle(app: &mut App, script: &str) {
    for key in script.split_whitespace() {
        let effects = press(app, key);
        settle(app, effects);
        linger(app);
    }
}

/// Waits until the report under the cursor is requested.
pub fn linger(app: &mut App) {
    if let Some(at) = app.report.fetch_at {
        let effects = app.update(Message::Tick, at);
        settle(app, effects);
    }
}

fn desk_row(id: &ReportId, state: State, holder: &str, minutes: i64) -> DeskRow {
    let holder: Handle = holder.parse().unwrap();
    DeskRow {
        report: id.clone(),
        state,
        holder: Some(holder.clone()),
        baseline: report(LINES.iter().find(|line| line.0.to_string() == id.raw()).unwrap()).state(),
        reason: None,
        version: 2,
        set_by: DeskActor::Person(holder),
        set_at: now() - SignedDuration::from_mins(minutes),
    }
}

/// The same morning on a team's desk: `ben` and `carla` are online, and `ben` claims the first report of the open
/// queue.
pub fn team_at_the_queue(mut prepare: impl FnMut(&mut App)) -> App {
    let mut app = morning();
    let me = DeskMe { handle: Some("anna".parse().unwrap()), actor: DeskActor::Operator, role: Role::Triage };
    let (triages, _) = states();
    let mut content = DeskContent::default();
    let ordered: std::collections::BTreeMap<_, _> = triages.iter().collect();
    for ((id, triage), holder) in ordered.into_iter().zip(["carla", "ben", "anna"].into_iter().cycle()) {
        content.put_row(desk_row(id, triage.state, holder, 20));
    }
    let joined = DeskJoined {
        me,
        people: Vec::new(),
        content: content.clone(),
        outbox: Vec::new(),
        seed: [7; 16],
        read_at: now(),
        is_reached: true,
        is_own: false,
    };
    let effects = app.update(Message::Desk(vec![DeskMessage::Joined(Box::new(joined))]), now());
    settle(&mut app, effects);
    app.ctx.notice = None;
    prepare(&mut app);
    let free = |id: &&ReportId| !content.rows.contains_key(*id);
    let first = app.queue().unwrap().ids.iter().find(free).unwrap().clone();
    while app.queue().map(|queue| queue.ids[queue.at] != first).unwrap() {
        press_and_settle(&mut app, "n");
    }
    content.put_row(desk_row(&first, State::Looking, "ben", 4));
    let (present, position) = (
        vec![Presence {
            handle: "ben".parse().unwrap(),
            report: Some(first),
            doing: PresenceActivity::Writing,
            since: now(),
        }],
        content.position,
    );
    for message in [
        DeskMessage::Read(Box::new(content), Vec::new()),
        DeskMessage::Changes { events: Vec::new(), present, position },
    ] {
        let effects = app.update(Message::Desk(vec![message]), now());
        settle(&mut app, effects);
    }
    press_and_settle(&mut app, "l");
    app
}
