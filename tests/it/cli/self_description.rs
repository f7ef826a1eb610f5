//! Completions, man pages, the version, and the default configuration file.

use crate::support::cli_user::CliUser;

/// Returns the completions of the last word, as fish is told them.
fn completions(person: &CliUser, words: &[&str]) -> Vec<String> {
    let mut command = assert_cmd::Command::from_std(person.command(&[&["--", "reportdeck"], words].concat()));
    let output = command.env("REPORTDECK_COMPLETE", "fish").current_dir(person.home()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn completions_cover_commands_options_values_profiles_and_files() {
    let person = CliUser::new();
    person.configure("[profiles.team-work]\nbase_url = \"https://x\"\n[profiles.\"$(reboot)\"]\n");
    std::fs::write(person.home().join("backup.sqlite3"), "").unwrap();
    for (words, expected) in [
        (&["rep"][..], &["reports"][..]),
        (&["doc"], &["doctor"]),
        (&["--profile", ""], &["team-work", "embedded"]),
        (&["reports", "list", "--profile", "t"], &["team-work"]),
        (&["logout", "t"], &["team-work"]),
        (&["--profile", "team-work", "reports", "list", "--re"], &["--result", "--read-only"]),
        (&["reports", "list", "--result", "bad,d"], &["bad,decent"]),
        (&["reports", "list", "--format=js"], &["--format=json", "--format=jsonl"]),
        (&["reports", "list", "--format", "=", "c"], &["csv"]),
        (&["reports", "list", "--project", ""], &[]),
        (&["reports", "show", "b"], &[]),
        (&["store", "restore", "b"], &["backup.sqlite3"]),
        (&["reports", "update", "1", "--password-file", "b"], &["backup.sqlite3"]),
        (&["completions", "z"], &["zsh"]),
        (&["help", "keys", "r"], &["revoke"]),
    ] {
        assert_eq!(completions(&person, words), expected, "{words:?}");
    }
    person.configure("[profiles");
    assert_eq!(completions(&person, &["--profile", ""]), ["embedded"], "an unreadable configuration is no error");
}

#[test]
fn completions_offer_only_options_that_the_command_accepts() {
    let person = CliUser::new();
    for (words, offered) in [
        (&["serve", "--"][..], &["--listen", "--help", "--version", "--data"][..]),
        (&["worker", "--"], &["--help", "--version"]),
        (&["keys", "list", "--"], &["--read-only", "--data", "--format", "--help", "--version"]),
        (&["serve", "--pro"], &[]),
    ] {
        assert_eq!(completions(&person, words), offered, "{words:?}");
    }
}

#[test]
fn every_shell_has_a_completion_script_that_calls_the_program() {
    let person = CliUser::new();
    for (shell, expected) in [
        ("bash", "-F _clap_complete_reportdeck reportdeck"),
        ("zsh", "#compdef reportdeck"),
        ("fish", "--command reportdeck"),
        ("elvish", "arg-completer[reportdeck]"),
        ("powershell", "-CommandName reportdeck"),
    ] {
        let output = person.run(&["completions", shell]);
        assert_eq!((output.code, output.error.as_str()), (0, ""));
        assert!(output.out.contains(expected), "{shell}: {}", output.out);
    }
    assert_eq!(person.run(&["completions", "cmd"]).code, 2);
}

/// Completes a line in bash itself, as Tab does.
#[cfg(unix)]
#[test]
fn bash_completes_with_the_printed_script() {
    let person = CliUser::new();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_reportdeck"));
    let script = person.run(&["completions", "bash"]).out;
    let steps = r#"
COMP_WORDS=(reportdeck reports list --format = js); COMP_CWORD=5; COMP_TYPE=9
_clap_complete_reportdeck reportdeck js = 2>/dev/null
echo "${COMPREPLY[@]}""#;
    let output = std::process::Command::new("bash")
        .args(["-c", &format!("{script}{steps}")])
        .env("PATH", std::env::join_paths([program.parent().unwrap(), "/usr/bin".as_ref(), "/bin".as_ref()]).unwrap())
        .env("HOME", person.home())
        .output();
    let Ok(output) = output else { return eprintln!("not run: bash is not installed") };
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "json jsonl\n");
}

#[test]
fn every_command_has_a_man_page() {
    let person = CliUser::new();
    let page = person.run(&["man"]);
    assert!(
        page.code == 0
            && page.out.contains(".TH reportdeck 1 \"\" \"reportdeck ")
            && page.out.contains("REPORTDECK_BASE_URL"),
        "{page:?}"
    );
    let folder = person.home().join("man");
    assert_eq!(person.run(&["man", "--all", folder.to_str().unwrap()]).code, 0);
    for name in ["reportdeck-reports.1", "reportdeck-reports-list.1", "reportdeck-login.1"] {
        assert!(folder.join(name).exists(), "{name}");
    }
    for (name, sections) in [
        ("reportdeck.1", &["EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "FILES", "KEYS"][..]),
        ("reportdeck-audit.1", &["EXAMPLES"]),
        ("reportdeck-config.5", &["DESCRIPTION"]),
    ] {
        let page = std::fs::read_to_string(folder.join(name)).unwrap();
        for section in sections {
            let heading = page.lines().any(|line| line.starts_with(".SH") && line.contains(section));
            assert!(heading, "{name} has no {section}");
        }
    }
    let options = std::fs::read_to_string(folder.join("reportdeck-config.5")).unwrap();
    for line in
        person.run(&["config", "default"]).out.lines().filter(|line| line.starts_with('#') && line.ends_with(']'))
    {
        let Some((name, _)) = line.split_once(" = ") else { continue };
        assert!(options.contains(name), "reportdeck-config.5 lacks {name}");
    }
    assert!(!folder.join("reportdeck-help.1").exists());
    assert_eq!(person.run(&["man", "--all", "/dev/null/man"]).code, 1);
}

#[test]
fn the_help_of_login_does_not_say_that_the_key_is_in_a_variable() {
    let help = CliUser::new().run(&["login", "--help"]).out;
    assert!(help.contains("--base-url <URL>") && !help.contains("REPORTDECK_API_KEY"), "{help}");
}

#[test]
fn the_man_page_names_every_variable_and_file_of_the_documents() {
    let page = CliUser::new().run(&["man"]).out;
    for name in ["REPORTDECK_API_KEY", "ALL_PROXY", "SSL_CERT_FILE", "VISUAL, EDITOR", "BROWSER", "message.txt"] {
        assert!(page.lines().any(|line| line.contains(name)), "{name} is missing");
    }
}

#[test]
fn the_printed_version_starts_with_the_version_of_the_crate() {
    let version = CliUser::new().run(&["--version"]).out;
    assert!(version.starts_with(concat!("reportdeck ", env!("CARGO_PKG_VERSION"))), "{version}");
}

#[test]
fn the_default_configuration_is_valid_with_every_line_enabled() {
    let person = CliUser::new().with("WORK_REPORTS_KEY", "k").with("WORK_DESK_KEY", "k");
    let text = person.run(&["config", "default"]).out;
    person.configure(&text);
    assert!(person.run(&["config", "check"]).out.ends_with("config.toml is valid\n"));
    // Only one of the four key sources may be set, and one of the two sources each of the database and of the desk's
    // key.
    let is_source = |line: &str| {
        line.starts_with("#api_key_") && !line.starts_with("#api_key_env")
            || line.starts_with("#database_command")
            || line.starts_with("#desk_api_key_command")
    };
    let option = |line: &str| line.starts_with('#') && !line.starts_with("# ") && !is_source(line) && line.len() > 1;
    let on: Vec<&str> = text.lines().map(|line| if option(line) { &line[1..] } else { line }).collect();
    person.configure(&on.join("\n"));
    let output = person.run(&["config", "check"]);
    assert_eq!((output.code, output.error.as_str()), (0, ""), "{output:?}");
    assert!(output.out.ends_with("config.toml is valid\n"), "{output:?}");
}

#[test]
fn the_configuration_in_the_documents_is_valid() {
    let document = include_str!("../../../assets/docs/configuration.md");
    let shown = document.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let person = CliUser::new().with("WORK_KEY", "k");
    // The document leaves the key to `login`.
    person.configure(&shown.replace("read_only = false\n", "api_key_env = \"WORK_KEY\"\n"));
    let output = person.run(&["config", "check"]);
    assert_eq!((output.code, output.error.as_str()), (0, ""), "{output:?}");
}

#[test]
fn the_examples_of_every_command_are_valid_and_fit_eighty_columns() {
    let person = CliUser::new();
    let folder = person.home().join("man");
    assert_eq!(person.run(&["man", "--all", folder.to_str().unwrap()]).code, 0);
    for name in ["urls.txt", "password"] {
        std::fs::write(person.home().join(name), "").unwrap();
    }
    let (mut examples, mut without) = (0, Vec::new());
    for page in std::fs::read_dir(&folder).unwrap() {
        let page = page.unwrap().file_name().into_string().unwrap();
        let Some(command) = page.strip_prefix("reportdeck").and_then(|page| page.strip_suffix(".1")) else { continue };
        let words: Vec<&str> = command.split('-').filter(|word| !word.is_empty()).chain(["--help"]).collect();
        let help = person.run(&words);
        assert_eq!(help.code, 0, "{words:?}");
        let Some((_, after)) = help.out.split_once("\nExamples:\n") else {
            without.push(command.trim_start_matches('-').to_owned());
            continue;
        };
        assert_eq!(after.lines().find(|line| line.len() > 80), None, "{words:?}");
        // A pipe continues on the next line.
        let after = after.replace("|\n  ", "|");
        for line in after.lines().take_while(|line| !line.is_empty()) {
            examples += 1;
            // `--help` comes last: the options before it are parsed and the subcommands looked up, but nothing is
            // executed.
            let program = format!("reportdeck() {{ {} \"$@\" --help > /dev/null; }}", env!("CARGO_BIN_EXE_reportdeck"));
            let ran = std::process::Command::new("sh")
                .args(["-c", &format!("{program}; {line}")])
                .current_dir(person.home())
                .env("COLUMNS", "400")
                .output()
                .unwrap();
            assert!(ran.status.success() && ran.stderr.is_empty(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
        }
    }
    assert!(examples > 15, "{examples}");
    for command in ["reports-history", "reports-link", "reports-open", "desk-log", "projects-delete", "keys-revoke"] {
        assert!(!without.iter().any(|other| other == command), "{command} has no example");
    }
}
