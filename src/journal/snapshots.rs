//! Snapshots of lists: compressed, thinned with age, and bounded in number and size.
//!
//! The two latest snapshots of each scope are always kept. Of the others, the first of every three hours is kept for a
//! day, of every day for two weeks, and of every week for half a year; never more than [`MOST_SNAPSHOTS`] or
//! [`MOST_BYTES`] per service, the oldest being deleted first. States and notes of reports that no list has contained
//! for a year are deleted too, as are events older than a year and the last rows of a service not opened for a year.
//! Ages are computed by [`clock_jump`].

use std::collections::{HashMap, HashSet};
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::clock_jump;
use super::codec::{decode_scores, decode_snapshot, encode_snapshot};
use super::database::{Journal, time};
use super::settings::{self, SEEN_AT};
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::domain::triage::changes::{ListScope, Snapshot};

/// The most snapshots per service.
pub const MOST_SNAPSHOTS: usize = 60;
/// The most bytes of snapshots per service. One of 100,000 reports takes about half a megabyte.
pub const MOST_BYTES: i64 = 32 << 20;
/// The most bytes of one decompressed snapshot, as protection against a manipulated file. 100,000 reports take about 4
/// MB.
const MAX_DECOMPRESSED_BYTES: u64 = 64 << 20;
/// The most events of all services, about 200 bytes each.
const MOST_EVENTS: i64 = 100_000;
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
const HALF_A_YEAR: i64 = 26 * WEEK;
const YEAR: i64 = 365 * DAY;

impl Journal {
    /// Stores a snapshot and performs maintenance, in one transaction: thins older snapshots, records which reports
    /// with a state or note were seen, and deletes what was not seen for a year. A snapshot equal to the last one of
    /// its scope is not stored again.
    pub fn store_snapshot(&self, service: &str, snapshot: &Snapshot) -> Result<(), Failure> {
        let compressed = compressed(snapshot);
        let (scope, now) = (scope_to_text(&snapshot.scope), snapshot.taken_at.as_millisecond());
        self.write("store a snapshot of the list", |transaction| {
            let effective_now = clock_jump::effective_time(transaction, now)?;
            let sql = "SELECT content = ?3 AND is_complete = ?4 FROM snapshots WHERE service = ?1 AND scope = ?2
                       ORDER BY taken_at DESC, id DESC LIMIT 1";
            let values = params![service, scope, compressed, snapshot.is_complete];
            let is_known: Option<bool> = transaction.query_row(sql, values, |row| row.get(0)).optional()?;
            if is_known != Some(true) {
                let sql = "INSERT INTO snapshots (service, scope, is_complete, taken_at, content) \
                           VALUES (?1, ?2, ?3, ?4, ?5)";
                transaction.execute(sql, params![service, scope, snapshot.is_complete, now, compressed])?;
                thin(transaction, service, effective_now)?;
            }
            mark_seen(transaction, service, snapshot, now)?;
            drop_unseen(transaction, effective_now)?;
            Ok(())
        })?;
        self.checkpoint_and_shrink();
        Ok(())
    }

    /// Returns the latest snapshot of a scope before a time; `None` if there is none, or it cannot be decoded.
    pub fn load_snapshot_before(
        &self,
        service: &str,
        scope: &ListScope,
        before: Timestamp,
    ) -> Result<Option<Snapshot>, Failure> {
        let sql = "SELECT taken_at, is_complete, content FROM snapshots
                   WHERE service = ?1 AND scope = ?2 AND taken_at < ?3 ORDER BY taken_at DESC, id DESC LIMIT 1";
        let values = params![service, scope_to_text(scope), before.as_millisecond()];
        let read = |row: &Row<'_>| {
            let bytes = decompressed(row.get_ref(2)?.as_blob()?);
            Ok(decode_snapshot(&bytes, scope.clone(), row.get(1)?, time(row.get(0)?)))
        };
        Ok(self.rows("read the last snapshot of the list", sql, values, read)?.pop().flatten())
    }

    /// Calls `each` with the latest snapshots of a scope, oldest first. Snapshots that cannot be decoded are skipped.
    pub fn load_latest_snapshots(
        &self,
        service: &str,
        scope: &ListScope,
        most: usize,
        mut each: impl FnMut(Snapshot),
    ) -> Result<(), Failure> {
        let sql = "SELECT taken_at, is_complete, content FROM snapshots WHERE id IN (
                       SELECT id FROM snapshots WHERE service = ?1 AND scope = ?2
                       ORDER BY taken_at DESC, id DESC LIMIT ?3)
                   ORDER BY taken_at, id";
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let values = params![service, scope_to_text(scope), most];
        let read = |row: &Row<'_>| {
            let bytes = decompressed(row.get_ref(2)?.as_blob()?);
            let snapshot = decode_snapshot(&bytes, scope.clone(), row.get(1)?, time(row.get(0)?));
            snapshot.into_iter().for_each(&mut each);
            Ok(())
        };
        self.rows("read the snapshots of the list", sql, values, read).map(drop)
    }

    /// Returns the scores of some reports in all snapshots of the service, one per audit, oldest first. Decodes one
    /// snapshot at a time, about 10 ms each at 100,000 reports, so it must not run on the event loop.
    pub fn load_scores(
        &self,
        service: &str,
        wanted: &HashSet<ReportId>,
    ) -> Result<HashMap<ReportId, Vec<(Timestamp, u8)>>, Failure> {
        let wanted: HashMap<&str, &ReportId> = wanted.iter().map(|id| (id.raw(), id)).collect();
        let sql = "SELECT taken_at, content FROM snapshots WHERE service = ?1 ORDER BY taken_at, id";
        let mut scores = HashMap::new();
        self.rows("read earlier scores", sql, [service], |row| {
            let bytes = decompressed(row.get_ref(1)?.as_blob()?);
            // A snapshot that cannot be decoded leaves a gap in the chart.
            let _ = decode_scores(&bytes, &wanted, time(row.get(0)?), &mut scores);
            Ok(())
        })?;
        Ok(scores)
    }
}

struct StoredSnapshot {
    id: i64,
    scope: String,
    taken_at: i64,
    bytes: i64,
}

fn thin(connection: &Connection, service: &str, now: i64) -> rusqlite::Result<()> {
    let sql = "SELECT id, scope, taken_at, length(content) FROM snapshots WHERE service = ?1
               ORDER BY taken_at DESC, id DESC";
    let mut statement = connection.prepare_cached(sql)?;
    let kept = statement.query_map([service], |row| {
        Ok(StoredSnapshot { id: row.get(0)?, scope: row.get(1)?, taken_at: row.get(2)?, bytes: row.get(3)? })
    })?;
    let kept = kept.collect::<Result<Vec<_>, _>>()?;
    let seen_at = settings::read(connection, service, SEEN_AT)?.and_then(|at| at.parse().ok());
    for id in to_delete(&kept, now, seen_at) {
        connection.prepare_cached("DELETE FROM snapshots WHERE id = ?1")?.execute([id])?;
    }
    Ok(())
}

/// Returns the ids of the snapshots to delete. `kept` is sorted latest first. The last one up to `seen_at` is kept, as
/// is the first of each span, so that thinning twice changes nothing.
fn to_delete(kept: &[StoredSnapshot], now: i64, seen_at: Option<i64>) -> Vec<i64> {
    let mut firsts: HashMap<(&str, i64, i64), i64> = HashMap::new();
    let span = |snapshot: &StoredSnapshot| match now.saturating_sub(snapshot.taken_at) {
        age if age < DAY => 3 * HOUR,
        age if age < 2 * WEEK => DAY,
        _ => WEEK,
    };
    for snapshot in kept {
        // The latest come first, so the first of a span is inserted last.
        firsts.insert((&snapshot.scope, span(snapshot), snapshot.taken_at / span(snapshot)), snapshot.id);
    }
    let firsts: HashSet<i64> = firsts.into_values().collect();
    // The last seen list of all reports is the base of comparison until more is marked as seen.
    let all = scope_to_text(&ListScope::default());
    let is_seen = |snapshot: &&StoredSnapshot| snapshot.scope == all && Some(snapshot.taken_at) <= seen_at;
    let seen = kept.iter().find(is_seen);
    let mut latest: HashMap<&str, usize> = HashMap::new();
    let (mut count, mut bytes) = seen.map_or((0, 0), |seen| (1, seen.bytes));
    let mut to_delete = Vec::new();
    for snapshot in kept {
        let newer = latest.entry(&snapshot.scope).or_default();
        let is_wanted =
            *newer < 2 || (firsts.contains(&snapshot.id) && now.saturating_sub(snapshot.taken_at) < HALF_A_YEAR);
        *newer += 1;
        if seen.is_some_and(|seen| seen.id == snapshot.id) {
            continue;
        }
        // The latest one is kept whatever its size; without it there would be nothing to compare with.
        let fits = snapshot.id == kept[0].id || (count < MOST_SNAPSHOTS && bytes + snapshot.bytes <= MOST_BYTES);
        if is_wanted && fits {
            count += 1;
            bytes += snapshot.bytes;
        } else {
            to_delete.push(snapshot.id);
        }
    }
    to_delete
}

/// Updates `seen_at` of the reports with a state or a note in this list, at most once a day.
fn mark_seen(connection: &Connection, service: &str, snapshot: &Snapshot, now: i64) -> rusqlite::Result<()> {
    let mut in_list = None;
    for table in ["triages", "notes"] {
        let sql = format!("SELECT report FROM {table} WHERE service = ?1 AND seen_at < ?2");
        let mut statement = connection.prepare_cached(&sql)?;
        let stale = statement.query_map(params![service, now - DAY], |row| row.get(0))?;
        let stale = stale.collect::<Result<Vec<String>, _>>()?;
        if stale.is_empty() {
            continue;
        }
        let in_list: &HashSet<&str> =
            in_list.get_or_insert_with(|| snapshot.entries.iter().map(|entry| entry.id.raw()).collect());
        let sql = format!("UPDATE {table} SET seen_at = ?3 WHERE service = ?1 AND report = ?2");
        let mut statement = connection.prepare_cached(&sql)?;
        for id in stale.iter().filter(|id| in_list.contains(id.as_str())) {
            statement.execute(params![service, id, now])?;
        }
    }
    Ok(())
}

fn drop_unseen(connection: &Connection, now: i64) -> rusqlite::Result<()> {
    for table in ["triages", "notes"] {
        connection.execute(&format!("DELETE FROM {table} WHERE seen_at < ?1"), [now - YEAR])?;
    }
    connection.execute("DELETE FROM events WHERE at < ?1", [now - YEAR])?;
    connection.execute("DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ?1", [MOST_EVENTS])?;
    connection.execute("DELETE FROM snapshots WHERE taken_at < ?1", [now - YEAR])?;
    connection.execute("DELETE FROM last_rows WHERE taken_at < ?1", [now - YEAR])?;
    Ok(())
}

fn compressed(snapshot: &Snapshot) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    // Writing to memory cannot fail; a truncated blob would decode to `None`.
    let _ = encoder.write_all(&encode_snapshot(snapshot));
    encoder.finish().unwrap_or_default()
}

/// Decompresses a blob; empty, which decodes to nothing, if it is damaged or exceeds [`MAX_DECOMPRESSED_BYTES`].
fn decompressed(blob: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(blob).take(MAX_DECOMPRESSED_BYTES + 1).read_to_end(&mut bytes);
    match read {
        Ok(length) if length as u64 <= MAX_DECOMPRESSED_BYTES => bytes,
        Ok(_) | Err(_) => Vec::new(),
    }
}

pub(super) fn scope_to_text(scope: &ListScope) -> String {
    // A scope can always be written as JSON.
    serde_json::to_string(scope).unwrap_or_default()
}

pub(super) fn scope_from_text(text: &str) -> Option<ListScope> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_latest_of_a_list_are_kept_at_any_age_and_the_latest_at_any_size() {
        let now = 3 * YEAR;
        let of_days_ago = |(id, days): (i64, i64), bytes| {
            let scope = scope_to_text(&ListScope { project: Some("shop.example".to_owned()), ..ListScope::default() });
            StoredSnapshot { id, scope, taken_at: now - days * DAY, bytes }
        };
        let old = [(4, 0), (3, 300), (2, 301), (1, 302)].map(|snapshot| of_days_ago(snapshot, 1));
        assert_eq!(to_delete(&old, now, None), [2, 1]);
        let large = [(2, 0), (1, 1)].map(|snapshot| of_days_ago(snapshot, MOST_BYTES + 1));
        assert_eq!(to_delete(&large, now, None), [1]);
    }
}
