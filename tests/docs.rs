//! Documents that stay true: the README's screen, its tables, and every file it names.
//!
//! `UPDATE_README=1 cargo test --test docs` writes the generated parts anew; review them like code.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "support/session.rs"]
mod session;
#[path = "support/states.rs"]
mod states;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use reportdeck::app::message::Message;
use reportdeck::domain::filter::QUALIFIERS;
use reportdeck::input::bindings::Group;
use reportdeck::input::context::Scope;
use reportdeck::input::keymap::Keymap;
use strum::IntoEnumIterator;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

/// The part between `<!-- name… -->` and `<!-- /name -->` must be this; or is written, if that is asked for.
fn part(name: &str, expected: &str) {
    let text = readme();
    let opening = text.find(&format!("<!-- {name}")).unwrap_or_else(|| panic!("the README has no {name}"));
    let start = opening + text[opening..].find("-->\n").unwrap() + 4;
    let end = text.find(&format!("<!-- /{name} -->")).unwrap();
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(root().join("README.md"), format!("{}{expected}{}", &text[..start], &text[end..])).unwrap();
        return;
    }
    assert_eq!(&text[start..end], expected, "UPDATE_README=1 cargo test --test docs writes it anew");
}

fn screen() -> String {
    let mut app = states::opened();
    loop {
        let (text, drawn) = session::draw(&app, 118, 24);
        if drawn == app.drawn {
            return format!("```text\n{text}\n```\n");
        }
        app.update(Message::Drawn(drawn), states::now());
    }
}

fn keys() -> String {
    let mut table = String::from("| keys | action | what it does |\n|---|---|---|\n");
    for group in Group::iter() {
        for bound in Keymap::default().bound() {
            let binding = bound.binding;
            if binding.group != group || binding.scope == Scope::RowsBesideText {
                continue;
            }
            let keys = bound.keys_shown();
            let keys = keys.split(' ').map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" ");
            writeln!(table, "| {keys} | {} | {} |", binding.action.name(), binding.help).unwrap();
        }
    }
    table
}

fn qualifiers() -> String {
    QUALIFIERS.iter().fold(String::new(), |mut table, (name, keeps)| {
        writeln!(table, "| `{name}` | {keeps} |").unwrap();
        table
    })
}

/// One test, so that parts written anew do not overwrite each other.
#[test]
fn generated_parts_are_those_of_the_program() {
    part("screen", &screen());
    part("qualifiers", &qualifiers());
    part("keys", &keys());
}

#[test]
fn every_file_that_the_readme_names_is_there() {
    let text = readme();
    let names: Vec<&str> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| name.contains('/') && name.contains('.') && !name.contains(' '))
        .collect();
    let ours: Vec<&&str> = names
        .iter()
        .filter(|name| ["src/", "tests/", "assets/"].iter().any(|folder| name.starts_with(folder)))
        .collect();
    assert!(ours.len() > 10, "{names:?}");
    for name in ours {
        assert!(Path::new(&root().join(name)).exists(), "the README names {name}, which is not there");
    }
}

#[test]
fn every_dependency_says_why_it_is_there() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut in_dependencies = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies");
        } else if in_dependencies && line.contains('=') {
            assert!(line.contains("# "), "without a reason: {line}");
        }
    }
}

#[test]
fn every_source_begins_with_what_it_is() {
    let mut folders = vec![root().join("src"), root().join("tests"), root().join("benches")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(text.starts_with("//! "), "{} does not say what it is", path.display());
            }
        }
    }
}
