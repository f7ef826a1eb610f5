//! Searching: rows whose text contains another text, in any case.
//!
//! A full-text index of trigrams gives the first ids. When there are few, they are all of the rows: they are looked up and
//! sorted. When there are many, a walk through the list in its order meets a page of them soon; each row's text is
//! compared.

use rusqlite::Connection;

use super::page::ListStatement;

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
    wanted: &str,
) -> rusqlite::Result<()> {
    // A zero character ends a text early in SQLite, and no URL has one.
    let ids = if wanted.contains('\0') { Vec::new() } else { first_ids(connection, table, wanted)? };
    if ids.len() <= MOST_SORTED as usize {
        statement.only_ids(&ids);
    } else {
        let condition = format!("{} LIKE :wanted ESCAPE '\\'", table.text);
        statement.only(&condition, ":wanted", like_pattern(wanted));
    }
    Ok(())
}

/// The ids of rows that contain a text: all of them, or one more than [`MOST_SORTED`].
fn first_ids(connection: &Connection, table: &SearchedTable, wanted: &str) -> rusqlite::Result<Vec<i64>> {
    let SearchedTable { name, index, text } = table;
    let (sql, pattern) = if wanted.chars().count() < SHORTEST_INDEXED {
        (format!("SELECT id FROM {name} WHERE {text} LIKE ?1 ESCAPE '\\' LIMIT ?2"), like_pattern(wanted))
    } else {
        (format!("SELECT rowid FROM {index} WHERE {index} MATCH ?1 LIMIT ?2"), phrase(wanted))
    };
    let mut statement = connection.prepare_cached(&sql)?;
    let ids = statement.query_map((pattern, MOST_SORTED + 1), |row| row.get(0))?;
    ids.collect()
}

/// The text as a phrase of the full-text index: nothing in it is special.
fn phrase(text: &str) -> String {
    format!("\"{}\"", text.to_lowercase().replace('"', "\"\""))
}

/// The text as a pattern of `LIKE`, whose wildcards are escaped.
fn like_pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for character in text.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}
