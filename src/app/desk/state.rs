//! The state of the desk: the team's rows and notes, and the user's decisions that are not confirmed yet.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use crate::app::message::DeskJoined;
use crate::domain::desk::{
    ChangeId, Conflict, DeskActor, DeskContent, DeskNews, DeskRow, DeskWrite, Handle, OutboxEntry, Person, Presence,
    PresenceActivity, Role, RowWrite, holder_after,
};
use crate::domain::report::ReportId;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::triage::{Note, NoteChange, Notes, StateKind, Triage, Triages};

/// The most unsent decisions that are not shown while the desk responds: they take only a moment.
const FEW_UNSENT: usize = 10;

/// The state of the connection to the desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeskLink {
    /// The desk responds.
    Live,
    /// Unreachable, or not yet reached in this run; last read at this time. Retries continue.
    Away(Timestamp),
    /// The desk rejects the user for this reason; no retries.
    Ended(String),
}

/// Why no desk is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeskAbsence {
    /// One is shown, or there is none.
    #[default]
    None,
    /// The one that the profile names cannot be used; the user was told why.
    Unusable,
    /// It has not responded, and the user was not told: perhaps the service does not respond either.
    Unannounced,
    /// The user was told that it does not respond, although the service does.
    Announced,
}

/// The desk of the current service.
#[derive(Debug)]
pub struct Desk {
    /// The user of this machine.
    pub me: Handle,
    /// The user's role.
    pub role: Role,
    /// Whether the desk belongs to the service of the reports, so that the role applies there too.
    pub is_own: bool,
    /// All people.
    pub people: Vec<Person>,
    /// Rows and notes as the desk has them.
    pub content: DeskContent,
    /// Decisions not confirmed by the desk yet.
    pub outbox: Vec<OutboxEntry>,
    /// Conflicting decisions.
    pub conflicts: Vec<Conflict>,
    /// The presence of others.
    pub present: Vec<Presence>,
    /// The connection state.
    pub link: DeskLink,
    /// How long a claim lasts.
    pub claim: SignedDuration,
    /// The report and version of another person's claim that was shown to the user: repeating the key takes it over.
    pub(super) seen_claim: Option<(ReportId, i64)>,
    /// The latest notice about changes by others, and the news that it counts.
    pub(super) announced: (String, Vec<DeskNews>),
    /// The presence last reported.
    pub(super) sent_presence: (Option<ReportId>, PresenceActivity),
    /// When the changed presence is to be reported.
    pub(crate) send_at: Option<Timestamp>,
    /// The latest unconfirmed decision about each report, from the outbox.
    pending: HashMap<ReportId, RowWrite>,
    /// Ids of the desk's notes by report and displayed time, without those being withdrawn.
    pub(super) note_ids: HashMap<(ReportId, Timestamp), i64>,
    /// When notes of this run were written here, by id. They keep that time, by which undo, redo and open editors know
    /// them; the desk's own is that of its response.
    pub(super) written_notes: HashMap<i64, Timestamp>,
    /// Unconfirmed notes that were edited or deleted. Those that were sent already are withdrawn.
    pub(super) dropped_notes: HashSet<ChangeId>,
    seed: [u8; 16],
    drawn: u64,
}

impl Desk {
    /// Creates the state of a joined desk. `None` for a robot's key, which triages without a desk.
    pub(super) fn new(joined: DeskJoined, claim: SignedDuration) -> Option<Self> {
        let DeskJoined { me, people, content, outbox, seed, read_at, is_reached, is_own } = joined;
        Some(Self {
            me: me.handle?,
            role: me.role,
            is_own,
            people,
            content,
            pending: pending_rows(&outbox),
            outbox,
            conflicts: Vec::new(),
            present: Vec::new(),
            link: if is_reached { DeskLink::Live } else { DeskLink::Away(read_at) },
            claim,
            seen_claim: None,
            announced: (String::new(), Vec::new()),
            sent_presence: (None, PresenceActivity::Viewing),
            send_at: None,
            note_ids: HashMap::new(),
            written_notes: HashMap::new(),
            dropped_notes: HashSet::new(),
            seed,
            drawn: 0,
        })
    }

    /// Returns a new change id, from this run's random bytes and a counter.
    pub(super) fn next_change(&mut self) -> ChangeId {
        self.drawn += 1;
        let mut bytes = self.seed;
        let count = self.drawn.to_be_bytes();
        bytes.iter_mut().rev().zip(count.iter().rev()).for_each(|(byte, count)| *byte ^= count);
        ChangeId::from_random(bytes)
    }

    /// Returns why the user's key does not permit what needs this role; `None` if it does.
    pub(crate) fn role_reason(&self, needed: Role) -> Option<String> {
        let (own, needed_name) = (self.role.name(), needed.name());
        (self.role < needed).then(|| format!("This needs a key with the role {needed_name}; yours has the role {own}"))
    }

    /// Removes a decision from the outbox, and returns it.
    pub(super) fn take_unsent(&mut self, change: ChangeId) -> Option<OutboxEntry> {
        let at = self.outbox.iter().position(|entry| entry.write.change() == change)?;
        Some(self.outbox.remove(at))
    }

    /// Returns the holder of a report.
    pub fn holder(&self, id: &ReportId) -> Option<&Handle> {
        match self.pending.get(id) {
            Some(write) => write.holder.as_ref(),
            None => self.content.rows.get(id)?.holder.as_ref(),
        }
    }

    /// Returns who set a report's state or holder last, unless it was the user.
    pub(crate) fn changed_by_another(&self, id: &ReportId) -> Option<&DeskActor> {
        let row = self.content.rows.get(id).filter(|_| !self.pending.contains_key(id))?;
        (row.set_by.person() != Some(&self.me)).then_some(&row.set_by)
    }

    /// Whether the user holds a report.
    pub fn is_mine(&self, id: &ReportId) -> bool {
        self.holder(id) == Some(&self.me)
    }

    /// Returns the row of an open report that another person holds; `None` once the claim has expired or that person has
    /// left the team.
    pub fn claim_of_another(&self, id: &ReportId, now: Timestamp) -> Option<&DeskRow> {
        if self.pending.contains_key(id) {
            return None;
        }
        let row = self.content.rows.get(id)?;
        let holder = row.holder.as_ref().filter(|holder| **holder != self.me)?;
        let is_fresh = now.duration_since(row.set_at) < self.claim;
        let has_left = self.people.iter().any(|person| person.handle == *holder && person.left_at.is_some());
        (is_fresh && !has_left && row.state.kind().is_open()).then_some(row)
    }

    /// Whether the desk may have another state or holder of a report than is known here. An unsent decision is known,
    /// and while the desk responds, a colleague's change is shown a moment later.
    pub(super) fn may_differ(&self, id: &ReportId) -> bool {
        self.link != DeskLink::Live && !self.pending.contains_key(id)
    }

    /// Whether setting a state again would change a report's row: its holder, or the time of a claim, half of which is
    /// over.
    pub(crate) fn changes_row(&self, id: &ReportId, state: StateKind, now: Timestamp) -> bool {
        let holder = self.holder(id);
        let row = self.content.rows.get(id).filter(|_| state == StateKind::Looking && !self.pending.contains_key(id));
        self.may_differ(id)
            || holder_after(state, holder, Some(&self.me)).as_ref() != holder
            || row.is_some_and(|row| now.duration_since(row.set_at) > self.claim / 2)
    }

    /// Returns the presence of others at a report.
    pub fn present_at<'a>(&'a self, id: &'a ReportId) -> impl Iterator<Item = &'a Presence> {
        self.present.iter().filter(move |presence| presence.report.as_ref() == Some(id))
    }

    /// Builds the displayed states and notes: the desk's, overlaid by unconfirmed decisions.
    pub(super) fn states_and_notes(&mut self, now: Timestamp) -> (Triages, Notes) {
        // The expiry of a snooze is derived, never written.
        let of_row = |row: &DeskRow| (row.report.clone(), row.triage().expire(now));
        let mut triages: Triages = self.content.rows.values().map(of_row).collect();
        let mut notes = Notes::default();
        self.pending = pending_rows(&self.outbox);
        self.note_ids.clear();
        for note in self.content.notes.values() {
            let written_at = self.written_notes.get(&note.id).copied().unwrap_or(note.at);
            let written_at = notes.free_time(&note.report, written_at);
            self.note_ids.insert((note.report.clone(), written_at), note.id);
            let is_mine = note.author.person() == Some(&self.me);
            let author = if is_mine { String::new() } else { note.author.shown().into_owned() };
            let shown = Note { written_at, author, text: note.text.clone() };
            notes.apply(NoteChange { report: note.report.clone(), written_at, note: Some(shown) });
        }
        for entry in &self.outbox {
            match &entry.write {
                DeskWrite::Row { report, write, .. } => {
                    let reason = write.reason.as_ref().map(|reason| reason.shown().to_owned());
                    let (state, baseline) = (write.state, write.baseline.clone());
                    let triage = Triage { state, set_at: entry.decided_at, baseline, reason };
                    triages.put(report.clone(), triage.expire(now));
                }
                DeskWrite::Note { report, write } => {
                    let written_at = notes.free_time(report, entry.decided_at);
                    let note = Note { written_at, author: String::new(), text: write.text.clone() };
                    notes.apply(NoteChange { report: report.clone(), written_at, note: Some(note) });
                }
                DeskWrite::Withdrawal { report, note, .. } => {
                    let withdrawn = self.note_ids.extract_if(|_, id| id == note);
                    for ((_, written_at), _) in withdrawn {
                        notes.apply(NoteChange { report: report.clone(), written_at, note: None });
                    }
                }
            }
        }
        (triages, notes)
    }

    /// Returns the state and holder of each report: decided here and not confirmed yet, or else as the desk has it.
    fn decided(&self) -> impl Iterator<Item = (&ReportId, StateKind, Option<&Handle>)> {
        let pending = self.pending.iter().map(|(id, write)| (id, write.state.kind(), write.holder.as_ref()));
        let rows = self.content.rows.values().filter(|row| !self.pending.contains_key(&row.report));
        pending.chain(rows.map(|row| (&row.report, row.state.kind(), row.holder.as_ref())))
    }

    /// Counts the open reports of those in question that the user holds, and those that others hold.
    pub fn shares(&self, in_question: impl Fn(&ReportId) -> bool) -> (u64, u64) {
        let open = self.decided().filter(|(id, state, _)| state.is_open() && in_question(id));
        open.fold((0, 0), |(mine, others), (.., holder)| match holder {
            Some(holder) if *holder == self.me => (mine + 1, others),
            Some(_) => (mine, others + 1),
            None => (mine, others),
        })
    }

    /// Describes problems of the desk connection, for the status line; `None` without any.
    pub(super) fn connection_problem(&self, now: Timestamp, read_only: bool) -> Option<String> {
        let mut parts = Vec::new();
        match &self.link {
            DeskLink::Live => {}
            DeskLink::Away(since) => parts.push(format!("desk as of {}", relative(now, *since))),
            DeskLink::Ended(_) => parts.push("desk: refused".to_owned()),
        }
        let waits = self.link != DeskLink::Live || read_only;
        let unmentioned = if waits { 0 } else { FEW_UNSENT };
        if self.outbox.len() > unmentioned {
            parts.push(format!("{} to send", grouped(self.outbox.len() as u64)));
        }
        if !self.conflicts.is_empty() {
            parts.push(counted(self.conflicts.len() as u64, "conflict"));
        }
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// Returns the unsettled reports that the user holds.
    pub fn held_by_me(&self) -> impl Iterator<Item = &ReportId> {
        let is_held =
            |(_, state, holder): &(_, StateKind, Option<&Handle>)| !state.is_settled() && *holder == Some(&self.me);
        self.decided().filter(is_held).map(|(id, ..)| id)
    }
}

/// Returns the latest decision of an outbox about each report.
fn pending_rows(outbox: &[OutboxEntry]) -> HashMap<ReportId, RowWrite> {
    let row = |entry: &OutboxEntry| match &entry.write {
        DeskWrite::Row { report, write, .. } => Some((report.clone(), write.clone())),
        DeskWrite::Note { .. } | DeskWrite::Withdrawal { .. } => None,
    };
    outbox.iter().filter_map(row).collect()
}
