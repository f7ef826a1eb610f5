//! The report pane: all fields of the report, its checks from the failed ones down, and unknown fields.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::App;
use crate::app::frame_layout::{HitTarget, Pane};
use crate::domain::event_log::timeline::timeline;
use crate::domain::report::Report;
use crate::domain::report::check::{Check, CheckOutcome, Importance, value_text};
use crate::domain::report::error_groups::error_lines;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::score;
use crate::domain::text::{clean, fit, width, wrap};
use crate::domain::triage::changes::sparkline;
use crate::view::canvas::{Canvas, StyledText};
use crate::view::theme::{Theme, check_shape, outcome_shape, result_label};
use crate::view::times::{cell, format_time};
use crate::view::widgets::scroll_bar::bar;

/// The longest text of a field in bytes, so that no field slows down drawing.
const LONGEST_TEXT: usize = 4_000;
/// The cells of the score chart.
const CHART: usize = 20;
/// The number of latest notes above the checks; the timeline has all of them.
const TOP_NOTES: usize = 3;
/// The number of repairs listed above the checks.
const REPAIRS: usize = 3;
/// The most checks named in a line about an earlier audit.
const MOST_NAMES: usize = 8;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, place: Rect) {
    let theme = &canvas.look.theme;
    let style = theme.pane_title(app.screen.focus == Pane::Report);
    let used = canvas.text((place.x + 1, place.y), place.width - 1, "Report", style);
    let id = app.current_report().map(|report| format!(" {}", report.id.shown())).unwrap_or_default();
    canvas.text((place.x + 1 + used, place.y), place.width - 1 - used, &id, theme.text);
    let head = 1 + canvas.under_heading(place);
    let body = Rect::new(place.x, place.y + head, place.width, place.height - head);
    canvas.hit(body, HitTarget::Rows(Pane::Report));
    self::body(canvas, app, body);
}

/// Draws the fields of the current report, scrolled.
pub(crate) fn body(canvas: &mut Canvas, app: &App, body: Rect) {
    let theme = &canvas.look.theme;
    let height = usize::from(body.height);
    canvas.frame_layout.report = height;
    let Some(report) = app.current_report() else {
        canvas.text((body.x + 1, body.y + 1), body.width - 1, "No report under the cursor", theme.dim);
        return;
    };
    let lines_from = |top| Lines::of(theme, app, report, usize::from(body.width - 2), top..top.saturating_add(height));
    let mut top = app.report.window.top;
    let mut lines = lines_from(top);
    let last_top = lines.count.saturating_sub(height);
    if top > last_top {
        top = last_top;
        lines = lines_from(top);
    }
    canvas.frame_layout.report_lines = lines.count;
    let url = report.web_url().filter(|_| top < lines.address);
    for (line, pieces) in lines.visible.iter().enumerate() {
        let here = (body.x + 1, body.y + line as u16);
        let used = canvas.styled_text(here, body.width - 2, pieces);
        if let Some(url) = url.as_ref().filter(|_| top + line < lines.address) {
            canvas.link(here, used, url);
        }
    }
    bar(canvas, body, top, lines.count, Some(Pane::Report));
}

/// Counts the lines of the pane, and builds those on the screen: a report has several times as many.
struct Lines {
    count: usize,
    /// The numbers of the lines on the screen.
    window: Range<usize>,
    visible: Vec<StyledText>,
    /// The number of leading lines with the URL.
    address: usize,
    cells: usize,
    theme: Theme,
}

impl Lines {
    fn of(theme: &Theme, app: &App, report: &Report, cells: usize, window: Range<usize>) -> Self {
        let checks = report.checks().unwrap_or_default();
        let (visible, theme) = (Vec::new(), theme.clone());
        let mut lines = Self { count: 0, window, visible, address: 0, cells, theme };
        lines.fields(app, report);
        lines.state(app);
        let listed = score::listed(checks, report.score, &app.ctx.explanations);
        lines.checks(app, &listed, &[(CheckOutcome::Failed, "Failed"), (CheckOutcome::Note, "Remarks")]);
        lines.timeline(app, report);
        let others = [(CheckOutcome::Passed, "Passed"), (CheckOutcome::NotApplicable, "Nothing to judge")];
        lines.checks(app, &listed, &others);
        lines.limits(app, checks);
        if let Some(details) = report.details.as_ref().filter(|details| !details.extra.is_empty()) {
            lines.heading("Other fields");
            for (name, value) in &details.extra {
                lines.field(&clean(name), &value_text(value));
            }
        }
        lines
    }

    fn fields(&mut self, app: &App, report: &Report) {
        self.wrapped(report.url.shown(), 0, self.theme.title);
        self.address = self.count;
        self.push(Vec::new);
        let style = self.theme.outcome(&report.outcome);
        let score = report.score.map(|score| format!("   score {score}")).unwrap_or_default();
        let (shape, _) = result_label(report);
        self.push(|| vec![(format!("{shape} {}{score}", report.outcome.name()), style)]);
        self.reason(report);
        if let Some(failure) = report.fetch_failure {
            self.field("page", &failure.sentence());
            self.wrapped(&format!("→ {}", failure.remedy()), 2, self.theme.key);
        }
        if app.is_writing(&report.id) {
            let style = self.theme.decent;
            self.push(|| vec![("… being updated".to_owned(), style)]);
        }
        self.chart(app, report);
        self.field("project", report.project.shown());
        let at = report.generated_at.map_or_else(|| "unknown".to_owned(), |at| format_time(app, at));
        self.field("generated", &at);
        if let Some(former) = report.history().first() {
            let flips = report.flips(None).map(|flips| format!(" · {}", flips.in_words(MOST_NAMES)));
            self.field("before", &format!("{}{}", former.verdict(), flips.unwrap_or_default()));
        }
        if let Some(triage) = app.triage.states.triages.get(&report.id) {
            let since = format_time(app, triage.set_at);
            let reason = triage.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            let until = triage.state.until().map(|until| format!(" until {}", format_time(app, until)));
            let label = triage.state.kind().label();
            self.field("state", &format!("{label}{}, since {since}{reason}", until.unwrap_or_default()));
        }
        if let Some(claim) = app.claim_text(&report.id) {
            self.field("team", &claim);
        }
        let notes = app.triage.states.notes.of(&report.id);
        for (at, note) in notes.iter().rev().take(TOP_NOTES).enumerate() {
            let author = if note.author.is_empty() { String::new() } else { format!(" {}", note.author) };
            let when = cell(app, Some(note.written_at));
            self.field(if at == 0 { "note" } else { "" }, &format!("{when}{author}: {}", note.text));
        }
        let password = match report.has_password {
            Some(true) => ", a password is set",
            Some(false) | None => "",
        };
        let privacy = report.privacy.map_or("unknown", Privacy::name);
        self.field("privacy", &format!("{privacy}{password}"));
    }

    /// Adds what caps the score, and the repairs with the highest gain, if the score matches our formula.
    fn reason(&mut self, report: &Report) {
        let checks = report.checks().unwrap_or_default();
        if report.score != Some(score::score(checks)) {
            return;
        }
        if let (Some(reason), Some(score)) = (score::cap_reason(checks), report.score) {
            self.wrapped(&format!("{score}: {reason}"), 0, self.theme.bad);
        }
        for (at, repair) in score::first_repairs(checks, REPAIRS).iter().enumerate() {
            let gain = if repair.gain > 0 { format!(" +{}", repair.gain) } else { String::new() };
            let label = if at == 0 { "fix first" } else { "" };
            self.field(label, &format!("{}{gain}", checks[repair.place].id.shown()));
        }
    }

    /// Adds the scores over time as a sparkline, if there is more than one.
    fn chart(&mut self, app: &App, report: &Report) {
        let scores = app.scores(report);
        if let ([first, ..], Some(last)) = (scores.as_slice(), report.score.filter(|_| scores.len() > 1)) {
            let chart = sparkline(&scores, scores.len().min(CHART));
            self.field("scores", &format!("{chart} {first} → {last} in {} audits", scores.len()));
        }
    }

    fn state(&mut self, app: &App) {
        let whole = &app.report.whole;
        if let Some(failure) = &whole.failure {
            self.push(Vec::new);
            self.wrapped(&format!("! {failure}"), 0, self.theme.bad);
        } else if whole.value.is_none() && whole.request.is_some() {
            self.push(Vec::new);
            self.wrapped("Loading …", 0, self.theme.dim);
        }
    }

    /// Adds those of the listed checks that have these outcomes.
    fn checks(&mut self, app: &App, listed: &[(&Check, u8)], outcomes: &[(CheckOutcome, &str)]) {
        for (outcome, title) in outcomes {
            let group: Vec<_> = listed.iter().filter(|(check, _)| check.outcome == *outcome).collect();
            if group.is_empty() {
                continue;
            }
            self.heading(&format!("{title} {}", group.len()));
            for (check, gain) in group {
                self.check(app, check, *gain);
            }
        }
    }

    /// Adds what the known checks do not cover.
    fn limits(&mut self, app: &App, checks: &[Check]) {
        if checks.iter().any(|check| app.ctx.explanations.contains_key(check.id.raw())) {
            self.push(Vec::new);
            self.wrapped(
                "Contrast, layout shift, console errors and paint times need a browser and are not judged.",
                0,
                self.theme.dim,
            );
        }
    }

    fn check(&mut self, app: &App, check: &Check, gain: u8) {
        let known = app.ctx.explanations.get(check.id.raw());
        let importance = check.known_importance(&app.ctx.explanations).map_or("", Importance::name);
        let gain = if gain > 0 { format!("+{gain} ") } else { String::new() };
        let room = self.cells.saturating_sub(3 + importance.len() + gain.len());
        let styles = [self.theme.check(check.outcome), self.theme.text, self.theme.good, self.theme.dim];
        self.push(|| {
            let name = fit(check.id.shown(), room).into_owned();
            let gap = " ".repeat(room.saturating_sub(width(&name)));
            let texts =
                [format!("{} ", check_shape(check.outcome)), name, format!("{gap} {gain}"), importance.to_owned()];
            texts.into_iter().zip(styles).collect()
        });
        let value = value_text(&check.value);
        let is_problem = matches!(check.outcome, CheckOutcome::Failed | CheckOutcome::Note);
        for (depth, line) in error_lines(&check.errors) {
            self.wrapped(&line, 2 + 2 * depth, self.theme.text);
        }
        // A fetch failure is shown above all checks, with its remedy.
        let is_fetch_failure = FetchFailure::of_check(check).is_some();
        // An error text that contains the value makes the value redundant.
        let is_shown = is_fetch_failure || check.errors.iter().any(|error| error.shown().contains(&value));
        if !value.is_empty() && !is_shown && (is_problem || check.errors.is_empty()) {
            self.wrapped(&format!("value: {value}"), 2, self.theme.dim);
        }
        if let (CheckOutcome::Failed, Some(known), false) = (check.outcome, known, is_fetch_failure) {
            self.wrapped(&format!("→ {}", known.remedy), 2, self.theme.key);
        }
        let threshold = known.map_or("", |known| known.passes_when);
        if !threshold.is_empty() && !is_fetch_failure && check.outcome != CheckOutcome::NotApplicable {
            self.wrapped(&format!("passes when: {threshold}"), 2, self.theme.dim);
        }
    }

    /// Adds the timeline of the report, latest first.
    fn timeline(&mut self, app: &App, report: &Report) {
        let items = timeline(report, &app.report.events, app.triage.states.notes.of(&report.id));
        if items.is_empty() {
            return;
        }
        self.heading(&format!("Timeline {}", items.len()));
        for item in items {
            let when = item.at.map_or_else(|| "unknown".to_owned(), |at| cell(app, Some(at)));
            match item.outcome {
                Some(outcome) => {
                    let style = self.theme.outcome(&outcome);
                    self.marked_field(&when, &format!("{} {}", outcome_shape(&outcome), item.text), style);
                }
                None => self.field(&when, &item.text),
            }
        }
    }

    fn heading(&mut self, text: &str) {
        self.push(Vec::new);
        let style = self.theme.title;
        self.push(|| vec![(text.to_owned(), style)]);
    }

    fn field(&mut self, name: &str, value: &str) {
        self.marked_field(name, value, self.theme.text);
    }

    fn marked_field(&mut self, name: &str, value: &str, style: Style) {
        let mut label = format!("{:<10} ", fit(name, self.cells / 2));
        let indent = width(&label);
        for line in wrap(&fit(value, LONGEST_TEXT), self.cells.saturating_sub(indent)) {
            let start = std::mem::replace(&mut label, " ".repeat(indent));
            let label_style = self.theme.dim;
            self.push(|| vec![(start, label_style), (line, style)]);
        }
    }

    fn wrapped(&mut self, text: &str, indent: usize, style: Style) {
        for line in wrap(&fit(text, LONGEST_TEXT), self.cells.saturating_sub(indent)) {
            self.push(|| vec![(" ".repeat(indent), style), (line, style)]);
        }
    }

    fn push(&mut self, line: impl FnOnce() -> StyledText) {
        if self.window.contains(&self.count) {
            self.visible.push(line());
        }
        self.count += 1;
    }
}
