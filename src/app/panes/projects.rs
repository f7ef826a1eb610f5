//! The projects pane: the list of projects with `All` above it, and which one is under the cursor.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::list_window::{CursorMove, ListWindow};
use crate::app::panes::reports::listing::ResultCounts;
use crate::app::remote::Remote;
use crate::domain::failure::Failure;
use crate::domain::list::paging::{Ending, NextStep, Page, PageToken, Walk};
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, Direction, ProjectQuery, ProjectSort};
use crate::domain::project::Project;
use crate::domain::text::Text;

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
    /// When the list is asked for again, because the service asked us to wait.
    pub again_at: Option<Timestamp>,
    /// Projects that were sent and could not be read, or were too many for one answer.
    pub unreadable: usize,
    walk: Walk,
    /// Whether the list is being read a second time because it changed while it was read.
    is_reread: bool,
    /// What came so far, in the order of the list: by the name as it is shown, and as it was sent.
    /// Beside each whether it was met in the second reading.
    gathered: BTreeMap<(String, String), (Project, bool)>,
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
            walk: Walk::new().in_fixed_order(true),
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
}

/// The results of one project, where it says them.
pub fn tally_of(project: &Project) -> Option<ResultCounts> {
    Some(ResultCounts { good: project.good?, decent: project.decent?, bad: project.bad? })
}

impl App {
    /// Asks for all projects.
    pub(crate) fn load_projects(&mut self) {
        self.projects.again_at = None;
        if !self.is_connected() {
            return;
        }
        self.projects.walk = Walk::new().in_fixed_order(true);
        self.projects.is_reread = false;
        self.projects.unreadable = 0;
        self.projects.gathered.clear();
        self.ask_projects(PageToken::First);
    }

    fn ask_projects(&mut self, token: PageToken) {
        let request = self.next_request();
        let query = ProjectQuery {
            search: None,
            sort: Some((ProjectSort::Name, Direction::Ascending)),
            per_page: Some(DEFAULT_PAGE_SIZE),
        };
        self.effects.extend(self.projects.list.load(request).map(Effect::Cancel));
        self.effects.push(Effect::ListProjects(request, query, token));
    }

    /// Takes the answer to a page of projects. The list changes when its last page came.
    pub(crate) fn on_projects(&mut self, request: RequestId, result: Result<Page<Project>, Failure>) {
        if self.projects.list.waits_for() != Some(request) {
            return;
        }
        let page = match result {
            Ok(page) => page,
            Err(failure) if self.projects.walk.after_failure(&failure).is_some() => return self.show_projects(request),
            Err(failure) => {
                self.on_failure_of_a_read(&failure);
                self.projects.again_at = self.asked_to_wait_until(&failure);
                self.projects.list.answer(request, Err(failure), self.now);
                return;
            }
        };
        self.projects.unreadable += page.unreadable;
        let (seen, mut added, is_reread) = (page.rows.len(), 0, self.projects.is_reread);
        for project in page.rows {
            let key = (project.name.shown().to_owned(), project.name.raw().to_owned());
            let met = self.projects.gathered.insert(key, (project, is_reread));
            added += usize::from(met.is_none_or(|(_, in_reread)| in_reread != is_reread));
        }
        self.projects.walk.compare_with_earlier_pages(page.total, seen + page.unreadable, seen - added);
        match self.projects.walk.after_page(&page.next, seen, added) {
            NextStep::Ask(token) => self.ask_projects(token),
            // What was gathered stays: a project that slipped through is found by reading once more.
            NextStep::End(Ending::Changed) if !self.projects.is_reread => {
                self.projects.is_reread = true;
                self.projects.unreadable = 0;
                self.projects.walk = Walk::new().in_fixed_order(true);
                self.ask_projects(PageToken::First);
            }
            NextStep::End(_) => self.show_projects(request),
        }
    }

    fn show_projects(&mut self, request: RequestId) {
        let projects = std::mem::take(&mut self.projects.gathered).into_values().map(|(project, _)| project).collect();
        self.projects.list.answer(request, Ok(projects), self.now);
        self.projects.find_cursor(self.drawn.projects);
    }

    /// Shows only the reports of the project under the cursor, or of all.
    pub(crate) fn open_project(&mut self) {
        let scope = self.projects.cursor.clone();
        if self.reports.scope != scope {
            self.reports.scope = scope;
            self.load_if_needed();
        }
    }
}
