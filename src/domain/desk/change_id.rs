//! Idempotency ids of desk writes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The idempotency id of a write: a UUID chosen by the client. Resending the same id returns the first response and
/// changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ChangeId(u128);

/// The text is not a UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a change id is a UUID: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12")]
pub struct InvalidChangeId;

impl ChangeId {
    /// Builds a UUID (version 4) from 16 random bytes.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        let bits = u128::from_be_bytes(bytes);
        let version = (bits & !(0xf << 76)) | (4 << 76);
        Self((version & !(0b11 << 62)) | (0b10 << 62))
    }

    /// Derives the id of a further event of the same write from its number.
    #[must_use]
    pub fn numbered(self, number: u32) -> Self {
        Self(self.0 ^ u128::from(number))
    }
}

impl fmt::Display for ChangeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:032x}", self.0);
        let (first, second, third) = (&digits[..8], &digits[8..12], &digits[12..16]);
        write!(formatter, "{first}-{second}-{third}-{}-{}", &digits[16..20], &digits[20..])
    }
}

impl FromStr for ChangeId {
    type Err = InvalidChangeId;

    fn from_str(text: &str) -> Result<Self, InvalidChangeId> {
        let is_hyphen = |at: usize| matches!(at, 8 | 13 | 18 | 23);
        let fits = |(at, byte): (usize, u8)| if is_hyphen(at) { byte == b'-' } else { byte.is_ascii_hexdigit() };
        if text.len() != 36 || !text.bytes().enumerate().all(fits) {
            return Err(InvalidChangeId);
        }
        u128::from_str_radix(&text.replace('-', ""), 16).map(Self).map_err(|_| InvalidChangeId)
    }
}

impl From<ChangeId> for String {
    fn from(id: ChangeId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for ChangeId {
    type Error = InvalidChangeId;

    fn try_from(text: String) -> Result<Self, InvalidChangeId> {
        text.parse()
    }
}
