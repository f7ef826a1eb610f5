//! Opening the database, its permissions, and writes that fail or are interrupted.

use super::database::connection::{self, SqliteStore};
use super::database::error::database_path;
use super::tests::{Operation, check, done, ids, new, on, opened, perform};
use super::transaction::SqliteTransaction;
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::key_rows::NewKey;
use crate::service::store::rows::NewReportRow;
use crate::service::store::tables::{keys, reports};

#[test]
fn errors_of_opening_contain_advice() {
    let directory = tempfile::tempdir().unwrap();
    let newer = connection::open(directory.path()).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    let error = connection::open(directory.path()).unwrap_err();
    assert!(matches!(error, OpenError::Newer { found: 99, .. }) && error.to_string().contains("Update reportdeck"));

    let damaged = tempfile::tempdir().unwrap();
    std::fs::write(database_path(damaged.path()), "this is not a database, only a text that is long").unwrap();
    let error = connection::open(damaged.path()).unwrap_err().to_string();
    assert!(error.contains("not a database") && !error.contains('\n'), "{error}");

    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = connection::open(&file).unwrap_err().to_string();
    assert!(error.starts_with("cannot use the data directory") && error.contains("--data"), "{error}");

    let unusable = tempfile::tempdir().unwrap();
    std::fs::create_dir(database_path(unusable.path())).unwrap();
    let error = connection::open(unusable.path()).unwrap_err().to_string();
    assert!(error.starts_with("cannot use the data directory") && error.contains("reports.sqlite3: "), "{error}");
}

#[cfg(unix)]
#[test]
fn only_its_owner_reads_the_database() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("new");
    let connection = connection::open(&data).unwrap();
    connection.execute("DELETE FROM keys", []).unwrap();
    for entry in std::fs::read_dir(&data).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", entry.path().display());
    }
    assert_eq!(std::fs::metadata(&data).unwrap().permissions().mode() & 0o777, 0o700);
}

#[tokio::test]
async fn a_panic_leaves_the_store_usable_and_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    for _ in 0..5 {
        let written = store.write(async |transaction| -> Result<(), StoreError> {
            reports::insert(transaction, &new(1, 1)).await?;
            panic!("as the test wants it")
        });
        assert!(matches!(written.await, Err(StoreError::BrokenOff)));
        let read = store.read(async |_| -> Result<(), StoreError> { panic!("as the test wants it") });
        assert!(matches!(read.await, Err(StoreError::BrokenOff)));
    }
    assert!(store.read(async |transaction| Ok(ids(transaction.connection))).await.unwrap().is_empty());
    store.write(async |transaction| reports::insert(transaction, &new(1, 1)).await).await.unwrap();
    assert_eq!(store.read(async |transaction| Ok(ids(transaction.connection))).await.unwrap(), [1]);
}

#[tokio::test]
async fn the_database_uses_wal_and_full_synchronous() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let pragmas = store.write(async |transaction| {
        let connection = transaction.connection;
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        Ok((mode, synchronous))
    });
    assert_eq!(pragmas.await.unwrap(), ("wal".to_owned(), 2));
}

#[tokio::test]
async fn a_write_on_a_full_disk_changes_nothing_and_a_later_one_succeeds() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let limit = |pages: i64| {
        store.write(async move |transaction| {
            transaction.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
            Ok(())
        })
    };
    limit(1).await.unwrap(); // the current size is the minimum
    let large = NewReportRow { url: format!("https://shop.example/{}", "tea".repeat(100_000)), ..new(1, 1) };
    let row = large.clone();
    let error = store.write(async move |transaction| reports::insert(transaction, &row).await).await.unwrap_err();
    assert!(matches!(error, StoreError::Full(_)), "{error}");
    assert!(store.read(async |transaction| Ok(ids(transaction.connection))).await.unwrap().is_empty());
    limit(1_000_000).await.unwrap();
    store.write(async move |transaction| reports::insert(transaction, &large).await).await.unwrap();
    let mut connection = connection::open(directory.path()).unwrap();
    perform(&mut connection, &Operation::Delete { which: 0 });
    check(&connection);
}

#[tokio::test]
async fn a_write_that_times_out_is_never_performed() {
    use std::time::Duration;
    let directory = tempfile::tempdir().unwrap();
    let (store, other) = (SqliteStore::open(directory.path()).unwrap(), connection::open(directory.path()).unwrap());
    let insert = |name: u8| {
        let work = async move |transaction: &SqliteTransaction<'_>| {
            keys::insert(transaction, &NewKey::admin(name.to_string()), &[name; 32]).await
        };
        store.write_within(Duration::from_millis(20), work)
    };
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // One waits for the other process, the rest for that one; all of them time out.
    let waited = tokio::join!(insert(1), insert(2), insert(3));
    for waited in [waited.0, waited.1, waited.2] {
        assert!(matches!(waited, Err(StoreError::Busy)), "{waited:?}");
    }
    other.execute_batch("COMMIT").unwrap();
    insert(4).await.unwrap();
    assert_eq!(done(keys::list(&on(&other))).len(), 1, "only what was answered is there");
}

#[tokio::test]
async fn a_dropped_write_is_rolled_back() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (go_on, may_go_on) = std::sync::mpsc::channel();
    let write = store.write(async move |transaction| {
        keys::insert(transaction, &NewKey::admin("withdrawn"), &[1; 32]).await?;
        begun.send(()).unwrap();
        may_go_on.recv().unwrap();
        Ok(())
    });
    tokio::select! {
        _ = write => unreachable!("it waits"),
        begun = has_begun => begun.unwrap(),
    }
    // The write was dropped by the `select!`.
    go_on.send(()).unwrap();
    store.write(async |transaction| keys::insert(transaction, &NewKey::admin("kept"), &[2; 32]).await).await.unwrap();
    let names = store.read(async |transaction| keys::list(transaction).await).await.unwrap();
    assert_eq!(names.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(), ["kept"]);
}

#[test]
fn the_write_ahead_log_of_a_large_write_is_truncated_by_the_next_one() {
    let (connection, directory) = opened();
    let log = directory.path().join("reports.sqlite3-wal");
    let length = || std::fs::metadata(&log).unwrap().len();
    let insert = |name: &str, bytes: i64| {
        let sql = "INSERT INTO secrets (name, value) VALUES (?1, randomblob(?2))";
        connection.execute(sql, (name, bytes)).unwrap();
    };
    let longest = connection::LONGEST_LOG.unsigned_abs();
    insert("large", 2 * connection::LONGEST_LOG);
    assert!(length() > longest);
    insert("small", 1);
    assert!(length() <= longest, "{}", length());
}
