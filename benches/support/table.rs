//! The reports of a database as a CSV file for other programs, and the texts to look for in it.

#![allow(clippy::unwrap_used)] // a bench may panic

use std::path::{Path, PathBuf};
use std::process::Command;

/// The columns that every program gets.
const COLUMNS: [&str; 6] = ["id", "url", "project", "result", "generated_at", "privacy"];

/// A table of reports.
pub struct Table {
    /// The CSV file, oldest id first.
    pub file: PathBuf,
    /// The term to filter by.
    pub term: String,
    /// The number of URLs that contain it.
    pub hits: usize,
    /// The URL of the first row of the file.
    pub oldest: String,
    /// The URL of the newest report.
    pub newest: String,
    /// The URL of the second newest report.
    pub second_newest: String,
    /// The first URL in alphabetical order.
    pub first: String,
}

impl Table {
    /// Exports all reports of the data directory with the program, into this file.
    pub fn of(data: &Path, file: PathBuf, term: &str) -> Self {
        let mut list = Command::new(env!("CARGO_BIN_EXE_reportdeck"));
        list.arg("--data").arg(data).args(["reports", "list", "--format", "csv"]);
        let listed = list.output().unwrap();
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
        let mut reader = csv::Reader::from_reader(&*listed.stdout);
        let headings = reader.headers().unwrap().clone();
        let places = COLUMNS.map(|name| headings.iter().position(|heading| heading == name).unwrap());
        let mut writer = csv::Writer::from_path(&file).unwrap();
        writer.write_record(COLUMNS).unwrap();
        let mut rows: Vec<(String, String)> = Vec::new();
        for record in reader.records().map(Result::unwrap) {
            writer.write_record(places.map(|place| &record[place])).unwrap();
            rows.push((record[places[1]].to_owned(), record[places[4]].to_owned()));
        }
        writer.flush().unwrap();
        let by_time = |newer: usize| {
            let mut times: Vec<&(String, String)> = rows.iter().collect();
            times.sort_by(|a, b| b.1.cmp(&a.1));
            times[newer].0.clone()
        };
        Self {
            file,
            term: term.to_owned(),
            hits: rows.iter().filter(|(url, _)| url.contains(term)).count(),
            oldest: rows[0].0.clone(),
            newest: by_time(0),
            second_newest: by_time(1),
            first: rows.iter().map(|(url, _)| url.clone()).min().unwrap(),
        }
    }
}
