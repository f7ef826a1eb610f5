//! Writes of operators and admins to a desk: keys, people, and merging services.

use super::decide::DeskWriter;
use super::{reads, writes};
use crate::domain::desk::{DeskRow, DeskService, EventDetail, Handle, OWN_SERVICE, Person, Role};
use crate::domain::text::Text;
use crate::service::store::error::{DeskRefusal, StoreError};
use crate::service::store::key_rows::{KeyDigest, NewKey};
use crate::service::store::sql::SqlTransaction;
use crate::service::store::tables::keys;
use crate::service::store::values;

/// A change of a person by the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonChange {
    /// The new name.
    pub name: Option<String>,
    /// Whether the person is on the team; `None` leaves it as it is.
    pub is_here: Option<bool>,
}

/// Changes a person. Leaving revokes all of the person's keys.
pub async fn change_person(
    transaction: &impl SqlTransaction,
    writer: &DeskWriter,
    handle: &Handle,
    change: PersonChange,
) -> Result<Person, StoreError> {
    let before = reads::person_of(transaction, handle).await?.ok_or(DeskRefusal::UnknownPerson)?;
    let left_at = match change.is_here {
        Some(true) => None,
        Some(false) => Some(before.left_at.unwrap_or(values::time(transaction.now()))),
        None => before.left_at,
    };
    let name = change.name.map_or_else(|| before.name.clone(), Text::from_outside);
    let role = before.role.filter(|_| left_at.is_none());
    let after = Person { handle: before.handle.clone(), name, role, left_at };
    if after == before {
        return Ok(after);
    }
    writes::put_person(transaction, &after).await?;
    if left_at.is_some() {
        keys::revoke_all_of(transaction, handle).await?;
    }
    let detail = EventDetail::Person { before: Some(Box::new(before)), after: Box::new(after.clone()) };
    writer.append(transaction, 1, None, detail, None).await?;
    Ok(after)
}

/// Creates a key, and its person if new. A person who had left returns to the team.
pub async fn insert_key(
    transaction: &impl SqlTransaction,
    writer: &DeskWriter,
    key: &NewKey,
    digest: &KeyDigest,
) -> Result<(), StoreError> {
    if keys::named(transaction, &key.name).await?.is_some() {
        return Err(DeskRefusal::KeyTaken.into());
    }
    let (name, role, owner) = (Text::from_outside(key.name.as_str()), key.role, key.person.clone());
    // The person precedes the key that refers to it; of the events, that of the key is the first.
    let added = match &owner {
        Some(handle) => add_to_team(transaction, handle, role).await?,
        None => None,
    };
    keys::insert(transaction, key, digest).await?;
    writer.append(transaction, 1, None, EventDetail::Key { name, role, owner, revoked: false }, None).await?;
    if let Some(detail) = added {
        writer.append(transaction, 2, None, detail, None).await?;
    }
    Ok(())
}

/// Puts a person on the team, and returns the event; `None` if the person is on it already.
async fn add_to_team(
    transaction: &impl SqlTransaction,
    handle: &Handle,
    role: Role,
) -> Result<Option<EventDetail>, StoreError> {
    let before = reads::person_of(transaction, handle).await?;
    let after = match &before {
        Some(person) if person.left_at.is_none() => return Ok(None),
        Some(person) => Person { role: person.role.max(Some(role)), left_at: None, ..person.clone() },
        None => Person { handle: handle.clone(), name: handle.as_str().into(), role: Some(role), left_at: None },
    };
    writes::put_person(transaction, &after).await?;
    Ok(Some(EventDetail::Person { before: before.map(Box::new), after: Box::new(after) }))
}

/// Revokes a key by name.
pub async fn revoke_key(transaction: &impl SqlTransaction, writer: &DeskWriter, name: &str) -> Result<(), StoreError> {
    let (role, owner) = keys::named(transaction, name).await?.ok_or(DeskRefusal::UnknownKey)?;
    keys::revoke(transaction, name).await?;
    let detail = EventDetail::Key { name: Text::from_outside(name), role, owner, revoked: true };
    writer.append(transaction, 1, None, detail, None).await
}

/// Merges two services: `from` is removed, and its rows and notes move to `into`, which is returned. If both have a row
/// for a report, the later one stays, with a version above both.
pub async fn merge(
    transaction: &impl SqlTransaction,
    writer: &DeskWriter,
    (from, into): (i64, i64),
) -> Result<DeskService, StoreError> {
    let services = reads::services(transaction).await?;
    let find = |id| services.iter().find(|record| record.service.id == id);
    let (gone, stays) = find(from).zip(find(into)).ok_or(DeskRefusal::UnknownService)?;
    if gone.merged_into == Some(into) {
        return Ok(stays.service.clone());
    }
    if gone.merged_into.is_some() || stays.merged_into.is_some() {
        return Err(DeskRefusal::UnknownService.into());
    }
    if from == into || from == OWN_SERVICE {
        return Err(DeskRefusal::Unmergeable.into());
    }
    writer.require_new(transaction).await?;
    let conflicts = reads::conflicts(transaction, from, into).await?;
    writer.append(transaction, 1, None, EventDetail::Merged { from, into }, None).await?;
    for ((one, other), place) in conflicts.into_iter().zip(2_u32..) {
        let version = one.version.max(other.version) + 1;
        let later = if one.set_at > other.set_at { one } else { other.clone() };
        let after = DeskRow { version, ..later };
        let (report, before) = (after.report.clone(), Some(Box::new(other)));
        writes::delete_state(transaction, from, &report).await?;
        writes::put_state(transaction, into, &after).await?;
        let detail = EventDetail::State { before, after: Box::new(after) };
        writer.append(transaction, place, Some((into, report.raw())), detail, None).await?;
    }
    writes::merge(transaction, from, into).await?;
    Ok(stays.service.clone())
}
