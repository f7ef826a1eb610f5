//! The memory of password checks: 19 MiB for one, and not more for many concurrent ones.

#![cfg(target_os = "linux")]

use reportdeck::service::seed::{SeedRow, seed};
use reqwest::Method;
use tokio::task::JoinSet;

use crate::support::cli_user::CliUser;
use crate::support::serve_process::{Caller, Serving, data_of, key_of};

/// Number of protected pages, all guessed concurrently.
const PAGES: i64 = 60;
/// Guesses for each page: as many as the service checks.
const GUESSES: usize = 5;
/// The service's permitted peak memory, in KiB.
const MOST: u64 = 200 * 1024;

/// Returns the peak memory of a process, in KiB.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test]
async fn three_hundred_wrong_passwords_keep_the_memory_of_the_service_bounded() {
    let person = CliUser::new();
    let rows = (0..PAGES).map(|number| SeedRow {
        url: format!("https://shop.example/{number}"),
        project: "shop.example".into(),
        score: 90,
        generated_at: jiff::Timestamp::now(),
        failed: Vec::new(),
    });
    seed(&data_of(&person), rows).unwrap();
    let key = key_of(&person);
    let serving = Serving::start(&person);
    let caller = Caller::new(&serving.base_url, &key);
    for id in 1..=PAGES {
        let form = [("privacy", "2"), ("password", "tea")];
        let set = caller.request(Method::PUT, &format!("/{id}")).form(&form);
        assert_eq!(Caller::answered(set).await.unwrap().0, 200);
    }
    let before = peak(serving.id());
    let anonymous = reqwest::Client::builder().tls_certs_only([]).no_proxy().build().unwrap();
    let mut guesses = JoinSet::new();
    for id in 1..=PAGES {
        let (anonymous, page) = (anonymous.clone(), format!("{}/reports/{id}", serving.base_url));
        guesses.spawn(async move {
            for _ in 0..GUESSES {
                let status =
                    anonymous.post(&page).form(&[("password", "wrong")]).send().await.unwrap().status().as_u16();
                assert!(matches!(status, 403 | 503), "{status}");
            }
        });
    }
    while let Some(guessed) = guesses.join_next().await {
        guessed.unwrap();
    }
    let after = peak(serving.id());
    println!("peak memory: {before} KiB before the guesses, {after} KiB after them");
    assert!(after < MOST, "{after} KiB");
}
