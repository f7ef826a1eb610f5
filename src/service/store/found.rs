//! Which reports a search has found: looked up once, remembered as one bit for each report.
//!
//! A URL never changes and a number is never used again, so what is remembered only grows: reports that went stay in
//! it and are in no list. Must not know lists or their orders.

use std::sync::Arc;

use rusqlite::Connection;

use super::moves;

/// Searches shorter than this have no trigram and are compared row by row.
pub const SHORTEST_INDEXED: usize = 3;

/// A set of report ids.
#[derive(Debug, Clone, Default)]
pub struct Ids {
    words: Vec<u64>,
    count: usize,
}

impl Ids {
    pub fn contains(&self, id: i64) -> bool {
        let Ok(id) = usize::try_from(id) else { return false };
        self.words.get(id / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// All of them as JSON, which SQL can read.
    pub fn json(&self) -> String {
        let of = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (at * 64 + bit).to_string())
        };
        let ids: Vec<String> = self.words.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(of).collect();
        format!("[{}]", ids.join(","))
    }

    fn insert(&mut self, id: i64) {
        let Ok(id) = usize::try_from(id) else { return };
        if self.words.len() <= id / 64 {
            self.words.resize(id / 64 + 1, 0);
        }
        let word = &mut self.words[id / 64];
        self.count += usize::from(*word >> (id % 64) & 1 == 0);
        *word |= 1 << (id % 64);
    }
}

/// What a search has found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The version in which everything was known; later ones were only added to.
    pub since: i64,
    /// The version up to which reports that came are in it.
    version: i64,
    /// All that match, and perhaps some that went.
    pub ids: Arc<Ids>,
}

impl Found {
    /// Looks everything up.
    pub fn look_up(connection: &Connection, text: &str, version: i64) -> rusqlite::Result<Self> {
        let mut ids = Ids::default();
        if let Some(search) = Search::new(text) {
            let mut statement = connection.prepare_cached(search.all)?;
            let mut rows = statement.query([&search.pattern])?;
            while let Some(row) = rows.next()? {
                ids.insert(row.get(0)?);
            }
        }
        Ok(Self { since: version, version, ids: Arc::new(ids) })
    }

    /// Adds what came since; false when that cannot be known any more.
    pub fn follow(&mut self, connection: &Connection, text: &str, version: i64) -> rusqlite::Result<bool> {
        // What is ahead of this view holds only more, and what is not there yet is in no list.
        if self.version >= version {
            return Ok(true);
        }
        let Some(moves) = moves::since(connection, self.version, version)? else { return Ok(false) };
        let moves = moves.iter().filter(|moved| moved.step > 0);
        if let Some(search) = Search::new(text) {
            let mut one = connection.prepare_cached(search.one)?;
            let mut there = connection.prepare_cached("SELECT 1 FROM reports WHERE id = ?1")?;
            for came in moves.map(|moved| moved.report) {
                if self.ids.contains(came) {
                    continue;
                }
                if one.exists((&search.pattern, came))? {
                    Arc::make_mut(&mut self.ids).insert(came);
                } else if !there.exists([came])? {
                    // It came and went, and who knows what it was: older views have to look for themselves.
                    self.since = version;
                }
            }
        }
        self.version = version;
        Ok(true)
    }
}

/// How a text is looked for.
struct Search {
    /// Gives the ids of all that contain it.
    all: &'static str,
    /// Gives something when this one report contains it.
    one: &'static str,
    pattern: String,
}

impl Search {
    /// `None` for what no URL contains.
    fn new(text: &str) -> Option<Self> {
        if text.contains('\0') {
            return None;
        }
        if text.chars().count() < SHORTEST_INDEXED {
            return Some(Self {
                all: "SELECT id FROM reports INDEXED BY reports_by_url WHERE url LIKE ?1 ESCAPE '\\' \
                      UNION ALL SELECT id FROM reports WHERE search_text IS NOT NULL AND search_text LIKE ?1 ESCAPE '\\'",
                one: "SELECT 1 FROM reports WHERE coalesce(search_text, url) LIKE ?1 ESCAPE '\\' AND id = ?2",
                pattern: like(&text.to_lowercase()),
            });
        }
        Some(Self {
            all: "SELECT rowid FROM report_search WHERE report_search MATCH ?1",
            one: "SELECT 1 FROM report_search WHERE report_search MATCH ?1 AND rowid = ?2",
            pattern: phrase(&text.to_lowercase()),
        })
    }
}

/// The text as the full-text index takes it: nothing in it is special.
pub fn phrase(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn like(text: &str) -> String {
    let mut pattern = String::from("%");
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_kept_once() {
        let mut ids = Ids::default();
        for id in [1, 64, 63, 1_000, 64, -1] {
            ids.insert(id);
        }
        assert_eq!((ids.count(), ids.json().as_str()), (4, "[1,63,64,1000]"));
        assert!(ids.contains(1_000) && !ids.contains(999) && !ids.contains(5_000) && !ids.contains(-1));
    }
}
