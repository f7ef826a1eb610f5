//! Undo steps, as data.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::Timestamp;

use crate::domain::bulk::{BulkItem, Plan};
use crate::domain::desk::Handle;
use crate::domain::list::cached_rows::FormerView;
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::columns::Column;
use crate::domain::list::query::Direction;
use crate::domain::report::ReportId;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::{Text, clean};
use crate::domain::triage::{Note, NoteChange, StateKind, Triage};

/// The maximum number of undo steps.
const MOST_STEPS: usize = 100;
/// The maximum number of marks that all steps together restore. They take about 40 MB.
const MOST_MARKS: usize = 1_000_000;

/// Whether a step is undone or redone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoDirection {
    /// The value before the step is restored.
    Undo,
    /// The value after an undone step is restored.
    Redo,
}

/// A step that can be undone: the value to restore.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum UndoStep {
    /// The marked reports.
    Selection(Arc<HashSet<ReportId>>),
    /// The text of the filter line.
    Filter(String),
    /// The project that the list is restricted to.
    Project(Option<Text>),
    /// The sort column and direction.
    Sort((Column, Direction)),
    /// The column layout.
    Columns(ColumnLayout),
    /// Several of the above that a view or a jump to a report changed together.
    Together(Vec<UndoStep>),
    /// States and notes that were set together.
    Triage {
        /// The states of reports.
        states: Vec<FormerState>,
        /// The notes.
        notes: Vec<FormerNote>,
    },
    /// The holders of reports on the desk. The states stay, which others may have set meanwhile.
    Holders(Vec<FormerHolder>),
    /// A saved view.
    View(FormerView),
    /// Until when changes were marked as seen.
    Seen {
        /// The time to restore.
        until: Timestamp,
        /// The time that replaced it.
        replaced: Timestamp,
    },
    /// The privacy of a report on the service.
    Privacy(FormerPrivacy),
    /// The privacy of reports that a bulk run has changed. Another run restores it.
    PrivacyOfMany {
        /// When the run began, which identifies it.
        run: Timestamp,
        /// The reports, with their privacy after the run.
        items: Vec<BulkItem>,
        /// Their privacy before the run.
        privacy: Privacy,
    },
}

/// A report's privacy before a step, and after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormerPrivacy {
    /// The report.
    pub(crate) report: ReportId,
    /// Its privacy before.
    pub(crate) privacy: Privacy,
    /// Its privacy after.
    pub(crate) replaced_by: Privacy,
}

/// A step about privacy whose request is sent. It is taken when the service confirms it.
#[derive(Debug, Clone)]
pub(crate) struct RequestedStep {
    /// The step.
    pub(crate) step: FormerPrivacy,
    /// Whether it is undone or redone.
    pub(crate) direction: UndoDirection,
    /// The notice when it is taken.
    pub(crate) notice: String,
}

/// A report's state before a step, and after it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FormerState {
    /// The report.
    pub(crate) report: ReportId,
    /// Its state before; `None` if new.
    pub(crate) triage: Option<Triage>,
    /// Its holder on the desk before.
    pub(crate) holder: Option<Handle>,
    /// Its state after.
    pub(crate) replaced_by: StateKind,
}

/// A note before a step, and after it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FormerNote {
    /// The change that restores the note.
    pub(crate) change: NoteChange,
    /// The note after the step; `None` if the step deleted it.
    pub(crate) replaced_by: Option<Note>,
}

/// A report's holder on the desk before a step, and after it; `None` for nobody.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FormerHolder {
    /// The report.
    pub(crate) report: ReportId,
    /// Its holder before.
    pub(crate) holder: Option<Handle>,
    /// Its holder after.
    pub(crate) replaced_by: Option<Handle>,
}

/// The steps that were done, and those that were undone.
#[derive(Debug, Default)]
pub(crate) struct Undo {
    pub(crate) done: Vec<UndoStep>,
    pub(crate) undone: Vec<UndoStep>,
}

impl UndoDirection {
    /// The direction in which the step can be taken afterwards.
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::Undo => Self::Redo,
            Self::Redo => Self::Undo,
        }
    }

    /// The beginning of a notice about a step that was not taken.
    pub(crate) fn not_done(self) -> &'static str {
        match self {
            Self::Undo => "Not undone",
            Self::Redo => "Not redone",
        }
    }
}

impl FormerPrivacy {
    /// The step that reverses this one.
    fn reversed(self) -> Self {
        Self { report: self.report, privacy: self.replaced_by, replaced_by: self.privacy }
    }
}

impl UndoStep {
    /// Whether the step is about states, notes or holders of no report.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Triage { states, notes } if states.is_empty() && notes.is_empty())
            || matches!(self, Self::Holders(holders) if holders.is_empty())
    }

    /// The number of marks that the step restores.
    fn marks(&self) -> usize {
        if let Self::Selection(ids) = self { ids.len() } else { 0 }
    }

    /// Describes the restored state, for notices. `name_of` names a report.
    pub(crate) fn restored(&self, name_of: &dyn Fn(&ReportId) -> String) -> String {
        match self {
            Self::Selection(ids) if ids.is_empty() => "nothing is marked".to_owned(),
            Self::Selection(ids) => format!("{} marked", grouped(ids.len() as u64)),
            Self::Filter(text) if text.is_empty() => "no filter".to_owned(),
            Self::Filter(text) => format!("filter {}", clean(text)),
            Self::Project(Some(project)) => format!("project {project}"),
            Self::Project(None) => "all projects".to_owned(),
            Self::Sort((column, direction)) => {
                format!("sorted by {}, {}", column.sort_name(), column.order_text(*direction))
            }
            Self::Columns(_) => "columns".to_owned(),
            Self::Together(steps) => {
                let parts: Vec<_> = steps.iter().map(|step| step.restored(name_of)).collect();
                parts.join(" · ")
            }
            Self::View(FormerView { name, line, .. }) => {
                format!("view {} is {}", clean(name), if line.is_some() { "restored" } else { "removed" })
            }
            Self::Seen { until, replaced } if until < replaced => "the changes are listed again".to_owned(),
            Self::Seen { .. } => "the changes are marked as seen".to_owned(),
            Self::Triage { states, notes } => {
                let of_states = match states.as_slice() {
                    [] => None,
                    [FormerState { report, triage, .. }] => {
                        Some(format!("state of {}: {}", name_of(report), triage.as_ref().map_or("new", Triage::label)))
                    }
                    many => Some(format!("states of {}", counted(many.len() as u64, "report"))),
                };
                let of_notes = match notes.as_slice() {
                    [] => None,
                    [FormerNote { change, .. }] => {
                        let name = name_of(&change.report);
                        Some(match &change.note {
                            Some(note) => format!("note about {name}: {}", note.text),
                            None => format!("the note about {name} is removed"),
                        })
                    }
                    many => Some(format!("notes about {}", counted(many.len() as u64, "report"))),
                };
                of_states.into_iter().chain(of_notes).collect::<Vec<_>>().join(" · ")
            }
            Self::Holders(holders) => match holders.as_slice() {
                [FormerHolder { report, holder, .. }] => {
                    let holder = holder.as_ref().map_or("nobody", Handle::as_str);
                    format!("holder of {}: {holder}", name_of(report))
                }
                many => format!("holders of {}", counted(many.len() as u64, "report")),
            },
            Self::Privacy(FormerPrivacy { report, privacy, .. }) => {
                format!("{} is {} again", name_of(report), privacy.name())
            }
            Self::PrivacyOfMany { items, privacy, .. } => {
                format!("{} to be {} again", counted(items.len() as u64, "report"), privacy.name())
            }
        }
    }
}

impl Undo {
    /// Ends a step whose request was sent: it can be reversed, or if the request failed, taken again.
    pub(crate) fn end_requested(&mut self, requested: RequestedStep, is_taken: bool) {
        let RequestedStep { step, direction, .. } = requested;
        let (direction, next) = if is_taken { (direction.reversed(), step.reversed()) } else { (direction, step) };
        self.steps(direction).push(UndoStep::Privacy(next));
    }

    /// The steps to undo or to redo, the next one last.
    pub(crate) fn steps(&mut self, direction: UndoDirection) -> &mut Vec<UndoStep> {
        match direction {
            UndoDirection::Undo => &mut self.done,
            UndoDirection::Redo => &mut self.undone,
        }
    }

    /// Removes deleted reports from the steps about marks, states, notes and holders.
    pub(crate) fn forget_deleted(&mut self, is_deleted: impl Fn(&ReportId) -> bool) {
        for list in [&mut self.done, &mut self.undone] {
            list.retain_mut(|step| {
                if let UndoStep::Selection(ids) = step
                    && ids.iter().any(&is_deleted)
                {
                    Arc::make_mut(ids).retain(|id| !is_deleted(id));
                } else if let UndoStep::Triage { states, notes } = step {
                    states.retain(|former| !is_deleted(&former.report));
                    notes.retain(|former| !is_deleted(&former.change.report));
                } else if let UndoStep::Holders(holders) = step {
                    holders.retain(|former| !is_deleted(&former.report));
                }
                !step.is_empty()
            });
        }
    }

    /// Removes the steps about states, notes and holders.
    pub(crate) fn forget_triage(&mut self) {
        for list in [&mut self.done, &mut self.undone] {
            list.retain(|step| !matches!(step, UndoStep::Triage { .. } | UndoStep::Holders(_)));
        }
    }

    /// Records the steps that undo a bulk run, instead of those of its earlier attempts. `direction` is that of a run
    /// that itself undid or redid a step; `rest` is what is left of that step then.
    pub(crate) fn remember_run(
        &mut self,
        run: Timestamp,
        steps: Vec<UndoStep>,
        rest: Option<UndoStep>,
        direction: Option<UndoDirection>,
    ) {
        for list in [&mut self.done, &mut self.undone] {
            list.retain(|step| !matches!(step, UndoStep::PrivacyOfMany { run: other, .. } if *other == run));
        }
        match direction {
            Some(direction) => {
                self.steps(direction.reversed()).extend(steps);
                self.steps(direction).extend(rest);
            }
            None => steps.into_iter().for_each(|step| self.remember(step)),
        }
    }

    /// Returns when the run began that the next step would undo or redo; such a step shows a plan first.
    pub(crate) fn planned_run(&self, direction: UndoDirection) -> Option<Timestamp> {
        let steps = if direction == UndoDirection::Undo { &self.done } else { &self.undone };
        if let UndoStep::PrivacyOfMany { run, .. } = steps.last()? { Some(*run) } else { None }
    }

    /// Removes the next step, for which this plan was confirmed. False if another step came meanwhile.
    pub(crate) fn take_planned(&mut self, plan: &Plan, direction: UndoDirection) -> bool {
        let is_planned = |step: &mut UndoStep| {
            matches!(step, UndoStep::PrivacyOfMany { items, .. }
                if items.iter().map(|item| &item.id).eq(plan.items.iter().map(|item| &item.id)))
        };
        self.steps(direction).pop_if(is_planned).is_some()
    }

    /// Makes one step of those since `earlier`, the steps before them.
    pub(crate) fn join(&mut self, earlier: Vec<UndoStep>) {
        let mut steps = std::mem::replace(&mut self.done, earlier);
        if steps.len() > 1 {
            self.remember(UndoStep::Together(steps));
        } else if let Some(step) = steps.pop() {
            self.remember(step);
        }
    }

    /// Records the value before a change. Clears the redo steps.
    pub(crate) fn remember(&mut self, step: UndoStep) {
        self.undone.clear();
        if self.done.len() >= MOST_STEPS {
            self.done.remove(0);
        }
        self.done.push(step);
        while self.done.iter().map(UndoStep::marks).sum::<usize>() > MOST_MARKS
            && let Some(oldest) = self.done.iter().position(|step| step.marks() > 0)
        {
            self.done.remove(oldest);
        }
    }
}
