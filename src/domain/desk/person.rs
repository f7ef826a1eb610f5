//! People, their roles, and the authors of changes.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{EnumIter, IntoStaticStr};

use super::json;
use crate::domain::text::Text;

/// What a key may do, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(into = "&'static str", from = "String")]
pub enum Role {
    /// Read.
    Viewer,
    /// Read, re-run reports, and write the desk.
    Triage,
    /// Everything.
    Admin,
}

impl Role {
    /// The name used in storage, on the wire and on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Parses a stored role. A role unknown to this version becomes the weakest one.
    pub fn from_stored(word: &str) -> Self {
        [Self::Triage, Self::Admin].into_iter().find(|role| role.name() == word).unwrap_or(Self::Viewer)
    }
}

impl From<String> for Role {
    fn from(word: String) -> Self {
        Self::from_stored(&word)
    }
}

/// Maximum characters of a handle.
const LONGEST_HANDLE: usize = 40;
/// Maximum characters of a person's name.
pub const LONGEST_PERSON_NAME: usize = 100;

/// The short name of a person, unique on a desk: 1 to 40 characters of `a`–`z`, `0`–`9`, `.`, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Handle(Box<str>);

/// The text is not a valid handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a person's handle has 1 to {LONGEST_HANDLE} characters of a-z, 0-9, dot, underscore and hyphen")]
pub struct InvalidHandle;

impl Handle {
    /// The handle as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Handle {
    type Err = InvalidHandle;

    fn from_str(text: &str) -> Result<Self, InvalidHandle> {
        let fits = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-');
        let is_handle = (1..=LONGEST_HANDLE).contains(&text.len()) && text.bytes().all(fits);
        if is_handle { Ok(Self(text.into())) } else { Err(InvalidHandle) }
    }
}

impl TryFrom<String> for Handle {
    type Error = InvalidHandle;

    fn try_from(text: String) -> Result<Self, InvalidHandle> {
        text.parse()
    }
}

impl From<Handle> for String {
    fn from(handle: Handle) -> Self {
        handle.0.into()
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

/// A member of the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The short name.
    pub handle: Handle,
    /// The full name; the handle until a name is entered.
    pub name: Text,
    /// The highest role among the person's active keys; `None` without an active key.
    pub role: Option<Role>,
    /// When the person left the team. People are never deleted because the log refers to them.
    #[serde(serialize_with = "json::time")]
    pub left_at: Option<Timestamp>,
}

/// Inserts a person into a list sorted by handle, or replaces the entry with the same handle.
pub fn put_person(people: &mut Vec<Person>, person: &Person) {
    match people.binary_search_by(|known| known.handle.cmp(&person.handle)) {
        Ok(at) => people[at] = person.clone(),
        Err(at) => people.insert(at, person.clone()),
    }
}

/// Who made a change. On the wire and in the store: `anna`, `key:ci` or `@operator`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum DeskActor {
    /// A person.
    Person(Handle),
    /// A robot: the name of a key without an owner. Robots' changes are never news.
    Key(Text),
    /// The operator of the service, through a command on its machine.
    Operator,
}

const KEY: &str = "key:";
/// Handles contain no at sign.
const OPERATOR: &str = "@operator";

impl DeskActor {
    /// The person, if it is one.
    pub fn person(&self) -> Option<&Handle> {
        match self {
            Self::Person(handle) => Some(handle),
            Self::Key(_) | Self::Operator => None,
        }
    }

    /// The display form: `anna`, `robot ci` or `the operator`. Handles contain no spaces: no person is shown like a
    /// robot or the operator.
    pub fn shown(&self) -> Cow<'_, str> {
        match self {
            Self::Person(handle) => handle.as_str().into(),
            Self::Key(name) => format!("robot {name}").into(),
            Self::Operator => "the operator".into(),
        }
    }
}

impl TryFrom<String> for DeskActor {
    type Error = InvalidHandle;

    fn try_from(text: String) -> Result<Self, InvalidHandle> {
        match text.strip_prefix(KEY) {
            Some(name) => Ok(Self::Key(Text::from_outside(name))),
            None if text == OPERATOR => Ok(Self::Operator),
            None => text.parse().map(Self::Person),
        }
    }
}

impl From<DeskActor> for String {
    fn from(actor: DeskActor) -> Self {
        match actor {
            DeskActor::Person(handle) => handle.into(),
            DeskActor::Key(name) => format!("{KEY}{}", name.raw()),
            DeskActor::Operator => OPERATOR.to_owned(),
        }
    }
}
