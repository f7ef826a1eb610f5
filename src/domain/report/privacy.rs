//! The privacy setting: who may see the page of a report.

use strum::IntoEnumIterator as _;

/// The longest password of a report page, in characters.
pub const LONGEST_PASSWORD: usize = 128;

/// The privacy setting of a report page. The numbers are those of the API.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::IntoStaticStr, strum::EnumString,
)]
#[strum(serialize_all = "snake_case", ascii_case_insensitive)]
pub enum Privacy {
    /// Anyone may see the page.
    Public = 0,
    /// Only with the API key.
    Private = 1,
    /// With the page's password.
    Password = 2,
}

impl Privacy {
    /// The API's number.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Parses the API's number; `None` if unknown.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::iter().find(|privacy| i64::from(privacy.code()) == code)
    }

    /// Returns the setting after or before another one, wrapping around; the first one after none.
    pub fn cycle(from: Option<Self>, forward: bool) -> Self {
        match (from, forward) {
            (Some(Self::Public), true) | (Some(Self::Password), false) => Self::Private,
            (Some(Self::Private), true) | (Some(Self::Public), false) => Self::Password,
            (None | Some(Self::Password), true) | (None | Some(Self::Private), false) => Self::Public,
        }
    }

    /// The name used on the command line, in filters and in JSON output.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
