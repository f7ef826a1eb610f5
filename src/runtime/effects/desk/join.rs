//! Joins a desk. Its local copy is shown first, while the desk is being asked.

use jiff::Timestamp;

use super::context::{DeskContext, DeskOrders, PAUSES, random};
use super::follow::follow;
use crate::api::desk_entry::has_refused;
use crate::app::message::{DeskJoined, DeskMessage};
use crate::domain::desk::{ChangeId, DeskOverview, OutboxEntry};
use crate::domain::failure::{Failure, FailureKind};
use crate::journal::DeskCopy;

/// The outcome of asking a desk.
enum DeskEntry {
    Joined(Box<DeskCopy>),
    /// There is no desk for this user; the text says why, unless that is normal.
    Absent(Option<String>),
}

/// Joins the desk and follows it. Ends if there is none, or if it rejects the user.
pub(super) async fn run(context: DeskContext, mut orders: DeskOrders) {
    let stored =
        context.with_journal(|journal, service| Ok((journal.load_desk(service)?, journal.load_outbox(service)?)));
    let (known, outbox) = stored.await.unwrap_or_default();
    let joined = |copy: &DeskCopy, outbox: &[OutboxEntry], is_reached| {
        let joined = DeskJoined {
            me: copy.me.clone(),
            people: copy.people.clone(),
            content: copy.content.clone(),
            outbox: outbox.to_vec(),
            // Another one each time, or the ids of changes would repeat.
            seed: random()?,
            read_at: copy.read_at,
            is_reached,
            is_own: context.access.is_own,
        };
        Some(DeskMessage::Joined(Box::new(joined)))
    };
    let mut joined_as = known.as_ref().map(|copy| copy.me.clone());
    if let Some(copy) = &known {
        let Some(joined) = joined(copy, &outbox, false) else { return };
        context.send(joined);
    }
    let mut known = (known, outbox);
    let mut lost = None;
    let mut pause = PAUSES.0;
    loop {
        let (copy, outbox) = known;
        let copy = match enter(&context, copy, lost).await {
            Ok(DeskEntry::Joined(copy)) => *copy,
            Ok(DeskEntry::Absent(reason)) => return context.send(DeskMessage::Absent(reason)),
            Err(failure) if joined_as.is_none() && !context.access.is_own => {
                return context.send(DeskMessage::Absent(Some(failure.to_string())));
            }
            Err(failure) => return context.send(DeskMessage::Ended(failure)),
        };
        // The key may belong to another person than the stored copy, or have another role.
        if joined_as.replace(copy.me.clone()).as_ref() == Some(&copy.me) {
            context.send(DeskMessage::Read(Box::new(copy.content.clone()), copy.people.clone()));
        } else {
            let Some(joined) = joined(&copy, &outbox, true) else { return };
            context.send(joined);
        }
        let end = follow(&context, copy, outbox, &mut orders).await;
        if end.failure.kind != FailureKind::NotFound {
            return context.send(DeskMessage::Ended(end.failure));
        }
        // The service's number is no longer valid: the desk merged it, or is another one.
        tokio::time::sleep(pause).await;
        pause = if end.was_in_step { PAUSES.0 } else { (pause * 2).min(PAUSES.1) };
        known = (None, end.outbox);
        lost = Some(end.failure);
    }
}

/// Asks the desk until it responds. Fails if it rejects the user. A desk that was followed in this run, until it was
/// `lost`, still exists: one that is absent now is asked again.
async fn enter(context: &DeskContext, known: Option<DeskCopy>, lost: Option<Failure>) -> Result<DeskEntry, Failure> {
    let was_joined = known.is_some() || lost.is_some();
    let mut pause = PAUSES.0;
    loop {
        let failure = match (try_to_enter(context, known.as_ref()).await, &lost) {
            (Ok(DeskEntry::Absent(_)), Some(lost)) => lost.clone(),
            (Ok(entered), _) => return Ok(entered),
            (Err(failure), _) if has_refused(&failure, was_joined) => return Err(failure),
            (Err(failure), _) => failure,
        };
        context.send(DeskMessage::Unreachable(failure.clone(), known.as_ref().map(|copy| copy.read_at)));
        tokio::time::sleep(failure.retry_after.unwrap_or(pause).min(PAUSES.1)).await;
        pause = (pause * 2).min(PAUSES.1);
    }
}

async fn try_to_enter(context: &DeskContext, known: Option<&DeskCopy>) -> Result<DeskEntry, Failure> {
    let is_own = context.access.is_own;
    let Some(overview) = context.clients.desk.desk().await? else {
        let reason = || format!("No desk at {}: check `desk` in the profile", context.access.base.as_str());
        return Ok(DeskEntry::Absent((!is_own).then(reason)));
    };
    if overview.me.handle.is_none() {
        let advice = "The desk key belongs to no person: run `reportdeck keys create NAME --person YOU` on its server";
        return Ok(DeskEntry::Absent((!is_own).then(|| advice.to_owned())));
    }
    let creation = random().map(ChangeId::from_random).filter(|_| !context.read_only);
    let Some(service) = context.clients.service_number(&overview, creation).await? else {
        let text = "The desk does not know this service yet: someone with the role triage must open it first";
        return Ok(DeskEntry::Absent(Some(text.to_owned())));
    };
    let DeskOverview { me, people, .. } = overview;
    let of_the_same = known.filter(|known| known.service == service && known.me.handle == me.handle);
    let content = match of_the_same {
        // The changes since then arrive with the first poll.
        Some(known) => known.content.clone(),
        None => context.clients.read_all(service).await?,
    };
    let copy = DeskCopy { service, me, people, content, read_at: Timestamp::now() };
    let stored = copy.clone();
    context.with_journal(move |journal, service| journal.store_desk(service, &stored)).await;
    Ok(DeskEntry::Joined(Box::new(copy)))
}
