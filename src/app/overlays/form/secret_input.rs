//! A text field for page passwords and API keys. Its text is wiped from memory and omitted from debug output.

use std::fmt;

use secrecy::zeroize::Zeroizing;
use tui_input::InputRequest;

use crate::app::overlays::form::text_field::TextEdit;

/// Whether a form's password can be copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PasswordCopy {
    /// Typed, so the user knows it already.
    #[default]
    Typed,
    /// Generated, and not copied yet.
    Generated,
    /// Generated and copied already.
    Copied,
}

/// The maximum length in bytes. This capacity is reserved up front, so that the text is never reallocated, which would
/// leave a copy in memory.
pub const MOST: usize = 4 * 1024;

/// A text field that is redacted in debug output and wiped on drop.
///
/// `TextField` would leave every earlier text in freed memory. Not covered: the event of a key or a paste, and the
/// request body inside the HTTP library.
pub struct SecretInput {
    text: Zeroizing<String>,
    /// The number of characters before the cursor.
    cursor: usize,
}

impl Default for SecretInput {
    fn default() -> Self {
        Self { text: Zeroizing::new(String::with_capacity(MOST)), cursor: 0 }
    }
}

impl SecretInput {
    /// Creates a field with a text, truncated to the maximum length.
    pub fn with(text: &str) -> Self {
        let mut field = Self::default();
        field.insert(&text[..text.floor_char_boundary(MOST)]);
        field
    }

    /// The text, for sending or for display while revealed.
    pub fn value(&self) -> &str {
        &self.text
    }

    /// The byte index of the character at an index.
    fn byte_at(&self, place: usize) -> usize {
        self.text.char_indices().nth(place).map_or(self.text.len(), |(at, _)| at)
    }

    fn delete(&mut self, from: usize, to: usize) {
        let (begin, end) = (self.byte_at(from), self.byte_at(to));
        // In place: the remainder moves up, and stale bytes after it are wiped with the field.
        self.text.drain(begin..end);
        self.cursor = from;
    }
}

impl TextEdit for SecretInput {
    fn value(&self) -> &str {
        self.value()
    }

    fn cursor(&self) -> usize {
        self.cursor
    }

    fn insert(&mut self, text: &str) {
        if self.text.len() + text.len() <= MOST {
            let at = self.byte_at(self.cursor);
            self.text.insert_str(at, text);
            self.cursor += text.chars().count();
        }
    }

    /// Edits like other fields, but treats the whole text as one word: word boundaries would reveal parts of the
    /// password.
    fn edit(&mut self, request: InputRequest) {
        let end = self.text.chars().count();
        match request {
            InputRequest::InsertChar(character) => self.insert(character.encode_utf8(&mut [0; 4])),
            InputRequest::SetCursor(place) => self.cursor = place.min(end),
            InputRequest::GoToPrevChar => self.cursor = self.cursor.saturating_sub(1),
            InputRequest::GoToNextChar => self.cursor = (self.cursor + 1).min(end),
            InputRequest::GoToPrevWord | InputRequest::GoToStart => self.cursor = 0,
            InputRequest::GoToNextWord | InputRequest::GoToEnd => self.cursor = end,
            InputRequest::DeletePrevChar => self.delete(self.cursor.saturating_sub(1), self.cursor),
            InputRequest::DeleteNextChar => self.delete(self.cursor, (self.cursor + 1).min(end)),
            InputRequest::DeletePrevWord | InputRequest::DeleteFromStart => self.delete(0, self.cursor),
            InputRequest::DeleteNextWord | InputRequest::DeleteTillEnd => self.delete(self.cursor, end),
            InputRequest::DeleteLine => self.delete(0, end),
            // Deleted text is not kept for yanking.
            InputRequest::Yank => {}
        }
    }
}

impl fmt::Debug for SecretInput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hidden")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tui_input::Input as TextField;

    fn request() -> impl Strategy<Value = InputRequest> {
        prop_oneof![
            any::<char>().prop_map(InputRequest::InsertChar),
            (0_usize..12).prop_map(InputRequest::SetCursor),
            Just(InputRequest::GoToPrevChar),
            Just(InputRequest::GoToNextChar),
            Just(InputRequest::GoToStart),
            Just(InputRequest::GoToEnd),
            Just(InputRequest::DeletePrevChar),
            Just(InputRequest::DeleteNextChar),
            Just(InputRequest::DeleteFromStart),
            Just(InputRequest::DeleteTillEnd),
            Just(InputRequest::DeleteLine),
            Just(InputRequest::GoToPrevWord),
            Just(InputRequest::GoToNextWord),
            Just(InputRequest::DeletePrevWord),
            Just(InputRequest::DeleteNextWord),
            Just(InputRequest::Yank),
        ]
    }

    #[test]
    fn the_secret_is_wiped_on_drop() {
        fn assert_wiped(_: &impl secrecy::zeroize::ZeroizeOnDrop) {}
        assert_wiped(&SecretInput::default().text);
    }

    proptest! {
        #[test]
        fn letters_are_inserted_as_in_the_library_field(letters in "[a-z ]{0,20}", places in prop::collection::vec(0_usize..20, 20)) {
            let (mut ours, mut theirs) = (SecretInput::default(), TextField::default());
            for (letter, place) in letters.chars().zip(places) {
                for request in [InputRequest::InsertChar(letter), InputRequest::SetCursor(place)] {
                    ours.edit(request);
                    theirs.handle(request);
                }
                prop_assert_eq!((ours.value(), ours.cursor()), (theirs.value(), theirs.cursor()));
            }
        }

        #[test]
        fn no_edit_reallocates_the_secret(requests in prop::collection::vec(request(), 0..200), pasted in ".{0,9}") {
            let mut field = SecretInput::with(&pasted);
            let place = field.text.as_ptr();
            for request in requests {
                field.edit(request);
                prop_assert!(field.cursor <= field.text.chars().count());
                prop_assert_eq!((field.text.as_ptr(), field.text.capacity()), (place, MOST));
            }
            field.insert(&"x".repeat(MOST));
            prop_assert!(field.text.len() <= MOST && field.text.as_ptr() == place);
        }
    }
}
