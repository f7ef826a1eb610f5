//! A text field whose text nobody may read over a shoulder or in a log: page passwords and API keys.

use std::fmt;
use std::ops::{Deref, DerefMut};

use tui_input::Input as TextField;

/// A text field that debug output does not tell.
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
