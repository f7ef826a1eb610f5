//! Autocompletion in the filter line.

use crate::app::App;

impl App {
    /// Selects the next or previous completion of the term at the cursor.
    pub(crate) fn complete_filter(&mut self, forward: bool) {
        if self.reports.step_completion(forward) {
            self.filter_completed();
        }
    }

    /// Accepts the completion if the cursor is at the end of the filter line. Returns false otherwise.
    pub(crate) fn take_completion(&mut self) -> bool {
        let line = &self.reports.filter_line;
        let is_at_end = line.cursor() == line.value().chars().count();
        let is_taken = self.reports.typing && self.overlays.is_empty() && is_at_end && self.reports.take_completion();
        if is_taken {
            self.filter_completed();
        }
        is_taken
    }

    fn filter_completed(&mut self) {
        self.reports.filter_changed(&self.ctx);
        self.arrange();
    }
}
