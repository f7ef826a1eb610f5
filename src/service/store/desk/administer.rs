//! Writes of operators and admins to a desk: keys, people, and merging services.

use jiff::Timestamp;

use super::decide::{Decision, DeskRefusal, DeskWriter, OWN_SERVICE, decode, encode, shown_service};
use super::records::{DeskQuery, DeskSituation, DeskStatement, PersonRecord, StateRecord};
use crate::domain::desk::{
    ChangeId, DeskActor, DeskRow, DeskService, EventDetail, Handle, InvalidHandle, Person, Role,
};
use crate::domain::text::Text;
use crate::service::store::key_rows::{KeyDigest, NewKey};
use crate::service::store::values;

/// Converts a person's record, with the highest of these roles.
pub fn shown_person(record: &PersonRecord, roles: impl Iterator<Item = Role>) -> Result<Person, DeskRefusal> {
    let handle = record.handle.parse().map_err(|error: InvalidHandle| DeskRefusal::Unreadable(error.to_string()))?;
    let (name, left_at) = (Text::from_outside(record.name.as_str()), record.left_at.map(values::time));
    Ok(Person { handle, name, role: roles.max(), left_at })
}

/// A change of a person by the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonChange {
    /// The new name.
    pub name: Option<String>,
    /// Whether the person is on the team; `None` leaves it as it is.
    pub is_here: Option<bool>,
}

/// Decides a change of a person. Leaving revokes all of the person's keys.
pub fn change_person(
    writer: &DeskWriter,
    change: &PersonChange,
    situation: &DeskSituation,
    now: i64,
) -> Decision<Person> {
    let before = situation.person.as_ref().ok_or(DeskRefusal::UnknownPerson)?;
    let left_at = match change.is_here {
        Some(true) => None,
        Some(false) => Some(before.left_at.unwrap_or(now)),
        None => before.left_at,
    };
    let name = change.name.clone().unwrap_or_else(|| before.name.clone());
    let after = PersonRecord { name, left_at, ..before.clone() };
    let roles = situation.roles.iter().copied().filter(|_| left_at.is_none());
    let shown = shown_person(&after, roles)?;
    if after == *before {
        return Ok((shown, Vec::new()));
    }
    let earlier = shown_person(before, situation.roles.iter().copied())?;
    let detail = EventDetail::Person { before: Some(Box::new(earlier)), after: Box::new(shown.clone()) };
    let mut statements = vec![DeskStatement::PutPerson(after)];
    if left_at.is_some() {
        statements.push(DeskStatement::RevokeKeysOf(before.handle.clone()));
    }
    statements.push(writer.append((situation, now), (1, writer.change), None, detail, None)?);
    Ok((shown, statements))
}

/// A key to create.
pub struct KeyRequest {
    pub writer: DeskWriter,
    pub key: NewKey,
    pub digest: KeyDigest,
}

impl KeyRequest {
    /// Returns what the decision needs to read.
    pub fn query(&self) -> DeskQuery {
        DeskQuery {
            key: Some(self.key.name.clone()),
            person: self.key.person.as_ref().map(|person| person.as_str().to_owned()),
            ..DeskQuery::default()
        }
    }

    /// Creates the key, and its person if new. A person who had left returns to the team.
    pub fn decide(self, situation: &DeskSituation, now: i64) -> Decision<()> {
        let Self { writer, key, digest } = self;
        if situation.key.is_some() {
            return Err(DeskRefusal::KeyTaken);
        }
        let (name, role, owner) = (Text::from_outside(key.name.as_str()), key.role, key.person.clone());
        let detail = EventDetail::Key { name, role, owner, revoked: false };
        let event = writer.append((situation, now), (1, writer.change), None, detail, None)?;
        let brought = key.person.as_ref().map(|handle| add_to_team(&writer, (handle, role), (situation, now)));
        let (person, person_event) = brought.transpose()?.flatten().unzip();
        // The person precedes the key that refers to it; the events are in the order of their revisions.
        let key = DeskStatement::InsertKey(key, digest);
        Ok(((), person.into_iter().chain([key, event]).chain(person_event).collect()))
    }
}

/// Returns the statement that puts a person on the team, and its event; `None` if the person is on it already.
fn add_to_team(
    writer: &DeskWriter,
    (handle, role): (&Handle, Role),
    (situation, now): (&DeskSituation, i64),
) -> Result<Option<(DeskStatement, DeskStatement)>, DeskRefusal> {
    let after = match &situation.person {
        Some(person) if person.left_at.is_none() => return Ok(None),
        Some(person) => PersonRecord { left_at: None, ..person.clone() },
        None => PersonRecord { handle: handle.as_str().to_owned(), name: handle.as_str().to_owned(), left_at: None },
    };
    let roles = || situation.roles.iter().copied();
    let before = situation.person.as_ref().map(|person| shown_person(person, roles())).transpose()?;
    let shown = shown_person(&after, roles().chain([role]))?;
    let detail = EventDetail::Person { before: before.map(Box::new), after: Box::new(shown) };
    // The event of the key is the first.
    let event = writer.append((situation, now), (2, writer.change.numbered(2)), None, detail, None)?;
    Ok(Some((DeskStatement::PutPerson(after), event)))
}

/// Revokes a key by name.
pub fn revoke_key(writer: &DeskWriter, name: String, situation: &DeskSituation, now: i64) -> Decision<()> {
    let (role, owner) = situation.key.clone().ok_or(DeskRefusal::UnknownKey)?;
    let owner = owner.and_then(|owner| owner.parse().ok());
    let detail = EventDetail::Key { name: Text::from_outside(name.as_str()), role, owner, revoked: true };
    let event = writer.append((situation, now), (1, writer.change), None, detail, None)?;
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
    pub fn decide(self, situation: &DeskSituation, now: i64) -> Decision<DeskService> {
        let Self { writer, from, into } = self;
        let find = |id| situation.services.iter().find(|service| service.id == id).ok_or(DeskRefusal::UnknownService);
        let (gone, stays) = (find(from)?, find(into)?);
        if gone.merged_into == Some(into) {
            return Ok((shown_service(stays), Vec::new()));
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
        let detail = EventDetail::Merged { from, into };
        let mut statements = vec![writer.append((situation, now), (1, writer.change), None, detail, None)?];
        for ((one, other), place) in situation.conflicts.iter().zip(2_u32..) {
            let (one, other): (DeskRow, DeskRow) = (decode(&one.content)?, decode(&other.content)?);
            let version = one.version.max(other.version) + 1;
            let later = if one.set_at > other.set_at { one } else { other.clone() };
            let after = DeskRow { version, ..later };
            let report = after.report.raw().to_owned();
            let content = encode(&after)?;
            let detail = EventDetail::State { before: Some(Box::new(other)), after: Box::new(after) };
            let change = writer.change.numbered(place);
            statements.push(DeskStatement::DeleteState(from, report.clone()));
            statements.push(writer.append(
                (situation, now),
                (place.into(), change),
                Some((into, &report)),
                detail,
                None,
            )?);
            statements.push(DeskStatement::PutState(StateRecord { service: into, report, version, content }));
        }
        statements.push(DeskStatement::Merge(from, into));
        Ok((shown_service(stays), statements))
    }
}

/// Returns the writer of a command on the service's own machine.
pub fn operator(change: ChangeId) -> DeskWriter {
    let decided_at: Option<Timestamp> = None;
    DeskWriter { actor: DeskActor::Operator, role: Role::Admin, change, decided_at }
}
