//! Whether anything was committed to the database since somebody looked, by this process or any other.
//!
//! Must not know what was written, nor what hangs on it.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::database::connection::reader;
use super::{OpenError, database_path};

/// A connection that only looks. It never waits for anybody, so that those that serve requests may ask it.
pub struct Watch(Connection);

impl Watch {
    /// Opens another connection to the database of a data directory, which must be there. Blocks.
    pub fn open(data: &Path) -> Result<Self, OpenError> {
        let path = database_path(data);
        let opened = reader(&path).and_then(|connection| {
            connection.busy_timeout(Duration::ZERO)?;
            Ok(connection)
        });
        opened.map(Self).map_err(|error| OpenError::of_database(path, error))
    }

    /// A number that is the same as long as nothing is committed; `None` when that cannot be said without waiting.
    ///
    /// A commit is counted before it is answered: SQLite writes it into memory that all processes share, and every look
    /// begins by comparing that with what this connection saw last. Only numbers of one watch can be compared.
    pub fn version(&self) -> Option<i64> {
        let mut statement = self.0.prepare_cached("PRAGMA data_version").ok()?;
        statement.query_one([], |row| row.get(0)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::database::connection;
    use crate::service::store::tables::keys;

    #[test]
    fn every_commit_of_another_connection_is_seen_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let mut writer = connection::open(directory.path()).unwrap();
        let watch = Watch::open(directory.path()).unwrap();
        let mut seen = watch.version().unwrap();
        for number in 0..50_u8 {
            assert_eq!(watch.version(), Some(seen), "nothing was written");
            let transaction = writer.transaction().unwrap();
            assert!(keys::insert(&transaction, &number.to_string(), &[number; 32]).unwrap());
            assert_eq!(watch.version(), Some(seen), "nothing is committed yet");
            transaction.commit().unwrap();
            let now = watch.version().unwrap();
            assert!(now > seen, "{now} {seen}");
            seen = now;
            // The log goes into the file and begins anew: that is no change.
            writer.query_one("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)).unwrap();
            seen = watch.version().unwrap().max(seen);
        }
        assert!(keys::revoke(&writer, "1").unwrap());
        assert!(watch.version() > Some(seen), "a change in place");
    }
}
