//! Help and man page texts beyond commands and options: examples, environment, files and exit codes.

use std::fmt::Write as _;

use clap::{Command, CommandFactory as _};

use crate::cli::args::Arguments;
use crate::cli::option_check;
use crate::config::environment::{API_KEY, BASE_URL, CONFIG, DATA, DATABASE_URL, KEYRING, LOG, NO_COLOR, PROFILE};

/// Examples by command, one per line.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "reportdeck",
        "reportdeck --sample\n\
         reportdeck --profile work --view 'bad shops'\n\
         reportdeck audit --fail-on bad https://staging.shop.example/",
    ),
    (
        "reportdeck audit",
        "reportdeck audit https://shop.example/\n\
         reportdeck audit --fail-on bad https://shop.example/ https://shop.example/cart\n\
         reportdeck audit --fail-under 80 --format jsonl - < urls.txt > audits.jsonl",
    ),
    (
        "reportdeck reports list",
        "reportdeck reports list --result bad,decent --columns url,score\n\
         reportdeck reports list --filter 'age:>30d check:title' --format csv > old.csv\n\
         reportdeck reports list --filter 'fetch:any' |\n\
         \x20 reportdeck reports update - --rerun",
    ),
    (
        "reportdeck reports create",
        "reportdeck reports create https://shop.example/ --privacy private\n\
         reportdeck reports create - < urls.txt",
    ),
    (
        "reportdeck reports update",
        "reportdeck reports update 12 --rerun\n\
         reportdeck reports update 12 --privacy password --password-stdin < password",
    ),
    ("reportdeck reports delete", "reportdeck reports list --search /old/ | reportdeck reports delete - --yes"),
    (
        "reportdeck reports state",
        "reportdeck reports state 12 17 --set waiting\n\
         reportdeck reports list --filter 'age:>30d' |\n\
         \x20 reportdeck reports state - --set snoozed --for 3d",
    ),
    ("reportdeck reports show", "reportdeck reports list --result bad | reportdeck reports show - --format json"),
    ("reportdeck reports note", "reportdeck reports note 12 --add 'customer will fix it by Tuesday'"),
    ("reportdeck reports history", "reportdeck reports history 12 --format csv"),
    ("reportdeck reports open", "reportdeck reports open 12 --page"),
    ("reportdeck reports link", "reportdeck reports link 12 | jq -r .url"),
    ("reportdeck projects delete", "reportdeck projects delete shop.example --yes"),
    ("reportdeck changes", "reportdeck changes --since 8h --format table"),
    ("reportdeck desk log", "reportdeck desk log --since 2d --format csv > log.csv"),
    ("reportdeck desk handover", "reportdeck desk handover --since 8h --format markdown > handover.md"),
    ("reportdeck desk watch", "reportdeck desk watch --mine --format jsonl"),
    ("reportdeck login", "reportdeck login work --base-url https://reports.example.com"),
    (
        "reportdeck keys create",
        "reportdeck keys create laptop\n\
         reportdeck keys create wallboard --role viewer --expires 90d\n\
         reportdeck keys create ci --format json | jq -r .key > ci.key",
    ),
    ("reportdeck keys revoke", "reportdeck keys revoke laptop"),
    ("reportdeck serve", "reportdeck serve --listen 127.0.0.1:8750"),
    ("reportdeck worker", "REPORTDECK_DATABASE_URL=postgres://localhost/reportdeck reportdeck worker"),
    ("reportdeck store backup", "reportdeck store backup /var/backups/reports.sqlite3 --force"),
    ("reportdeck store restore", "reportdeck store restore /var/backups/reports.sqlite3 --data /srv/reports"),
    ("reportdeck store import", "reportdeck store import ~/backup-of-laptop.sqlite3"),
    ("reportdeck store copy", "reportdeck store copy --to postgres --data /srv/reports"),
    ("reportdeck man", "reportdeck man --all man"),
];

/// The environment variables that `config show` prints if they are set. It hides the values that may contain a secret.
pub(super) const VARIABLES: [(&str, &str); 9] = [
    (BASE_URL, "the base URL of the service"),
    (API_KEY, "the key for REPORTDECK_BASE_URL or --base-url"),
    (PROFILE, "the profile of the configuration to use"),
    (CONFIG, "another configuration file"),
    (DATA, "the data directory of the embedded service"),
    (DATABASE_URL, "the PostgreSQL database of serve, worker, keys, store"),
    (KEYRING, "off: do not use the system's keyring"),
    (LOG, "the log level of serve and worker, for example debug"),
    (NO_COLOR, "disables colours"),
];

/// Further variables that are read.
const OTHER_VARIABLES: [(&str, &str); 5] = [
    ("HTTPS_PROXY, ALL_PROXY", "proxies for requests to a service; audits use none"),
    ("NO_PROXY", "hosts of services that are reached without a proxy"),
    ("SSL_CERT_FILE", "trusted authorities instead of the system's, on Linux"),
    ("VISUAL, EDITOR", "the editor for messages to customers; vi by default"),
    ("BROWSER", "the web browser, also over ssh"),
];

/// The exit codes.
pub(super) const EXIT_CODES: [(&str, &str); 9] = [
    ("0", "success"),
    ("1", "failure"),
    ("2", "wrong usage"),
    ("3", "not found"),
    ("4", "not authorised"),
    ("5", "invalid: a field or URL was refused"),
    ("6", "unreachable or timed out"),
    ("7", "some items failed, or a list is incomplete"),
    ("8", "a page is below the threshold of --fail-on or --fail-under"),
];

/// A person's files, unless XDG base directory variables say otherwise.
pub(super) const FILES: [(&str, &str); 5] = [
    ("~/.config/reportdeck/config.toml", "the configuration: reportdeck-config(5)"),
    ("~/.config/reportdeck/message.txt", "the template of messages to customers, instead of the built-in one"),
    (
        "~/.local/share/reportdeck/",
        "the database of the embedded service, unless REPORTDECK_DATA or the configuration names another directory",
    ),
    ("~/.local/state/reportdeck/journal.sqlite", "drafts, views, states, notes and the history"),
    ("~/.local/state/reportdeck/credentials/", "keys stored by `login` if there is no keyring"),
];

/// Returns the environment variables that are read.
pub(super) fn environment() -> Vec<(&'static str, &'static str)> {
    VARIABLES.into_iter().chain(OTHER_VARIABLES).collect()
}

/// Returns all commands, with the text at the end of their help.
pub(super) fn command() -> Command {
    let table = |heading: &str, rows: &[(&str, &str)]| {
        let widest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        rows.iter().fold(format!("\n\n{heading}:"), |mut text, (name, what)| {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {name:widest$}  {what}");
            text
        })
    };
    let command = with_examples(option_check::hide_ignored(Arguments::command()), "reportdeck");
    let command = command.mut_subcommand("login", |login| {
        login.mut_arg("base_url", |option| option.help("The service, if the profile is not in the configuration yet"))
    });
    let examples = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let end = [examples, table("Environment", &environment()), table("Exit codes", &EXIT_CODES)].concat();
    command.after_long_help(end)
}

/// Returns the examples of a command, one per line; most have none.
pub(super) fn examples(path: &str) -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().filter(move |(command, _)| *command == path).flat_map(|(_, lines)| lines.lines())
}

fn with_examples(mut command: Command, path: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let path = format!("{path} {name}");
        command = command.mut_subcommand(name, |sub| with_examples(sub, &path));
    }
    let lines: Vec<&str> = examples(path).collect();
    if lines.is_empty() { command } else { command.after_long_help(format!("Examples:\n  {}", lines.join("\n  "))) }
}
