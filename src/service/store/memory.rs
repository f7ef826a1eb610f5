//! What is remembered between requests, so that the next page of a list need not walk from its beginning: where
//! recently used lists can be entered, and what recent searches found. Bounded, and exact in every view of the database.
//!
//! Must not know how a list is asked for or answered.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use crate::domain::list::query::Direction;

use super::cuts::{Cut, Cuts};
use super::found::Found;
use super::moves;
use super::names::Names;
use super::walk::{List, STRIDE, Start};

/// How many lists are remembered. One of a million reports takes about 120 kB.
const LISTS: usize = 32;
/// How many searches are remembered. One of a million reports takes 125 kB.
const SEARCHES: usize = 8;

/// What one database's lists and searches were seen to be.
#[derive(Default)]
pub struct Memory {
    /// What projects are called.
    pub names: Names,
    lists: Recent<List, Cuts>,
    searches: Recent<String, Found>,
}

impl Memory {
    /// What a search has found. All of it is in the set for this view; see [`Found`] for what else may be.
    pub fn found(&self, connection: &Connection, text: &str) -> rusqlite::Result<Found> {
        let version = moves::version(connection)?;
        let entry = self.searches.entry(text, SEARCHES);
        let mut kept = entry.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_some_and(|found| found.since > version) {
            // Looked up after this view: what went in between may be missing.
            return Found::look_up(connection, text, version);
        }
        // Taken out while it changes: what fails half-way is not kept.
        let mut found = match kept.take() {
            Some(found) => found,
            None => Found::look_up(connection, text, version)?,
        };
        if !found.follow(connection, text, version)? {
            found = Found::look_up(connection, text, version)?;
        }
        *kept = Some(found.clone());
        Ok(found)
    }

    /// How many rows of a list a search found, and the cut to enter it at for a page after `offset` rows.
    pub fn enter_found(
        &self,
        connection: &Connection,
        (list, found): (&List, &Found),
        (offset, direction): (i64, Direction),
    ) -> rusqlite::Result<(i64, Cut)> {
        let version = moves::version(connection)?;
        self.with_cuts(list, version, |kept| {
            let kept = kept.filter(|cuts| cuts.version >= found.since);
            let brought = match kept {
                Some(cuts) => followed(connection, list, (cuts, version), Some(found))?,
                None => None,
            };
            let cuts = match brought {
                Some(cuts) => cuts,
                None => list.survey(connection, &found.ids, version)?,
            };
            let (total, cut) = (cuts.total, nearest(&cuts, target(&cuts, offset, direction), direction));
            Ok((cuts, (total, cut)))
        })
    }

    /// The cut to enter a list of so many rows at for a page after `offset` rows: at most a stride away from it.
    pub fn enter(
        &self,
        connection: &Connection,
        (list, total): (&List, i64),
        (offset, direction): (i64, Direction),
    ) -> rusqlite::Result<Cut> {
        let version = moves::version(connection)?;
        self.with_cuts(list, version, |kept| {
            let brought = match kept {
                Some(cuts) => followed(connection, list, (cuts, version), None)?,
                None => None,
            };
            let mut cuts = brought.filter(|cuts| cuts.total == total).unwrap_or_else(|| Cuts::new(version, total));
            let target = target(&cuts, offset, direction);
            let cut = approach(connection, list, &mut cuts, (target, direction))?;
            Ok((cuts, cut))
        })
    }

    /// Lends the cuts of a list that are not ahead of this view, and keeps what comes back.
    fn with_cuts<T>(
        &self,
        list: &List,
        version: i64,
        work: impl FnOnce(Option<Cuts>) -> rusqlite::Result<(Cuts, T)>,
    ) -> rusqlite::Result<T> {
        let entry = self.lists.entry(list, LISTS);
        let mut kept = entry.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_some_and(|cuts| cuts.version > version) {
            // Another reader is ahead already: this one learns for itself.
            return work(None).map(|(_, result)| result);
        }
        let (cuts, result) = work(kept.take())?;
        *kept = Some(cuts);
        Ok(result)
    }
}

/// The cuts as they are in this view; `None` when what moved since is not known any more.
fn followed(
    connection: &Connection,
    list: &List,
    (mut cuts, version): (Cuts, i64),
    found: Option<&Found>,
) -> rusqlite::Result<Option<Cuts>> {
    let Some(moves) = moves::since(connection, cuts.version, version)? else { return Ok(None) };
    cuts.follow(&moves, version, |moved| {
        let fits = found.is_none_or(|found| found.ids.contains(moved.report));
        if fits { list.place_of(moved) } else { None }
    });
    Ok(Some(cuts))
}

/// How many rows stand before the cut at which a page begins, counted upwards.
fn target(cuts: &Cuts, offset: i64, direction: Direction) -> i64 {
    match direction {
        Direction::Ascending => offset.min(cuts.total),
        Direction::Descending => (cuts.total - offset).max(0),
    }
}

/// The last known cut that a walk in this direction meets before its target.
fn nearest(cuts: &Cuts, target: i64, direction: Direction) -> Cut {
    let (below, above) = cuts.around(target);
    match direction {
        Direction::Ascending => below,
        Direction::Descending => above,
    }
}

/// Goes towards a target in strides, from whichever known cut is nearer, and takes note of each.
fn approach(
    connection: &Connection,
    list: &List,
    cuts: &mut Cuts,
    (target, direction): (i64, Direction),
) -> rusqlite::Result<Cut> {
    loop {
        let near = nearest(cuts, target, direction);
        if (near.rank - target).abs() <= STRIDE {
            return Ok(near);
        }
        let (below, above) = cuts.around(target);
        let (from, rank, offset, direction) = if target - below.rank <= above.rank - target {
            let rank = below.rank + STRIDE;
            (below, rank, STRIDE, Direction::Ascending)
        } else {
            let rank = above.rank - STRIDE;
            // Downwards the first row met is the one before the cut.
            (above, rank, STRIDE - 1, Direction::Descending)
        };
        let start = Start { place: from.place.as_ref(), direction };
        let place = list.place(connection, start, offset)?;
        if !place.is_some_and(|place| cuts.insert(rank, place)) {
            // Cannot be while counts are true; a longer walk is still a right answer.
            return Ok(near);
        }
    }
}

/// The most recently used entries.
struct Recent<K, V>(Mutex<Vec<(K, Slot<V>)>>);

/// One entry: whoever works on it has it for itself.
type Slot<V> = Arc<Mutex<Option<V>>>;

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K, V> Recent<K, V> {
    /// The entry of a key, now the most recent of at most so many.
    fn entry<Q: PartialEq<K> + ToOwned<Owned = K> + ?Sized>(&self, key: &Q, most: usize) -> Slot<V> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = entries.iter().position(|(known, _)| *key == *known);
        let entry = known.map_or_else(|| (key.to_owned(), Slot::default()), |at| entries.remove(at));
        let slot = Arc::clone(&entry.1);
        entries.insert(0, entry);
        entries.truncate(most);
        slot
    }
}
