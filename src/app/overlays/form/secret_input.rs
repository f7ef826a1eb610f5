//! A text field for page passwords and API keys. Its text is wiped from memory and left out of debug output.

use std::fmt;

use secrecy::zeroize::Zeroizing;
use tui_input::InputRequest;

use crate::app::overlays::form::text_field::TextEdit;

/// Whether the password of a form can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordCopy {
    /// It was typed: whoever typed it has it.
    Typed,
    /// It was generated and not copied yet.
    Generated,
    /// It was generated and copied; once is enough.
    Copied,
}

/// Bytes of the longest text that is taken; as many are there from the start, so that the text never moves and leaves a
/// copy behind.
pub const MOST: usize = 4 * 1024;

/// A text field that debug output does not tell, and whose text is wiped when the field goes.
///
/// The library's field would leave every former text in freed memory. What cannot be wiped here either: the event that
/// brought a key or a paste, and the request's body inside the HTTP library.
pub struct SecretInput {
    text: Zeroizing<String>,
    /// Characters before the cursor.
    cursor: usize,
}

impl Default for SecretInput {
    fn default() -> Self {
        Self { text: Zeroizing::new(String::with_capacity(MOST)), cursor: 0 }
    }
}

impl SecretInput {
    /// A field with a text in it; what has no room is left out.
    pub fn with(text: &str) -> Self {
        let mut field = Self::default();
        field.insert(&text[..text.floor_char_boundary(MOST)]);
        field
    }

    /// The text, for sending or for display when it is revealed.
    pub fn value(&self) -> &str {
        &self.text
    }

    /// Where in the text the character at a place begins.
    fn byte_at(&self, place: usize) -> usize {
        self.text.char_indices().nth(place).map_or(self.text.len(), |(at, _)| at)
    }

    fn delete(&mut self, from: usize, to: usize) {
        let (begin, end) = (self.byte_at(from), self.byte_at(to));
        // In place: what follows moves up, and what is left behind it is wiped with the field.
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

    /// Edits as in any field, except that a word is the whole text: word boundaries would reveal the password.
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
