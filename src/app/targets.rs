//! The reports that actions apply to, and their names in texts.

use crate::app::App;
use crate::app::frame_layout::Pane;
use crate::app::overlays::Overlay;
use crate::domain::bulk::BulkTargets;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::numbers::{counted, grouped};

impl App {
    /// Returns the report that single-report actions apply to: the queue's, else the one under the cursor.
    pub fn subject(&self) -> Option<&Report> {
        match self.queue() {
            Some(queue) => self.reports.listing.row(queue.ids.get(queue.at)?),
            None => self.reports.current(),
        }
    }

    /// Whether actions apply to the project under the cursor: in the projects pane, unless the queue or the changes are
    /// above it.
    pub(crate) fn is_on_a_project(&self) -> bool {
        let shows_reports = |overlay: &Overlay| matches!(overlay, Overlay::Queue(_) | Overlay::Changes(_));
        self.screen.focus == Pane::Projects && !self.overlays.iter().any(shows_reports)
    }

    /// Returns the reports that bulk actions apply to: the visible marked ones, in screen order. Empty in the queue,
    /// where every action applies to one report.
    pub fn targets(&self) -> Vec<ReportId> {
        if self.queue().is_some() { Vec::new() } else { self.reports.selected() }
    }

    /// Returns the places of these reports in the list.
    pub(super) fn target_places(&self) -> Vec<u32> {
        self.targets().iter().filter_map(|id| self.reports.listing.place(id)).collect()
    }

    /// Ends a range, and returns the marked reports, or else the one under the cursor.
    pub(crate) fn marked_or_current(&mut self) -> Vec<ReportId> {
        self.reports.end_range(&mut self.ctx);
        let mut ids = self.targets();
        if ids.is_empty() {
            ids.extend(self.subject().map(|report| report.id.clone()));
        }
        ids
    }

    /// Returns the targets of bulk actions: in the projects pane the loaded reports of the project, on the causes
    /// screen those of the line, elsewhere the visible marked ones.
    pub(crate) fn bulk_targets(&self) -> BulkTargets {
        if let Some(targets) = self.cause_targets() {
            return targets;
        }
        if !self.is_on_a_project() {
            return BulkTargets { ids: self.targets(), about: None };
        }
        let Some(project) = self.projects.current() else { return BulkTargets::default() };
        let of_project = |row: &&Report| row.project.raw() == project.name.raw();
        let ids: Vec<ReportId> =
            self.reports.listing.rows.iter().filter(of_project).map(|row| row.id.clone()).collect();
        let loaded = ids.len() as u64;
        let about = match project.reports.filter(|all| *all > loaded) {
            Some(all) => {
                format!("{}: {} of its {} are loaded", project.name, grouped(loaded), counted(all, "report"))
            }
            None => format!("{}: {}", project.name, counted(loaded, "report")),
        };
        BulkTargets { ids, about: Some(about) }
    }

    /// Returns the brief URL of a report; `report 58` if it is not loaded.
    pub(crate) fn name_of(&self, id: &ReportId) -> String {
        let row = self.reports.listing.row(id);
        row.map_or_else(|| format!("report {}", id.shown()), |row| row.brief_url().into_owned())
    }

    /// Describes reports: the URL of a single one, or their number, as in `3 marked reports` for the noun `marked report`.
    pub(crate) fn describe(&self, ids: &[ReportId], noun: &str) -> String {
        match ids {
            [one] => self.name_of(one),
            many => counted(many.len() as u64, noun),
        }
    }
}
