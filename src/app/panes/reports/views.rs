//! Saved views: filter, sort order and columns under a name, and as one line of text. Kept on this machine per service.

use tui_input::Input as TextField;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::domain::list::cached_rows::SavedView;
use crate::domain::list::view_line::{self, View};
use crate::domain::text::clean;
use crate::input::Action;

/// Characters of a view's name.
const LONGEST_NAME: usize = 60;

impl App {
    /// Takes the views that are kept; the one that the program was started with is shown.
    pub(crate) fn on_views(&mut self, views: Vec<SavedView>) {
        self.reports.views = views;
        if let Some(name) = self.session.first_view.take() {
            match self.reports.views.iter().find(|view| view.name == name).cloned() {
                Some(view) => self.show_view(&view),
                None => self.ctx.tell(format!("There is no view named {} here", clean(&name))),
            }
        }
    }

    /// What is looked at now.
    fn view(&self) -> View {
        let columns = self.reports.wanted_columns();
        View { filter: self.reports.filter_line.value().to_owned(), sort: self.reports.sort, columns }
    }

    /// The name of the view that is looked at, if it is one that was saved.
    pub fn view_name(&self) -> Option<&str> {
        let same = |saved: &&SavedView| {
            view_line::read(&saved.line)
                .is_ok_and(|view| view.filter == self.reports.filter_line.value() && view.sort == self.reports.sort)
        };
        self.reports.views.iter().find(same).map(|saved| saved.name.as_str())
    }

    /// The next or previous view, around the ends.
    pub(crate) fn step_view(&mut self, forward: bool) {
        let count = self.reports.views.len();
        if count == 0 {
            return self
                .ctx
                .tell(format!("No view is saved yet: {} saves what you look at", self.ctx.key(Action::SaveView)));
        }
        let at = self.view_name().and_then(|name| self.reports.views.iter().position(|view| view.name == name));
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => (at + count - 1) % count,
        };
        let view = self.reports.views[next].clone();
        self.show_view(&view);
    }

    pub(crate) fn show_view(&mut self, saved: &SavedView) {
        match view_line::read(&saved.line) {
            Ok(view) => {
                self.look_at(&view);
                self.ctx.tell(format!("View {}", clean(&saved.name)));
            }
            Err(why) => self.ctx.tell(format!("The view {} cannot be read: {why}", clean(&saved.name))),
        }
    }

    fn look_at(&mut self, view: &View) {
        if self.reports.sort != view.sort {
            self.ctx.undo.remember(crate::app::undo::UndoStep::Sort(self.reports.sort.0, self.reports.sort.1));
            self.reports.sort = view.sort;
        }
        self.set_columns(Some(view.columns.clone()));
        self.set_filter(&view.filter);
    }

    /// `W`: asks for the name of what is looked at.
    pub(crate) fn name_view(&mut self) {
        let name = self.view_name().unwrap_or_default().to_owned();
        self.overlays.push(Overlay::ViewName(TextField::new(name)));
    }

    /// Saves the view under the typed name, or shows the one whose line was pasted.
    pub(crate) fn save_view(&mut self) {
        let Some(Overlay::ViewName(field)) = self.overlays.pop() else { return };
        let typed = field.value().trim().to_owned();
        if typed.is_empty() {
            return;
        }
        if let Ok(view) = view_line::read(&typed) {
            self.look_at(&view);
            return self
                .ctx
                .tell(format!("The pasted view is shown; {} saves it under a name", self.ctx.key(Action::SaveView)));
        }
        self.save_view_as(&typed);
    }

    /// Saves what is looked at under this name, in place of a view of the same name.
    pub(crate) fn save_view_as(&mut self, name: &str) {
        let name: String = clean(name).chars().take(LONGEST_NAME).collect();
        let saved = SavedView { name: name.clone(), line: view_line::write(&self.view()) };
        self.reports.views.retain(|view| view.name != name);
        self.reports.views.push(saved.clone());
        self.reports.views.sort_by(|one, other| one.name.cmp(&other.name));
        self.ctx.effects.push(Effect::SaveView(saved));
        let (next, previous) = (self.ctx.key(Action::NextView), self.ctx.key(Action::PreviousView));
        self.ctx.tell(format!("View {name} is saved: {next} and {previous} go through them"));
    }

    /// Copies what is looked at as one line.
    pub(crate) fn copy_view(&mut self) {
        self.ctx.effects.push(Effect::Copy(view_line::write(&self.view())));
    }
}
