//! Names of projects by their numbers, looked up once: a project's name never changes and its number is never used
//! again, so that what is known is true in every view of the database.
//!
//! Must not know which lists need them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

/// So many are remembered; a service with more projects begins anew with them.
const MOST: usize = 4_096;

/// What projects are called.
#[derive(Default)]
pub struct Names(Mutex<HashMap<i64, Arc<str>>>);

impl Names {
    /// The name of a project that is there.
    pub fn of(&self, connection: &Connection, project: i64) -> rusqlite::Result<Arc<str>> {
        if let Some(known) = self.known().get(&project) {
            return Ok(Arc::clone(known));
        }
        let mut statement = connection.prepare_cached("SELECT name FROM projects WHERE id = ?1")?;
        let name: Arc<str> = statement.query_one([project], |row| row.get(0))?;
        let mut known = self.known();
        if known.len() == MOST {
            known.clear();
        }
        known.insert(project, Arc::clone(&name));
        Ok(name)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<i64, Arc<str>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
