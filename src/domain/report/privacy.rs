//! The privacy setting: who may see the page of a report.

/// The longest password of a report page, in characters.
pub const LONGEST_PASSWORD: usize = 128;

/// The privacy setting of a report page.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::IntoStaticStr, strum::EnumString,
)]
#[strum(serialize_all = "snake_case", ascii_case_insensitive)]
pub enum Privacy {
    /// Anyone may see the page. `0` on the wire.
    Public,
    /// Only with the API key. `1` on the wire.
    Private,
    /// With the page's password. `2` on the wire.
    Password,
}

impl Privacy {
    /// The API's number.
    pub fn code(self) -> u8 {
        match self {
            Self::Public => 0,
            Self::Private => 1,
            Self::Password => 2,
        }
    }

    /// Parses the API's number; `None` if unknown.
    pub fn from_code(code: i64) -> Option<Self> {
        match code {
            0 => Some(Self::Public),
            1 => Some(Self::Private),
            2 => Some(Self::Password),
            _ => None,
        }
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
