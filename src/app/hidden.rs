//! A text field whose text nobody may read over a shoulder or in a log: page passwords and API keys.

use std::fmt;
use std::ops::{Deref, DerefMut};

use tui_input::Input as TextField;

/// A text field that debug output does not tell.
///
/// What cannot be wiped: the field is a library's, which neither wipes its text nor lends it out to be wiped, so what was
/// typed stays in freed memory until something else is written there. The same is true of the event that brought a paste
/// and of the request's body inside the HTTP library. From the form on, a password is a `SecretString` and is wiped.
#[derive(Default)]
pub struct Hidden(TextField);

impl From<TextField> for Hidden {
    fn from(field: TextField) -> Self {
        Self(field)
    }
}

impl Deref for Hidden {
    type Target = TextField;

    fn deref(&self) -> &TextField {
        &self.0
    }
}

impl DerefMut for Hidden {
    fn deref_mut(&mut self) -> &mut TextField {
        &mut self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hidden")
    }
}
