//! Searching: rows whose text contains another text, in any case.
//!
//! A full-text index of trigrams gives the first ids. When there are few, they are all of the rows: they are looked up and
//! sorted. When there are many, a walk through the list in its order meets a page of them soon; each row's text is
//! compared.

use rusqlite::Connection;

use super::statement::ListStatement;
use crate::domain::text::search_text;

/// The most ids that are sorted for each page. Few in tests, so that small lists are walked too.
const MOST_SORTED: u32 = if cfg!(test) { 2 } else { 2_000 };
/// The shortest text that has a trigram. Shorter ones are compared with every row.
const SHORTEST_INDEXED: usize = 3;

/// A table whose rows can be searched.
pub struct SearchedTable {
    /// Its name.
    pub name: &'static str,
    /// Its full-text index.
    pub index: &'static str,
    /// The text that is searched.
    pub text: &'static str,
}

/// Narrows a statement to the rows that contain a text.
pub fn narrow(
    statement: &mut ListStatement,
    connection: &Connection,
    table: &SearchedTable,
    typed: &str,
) -> rusqlite::Result<()> {
    let wanted = search_text::wanted(typed);
    let ids = first_ids(connection, table, &wanted)?;
    if ids.len() <= MOST_SORTED as usize {
        statement.only_ids(&ids);
    }
    // For the ids of the full-text index too: it takes some letters for the same that are not, like ς and σ.
    statement.only(&format!("instr(lower({}), :wanted) > 0", table.text), ":wanted", wanted);
    Ok(())
}

/// The ids of rows that may contain a text: all of them, or one more than [`MOST_SORTED`].
fn first_ids(connection: &Connection, table: &SearchedTable, wanted: &str) -> rusqlite::Result<Vec<i64>> {
    let SearchedTable { name, index, text } = table;
    let (sql, pattern) = if wanted.chars().count() < SHORTEST_INDEXED {
        (format!("SELECT id FROM {name} WHERE instr(lower({text}), ?1) > 0 LIMIT ?2"), wanted.to_owned())
    } else {
        (format!("SELECT rowid FROM {index} WHERE {index} MATCH ?1 LIMIT ?2"), phrase(wanted))
    };
    let mut statement = connection.prepare_cached(&sql)?;
    let ids = statement.query_map((pattern, MOST_SORTED + 1), |row| row.get(0))?;
    ids.collect()
}

/// The text as a phrase of the full-text index: nothing in it is special.
fn phrase(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
