//! The documents match the program: generated tables, file names, links and commands.
//!
//! `UPDATE_README=1 cargo test --test it docs::` writes the generated parts; review them like code.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use reportdeck::domain::list::filter::QUALIFIERS;
use reportdeck::domain::look::{Accent, Density, Preset, StartScreen, ThemeName, Times};
use reportdeck::domain::triage::urgency::RULES;
use reportdeck::input::Action;
use reportdeck::input::bindings::Binding;
use reportdeck::input::context::KeyScope;
use reportdeck::input::keymap::Keymap;
use strum::IntoEnumIterator;

use crate::support::cli_user::CliUser;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(document: &str) -> String {
    std::fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// Returns the documents by their path in the repository.
fn documents() -> Vec<String> {
    let mut documents =
        vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "CHANGELOG.md".to_owned(), "SECURITY.md".to_owned()];
    for folder in ["assets/docs", "assets/decisions"] {
        documents.extend(files(folder).into_iter().map(|file| format!("{folder}/{file}")));
    }
    documents
}

/// Returns the names of a folder's files, in order.
fn files(folder: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Compares the part between `<!-- name… -->` and `<!-- /name -->` with a text, or writes it if `UPDATE_README` is set.
fn part(document: &str, name: &str, expected: &str) {
    let text = read(document);
    let opening = text.find(&format!("<!-- {name}")).unwrap_or_else(|| panic!("{document} has no {name}"));
    let start = opening + text[opening..].find("-->\n").unwrap() + 4;
    let end = text.find(&format!("<!-- /{name} -->")).unwrap();
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(root().join(document), format!("{}{expected}{}", &text[..start], &text[end..])).unwrap();
        return;
    }
    assert_eq!(&text[start..end], expected, "UPDATE_README=1 cargo test --test it docs:: updates {document}");
}

/// The actions that a new user needs first.
const FIRST: [Action; 17] = [
    Action::MoveDown,
    Action::MoveUp,
    Action::NextPane,
    Action::Open,
    Action::Back,
    Action::Filter,
    Action::CycleResult,
    Action::SortBy,
    Action::NewReport,
    Action::EditReport,
    Action::RerunReport,
    Action::Delete,
    Action::CopyUrl,
    Action::Undo,
    Action::SwitchProfile,
    Action::Palette,
    Action::Quit,
];

/// Returns the documented bindings with their keys.
fn bound() -> Vec<(&'static Binding, String)> {
    let keymap = Keymap::default();
    let written = keymap.bound().iter().filter(|bound| bound.binding.scope != KeyScope::RowsBesideText);
    written.map(|bound| (bound.binding, bound.keys_shown())).collect()
}

fn first_keys() -> String {
    let bound = bound();
    FIRST.iter().fold(String::from("| keys | what they do |\n|---|---|\n"), |mut table, action| {
        let first = bound.iter().find(|(binding, _)| binding.action == *action);
        let (binding, keys) = first.expect("a documented action without a key");
        writeln!(table, "| {} | {} |", shown(keys), binding.help).unwrap();
        table
    })
}

/// Returns the rules of the urgency with their points.
fn urgency() -> String {
    RULES.iter().fold(String::from("| part | points |\n|---|---|\n"), |mut table, rule| {
        writeln!(table, "| {} | {} |", rule.name, rule.weight).unwrap();
        table
    })
}

/// `a b` → `` `a` `b` ``
fn shown(keys: &str) -> String {
    keys.split(' ').map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" ")
}

/// Returns the titles of the decisions as links.
fn decisions() -> String {
    files("assets/decisions").iter().fold(String::new(), |mut list, file| {
        let text = read(&format!("assets/decisions/{file}"));
        let title = text.lines().next().unwrap().strip_prefix("# ").unwrap();
        let (number, title) = title.split_once(". ").unwrap();
        assert!(file.starts_with(&format!("{number:0>4}-")), "{file} is not decision {number}");
        for heading in ["## Context", "## Decision", "## Consequences"] {
            assert!(text.contains(heading), "{file} has no heading {heading}");
        }
        writeln!(list, "{number}. [{title}](assets/decisions/{file})").unwrap();
        list
    })
}

/// Returns a table of keys for each part of the screen, in the order of the help page.
fn keys() -> String {
    let mut tables = String::new();
    let mut bound = bound();
    bound.sort_by_key(|(binding, _)| binding.group);
    for scope in KeyScope::iter().filter(|scope| *scope != KeyScope::RowsBesideText) {
        writeln!(tables, "\n## {}\n\n| keys | action | what it does |\n|---|---|---|", heading(scope)).unwrap();
        for (binding, keys) in bound.iter().filter(|(binding, _)| binding.scope == scope) {
            writeln!(tables, "| {} | {} | {} |", shown(keys), binding.action.name(), binding.help).unwrap();
        }
    }
    tables + "\n"
}

/// Returns the heading of the keys of a part of the screen.
fn heading(scope: KeyScope) -> &'static str {
    match scope {
        KeyScope::Everywhere => "Everywhere",
        KeyScope::Rows | KeyScope::RowsBesideText => "Moving through rows",
        KeyScope::Panes => "Panes",
        KeyScope::FilterLine => "Filter line",
        KeyScope::Form => "Forms",
        KeyScope::FormChoice => "Choices and buttons of a form",
        KeyScope::Dialog => "Dialogs",
        KeyScope::DialogButtons => "Dialogs with buttons only",
        KeyScope::List => "Menus and palette",
        KeyScope::Help => "Help",
        KeyScope::Prompt => "Prompts: note, view name, API key, search",
        KeyScope::History => "History",
        KeyScope::Activity => "Requests",
        KeyScope::Run => "Bulk run",
        KeyScope::Queue => "Queue",
        KeyScope::Changes => "Changes",
        KeyScope::Columns => "Columns",
        KeyScope::Overview => "Overview",
        KeyScope::Causes => "Causes",
    }
}

fn qualifiers() -> String {
    QUALIFIERS.iter().fold(String::new(), |mut table, (name, keeps)| {
        writeln!(table, "| `{name}` | {keeps} |").unwrap();
        table
    })
}

/// One test, so that rewritten parts do not overwrite each other.
#[test]
fn generated_tables_match_the_program() {
    part("README.md", "first keys", &first_keys());
    part("assets/docs/guide.md", "qualifiers", &qualifiers());
    part("assets/docs/guide.md", "urgency", &urgency());
    part("assets/docs/keys.md", "keys", &keys());
    part("CONTRIBUTING.md", "decisions", &decisions());
}

#[test]
fn every_file_named_in_a_document_exists() {
    let mut count = 0;
    for document in documents() {
        let text = without_blocks(&read(&document));
        let names = text.split('`').skip(1).step_by(2).filter(|name| !name.contains(' '));
        for name in names.filter(|name| ["src/", "tests/", "assets/", "benches/"].iter().any(|at| name.starts_with(at)))
        {
            assert!(root().join(name).exists(), "{document} names {name}, which does not exist");
            count += 1;
        }
    }
    assert!(count > 60, "only {count} names: are they still written in backticks?");
}

/// Names that a rename in the code would leave behind in the glossary and the tables.
#[test]
fn every_name_of_the_code_in_contributing_exists() {
    let code: String =
        sources(&["src", "tests/it"]).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: BTreeSet<&str> = code.split(|letter| !is_word(letter)).collect();
    let text = without_blocks(&read("CONTRIBUTING.md"));
    let names = text.split('`').skip(1).step_by(2).filter(|name| !name.contains([' ', '/', '.', '-', '*']));
    let of_code = |name: &&str| {
        let is_written_small = name.contains(char::is_lowercase);
        is_written_small && (name.starts_with(char::is_uppercase) || name.contains("::") || name.contains('_'))
    };
    let mut count = 0;
    for part in names.filter(of_code).flat_map(|name| name.split(|letter| !is_word(letter))) {
        assert!(part.is_empty() || words.contains(part), "CONTRIBUTING.md names {part}, which the code does not");
        count += 1;
    }
    assert!(count > 15, "only {count} names: are they still written in backticks?");
}

/// Returns a text without its code blocks.
fn without_blocks(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

#[test]
fn every_link_and_picture_exists() {
    let mut pictures = BTreeSet::new();
    for document in documents() {
        let text = read(&document);
        let folder = root().join(&document).parent().unwrap().to_owned();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let sources = text
            .split("src")
            .skip(1)
            .filter_map(|rest| rest.strip_prefix("set=\"").or_else(|| rest.strip_prefix("=\""))?.split('"').next());
        for target in links.chain(sources).filter(|target| !target.starts_with("https://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let place = folder.join(file);
            assert!(place.exists(), "{document} links to {target}, which does not exist");
            let linked = place.canonicalize().unwrap();
            let is_reachable = !is_packaged(Path::new(&document)) || is_packaged(linked.strip_prefix(root()).unwrap());
            assert!(is_reachable, "the Debian package has {document}, which links to {target}, but not that file");
            if !heading.is_empty() {
                let there = std::fs::read_to_string(&place).unwrap().to_lowercase();
                assert!(
                    there.contains(&format!("# {}\n", heading.replace('-', " "))),
                    "{document}: no heading {target}"
                );
            }
            let name = file.rsplit_once("pictures/").map(|(_, name)| name.to_owned());
            pictures.extend(name);
        }
    }
    assert_eq!(pictures, files("assets/pictures"), "each picture has a dark and a light version");
}

/// Whether the Debian package has a file or folder among its documents, at the same place as in the repository.
fn is_packaged(file: &Path) -> bool {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    manifest["package"]["metadata"]["deb"]["assets"].as_array().unwrap().iter().any(|asset| {
        let (source, place) = (asset[0].as_str().unwrap(), asset[1].as_str().unwrap());
        let Some(place) = place.strip_prefix("usr/share/doc/reportdeck/") else { return false };
        let (start, end) = source.split_once('*').unwrap_or((source, ""));
        let rest = file.to_str().unwrap().strip_prefix(start);
        let is_matched = rest.is_some_and(|rest| rest.ends_with(end) && !rest.contains('/'));
        source.starts_with(place) && (is_matched || Path::new(start) == file)
    })
}

/// Returns the commands of the documents' shell blocks and of the systemd units that run the program, without shell
/// syntax.
fn commands() -> Vec<(String, Vec<String>)> {
    let mut commands = Vec::new();
    for document in documents() {
        let text = read(&document);
        for block in text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            for line in block.lines() {
                let line = line.split(" #").next().unwrap();
                for part in line.split('|').map(|part| part.split('>').next().unwrap().trim()) {
                    if let Some(arguments) = part.strip_prefix("reportdeck") {
                        let arguments = arguments.split_whitespace().map(str::to_owned).collect();
                        commands.push((document.clone(), arguments));
                    }
                }
            }
        }
    }
    for unit in files("assets/deploy").into_iter().filter(|file| file.ends_with(".service")) {
        let text = read(&format!("assets/deploy/{unit}")).replace("$$(date +%%a)", "Mon").replace("%i", "8750");
        for started in text.split("/usr/bin/reportdeck").skip(1) {
            let arguments = started.split(['\n', '|', '>', '"']).next().unwrap();
            commands.push((unit.clone(), arguments.split_whitespace().map(str::to_owned).collect()));
        }
    }
    commands
}

#[test]
fn the_deployed_configurations_are_valid() {
    for file in ["config.toml", "containers/config.toml"] {
        let person = CliUser::new();
        person.configure(&read(&format!("assets/deploy/{file}")));
        let key = person.home().join(".config/reportdeck/nightly.key");
        std::fs::write(&key, "a-key").unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        let checked = person.run(&["config", "check"]);
        assert_eq!(checked.code, 0, "{file}: {checked:?}");
    }
}

#[test]
fn every_command_shown_in_a_document_is_valid() {
    let commands = commands();
    assert!(commands.len() > 10, "{commands:?}");
    for (document, mut arguments) in commands {
        // `--help` still parses the options and looks up the subcommands, but nothing is executed.
        arguments.push("--help".to_owned());
        let output = Command::new(env!("CARGO_BIN_EXE_reportdeck")).args(&arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{document} shows {arguments:?}: {stderr}");
    }
}

#[test]
fn every_word_of_an_option_is_documented() {
    fn words<F: IntoEnumIterator + Into<&'static str>>() -> Vec<&'static str> {
        F::iter().map(Into::into).collect()
    }
    let (themes, presets) = (words::<ThemeName>(), words::<Preset>());
    let others = [words::<Density>(), words::<Times>(), words::<StartScreen>(), words::<Accent>()].concat();
    let both = [themes, presets].concat();
    for (document, words) in
        [("assets/config/config.toml", [both.clone(), others].concat()), ("assets/docs/configuration.md", both)]
    {
        let text = read(document);
        let named: BTreeSet<&str> = text.split(|letter: char| !letter.is_alphanumeric() && letter != '-').collect();
        for word in words {
            assert!(named.contains(word), "{document} does not name {word}, which an option accepts");
        }
    }
}

#[test]
fn every_migration_is_executed() {
    for (folder, list) in [
        ("assets/migrations/sqlite", "src/service/store/sqlite/database/migrations.rs"),
        ("assets/migrations/postgres", "src/service/store/postgres/migrations.rs"),
        ("assets/journal", "src/journal/database.rs"),
    ] {
        for file in files(folder) {
            assert!(read(list).contains(&format!("/{file}\"")), "{folder}/{file}: add it to MIGRATIONS in {list}");
        }
    }
}

#[test]
fn the_changelog_lists_the_version() {
    let changelog = read("CHANGELOG.md");
    assert!(changelog.contains("## [Unreleased]"));
    assert!(
        changelog.contains(env!("CARGO_PKG_VERSION")),
        "the changelog does not mention {}",
        env!("CARGO_PKG_VERSION")
    );
}

#[test]
fn every_dependency_has_a_reason() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut in_dependencies = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies");
        } else if in_dependencies && line.contains('=') {
            assert!(line.contains("# "), "no reason given: {line}");
        }
    }
}

/// Returns the Rust files of folders.
fn sources(folders: &[&str]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn every_source_file_begins_with_a_description() {
    for path in sources(&["src", "tests", "benches"]) {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//! "), "{} has no description", path.display());
    }
}
