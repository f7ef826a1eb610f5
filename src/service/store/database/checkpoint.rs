//! Puts the log away when nobody writes any more, so that whoever ends the service does not wait for it.
//!
//! What is written stands on the disk, but in the log; closing the database would bring it into its file, and wait for
//! the disk twice more. While writes go on SQLite does that by itself, whenever the log has grown to 1,000 pages. At
//! rest nothing runs here, not even a timer. Must not know what is written.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::service::store::Store;

/// How long nothing is written before the log is put away.
const IDLE: Duration = Duration::from_secs(2);

/// Waits for writes, and behind the last one of a series puts the log away, until it is told to stop.
pub async fn put_log_away(store: Store, stop: CancellationToken) {
    while stop.run_until_cancelled(last_of_a_series(&store)).await.is_some() {
        // Not stopped half-way: the end of the service waits for it, as it would for the same work of the closing.
        if let Err(error) = store.put_log_away().await {
            // Nothing is lost: it is tried again behind the next write, and when the database is closed.
            tracing::debug!(%error, "the log stays");
        }
    }
}

/// Waits for a write that is the last one for a while.
async fn last_of_a_series(store: &Store) {
    store.written().await;
    while tokio::time::timeout(IDLE, store.written()).await.is_ok() {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::database::connection;
    use crate::service::store::database_path;
    use crate::service::store::tables::keys;
    use rusqlite::Connection;
    use std::path::Path;
    use tempfile::TempDir;

    fn opened() -> (Store, TempDir) {
        let directory = tempfile::tempdir().unwrap();
        (Store::open(directory.path()).unwrap(), directory)
    }

    async fn write(store: &Store, number: u8) {
        let inserted = store.write(move |transaction| keys::insert(transaction, &number.to_string(), &[number; 32]));
        assert!(inserted.await.unwrap());
    }

    fn count(connection: &Connection) -> usize {
        keys::list(connection).unwrap().len()
    }

    /// How many keys stand in the database's file, whatever is in its log.
    fn in_the_file(data: &Path) -> usize {
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(database_path(data), database_path(copy.path())).unwrap();
        count(&connection::open(copy.path()).unwrap())
    }

    /// How many pages of the log are not in the file yet.
    fn left_in_the_log(data: &Path) -> i64 {
        let connection = connection::reader(&database_path(data)).unwrap();
        let pages = |row: &rusqlite::Row<'_>| Ok(row.get::<_, i64>(1)? - row.get::<_, i64>(2)?);
        connection.query_row("PRAGMA wal_checkpoint(NOOP)", [], pages).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn the_log_is_put_away_when_writing_has_stopped_and_not_before() {
        let (store, directory) = opened();
        let stop = CancellationToken::new();
        let idle = tokio::spawn(put_log_away(store.clone(), stop.clone()));
        // What making the tables has left.
        tokio::time::sleep(2 * IDLE).await;
        let mut before = in_the_file(directory.path());
        assert_eq!(before, 0);
        for series in [0, 100] {
            for number in 1..=5 {
                write(&store, series + number).await;
                tokio::time::sleep(IDLE * 9 / 10).await;
                assert_eq!(in_the_file(directory.path()), before, "each write postpones it");
            }
            tokio::time::sleep(IDLE / 5).await;
            before += 5;
            assert_eq!(in_the_file(directory.path()), before);
        }
        // Another process writes: that is none of ours, and nobody looks from time to time.
        let other = connection::open(directory.path()).unwrap();
        assert!(keys::insert(&other, "other", &[99; 32]).unwrap());
        tokio::time::sleep(1_000 * IDLE).await;
        assert_eq!((in_the_file(directory.path()), count(&other)), (before, before + 1));
        stop.cancel();
        idle.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_killed_process_left_is_put_away_too() {
        let (left, killed) = opened();
        write(&left, 1).await;
        let directory = tempfile::tempdir().unwrap();
        for file in ["reports.sqlite3", "reports.sqlite3-wal"] {
            std::fs::copy(killed.path().join(file), directory.path().join(file)).unwrap();
        }
        let store = Store::open(directory.path()).unwrap();
        let idle = tokio::spawn(put_log_away(store, CancellationToken::new()));
        tokio::time::sleep(2 * IDLE).await;
        assert_eq!(in_the_file(directory.path()), 1);
        idle.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_stops_does_not_wait_for_the_pause_and_finds_the_database_closed() {
        let (store, directory) = opened();
        write(&store, 1).await;
        let stop = CancellationToken::new();
        let idle = tokio::spawn(put_log_away(store, stop.clone()));
        tokio::task::yield_now().await;
        let before = tokio::time::Instant::now();
        stop.cancel();
        idle.await.unwrap();
        assert_eq!(before, tokio::time::Instant::now());
        let mut left: Vec<_> =
            std::fs::read_dir(directory.path()).unwrap().flatten().map(|it| it.file_name()).collect();
        left.sort();
        assert_eq!(left, ["opening.lock", "reports.sqlite3", "reserve"]);
    }

    #[tokio::test]
    async fn whoever_reads_keeps_the_view_and_nobody_waits() {
        let (store, directory) = opened();
        write(&store, 1).await;
        let reader = connection::reader(&database_path(directory.path())).unwrap();
        let view = reader.unchecked_transaction().unwrap();
        assert_eq!(count(&view), 1);
        write(&store, 2).await;
        store.put_log_away().await.unwrap();
        assert_eq!(count(&view), 1, "the view stays as it was");
        assert!(left_in_the_log(directory.path()) > 0, "what would change it stays in the log");
        assert_eq!(store.read(|connection| Ok(count(connection))).await.unwrap(), 2, "others see everything");
        write(&store, 3).await;
        drop(view);
        assert_eq!(count(&reader), 3);
        store.put_log_away().await.unwrap();
        assert_eq!((left_in_the_log(directory.path()), in_the_file(directory.path())), (0, 3));
    }

    #[tokio::test]
    async fn a_long_series_of_writes_does_not_grow_the_log_without_end() {
        let (store, directory) = opened();
        let pages = |number: i64| {
            store.write(move |transaction| {
                transaction.execute("CREATE TABLE IF NOT EXISTS much (number INTEGER, content BLOB)", [])?;
                transaction.execute("INSERT INTO much VALUES (?1, zeroblob(1048576))", [number])
            })
        };
        for number in 0..20 {
            pages(number).await.unwrap();
        }
        let log = std::fs::metadata(directory.path().join("reports.sqlite3-wal")).unwrap().len();
        assert!(log < 8 << 20, "{log} bytes");
    }
}
