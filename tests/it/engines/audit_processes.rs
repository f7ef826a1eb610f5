//! Processes of the program that share a database: killed, frozen and stopped during audits.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use reportdeck::domain::text::clean;
use reportdeck::service::StoreAddress;
use reportdeck::service::seed::{SeedRow, seed_store};
use reqwest::Method;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_postgres::Client;

use crate::engines::slow_pages::SlowPages;
use crate::support::cli_user::CliUser;
use crate::support::own_process::{KilledOnDrop, freeze, send_signal};
use crate::support::postgres::{self, connect, count, new_database, wait_for_count};
use crate::support::seeded_rng::steps;
use crate::support::serve_process::{Caller, Serving, key_of};
use crate::support::waiting::until;

const HOSTS: u8 = 20;
const REPORTS: usize = 200;
/// Number of concurrent requests.
const CLIENTS: usize = 30;
/// Short, so that audits of lost instances are taken over soon, but longer than the pauses of a busy machine.
const LEASE: &str = "3000";

const OPEN: &str = "SELECT count(*) FROM audits WHERE state IN (0, 1)";

/// A database with reports of slow pages, and a starter of instances on it.
struct Team {
    person: CliUser,
    key: String,
    pages: SlowPages,
    database: Client,
}

impl Team {
    /// Creates pages on this many hosts, the first of which have reports.
    async fn new(hosts: u8) -> Option<Self> {
        if !postgres::is_there() {
            return None;
        }
        let url = new_database().await;
        let person = CliUser::new().with("REPORTDECK_DATABASE_URL", &url);
        person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]\nrequests_per_minute = 0");
        let pages = SlowPages::serve(hosts).await;
        let rows = (0..REPORTS).map(|number| SeedRow {
            url: pages.url(host_of(number), number),
            project: format!("127.0.0.{}", host_of(number)),
            score: 50,
            generated_at: Timestamp::UNIX_EPOCH,
            failed: Vec::new(),
        });
        seed_store(StoreAddress::Postgres(url.as_str().into()), rows.collect()).await.unwrap();
        let key = key_of(&person);
        Some(Self { person, key, pages, database: connect(&url).await })
    }

    /// Starts an instance whose lost audits are taken over soon.
    fn serve(&self) -> Serving {
        let mut command = self.person.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env("REPORTDECK_TEST_AUDIT_LEASE", LEASE);
        Serving::of(command)
    }

    /// Returns the numbers of stored results by report, without the initial one.
    async fn results(&self) -> HashMap<i64, i64> {
        let sql = "SELECT reports.id, count(history.id) FROM reports LEFT JOIN history ON report_id = reports.id \
                   GROUP BY reports.id";
        let rows = self.database.query(sql, &[]).await.unwrap();
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }

    async fn settle(&self, query: &str, expected: i64) {
        wait_for_count(&self.database, query, |count| count == expected).await;
    }
}

fn host_of(number: usize) -> u8 {
    u8::try_from(number % usize::from(HOSTS)).unwrap() + 1
}

/// Forwards connections to the instances in turn, like a TCP load balancer.
async fn balance(instances: Vec<SocketAddr>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut next = 0;
        while let Ok((mut client, _)) = listener.accept().await {
            let order: Vec<SocketAddr> =
                (0..instances.len()).map(|step| instances[(next + step) % instances.len()]).collect();
            next += 1;
            tokio::spawn(async move {
                for instance in order {
                    if let Ok(mut server) = TcpStream::connect(instance).await {
                        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                        return;
                    }
                }
            });
        }
    });
    address
}

fn address(serving: &Serving) -> SocketAddr {
    serving.base_url.trim_start_matches("http://").parse().unwrap()
}

/// Re-runs these reports once each, several at a time, and returns the responses. `answered` counts them.
async fn rerun(caller: &Caller, ids: Vec<i64>, answered: Arc<AtomicUsize>) -> HashMap<i64, (u16, serde_json::Value)> {
    let ids = Arc::new(std::sync::Mutex::new(ids));
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let (caller, ids, answered) = (caller.clone(), Arc::clone(&ids), Arc::clone(&answered));
        clients.spawn(async move {
            let mut answers = Vec::new();
            loop {
                let Some(id) = ids.lock().unwrap().pop() else { return answers };
                let request = caller.request(Method::PUT, &format!("/{id}")).form(&[("results", "1")]);
                if let Some(answer) = Caller::answered(request).await {
                    answers.push((id, answer));
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
    }
    clients.join_all().await.into_iter().flatten().collect()
}

async fn reached(answered: &AtomicUsize, number: usize) {
    until("responses", async || answered.load(Ordering::SeqCst) >= number).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_instances_store_every_result_once_while_one_is_killed_and_one_is_frozen() {
    let Some(team) = Team::new(HOSTS).await else { return };
    let [killed, frozen, steady] = [team.serve(), team.serve(), team.serve()];
    let balancer = balance([&killed, &frozen, &steady].map(address).to_vec()).await;
    let caller = Caller::new(&format!("http://{balancer}"), &team.key);
    let ids: Vec<i64> = (1..=i64::try_from(REPORTS).unwrap()).collect();
    let answered = Arc::<AtomicUsize>::default();
    let run = {
        let (caller, ids, answered) = (caller.clone(), ids.clone(), Arc::clone(&answered));
        tokio::spawn(async move { rerun(&caller, ids, answered).await })
    };
    reached(&answered, 30).await;
    killed.kill();
    reached(&answered, 60).await;
    freeze(frozen.id());
    let held = team.database.query("SELECT id, attempt FROM audits WHERE state = 1", &[]).await.unwrap();
    assert!(!held.is_empty());
    for row in &held {
        // Completed by its worker, or taken over from it.
        let (id, attempt): (i64, i16) = (row.get(0), row.get(1));
        let as_before = format!("SELECT count(*) FROM audits WHERE id = {id} AND state = 1 AND attempt = {attempt}");
        team.settle(&as_before, 0).await;
    }
    send_signal(frozen.id(), "CONT");
    let mut answers = run.await.unwrap();
    team.settle(OPEN, 0).await;
    // Requests lost with the connections to the killed instance whose results are not stored were never queued.
    let results = team.results().await;
    let unsent: Vec<i64> = ids.iter().copied().filter(|id| results[id] == 0).collect();
    println!("answered {}, taken over {}, sent again {}", answers.len(), taken_over(&team).await, unsent.len());
    answers.extend(rerun(&caller, unsent, answered).await);

    let results = team.results().await;
    for (id, number) in &results {
        assert_eq!(*number, 1, "report {id}: {:?}", answers.get(id));
    }
    for (id, (status, body)) in &answers {
        assert_eq!(*status, 200, "{id}: {body}");
        assert_eq!(body["data"]["history"].as_array().unwrap().len(), 1);
        let (stored, _) = caller_report(&caller, *id).await;
        assert_eq!(
            stored["data"]["generated_at"], body["data"]["generated_at"],
            "the response contains the stored result"
        );
    }
    assert!(taken_over(&team).await >= 1, "no audit was taken over");
    assert_eq!(team.pages.most_of_a_host(), 1, "concurrent audits of a host");
    let (pages, audits) = team.pages.audited();
    println!("{pages} pages, {audits} audits");
    assert_eq!(pages, REPORTS);
    drop((frozen, steady));
}

async fn taken_over(team: &Team) -> i64 {
    count(&team.database, "SELECT count(*) FROM audits WHERE attempt > 1").await
}

async fn caller_report(caller: &Caller, id: i64) -> (serde_json::Value, u16) {
    let (status, body) = Caller::answered(caller.request(Method::GET, &format!("/{id}"))).await.unwrap();
    (body, status)
}

/// Starts a `worker` process of the program and waits until it is ready for audits.
fn start_worker(team: &Team) -> KilledOnDrop {
    let mut command = team.person.command(&["worker"]);
    let mut worker = KilledOnDrop(command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(worker.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.by_ref().any(|line| line.starts_with("running the audits")), "the worker did not start");
    // Drains the pipe; otherwise the worker would block on it.
    std::thread::spawn(move || lines.for_each(drop));
    worker
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_audits_beside_an_instance_and_finishes_its_audits_when_stopped() {
    let Some(team) = Team::new(HOSTS).await else { return };
    // With the default lease, so that a pause of a busy machine is not taken for a lost instance.
    let serving = Serving::start(&team.person);
    let mut worker = start_worker(&team);
    let caller = Caller::new(&serving.base_url, &team.key);
    let answered = Arc::<AtomicUsize>::default();
    let run = {
        let (caller, answered) = (caller.clone(), Arc::clone(&answered));
        tokio::spawn(async move { rerun(&caller, (1..=120).collect(), answered).await })
    };
    team.settle("SELECT count(DISTINCT worker) FROM audits", 2).await;
    send_signal(worker.id(), "TERM");
    assert!(worker.wait().unwrap().success());
    assert_eq!(count(&team.database, OPEN).await.min(1), 1, "other audits still wait");
    let answers = run.await.unwrap();
    assert!(answers.len() == 120 && answers.values().all(|(status, _)| *status == 200), "{answers:?}");
    assert_eq!(taken_over(&team).await, 0, "the worker left no running audit");
    assert_eq!(team.pages.most_of_a_host(), 1);
    assert_eq!(team.pages.audited().1, 120);
}

#[tokio::test]
async fn the_log_names_a_page_that_is_given_up_but_no_password_hash() {
    let Some(team) = Team::new(1).await else { return };
    let serving = team.serve();
    let lost = r#"INSERT INTO hosts (host, next_at) VALUES ('lost.example', 0);
        INSERT INTO audits (host, priority, state, attempt, lease_until, purpose) VALUES ('lost.example', 0, 1, 3, 1,
        '{"url":"https://lost.example/kettle\u202e\u009b31m","purpose":{"create":{"privacy":2,"password_hash":"$argon2id"}}}')"#;
    team.database.batch_execute(lost).await.unwrap();
    team.settle("SELECT count(*) FROM audits WHERE state = 2", 1).await;
    let log = serving.log();
    assert!(log.contains("https://lost.example/kettle") && !log.contains("argon2"), "{log}");
    assert!(log.lines().all(|line| clean(line) == line), "a control or reordering character was logged: {log:?}");
}

/// `REPORTDECK_STEPS=2000 cargo test --release --test it engines::audit_processes -- --ignored --nocapture`
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints figures"]
async fn audit_rates_of_one_and_three_instances_are_printed() {
    const MANY: u8 = 200;
    let pages = steps(400);
    for instances in [1, 3] {
        let Some(team) = Team::new(MANY).await else { return };
        let running: Vec<Serving> = (0..instances).map(|_| team.serve()).collect();
        let balancer = balance(running.iter().map(address).collect()).await;
        let caller = Caller::new(&format!("http://{balancer}"), &team.key);
        let next = Arc::new(AtomicUsize::new(REPORTS));
        let started = std::time::Instant::now();
        let mut clients = JoinSet::new();
        for _ in 0..2 * CLIENTS {
            let (caller, next) = (caller.clone(), Arc::clone(&next));
            let urls: Vec<String> =
                (0..usize::from(MANY)).map(|host| team.pages.url(u8::try_from(host + 1).unwrap(), 0)).collect();
            clients.spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    if number >= REPORTS + pages {
                        return;
                    }
                    let url = format!("{}{number}", urls[number % urls.len()]);
                    let request = caller.request(Method::POST, "").form(&[("url", url)]);
                    let (status, body) = Caller::answered(request).await.unwrap();
                    assert_eq!(status, 201, "{body}");
                }
            });
        }
        clients.join_all().await;
        println!("{instances}: {:.1} pages in a second", pages as f64 / started.elapsed().as_secs_f64());
        assert_eq!(team.pages.most_of_a_host(), 1);
    }
}
