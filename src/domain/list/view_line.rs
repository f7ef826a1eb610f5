//! Serialises a view (filter, sort order, columns and project) to one line of text.
//!
//! `view sort=score:asc columns=result,url,score project="shop" filter="result:bad state:new"`.

use strum::IntoEnumIterator;

use crate::domain::list::columns::Column;
use crate::domain::list::query::Direction;
use crate::domain::text::{clean, escape_json, fit};

const WORD: &str = "view";

/// A view of the report list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The filter as typed.
    pub filter: String,
    /// The sort order.
    pub sort: (Column, Direction),
    /// The shown columns in order, at least one, no duplicates; `None` for the usual ones.
    pub columns: Option<Vec<Column>>,
    /// The name of the open project; `None` for all.
    pub project: Option<String>,
}

/// Formats a view as a line. Characters that could control a terminal are escaped, so that it is safe to display.
pub fn write(view: &View) -> String {
    let (column, direction) = view.sort;
    let names = |columns: &Vec<Column>| columns.iter().map(|column| column.name()).collect::<Vec<_>>().join(",");
    let columns = view.columns.as_ref().map(|columns| format!("columns={} ", names(columns))).unwrap_or_default();
    let project = view.project.as_ref().map(|name| format!("project={} ", quoted(name))).unwrap_or_default();
    let filter = quoted(&view.filter);
    format!("{WORD} sort={}:{} {columns}{project}filter={filter}", column.name(), direction.name())
}

/// Whether a text is meant as a view, not as the name of one.
pub fn is_view_line(text: &str) -> bool {
    text.trim_start().strip_prefix(WORD).is_some_and(|rest| rest.starts_with(' ') && rest.contains('='))
}

/// Parses a line that [`write()`] or a person wrote: fields in any order, surrounded by any white space.
///
/// Filter and sort order are required. The error is one displayable sentence that says what was expected.
pub fn read(line: &str) -> Result<View, String> {
    let line = line.trim();
    let expected = || format!("a view is a line like `{}`, not `{}`", write(&example()), shortened(line));
    let mut rest = line.strip_prefix(WORD).filter(|rest| rest.starts_with(' ')).ok_or_else(expected)?.trim_start();
    let unknown = |found: String| format!("expected sort=, columns=, project= or filter= in a view, not `{found}`");
    let (mut filter, mut sort, mut columns, mut project) = (None, None, None, None);
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=').ok_or_else(|| unknown(shortened(rest)))?;
        let is_quoted = matches!(name, "filter" | "project");
        let (value, left) = if is_quoted { quoted_value(name, after)? } else { plain_value(after) };
        let is_double = match name {
            "filter" => filter.replace(value).is_some(),
            "project" => project.replace(value).is_some(),
            "sort" => sort.replace(sort_of(&value)?).is_some(),
            "columns" => columns.replace(columns_of(&value)?).is_some(),
            _ => return Err(unknown(format!("{}=", shortened(name)))),
        };
        if is_double {
            return Err(format!("expected one {name}= in a view, not two"));
        }
        rest = left.trim_start();
    }
    let missing = |name: &str| format!("expected {name}= in a view, and it is missing: {}", expected());
    Ok(View {
        filter: filter.ok_or_else(|| missing("filter"))?,
        sort: sort.ok_or_else(|| missing("sort"))?,
        columns,
        project,
    })
}

/// Quotes a text as a JSON string, on one line.
fn quoted(text: &str) -> String {
    // Every string can be serialised to JSON.
    let json = serde_json::to_string(text).unwrap_or_default();
    escape_json(&json).replace('\n', "\\n")
}

fn example() -> View {
    let columns = Some(vec![Column::Result, Column::Url]);
    View { filter: "result:bad".to_owned(), sort: (Column::Score, Direction::Ascending), columns, project: None }
}

fn plain_value(text: &str) -> (String, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (text[..end].to_owned(), &text[end..])
}

/// Splits off a JSON string, and returns it with the rest.
fn quoted_value<'a>(name: &str, text: &'a str) -> Result<(String, &'a str), String> {
    let mut texts = serde_json::Deserializer::from_str(text).into_iter::<String>();
    match texts.next() {
        Some(Ok(value)) => {
            let end = texts.byte_offset();
            Ok((value, &text[end..]))
        }
        Some(Err(_)) | None => {
            Err(format!("expected the {name} in double quotes, as in filter=\"result:bad\", not `{}`", shortened(text)))
        }
    }
}

fn sort_of(value: &str) -> Result<(Column, Direction), String> {
    let expected = || format!("expected sort=COLUMN:asc or sort=COLUMN:desc, not `{}`", shortened(value));
    let (column, direction) = value.split_once(':').ok_or_else(expected)?;
    Ok((column_of(column)?, direction.parse().map_err(|_| expected())?))
}

fn columns_of(value: &str) -> Result<Vec<Column>, String> {
    let mut columns = Vec::new();
    for name in value.split(',') {
        let column = column_of(name)?;
        if columns.contains(&column) {
            return Err(format!("expected each column once, and {} is there twice", column.name()));
        }
        columns.push(column);
    }
    Ok(columns)
}

fn column_of(name: &str) -> Result<Column, String> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = Column::iter().map(Column::name).collect();
        format!("expected a column ({}), not `{}`", names.join(", "), shortened(name))
    })
}

fn shortened(text: &str) -> String {
    fit(&clean(text), 40).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_view_is_one_readable_line() {
        let mut view = example();
        view.filter = "project:\"shop\" state:new".to_owned();
        view.project = None;
        let line = "view sort=score:asc columns=result,url filter=\"project:\\\"shop\\\" state:new\"";
        assert_eq!(write(&view), line);
        assert_eq!(read(&format!("\n {line}\r\n")).unwrap(), view);
        let turned = "view filter=\"project:\\\"shop\\\" state:new\"   columns=result,url sort=score:asc";
        assert_eq!(read(turned).unwrap(), view);
        view.columns = None;
        assert_eq!(write(&view), line.replace("columns=result,url ", ""));
    }

    #[test]
    fn a_parse_error_names_what_was_expected() {
        let table = [
            ("", "a view is a line like `view sort="),
            ("views", "a view is a line like"),
            ("view", "a view is a line like"),
            ("view sort=score", "expected sort=COLUMN:asc"),
            ("view sort=score:up", "expected sort=COLUMN:asc"),
            ("view sort=size:asc", "expected a column (result, url,"),
            ("view columns=url,url", "expected each column once, and url"),
            ("view columns=", "expected a column"),
            ("view filter=tea", "expected the filter in double quotes"),
            ("view filter=\"tea", "expected the filter in double quotes"),
            ("view filter=\"\" filter=\"\"", "expected one filter="),
            ("view wide=1", "expected sort=, columns=, project= or filter="),
            ("view wide", "expected sort=, columns=, project= or filter="),
            ("view project=shop", "expected the project in double quotes"),
            ("view sort=score:asc columns=url", "expected filter= in a view, and it is missing"),
        ];
        for (line, expected) in table {
            let error = read(line).unwrap_err();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_view_survives_a_round_trip_through_its_line(
            filter in any::<String>(), project in any::<Option<String>>(), sorted in 0_usize..10, descending: bool,
            columns in Just(Column::iter().collect::<Vec<_>>()).prop_shuffle(), shown in 0_usize..=10,
        ) {
            let direction = if descending { Direction::Descending } else { Direction::Ascending };
            let sort = (Column::iter().nth(sorted).unwrap(), direction);
            let view = View { filter, sort, columns: (shown > 0).then(|| columns[..shown].to_vec()), project };
            let line = write(&view);
            prop_assert!(!line.contains(['\n', '\r']));
            prop_assert_eq!(clean(&line).into_owned(), line.clone());
            prop_assert_eq!(read(&line), Ok(view));
        }

        #[test]
        fn any_text_is_parsed_or_rejected(line in any::<String>(), rest in "( ?(view|sort|columns|filter|=|\"|:|,|url|asc)){0,9}") {
            let answers = [read(&line), read(&format!("view{rest}"))];
            prop_assert!(answers.into_iter().flatten().all(|view| read(&write(&view)) == Ok(view)));
        }
    }
}
