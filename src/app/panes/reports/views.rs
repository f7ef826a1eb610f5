//! Saved views: filter, sort order, columns and project under a name, and as one line of text. Stored on this machine
//! per service.

use crate::app::ctx::Ctx;
use crate::app::effect::Effect;
use crate::app::panes::reports::Reports;
use crate::app::undo::UndoStep;
use crate::domain::list::cached_rows::{FormerView, SavedView};
use crate::domain::list::view_line::{self, View};
use crate::domain::text::{Text, clean};
use crate::input::Action;

/// Maximum characters of a view's name.
const LONGEST_NAME: usize = 60;

impl Reports {
    /// Returns the current filter, sort order, columns and project.
    fn view(&self) -> View {
        View {
            filter: self.filter_line.value().to_owned(),
            sort: self.sort,
            columns: self.columns.shown.clone(),
            project: self.project_name().map(str::to_owned),
        }
    }

    fn project_name(&self) -> Option<&str> {
        self.scope.as_ref().map(Text::raw)
    }

    /// Returns the name of the saved view that matches the current filter, sort order and project; of several, the one
    /// that was shown or saved last.
    pub fn view_name(&self) -> Option<&str> {
        let same = |saved: &&SavedView| {
            view_line::read(&saved.line).is_ok_and(|view| {
                view.filter == self.filter_line.value()
                    && view.sort == self.sort
                    && view.project.as_deref() == self.project_name()
            })
        };
        let is_other = |saved: &&SavedView| self.last_view.as_ref() != Some(&saved.name);
        self.views.iter().filter(same).min_by_key(is_other).map(|saved| saved.name.as_str())
    }

    /// Shows the next or previous view that can be read, wrapping around.
    pub(crate) fn step_view(&mut self, forward: bool, ctx: &mut Ctx) {
        let Some(first) = self.views.first() else {
            if let Some(problem) = ctx.journal_problem() {
                return ctx.notify(format!("There is no view to show: {problem}"));
            }
            return ctx.notify(format!("No view is saved yet: {} saves the current view", ctx.key(Action::SaveView)));
        };
        let readable = || self.views.iter().filter(|saved| view_line::read(&saved.line).is_ok());
        let at = self.view_name().and_then(|name| readable().position(|view| view.name == name));
        let count = readable().count().max(1);
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => (at + count - 1) % count,
        };
        // If none can be read, the first one shows why.
        self.show_view(&readable().nth(next).unwrap_or(first).clone(), ctx);
    }

    /// Shows a saved view.
    pub(crate) fn show_view(&mut self, saved: &SavedView, ctx: &mut Ctx) {
        match view_line::read(&saved.line) {
            Ok(view) => {
                self.apply_view(&view, ctx);
                self.last_view = Some(saved.name.clone());
                ctx.notify(format!("View {}", clean(&saved.name)));
            }
            Err(why) => ctx.notify(format!("! The view {} cannot be read: {why}", clean(&saved.name))),
        }
    }

    fn apply_view(&mut self, view: &View, ctx: &mut Ctx) {
        self.set_sort(view.sort, ctx);
        self.set_project(view.project.as_deref().map(Text::from), ctx);
        self.set_columns(view.columns.clone(), ctx);
        self.set_filter(&view.filter, ctx);
    }

    /// Shows a pasted view.
    pub(crate) fn show_pasted_view(&mut self, view: &View, ctx: &mut Ctx) {
        self.apply_view(view, ctx);
        ctx.notify(format!("Showing the pasted view; {} saves it under a name", ctx.key(Action::SaveView)));
    }

    /// Requests the saved views of this machine.
    pub(crate) fn read_views(&mut self, ctx: &mut Ctx) {
        self.views_changed_since_request = false;
        ctx.effects.push(Effect::ReadViews);
    }

    /// Saves the current view. Replacing one of the same name can be undone. Returns false if the name is too long.
    pub(crate) fn save_view(&mut self, name: &str, ctx: &mut Ctx) -> bool {
        let name = clean(name).into_owned();
        let length = name.chars().count();
        if length > LONGEST_NAME {
            ctx.notify(format!(
                "Not saved: the name has {length} characters, and the name of a view has at most {LONGEST_NAME}. Shorten it"
            ));
            return false;
        }
        let line = view_line::write(&self.view());
        self.last_view = Some(name.clone());
        ctx.effects.push(Effect::SaveView(SavedView { name: name.clone(), line: line.clone() }));
        let former = self.put_view(&name, Some(line.clone())).filter(|former| *former != line);
        if former.is_some() {
            ctx.notify(format!("View {name} replaced: {} undoes it", ctx.key(Action::Undo)));
            ctx.undo.remember(UndoStep::View(FormerView { name, line: former, replaced_by: Some(line) }));
        } else {
            let (next, previous) = (ctx.key(Action::NextView), ctx.key(Action::PreviousView));
            ctx.notify(format!("View {name} saved: {next} and {previous} switch views"));
        }
        true
    }

    /// Deletes a saved view.
    pub(crate) fn delete_view(&mut self, name: String, ctx: &mut Ctx) {
        let former = self.put_view(&name, None);
        ctx.notify(format!("View {} deleted: {} undoes it", clean(&name), ctx.key(Action::Undo)));
        ctx.effects.push(Effect::DeleteView(name.clone()));
        ctx.undo.remember(UndoStep::View(FormerView { name, line: former, replaced_by: None }));
    }

    /// Restores a view, unless another dashboard has changed it since. Returns the step that reverses this.
    pub(crate) fn restore_view(&mut self, former: FormerView, ctx: &mut Ctx) -> FormerView {
        self.put_view(&former.name, former.line.clone());
        ctx.effects.push(Effect::RestoreView(former.clone()));
        self.read_views(ctx);
        FormerView { line: former.replaced_by, replaced_by: former.line, ..former }
    }

    /// Adds a view, replacing one of its name, or removes it if `line` is `None`. Returns the previous line.
    fn put_view(&mut self, name: &str, line: Option<String>) -> Option<String> {
        self.views_changed_since_request = true;
        let at = self.views.iter().position(|view| view.name == name);
        let former = at.map(|at| self.views.remove(at).line);
        if let Some(line) = line {
            self.views.push(SavedView { name: name.to_owned(), line });
            self.views.sort_by(|one, other| one.name.cmp(&other.name));
        }
        former
    }

    /// Copies the current view as one line.
    pub(crate) fn copy_view(&self, ctx: &mut Ctx) {
        ctx.effects.push(Effect::Copy(view_line::write(&self.view())));
    }
}
