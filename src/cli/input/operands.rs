//! Operands: ids or URLs from arguments, or from stdin for `-`.
//!
//! Stdin contains one per line, CSV with a column named `id` or `url`, a JSON array, or JSON lines. CSV is separated by
//! commas, semicolons or tabs.

use std::collections::HashSet;
use std::io::{self, Read};

use serde_json::Value;

use crate::cli::exit::{CommandError, print_note};
use crate::domain::export::csv::escape_formula;
use crate::domain::report::privacy::Privacy;

/// The argument for stdin.
const STDIN: &str = "-";
/// The separators of CSV: spreadsheets write semicolons where the comma is the decimal sign.
const SEPARATORS: [u8; 3] = *b",;\t";
/// The limit of stdin in bytes: a list of 100,000 reports is smaller.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// The kind of operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// Ids of reports.
    Id,
    /// URLs of pages.
    Url,
    /// URLs of pages whose reports become public: those of reports that are not public are refused.
    PublicUrl,
}

impl Operand {
    /// Returns the name of the JSON field or CSV column.
    fn field(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Url | Self::PublicUrl => "url",
        }
    }

    /// Returns the plural, for messages.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Id => "ids",
            Self::Url | Self::PublicUrl => "URLs",
        }
    }

    fn advice(self) -> String {
        let field = self.field();
        format!("Send one {field} per line, a JSON array, JSON lines, or CSV with a column named {field}")
    }
}

/// Whether the operands come from stdin.
pub fn are_on_stdin(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| argument == STDIN)
}

/// Returns ids in the given order, without duplicates.
pub fn distinct_ids(arguments: &[String]) -> Result<Vec<String>, CommandError> {
    Ok(distinct(&read(Operand::Id, arguments)?))
}

/// Returns operands in the given order, without duplicates.
pub fn distinct(given: &[String]) -> Vec<String> {
    let mut known = HashSet::new();
    given.iter().filter(|operand| known.insert(*operand)).cloned().collect()
}

/// Returns the operands in the given order.
pub fn read(operand: Operand, arguments: &[String]) -> Result<Vec<String>, CommandError> {
    let plural = operand.plural();
    match arguments {
        [only] if only == STDIN => {
            let found = of_text(operand, &read_text(operand, io::stdin().lock())?)?;
            if found.is_empty() {
                print_note(&format!("note: stdin contains no {plural}; there is nothing to do"));
            }
            Ok(found)
        }
        _ if are_on_stdin(arguments) => {
            let message = format!("- reads the {plural} from stdin and must be given alone");
            Err(CommandError::usage(message, format!("Leave the other {plural} out")))
        }
        _ => Ok(arguments.to_vec()),
    }
}

fn read_text(operand: Operand, stdin: impl Read) -> Result<String, CommandError> {
    let unreadable = |why: &str| CommandError::usage(format!("stdin cannot be read: {why}"), operand.advice());
    let mut bytes = Vec::new();
    stdin.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(unreadable(&format!("it is larger than {} MiB", MOST_BYTES / (1024 * 1024))));
    }
    String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8 text"))
}

/// Parses operands in any of the supported formats.
fn of_text(operand: Operand, text: &str) -> Result<Vec<String>, CommandError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with(['{', '[']) {
        return of_json(operand, text);
    }
    match SEPARATORS.into_iter().find_map(|separator| Columns::find(operand, text, separator)) {
        Some(columns) => of_csv(operand, text, &columns),
        None if has_header_without(operand, text) => Err(without(operand, "the header")),
        None if text.trim_start().starts_with('"') => of_json(operand, text),
        None => of_lines(operand, text),
    }
}

/// Parses arrays, objects and plain values in sequence: one document, or JSON lines.
fn of_json(operand: Operand, text: &str) -> Result<Vec<String>, CommandError> {
    let mut found = Vec::new();
    for document in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let document = document.map_err(|error| {
            let why = if error.is_eof() { "it is truncated".to_owned() } else { error.to_string() };
            CommandError::usage(format!("stdin begins like JSON but is not valid: {why}"), operand.advice())
        })?;
        let records = match document {
            Value::Array(records) => records,
            record => vec![record],
        };
        for record in records {
            found.push(of_record(operand, &record, &format!("record {}", found.len() + 1))?);
        }
    }
    Ok(found)
}

/// Returns the operand in a record, or the value if it is an operand itself.
fn of_record(operand: Operand, record: &Value, place: &str) -> Result<String, CommandError> {
    let value = if record.is_object() { record.get(operand.field()) } else { Some(record) };
    let found = match value {
        Some(Value::String(text)) if !text.is_empty() => text.clone(),
        Some(Value::Number(number)) if operand == Operand::Id => number.to_string(),
        None
        | Some(
            Value::String(_) | Value::Number(_) | Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_),
        ) => return Err(without(operand, place)),
    };
    match record.get("privacy") {
        None | Some(Value::Null) => {}
        Some(Value::String(privacy)) => check_privacy(operand, privacy, place)?,
        Some(code) => check_privacy(operand, &code.to_string(), place)?,
    }
    Ok(found)
}

fn without(operand: Operand, place: &str) -> CommandError {
    CommandError::usage(format!("{place} of stdin has no {}", operand.field()), operand.advice())
}

/// Refuses the URL of a report that is not public, by the privacy's name or code, if the new report would be public.
fn check_privacy(operand: Operand, privacy: &str, place: &str) -> Result<(), CommandError> {
    if operand != Operand::PublicUrl || ["", Privacy::Public.name(), "0"].contains(&privacy) {
        return Ok(());
    }
    let message = format!("the report in {place} of stdin is not public, but the new one would be");
    Err(CommandError::usage(message, "Choose the privacy of all new reports with --privacy"))
}

/// Where CSV has the operands and the privacy.
struct Columns {
    separator: u8,
    operand: usize,
    privacy: Option<usize>,
}

impl Columns {
    /// Returns the columns, if the first line is a header with this separator.
    fn find(operand: Operand, text: &str, separator: u8) -> Option<Self> {
        let mut reader = csv_reader(text, separator);
        let heading = reader.headers().ok()?;
        let at = |field: &str| heading.iter().position(|name| name.trim().eq_ignore_ascii_case(field));
        Some(Self { separator, operand: at(operand.field())?, privacy: at("privacy") })
    }
}

/// Whether the first line is the header of CSV with the other kind of operand only. Its lines are not operands.
fn has_header_without(operand: Operand, text: &str) -> bool {
    let other = match operand {
        Operand::Id => Operand::Url.field(),
        Operand::Url | Operand::PublicUrl => Operand::Id.field(),
    };
    let is_name = |cell: &str| cell.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '_');
    SEPARATORS.into_iter().any(|separator| {
        let mut reader = csv_reader(text, separator);
        let Ok(heading) = reader.headers() else { return false };
        heading.iter().all(is_name) && heading.iter().any(|name| name.eq_ignore_ascii_case(other))
    })
}

fn csv_reader(text: &str, separator: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(text.as_bytes())
}

fn of_csv(operand: Operand, text: &str, columns: &Columns) -> Result<Vec<String>, CommandError> {
    let mut found = Vec::new();
    for row in csv_reader(text, columns.separator).records() {
        let row = row.map_err(|error| {
            CommandError::usage(format!("stdin begins like CSV but is not valid: {error}"), operand.advice())
        })?;
        let place = format!("row {}", found.len() + 1);
        let cell = |at: usize| row.get(at).map(str::trim).filter(|cell| !cell.is_empty());
        let privacy = columns.privacy.and_then(cell).unwrap_or_default();
        check_privacy(operand, privacy, &place)?;
        found.push(as_written(cell(columns.operand).ok_or_else(|| without(operand, &place))?).to_owned());
    }
    Ok(found)
}

/// Removes the apostrophe that our own CSV output puts before formulas.
fn as_written(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| escape_formula(rest) != *rest).unwrap_or(cell)
}

/// Parses one operand per line, bare or as a JSON object. Empty lines are skipped.
fn of_lines(operand: Operand, text: &str) -> Result<Vec<String>, CommandError> {
    let mut found = Vec::new();
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.starts_with('{') {
            let place = format!("line {number}");
            let record: Value = serde_json::from_str(line).map_err(|_| without(operand, &place))?;
            found.push(of_record(operand, &record, &place)?);
        } else if !line.is_empty() {
            found.push(line.to_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<String> {
        of_text(Operand::Id, text).unwrap()
    }

    #[test]
    fn every_list_format_is_read() {
        assert_eq!(ids("12\r\n\n  a b \n{\"id\":\"7\",\"url\":\"x\"}\n{\"id\": 8}\n"), ["12", "a b", "7", "8"]);
        assert_eq!(ids("\u{feff}{\"id\":\"7\"}\n{\"id\":8}\n9\n"), ["7", "8", "9"]);
        assert_eq!(ids("[\n{\"id\":\"7\"},\n\"8\", 9\n]\n"), ["7", "8", "9"]);
        assert_eq!(ids("{\n  \"id\": \"7\"\n}\n"), ["7"]);
        assert_eq!(ids("url,ID\n\"https://x/a,b\",7\nhttps://x/,'-8\n"), ["7", "-8"]);
        assert_eq!(ids("id\n7\n"), ["7"]);
        assert_eq!(ids("[]"), [""; 0]);
        let urls = of_text(Operand::Url, "https://shop.example/a,b\nshop.example/url,c\n").unwrap();
        assert_eq!(urls, ["https://shop.example/a,b", "shop.example/url,c"], "a comma makes no CSV");
        assert_eq!(of_text(Operand::Url, "id,url\n7,shop.example\n").unwrap(), ["shop.example"]);
        assert_eq!(of_text(Operand::Url, "[\"shop.example\"]").unwrap(), ["shop.example"]);
    }

    #[test]
    fn json_texts_are_read_without_their_quotes() {
        assert_eq!(ids("\"7\"\n\"8\"\n"), ["7", "8"], "as jq prints them");
        assert_eq!(of_text(Operand::Url, "\n\"https://shop.example/a,b\"\n").unwrap(), ["https://shop.example/a,b"]);
        assert_eq!(ids("\"id\",\"url\"\n\"7\",\"https://shop.example/\"\n"), ["7"], "a quoted header is CSV");
        assert!(of_text(Operand::Id, "\"7\"\n\"\"\n").is_err());
        assert!(of_text(Operand::Id, "\"7\n").is_err());
    }

    #[test]
    fn input_with_a_missing_operand_is_rejected_completely() {
        for text in
            ["{\"id\":null}", "{\"id\":\"\"}", "[[1]]", "{", "[\n", "[1,", "{\"id\":1}\nx y", "7\n{\"id\":null}"]
        {
            assert!(of_text(Operand::Id, text).is_err(), "{text}");
        }
        for text in ["id,url\n7,\n", "url\n\"\"\n", "[7]", "{\"id\":7}"] {
            assert!(of_text(Operand::Url, text).is_err(), "{text}");
        }
        for text in ["id\n7\n", "id,score\n7,90\n", "\"ID\";\"score\"\n7;90\n"] {
            let (message, advice) = of_text(Operand::Url, text).unwrap_err().texts();
            assert!(message == "the header of stdin has no url" && advice.contains("column named url"), "{message}");
        }
        assert!(of_text(Operand::Id, "url,score\nhttps://x/,90\n").is_err());
        assert_eq!(
            of_text(Operand::Url, "shop.example/;id\n").unwrap(),
            ["shop.example/;id"],
            "a header has names only"
        );
        assert!(read_text(Operand::Id, &b"\xff\n"[..]).is_err());
        let (message, _) = read_text(Operand::Id, io::repeat(b'1')).unwrap_err().texts();
        assert!(message.contains("larger than"), "{message}");
    }

    #[test]
    fn csv_may_be_separated_by_semicolons_or_tabs() {
        assert_eq!(
            ids("\u{feff}url;id\r\n\"https://x/a;b\";7\r\n"),
            ["7"],
            "as spreadsheets save it in many countries"
        );
        assert_eq!(ids("url\tid\nhttps://x/a,b\t7\n"), ["7"]);
        let urls = of_text(Operand::Url, "https://shop.example/;a\nshop.example/url;c\n").unwrap();
        assert_eq!(urls, ["https://shop.example/;a", "shop.example/url;c"]);
    }

    #[test]
    fn a_report_that_is_not_public_does_not_become_public() {
        let page = "https://shop.example/";
        for record in [
            format!("{{\"url\":\"{page}\",\"privacy\":\"private\"}}"),
            format!("[{{\"url\":\"{page}\"}},{{\"url\":\"{page}\",\"privacy\":1}}]"),
            format!("shop.example\n{{\"url\":\"{page}\",\"privacy\":\"password\"}}"),
            format!("url,privacy\n{page},private\n"),
        ] {
            let (message, advice) = of_text(Operand::PublicUrl, &record).unwrap_err().texts();
            assert!(message.contains("is not public") && advice.contains("--privacy"), "{message}: {advice}");
            assert!(of_text(Operand::Url, &record).is_ok(), "with --privacy, and for audits");
        }
        for record in [
            "{\"url\":\"x\",\"privacy\":\"public\"}",
            "{\"url\":\"x\",\"privacy\":0}",
            "url,privacy\nx,public\n",
            "url,privacy\nx,",
        ] {
            assert_eq!(of_text(Operand::PublicUrl, record).unwrap(), ["x"]);
        }
    }

    #[test]
    fn stdin_cannot_be_combined_with_operands() {
        assert!(read(Operand::Id, &["-", "1"].map(str::to_owned)).is_err());
        assert_eq!(read(Operand::Id, &["2", "1"].map(str::to_owned)).unwrap(), ["2", "1"]);
    }

    #[test]
    fn an_id_given_twice_is_one_id() {
        assert_eq!(distinct_ids(&["2", "1", "2"].map(str::to_owned)).unwrap(), ["2", "1"]);
    }
}
