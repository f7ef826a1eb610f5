//! The help page and the palette: what Enter does on their rows.

use crate::app::App;
use crate::app::overlays::Overlay;
use crate::app::overlays::help::HelpEntry;
use crate::app::overlays::palette::{MOST_RECENT, PaletteRow, PaletteSource};
use crate::input::Action;

impl App {
    /// The rows of the palette on top; none without a palette.
    pub fn palette_rows(&self) -> Vec<PaletteRow> {
        let Some(Overlay::Palette(palette)) = self.overlays.last() else { return Vec::new() };
        palette.rows(&PaletteSource {
            keymap: &self.ctx.keymap,
            views: &self.reports.views,
            recent: &self.screen.recent_actions,
            disabled_reason: &|action| self.disabled_reason(action),
        })
    }

    /// Runs the command under the cursor of the palette. A disabled one says why, and the palette stays.
    pub(crate) fn pick_command(&mut self) {
        let rows = self.palette_rows();
        let Some(Overlay::Palette(palette)) = self.overlays.last() else { return };
        // Without a match the palette stays open, so that what is typed next stays text.
        let Some(row) = rows.into_iter().nth(palette.cursor.at) else { return };
        if matches!(row, PaletteRow::Run(_, Some(_))) {
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
            PaletteRow::SaveView(name) => self.reports.save_view(&name, &mut self.ctx),
            PaletteRow::ShowView(view) => self.show_view(&view),
            PaletteRow::DeleteView(name) => self.reports.delete_view(name, &mut self.ctx),
        }
    }

    /// Does what the key under the cursor of the help page does here, or folds a topic. Keys of other screens do nothing.
    pub(crate) fn pick_help_entry(&mut self) {
        let Some(Overlay::Help(help)) = self.overlays.last_mut() else { return };
        match help.entries(&self.ctx.keymap).into_iter().nth(help.at) {
            Some(HelpEntry::Key(key)) => {
                self.overlays.pop();
                if key.binding.action != Action::Help {
                    self.act(key.binding.action);
                }
            }
            Some(HelpEntry::Topic(topic, _)) => help.toggle(topic),
            // Without a match the search stays open, so that what is typed next stays text.
            Some(HelpEntry::Line { .. }) | None => {}
        }
    }

    /// Goes to the next or previous group of the help page.
    pub(crate) fn step_help_group(&mut self, forward: bool) {
        if let Some(Overlay::Help(help)) = self.overlays.last_mut() {
            help.step_group(forward, &self.ctx.keymap);
        }
    }

    /// Puts the cursor of the help page on an entry; on the entry under it already, picks it.
    pub(crate) fn click_help(&mut self, entry: usize) {
        let Some(Overlay::Help(help)) = self.overlays.last_mut() else { return };
        if help.at == entry {
            return self.pick_help_entry();
        }
        help.at = entry;
    }
}
