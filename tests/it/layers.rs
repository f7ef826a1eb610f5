//! The direction of imports between layers: every source file is checked against a table.
//!
//! A name counts wherever it starts a path: in grouped imports, in inline paths, and in tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folder, the folders it may import (besides itself), and the crates it must never import.
const LAYERS: [(&str, &[&str], &[&str]); 10] = [
    (
        "domain",
        &[],
        &["ratatui", "crossterm", "tokio", "reqwest", "axum", "rusqlite", "tokio_postgres", "hyper", "tui_input"],
    ),
    ("api", &["domain"], &["ratatui", "crossterm", "axum", "rusqlite", "tokio_postgres", "tui_input"]),
    ("audit", &["domain"], &["ratatui", "crossterm", "axum", "rusqlite", "tokio_postgres", "reqwest", "tui_input"]),
    ("service", &["domain", "audit", "api::contract"], &["ratatui", "crossterm", "reqwest", "tui_input"]),
    ("journal", &["domain"], &["ratatui", "crossterm", "axum", "reqwest"]),
    ("input", &["domain"], &["ratatui", "tokio", "reqwest", "axum", "rusqlite", "tokio_postgres"]),
    (
        "app",
        &["domain", "input"],
        &["ratatui", "crossterm", "tokio", "reqwest", "rusqlite", "tokio_postgres", "axum", "hyper"],
    ),
    (
        "view",
        &["app", "domain", "input"],
        &["tokio", "reqwest", "rusqlite", "tokio_postgres", "axum", "crossterm", "hyper"],
    ),
    (
        "runtime",
        &["domain", "app", "api", "input", "view", "journal", "config"],
        &["axum", "rusqlite", "tokio_postgres"],
    ),
    ("config", &["domain"], &["ratatui", "crossterm", "axum", "reqwest", "rusqlite", "tokio_postgres"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Returns the words and punctuation of a source, without comments, strings and characters.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |at| at + 2)
        } else if first == '"' {
            string_length(rest)
        } else if rest.starts_with("'\"'") {
            3
        } else if rest.starts_with("'\\\"'") {
            4
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let token = &rest[..taken];
        if !token.trim().is_empty() && !token.starts_with("//") && !token.contains('"') {
            tokens.push(token.to_owned());
        }
        rest = &rest[taken..];
    }
    tokens
}

fn string_length(rest: &str) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    rest.len()
}

/// Returns every path in the tokens, with groups expanded: `use crate::{api, domain::text}` gives `crate::api` and
/// `crate::domain::text`.
fn paths(tokens: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut prefixes: Vec<String> = vec![String::new()];
    let mut current = String::new();
    let mut in_use = false;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map_or("", String::as_str);
        match token.as_str() {
            "use" => {
                in_use = true;
                current.clear();
            }
            ":" => {}
            "{" if in_use => {
                prefixes.push(current.clone());
            }
            "}" if in_use => {
                found.insert(std::mem::take(&mut current));
                prefixes.pop();
            }
            "," if in_use => {
                found.insert(std::mem::take(&mut current));
                current.clone_from(prefixes.last().unwrap());
            }
            ";" if in_use => {
                found.insert(std::mem::take(&mut current));
                in_use = false;
                prefixes.truncate(1);
            }
            word => {
                let joins = at >= 2 && tokens[at - 1] == ":" && tokens[at - 2] == ":";
                if in_use && current.is_empty() {
                    current.clone_from(prefixes.last().unwrap());
                }
                if in_use || joins {
                    if !current.is_empty() {
                        current.push_str("::");
                    }
                    current.push_str(word);
                } else {
                    found.insert(std::mem::take(&mut current));
                    if next == ":" {
                        word.clone_into(&mut current);
                    }
                }
            }
        }
    }
    found.insert(current);
    found.remove("");
    found
}

fn offences(folder: &str, allowed: &[&str], forbidden: &[&str], source: &str) -> Vec<String> {
    let names = paths(&tokens(source));
    let ours = LAYERS.map(|(folder, ..)| folder).into_iter().chain(["cli"]);
    let mut offences = Vec::new();
    for layer in ours.filter(|layer| *layer != folder) {
        let root = format!("crate::{layer}");
        for name in names.iter().filter(|name| **name == root || name.starts_with(&format!("{root}::"))) {
            let inside = name.trim_start_matches("crate::");
            if !allowed.iter().any(|allowed| inside == *allowed || inside.starts_with(&format!("{allowed}::"))) {
                offences.push(name.clone());
            }
        }
    }
    for name in &names {
        if forbidden.contains(&name.split("::").next().unwrap_or_default()) {
            offences.push(name.clone());
        }
    }
    offences
}

#[test]
fn every_layer_imports_only_what_it_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut offenders = Vec::new();
    for (folder, allowed, forbidden) in LAYERS {
        let files = sources(&root.join(folder));
        assert!(!files.is_empty(), "{folder} has no sources: the table is out of date");
        for file in files {
            for name in offences(folder, allowed, forbidden, &fs::read_to_string(&file).unwrap()) {
                offenders.push(format!("{} names {name}; {folder} may import {allowed:?}", file.display()));
            }
        }
    }
    assert!(
        offenders.is_empty(),
        "{}\nMove the code to a layer that may import it, or pass its result in. src/lib.rs describes the layers.",
        offenders.join("\n")
    );
}

/// The only file that builds commands: it removes the variables that contain keys.
const BUILDS_COMMANDS: &str = "src/config/child_process.rs";

/// Whether a source starts programs itself, with `Command::new` or with the functions of `open` that build and start
/// one.
fn starts_programs(source: &str) -> bool {
    let words = tokens(source);
    let named = |path: &[&str]| words.windows(path.len()).any(|words| words.iter().eq(path));
    named(&["Command", ":", ":", "new"])
        || ["that", "that_detached", "that_in_background", "with", "with_detached", "with_command"]
            .iter()
            .any(|function| named(&["open", ":", ":", function]))
}

#[test]
fn commands_are_built_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let builder = root.join(BUILDS_COMMANDS);
    assert!(starts_programs(&fs::read_to_string(&builder).unwrap()), "{BUILDS_COMMANDS} no longer builds commands");
    for file in sources(&root.join("src")) {
        let is_test = file.file_name().unwrap().to_string_lossy().ends_with("_tests.rs");
        if file != builder && !is_test {
            let starts = starts_programs(&fs::read_to_string(&file).unwrap());
            assert!(!starts, "{} starts a program: use `KeyVariables::command`", file.display());
        }
    }
    for source in ["Command::new(\"x\")", "std::process::Command::new(x)", "open::that_detached(url)"] {
        assert!(starts_programs(source), "{source}");
    }
    assert!(!starts_programs("open::commands(url); Command::from(x)"));
}

/// The files that open connections or look up names: the client of services, and the audits. PostgreSQL is reached from
/// its folder only, see below.
const CONNECTS: [&str; 3] = ["src/api/http_pool.rs", "src/audit/fetch/fetcher.rs", "src/audit/fetch/resolve.rs"];

fn opens_connections(source: &str) -> bool {
    let words = tokens(source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default());
    let named = |path: &[&str]| words.windows(path.len()).any(|words| words.iter().eq(path));
    ["TcpStream", "TcpSocket", "UnixStream"].iter().any(|stream| named(&[stream, ":", ":", "connect"]))
        || ["Client", "ClientBuilder"].iter().any(|client| named(&["reqwest", ":", ":", client, ":", ":"]))
        || ["UdpSocket", "lookup_host", "to_socket_addrs"].iter().any(|name| named(&[name]))
}

#[test]
fn connections_are_opened_by_the_client_and_by_audits_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in sources(&root.join("src")) {
        let is_test = file.file_name().unwrap().to_string_lossy().contains("test");
        let may = CONNECTS.iter().any(|name| file == root.join(name));
        let opens = opens_connections(&fs::read_to_string(&file).unwrap());
        let file = file.display();
        assert!(is_test || may || !opens, "{file} opens connections: only the files of CONNECTS may, see SECURITY.md");
        assert!(opens || !may, "{file} opens no connections: remove it from CONNECTS");
    }
    for source in ["tokio::net::TcpStream::connect(x)", "reqwest::Client::new()", "use std::net::UdpSocket;"] {
        assert!(opens_connections(source), "{source}");
    }
}

/// The crates of an engine may be named only in the engine's folder of the store; the rest of the service does not
/// depend on the engine.
#[test]
fn only_the_folder_of_an_engine_names_its_crates() {
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/service");
    let engines: [(&str, &[&str]); 2] =
        [("store/sqlite", &["rusqlite"]), ("store/postgres", &["tokio_postgres", "deadpool_postgres"])];
    for (folder, crates) in engines {
        for file in sources(&service) {
            let words = tokens(&fs::read_to_string(&file).unwrap());
            let named = words.iter().find(|word| crates.contains(&word.as_str()));
            let is_inside = file.starts_with(service.join(folder));
            assert!(
                is_inside || named.is_none(),
                "{} names {named:?}: use the traits of store/sql.rs, or move the code to src/service/{folder}",
                file.display()
            );
        }
    }
}

#[test]
fn only_the_theme_names_colours() {
    let view = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/view");
    let themes = [view.join("theme")];
    let others = |file: &PathBuf| !themes.iter().any(|theme| file.starts_with(theme));
    for file in sources(&view).into_iter().filter(others) {
        let words = tokens(&fs::read_to_string(&file).unwrap());
        assert!(!words.iter().any(|word| word == "Color"), "{} names Color: use a style of the theme", file.display());
    }
}

#[test]
fn every_form_of_import_is_recognized() {
    let allowed: &[&str] = &["domain"];
    for (source, expected) in [
        ("use crate::service::store;", 1),
        ("use crate::{domain::text, service::{self, store}};", 2),
        ("fn f() { crate::service::start(); }", 1),
        ("use {axum::Router, std::fmt};", 1),
        ("fn f() -> axum::Router { axum::Router::new() }", 2),
        ("use crate::domain::text; // crate::service::x", 0),
        ("const X: &str = \"crate::service::x axum::y\";", 0),
        ("/// See [`crate::service`].\nfn f() { std::fmt::axum() }", 0),
    ] {
        let found: BTreeSet<String> = offences("api", allowed, &["axum"], source).into_iter().collect();
        assert_eq!(found.len(), expected, "{source}: {found:?}");
    }
}

/// Returns the module of a file: `src/app/panes/mod.rs` is `app::panes`.
fn module_of(src: &Path, file: &Path) -> String {
    let path = file.strip_prefix(src).unwrap().with_extension("");
    let parts = path.iter().map(|part| part.to_str().unwrap()).filter(|part| *part != "mod");
    parts.collect::<Vec<_>>().join("::")
}

/// Removes everything that is not an import: test modules, which may import anything, and visibilities.
fn imports_only(source: &str) -> String {
    source.split("#[cfg(test)]\nmod tests {").next().unwrap_or(source).replace("pub(in crate::", "pub(in ")
}

/// Returns which of these modules an import path leads to, if any.
fn resolve(path: &str, module: &str, modules: &BTreeSet<String>) -> Option<String> {
    let mut base: Vec<&str> = module.split("::").collect();
    let mut parts = path.split("::").peekable();
    match parts.peek().copied() {
        Some("crate") => {
            parts.next();
            base.clear();
        }
        Some("super" | "self") => {
            while let Some(word) = parts.next_if(|word| matches!(*word, "super" | "self")) {
                if word == "super" {
                    base.pop();
                }
            }
        }
        // A single word may also be the name of a field.
        Some(child) if path.contains("::") && modules.contains(&format!("{module}::{child}")) => {}
        _ => return None,
    }
    let mut full: Vec<&str> = base.into_iter().chain(parts).collect();
    while !full.is_empty() {
        let name = full.join("::");
        if modules.contains(&name) {
            return Some(name);
        }
        full.pop();
    }
    None
}

/// Returns the files of a layer that form an import cycle, each with its imports within the cycle.
fn circles(sources: &[(String, String)]) -> Vec<String> {
    let modules: BTreeSet<String> = sources.iter().map(|(module, _)| module.clone()).collect();
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, source) in sources {
        let named = paths(&tokens(&imports_only(source)));
        let targets = named.iter().filter_map(|path| resolve(path, module, &modules)).filter(|target| target != module);
        imports.insert(module.clone(), targets.collect());
    }
    // Files that import none of the others, or are imported by none, are in no cycle.
    loop {
        let rest: BTreeSet<String> = imports.keys().cloned().collect();
        let imported: BTreeSet<String> = imports.values().flatten().cloned().collect();
        imports.retain(|module, _| imported.contains(module));
        for targets in imports.values_mut() {
            targets.retain(|target| rest.contains(target));
        }
        imports.retain(|_, targets| !targets.is_empty());
        if imports.len() == rest.len() {
            break;
        }
    }
    imports.iter().map(|(module, targets)| format!("{module} imports {targets:?}")).collect()
}

fn modules_of(layer: &str) -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let is_test = |file: &PathBuf| file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests"));
    let files = sources(&src.join(layer)).into_iter().filter(|file| !is_test(file));
    files.map(|file| (module_of(&src, &file), fs::read_to_string(&file).unwrap())).collect()
}

#[test]
fn files_of_a_layer_have_no_import_cycles() {
    let mut found = Vec::new();
    for layer in LAYERS.map(|(layer, ..)| layer).into_iter().chain(["cli"]) {
        found.extend(circles(&modules_of(layer)));
    }
    assert!(
        found.is_empty(),
        "{}\nThese files import each other in a circle: move what they share to a file that imports none of them.",
        found.join("\n")
    );
}

#[test]
fn import_cycles_are_found_through_every_form_of_import() {
    let find = |sources: &[(&str, &str)]| {
        let owned: Vec<_> =
            sources.iter().map(|(module, source)| ((*module).to_owned(), (*source).to_owned())).collect();
        circles(&owned).len()
    };
    assert_eq!(find(&[("a", "mod b; use b::X;"), ("a::b", "use super::Y;")]), 2, "a parent and its child");
    assert_eq!(find(&[("a", "mod b;"), ("a::b", "use super::Y;")]), 0, "`mod` is no import");
    assert_eq!(find(&[("a::b", "fn f() { crate::a::c::g() }"), ("a::c", "use crate::a::{b::f, d};")]), 2);
    assert_eq!(find(&[("a::b", "use super::c::X;"), ("a::c", "use super::d::X;"), ("a::d", "use super::b;")]), 3);
    assert_eq!(find(&[("a::b", "use super::c::X;"), ("a::c", "#[cfg(test)]\nmod tests { use crate::a::b; }")]), 0);
}

/// The maximum number of files in a folder.
const MOST_FILES: usize = 15;

#[test]
fn no_folder_holds_more_than_fifteen_files() {
    let mut folders = ["src", "tests/it"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).to_vec();
    let mut crowded = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let files = entries.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")).count();
        if files > MOST_FILES {
            crowded.push(format!("{}: {files}", folder.display()));
        }
        folders.extend(entries.into_iter().filter(|path| path.is_dir()));
    }
    assert!(crowded.is_empty(), "{}\nMove the files of one topic to a folder of their own.", crowded.join("\n"));
}
