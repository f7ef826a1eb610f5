//! Actions on the rows of the help page and the command palette.

use crate::app::App;
use crate::app::overlays::Overlay;
use crate::app::overlays::help::HelpEntry;
use crate::app::overlays::palette::{MOST_RECENT, PaletteRow};
use crate::input::Action;

impl App {
    /// Returns the rows of the palette if it is on top, else none.
    pub fn palette_rows(&self) -> Vec<PaletteRow> {
        let Some(Overlay::Palette(palette)) = self.overlays.last() else { return Vec::new() };
        let (views, recent) = (&self.reports.views, &self.screen.recent_actions);
        palette.rows(&self.ctx.keymap, views, recent, |action| self.disabled_reason(action))
    }

    /// Runs the command under the palette's cursor. A disabled command shows its reason, and the palette stays open.
    pub(crate) fn pick_command(&mut self) {
        let rows = self.palette_rows();
        let Some(Overlay::Palette(palette)) = self.overlays.last() else { return };
        // Without a match the palette stays open, so that further keys are still typed into the search.
        let is_available = |row: &PaletteRow| !matches!(row, PaletteRow::Run(_, Some(_)));
        let Some(row) = rows.into_iter().nth(palette.cursor.at).filter(is_available) else { return };
        if let PaletteRow::SaveView(name) = &row
            && !self.reports.save_view(name, &mut self.ctx)
        {
            return;
        }
        self.overlays.pop();
        match row {
            PaletteRow::Run(key, _) => {
                let action = key.binding.action;
                self.screen.recent_actions.retain(|used| *used != action);
                self.screen.recent_actions.push_front(action);
                self.screen.recent_actions.truncate(MOST_RECENT);
                self.act(action);
            }
            // Saved above.
            PaletteRow::SaveView(_) => {}
            PaletteRow::ShowView(view) => self.show_view(&view),
            PaletteRow::DeleteView(name) => self.reports.delete_view(name, &mut self.ctx),
        }
    }

    /// Performs the action under the help page's cursor, or folds a topic. Does nothing on keys of other screens.
    pub(crate) fn pick_help_entry(&mut self) {
        let Some(Overlay::Help(help)) = self.overlays.last_mut() else { return };
        match help.entries(&self.ctx.keymap).into_iter().nth(help.cursor.at) {
            Some(HelpEntry::Key(key)) => {
                self.overlays.pop();
                if key.binding.action != Action::Help {
                    self.act(key.binding.action);
                }
            }
            Some(HelpEntry::Topic(topic, _)) => help.toggle(topic),
            // Without a match the search stays open, so that further keys are still typed into it.
            Some(HelpEntry::Line { .. }) | None => {}
        }
    }
}
