//! Log lines for display: all entries of one action form one line.

use jiff::SignedDuration;

use super::{LogEntry, LogKind};
use crate::domain::report::ReportId;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::triage::StateKind;

/// How many lines back an entry may join the line of its action.
const MOST_BETWEEN: usize = 8;

/// The longest time between the entries of one action of another person: a desk does not send when the action began.
const MOST_APART: SignedDuration = SignedDuration::from_secs(1);

/// One action: `re-ran 93 of shop: 49 good, 42 decent, 2 bad`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// The latest entry. If the line has only one entry, its texts are the line's.
    pub last: LogEntry,
    /// The reports, in log order.
    pub reports: Vec<ReportId>,
    /// How many of the resulting results are good, decent and bad.
    results: ResultCounts,
    /// The project that all reports belong to; empty if there are several.
    project: String,
}

impl LogLine {
    fn of(entry: LogEntry) -> Self {
        let mut line = Self {
            reports: Vec::new(),
            results: ResultCounts::default(),
            project: entry.project.clone(),
            last: entry.clone(),
        };
        line.add(entry);
        line
    }

    fn add(&mut self, entry: LogEntry) {
        self.reports.extend(entry.report.clone());
        self.results.add(&Outcome::from_verdict(&entry.after).0);
        if self.project != entry.project {
            self.project.clear();
        }
        self.last = LogEntry { begun_at: self.last.begun_at, ..entry };
    }

    fn continues_with(&self, entry: &LogEntry) -> bool {
        let last = &self.last;
        let is_same_change = match entry.kind {
            LogKind::Privacy => last.after == entry.after,
            LogKind::State => last.after == entry.after && last.detail.is_empty() == entry.detail.is_empty(),
            // Several reports are unassigned from one person, or else on several lines.
            LogKind::Assigned => last.after == entry.after && (!entry.after.is_empty() || last.before == entry.before),
            LogKind::Dropped => last.before == entry.before && last.after == entry.after,
            LogKind::Note => last.detail == entry.detail,
            LogKind::Created | LogKind::Rerun | LogKind::Audited | LogKind::Password | LogKind::Deleted => true,
            LogKind::ProjectDeleted => false,
        };
        let is_close = !entry.author.is_empty() && entry.at.duration_since(last.at).abs() <= MOST_APART;
        let is_same_action = last.begun_at == entry.begun_at || is_close;
        last.kind == entry.kind && is_same_action && last.author == entry.author && is_same_change
    }

    /// Whether another line is about the same action, which may have gone on since.
    pub fn is_same_action(&self, other: &Self) -> bool {
        let (last, others) = (&self.last, &other.last);
        (last.kind, last.begun_at, &last.author, self.reports.first())
            == (others.kind, others.begun_at, &others.author, other.reports.first())
    }

    /// What was done, without author and time.
    pub fn text(&self) -> String {
        let LogEntry { name, before, after, detail, kind, .. } = &self.last;
        let what = match self.reports.len() as u64 {
            0 | 1 if name.is_empty() => self.last.report.as_ref().map_or("a report", ReportId::shown).to_owned(),
            0 | 1 => name.clone(),
            many if self.project.is_empty() => counted(many, "report"),
            many => format!("{} of {}", grouped(many), self.project),
        };
        let is_one = self.reports.len() < 2;
        match kind {
            LogKind::Created if is_one => format!("created {what}: {}", audit_text("", after, detail)),
            LogKind::Created => format!("created {what}{}", self.results_text()),
            LogKind::Rerun if is_one => format!("re-ran {what}: {}", audit_text(before, after, detail)),
            LogKind::Rerun | LogKind::Audited => format!("re-ran {what}{}", self.results_text()),
            LogKind::Privacy if is_one && !before.is_empty() => format!("privacy of {what}: {before} → {after}"),
            LogKind::Privacy => format!("privacy of {what}: {after}"),
            LogKind::Password => format!("new password for {what}"),
            LogKind::State if !detail.is_empty() && is_one => format!("{what} {detail}"),
            LogKind::State if !detail.is_empty() => {
                let verb = if after == StateKind::Done.name() { "done" } else { "reopened" };
                format!("{what} {verb}")
            }
            LogKind::State => format!("set {} for {what}", state_text(after)),
            LogKind::Assigned if after.is_empty() => format!("unassigned {what} from {before}"),
            LogKind::Assigned => format!("assigned {what} to {after}"),
            LogKind::Dropped if after.is_empty() => format!("dropped “{before}” for {what}"),
            LogKind::Dropped => format!("dropped “{before}” for {what}: kept “{after}”"),
            LogKind::Note => format!("note on {what}: {detail}"),
            LogKind::Deleted => format!("deleted {what}"),
            LogKind::ProjectDeleted => format!("deleted the project {what}"),
        }
    }

    /// `: 49 good, 2 bad`; empty if no result is good, decent or bad.
    fn results_text(&self) -> String {
        let ResultCounts { good, decent, bad } = self.results;
        let parts = [(good, "good"), (decent, "decent"), (bad, "bad")];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let texts: Vec<String> = parts.map(|(count, word)| format!("{} {word}", grouped(*count))).collect();
        if texts.is_empty() { String::new() } else { format!(": {}", texts.join(", ")) }
    }
}

/// `bad 31 → good 85 · repaired title`.
pub(super) fn audit_text(before: &str, after: &str, flips: &str) -> String {
    let moved = if before.is_empty() { after.to_owned() } else { format!("{before} → {after}") };
    if flips.is_empty() { moved } else { format!("{moved} · {flips}") }
}

/// The display name of a state.
pub(super) fn state_text(word: &str) -> &str {
    word.parse().map_or(word, |kind: StateKind| kind.label())
}

/// Groups entries, sorted by time with the oldest first, into lines, latest first.
pub fn lines(entries: impl IntoIterator<Item = LogEntry>) -> Vec<LogLine> {
    let mut lines: Vec<LogLine> = Vec::new();
    for entry in entries.into_iter().filter(|entry| entry.kind != LogKind::Audited) {
        match lines.iter_mut().rev().take(MOST_BETWEEN).find(|line| line.continues_with(&entry)) {
            Some(line) => line.add(entry),
            None => lines.push(LogLine::of(entry)),
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.last.at));
    lines
}
