//! Every field of the configuration file, by table.
//!
//! The parser matches on these enums, so every field it reads is listed here.

use strum::IntoEnumIterator;

/// Fields outside of all tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum RootField {
    DefaultProfile,
    Profiles,
    Look,
    Keys,
    Triage,
    Serve,
}

/// Fields of `[profiles.NAME]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum ProfileField {
    BaseUrl,
    ApiKeyEnv,
    ApiKeyFile,
    ApiKeyCommand,
    ApiKeyKeyring,
    ReadOnly,
    AllowInsecure,
    Accent,
    Desk,
    DeskApiKeyEnv,
    DeskApiKeyCommand,
    Presence,
}

/// Fields of `[look]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum LookField {
    Theme,
    AsciiFrame,
    ShowCursor,
    Density,
    Times,
    Start,
}

/// Fields of `[keys]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum KeysField {
    Preset,
    Actions,
}

/// Fields of `[triage]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum TriageField {
    UntestedDays,
    ClaimHours,
    RefreshMinutes,
}

/// Fields of `[serve]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum ServeField {
    Listen,
    Data,
    Database,
    DatabaseCommand,
    AuditAllow,
    RequestsPerMinute,
    DeskKeepDays,
    PublicUrl,
    TrustedProxies,
}

/// A table of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumIter)]
#[strum(serialize_all = "snake_case")]
pub(super) enum ConfigTable {
    Root,
    Profile,
    Look,
    Keys,
    Triage,
    Serve,
}

impl ConfigTable {
    /// Returns the names of the table's fields.
    pub(super) fn names(self) -> Vec<&'static str> {
        match self {
            Self::Root => names::<RootField>(),
            Self::Profile => names::<ProfileField>(),
            Self::Look => names::<LookField>(),
            Self::Keys => names::<KeysField>(),
            Self::Triage => names::<TriageField>(),
            Self::Serve => names::<ServeField>(),
        }
    }

    /// Returns where the table's fields belong, for advice.
    pub(super) fn place(self) -> String {
        match self {
            Self::Root => "to the beginning of the file, before the first [table]".to_owned(),
            Self::Profile => "into a [profiles.NAME]".to_owned(),
            Self::Look | Self::Keys | Self::Triage | Self::Serve => format!("into [{self}]"),
        }
    }

    /// Returns a suffix for a field's name, such as ` of a profile`.
    pub(super) fn owner_suffix(self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Profile => " of a profile".to_owned(),
            Self::Look | Self::Keys | Self::Triage | Self::Serve => format!(" of {self}"),
        }
    }

    /// Whether a field determines which service is used, with which key, what may be written, or where reports are
    /// stored. A mistake in such a field is always an error.
    pub(super) fn decides(self, name: &str) -> bool {
        match self {
            Self::Root => matches!(name.parse(), Ok(RootField::DefaultProfile | RootField::Profiles)),
            Self::Profile => !matches!(name.parse(), Ok(ProfileField::Accent)),
            Self::Serve => {
                matches!(name.parse(), Ok(ServeField::Data | ServeField::Database | ServeField::DatabaseCommand))
            }
            Self::Look | Self::Keys | Self::Triage => false,
        }
    }

    /// Returns the first table that has a field of this name.
    pub(super) fn table_with(name: &str) -> Option<Self> {
        Self::iter().find(|table| table.names().contains(&name))
    }
}

/// Returns the names of all variants.
pub(super) fn names<F: IntoEnumIterator + Into<&'static str>>() -> Vec<&'static str> {
    F::iter().map(Into::into).collect()
}
