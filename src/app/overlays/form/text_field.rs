//! What a text field can do: the library's field and the one for secrets.

use tui_input::{Input as TextField, InputRequest};

/// A line of text with a cursor.
pub trait TextEdit {
    /// The text.
    fn value(&self) -> &str;

    /// How many characters are before the cursor.
    fn cursor(&self) -> usize;

    /// Puts a text behind the cursor, at once: letter by letter each would cost as much as the whole.
    fn insert(&mut self, text: &str);

    /// Does what a key asks for.
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
