//! `PgBouncer` in transaction mode between the service and its database: the service keeps no state in a session.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use futures_util::future::join_all;
use reportdeck::service;
use reqwest::Method;
use tempfile::TempDir;

use crate::engines::postgres_failures::try_on;
use crate::support::own_process::KilledOnDrop;
use crate::support::postgres;
use crate::support::waiting::wait_until;

const LIST: &str = "/api/v1/reports";
/// Debian installs it outside the PATH of users.
const PROGRAM: &str = "/usr/sbin/pgbouncer";
const PORT: u16 = 6432;

/// A pooler with fewer connections to the server than the services open to it; stopped when dropped.
struct Pooler {
    folder: TempDir,
    _child: KilledOnDrop,
}

impl Pooler {
    fn start() -> Option<Self> {
        if !postgres::is_there() || !Path::new(PROGRAM).exists() {
            eprintln!("not run: PgBouncer is not installed");
            return None;
        }
        let folder = tempfile::Builder::new().prefix("reportdeck-pooler-").tempdir().unwrap();
        let settings = folder.path().join("pgbouncer.ini");
        let (server, own) = (postgres::socket_folder(), folder.path().display());
        let text = format!(
            "[databases]\n* = host='{}' user=postgres\n[pgbouncer]\nlisten_addr =\nlisten_port = {PORT}\n\
             unix_socket_dir = {own}\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 3\n",
            server.display()
        );
        std::fs::write(&settings, text).unwrap();
        postgres::give(folder.path());
        postgres::give(&settings);
        let mut command = postgres::as_server_user(Path::new(PROGRAM));
        let command = command.arg("-q").arg(&settings).stdout(Stdio::null()).stderr(Stdio::null());
        let child = KilledOnDrop(command.spawn().unwrap());
        let socket: PathBuf = folder.path().join(format!(".s.PGSQL.{PORT}"));
        wait_until("PgBouncer accepts connections", || UnixStream::connect(&socket).is_ok());
        Some(Self { folder, _child: child })
    }

    /// Returns the URL of a database through the pooler.
    fn url(&self, direct: &str) -> String {
        let name = direct.rsplit('/').next().unwrap();
        let host = self.folder.path().to_str().unwrap().replace('/', "%2F").replace(' ', "%20");
        format!("postgres://postgres@{host}:{PORT}/{name}")
    }
}

#[tokio::test]
async fn two_instances_work_through_a_pooler_in_transaction_mode() {
    let Some(pooler) = Pooler::start() else { return };
    let url = pooler.url(&postgres::new_database().await);
    let direct = postgres::new_database().await;
    let probe = async |url: &str| service::probe_postgres(&url.into()).await.unwrap().notifies;
    assert_eq!((probe(&direct).await, probe(&url).await), (true, false));
    let (one, other) = (try_on(&url).await.unwrap(), try_on(&url).await.unwrap());
    let clients = [&one.client, &other.client];
    let writers = (0..12).map(|writer| {
        let client = clients[writer % 2];
        async move {
            for number in 0..6 {
                let id = client.create(&format!("https://shop.example/{writer}/{number}")).await;
                client.send(Method::PUT, &format!("{LIST}/{id}"), &[("results", "1")]).await.expect(200);
                client.get(&format!("{LIST}?search=shop&sort_by=url")).await.expect(200);
            }
        }
    });
    join_all(writers).await;
    for client in clients {
        assert_eq!(client.get(LIST).await.expect(200).body["meta"]["total"], 72);
        assert_eq!(client.get("/api/v1/projects").await.expect(200).data()[0]["reports"], 72);
    }
}
