//! A Markdown table under a heading. No value can break out of its cell or become markup.

use std::io::{self, Write};

use super::field::ExportField;
use super::request::ExportRequest;

/// What begins an address that GitHub links without markup.
const LINK_STARTS: [&str; 3] = ["http://", "https://", "www."];

/// Escapes a cell so that no character acts as markup. A linked address ends at a space or `<`; in it a renderer reads no
/// `&`, `~` and `_` as markup, and would show a backslash. An address with other markup is written as `<address>`, where
/// only entities and the end of the cell act.
pub fn escaped(cell: &str) -> String {
    let is_address = (cell.starts_with("http://") || cell.starts_with("https://"))
        && !cell.contains(|character: char| character.is_whitespace() || matches!(character, '<' | '>'));
    if is_address && cell.contains(['\\', '|', '`', '[', ']', '*']) {
        return format!("<{}>", cell.replace('&', "&amp;").replace('|', "%7C"));
    }
    let mut escaped = String::with_capacity(cell.len());
    for piece in cell.split_inclusive(|character: char| character.is_whitespace() || character == '<') {
        let address = piece.trim_start_matches('(');
        let rest = LINK_STARTS.iter().find_map(|start| address.strip_prefix(start));
        let is_linked = rest.is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        let mut before = ' ';
        for (at, character) in piece.char_indices() {
            let after = &piece[at + character.len_utf8()..];
            let is_in_word = before.is_alphanumeric() && after.starts_with(char::is_alphanumeric);
            match character {
                '\\' | '|' | '`' | '[' | ']' | '*' => escaped.extend(['\\', character]),
                '~' if !is_linked => escaped.push_str("\\~"),
                '_' if !is_linked && !is_in_word => escaped.push_str("\\_"),
                '&' if !is_linked && is_entity(after) => escaped.push_str("&amp;"),
                '<' => escaped.push_str("&lt;"),
                _ => escaped.push(character),
            }
            before = character;
        }
    }
    escaped
}

/// Whether the text after an `&` makes it an entity such as `&lt;` or `&#60;`.
fn is_entity(after: &str) -> bool {
    let name = after.trim_start_matches('#');
    let rest = name.trim_start_matches(|character: char| character.is_ascii_alphanumeric());
    rest.len() < name.len() && rest.starts_with(';')
}

pub(super) fn write(fields: &[ExportField], request: &ExportRequest, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# {}\n\n{}\n", escaped(&request.heading()), escaped(&request.sentence()))?;
    write_row(out, fields.iter().map(|field| field.title().to_owned()))?;
    write_row(out, fields.iter().map(|field| if field.is_number() { "---:" } else { "---" }.to_owned()))?;
    for report in request.reports() {
        write_row(out, fields.iter().map(|field| escaped(&field.for_people(report, &request.around))))?;
    }
    Ok(())
}

fn write_row(out: &mut impl Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    for cell in cells {
        write!(out, "| {cell} ")?;
    }
    writeln!(out, "|")
}
