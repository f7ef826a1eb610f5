//! Single writes: create, update, re-run, delete. Each is sent once and never cancelled, and its outcome is reported.

use std::collections::HashSet;

use crate::app::App;
use crate::app::effect::{EditBase, Effect, RequestId};
use crate::app::jobs::state::RunningWrite;
use crate::app::message::{Fact, UpdateOutcome};
use crate::app::overlays::dialog::Question;
use crate::app::overlays::form::{Form, FormRequest};
use crate::app::overlays::form_in;
use crate::app::undo::{FormerPrivacy, RequestedStep, UndoStep};
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::failure::{Failure, FailureKind, LookupOutcome, WriteFailure};
use crate::domain::report::outcome::Outcome;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{Report, ReportChange, ReportId, WriteRequest};
use crate::domain::text::age::relative;
use crate::domain::text::clean;
use crate::domain::text::numbers::counted;
use crate::domain::text::url_scheme::split_scheme;
use crate::input::Action;

impl App {
    /// Whether a write on this report is in flight.
    pub fn is_writing(&self, id: &ReportId) -> bool {
        self.jobs.writes.iter().any(|write| write.report() == Some(id))
            || self.jobs.bulk.as_ref().is_some_and(|bulk| bulk.is_sending(id))
    }

    /// Submits the form. Does nothing while it is being saved. Asks before creating a second report for a page, unless
    /// `confirmed`.
    pub(crate) fn send_form(&mut self, confirmed: bool) {
        let Some(form) = form_in(&mut self.overlays) else { return };
        if form.saving.is_some() {
            return;
        }
        let Some(wanted) = form.check(&self.ctx) else { return };
        if let Some(reason) = self.write_disabled_reason() {
            if let Some(form) = self.form_mut() {
                form.problem = Some(reason);
            }
            return;
        }
        let same = self.reports_of_pages(&wanted);
        if let Some(question) = self.second_report(&wanted, &same).filter(|_| !confirmed) {
            return self.ask(question);
        }
        let earlier: Vec<ReportId> = same.into_iter().map(|report| report.id.clone()).collect();
        let (running, effect) = match wanted {
            FormRequest::Many(operation, targets) => {
                // The form stays open until its plan is confirmed: a draft does not contain the password.
                self.store_form_draft();
                return self.plan(operation, &targets);
            }
            FormRequest::CreateMany(urls, like) => return self.create_many(urls, &like, earlier),
            FormRequest::Create(new) => {
                let (request, target) = (self.ctx.next_request(), clean(&new.url).into_owned());
                (RunningWrite::new(request, "auditing", target, None), Effect::Create(request, new))
            }
            // Before sending, the service's report is compared with the one the form was opened with.
            FormRequest::Update(id, change, known) => self.prepare(WriteRequest::Update(id, change), Some(known)),
        };
        if let Some(form) = self.form_mut() {
            form.saving = Some(running.request);
        }
        self.store_form_draft();
        let draft = self.form().and_then(Form::draft);
        self.jobs.writes.push(RunningWrite { draft, earlier, ..running });
        self.ctx.effects.push(effect);
    }

    /// Returns the loaded reports of the pages that a form creates reports for.
    fn reports_of_pages(&self, wanted: &FormRequest) -> Vec<&Report> {
        let urls: HashSet<String> = match wanted {
            FormRequest::Create(new) => std::iter::once(page_key(&new.url)).collect(),
            FormRequest::CreateMany(urls, _) => urls.iter().map(|url| page_key(url)).collect(),
            FormRequest::Update(..) | FormRequest::Many(..) => return Vec::new(),
        };
        self.reports.listing.rows.iter().filter(|row| urls.contains(&page_key(row.url.raw()))).collect()
    }

    /// Asks before creating a second report for a page. `same` are the loaded reports of these pages.
    fn second_report(&self, wanted: &FormRequest, same: &[&Report]) -> Option<Question> {
        let found: HashSet<String> = same.iter().map(|row| page_key(row.url.raw())).collect();
        let text = match (same.first()?, found.len()) {
            (first, 1) => {
                let at = first.generated_at.map(|at| format!(", {}", relative(self.ctx.now, at))).unwrap_or_default();
                format!("{} already has a report: {}{at}. Create another one?", first.short_url(), first.verdict())
            }
            (_, many) => {
                let FormRequest::CreateMany(urls, _) = wanted else { return None };
                format!("{many} of {} already have a report. Create them all?", counted(urls.len() as u64, "page"))
            }
        };
        Some(Question::SecondReport(text))
    }

    /// Sends a write that the user decided on.
    pub(crate) fn write(&mut self, write: WriteRequest) {
        if let Some(reason) = self.write_disabled_reason() {
            return self.ctx.notify(reason);
        }
        let (running, effect) = self.prepare(write, None);
        self.jobs.writes.push(running);
        self.ctx.effects.push(effect);
    }

    /// Restores a privacy setting to undo or redo a step, unless someone else has changed it since.
    pub(crate) fn restore_privacy(&mut self, requested: RequestedStep) {
        let FormerPrivacy { report, privacy, replaced_by } = requested.step.clone();
        let change = ReportChange { privacy: Some(privacy), ..ReportChange::default() };
        let base = EditBase { privacy: Some(replaced_by), has_password: None };
        let (running, effect) = self.prepare(WriteRequest::Update(report, change), Some(base));
        self.jobs.writes.push(RunningWrite { undoes: Some(requested), ..running });
        self.ctx.effects.push(effect);
    }

    /// Returns the record of a write, and the effect that sends it: an update only if the report still matches `base`.
    pub(super) fn prepare(&mut self, write: WriteRequest, base: Option<EditBase>) -> (RunningWrite, Effect) {
        let request = self.ctx.next_request();
        let (verb, target, effect) = match write.clone() {
            WriteRequest::Update(id, change) => {
                let verb = if change.rerun { "re-running" } else { "saving" };
                (verb, self.name_of(&id), Effect::Update(request, id, change, base))
            }
            WriteRequest::DeleteReport(id) => ("deleting", self.name_of(&id), Effect::DeleteReport(request, id)),
            WriteRequest::DeleteProject(project) => {
                ("deleting", project.to_string(), Effect::DeleteProject(request, project.raw().to_owned()))
            }
        };
        let running = RunningWrite::new(request, verb, target, Some(write));
        let before = running.report().and_then(|id| self.known(id)).map(Box::new);
        (RunningWrite { before, ..running }, effect)
    }

    /// Records the previous privacy so that undo can restore it.
    fn remember_privacy(&mut self, running: &RunningWrite) {
        let (Some(WriteRequest::Update(id, change)), Some(before)) = (&running.again, &running.before) else { return };
        if let (Some(privacy), Some(replaced_by)) = (before.privacy, change.privacy)
            && privacy != replaced_by
        {
            let report = id.clone();
            self.ctx.undo.remember(UndoStep::Privacy(FormerPrivacy { report, privacy, replaced_by }));
        }
    }

    /// Returns the record of a write that has ended. A failure calls quitting off.
    fn finish(&mut self, request: RequestId, failure: Option<&WriteFailure>) -> Option<RunningWrite> {
        let at = self.jobs.writes.iter().position(|write| write.request == request)?;
        let running = self.jobs.writes.remove(at);
        if let Some(WriteFailure::Refused(failure) | WriteFailure::Unsure { failure, .. }) = failure {
            self.call_off_quitting(&running.named(failure));
        }
        Some(running)
    }

    /// Handles the response to a create request.
    pub(crate) fn on_created(&mut self, request: RequestId, mut result: Result<Report, WriteFailure>) {
        // The lookup after a lost response finds any recent report of the page.
        if let Err(WriteFailure::Unsure { found, .. }) = &mut result
            && matches!(found, LookupOutcome::Report(report) if self.jobs.is_earlier(request, &report.id))
        {
            *found = LookupOutcome::Nothing;
        }
        if self.on_page_created(request, &result) {
            return;
        }
        let Some(running) = self.finish(request, result.as_ref().err()) else { return };
        let awaited = self.form().is_some_and(|form| form.saving == Some(request));
        match result {
            Ok(report) => {
                self.close_saved_form(&running);
                self.show_created(&report, awaited, ("", ""));
            }
            Err(WriteFailure::Refused(failure)) => {
                self.refuse_form(&running, &failure);
                self.ctx.note_failure(&failure);
            }
            Err(WriteFailure::Unsure { failure, found: LookupOutcome::Report(report) }) => {
                self.close_saved_form(&running);
                self.show_created(&report, awaited, ("Created: ", &format!(" ({})", failure.message)));
            }
            Err(WriteFailure::Unsure { failure, found }) => {
                // The reason comes last, because a narrow screen cuts a long one.
                let message = format!("{}. {}", found.after_create(&failure), failure.message);
                let advice = format!("{} tries again", self.ctx.key(Action::Submit));
                let failure = Failure::new(failure.kind, message, advice);
                self.refuse_form(&running, &failure);
            }
        }
    }

    /// Shows a created report. Moves the cursor to it only if the user waited in its form: otherwise they may be about
    /// to act on another row. The notice starts with the result, since a long text may be cut.
    fn show_created(&mut self, report: &Report, awaited: bool, (before, after): (&str, &str)) {
        let is = match report.fetch_failure {
            Some(failure) => failure.sentence(),
            None if report.outcome == Outcome::Missing => "has no result yet".to_owned(),
            None => format!("is {}", report.verdict()),
        };
        let notice = format!("{before}{} {is}{after}", report.brief_url());
        let id = &report.id;
        if awaited || self.reports.cursor.is_none() {
            self.reports.cursor = Some(id.clone());
            self.reports.is_chosen = awaited;
            self.reports.to_first = false;
        }
        self.log(vec![LogEntry::of_creation(report, self.ctx.now)]);
        self.apply(&Fact::ReportCreated(report.clone()));
        let is_hidden = self.reports.arranging.is_none() && self.reports.index_of(id).is_none();
        self.ctx.notify(if is_hidden { format!("{notice} (not in this list)") } else { notice });
        self.projects.load(&mut self.ctx);
    }

    /// Handles the response to an update or re-run.
    pub(crate) fn on_updated(&mut self, request: RequestId, result: Result<UpdateOutcome, WriteFailure>) {
        let Some(running) = self.finish(request, result.as_ref().err()) else { return };
        match result {
            Ok(UpdateOutcome::Saved(report)) => self.on_saved(&running, report),
            Ok(UpdateOutcome::Changed(theirs)) => {
                let notice = format!("{} was changed by someone else: nothing was sent", theirs.brief_url());
                self.call_off_quitting(&Failure::new(FailureKind::Local, &notice, ""));
                match form_in(&mut self.overlays).filter(|form| form.saving == Some(request)) {
                    Some(form) => form.show_conflict(&theirs, &self.ctx),
                    None => self.ctx.notify(notice),
                }
                self.apply(&Fact::ReportUpdated(theirs));
            }
            Err(WriteFailure::Refused(failure)) => self.on_refused(&running, &failure),
            Err(WriteFailure::Unsure { found: LookupOutcome::Report(report), .. })
                if Self::is_applied(&running, &report) =>
            {
                self.on_saved(&running, *report);
            }
            Err(WriteFailure::Unsure { failure, found }) => {
                if let LookupOutcome::Report(report) = &found {
                    self.apply(&Fact::ReportUpdated((**report).clone()));
                    self.projects.load(&mut self.ctx);
                }
                self.on_unsure(running, &failure, &found);
            }
        }
    }

    /// Whether the report, read after a lost response, shows the change.
    fn is_applied(running: &RunningWrite, report: &Report) -> bool {
        let Some(WriteRequest::Update(_, change)) = &running.again else { return false };
        change.is_visible_in(report, running.before.as_ref().and_then(|before| before.generated_at)) == Some(true)
    }

    fn on_saved(&mut self, running: &RunningWrite, report: Report) {
        let before = running.before.as_deref();
        self.close_saved_form(running);
        match running.undoes.clone() {
            Some(requested) => self.ctx.undo.end_requested(requested, true),
            None => self.remember_privacy(running),
        }
        let rerun = matches!(&running.again, Some(WriteRequest::Update(_, change)) if change.rerun);
        self.ctx.notify(match before.filter(|_| rerun) {
            Some(before) => report.rerun_text(before),
            None => self.updated_text(running, &report, before.and_then(|report| report.privacy)),
        });
        if let Some(WriteRequest::Update(_, change)) = &running.again {
            let entries = self.change_entries(change, before, &report);
            self.log(entries);
        }
        self.apply(&Fact::ReportUpdated(report));
        if rerun {
            self.projects.load(&mut self.ctx);
        }
    }

    /// Describes a saved change: `shop.example/tea: private → public · u undoes`.
    fn updated_text(&self, running: &RunningWrite, report: &Report, former: Option<Privacy>) -> String {
        if let Some(requested) = &running.undoes {
            return requested.notice.clone();
        }
        match (former, report.privacy) {
            (Some(before), Some(after)) if before != after => {
                let (url, before, after) = (report.brief_url(), before.name(), after.name());
                format!("{url}: {before} → {after} · {} undoes", self.ctx.key(Action::Undo))
            }
            _ => format!("{} updated", report.brief_url()),
        }
    }

    /// Returns the report as currently known: opened earlier, or else its row.
    pub(crate) fn known(&self, id: &ReportId) -> Option<Report> {
        match self.reports.listing.row(id) {
            Some(row) => self.opened(row).or(Some(row)).cloned(),
            None => self.report.remembered(id).map(|known| Report::clone(known)),
        }
    }

    /// Handles the response to a delete.
    pub(crate) fn on_deleted(&mut self, request: RequestId, result: Result<(), WriteFailure>) {
        let Some(running) = self.finish(request, result.as_ref().err()) else { return };
        match result {
            Ok(()) => {
                self.log_deletion(&running);
                self.on_gone(&running, "was deleted");
            }
            Err(WriteFailure::Refused(failure)) if failure.kind == FailureKind::NotFound => {
                self.on_gone(&running, "was already deleted");
            }
            Err(WriteFailure::Refused(failure)) => self.on_refused(&running, &failure),
            Err(WriteFailure::Unsure { failure, found: LookupOutcome::Nothing }) => {
                self.log_deletion(&running);
                self.on_gone(&running, "was deleted");
                self.ctx.notify(format!("It was deleted ({})", failure.message));
            }
            Err(WriteFailure::Unsure { failure, found }) => self.on_unsure(running, &failure, &found),
        }
    }

    fn log_deletion(&mut self, running: &RunningWrite) {
        let (now, name) = (self.ctx.now, &running.target);
        let entry = match &running.again {
            Some(WriteRequest::DeleteReport(id)) => self.entry_about(LogKind::Deleted, id, now).or_named(name),
            Some(WriteRequest::DeleteProject(project)) => LogEntry::of_project_deletion(project, now),
            Some(WriteRequest::Update(..)) | None => return,
        };
        self.log(vec![entry]);
    }

    fn on_gone(&mut self, running: &RunningWrite, how: &str) {
        self.ctx.notify(format!("{} {how}", running.target));
        match &running.again {
            Some(WriteRequest::DeleteReport(id)) => self.apply(&Fact::ReportDeleted(id.clone())),
            Some(WriteRequest::DeleteProject(project)) => {
                self.apply(&Fact::ProjectDeleted(project.clone()));
                self.load_if_needed();
            }
            Some(WriteRequest::Update(..)) | None => {}
        }
        self.projects.load(&mut self.ctx);
    }

    fn on_refused(&mut self, running: &RunningWrite, failure: &Failure) {
        self.put_step_back(running);
        if let Some(id) = running.report().filter(|_| failure.kind == FailureKind::NotFound) {
            self.apply(&Fact::ReportDeleted(id.clone()));
            self.projects.load(&mut self.ctx);
        }
        self.refuse_form(running, failure);
        self.ctx.note_failure(failure);
    }

    fn on_unsure(&mut self, running: RunningWrite, failure: &Failure, found: &LookupOutcome) {
        self.put_step_back(&running);
        // As after a create, the reason comes last.
        let (now, why, submit) = (found.after_change(), &failure.message, self.ctx.key(Action::Submit));
        if let Some(form) = self.form_mut().filter(|form| form.saving == Some(running.request)) {
            form.saving = None;
            form.problem = Some(format!("{now}. {submit} sends it again. {why}"));
            return;
        }
        let text = format!("{}: {now}. {why}.", running.target);
        if let (Some(write), false) = (running.again, matches!(found, LookupOutcome::Nothing)) {
            self.ask_after_typing(Question::RepeatWrite { write, text });
        } else {
            self.ctx.notify(text);
        }
    }

    /// If a failed write undoes or redoes a step, that step is the next one again.
    fn put_step_back(&mut self, running: &RunningWrite) {
        if let Some(requested) = running.undoes.clone() {
            self.ctx.undo.end_requested(requested, false);
        }
    }

    fn refuse_form(&mut self, running: &RunningWrite, failure: &Failure) {
        match self.form_mut().filter(|form| form.saving == Some(running.request)) {
            Some(form) => form.refuse(failure),
            None => self.ctx.notify_failure(&running.named(failure)),
        }
    }

    /// Closes the form whose write succeeded, and deletes the draft that was sent. A form opened since stays.
    fn close_saved_form(&mut self, running: &RunningWrite) {
        if self.form().is_some_and(|form| form.saving == Some(running.request)) {
            self.close_form();
        }
        // Text typed since then is another draft, and stays.
        let sent = running.draft.as_ref().filter(|sent| self.drafts.contains(sent));
        if let Some(key) = sent.map(|sent| sent.key.clone()) {
            self.delete_draft(&key);
        }
    }
}

/// Normalises a URL for comparison: without scheme and final slash, host in lower case.
fn page_key(url: &str) -> String {
    let url = url.trim();
    let (_, rest) = split_scheme(url);
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    format!("{}{}", host.to_lowercase(), path.trim_end_matches('/'))
}
