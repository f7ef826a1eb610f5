//! The projects pane: all projects, below the row `All`.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::app::ctx::Ctx;
use crate::app::effect::{Effect, RequestId};
use crate::app::list_window::{CursorMove, ListWindow};
use crate::app::panes::reports::listing::Listing;
use crate::app::remote::Remote;
use crate::domain::failure::Failure;
use crate::domain::list::paging::{Ending, NextStep, Page, PageToken, Walk, new_unreadable};
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, Direction, ProjectQuery, ProjectSort};
use crate::domain::project::Project;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::text::Text;
use crate::domain::text::numbers::grouped;
use crate::domain::triage::changes::ListScope;

/// The maximum number of projects listed; this many can be sorted within a frame.
const MOST_PROJECTS: usize = 30_000;

/// The projects pane.
#[derive(Debug, Default)]
pub struct Projects {
    /// The projects, by name.
    pub list: Remote<Vec<Project>>,
    /// The name of the project under the cursor; `None` is `All`.
    pub cursor: Option<Text>,
    /// The index of its row; 0 is `All`.
    pub at: usize,
    /// The visible rows.
    pub window: ListWindow,
    /// When the list is requested again after a rate limit.
    pub again_at: Option<Timestamp>,
    /// Projects that could not be parsed, or were beyond the limit of one response.
    pub unreadable: usize,
    /// Whether the service sends no counts, so that they are computed from the loaded rows.
    counts_locally: bool,
    walk: Walk,
    /// Whether the list is being read a second time because it changed during the first.
    is_reread: bool,
    /// The projects so far, each with whether the second reading included it.
    gathered: HashMap<Text, (Project, bool)>,
}

impl Projects {
    /// The loaded projects.
    pub fn rows(&self) -> &[Project] {
        self.list.value.as_deref().unwrap_or_default()
    }

    /// Their raw names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rows().iter().map(|project| project.name.raw())
    }

    /// The project under the cursor; `None` is `All`.
    pub fn current(&self) -> Option<&Project> {
        self.rows().get(self.at.checked_sub(1)?)
    }

    /// Returns the project with this name.
    pub fn named(&self, name: &str) -> Option<&Project> {
        self.rows().iter().find(|project| project.name.raw() == name)
    }

    /// Moves the cursor.
    pub fn go(&mut self, movement: CursorMove, fit: usize) {
        let at = movement.from(self.at, self.rows().len() + 1, fit);
        self.put_cursor(at, fit);
    }

    /// Moves the cursor to a row; 0 is `All`.
    pub fn put_cursor(&mut self, at: usize, fit: usize) {
        self.at = at.min(self.rows().len());
        self.cursor = self.current().map(|project| project.name.clone());
        self.window.follow(self.at, self.rows().len() + 1, fit);
    }

    /// Moves the cursor to a project; `None` is `All`. A project that is not listed yet is found when the list arrives.
    pub(crate) fn select(&mut self, project: Option<&Text>, fit: usize) {
        match (project, self.index_of(project)) {
            (Some(_), Some(at)) => self.put_cursor(at + 1, fit),
            (Some(_), None) => self.cursor = project.cloned(),
            (None, _) => self.put_cursor(0, fit),
        }
    }

    fn index_of(&self, project: Option<&Text>) -> Option<usize> {
        self.rows().iter().position(|row| Some(row.name.raw()) == project.map(Text::raw))
    }

    fn find_cursor(&mut self, fit: usize) {
        if let Some(found) = self.index_of(self.cursor.as_ref()) {
            self.window.follow_row(self.at, found + 1);
            self.at = found + 1;
        }
        self.put_cursor(self.at, fit);
    }

    /// The results over all projects, if every project has counts.
    pub fn tally(&self) -> Option<ResultCounts> {
        if self.rows().is_empty() {
            return None;
        }
        self.rows().iter().map(tally_of).try_fold(ResultCounts::default(), |sum, one| {
            let one = one?;
            Some(ResultCounts { good: sum.good + one.good, decent: sum.decent + one.decent, bad: sum.bad + one.bad })
        })
    }

    /// The number of reports of all projects, if every project has one.
    pub fn reports(&self) -> Option<u64> {
        if self.rows().is_empty() {
            return None;
        }
        self.rows().iter().map(|project| project.reports).sum()
    }

    /// Loads all projects.
    pub(crate) fn load(&mut self, ctx: &mut Ctx) {
        self.again_at = None;
        if !ctx.is_connected() {
            return;
        }
        self.gathered.clear();
        self.read(false, ctx);
    }

    /// Reads the list from its first page, for the first or the second time.
    fn read(&mut self, is_reread: bool, ctx: &mut Ctx) {
        self.walk = Walk::capped(MOST_PROJECTS).in_fixed_order(true);
        self.is_reread = is_reread;
        self.unreadable = 0;
        self.request_page(PageToken::First, ctx);
    }

    fn request_page(&mut self, token: PageToken, ctx: &mut Ctx) {
        let request = ctx.next_request();
        let query = ProjectQuery {
            search: None,
            sort: Some((ProjectSort::Name, Direction::Ascending)),
            per_page: Some(DEFAULT_PAGE_SIZE),
        };
        ctx.cancel(self.list.load(request));
        ctx.effects.push(Effect::ListProjects(request, query, token));
    }

    /// Handles a page of projects. The list is replaced after its last page.
    pub(crate) fn on_page(&mut self, request: RequestId, result: Result<Page<Project>, Failure>, ctx: &mut Ctx) {
        if self.list.request != Some(request) {
            return;
        }
        let page = match result {
            Ok(page) => page,
            Err(failure) if self.walk.after_failure(&failure).is_some() => return self.show(request, ctx),
            Err(failure) => {
                ctx.note_failure(&failure);
                self.again_at = ctx.retry_at(&failure);
                self.list.answer(request, Err(failure));
                return;
            }
        };
        let (seen, mut added, is_reread) = (page.rows.len(), 0, self.is_reread);
        for project in page.rows {
            let met = self.gathered.insert(project.name.clone(), (project, is_reread));
            added += usize::from(met.is_none_or(|(_, in_reread)| in_reread != is_reread));
        }
        self.unreadable += new_unreadable(page.unreadable, seen, added);
        self.walk.compare_with_earlier_pages(page.total, seen + page.unreadable, seen - added);
        match self.walk.after_page(&page.next, seen, added) {
            NextStep::Ask(token) => self.request_page(token, ctx),
            // The gathered projects stay: one more reading finds a project that moved between pages.
            NextStep::End(Ending::Changed) if !self.is_reread => self.read(true, ctx),
            NextStep::End(ending) => {
                if self.is_reread && ending == Ending::Complete {
                    // A project that the second reading did not meet was deleted meanwhile.
                    self.gathered.retain(|_, (_, in_reread)| *in_reread);
                }
                self.show(request, ctx);
                if ending == Ending::Cap {
                    let count = grouped(self.rows().len() as u64);
                    ctx.notify(format!(
                        "Only the first {count} projects are listed; filter to find reports of the others"
                    ));
                }
            }
        }
    }

    /// Counts the reports of each project in the loaded rows, if these are complete and name their projects,
    /// and the service sends no counts.
    pub(crate) fn count(&mut self, listing: &Listing) {
        let name_none = listing.projects.keys().all(|name| name.is_empty()) && listing.loaded() > 0;
        if !self.counts_locally || !listing.is_whole() || name_none {
            return;
        }
        for project in self.list.value.iter_mut().flatten() {
            let (results, reports) = listing.projects.get(&project.name).copied().unwrap_or_default();
            project.reports = Some(reports);
            (project.good, project.decent, project.bad) = (Some(results.good), Some(results.decent), Some(results.bad));
        }
    }

    /// Whether a list of all reports counts other reports or results than the projects do, or the list of a project is
    /// empty against its count.
    pub(crate) fn is_outdated_by(&self, listing: &Listing) -> bool {
        if !self.list.is_ready() {
            return false;
        }
        if !listing.is_whole() {
            let ListScope { project, search: None, result: None } = ListScope::of(&listing.query) else { return false };
            let project = project.and_then(|name| self.named(&name));
            let is_empty = listing.is_complete() && listing.loaded() == 0;
            return is_empty && project.is_some_and(|project| project.reports != Some(0));
        }
        let is_without_projects = self.rows().is_empty() && listing.loaded() > 0;
        is_without_projects
            || self.reports().is_some_and(|reports| reports != listing.loaded() as u64)
            || self.tally().is_some_and(|tally| tally != listing.tally)
    }

    fn show(&mut self, request: RequestId, ctx: &Ctx) {
        let mut projects: Vec<Project> = self.gathered.drain().map(|(_, (project, _))| project).collect();
        projects.sort_by(|one, other| (one.name.shown(), one.name.raw()).cmp(&(other.name.shown(), other.name.raw())));
        self.counts_locally = projects.iter().all(|project| project.reports.is_none() && project.bad.is_none());
        self.list.answer(request, Ok(projects));
        self.find_cursor(ctx.layout.projects);
    }
}

/// The results of one project, if it has counts.
pub fn tally_of(project: &Project) -> Option<ResultCounts> {
    Some(ResultCounts { good: project.good?, decent: project.decent?, bad: project.bad? })
}
