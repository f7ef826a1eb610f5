//! Schema migrations.

use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, TransactionBehavior};

use crate::domain::text::search_text::search_text;

/// One file per released schema; `user_version` is the number of applied files.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../../../assets/migrations/sqlite/0001_reports_and_projects.sql"),
    include_str!("../../../../../assets/migrations/sqlite/0002_history_and_secrets.sql"),
    include_str!("../../../../../assets/migrations/sqlite/0003_moves.sql"),
    include_str!("../../../../../assets/migrations/sqlite/0004_search_texts.sql"),
    include_str!("../../../../../assets/migrations/sqlite/0005_drop_moves.sql"),
    include_str!("../../../../../assets/migrations/sqlite/0006_fetch_errors.sql"),
    include_str!("../../../../../assets/migrations/sqlite/0007_key_roles.sql"),
    include_str!("../../../../../assets/migrations/sqlite/0008_audit_queue.sql"),
    include_str!("../../../../../assets/migrations/sqlite/0009_desk.sql"),
];

/// Returns the newest version this program knows.
pub fn newest() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Why a database is left untouched.
#[derive(Debug, PartialEq, Eq)]
pub enum SchemaMismatch {
    /// Written by a newer version of the program; its schema version.
    Newer(i64),
    /// Written by another program.
    Foreign,
}

/// Checks whether this program knows the schema, without changing it.
pub fn known(connection: &Connection) -> rusqlite::Result<Result<(), SchemaMismatch>> {
    // Reading the schema fails on a file that is truncated or not a database.
    let tables = "SELECT count(*), total(name IN ('projects', 'reports', 'results', 'keys')) FROM sqlite_schema \
                  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let (all, ours): (i64, f64) = connection.query_one(tables, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let found = version(connection)?;
    let is_new = found == 0 && all == 0;
    Ok(if application != 0 || !(is_new || (found != 0 && ours >= 4.0)) {
        Err(SchemaMismatch::Foreign)
    } else if (0..=newest()).contains(&found) {
        Ok(())
    } else {
        Err(SchemaMismatch::Newer(found))
    })
}

/// Migrates to the newest version. The inner error is the found version, if newer than this program knows.
///
/// The version is read inside the write transaction, so that the second of two processes starting together has nothing
/// to do.
pub fn migrate(connection: &mut Connection) -> rusqlite::Result<Result<(), i64>> {
    if version(connection)? == newest() {
        return Ok(Ok(()));
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?;
    let Some(missing) = usize::try_from(found).ok().and_then(|found| MIGRATIONS.get(found..)) else {
        return Ok(Err(found));
    };
    add_functions(&transaction)?;
    for migration in missing {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", newest())?;
    transaction.commit()?;
    Ok(Ok(()))
}

/// Registers the SQL functions that migrations call.
fn add_functions(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("search_text", 1, flags, |context| Ok(search_text(context.get_raw(0).as_str()?)))
}

/// Returns the number of applied migrations.
pub fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    use super::super::connection::SqliteStore;
    use super::super::error::database_path;
    use crate::domain::desk::Role;
    use crate::service::store::error::StoreError;
    use crate::service::store::key_rows::NewKey;
    use crate::service::store::sqlite::transaction::{SqliteTransaction, complete};
    use crate::service::store::tables::keys;

    #[test]
    fn an_empty_database_is_migrated_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert_eq!(migrate(&mut connection).unwrap(), Ok(()));
        assert_eq!(version(&connection).unwrap(), newest());
        assert_eq!(migrate(&mut connection).unwrap(), Ok(()));
    }

    #[test]
    fn every_released_schema_is_migrated_with_its_data() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(MIGRATIONS[0]).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        connection
            .execute_batch(
                r#"INSERT INTO projects (name, created_at) VALUES ('shop.example', 1);
                   INSERT INTO reports (project_id, url, result, score, generated_at, created_at, updated_at, privacy, failed)
                   VALUES (1, 'https://shop.example/stra%C3%9Fe', 0, 31, 1, 1, 1, 0, 'title');
                   INSERT INTO history (report_id, result, score, generated_at, checks)
                   VALUES (1, 0, 20, 0, '{"title": {"passed": false}, "csp": {"passed": false}, "hsts": {"passed": true}}'),
                          (1, 0, 0, 0, '{}');
                   INSERT INTO reports (project_id, url, result, score, generated_at, created_at, updated_at, privacy, failed)
                   SELECT 1, 'https://shop.example/' || value, 0, 0, 1, 1, 1, 0, 'title' || char(10) || 'http_status'
                   FROM json_each('[2, 3, 4, 5, 6, 7, 8, 9, 10, 11]');
                   INSERT INTO results (report_id, checks) VALUES
                   (1, '{"http_status": {"passed": true, "value": 200}}'),
                   (2, '{"http_status": {"passed": false, "value": {"trouble": "name"}}}'),
                   (3, '{"http_status": {"passed": false, "value": {"trouble": "tls"}}}'),
                   (4, '{"http_status": {"passed": false, "value": {"trouble": "connect"}}}'),
                   (5, '{"http_status": {"passed": false, "value": {"trouble": "too_slow"}}}'),
                   (6, '{"http_status": {"passed": false, "value": {"trouble": "circle"}}}'),
                   (7, '{"http_status": {"passed": false, "value": 404}}'),
                   (8, '{"http_status": {"passed": false, "value": 599}}'),
                   (9, '{"http_status": {"passed": false, "value": 204}}'),
                   (10, 'not JSON');
                   INSERT INTO keys (name, digest, created_at) VALUES ('script', zeroblob(32), 1);"#,
            )
            .unwrap();
        assert_eq!(migrate(&mut connection).unwrap(), Ok(()));
        let failed = "SELECT group_concat(failed, '; ') FROM (SELECT failed FROM history ORDER BY id)";
        let failed: String = connection.query_one(failed, [], |row| row.get(0)).unwrap();
        assert_eq!(failed, "title\ncsp; ");
        let classes =
            "SELECT group_concat(coalesce(fetch_error, '-'), ' ') FROM (SELECT fetch_error FROM reports ORDER BY id)";
        let classes: String = connection.query_one(classes, [], |row| row.get(0)).unwrap();
        assert_eq!(classes, "- dns tls refused timeout other 4xx 5xx - - -", "as the stored checks tell");
        let transaction = SqliteTransaction::on(&connection, Path::new(""));
        let [key] = &complete(keys::list(&transaction)).unwrap()[..] else { panic!("one key") };
        assert_eq!((&*key.name, key.role, key.expires_at), ("script", Role::Admin, None));
        let found = "SELECT count(*) FROM report_search WHERE report_search MATCH '\"straße\"'";
        assert_eq!(connection.query_one(found, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
        assert_eq!(version(&connection).unwrap(), newest());
    }

    #[tokio::test]
    async fn an_open_database_that_a_newer_version_has_migrated_is_not_changed() {
        let data = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(data.path()).unwrap();
        let insert = || store.write(async |transaction| keys::insert(transaction, &NewKey::admin("a"), &[1; 32]).await);
        let newer = Connection::open(database_path(data.path())).unwrap();
        newer.pragma_update(None, "user_version", newest() + 1).unwrap();
        let failed = insert().await;
        assert!(matches!(failed, Err(StoreError::Migrated { found, .. }) if found == newest() + 1), "{failed:?}");
        newer.pragma_update(None, "user_version", newest()).unwrap();
        insert().await.unwrap();
        let names = store.read(async |transaction| keys::list(transaction).await).await.unwrap();
        assert_eq!(names.len(), 1);
    }

    #[test]
    fn a_newer_database_is_not_changed() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", newest() + 1).unwrap();
        assert_eq!(migrate(&mut connection).unwrap(), Err(newest() + 1));
        let tables: i64 = connection.query_one("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        assert_eq!(tables, 0);
    }
}
