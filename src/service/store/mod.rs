//! The store of the service: reports, projects, earlier results, the desk, API keys and signing secrets.
//!
//! Handlers call its named functions and see plain values. Each function is one transaction: a read sees one snapshot,
//! a write happens wholly or not at all and is durable when the function returns.

/// Runs a block in a transaction of the store's engine, of this kind; after a slash the kind for PostgreSQL, where
/// writes need not take turns and have time limits.
macro_rules! in_transaction {
    ($store:ident.$kind:ident, |$transaction:ident| $block:expr) => {
        in_transaction!($store.$kind / $kind, |$transaction| $block)
    };
    ($store:ident.$sqlite:ident / $postgres:ident, |$transaction:ident| $block:expr) => {
        match $store {
            $crate::service::store::Store::Sqlite(store) => {
                let work = async move |$transaction: &$crate::service::store::sqlite::SqliteTransaction<'_>| $block;
                store.$sqlite(work).await
            }
            #[cfg(feature = "postgres")]
            $crate::service::store::Store::Postgres(store) => {
                let work = move |transaction| async move {
                    let $transaction: &$crate::service::store::postgres::PgTransaction = &transaction;
                    $block
                };
                store.0.$postgres(work).await
            }
        }
    };
}

pub mod address;
pub mod backup;
pub mod desk;
pub mod error;
pub mod import;
pub mod key_rows;
pub mod order;
pub mod page;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod probe;
pub mod rows;
pub mod seed;
mod sql;
pub mod sqlite;
mod tables;
pub mod transfer;
pub mod values;

use std::path::Path;

use crate::domain::desk::ChangeId;
use crate::domain::list::query::{ProjectQuery, ReportQuery};
use address::StoreAddress;
use error::{OpenError, StoreError};
use key_rows::{KeyDigest, KeyEnd, KeyRow, RequestKey, SigningSecret};
use page::{ListPage, PageWindow};
#[cfg(feature = "postgres")]
use postgres::PostgresStore;
use probe::DatabaseProbe;
use rows::{
    ChangeOutcome, DuplicateCounts, HistoryRow, MOST_FORMER, ProjectRow, ReportRow, ResultWrite, RowUpdate,
    StoreTotals, StoredReport,
};
use secrecy::SecretString;
use sqlite::SqliteStore;
use tables::{history, keys, lists, projects, reports, secrets};
use transfer::{ImportCounts, RowReceiver, RowSender, TableDigest};

/// An open store. Clones share its connections.
#[derive(Clone)]
pub enum Store {
    /// In an SQLite file on this machine.
    Sqlite(SqliteStore),
    /// In a PostgreSQL database.
    #[cfg(feature = "postgres")]
    Postgres(PostgresStore),
}

/// Whether a data directory contains a database, or it is unknown: opening it will say why.
pub fn has_data(data: &Path) -> bool {
    sqlite::database_of(data).try_exists().unwrap_or(true)
}

/// Connects to a PostgreSQL database and reads its versions, without changing it.
pub async fn probe_postgres(url: &SecretString) -> Result<DatabaseProbe, OpenError> {
    #[cfg(feature = "postgres")]
    return postgres::probe(url).await;
    #[cfg(not(feature = "postgres"))]
    {
        let _ = url;
        Err(OpenError::WithoutPostgres)
    }
}

impl Store {
    /// Whether there is a store at an address, or it is unknown: opening it will say why.
    pub async fn exists(address: &StoreAddress) -> Result<bool, OpenError> {
        match address {
            StoreAddress::Data(data) => Ok(has_data(data)),
            #[cfg(feature = "postgres")]
            StoreAddress::Postgres(url) => postgres::has_tables(url).await,
            #[cfg(not(feature = "postgres"))]
            StoreAddress::Postgres(_) => Err(OpenError::WithoutPostgres),
        }
    }

    /// Opens the store at an address, creating or migrating it if needed.
    pub async fn open(address: StoreAddress) -> Result<Self, OpenError> {
        match address {
            StoreAddress::Data(data) => {
                let opened = tokio::task::spawn_blocking(move || SqliteStore::open(&data)).await;
                Ok(Self::Sqlite(opened.map_err(|_| OpenError::BrokenOff)??))
            }
            #[cfg(feature = "postgres")]
            StoreAddress::Postgres(url) => PostgresStore::open(&url).await.map(Self::Postgres),
            #[cfg(not(feature = "postgres"))]
            StoreAddress::Postgres(_) => Err(OpenError::WithoutPostgres),
        }
    }

    /// Prepares for a running service; not needed by commands that only open the store.
    pub async fn prepare_to_serve(&self) {
        match self {
            Self::Sqlite(store) => store.allocate_reserve().await,
            // The server manages its own disk.
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => {}
        }
    }

    /// Fails unless reports can be read and no damage was found.
    pub async fn check_health(&self) -> Result<(), StoreError> {
        let check = in_transaction!(self.read, |transaction| {
            projects::totals(transaction).await?;
            reports::newest(transaction).await.map(drop)
        });
        check?;
        match self {
            Self::Sqlite(store) => store.check_undamaged(),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Returns the numbers of reports and projects.
    pub async fn totals(&self) -> Result<StoreTotals, StoreError> {
        in_transaction!(self.read, |transaction| projects::totals(transaction).await)
    }

    /// Returns one page of reports.
    pub async fn reports_page(
        &self,
        query: ReportQuery,
        window: PageWindow,
    ) -> Result<ListPage<ReportRow>, StoreError> {
        in_transaction!(self.read, |transaction| lists::reports(transaction, &query, &window).await)
    }

    /// Returns one page of projects.
    pub async fn projects_page(
        &self,
        query: ProjectQuery,
        window: PageWindow,
    ) -> Result<ListPage<ProjectRow>, StoreError> {
        in_transaction!(self.read, |transaction| lists::projects(transaction, &query, &window).await)
    }

    /// Returns a report's row.
    pub async fn report(&self, id: i64) -> Result<Option<ReportRow>, StoreError> {
        in_transaction!(self.read, |transaction| reports::row(transaction, id).await)
    }

    /// Returns a report's row and checks, with at most `most` earlier results.
    pub async fn opened(&self, id: i64, most: u16) -> Result<Option<StoredReport>, StoreError> {
        in_transaction!(self.read, |transaction| reports::opened(transaction, id, most).await)
    }

    /// Counts other reports with this title or description among the latest reports of the report's project. Empty
    /// texts are not counted.
    pub async fn duplicates(&self, id: i64, title: &str, description: &str) -> Result<DuplicateCounts, StoreError> {
        let (title, description) = (title.to_owned(), description.to_owned());
        in_transaction!(self.read, |transaction| reports::duplicates(transaction, id, &title, &description).await)
    }

    /// Returns all earlier results of a report, latest first; `None` if the report does not exist.
    pub async fn former(&self, id: i64) -> Result<Option<Vec<HistoryRow>>, StoreError> {
        in_transaction!(self.read, |transaction| {
            match reports::row(transaction, id).await? {
                Some(_) => history::former(transaction, id, MOST_FORMER).await.map(Some),
                None => Ok(None),
            }
        })
    }

    /// Returns a report's row with the hash of its page password, if it has one.
    pub async fn protected(&self, id: i64) -> Result<Option<(ReportRow, Option<String>)>, StoreError> {
        in_transaction!(self.read, |transaction| reports::protected(transaction, id).await)
    }

    /// Stores the result of an audit, and returns the report with its latest earlier results. The result of a re-run
    /// moves the current one to the history.
    pub async fn store_result(&self, write: ResultWrite) -> Result<ChangeOutcome, StoreError> {
        in_transaction!(self.write, |transaction| reports::store_result(transaction, &write).await)
    }

    /// Updates a report, and returns it with its latest earlier results.
    pub async fn change(&self, id: i64, update: RowUpdate) -> Result<ChangeOutcome, StoreError> {
        in_transaction!(self.write, |transaction| reports::change(transaction, id, &update).await)
    }

    /// Deletes a report with its results; false if it does not exist.
    pub async fn delete_report(&self, id: i64) -> Result<bool, StoreError> {
        in_transaction!(self.write_deletion, |transaction| reports::delete(transaction, id).await)
    }

    /// Deletes the next reports of a project, and with the last one the project. Returns whether some are left; `None` if
    /// the project does not exist. Other writes are carried out between the parts.
    pub async fn delete_project_part(&self, name: String) -> Result<Option<bool>, StoreError> {
        in_transaction!(self.write_deletion, |transaction| projects::delete(transaction, &name).await)
    }

    /// Returns the key with this digest, and why it is refused if it is not active.
    pub async fn find_key(&self, digest: KeyDigest) -> Result<Option<(RequestKey, Option<KeyEnd>)>, StoreError> {
        in_transaction!(self.read, |transaction| keys::find(transaction, &digest).await)
    }

    /// Stores the current time as the last use of a key.
    pub async fn record_key_use(&self, id: i64) -> Result<(), StoreError> {
        in_transaction!(self.write / write_beside, |transaction| keys::touch(transaction, id).await)
    }

    /// Returns all keys, oldest first, including revoked ones.
    pub async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        in_transaction!(self.read, |transaction| keys::list(transaction).await)
    }

    /// Sends all rows of one snapshot of the store. On PostgreSQL this blocks other writes.
    pub async fn send_rows(&self, sender: RowSender) -> Result<(), StoreError> {
        in_transaction!(self.read / write_transfer, |transaction| transaction.send_rows(sender).await)
    }

    /// Inserts the rows of another store with their ids into this empty one, wholly or not at all.
    pub async fn receive_copy(&self, receiver: RowReceiver) -> Result<Vec<TableDigest>, StoreError> {
        in_transaction!(self.write / write_transfer, |transaction| transaction.receive_copy(receiver).await)
    }

    /// Inserts the reports of another store with new ids, and the desk's data about them, wholly or not at all.
    /// `change` is the id of the first event this creates.
    pub async fn receive_import(&self, receiver: RowReceiver, change: ChangeId) -> Result<ImportCounts, StoreError> {
        in_transaction!(self.write / write_transfer, |transaction| import::receive(transaction, receiver, change).await)
    }

    /// Returns the secret stored under a name, storing `fresh` if there is none. It is the same for all processes on
    /// this store.
    pub async fn signing_secret(&self, name: &'static str, fresh: SigningSecret) -> Result<SigningSecret, StoreError> {
        // Read first, so that a service can start on a read-only database.
        let kept = in_transaction!(self.read, |transaction| secrets::find(transaction, name).await)?;
        match kept {
            Some(kept) => Ok(kept),
            None => in_transaction!(self.write, |transaction| secrets::keep(transaction, name, fresh).await),
        }
    }
}
