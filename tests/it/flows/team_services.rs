//! A team of two dashboards and a script, and a third-party service that two people added to one desk under different
//! addresses.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use reportdeck::domain::desk::Role;
use reportdeck::runtime::ServiceConnection;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::flows::plain_service;
use crate::support::cli_user::CliUser;
use crate::support::desk_team::dashboards::{Line, Team, desk, later, until};
use crate::support::desk_team::{api_client, change, new_key, two_keys};
use crate::support::embedded_service::Running;
use crate::support::own_process::KilledOnDrop;
use crate::support::session::{Person, connected};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_dashboards_and_a_script_see_the_same_in_the_same_order() {
    let team = Team::start().await;
    let mut anna = team.joins("anna", Role::Triage).await;
    let mut ben = team.joins("ben", Role::Triage).await;
    let key = new_key(team.data.path(), Some("carl"), Role::Triage).await;
    let script = CliUser::new()
        .with("REPORTDECK_BASE_URL", &team.running.service.base_url())
        .with("REPORTDECK_API_KEY", key.expose_secret());
    let mut command = script.command(&["desk", "watch", "--format", "jsonl"]);
    let mut watch = KilledOnDrop(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap());
    let (sender, mut events) = mpsc::unbounded_channel::<Value>();
    let lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    std::thread::spawn(move || {
        lines.map_while(Result::ok).try_for_each(|line| sender.send(serde_json::from_str(&line).unwrap()))
    });
    // The script prints only what happens after its start, which a note marks.
    let noted = loop {
        tokio::task::block_in_place(|| script.run(&["reports", "note", "1", "--add", "who?"]));
        if let Ok(event) = events.try_recv() {
            break event;
        }
    };
    assert_eq!((&noted["person"], &noted["kind"]), (&"carl".into(), &"note".into()), "{noted}");
    let mut next_state = async || loop {
        let event = events.recv().await.unwrap();
        if event["kind"] == "state" {
            break event;
        }
    };
    ben.press("Q l").await;
    until(&mut ben, &["this one: looking you"]).await;
    let claimed = next_state().await;
    assert_eq!(claimed["person"], "ben", "{claimed}");
    until(&mut anna, &["looking ben"]).await;
    let report = claimed["report"].as_str().unwrap();
    tokio::task::block_in_place(|| script.run(&["reports", "state", report, "--set", "waiting"]));
    let waits = next_state().await;
    assert_eq!((&waits["person"], &waits["report"]), (&"carl".into(), &report.into()), "{waits}");
    until(&mut anna, &["waiting ben"]).await;
    assert!(claimed["revision"].as_i64() < waits["revision"].as_i64());
}

/// A third-party service, a forwarder to it, and a desk that knows it under both addresses.
#[tokio::test]
async fn people_who_named_a_service_differently_share_it_once_its_addresses_are_merged() {
    let reports = [("tea.example".to_owned(), "bad"), ("cart.example".to_owned(), "bad")];
    let (service, (running, data)) = (plain_service::start(&reports).await, Running::start().await);
    let other_name = Line::to(&service.base).await;
    let (anna_key, ben_key) = two_keys(data.path()).await;
    let joins = async |handle: &str, key: &SecretString, base: &str| {
        let desk = Some(desk(key, &running.service.base_url(), false));
        let connection = ServiceConnection { desk, ..connected(base, "a-key-of-work") };
        let mut person = Person::with(Ok(connection), None).await;
        until(&mut person, &[&format!("test · {handle}")]).await;
        person
    };
    let mut anna = joins("anna", &anna_key, &service.base).await;
    let mut ben = joins("ben", &ben_key, &other_name.base).await;
    ben.press("Q l").await;
    until(&mut ben, &["looking you"]).await;
    ben.press("esc").await;
    anna.misses(&["looking"]);
    let admin = api_client(&running.service.base_url(), &new_key(data.path(), Some("olga"), Role::Admin).await);
    let services = admin.desk().await.unwrap().unwrap().services;
    let ids: Vec<i64> = services.iter().map(|service| service.id).collect();
    let [_, first, second] = ids[..] else { panic!("{ids:?}") };
    admin.merge_desk_services(second, first, change()).await.unwrap();
    until(&mut anna, &["looking ben"]).await;
    // Both keep writing, now to the remaining service.
    anna.press("Q l").await;
    until(&mut anna, &["looking you"]).await;
    until(&mut ben, &["looking anna", "looking you"]).await;
    for asked in service.asked() {
        let sent = format!("{asked:?}");
        assert!([&anna_key, &ben_key].iter().all(|key| !sent.contains(key.expose_secret())), "{sent}");
        assert!(!sent.contains("/desk/"), "the service receives no desk request: {sent}");
    }
}

#[tokio::test]
async fn a_named_desk_that_rejects_its_key_is_reported_beside_the_reports() {
    let (service, running) =
        (plain_service::start(&[("tea.example".to_owned(), "bad")]).await, Running::start().await.0);
    let desk = Some(desk(&SecretString::from("revoked"), &running.service.base_url(), false));
    let mut anna =
        Person::with(Ok(ServiceConnection { desk, ..connected(&service.base, "a-key-of-work") }), None).await;
    until(&mut anna, &["tea.example", "The desk does not accept the API key"]).await;
    anna.misses(&["enters another one"]);
    later(&mut anna);
    until(&mut anna, &["tea.example", "desk: not in use"]).await;
}
