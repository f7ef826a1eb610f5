//! Encodes rows and snapshots for the journal: one version byte, then postcard.
//!
//! A blob of another version, or one that is damaged, decodes to `None`; the caller treats it as absent.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::list::rows::Rows;
use crate::domain::report::failed_checks::{CheckId, FailedChecks};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;
use crate::domain::triage::changes::{ListScope, Snapshot, SnapshotEntry, add_score};

/// The version of encoded rows, incremented with every change of [`EncodedRows`].
const ROWS_VERSION: u8 = 4;
/// The version of encoded snapshots, incremented with every change of [`EncodedSnapshot`].
const SNAPSHOT_VERSION: u8 = 102;

/// Part of a list. Projects, check ids and sets of failed checks are stored once and referred to by index.
#[derive(Serialize, Deserialize)]
struct EncodedRows<'a> {
    #[serde(borrow)]
    projects: Vec<&'a str>,
    checks: Vec<&'a str>,
    failed_sets: Vec<Option<Vec<u32>>>,
    rows: Vec<EncodedRow<'a>>,
}

/// A report as in a list, without the details that only an opened report has.
#[derive(Serialize, Deserialize)]
struct EncodedRow<'a> {
    id: &'a str,
    url: &'a str,
    project: u32,
    outcome: EncodedOutcome<'a>,
    score: Option<u8>,
    /// The name of the failure class.
    fetch_failure: Option<&'a str>,
    generated_at: Option<EncodedTime>,
    privacy: Option<u8>,
    has_password: Option<bool>,
    failed_set: u32,
}

/// A snapshot without its time and scope, which are separate columns.
#[derive(Serialize, Deserialize)]
struct EncodedSnapshot<'a> {
    #[serde(borrow)]
    outcomes: Vec<EncodedOutcome<'a>>,
    checks: Vec<&'a str>,
    failed_sets: Vec<Option<Vec<u32>>>,
    entries: Vec<EncodedEntry<'a>>,
}

#[derive(Serialize, Deserialize)]
struct EncodedEntry<'a> {
    id: &'a str,
    outcome: u16,
    score: Option<u8>,
    generated_at: Option<EncodedTime>,
    failed_set: u32,
}

#[derive(Serialize, Deserialize)]
enum EncodedOutcome<'a> {
    Bad,
    Decent,
    Good,
    Missing,
    Other(&'a str),
}

/// Seconds and nanoseconds since 1970.
#[derive(Serialize, Deserialize)]
struct EncodedTime(i64, i32);

/// Distinct values, each with its index.
struct IndexTable<K>(HashMap<K, u32>);

impl<K: Eq + std::hash::Hash> IndexTable<K> {
    fn new() -> Self {
        Self(HashMap::new())
    }

    fn index_of(&mut self, value: K) -> u32 {
        // At most one entry per row or check of a list in memory.
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(value).or_insert(next)
    }

    /// Returns the values in the order of their indexes.
    fn into_values(self) -> Vec<K> {
        let mut values: Vec<(K, u32)> = self.0.into_iter().collect();
        values.sort_unstable_by_key(|(_, index)| *index);
        values.into_iter().map(|(value, _)| value).collect()
    }
}

/// Encodes rows, without details of opened reports.
pub(super) fn encode_rows<'a>(rows: impl Iterator<Item = &'a Report>) -> Vec<u8> {
    let (mut projects, mut checks, mut failed_sets) = (IndexTable::new(), IndexTable::new(), IndexTable::new());
    let rows: Vec<&Report> = rows.collect();
    // The failed checks of an opened report, as the list would have sent them.
    let opened = |report: &&Report| if report.failed.known().is_none() { report.failing() } else { None };
    let opened: Vec<Option<Vec<CheckId>>> = rows.iter().map(opened).collect();
    let encoded = rows.iter().zip(&opened).map(|(report, opened)| {
        let failed = report.failed.known().or(opened.as_deref());
        let failed: Option<Vec<u32>> = failed.map(|ids| ids.iter().map(|id| checks.index_of(&**id)).collect());
        EncodedRow {
            id: report.id.raw(),
            url: report.url.raw(),
            project: projects.index_of(report.project.raw()),
            outcome: EncodedOutcome::from(&report.outcome),
            score: report.score,
            fetch_failure: report.fetch_failure.map(FetchFailure::name),
            generated_at: encode_time(report.generated_at),
            privacy: report.privacy.map(Privacy::code),
            has_password: report.has_password,
            failed_set: failed_sets.index_of(failed),
        }
    });
    let rows = encoded.collect();
    let (projects, checks) = (projects.into_values(), checks.into_values());
    encode(ROWS_VERSION, &EncodedRows { projects, checks, failed_sets: failed_sets.into_values(), rows })
}

/// Decodes rows. Texts are cleaned again, because other programs may have changed the file.
pub(super) fn decode_rows(bytes: &[u8]) -> Option<Rows> {
    let encoded: EncodedRows<'_> = decode(ROWS_VERSION, bytes)?;
    let projects: Vec<Arc<Text>> =
        encoded.projects.into_iter().map(|name| Arc::new(Text::from_outside(name))).collect();
    let checks: Vec<CheckId> = encoded.checks.into_iter().map(CheckId::from).collect();
    let failed_set = |set: &Option<Vec<u32>>| match set {
        Some(set) => decode_set(set, &checks).map(FailedChecks::from),
        None => Some(FailedChecks::default()),
    };
    let failed_sets: Vec<FailedChecks> = encoded.failed_sets.iter().map(failed_set).collect::<Option<_>>()?;
    let row = |row: EncodedRow<'_>| {
        Some(Report {
            id: ReportId::new(row.id),
            url: Text::of_url(row.url),
            project: Arc::clone(projects.get(row.project as usize)?),
            outcome: row.outcome.into(),
            score: row.score.filter(|score| *score <= 100),
            fetch_failure: row.fetch_failure.and_then(|name| name.parse().ok()),
            generated_at: decode_time(row.generated_at.as_ref()).ok()?,
            privacy: match row.privacy {
                Some(code) => Some(Privacy::from_code(code.into())?),
                None => None,
            },
            has_password: row.has_password,
            failed: failed_sets.get(row.failed_set as usize)?.clone(),
            details: None,
        })
    };
    encoded.rows.into_iter().map(row).collect()
}

/// Encodes a snapshot without its time and scope.
pub(super) fn encode_snapshot(snapshot: &Snapshot) -> Vec<u8> {
    let mut checks = IndexTable::new();
    let mut failed_sets = Vec::with_capacity(snapshot.sets.len());
    for set in &snapshot.sets {
        failed_sets.push(set.as_ref().map(|set| set.iter().map(|id| checks.index_of(&**id)).collect()));
    }
    let entries = snapshot.entries.iter().map(|entry| EncodedEntry {
        id: entry.id.raw(),
        outcome: entry.outcome,
        score: entry.score,
        generated_at: encode_time(entry.generated_at),
        failed_set: entry.set,
    });
    let encoded = EncodedSnapshot {
        outcomes: snapshot.outcomes.iter().map(EncodedOutcome::from).collect(),
        entries: entries.collect(),
        failed_sets,
        checks: checks.into_values(),
    };
    encode(SNAPSHOT_VERSION, &encoded)
}

/// Decodes a snapshot.
pub(super) fn decode_snapshot(
    bytes: &[u8],
    scope: ListScope,
    is_complete: bool,
    taken_at: Timestamp,
) -> Option<Snapshot> {
    let encoded: EncodedSnapshot<'_> = decode(SNAPSHOT_VERSION, bytes)?;
    let checks: Vec<CheckId> = encoded.checks.into_iter().map(CheckId::from).collect();
    let set = |set: &Option<Vec<u32>>| match set {
        Some(set) => decode_set(set, &checks).map(Some),
        None => Some(None),
    };
    let entry = |entry: EncodedEntry<'_>| {
        Some(SnapshotEntry {
            id: ReportId::new(entry.id),
            generated_at: decode_time(entry.generated_at.as_ref()).ok()?,
            set: entry.failed_set,
            outcome: entry.outcome,
            score: entry.score.filter(|score| *score <= 100),
        })
    };
    Some(Snapshot {
        taken_at,
        scope,
        is_complete,
        outcomes: encoded.outcomes.into_iter().map(Outcome::from).collect(),
        sets: encoded.failed_sets.iter().map(set).collect::<Option<_>>()?,
        entries: encoded.entries.into_iter().map(entry).collect::<Option<_>>()?,
    })
}

/// Adds the scores of the wanted reports in one snapshot to their series.
pub(super) fn decode_scores(
    bytes: &[u8],
    wanted: &HashMap<&str, &ReportId>,
    taken_at: Timestamp,
    scores: &mut HashMap<ReportId, Vec<(Timestamp, u8)>>,
) -> Option<()> {
    let encoded: EncodedSnapshot<'_> = decode(SNAPSHOT_VERSION, bytes)?;
    for entry in encoded.entries {
        let score = entry.score.filter(|score| *score <= 100);
        if let (Some(id), Some(score)) = (wanted.get(entry.id), score) {
            let generated_at = decode_time(entry.generated_at.as_ref()).ok()?;
            add_score(scores.entry((*id).clone()).or_default(), taken_at, generated_at, score);
        }
    }
    Some(())
}

fn encode(version: u8, value: &impl Serialize) -> Vec<u8> {
    // A `u8` is encoded as one byte. Serialising to memory cannot fail; an empty blob would decode to `None`.
    postcard::to_stdvec(&(version, value)).unwrap_or_default()
}

fn decode<'a, T: Deserialize<'a>>(version: u8, bytes: &'a [u8]) -> Option<T> {
    let (first, rest) = bytes.split_first()?;
    if *first == version { postcard::from_bytes(rest).ok() } else { None }
}

fn decode_set(set: &[u32], checks: &[CheckId]) -> Option<Box<[CheckId]>> {
    set.iter().map(|index| checks.get(*index as usize).cloned()).collect()
}

impl<'a> From<&'a Outcome> for EncodedOutcome<'a> {
    fn from(outcome: &'a Outcome) -> Self {
        match outcome {
            Outcome::Bad => Self::Bad,
            Outcome::Decent => Self::Decent,
            Outcome::Good => Self::Good,
            Outcome::Missing => Self::Missing,
            Outcome::Other(word) => Self::Other(word.raw()),
        }
    }
}

impl From<EncodedOutcome<'_>> for Outcome {
    fn from(outcome: EncodedOutcome<'_>) -> Self {
        match outcome {
            EncodedOutcome::Bad => Self::Bad,
            EncodedOutcome::Decent => Self::Decent,
            EncodedOutcome::Good => Self::Good,
            EncodedOutcome::Missing => Self::Missing,
            EncodedOutcome::Other(word) => Self::Other(Box::new(Text::from_outside(word))),
        }
    }
}

fn encode_time(time: Option<Timestamp>) -> Option<EncodedTime> {
    time.map(|time| EncodedTime(time.as_second(), time.subsec_nanosecond()))
}

/// Fails if the time is out of range.
fn decode_time(time: Option<&EncodedTime>) -> Result<Option<Timestamp>, jiff::Error> {
    time.map(|EncodedTime(second, nanosecond)| Timestamp::new(*second, *nanosecond)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::tests::row;
    use proptest::prelude::*;
    use strum::IntoEnumIterator as _;

    fn any_row() -> impl Strategy<Value = Report> {
        let texts = (".{0,8}", ".{0,20}", "[ab]{0,2}", "bad|good|decent||odd|b\u{1b}d");
        let numbers = (proptest::option::of(0_u8..=100), proptest::option::of(any::<i32>()), 0_i64..4, 0_u8..3);
        let failed = proptest::option::of(proptest::collection::vec("[a-c]{1,3}", 0..4));
        let checks = (failed, 0_usize..9);
        (texts, numbers, checks).prop_map(
            |((id, url, project, outcome), (score, time, privacy, password), (failed, failure))| Report {
                id: ReportId::new(&id),
                url: Text::from_outside(url),
                project: Arc::new(Text::from_outside(project)),
                outcome: Outcome::from_name(&outcome),
                score,
                fetch_failure: FetchFailure::iter().nth(failure),
                generated_at: time.map(|time| Timestamp::new(i64::from(time), time % 1_000).unwrap()),
                privacy: Privacy::from_code(privacy),
                has_password: [None, Some(false), Some(true)][usize::from(password)],
                failed: failed.map(|ids| ids.into_iter().map(CheckId::from).collect()).unwrap_or_default(),
                details: None,
            },
        )
    }

    proptest! {
        #[test]
        fn rows_and_snapshots_survive_encoding(rows in proptest::collection::vec(any_row(), 0..12)) {
            let read = decode_rows(&encode_rows(rows.iter())).unwrap();
            let read: Vec<Report> = read.into_iter().collect();
            prop_assert_eq!(&read, &rows);
            let scope = ListScope { project: Some("a".to_owned()), ..ListScope::default() };
            let taken = Snapshot::take(rows.iter(), scope.clone(), true, Timestamp::UNIX_EPOCH);
            let read = decode_snapshot(&encode_snapshot(&taken), scope, true, Timestamp::UNIX_EPOCH);
            prop_assert_eq!(read, Some(taken));
        }

        #[test]
        fn truncated_or_changed_bytes_never_panic(rows in proptest::collection::vec(any_row(), 1..4), cut: usize, change: (usize, u8)) {
            let taken = Snapshot::take(rows.iter(), ListScope::default(), true, Timestamp::UNIX_EPOCH);
            for mut bytes in [encode_rows(rows.iter()), encode_snapshot(&taken)] {
                let short = &bytes[..cut % bytes.len()];
                prop_assert!(decode_rows(short).is_none());
                prop_assert!(decode_snapshot(short, ListScope::default(), true, Timestamp::UNIX_EPOCH).is_none());
                let _ = decode_scores(short, &HashMap::new(), Timestamp::UNIX_EPOCH, &mut HashMap::new());
                let at = change.0 % bytes.len();
                bytes[at] = change.1;
                let _ = (decode_rows(&bytes), decode_snapshot(&bytes, ListScope::default(), true, Timestamp::UNIX_EPOCH));
            }
        }
    }

    #[test]
    fn a_blob_of_another_version_decodes_to_nothing() {
        let rows = encode_rows([].into_iter());
        assert_eq!(decode_rows(&rows), Some(Rows::new()));
        let other = [&[ROWS_VERSION + 1], &rows[1..]].concat();
        assert_eq!((decode_rows(&other), decode_rows(&[])), (None, None));
    }

    #[test]
    fn a_score_above_100_is_dropped() {
        let odd = Report { score: Some(101), ..row("1", "https://shop.example", Outcome::Bad) };
        let rows = decode_rows(&encode_rows(std::iter::once(&odd))).unwrap();
        assert_eq!(rows.iter().map(|row| row.score).collect::<Vec<_>>(), [None]);
    }

    #[test]
    fn rows_with_the_same_failed_checks_share_them() {
        let rows =
            ["1", "2"].map(|id| Report { failed: ["title"].into(), ..row(id, "https://shop.example", Outcome::Bad) });
        let decoded: Vec<Report> = decode_rows(&encode_rows(rows.iter())).unwrap().into_iter().collect();
        assert_eq!(decoded[0].failed.as_ptr(), decoded[1].failed.as_ptr());
    }
}
