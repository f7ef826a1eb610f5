//! The projects pane: all projects below the row `All`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::app::ctx::Ctx;
use crate::app::effect::{Effect, RequestId};
use crate::app::list_window::{CursorMove, ListWindow};
use crate::app::panes::reports::listing::Listing;
use crate::app::remote::Remote;
use crate::domain::failure::Failure;
use crate::domain::list::paging::{Ending, NextStep, Page, PageToken, Walk};
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, Direction, ProjectQuery, ProjectSort};
use crate::domain::project::Project;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::text::Text;
use crate::domain::text::numbers::grouped;

/// Projects that the pane lists: as many are put in order within a frame.
const MOST_PROJECTS: usize = 30_000;

/// The projects pane.
#[derive(Debug)]
pub struct Projects {
    /// The projects, by name.
    pub list: Remote<Vec<Project>>,
    /// The name of the project under the cursor; `None` is `All`.
    pub cursor: Option<Text>,
    /// Its place, where 0 is `All`.
    pub at: usize,
    /// The rows on the screen.
    pub window: ListWindow,
    /// When the list is requested again after a rate limit.
    pub again_at: Option<Timestamp>,
    /// Projects that were sent and could not be read, or were too many for one answer.
    pub unreadable: usize,
    /// The service sends no counts: those shown are of the loaded rows.
    has_own_counts: bool,
    walk: Walk,
    /// Whether the list is being read a second time because it changed while it was read.
    is_reread: bool,
    /// The projects so far, in the order of the list, each with whether the second reading had it.
    gathered: BTreeMap<ProjectName, (Project, bool)>,
}

/// A project's name in the order of the list: as it is shown, then as it was sent. Cheap to clone.
#[derive(Debug, PartialEq, Eq)]
struct ProjectName(Text);

impl Ord for ProjectName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.shown().cmp(other.0.shown()).then_with(|| self.0.raw().cmp(other.0.raw()))
    }
}

impl PartialOrd for ProjectName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Projects {
    fn default() -> Self {
        Self {
            list: Remote::Idle,
            cursor: None,
            at: 0,
            window: ListWindow::default(),
            again_at: None,
            unreadable: 0,
            has_own_counts: false,
            walk: Walk::capped(MOST_PROJECTS).in_fixed_order(true),
            is_reread: false,
            gathered: BTreeMap::new(),
        }
    }
}

impl Projects {
    /// The projects that are known.
    pub fn rows(&self) -> &[Project] {
        self.list.value().map_or(&[], Vec::as_slice)
    }

    /// Their names, as sent.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rows().iter().map(|project| project.name.raw())
    }

    /// The project under the cursor; `None` is `All`.
    pub fn current(&self) -> Option<&Project> {
        self.rows().get(self.at.checked_sub(1)?)
    }

    /// The project with this name.
    pub fn named(&self, name: &str) -> Option<&Project> {
        self.rows().iter().find(|project| project.name.raw() == name)
    }

    /// Moves the cursor.
    pub fn go(&mut self, movement: CursorMove, fit: usize) {
        let at = movement.from(self.at, self.rows().len() + 1, fit);
        self.put_cursor(at, fit);
    }

    /// Puts the cursor on a row, 0 being `All`.
    pub fn put_cursor(&mut self, at: usize, fit: usize) {
        self.at = at.min(self.rows().len());
        self.cursor = self.current().map(|project| project.name.clone());
        self.window.follow(self.at, self.rows().len() + 1, fit);
    }

    /// Puts the cursor on a project, `None` being `All`. One that is not listed yet is found when the list comes.
    pub(crate) fn select(&mut self, project: Option<&Text>, fit: usize) {
        let name = project.map(Text::raw);
        let found = name.and_then(|name| self.rows().iter().position(|project| project.name.raw() == name));
        match (project, found) {
            (Some(_), Some(at)) => self.put_cursor(at + 1, fit),
            (Some(_), None) => self.cursor = project.cloned(),
            (None, _) => self.put_cursor(0, fit),
        }
    }

    fn find_cursor(&mut self, fit: usize) {
        let name = self.cursor.as_ref().map(Text::raw);
        let found = name.and_then(|name| self.rows().iter().position(|project| project.name.raw() == name));
        if let Some(found) = found {
            self.window.carry(self.at, found + 1);
            self.at = found + 1;
        }
        self.put_cursor(self.at, fit);
    }

    /// Results over all projects, where every project says them.
    pub fn tally(&self) -> Option<ResultCounts> {
        if self.rows().is_empty() {
            return None;
        }
        self.rows().iter().map(tally_of).try_fold(ResultCounts::default(), |sum, one| {
            let one = one?;
            Some(ResultCounts { good: sum.good + one.good, decent: sum.decent + one.decent, bad: sum.bad + one.bad })
        })
    }

    /// How many reports all projects hold, where every project says it.
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
        self.walk = Walk::capped(MOST_PROJECTS).in_fixed_order(true);
        self.is_reread = false;
        self.unreadable = 0;
        self.gathered.clear();
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

    /// Takes a page of projects. The list changes when its last page came.
    pub(crate) fn on_page(&mut self, request: RequestId, result: Result<Page<Project>, Failure>, ctx: &mut Ctx) {
        if self.list.waits_for() != Some(request) {
            return;
        }
        let page = match result {
            Ok(page) => page,
            Err(failure) if self.walk.after_failure(&failure).is_some() => return self.show(request, ctx),
            Err(failure) => {
                ctx.note_failure(&failure);
                self.again_at = ctx.retry_at(&failure);
                self.list.answer(request, Err(failure), ctx.now);
                return;
            }
        };
        self.unreadable += page.unreadable;
        let (seen, mut added, is_reread) = (page.rows.len(), 0, self.is_reread);
        for project in page.rows {
            let met = self.gathered.insert(ProjectName(project.name.clone()), (project, is_reread));
            added += usize::from(met.is_none_or(|(_, in_reread)| in_reread != is_reread));
        }
        self.walk.compare_with_earlier_pages(page.total, seen + page.unreadable, seen - added);
        match self.walk.after_page(&page.next, seen, added) {
            NextStep::Ask(token) => self.request_page(token, ctx),
            // What was gathered stays: a project that slipped between pages is found by reading once more.
            NextStep::End(Ending::Changed) if !self.is_reread => {
                self.is_reread = true;
                self.unreadable = 0;
                self.walk = Walk::capped(MOST_PROJECTS).in_fixed_order(true);
                self.request_page(PageToken::First, ctx);
            }
            NextStep::End(ending) => {
                self.show(request, ctx);
                if ending == Ending::Cap {
                    let count = grouped(self.rows().len() as u64);
                    ctx.tell(format!("The first {count} projects are listed; a filter finds reports of the others"));
                }
            }
        }
    }

    /// Counts the reports of each project in the loaded rows, where these are all and the service sends no counts.
    pub(crate) fn count(&mut self, listing: &Listing) {
        if !self.has_own_counts || !listing.is_whole() {
            return;
        }
        for project in self.list.value_mut().into_iter().flatten() {
            let (results, reports) = listing.projects.get(&project.name).copied().unwrap_or_default();
            project.reports = Some(reports);
            (project.good, project.decent, project.bad) = (Some(results.good), Some(results.decent), Some(results.bad));
        }
    }

    fn show(&mut self, request: RequestId, ctx: &Ctx) {
        let projects: Vec<Project> =
            std::mem::take(&mut self.gathered).into_values().map(|(project, _)| project).collect();
        self.has_own_counts = projects.iter().all(|project| project.reports.is_none() && project.bad.is_none());
        self.list.answer(request, Ok(projects), ctx.now);
        self.find_cursor(ctx.layout.projects);
    }
}

/// The results of one project, where it says them.
pub fn tally_of(project: &Project) -> Option<ResultCounts> {
    Some(ResultCounts { good: project.good?, decent: project.decent?, bad: project.bad? })
}
