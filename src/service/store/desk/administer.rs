//! Writes of operators and admins to a desk: keys, people, and merging services.

use super::decide::{Decision, DeskRefusal, DeskWriter, OWN_SERVICE};
use super::records::{DeskQuery, DeskSituation, DeskStatement};
use crate::domain::desk::{DeskRow, DeskService, EventDetail, Handle, Person, Role};
use crate::domain::text::Text;
use crate::service::store::key_rows::{KeyDigest, NewKey};
use crate::service::store::values;

/// A change of a person by the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonChange {
    /// The new name.
    pub name: Option<String>,
    /// Whether the person is on the team; `None` leaves it as it is.
    pub is_here: Option<bool>,
}

/// Decides a change of a person. Leaving revokes all of the person's keys.
pub fn change_person(writer: &DeskWriter, change: PersonChange, situation: &DeskSituation) -> Decision<Person> {
    let before = situation.person.clone().ok_or(DeskRefusal::UnknownPerson)?;
    let left_at = match change.is_here {
        Some(true) => None,
        Some(false) => Some(before.left_at.unwrap_or(values::time(situation.now))),
        None => before.left_at,
    };
    let name = change.name.map_or_else(|| before.name.clone(), Text::from_outside);
    let role = before.role.filter(|_| left_at.is_none());
    let after = Person { handle: before.handle.clone(), name, role, left_at };
    if after == before {
        return Ok((after, Vec::new()));
    }
    let mut statements = vec![DeskStatement::PutPerson(after.clone())];
    if left_at.is_some() {
        statements.push(DeskStatement::RevokeKeysOf(after.handle.clone()));
    }
    let detail = EventDetail::Person { before: Some(Box::new(before)), after: Box::new(after.clone()) };
    statements.push(writer.append(situation, 1, None, detail, None));
    Ok((after, statements))
}

/// Creates a key, and its person if new. A person who had left returns to the team.
pub fn insert_key(writer: &DeskWriter, key: NewKey, digest: KeyDigest, situation: &DeskSituation) -> Decision<()> {
    if situation.key.is_some() {
        return Err(DeskRefusal::KeyTaken);
    }
    let (name, role, owner) = (Text::from_outside(key.name.as_str()), key.role, key.person.clone());
    let detail = EventDetail::Key { name, role, owner, revoked: false };
    let event = writer.append(situation, 1, None, detail, None);
    let added = key.person.as_ref().and_then(|handle| add_to_team(writer, handle, role, situation));
    let (person, person_event) = added.unzip();
    // The person precedes the key that refers to it; the events are in the order of their revisions.
    let key = DeskStatement::InsertKey(key, digest);
    Ok(((), person.into_iter().chain([key, event]).chain(person_event).collect()))
}

/// Returns the statement that puts a person on the team, and its event; `None` if the person is on it already.
fn add_to_team(
    writer: &DeskWriter,
    handle: &Handle,
    role: Role,
    situation: &DeskSituation,
) -> Option<(DeskStatement, DeskStatement)> {
    let before = situation.person.clone();
    let after = match &before {
        Some(person) if person.left_at.is_none() => return None,
        Some(person) => Person { role: person.role.max(Some(role)), left_at: None, ..person.clone() },
        None => Person { handle: handle.clone(), name: handle.as_str().into(), role: Some(role), left_at: None },
    };
    let detail = EventDetail::Person { before: before.map(Box::new), after: Box::new(after.clone()) };
    // The event of the key is the first.
    Some((DeskStatement::PutPerson(after), writer.append(situation, 2, None, detail, None)))
}

/// Revokes a key by name.
pub fn revoke_key(writer: &DeskWriter, name: String, situation: &DeskSituation) -> Decision<()> {
    let (role, owner) = situation.key.clone().ok_or(DeskRefusal::UnknownKey)?;
    let detail = EventDetail::Key { name: Text::from_outside(name.as_str()), role, owner, revoked: true };
    let event = writer.append(situation, 1, None, detail, None);
    Ok(((), vec![DeskStatement::RevokeKey(name), event]))
}

/// A merge of two services: `from` is removed, and its rows and notes move to `into`.
#[derive(Debug, Clone)]
pub struct MergeRequest {
    pub writer: DeskWriter,
    pub from: i64,
    pub into: i64,
}

impl MergeRequest {
    /// Returns what the decision needs to read.
    pub fn query(&self) -> DeskQuery {
        DeskQuery { change: Some(self.writer.change), merge: Some((self.from, self.into)), ..DeskQuery::default() }
    }

    /// Decides a merge and returns the remaining service. If both have a row for a report, the later one stays, with a
    /// version above both.
    pub fn decide(self, situation: &DeskSituation) -> Decision<DeskService> {
        let Self { writer, from, into } = self;
        let find = |id| situation.services.iter().find(|record| record.service.id == id);
        let (gone, stays) = find(from).zip(find(into)).ok_or(DeskRefusal::UnknownService)?;
        if gone.merged_into == Some(into) {
            return Ok((stays.service.clone(), Vec::new()));
        }
        if gone.merged_into.is_some() || stays.merged_into.is_some() {
            return Err(DeskRefusal::UnknownService);
        }
        if from == into || from == OWN_SERVICE {
            return Err(DeskRefusal::Unmergeable);
        }
        if situation.repeated.is_some() {
            return Err(DeskRefusal::ChangeReused);
        }
        let mut statements = vec![writer.append(situation, 1, None, EventDetail::Merged { from, into }, None)];
        for ((one, other), place) in situation.conflicts.iter().zip(2_u32..) {
            let later = if one.set_at > other.set_at { one } else { other };
            let after = DeskRow { version: one.version.max(other.version) + 1, ..later.clone() };
            let (before, report) = (Some(Box::new(other.clone())), after.report.clone());
            let detail = EventDetail::State { before, after: Box::new(after.clone()) };
            statements.push(DeskStatement::DeleteState(from, report.clone()));
            statements.push(writer.append(situation, place, Some((into, report.raw())), detail, None));
            statements.push(DeskStatement::PutState(into, after));
        }
        statements.push(DeskStatement::Merge(from, into));
        Ok((stays.service.clone(), statements))
    }
}
