//! Commands on a faulty network: documented exit codes, complete output, and writes sent once.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::cli_user::{CliUser, CommandOutput};
use crate::support::embedded_service::{KEY, Running};
use crate::support::faulty_proxy::{FAULTS, Fault, Proxy};
use crate::support::seeded_rng::{Rng, seed, steps};

/// Runs the program like a script; the network is served meanwhile.
async fn run(base: &str, arguments: Vec<String>) -> CommandOutput {
    let base = base.to_owned();
    let output = tokio::task::spawn_blocking(move || {
        let person =
            CliUser::new().with("REPORTDECK_BASE_URL", &base).with("REPORTDECK_API_KEY", KEY).with("NO_PROXY", "*");
        person.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    });
    output.await.unwrap()
}

/// Returns a random command. Its number makes the URLs that it creates unique.
fn command(rng: &mut Rng, number: usize) -> Vec<String> {
    let id = 1 + rng.below(40);
    let line = match rng.below(8) {
        0 => "reports list --per-page 10".to_owned(),
        1 => "reports list --sort-by url --limit 25 --per-page 10".to_owned(),
        2 => "projects list".to_owned(),
        3 => format!("reports show {id}"),
        4 => format!("reports create https://new.example/{number}/a https://new.example/{number}/b"),
        5 => format!("reports update {id} {} --rerun", id + 1),
        6 => format!("reports delete {id} {} --yes", id + 1),
        _ => format!("reports update {id} --privacy private"),
    };
    let format = *rng.pick(&["json", "jsonl", "csv", "markdown", "table"]);
    line.split(' ').chain(["--format", format]).map(str::to_owned).collect()
}

/// Asserts that the printed output is valid, whatever the exit code.
fn assert_valid_output(output: &CommandOutput, arguments: &[String]) {
    let context = || format!("{arguments:?}: {output:?}");
    assert!((0..=7).contains(&output.code), "{}", context());
    assert!(output.code == 0 || !output.error.trim().is_empty(), "no message: {}", context());
    match arguments.last().unwrap().as_str() {
        "json" if !output.out.is_empty() => {
            // A list whose later page failed is left open after a whole row, so that parsers notice.
            let end = if matches!(output.code, 0 | 7) { "" } else { "]" };
            let whole = format!("{}{end}", output.out);
            serde_json::from_str::<Value>(&whole).unwrap_or_else(|error| panic!("{error}: {}", context()));
        }
        "jsonl" => {
            for line in output.out.lines() {
                serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {}", context()));
            }
            assert!(output.out.is_empty() || output.out.ends_with('\n'), "{}", context());
        }
        _ => {}
    }
    if output.code != 0 && arguments.last().is_some_and(|format| format.starts_with("json")) {
        let problem = output.problem();
        assert!(problem["kind"].is_string() && problem["message"].is_string(), "{}", context());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_on_a_faulty_network_exit_cleanly_and_send_writes_once() {
    let (seed, count) = (seed(), steps(24).min(5_000));
    let (running, _data) = Running::start().await;
    for number in 0..40 {
        running.client.create(&format!("https://shop{}.example/{number}", number % 4)).await;
    }
    // The limits of the program are fixed, so faults that run into them are left to the dashboard's test.
    let faults: Vec<Fault> = FAULTS.into_iter().filter(|fault| *fault != Fault::Silence).collect();
    let mut rng = Rng::new(seed);
    let mut codes: BTreeMap<i32, usize> = BTreeMap::new();
    let mut met: BTreeMap<Fault, usize> = BTreeMap::new();
    for number in 0..count {
        let proxy = Proxy::in_front_of(&running.service.base_url(), rng.number(), &faults, 3).await;
        let arguments = command(&mut rng, number);
        let output = run(&proxy.base, arguments.clone()).await;
        assert_valid_output(&output, &arguments);
        proxy.rest().await;
        let mut writes: Vec<String> = proxy
            .seen()
            .iter()
            .filter(|seen| seen.method != "GET" && !seen.was_put_off())
            .map(|seen| format!("{} {} {}", seen.method, seen.target, seen.body))
            .collect();
        let all = writes.len();
        writes.sort_unstable();
        writes.dedup();
        assert_eq!(writes.len(), all, "sent twice by {arguments:?}: {output:?}");
        *codes.entry(output.code).or_default() += 1;
        for (fault, count) in proxy.faults() {
            *met.entry(fault).or_default() += count;
        }
    }
    println!("{count} commands, exit codes {codes:?}, faults {met:?}");
}
