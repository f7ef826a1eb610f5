//! The same operations for every program: ours, and peers from crates.io whose binaries are on the PATH.
//!
//! Defines how to start a program, which keys perform an operation, and which text shows that it is complete.

#![allow(dead_code, clippy::unwrap_used)] // a bench may panic

use std::path::{Path, PathBuf};

use portable_pty::CommandBuilder;

use crate::table::Table;

/// A program and how to operate it.
pub struct Peer {
    /// Its name, which is also that of its binary.
    pub name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    /// Shown when the program is ready for keys.
    pub ready: String,
    /// Shown when all rows are loaded.
    pub loaded: String,
    /// Keys after which the cursor moves line by line.
    pub enter: &'static str,
    /// Key for the next line.
    pub line: &'static str,
    /// Key for the next page; empty if there are no pages.
    pub page: &'static str,
    /// Key for the first line.
    pub top: &'static str,
    /// Lines per page, less those moved by the bench before.
    pub lines: usize,
    /// Keys of a filter without the last one, the last one, the text then shown, and keys that clear the filter.
    pub filter: Option<(String, String, String, &'static str)>,
    /// Keys of a sort without the last one, the last one, the text then shown, and the text no longer shown.
    pub sort: Option<(&'static str, &'static str, String, String)>,
    /// Keys that prepare a request, keys that send it, and the text of the response.
    pub send: Option<(&'static str, &'static str, &'static str)>,
    /// Keys that quit the program.
    pub quit: &'static str,
}

impl Peer {
    /// Returns the command that starts it, with an empty home directory.
    pub fn command(&self, home: &Path) -> CommandBuilder {
        let mut command = CommandBuilder::new(&self.program);
        command.args(&self.arguments);
        command.env_clear();
        let path = std::env::var("PATH").unwrap_or_default();
        for (name, value) in
            [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8"), ("PATH", &path)]
        {
            command.env(name, value);
        }
        command.env("HOME", home);
        command.cwd(home);
        command
    }
}

/// Our program on a data directory.
pub fn ours(data: &Path, table: &Table) -> Peer {
    Peer {
        name: "reportdeck",
        program: installed(Path::new(env!("CARGO_BIN_EXE_reportdeck")), data),
        arguments: vec!["--data".to_owned(), data.display().to_string()],
        ready: short(&table.newest).to_owned(),
        loaded: "100,000 reports".to_owned(),
        enter: "",
        line: "j",
        page: "\x1b[6~",
        top: "g",
        lines: 38,
        filter: Some((
            format!("/{}", &table.term[..table.term.len() - 1]),
            table.term[table.term.len() - 1..].to_owned(),
            format!("showing {} of", table.hits),
            "\r\x1b\x1b",
        )),
        // A click on the column heading of the URLs. The cursor stays on its report, so the rows around it change.
        sort: Some(("", "\x1b[<0;49;3M\x1b[<0;49;3m", "URL↑".to_owned(), short(&table.second_newest).to_owned())),
        // The form of the report under the cursor, with the next privacy setting.
        send: Some(("je\x1b[C", "\x13", "undoes")),
        quit: "q",
    }
}

/// The name of another build of ours, which is not a peer.
pub const OTHER_BUILD: &str = "the other build";

/// Another build of ours, if `REPORTDECK_ALSO` names one, to compare two build profiles in one run.
pub fn other_build(data: &Path, table: &Table) -> Option<Peer> {
    let program = PathBuf::from(std::env::var_os("REPORTDECK_ALSO")?);
    let ours = ours(data, table);
    Some(Peer { name: OTHER_BUILD, program: installed(&program, data), ..ours })
}

/// Copies a program, as installing it does. The peers are such copies; a file that a linker has just written is
/// scattered in memory, and can take twice the processor time.
fn installed(program: &Path, data: &Path) -> PathBuf {
    let copied = data.with_extension("program");
    std::fs::copy(program, &copied).unwrap();
    copied
}

/// Returns the peers whose binaries are found.
pub fn peers(work: &Path, table: &Table, port: u16) -> Vec<Peer> {
    let csv = table.file.display().to_string();
    let all = [csvlens(&csv, table), tabiew(&csv, table), atac(work, port), slumber(work, port)];
    all.into_iter().filter_map(|peer| Some(Peer { program: found(peer.program.to_str()?)?, ..peer })).collect()
}

fn csvlens(csv: &str, table: &Table) -> Peer {
    Peer {
        name: "csvlens",
        program: "csvlens".into(),
        arguments: vec![csv.to_owned()],
        ready: table.oldest.clone(),
        loaded: "1/100000".to_owned(),
        enter: "",
        line: "j",
        page: "\x1b[6~",
        top: "g",
        lines: 36,
        filter: Some((
            format!("&{}", table.term),
            "\r".to_owned(),
            format!("Filter \"{}\": 1/{}]", table.term, table.hits),
            "r",
        )),
        sort: Some(("g\t\x1b[C", "J", table.first.clone(), "no such text".to_owned())),
        send: None,
        quit: "q",
    }
}

fn tabiew(csv: &str, table: &Table) -> Peer {
    let (begin, last) = table.term.split_at(table.term.len() - 1);
    Peer {
        name: "tabiew",
        program: "tw".into(),
        arguments: vec![csv.to_owned()],
        ready: table.oldest.clone(),
        loaded: "100000 x 6".to_owned(),
        enter: "",
        line: "j",
        page: "\x1b[6~",
        top: "g",
        lines: 36,
        filter: Some((format!("?{begin}"), last.to_owned(), format!("{} x 6", table.hits), "\rq")),
        sort: Some((":o url", "\r", table.first.clone(), "no such text".to_owned())),
        send: None,
        quit: "Q",
    }
}

/// Creates forty requests, to be selected and sent.
fn atac(work: &Path, port: u16) -> Peer {
    let folder = work.join("atac");
    std::fs::create_dir_all(&folder).unwrap();
    let program = found("atac");
    for number in 0..40 {
        let name = format!("demo/r{number}");
        let url = format!("http://127.0.0.1:{port}/{number}");
        let Some(program) = &program else { break };
        let quiet = |arguments: &[&str]| {
            let mut command = std::process::Command::new(program);
            let _ = command.arg("-d").arg(&folder).args(arguments).output();
        };
        if number == 0 {
            let _ = std::fs::remove_file(folder.join("demo.json"));
            quiet(&["collection", "new", "demo"]);
        }
        quiet(&["request", "new", &name, "-u", &url]);
    }
    Peer {
        name: "atac",
        program: "atac".into(),
        arguments: vec!["-d".to_owned(), folder.display().to_string()],
        ready: "Collections".to_owned(),
        loaded: "demo".to_owned(),
        enter: "\x1b[B\r",
        line: "\x1b[B",
        page: "",
        top: "",
        lines: 36,
        filter: None,
        sort: None,
        // The request above, which has no response yet.
        send: Some(("\x1b[A\r", " ", "it came")),
        quit: "\x1b\x1bq",
    }
}

fn slumber(work: &Path, port: u16) -> Peer {
    let file = work.join("slumber.yml");
    let request = |number| format!("  r{number}:\n    method: GET\n    url: http://127.0.0.1:{port}/{number}\n");
    let requests: String = (0..40).map(request).collect();
    std::fs::write(&file, format!("requests:\n{requests}")).unwrap();
    Peer {
        name: "slumber",
        program: "slumber".into(),
        arguments: vec!["-f".to_owned(), file.display().to_string()],
        ready: "r1".to_owned(),
        loaded: "r1".to_owned(),
        // Focuses the list of requests.
        enter: "r",
        line: "\x1b[B",
        page: "",
        top: "",
        lines: 30,
        filter: None,
        sort: None,
        send: Some(("\x1b[A", "\r", "it came")),
        quit: "q",
    }
}

/// Returns the URL as shown in our list.
fn short(url: &str) -> &str {
    url.trim_start_matches("https://")
}

fn found(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
