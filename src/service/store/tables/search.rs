//! Search: rows whose text contains another text, ignoring case.
//!
//! PostgreSQL has a trigram index for `LIKE`. In SQLite a full-text trigram index returns the first ids. If there are few,
//! they are complete: their rows are looked up and sorted. If there are many, scanning the list in its order soon yields
//! a page of matches, comparing each row's text.

use super::page_statement::PageStatement;
use crate::domain::text::search_text;
use crate::service::store::error::StoreError;
use crate::service::store::sql::{Engine, SqlTransaction, bind};

/// The most ids that are sorted for each page. Low in tests, so that small lists are scanned too.
const MOST_SORTED: u32 = if cfg!(test) { 2 } else { 2_000 };
/// The shortest text with a trigram, in characters. Shorter ones are compared with every row.
const SHORTEST_INDEXED: usize = 3;
/// The longest text looked up in the index, in characters: its cost in time and memory is that of all its trigrams
/// together. The whole of a longer text is compared with the rows found.
const LONGEST_INDEXED: usize = 40;

/// A searchable table.
pub struct SearchedTable {
    /// The table's name.
    pub name: &'static str,
    /// SQLite's full-text index.
    pub index: &'static str,
    /// The searched text, as an SQL expression of SQLite.
    pub text: &'static str,
}

/// Restricts a statement to rows that contain a text.
pub async fn narrow<S: SqlTransaction>(
    statement: &mut PageStatement,
    transaction: &S,
    table: &SearchedTable,
    typed: &str,
) -> Result<(), StoreError> {
    let wanted = search_text::normalize_query(typed);
    match S::ENGINE {
        Engine::Sqlite => {
            let ids = first_ids(transaction, table, &wanted).await?;
            if ids.len() <= MOST_SORTED as usize {
                statement.only_ids(&ids);
            }
            // Also for ids from the full-text index, which equates some distinct letters, such as ς and σ.
            let place = statement.bind(wanted);
            statement.add(format!("instr(lower({}), {place}) > 0", table.text));
        }
        Engine::Postgres => {
            let place = statement.bind(format!("%{}%", escaped(&wanted)));
            statement.add(format!("search_text LIKE {place}"));
        }
    }
    Ok(())
}

/// Escapes a text for a `LIKE` pattern.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// Returns the ids of rows that may contain a text: all of them, or [`MOST_SORTED`] plus one.
async fn first_ids(
    transaction: &impl SqlTransaction,
    table: &SearchedTable,
    wanted: &str,
) -> Result<Vec<i64>, StoreError> {
    let SearchedTable { name, index, text } = table;
    let (sql, pattern) = if wanted.chars().count() < SHORTEST_INDEXED {
        (format!("SELECT id FROM {name} WHERE instr(lower({text}), ?1) > 0 LIMIT ?2"), wanted.to_owned())
    } else {
        (format!("SELECT rowid FROM {index} WHERE {index} MATCH ?1 LIMIT ?2"), phrase(wanted))
    };
    transaction.rows(&sql, bind![pattern, i64::from(MOST_SORTED) + 1], |row| row.get(0)).await
}

/// Quotes the end of a text, which in a URL differs most, as a full-text phrase without special characters.
fn phrase(text: &str) -> String {
    let before = text.chars().count().saturating_sub(LONGEST_INDEXED);
    let end: String = text.chars().skip(before).collect();
    format!("\"{}\"", end.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_a_long_text_is_looked_up() {
        assert_eq!(phrase("a\"b"), "\"a\"\"b\"");
        let end = "ß".repeat(LONGEST_INDEXED);
        assert_eq!(phrase(&format!("{}{end}", "x".repeat(60_000))), format!("\"{end}\""));
    }
}
