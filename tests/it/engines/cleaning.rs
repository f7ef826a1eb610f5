//! Obsolete shared rows are deleted: outcomes of audits, hosts without audits, counters. The others stay.

use std::time::Duration;

use reportdeck::service::{AuditTimes, StoreAddress};

use crate::support::embedded_service::Running;
use crate::support::postgres::{self, connect, new_database, wait_for_count};

/// Rows around each limit, in minutes; the names of those past it begin with `old`. The host of an audit stays, however
/// old it is.
const ROWS: &str = "
    CREATE FUNCTION ago(minutes bigint) RETURNS bigint LANGUAGE sql AS
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint - minutes * 60000';
    INSERT INTO hosts (host, next_at) VALUES
        ('old', ago(24 * 60 + 1)), ('recent', ago(24 * 60 - 1)),
        ('waits', ago(25 * 60)), ('runs', ago(25 * 60)), ('ended', ago(25 * 60)), ('ended-old', ago(25 * 60));
    INSERT INTO audits (host, priority, purpose, state, lease_until, ended_at) VALUES
        ('waits', 0, 'waits', 0, NULL, NULL), ('runs', 0, 'runs', 1, ago(-60), NULL),
        ('ended', 0, 'ended', 2, NULL, ago(9)), ('ended', 0, 'old ended', 2, NULL, ago(11)),
        ('ended', 0, 'withdrawn', 3, NULL, ago(9)), ('ended', 0, 'old withdrawn', 3, NULL, ago(11)),
        ('ended-old', 0, 'old last of its host', 2, NULL, ago(11));
    INSERT INTO budgets (key, since, taken) VALUES (1, ago(61), 1), (2, ago(59), 1);
    INSERT INTO password_attempts (report, network, since, attempts) VALUES (1, 'a', ago(61), 1), (2, 'a', ago(59), 1)";
/// What is left of the rows, by table.
const LEFT: &str = "
    SELECT concat_ws('; ',
        (SELECT string_agg(host, ', ' ORDER BY host) FROM hosts),
        (SELECT string_agg(purpose, ', ' ORDER BY purpose) FROM audits),
        (SELECT string_agg(key::text, ', ') FROM budgets),
        (SELECT string_agg(report::text, ', ') FROM password_attempts))";

#[tokio::test]
async fn obsolete_shared_rows_are_deleted_and_the_host_of_an_audit_stays() {
    if !postgres::is_there() {
        return;
    }
    let url = new_database().await;
    // The audit that runs has a lease of an hour.
    let often = AuditTimes { clean: Duration::ZERO, lease: Duration::from_hours(1), ..AuditTimes::default() };
    let on = |times| Running::with_times(StoreAddress::Postgres(url.as_str().into()), times);
    // The tables.
    on(AuditTimes::default()).await.unwrap().service.shut_down().await;
    let mut client = connect(&url).await;
    client.batch_execute(ROWS).await.unwrap();
    // The waiting audit is not claimed while its row is locked.
    let held = client.transaction().await.unwrap();
    held.execute("SELECT 1 FROM audits WHERE purpose = 'waits' FOR UPDATE", &[]).await.unwrap();
    let running = on(often).await.unwrap();
    let onlooker = connect(&url).await;
    wait_for_count(&onlooker, "SELECT count(*) FROM hosts WHERE host LIKE '%old'", |old| old == 0).await;
    let left: String = onlooker.query_one(LEFT, &[]).await.unwrap().get(0);
    assert_eq!(left, "ended, recent, runs, waits; ended, runs, waits, withdrawn; 2; 2");
    held.rollback().await.unwrap();
    drop(running);
}
