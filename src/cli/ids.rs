//! The ids that a command is given: as arguments, or from stdin where `-` stands in their place.
//!
//! Must not know what is done with them.

use std::collections::HashSet;
use std::io::{self, BufRead};

use serde_json::Value;

use super::problem::{Problem, say};
use crate::domain::report::ReportId;

/// Stands for the ids on stdin.
const STDIN: &str = "-";

/// True when the ids come from stdin.
pub(super) fn are_on_stdin(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| argument == STDIN)
}

/// The ids, each once, in the order in which they were given.
pub(super) fn read(arguments: &[String]) -> Result<Vec<ReportId>, Problem> {
    let given = match arguments {
        [only] if only == STDIN => {
            let ids = from_lines(io::stdin().lock())?;
            if ids.is_empty() {
                say("note: no ids came from stdin; there is nothing to do");
            }
            ids
        }
        _ if are_on_stdin(arguments) => {
            return Err(Problem::usage("- reads the ids from stdin and stands alone", "Leave the other ids out"));
        }
        _ => arguments.to_vec(),
    };
    let mut known = HashSet::new();
    Ok(given.iter().map(|id| ReportId::new(id)).filter(|id| known.insert(id.clone())).collect())
}

/// One id a line, bare or in a record as our own lists print them in a pipe. Empty lines say nothing.
fn from_lines(lines: impl BufRead) -> Result<Vec<String>, Problem> {
    let mut ids = Vec::new();
    for (line, number) in lines.lines().zip(1..) {
        let line = line.map_err(|error| Problem::usage(format!("stdin cannot be read: {error}"), "Send ids"))?;
        let line = line.trim();
        if line.starts_with(['{', '[']) {
            let id = id_of(line).ok_or_else(|| {
                let advice = "Send one id a line, or the jsonl of a list";
                Problem::usage(format!("line {number} of stdin is JSON without an id"), advice)
            })?;
            ids.push(id);
        } else if !line.is_empty() {
            ids.push(line.to_owned());
        }
    }
    Ok(ids)
}

fn id_of(record: &str) -> Option<String> {
    match serde_json::from_str::<Value>(record).ok()?.get("id")? {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_bare_and_from_records() {
        let lines = "12\r\n\n  a b \n{\"id\":\"7\",\"url\":\"x\"}\n{\"id\": 8}\n";
        assert_eq!(from_lines(lines.as_bytes()).unwrap(), ["12", "a b", "7", "8"]);
        for line in ["{\"id\":null}", "{\"id\":\"\"}", "[1,2]", "{", "[\n"] {
            assert!(from_lines(line.as_bytes()).is_err(), "{line}");
        }
        assert!(from_lines(&b"\xff\n"[..]).is_err());
    }

    #[test]
    fn an_id_given_twice_is_one_id() {
        let ids = read(&["2", "1", "2"].map(str::to_owned)).unwrap();
        assert_eq!(ids.iter().map(ReportId::raw).collect::<Vec<_>>(), ["2", "1"]);
        assert!(read(&["-", "1"].map(str::to_owned)).is_err());
    }
}
