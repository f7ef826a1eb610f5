//! Finds a service on a desk, and reads all of its rows and notes.

use jiff::Timestamp;

use super::client::Client;
use super::{contract, error};
use crate::domain::desk::{
    ChangeId, DeskChanges, DeskContent, DeskEvent, DeskOverview, DeskService, LogPosition, NotesPage, OWN_SERVICE,
    Role, RowsPage, ServiceLookup,
};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::ReportId;
use crate::domain::text::Text;

/// Advice about a log that does not end within the limit.
const LONG_LOG_ADVICE: &str = "Name a shorter time with --since, or ask whoever runs the desk: it may be faulty";
/// By how many revisions the beginning of a log's recent events is first looked for before its end.
const FIRST_STEP_BACK: i64 = 500;

/// The clients of a desk and, if it is another service, of the service with the reports.
#[derive(Clone)]
pub struct DeskClients {
    /// The client of the desk.
    pub desk: Client,
    /// The client of the service; `None` if the desk belongs to it.
    pub service: Option<Client>,
}

impl DeskClients {
    /// Returns the number of the service on the desk; `None` if there is none. Creates it under the id `creation`, if
    /// given and the role permits.
    pub async fn service_number(
        &self,
        overview: &DeskOverview,
        creation: Option<ChangeId>,
    ) -> Result<Option<i64>, Failure> {
        let Some(service) = &self.service else { return Ok(Some(OWN_SERVICE)) };
        // Our own services have an id that is independent of the address.
        let own = match service.desk().await {
            Ok(desk) => Ok(desk.map(|desk| desk.service_id)),
            Err(failure) if means_no_desk(&failure) => Ok(None),
            Err(failure) => Err(failure),
        };
        let own_id = own.as_ref().ok().and_then(Option::as_ref);
        if own_id == Some(&overview.service_id) {
            return Ok(Some(OWN_SERVICE));
        }
        let base = service.base().as_str();
        let is_it = |known: &&DeskService| {
            known.base.as_ref().is_some_and(|known| known.raw() == base)
                || (own_id.is_some() && known.service_id.as_ref() == own_id)
        };
        if let Some(known) = overview.services.iter().find(is_it) {
            return Ok(Some(known.id));
        }
        // The desk may know it under another address: without its id, a second one would be created.
        let own = own?;
        let Some(change) = creation.filter(|_| overview.me.role >= Role::Triage) else { return Ok(None) };
        let label = service.base().host();
        let (base, label) = (Text::from_outside(base), Text::from_outside(label.as_str()));
        let lookup = ServiceLookup { change, base, service_id: own, label };
        Ok(Some(self.desk.desk_service(&lookup).await?.id))
    }

    /// Reads all rows and notes of a service.
    pub async fn read_all(&self, service: i64) -> Result<DeskContent, Failure> {
        let mut content = self.read_rows(service).await?;
        content.notes = self.read_notes(service).await?.notes;
        Ok(content)
    }

    /// Reads all rows of a service.
    pub async fn read_rows(&self, service: i64) -> Result<DeskContent, Failure> {
        let (mut content, mut room) = (DeskContent::default(), ReadRoom::of(&self.desk));
        let mut after = None;
        loop {
            let position = after.as_ref().map(ReportId::raw);
            let (page, bytes) = self.desk.desk_page::<RowsPage>(contract::DESK_STATES, service, position).await?;
            if after.is_none() {
                // Later pages may be newer; events up to their position then change nothing.
                content.position = page.position;
            }
            after = page.rows.last().map(|row| row.report.clone());
            page.rows.into_iter().for_each(|row| content.put_row(row));
            if !page.more {
                return Ok(content);
            }
            room.take(content.rows.len(), bytes)?;
        }
    }

    /// Reads all notes of a service.
    pub async fn read_notes(&self, service: i64) -> Result<DeskContent, Failure> {
        let (mut content, mut room) = (DeskContent::default(), ReadRoom::of(&self.desk));
        let mut after = None;
        loop {
            let (page, bytes) = self.desk.desk_page::<NotesPage>(contract::DESK_NOTES, service, after).await?;
            after = page.notes.last().map(|note| note.id);
            page.notes.into_iter().for_each(|note| content.put_note(note));
            if !page.more {
                return Ok(content);
            }
            room.take(content.notes.len(), bytes)?;
        }
    }

    /// Reads the retained events of a service since a time, oldest first, from a log that ends at a revision. `page`
    /// reads those after a position, with the size of the response ([`Client::desk_log`]).
    pub async fn read_events(
        &self,
        (end, since): (i64, Timestamp),
        page: impl AsyncFn(Option<LogPosition>) -> Result<(DeskChanges, usize), Failure>,
    ) -> Result<Vec<DeskEvent>, Failure> {
        let (mut events, mut read, mut room) = (Vec::new(), 0, ReadRoom::of(&self.desk));
        let mut after = position_before((end, since), &page).await?;
        loop {
            let (part, bytes) = page(after).await?;
            if part.reset && after.is_some() {
                // Restored from a backup or pruned since the previous page: the events read so far may be others.
                (after, events) = (None, Vec::new());
                continue;
            }
            let has_moved = after.is_none_or(|after| part.position.revision > after.revision);
            read += part.events.len();
            events.extend(part.events.into_iter().filter(|event| event.at >= since));
            if !part.more {
                return Ok(events);
            }
            // A desk whose log does not move on would be read forever.
            let taken = if has_moved { room.take(read, bytes) } else { Err(error::endless_desk(room.limit)) };
            taken.map_err(|failure| Failure { advice: LONG_LOG_ADVICE.to_owned(), ..failure })?;
            after = Some(part.position);
        }
    }
}

/// Returns a position before the events of a log since a time, in the order of revisions; `None` for the beginning.
/// A log can have hundreds of thousands of older events, so it is entered at its end and not read from its beginning.
async fn position_before(
    (end, since): (i64, Timestamp),
    page: &impl AsyncFn(Option<LogPosition>) -> Result<(DeskChanges, usize), Failure>,
) -> Result<Option<LogPosition>, Failure> {
    let mut back = FIRST_STEP_BACK;
    while back < end {
        let position = Some(LogPosition { revision: end - back, change: None });
        let (part, _) = page(position).await?;
        if part.reset {
            // The events before are no longer retained.
            break;
        }
        if part.events.first().is_some_and(|event| event.at < since) {
            return Ok(position);
        }
        back *= 2;
    }
    Ok(None)
}

/// What may still be read of a desk whose pages continue.
struct ReadRoom {
    limit: usize,
    bytes: usize,
    /// The number of entries after the last page.
    entries: usize,
}

impl ReadRoom {
    fn of(desk: &Client) -> Self {
        let limit = desk.sender.limits.desk;
        Self { limit, bytes: limit, entries: 0 }
    }

    /// Counts a page. Fails if it brought no new entry, or if too many bytes were read.
    fn take(&mut self, entries: usize, bytes: usize) -> Result<(), Failure> {
        let has_new = entries > std::mem::replace(&mut self.entries, entries);
        self.bytes = self.bytes.saturating_sub(bytes);
        if has_new && self.bytes > 0 { Ok(()) } else { Err(error::endless_desk(self.limit)) }
    }
}

/// Whether a failed `GET /desk` means that the service has no desk, and thus no id. Services without one send many
/// kinds of responses: gateways 403 or 501, websites a page or a redirect to their login.
pub fn means_no_desk(failure: &Failure) -> bool {
    match failure.status {
        // A refused key, a timeout or a rate limit says nothing about the desk, and neither does a failing server.
        Some(401 | 408 | 425 | 429) | None => false,
        Some(status) => status < 500 || status == 501,
    }
}

/// Whether a failure is permanent, so that retrying is pointless. Once a desk has been joined, a response that no desk
/// sends comes from something in between, such as a login page of the network or a proxy whose server restarts.
pub fn has_refused(failure: &Failure, was_joined: bool) -> bool {
    match failure.kind {
        FailureKind::Unauthorised | FailureKind::Forbidden | FailureKind::Invalid | FailureKind::Local => true,
        FailureKind::WrongAddress | FailureKind::NotFound | FailureKind::Unreadable | FailureKind::TooLarge => {
            !was_joined
        }
        FailureKind::Unreachable | FailureKind::TimedOut | FailureKind::Service | FailureKind::RateLimited => false,
    }
}
