//! Child processes inherit the environment without the API keys.

#![cfg(unix)]

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::cli_user::{CliUser, script};
use crate::support::scripted_server::{Reply, ScriptedServer};
use crate::support::waiting::wait_until;

const KEYS: [(&str, &str); 3] =
    [("REPORTDECK_API_KEY", "key-of-the-variable"), ("WORK_KEY", "key-of-work"), ("OTHER_KEY", "key-of-another")];

/// Creates a program that writes its environment into a file beside itself, and then runs this.
fn fake(folder: &Path, name: &str, then: &str) -> PathBuf {
    let (program, file) = (folder.join(name), folder.join(format!("{name}.environment")));
    // Renamed, so that no reader sees a partial file.
    let commands = "env > \"$0.part\"\nmv \"$0.part\" \"$0.environment\"";
    script(&program, &format!("{commands}\n{then}\n"));
    file
}

/// Waits for the file with the program's environment and returns its content.
fn environment(file: &Path) -> String {
    wait_until(&format!("{} is written", file.display()), || file.exists());
    std::fs::read_to_string(file).unwrap()
}

fn assert_without_keys(file: &Path) {
    let text = environment(file);
    assert!(text.contains("INHERITED=yes"), "{text}");
    for (name, key) in KEYS {
        assert!(!text.contains(name) && !text.contains(key), "{}: {text}", file.display());
    }
}

/// A user with keys in the environment and these programs first on the PATH.
fn person(base: &str) -> CliUser {
    let person = CliUser::new();
    let folder = person.home().join("bin");
    std::fs::create_dir(&folder).unwrap();
    let profile = |name: &str, key: &str| format!("[profiles.{name}]\nbase_url = \"{base}\"\n{key}\n");
    let command = format!("api_key_command = [\"{}\"]", folder.join("ask-key").display());
    person.configure(&format!(
        "{}{}{}",
        profile("work", "api_key_env = \"WORK_KEY\""),
        profile("other", "api_key_env = \"OTHER_KEY\""),
        profile("asked", &command),
    ));
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let person = person.with("PATH", &path).with("INHERITED", "yes");
    KEYS.into_iter().fold(person, |person, (name, key)| person.with(name, key))
}

#[test]
fn a_key_command_inherits_no_key() {
    let person = person("https://work.example");
    let file = fake(&person.home().join("bin"), "ask-key", "echo a-key");
    let output = person.run(&["--profile", "asked", "config", "show"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_without_keys(&file);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tmux_and_the_browser_inherit_no_key() {
    let row = json!({ "id": 1, "url": "https://shop.example/tea", "project": "shop.example", "result": "bad" });
    let service = ScriptedServer::start(move |asked| match asked.path() {
        "/api/v1/reports" => Reply::Json(200, json!({ "data": [row] })),
        "/api/v1/projects" => Reply::Json(200, json!({ "data": [] })),
        "/api/v1/reports/1" => Reply::Json(200, json!({ "data": row })),
        // No desk. Anything else would be reported, in place of the awaited notices.
        _ => Reply::Json(404, json!({})),
    })
    .await;
    let person = person(&service.base).with("TMUX", "/tmp/tmux,1,0").with("BROWSER", "a-browser");
    let folder = person.home().join("bin");
    let (tmux, browser) = (fake(&folder, "tmux", "cat > /dev/null"), fake(&folder, "xdg-open", "exit 0"));
    tokio::task::block_in_place(|| {
        let mut running = person.terminal(&["--profile", "work"]);
        running.wait_for("shop.example/tea");
        running.send("Y");
        running.wait_for("Copied through tmux");
        assert_without_keys(&tmux);
        running.send("o");
        running.wait_for("Opened https://shop.example/tea");
        assert_without_keys(&browser);
        running.send("q");
        assert_eq!(running.wait().exit_code(), 0);
    });
}
