//! The common interface of text fields: the library's, and the one for secrets.

use tui_input::{Input as TextField, InputRequest};

/// A line of text with a cursor.
pub trait TextEdit {
    /// The text.
    fn value(&self) -> &str;

    /// The number of characters before the cursor.
    fn cursor(&self) -> usize;

    /// Inserts a text at the cursor in one step; inserting it letter by letter would be quadratic.
    fn insert(&mut self, text: &str);

    /// Applies an editing key.
    fn edit(&mut self, request: InputRequest);
}

impl TextEdit for TextField {
    fn value(&self) -> &str {
        self.value()
    }

    fn cursor(&self) -> usize {
        self.cursor()
    }

    fn insert(&mut self, text: &str) {
        let cursor = self.cursor();
        let at = self.value().char_indices().nth(cursor).map_or(self.value().len(), |(at, _)| at);
        let value = [&self.value()[..at], text, &self.value()[at..]].concat();
        *self = std::mem::take(self).with_value(value).with_cursor(cursor + text.chars().count());
    }

    fn edit(&mut self, request: InputRequest) {
        self.handle(request);
    }
}
