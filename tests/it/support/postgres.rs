//! A private PostgreSQL server for this test program, from the installed binaries, and a new database for each test.
//!
//! It listens on a socket in a temporary folder that only its user may enter. It starts with the first test that needs
//! it and stops with this process, however the process ends. PostgreSQL refuses to run as root, so under root it runs
//! as the user `postgres`.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use reportdeck::service::StoreAddress;
use tempfile::TempDir;
use tokio_postgres::NoTls;

use super::embedded_service::ENGINE;
use super::waiting::until;

/// Environment variable that turns a missing server into a test failure.
const REQUIRE: &str = "REPORTDECK_REQUIRE_POSTGRES";
/// Environment variable with the folder of PostgreSQL's binaries.
const BINARIES: &str = "REPORTDECK_TEST_POSTGRES";
/// File in a test's data directory with the URL of the database that replaces it.
const URL_FILE: &str = "database-url";
/// The server's log message once it accepts connections.
const READY: &str = "database system is ready to accept connections";

/// Trades durability for speed; the data does not outlive the tests. Autovacuum would start a process for each of some
/// hundred databases every few seconds.
const SETTINGS: [&str; 7] = [
    "listen_addresses=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "autovacuum=off",
    "max_connections=400",
    "shared_buffers=64MB",
];

/// A running server.
pub struct Server {
    folder: TempDir,
    /// Holds the pipe whose end stops the server.
    shell: Child,
}

static SERVER: LazyLock<Option<Server>> = LazyLock::new(Server::start);
static DATABASES: AtomicU32 = AtomicU32::new(0);

impl Server {
    fn start() -> Option<Self> {
        let found = binaries().map(|folder| Self::from(&folder, |_| Vec::new()));
        assert!(found.is_some() || std::env::var_os(REQUIRE).is_none(), "{REQUIRE} is set, but PostgreSQL is missing");
        found
    }

    /// Starts another server with further settings. `prepare` writes the files they name into the server's folder.
    pub fn with(prepare: impl FnOnce(&Path) -> Vec<String>) -> Self {
        Self::from(&binaries().expect("callers check `is_there` first"), prepare)
    }

    fn from(binaries: &Path, prepare: impl FnOnce(&Path) -> Vec<String>) -> Self {
        let folder = tempfile::Builder::new().prefix("reportdeck-postgres-").tempdir().unwrap();
        give(folder.path());
        let data = folder.path().join("data");
        let made = as_server_user(&binaries.join("initdb"))
            .args(["--no-sync", "--no-locale", "-E", "UTF8", "-A", "trust", "-U", "postgres", "-D"])
            .arg(&data)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let more = prepare(folder.path());
        for file in std::fs::read_dir(folder.path()).unwrap() {
            give(&file.unwrap().path());
        }
        // The shell stops the server when its stdin ends, which happens when this process ends.
        let script =
            "\"$@\" < /dev/null & server=$!; cat > /dev/null; kill -QUIT $server; wait $server; rm -rf \"$data\"";
        let mut command = as_server_user(Path::new("sh"));
        command.args(["-c", script, "sh"]).arg(binaries.join("postgres")).arg("-D").arg(&data).arg("-k");
        command.arg(folder.path()).args(SETTINGS.iter().flat_map(|setting| ["-c", setting]));
        command.args(more.iter().flat_map(|setting| ["-c", setting])).env("data", folder.path());
        // In a group of its own: the signal that ends this process and its group would keep it from removing the folder.
        let mut shell = command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(shell.stderr.take().unwrap()).lines().map(Result::unwrap);
        let mut messages = Vec::new();
        while !messages.last().is_some_and(|line: &String| line.contains(READY)) {
            messages.push(lines.next().unwrap_or_else(|| panic!("PostgreSQL did not start: {messages:#?}")));
        }
        // Drains the pipe; otherwise the server would block on it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { folder, shell }
    }

    /// Returns the URL of a database through the server's socket.
    fn url(&self, database: &str) -> String {
        self.url_of_port(5432, database)
    }

    /// Returns the URL of a database on a server with a given port, which is part of the socket's name.
    pub fn url_of_port(&self, port: u16, database: &str) -> String {
        let host = self.folder.path().to_str().unwrap().replace('/', "%2F").replace(' ', "%20");
        format!("postgres://postgres@{host}:{port}/{database}")
    }
}

/// Returns the folder of this process's server's socket.
pub fn socket_folder() -> PathBuf {
    SERVER.as_ref().expect("callers check `is_there` first").folder.path().to_owned()
}

/// Finds the folder of `initdb` and `postgres`: the newest of Debian's versions, or one on the PATH.
fn binaries() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(BINARIES) {
        return Some(folder.into());
    }
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = versions
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    versions.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = versions.into_iter().rev().map(|(_, folder)| folder).chain(std::env::split_paths(&path));
    folders.into_iter().find(|folder| ["initdb", "postgres"].iter().all(|program| folder.join(program).is_file()))
}

/// Returns a command that runs as the server's user: `postgres` if this process is root.
pub fn as_server_user(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir("/").env("LC_ALL", "C");
    if let Some((user, group)) = server_user() {
        command.uid(user).gid(group);
    }
    command
}

/// Changes the owner of a file or folder to the server's user.
pub fn give(path: &Path) {
    if let Some((user, group)) = server_user() {
        chown(path, Some(user), Some(group)).unwrap();
    }
}

fn server_user() -> Option<(u32, u32)> {
    rustix::process::geteuid().is_root().then(postgres_user)
}

/// Returns the uid and gid of the user `postgres`.
fn postgres_user() -> (u32, u32) {
    let users = std::fs::read_to_string("/etc/passwd").unwrap();
    let line =
        users.lines().find(|line| line.starts_with("postgres:")).expect("Debian's package creates the user postgres");
    let field = |number| line.split(':').nth(number).unwrap().parse().unwrap();
    (field(2), field(3))
}

/// Whether a server is available; prints a note if not.
pub fn is_there() -> bool {
    let is_there = SERVER.is_some();
    if !is_there {
        eprintln!("not run: no PostgreSQL");
    }
    is_there
}

/// Creates an empty database on this process's server and returns its URL. It has a linguistic collation where the
/// server supports one, so that a column without an explicit collation is detected.
pub async fn new_database() -> String {
    let server = SERVER.as_ref().expect("callers check `is_there` first");
    let name = format!("test{}", DATABASES.fetch_add(1, Ordering::SeqCst));
    let client = connect(&server.url("postgres")).await;
    let create = format!("CREATE DATABASE {name} TEMPLATE template0");
    let with_locale = format!("{create} LOCALE_PROVIDER icu ICU_LOCALE 'en-US'");
    // Before version 15, or without ICU, a database has the server's collation.
    if client.batch_execute(&with_locale).await.is_err() {
        client.batch_execute(&create).await.unwrap();
    }
    server.url(&name)
}

/// Opens a direct connection to a database.
pub async fn connect(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Runs statements on a database.
pub async fn sql(url: &str, statements: &str) {
    connect(url).await.batch_execute(statements).await.unwrap();
}

/// Returns the number that a query selects.
pub async fn count(client: &tokio_postgres::Client, query: &str) -> i64 {
    client.query_one(query, &[]).await.unwrap().get(0)
}

/// Waits until a query selects a number that satisfies a condition.
pub async fn wait_for_count(client: &tokio_postgres::Client, query: &str, holds: impl Fn(i64) -> bool) {
    until(query, async || holds(count(client, query).await)).await;
}

/// Returns the store of a data directory: SQLite in it, or a database of its own if [`ENGINE`] is `postgres`.
pub async fn store_of(data: &Path) -> StoreAddress {
    if std::env::var_os(ENGINE).is_none_or(|engine| engine != "postgres") {
        return data.into();
    }
    let file = data.join(URL_FILE);
    // Other processes of the same test read the URL there.
    if !file.exists() {
        let url = new_database().await;
        std::fs::write(&file, url).unwrap();
    }
    StoreAddress::Postgres(std::fs::read_to_string(file).unwrap().into())
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}
