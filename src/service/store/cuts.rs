//! Where a list can be entered: cuts between two of its rows, each with how many rows stand before it.
//!
//! Must not know the database. Everything here is in ascending order; a list that runs down enters from the other side.

use super::moves::Move;

/// What a list is sorted by. Within one list all are of one kind; a list by id has the same number everywhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Number(i64),
    Text(String),
}

/// Where a row stands or stood: what the list is sorted by, then the report's id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub key: Key,
    pub id: i64,
}

/// A cut just before a place; without a place it is one of the list's ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// How many rows stand before it.
    pub rank: i64,
    pub place: Option<Place>,
}

/// The cuts of one list that are known, true for one version of all orders.
#[derive(Debug, Clone)]
pub struct Cuts {
    /// The version they are true for.
    pub version: i64,
    /// How many rows the list has.
    pub total: i64,
    inside: Vec<(i64, Place)>,
}

impl Cuts {
    /// None but the two ends.
    pub fn new(version: i64, total: i64) -> Self {
        Self { version, total, inside: Vec::new() }
    }

    /// The nearest cuts with at most and with at least so many rows before them.
    pub fn around(&self, rank: i64) -> (Cut, Cut) {
        let cut = |(rank, place): &(i64, Place)| Cut { rank: *rank, place: Some(place.clone()) };
        let after = self.inside.partition_point(|(known, _)| *known <= rank);
        let below = after.checked_sub(1).map_or(Cut { rank: 0, place: None }, |at| cut(&self.inside[at]));
        let reached = self.inside.partition_point(|(known, _)| *known < rank);
        let above = self.inside.get(reached).map_or(Cut { rank: self.total, place: None }, cut);
        (below, above)
    }

    /// Takes note of a cut; false when it was known.
    pub fn insert(&mut self, rank: i64, place: Place) -> bool {
        let at = self.inside.partition_point(|(_, known)| *known < place);
        let new = self.inside.get(at).is_none_or(|(_, known)| *known != place);
        if new {
            self.inside.insert(at, (rank, place));
        }
        new
    }

    /// A row of this list came to a place (1) or went from it (-1): all that stands behind it moves along.
    pub fn shift(&mut self, step: i64, place: &Place) {
        self.total += step;
        let behind = self.inside.partition_point(|(_, known)| known <= place);
        for (rank, _) in &mut self.inside[behind..] {
            *rank += step;
        }
    }

    /// Brings the cuts to another version. `place_of` gives a move's place where it is one of this list.
    pub fn follow(&mut self, moves: &[Move], version: i64, place_of: impl Fn(&Move) -> Option<Place>) {
        for moved in moves {
            if let Some(place) = place_of(moved) {
                self.shift(moved.step, &place);
            }
        }
        self.version = version;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(key: i64, id: i64) -> Place {
        Place { key: Key::Number(key), id }
    }

    #[test]
    fn cuts_are_found_from_both_sides_and_move_with_what_stands_before_them() {
        let mut cuts = Cuts::new(1, 100);
        for rank in [50, 20] {
            cuts.insert(rank, place(rank, 1));
        }
        let ranks = |cuts: &Cuts, rank| (cuts.around(rank).0.rank, cuts.around(rank).1.rank);
        assert_eq!([10, 20, 30, 60].map(|rank| ranks(&cuts, rank)), [(0, 20), (20, 20), (20, 50), (50, 100)]);
        // A row at the cut itself stands behind it.
        cuts.shift(1, &place(20, 1));
        assert_eq!((ranks(&cuts, 20), ranks(&cuts, 60)), ((20, 20), (51, 101)));
        cuts.shift(-1, &place(20, 0));
        assert_eq!((ranks(&cuts, 19), ranks(&cuts, 60)), ((19, 19), (50, 100)));
    }
}
