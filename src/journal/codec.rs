//! Rows and snapshots as blobs, and back.
//!
//! Each begins with the number of its form; a blob of another form, or one that was cut off, is `None`, and whoever
//! asked starts without it. Must not know where blobs are kept.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::sync::Arc;

use jiff::Timestamp;

use super::bytes::{Reader, Writer};
use crate::domain::history::CheckId;
use crate::domain::outcome::{KNOWN, Outcome};
use crate::domain::privacy::Privacy;
use crate::domain::report::{Report, ReportId};
use crate::domain::rows::Rows;
use crate::domain::shared::Shared;
use crate::domain::since::{Entry, Scope, Snapshot, USUAL, add_score};
use crate::domain::text::Text;
use crate::domain::workspace::workspace;

/// The form of rows; another way to write them gets another number.
const ROWS: u8 = 1;
/// The form of snapshots.
const SNAPSHOT: u8 = 101;
/// Results are the place in [`KNOWN`], or one of these.
const MISSING: u8 = 3;
const OTHER: u8 = 4;
/// No score; scores end at 100.
const NO_SCORE: u8 = 255;

/// The rows of a list without what only opened reports have. Deleted rows are left out.
pub(super) fn rows_to_bytes<'a>(rows: impl Iterator<Item = &'a Report>) -> Vec<u8> {
    let mut writer = Writer::default();
    let (mut projects, mut checks) = (HashMap::<&str, u64>::new(), CheckNumbers::default());
    writer.byte(ROWS);
    for report in rows {
        writer.byte(1);
        writer.text(report.id.raw());
        writer.text(report.url.raw());
        // Names are written where they first stand; later only their number is.
        let (next, name) = (projects.len() as u64, report.project.raw());
        let number = *projects.entry(name).or_insert(next);
        writer.number(number);
        if number == next {
            writer.text(name);
        }
        outcome_to_bytes(&mut writer, &report.outcome);
        writer.byte(report.score.unwrap_or(NO_SCORE));
        time_to_bytes(&mut writer, report.generated_at.get());
        writer.byte(report.privacy.map_or(0, |privacy| privacy.code() + 1));
        writer.byte(report.has_password.map_or(0, |has| u8::from(has) + 1));
        // What an opened report says of its checks is kept as the list would have sent it.
        let opened = if report.failed.is_empty() { report.failing().unwrap_or_default() } else { Vec::new() };
        checks.write(&mut writer, if opened.is_empty() { &report.failed } else { &opened });
    }
    writer.byte(0);
    writer.0
}

/// The rows again. Texts are cleaned anew: what is on a disk is from outside too.
pub(super) fn rows_from_bytes(bytes: &[u8]) -> Option<Rows> {
    let mut reader = Reader::new(bytes);
    let (mut projects, mut checks, mut shared) = (Vec::new(), Vec::new(), Shared::default());
    let mut rows = Rows::new();
    if reader.byte()? != ROWS {
        return None;
    }
    loop {
        match reader.byte()? {
            0 => return Some(rows),
            1 => rows.push(row(&mut reader, &mut projects, &mut checks, &mut shared)?),
            _ => return None,
        }
    }
}

fn row(
    reader: &mut Reader<impl Read>,
    projects: &mut Vec<Arc<Text>>,
    checks: &mut Vec<CheckId>,
    shared: &mut Shared,
) -> Option<Report> {
    let id = ReportId::new(reader.text()?);
    let url = Text::from_outside(reader.text()?);
    let number = usize::try_from(reader.number()?).ok()?;
    if number == projects.len() {
        projects.push(Arc::new(Text::from_outside(reader.text()?)));
    }
    let project = Arc::clone(projects.get(number)?);
    let outcome = outcome_from_bytes(reader)?;
    let score = Some(reader.byte()?).filter(|score| *score <= 100);
    let generated_at = time_from_bytes(reader)?.into();
    let privacy = match reader.byte()? {
        0 => None,
        code => Some(Privacy::from_code(i64::from(code) - 1)?),
    };
    let has_password = match reader.byte()? {
        0 => None,
        has => Some(has == 2),
    };
    let failed = shared.set(&checks_from_bytes(reader, checks)?);
    Some(Report { id, url, project, outcome, score, generated_at, privacy, has_password, failed, details: None })
}

/// Writes a snapshot without its time and scope, which have columns of their own.
pub(super) fn write_snapshot(snapshot: &Snapshot, out: &mut impl Write) -> io::Result<()> {
    let mut writer = Writer::default();
    writer.byte(SNAPSHOT);
    writer.length(snapshot.outcomes.len());
    snapshot.outcomes.iter().for_each(|outcome| outcome_to_bytes(&mut writer, outcome));
    writer.length(snapshot.sets.len());
    let mut checks = CheckNumbers::default();
    for set in &snapshot.sets {
        writer.byte(u8::from(set.is_some()));
        if let Some(set) = set {
            checks.write(&mut writer, set);
        }
    }
    writer.length(snapshot.entries.len());
    for entry in &snapshot.entries {
        writer.text(entry.id.raw());
        writer.number(u64::from(entry.outcome));
        writer.byte(entry.score.unwrap_or(NO_SCORE));
        time_to_bytes(&mut writer, entry.generated_at.get());
        writer.number(u64::from(entry.set));
        writer.pass_on(out)?;
    }
    writer.end(out)
}

/// The snapshot again.
pub(super) fn snapshot_from_bytes(
    bytes: impl Read,
    scope: Scope,
    is_complete: bool,
    taken_at: Timestamp,
) -> Option<Snapshot> {
    let mut reader = Reader::new(bytes);
    if reader.byte()? != SNAPSHOT {
        return None;
    }
    let outcomes = (0..reader.length()?).map(|_| outcome_from_bytes(&mut reader)).collect::<Option<Vec<_>>>()?;
    let mut checks = Vec::new();
    let sets = (0..reader.length()?).map(|_| set(&mut reader, &mut checks)).collect::<Option<Vec<_>>>()?;
    let mut entries = workspace(USUAL);
    for _ in 0..reader.length()? {
        entries.push(entry(&mut reader)?);
    }
    Some(Snapshot { taken_at, scope, is_complete, outcomes, sets, entries })
}

/// Adds the scores of some reports to their series, without making anything of the others.
pub(super) fn scores_from_bytes(
    bytes: impl Read,
    wanted: &HashMap<&str, &ReportId>,
    taken_at: Timestamp,
    scores: &mut HashMap<ReportId, Vec<(Timestamp, u8)>>,
) -> Option<()> {
    let mut reader = Reader::new(bytes);
    if reader.byte()? != SNAPSHOT {
        return None;
    }
    for _ in 0..reader.length()? {
        outcome_from_bytes(&mut reader)?;
    }
    let mut checks = Vec::new();
    for _ in 0..reader.length()? {
        set(&mut reader, &mut checks)?;
    }
    for _ in 0..reader.length()? {
        let id = wanted.get(reader.text()?);
        let (_outcome, score) = (reader.number()?, reader.byte()?);
        let generated_at = time_from_bytes(&mut reader)?;
        let _set = reader.number()?;
        if let Some(id) = id.filter(|_| score <= 100) {
            add_score(scores.entry((*id).clone()).or_default(), taken_at, generated_at, score);
        }
    }
    Some(())
}

#[allow(clippy::option_option)] // the outer: whether it can be read; the inner: whether the checks were known
fn set(reader: &mut Reader<impl Read>, checks: &mut Vec<CheckId>) -> Option<Option<Box<[CheckId]>>> {
    if reader.byte()? == 0 { Some(None) } else { checks_from_bytes(reader, checks).map(Some) }
}

/// The numbers under which check ids are written: each is spelled where it first stands.
#[derive(Default)]
struct CheckNumbers(HashMap<CheckId, u64>);

impl CheckNumbers {
    fn write(&mut self, writer: &mut Writer, ids: &[CheckId]) {
        writer.length(ids.len());
        for id in ids {
            if let Some(number) = self.0.get(id) {
                writer.number(*number);
            } else {
                let next = self.0.len() as u64;
                self.0.insert(Arc::clone(id), next);
                writer.number(next);
                writer.text(id);
            }
        }
    }
}

fn checks_from_bytes(reader: &mut Reader<impl Read>, known: &mut Vec<CheckId>) -> Option<Box<[CheckId]>> {
    let count = reader.length()?;
    let mut ids = Vec::new();
    for _ in 0..count {
        let number = usize::try_from(reader.number()?).ok()?;
        if number == known.len() {
            known.push(CheckId::from(reader.text()?));
        }
        ids.push(Arc::clone(known.get(number)?));
    }
    Some(ids.into_boxed_slice())
}

fn entry(reader: &mut Reader<impl Read>) -> Option<Entry> {
    let id = ReportId::new(reader.text()?);
    let outcome = u16::try_from(reader.number()?).ok()?;
    let score = Some(reader.byte()?).filter(|score| *score <= 100);
    let generated_at = time_from_bytes(reader)?.into();
    let set = u32::try_from(reader.number()?).ok()?;
    Some(Entry { id, generated_at, set, outcome, score })
}

fn outcome_to_bytes(writer: &mut Writer, outcome: &Outcome) {
    match outcome {
        Outcome::Bad => writer.byte(0),
        Outcome::Decent => writer.byte(1),
        Outcome::Good => writer.byte(2),
        Outcome::Missing => writer.byte(MISSING),
        Outcome::Other(word) => {
            writer.byte(OTHER);
            writer.text(word.raw());
        }
    }
}

fn outcome_from_bytes(reader: &mut Reader<impl Read>) -> Option<Outcome> {
    match reader.byte()? {
        MISSING => Some(Outcome::Missing),
        OTHER => Some(Outcome::Other(Box::new(Text::from_outside(reader.text()?)))),
        known => KNOWN.get(usize::from(known)).cloned(),
    }
}

fn time_to_bytes(writer: &mut Writer, time: Option<Timestamp>) {
    match time {
        None => writer.byte(0),
        Some(time) => {
            writer.byte(if time.subsec_nanosecond() == 0 { 1 } else { 2 });
            writer.signed(time.as_second());
            if time.subsec_nanosecond() != 0 {
                writer.signed(i64::from(time.subsec_nanosecond()));
            }
        }
    }
}

#[allow(clippy::option_option)] // the outer: whether it can be read; the inner: whether there was a time
fn time_from_bytes(reader: &mut Reader<impl Read>) -> Option<Option<Timestamp>> {
    let nanoseconds = match reader.byte()? {
        0 => return Some(None),
        form => form == 2,
    };
    let second = reader.signed()?;
    let nanosecond = if nanoseconds { i32::try_from(reader.signed()?).ok()? } else { 0 };
    Timestamp::new(second, nanosecond).ok().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn snapshot_to_bytes(snapshot: &Snapshot) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_snapshot(snapshot, &mut bytes).unwrap();
        bytes
    }

    fn any_row() -> impl Strategy<Value = Report> {
        let texts = (".{0,8}", ".{0,20}", "[ab]{0,2}", "bad|good|decent||odd|b\u{1b}d");
        let numbers = (proptest::option::of(0_u8..=100), proptest::option::of(any::<i32>()), 0_i64..4, 0_u8..3);
        let checks = proptest::collection::vec("[a-c]{1,3}", 0..4);
        (texts, numbers, checks).prop_map(|((id, url, project, outcome), (score, time, privacy, password), failed)| {
            Report {
                id: ReportId::new(&id),
                url: Text::from_outside(url),
                project: Arc::new(Text::from_outside(project)),
                outcome: Outcome::from_word(&outcome),
                score,
                generated_at: time.map(|time| Timestamp::new(i64::from(time), time % 1_000).unwrap()).into(),
                privacy: Privacy::from_code(privacy),
                has_password: [None, Some(false), Some(true)][usize::from(password)],
                failed: failed.into_iter().map(CheckId::from).collect(),
                details: None,
            }
        })
    }

    proptest! {
        #[test]
        fn rows_and_snapshots_are_read_as_they_were(rows in proptest::collection::vec(any_row(), 0..12)) {
            let read = rows_from_bytes(&rows_to_bytes(rows.iter())).unwrap();
            let read: Vec<Report> = read.into_iter().collect();
            prop_assert_eq!(&read, &rows);
            let scope = Scope { project: Some("a".to_owned()), ..Scope::default() };
            let taken = Snapshot::take(rows.iter(), scope.clone(), true, Timestamp::UNIX_EPOCH);
            let read = snapshot_from_bytes(&*snapshot_to_bytes(&taken), scope, true, Timestamp::UNIX_EPOCH);
            prop_assert_eq!(read, Some(taken));
        }

        #[test]
        fn what_was_cut_off_or_changed_is_never_a_panic(rows in proptest::collection::vec(any_row(), 1..4), cut: usize, change: (usize, u8)) {
            let taken = Snapshot::take(rows.iter(), Scope::default(), true, Timestamp::UNIX_EPOCH);
            for mut bytes in [rows_to_bytes(rows.iter()), snapshot_to_bytes(&taken)] {
                let short = &bytes[..cut % bytes.len()];
                prop_assert!(rows_from_bytes(short).is_none());
                prop_assert!(snapshot_from_bytes(short, Scope::default(), true, Timestamp::UNIX_EPOCH).is_none());
                let _ = scores_from_bytes(short, &HashMap::new(), Timestamp::UNIX_EPOCH, &mut HashMap::new());
                let at = change.0 % bytes.len();
                bytes[at] = change.1;
                let _ = (rows_from_bytes(&bytes), snapshot_from_bytes(&*bytes, Scope::default(), true, Timestamp::UNIX_EPOCH));
            }
        }
    }

    #[test]
    fn another_form_is_not_read() {
        assert_eq!(rows_from_bytes(&[ROWS, 0]), Some(Rows::new()));
        assert_eq!(rows_from_bytes(&[ROWS + 1, 0]), None);
    }
}
