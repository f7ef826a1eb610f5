//! The desk of the chosen service, for commands.

use std::sync::Arc;

use jiff::Timestamp;

use crate::api::desk::RowWriteFailure;
use crate::api::desk_entry::{DeskClients, means_no_desk};
use crate::cli::context::{CommandContext, Target};
use crate::cli::exit::{CommandError, print_note};
use crate::cli::output::Printer;
use crate::cli::setup::access::{Purpose, with_rate_limit_waits};
use crate::cli::setup::local_journal::LocalJournal;
use crate::cli::setup::profiles::desk_of;
use crate::cli::setup::service_probe::Finding;
use crate::domain::desk::{
    ChangeId, DeskContent, DeskEvent, DeskMe, DeskNote, DeskOverview, DeskRow, Handle, LogPosition, RowPrecondition,
    RowWrite, holder_after,
};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::ReportId;
use crate::domain::triage::{Note, Notes, Triage, Triages};

/// A report with its state and who holds it.
pub type HeldState = (ReportId, Triage, Option<Handle>);

/// A desk that has responded.
pub struct TeamDesk {
    /// The clients of the desk and of the service.
    pub clients: DeskClients,
    /// The service's number on the desk.
    pub service: i64,
    /// The person whose key is used; `None` for a robot.
    pub me: Option<Handle>,
    /// The end of the desk's log.
    pub position: LogPosition,
    /// When the desk was opened, by its clock.
    opened_at: Timestamp,
}

impl TeamDesk {
    /// Opens the desk of the chosen service. Fails if there is none, or for writes if read-only.
    pub async fn open(context: &CommandContext<'_>, purpose: Purpose) -> Result<Self, CommandError> {
        let Some(DeskTarget { clients, base, is_read_only }) = DeskTarget::choose(context)? else {
            let advice = "Choose a service with --profile or --base-url: every `reportdeck serve` has a desk";
            return Err(CommandError::usage("the embedded service has no desk", advice));
        };
        purpose.check(is_read_only)?;
        let overview = with_rate_limit_waits(async || clients.desk.desk().await).await?;
        Self::enter(clients, overview.ok_or_else(|| no_desk(&base))?, is_read_only).await
    }

    /// Opens the desk of the chosen service, if the key belongs to a person there; otherwise states and notes are
    /// local, and writing them is allowed even if read-only. Fails if the service does not say whether there is a desk.
    pub async fn of_person(context: &CommandContext<'_>, purpose: Purpose) -> Result<Option<Self>, CommandError> {
        match StateSource::find(context, purpose).await? {
            StateSource::Desk(desk) => Ok(Some(*desk)),
            StateSource::Local => Ok(None),
            StateSource::Unknown(failure) => Err(failure.into()),
        }
    }

    /// Returns the states in force: those of the desk if the key belongs to a person there, else those of this machine.
    pub async fn current_states(context: &CommandContext<'_>) -> Result<Triages, CommandError> {
        match Self::of_person(context, Purpose::Read).await? {
            Some(desk) => Ok(desk.held_states().await?.into_iter().map(|(id, triage, _)| (id, triage)).collect()),
            None => LocalJournal::open(context)?.states(),
        }
    }

    /// Reads all rows and notes of the service.
    pub async fn content(&self) -> Result<DeskContent, Failure> {
        with_rate_limit_waits(async || self.clients.read_all(self.service).await).await
    }

    /// Returns the states of all reports of the service with their holders. The desk keeps rows whose state was cleared;
    /// as on this machine, they are no states.
    pub async fn held_states(&self) -> Result<Vec<HeldState>, Failure> {
        let content = with_rate_limit_waits(async || self.clients.read_rows(self.service).await).await?;
        let now = Timestamp::now();
        let states = content.rows.into_values().map(|row| (row.report.clone(), row.triage().expire(now), row.holder));
        Ok(states.filter(|(_, triage, holder)| !triage.is_plain() || holder.is_some()).collect())
    }

    /// Returns the notes about all reports of the service.
    pub async fn notes(&self) -> Result<Notes, Failure> {
        let content = with_rate_limit_waits(async || self.clients.read_notes(self.service).await).await?;
        Ok(content.notes.values().map(|note| (note.report.clone(), shown(note))).collect())
    }

    /// Sets the state of a report, and returns its former and its new row. Fails, naming the other writer, if somebody
    /// else has changed the row since the desk was opened.
    ///
    /// The former row is not read before: a desk has the row if it refuses to create it, and sends it along.
    pub async fn set_state(&self, report: &ReportId, triage: &Triage) -> Result<(Option<DeskRow>, DeskRow), Failure> {
        let former = match self.write_state(None, report, triage).await {
            Ok(row) => return Ok((None, row)),
            Err(RowWriteFailure::Conflict(Some(row))) if !self.was_changed_meanwhile(&row) => *row,
            Err(failure) => return Err(refused(failure, report)),
        };
        let row = self.write_state(Some(&former), report, triage).await.map_err(|failure| refused(failure, report))?;
        Ok((Some(former), row))
    }

    fn was_changed_meanwhile(&self, row: &DeskRow) -> bool {
        row.set_at > self.opened_at && row.set_by.person() != self.me.as_ref()
    }

    async fn write_state(
        &self,
        former: Option<&DeskRow>,
        report: &ReportId,
        triage: &Triage,
    ) -> Result<DeskRow, RowWriteFailure> {
        let expected = former.map_or(RowPrecondition::Absent, |row| RowPrecondition::Version(row.version));
        let present = former.and_then(|row| row.holder.as_ref());
        let holder = holder_after(triage.state.kind(), present, self.me.as_ref());
        let (state, baseline) = (triage.state, triage.baseline.clone());
        let change = change_id().map_err(RowWriteFailure::Failed)?;
        let write = RowWrite { change, state, holder, baseline, reason: None, cause: None, decided_at: None };
        self.clients.desk.write_desk_row(self.service, report, expected, &write).await
    }

    /// Returns the retained desk events of the service since a time, oldest first.
    pub async fn events(&self, since: Timestamp) -> Result<Vec<DeskEvent>, Failure> {
        let page =
            async |after| with_rate_limit_waits(async || self.clients.desk.desk_log(self.service, after).await).await;
        self.clients.read_events((self.position.revision, since), page).await
    }

    async fn enter(clients: DeskClients, overview: DeskOverview, is_read_only: bool) -> Result<Self, CommandError> {
        let creation = if is_read_only { None } else { Some(change_id()?) };
        let number = with_rate_limit_waits(async || clients.service_number(&overview, creation).await).await?;
        let Some(service) = number else {
            let advice = "Someone with the role triage has to open the service once";
            return Err(CommandError::local("the desk does not know this service yet", advice));
        };
        let DeskOverview { me, position, time, .. } = overview;
        Ok(Self { clients, service, me: me.handle, position, opened_at: time })
    }
}

/// Where the states and notes about the reports of the chosen service are.
pub enum StateSource {
    /// On the desk, where the key belongs to a person.
    Desk(Box<TeamDesk>),
    /// On this machine.
    Local,
    /// The profile names no desk, and the service does not say whether it has one: there may be more than this machine
    /// knows.
    Unknown(Failure),
}

impl StateSource {
    /// Asks the service. Fails if the desk that the profile names does not respond, or for writes if read-only.
    pub async fn find(context: &CommandContext<'_>, purpose: Purpose) -> Result<Self, CommandError> {
        let Some(DeskTarget { clients, base, is_read_only }) = DeskTarget::choose(context)? else {
            return Ok(Self::Local);
        };
        let found = match with_rate_limit_waits(async || clients.desk.desk().await).await {
            Err(failure) if clients.service.is_none() && means_no_desk(&failure) => {
                print_note(&format!("note: only what this machine knows is used: {failure}"));
                return Ok(Self::Local);
            }
            Err(failure) if clients.service.is_none() && failure.kind != FailureKind::Unauthorised => {
                return Ok(Self::Unknown(failure));
            }
            found => found?,
        };
        match found {
            Some(overview) if overview.me.handle.is_some() => {
                purpose.check(is_read_only)?;
                Ok(Self::Desk(Box::new(TeamDesk::enter(clients, overview, is_read_only).await?)))
            }
            None if clients.service.is_some() => Err(no_desk(&base)),
            Some(_) if purpose == Purpose::Write => {
                print_note("note: states and notes stay on this machine: the key belongs to no person on the desk");
                Ok(Self::Local)
            }
            Some(_) | None => Ok(Self::Local),
        }
    }

    /// Ends the output of a command that has printed what this machine knows. Fails if there may be more.
    pub fn finish(self, printer: &mut Printer) -> Result<(), CommandError> {
        match self {
            Self::Desk(_) | Self::Local => Ok(printer.finish()?),
            Self::Unknown(failure) => {
                printer.leave_open()?;
                let message = format!("this is only what this machine knows: {}", failure.message);
                Err(Failure { message, ..failure }.into())
            }
        }
    }
}

/// The desk of the chosen service, before it is contacted.
struct DeskTarget {
    clients: DeskClients,
    /// The desk's address.
    base: String,
    is_read_only: bool,
}

impl DeskTarget {
    /// Chooses the desk; `None` for the embedded service.
    fn choose(context: &CommandContext<'_>) -> Result<Option<Self>, CommandError> {
        let target = context.target()?;
        let is_read_only = context.is_read_only(&target);
        let Target::Elsewhere(base, elsewhere) = target else { return Ok(None) };
        let access = desk_of(&base, &elsewhere)?;
        let client = |base, key| context.client(base, key, Arc::new(|_| {}));
        let desk = client(access.base.clone(), access.key.clone())?;
        let service = if access.is_own { None } else { Some(client(base, elsewhere.key.clone())?) };
        let clients = DeskClients { desk, service };
        Ok(Some(Self { clients, base: access.base.as_str().to_owned(), is_read_only }))
    }
}

/// Returns a finding about the desk of the chosen service: the person and the role of the key. `None` for the embedded
/// service, and for the own desk of a service that does not work.
pub async fn probe_desk(context: &CommandContext<'_>, service_works: bool) -> Result<Option<Finding>, CommandError> {
    let Some(DeskTarget { clients, base, .. }) = DeskTarget::choose(context)? else { return Ok(None) };
    let is_own = clients.service.is_none();
    if is_own && !service_works {
        return Ok(None);
    }
    let overview = match with_rate_limit_waits(async || clients.desk.desk().await).await {
        Err(failure) if is_own && means_no_desk(&failure) => None,
        // The reports can be read all the same.
        Err(failure) if is_own => return Ok(Some(Finding::note("desk", failure.message, failure.advice))),
        found => found?,
    };
    Ok(Some(match overview {
        Some(DeskOverview { me: DeskMe { handle: Some(person), role, .. }, .. }) => {
            Finding::ok("desk", format!("{base}: {person}, role {}", role.name()))
        }
        Some(DeskOverview { me: DeskMe { role, .. }, .. }) => Finding::note(
            "desk",
            format!("{base}: the key belongs to no person, role {}", role.name()),
            "States and notes stay on this machine; with a key created by `keys create --person` they are shared",
        ),
        None if is_own => Finding::ok("desk", "none: states and notes stay on this machine"),
        None => return Err(no_desk(&base)),
    }))
}

/// The error of a desk that is not there.
pub fn no_desk(base: &str) -> CommandError {
    let advice = "Name one with `desk` in the profile, or ask its administrator";
    CommandError::local(format!("{base} has no desk"), advice)
}

fn refused(failure: RowWriteFailure, report: &ReportId) -> Failure {
    match failure {
        RowWriteFailure::Failed(failure) => failure,
        RowWriteFailure::Conflict(row) => {
            let who = row.map_or_else(|| "someone".to_owned(), |row| row.set_by.shown().into_owned());
            let message = format!("{who} has changed report {} in the meantime", report.shown());
            Failure::new(FailureKind::Invalid, message, "Look at it and decide again")
        }
    }
}

/// Returns a note as it is printed.
pub fn shown(note: &DeskNote) -> Note {
    Note { written_at: note.at, author: note.author.shown().into_owned(), text: note.text.clone() }
}

/// Creates a random id for a write.
pub fn change_id() -> Result<ChangeId, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::new(FailureKind::Local, format!("The system provides no random numbers: {error}"), "Try again")
    })?;
    Ok(ChangeId::from_random(bytes))
}
