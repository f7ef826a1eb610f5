//! Copies the desk's tables to and from another store.

use tokio_postgres::types::Type;
use tokio_postgres::{Error, Row};

use super::{reads, writes};
use crate::service::store::desk::records::{DeskRecord, DeskTableRow};
use crate::service::store::postgres::transactions::PgConnection;

type ReadRow = fn(&Row) -> Result<DeskTableRow, Error>;

/// The tables, each after those it refers to. Merged services refer to others, so they come last.
pub const TABLES: [(&str, ReadRow); 6] = [
    ("SELECT revision, service_id, pruned FROM desk", |row| {
        let (revision, service_id, pruned) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        Ok(DeskTableRow::Desk(DeskRecord { revision, service_id, pruned }))
    }),
    ("SELECT handle, name, left_at FROM people ORDER BY handle", |row| reads::person(row).map(DeskTableRow::Person)),
    (
        "SELECT id, base, service_id, label, merged_into FROM desk_services ORDER BY merged_into IS NOT NULL, id",
        |row| reads::service(row).map(DeskTableRow::Service),
    ),
    ("SELECT service, report, version, content FROM desk_states ORDER BY service, report", |row| {
        reads::state(row).map(DeskTableRow::State)
    }),
    ("SELECT id, service, report, withdrawn, content FROM desk_notes ORDER BY id", |row| {
        reads::note(row).map(DeskTableRow::Note)
    }),
    ("SELECT revision, change, service, report, cause, at, content FROM desk_events ORDER BY revision", |row| {
        reads::event(row).map(DeskTableRow::Event)
    }),
];

/// Inserts a row of another store.
pub async fn insert(connection: &PgConnection, row: &DeskTableRow) -> Result<(), Error> {
    match row {
        DeskTableRow::Desk(DeskRecord { revision, service_id, pruned }) => {
            let sql = "UPDATE desk SET revision = $1, service_id = $2, pruned = $3";
            let values: reads::Parameters<'_> =
                &[(revision, Type::INT8), (service_id, Type::TEXT), (pruned, Type::INT8)];
            connection.execute_typed(sql, values).await.map(drop)
        }
        DeskTableRow::Person(record) => writes::put_person(connection, record).await,
        DeskTableRow::Service(record) => writes::put_service(connection, record).await,
        DeskTableRow::State(record) => writes::put_state(connection, record).await,
        DeskTableRow::Note(record) => writes::put_note(connection, record).await,
        DeskTableRow::Event(record) => writes::put_event(connection, record).await,
    }
}
