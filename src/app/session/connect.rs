//! Which service is worked with: connecting, trying again, going over to another profile.
//!
//! Must not know how a service is found or started.

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::app::availability::Connection;
use crate::app::effect::Effect;
use crate::app::jobs::fetch_checks;
use crate::app::message::Connected;
use crate::app::overlays::{ListCursor, Menu, MenuChoice, Overlay};
use crate::app::panes::projects;
use crate::app::panes::report;
use crate::app::panes::reports;
use crate::app::panes::reports::selection;
use crate::app::triage::states;
use crate::app::undo;
use crate::domain::failure::{Failure, FailureKind};

/// After so many seconds what could not be reached is tried again, longer each time.
const PAUSES: [i64; 5] = [5, 10, 20, 40, 60];

/// A service that can be gone over to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileChoice {
    /// Its name in the configuration; `None` for the service that is used where nothing is configured.
    pub name: Option<String>,
    /// It in words, as it may be shown: the name and where it is.
    pub text: String,
}

/// How often something was tried in vain, and when it is tried again.
#[derive(Debug, Default)]
pub struct RetrySchedule {
    tries: usize,
    at: Option<Timestamp>,
}

impl RetrySchedule {
    fn later(&mut self, now: Timestamp) {
        let pause = PAUSES[self.tries.min(PAUSES.len() - 1)];
        self.tries += 1;
        self.at = now.saturating_add(SignedDuration::from_secs(pause)).ok();
    }

    fn is_due(&self, now: Timestamp) -> bool {
        self.at.is_some_and(|at| at <= now)
    }
}

/// True for what may be over in a moment: nobody answers. What is answered, or wrong here, stays as it is.
fn passes(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::Unreachable | FailureKind::TimedOut)
}

impl App {
    pub(crate) fn on_connected(&mut self, result: Result<Connected, Failure>) {
        self.again = RetrySchedule::default();
        match result {
            Ok(connected) => {
                self.read_only = connected.read_only;
                self.connection = Connection::Ready(connected);
                self.reload_reports();
                self.load_projects();
                self.effects.push(Effect::ReadJournal);
                if self.goes_over {
                    self.goes_over = false;
                    self.last_rows_asked += 1;
                    self.effects.push(Effect::ReadLastRows(None));
                }
            }
            Err(failure) => {
                self.tell_failure(&failure);
                if passes(&failure) {
                    self.again.later(self.now);
                }
                self.reports.failure = Some(failure.clone());
                self.connection = Connection::Failed(failure);
            }
        }
    }

    /// Connects once more, after that failed.
    pub(crate) fn connect_again(&mut self) {
        if matches!(self.connection, Connection::Failed(_)) {
            self.connection = Connection::Starting;
            self.reports.failure = None;
            self.again.at = None;
            self.effects.push(Effect::Connect(self.profile.clone()));
        }
    }

    /// The first rows could not be had: they are asked for again by themselves, as long as nothing newer than a memory
    /// is on the screen.
    pub(crate) fn ask_again_later(&mut self, failure: &Failure) {
        let has_rows = self.reports.listing.loaded() > 0 && !self.reports.listing.from_memory;
        if passes(failure) && !has_rows {
            self.again.later(self.now);
        }
    }

    /// Rows came: nothing is tried again by itself.
    pub(crate) fn is_reached(&mut self) {
        self.again = RetrySchedule::default();
    }

    /// Tries again what could not be reached, when its time has come.
    pub(crate) fn try_again_when_due(&mut self) {
        if !self.again.is_due(self.now) {
            return;
        }
        self.again.at = None;
        match self.connection {
            Connection::Failed(_) => self.connect_again(),
            Connection::Ready(_) => {
                self.reload_reports();
                self.load_projects();
            }
            Connection::Starting => {}
        }
    }

    pub(crate) fn again_at(&self) -> Option<Timestamp> {
        self.again.at
    }

    /// `A`: the services that can be gone over to.
    pub(crate) fn offer_profiles(&mut self) {
        let row = |profile: &ProfileChoice| {
            let now = if profile.name == self.profile { " (now)" } else { "" };
            (format!("{}{now}", profile.text), MenuChoice::Profile(profile.name.clone()))
        };
        let rows: Vec<_> = self.profiles.iter().map(row).collect();
        let at = self.profiles.iter().position(|profile| profile.name == self.profile).unwrap_or(0);
        let cursor = ListCursor { at, ..ListCursor::default() };
        self.overlays.push(Overlay::Menu(Menu { title: "Work with".into(), rows, cursor }));
    }

    /// Why no other service can be gone over to now.
    pub(crate) fn why_not_go_over(&self) -> Option<String> {
        let is_writing = !self.writes.is_empty() || !self.pending.is_empty() || self.batch.is_some();
        let runs = self.bulk.as_ref().is_some_and(crate::app::jobs::bulk::BulkJob::is_active);
        if self.profiles.len() < 2 {
            Some("The configuration has no other profile: [profiles.NAME] in config.toml makes one".to_owned())
        } else if is_writing || runs {
            Some("Something is still being written here: wait until it is done".to_owned())
        } else {
            None
        }
    }

    /// Goes over to another service. What was seen of the former one is put away; what this machine keeps of it stays.
    pub(crate) fn go_over_to(&mut self, profile: Option<String>) {
        if let Some(reason) = self.why_not_go_over() {
            return self.tell(reason);
        }
        self.stop_loading();
        self.stop_checks();
        self.effects.extend(self.projects.list.cancel().map(Effect::Cancel));
        self.effects.extend(self.report.whole.cancel().map(Effect::Cancel));
        let sort = self.reports.sort;
        self.projects = projects::Projects::default();
        self.reports = reports::Reports { sort, ..reports::Reports::default() };
        self.report = report::ReportPane::default();
        self.marks = selection::Selection::default();
        self.inbox = states::TriageStates::default();
        self.since = self.since.of_another_service(self.now);
        self.checks = fetch_checks::KnownCheckSets::default();
        self.undo = undo::Undo::default();
        self.looking_for_causes = None;
        self.overlays.clear();
        self.views.clear();
        self.drafts.clear();
        self.deleted.clear();
        self.bulk = None;
        self.key_refused = false;
        self.connection = Connection::Starting;
        self.goes_over = true;
        self.profile.clone_from(&profile);
        self.effects.push(Effect::Connect(profile));
    }
}
