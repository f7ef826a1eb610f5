//! Parses the configuration file: TOML to plain data, every error and warning with its line.
//!
//! A mistake in settings that determine where a key is sent, or whether writes are allowed, is an error; any other
//! mistake is a warning. Messages never repeat a value, which may be a key.

mod cosmetic;
mod values;

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::error::{ConfigError, SourcePosition};
use super::fields::{ConfigTable, ProfileField, RootField, ServeField};
use super::model::{ConfigFile, DatabaseSource, EMBEDDED, ExaminedFile, KeySource, Located, ProfileConfig};
use crate::domain::text::clean;
use crate::domain::text::nearest::nearest;

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// The most errors about TOML. A file that is not a configuration has one in every line.
const MOST_UNREADABLE: usize = 100;

/// Parses the text of a file and collects everything wrong with it.
pub(super) fn examine(path: &Path, text: &str) -> ExaminedFile {
    let file = ConfigFile { path: Some(path.to_owned()), exists: true, ..ConfigFile::default() };
    let mut reader = Reader { text, examined: ExaminedFile { file, ..ExaminedFile::default() } };
    let (table, unreadable) = DeTable::parse_recoverable(text);
    // What follows a line that is not TOML may be misread, so nothing else is examined then.
    if unreadable.is_empty() {
        reader.each(table.get_ref(), Reader::root);
    }
    for error in unreadable.iter().take(MOST_UNREADABLE) {
        // Only the message: the library's full text quotes the line, which may contain a key.
        let wrong = ConfigError::new(error.message().to_owned(), "The file is TOML; correct this line");
        let line = error.span().map(|span| reader.line(&span));
        reader.examined.errors.push(wrong.at(SourcePosition { file: path.to_owned(), line }));
    }
    // Tables iterate by name.
    let by_line = |mistake: &ConfigError| mistake.place.as_ref().and_then(|place| place.line);
    reader.examined.errors.sort_by_key(by_line);
    if !unreadable.is_empty() {
        // One mistake makes several errors on its line.
        reader.examined.errors.dedup_by_key(|mistake| by_line(mistake));
    }
    reader.examined.file.warnings.sort_by_key(by_line);
    reader.examined
}

struct Reader<'t> {
    text: &'t str,
    /// Parsing continues after an error, so that all are reported together.
    examined: ExaminedFile,
}

impl Reader<'_> {
    fn root(&mut self, key: &Key<'_>, value: &Value<'_>) -> Result<(), ConfigError> {
        let Ok(field) = key.get_ref().parse() else { return self.unknown_at_root(key, value) };
        match field {
            RootField::DefaultProfile => {
                self.note("", key);
                self.examined.file.default_profile = Some(self.text_of(key, value)?);
            }
            RootField::Profiles => self.profiles(key, value)?,
            RootField::Look => self.optional(key, value, Self::look),
            RootField::Keys => self.optional(key, value, Self::keys),
            RootField::Triage => self.optional(key, value, Self::triage),
            RootField::Serve => {
                let table = self.table_of(key, value)?;
                self.each(table, Self::serve);
            }
        }
        Ok(())
    }

    /// Parses a table; a value that is not a table is a warning.
    fn optional(
        &mut self,
        key: &Key<'_>,
        value: &Value<'_>,
        read: fn(&mut Self, &Key<'_>, &Value<'_>) -> Result<(), ConfigError>,
    ) {
        if let Some(table) = self.optional_table(key, value) {
            self.each(table, read);
        }
    }

    /// Parses every field of a table, continuing after errors.
    fn each<'i>(
        &mut self,
        table: &DeTable<'i>,
        mut read: impl FnMut(&mut Self, &Key<'i>, &Value<'i>) -> Result<(), ConfigError>,
    ) {
        for (key, value) in table {
            let read = read(self, key, value);
            self.examined.errors.extend(read.err());
        }
    }

    fn profiles(&mut self, key: &Key<'_>, value: &Value<'_>) -> Result<(), ConfigError> {
        for (name, value) in self.table_of(key, value)? {
            if name.get_ref() == EMBEDDED {
                let message = format!("a profile cannot be called {EMBEDDED}: that is the embedded service");
                let error = self.wrong(&name.span(), message, "Choose another name");
                self.examined.errors.push(error);
                continue;
            }
            let before = self.examined.errors.len();
            let mut profile = ProfileConfig { line: self.line(&name.span()), ..ProfileConfig::default() };
            match self.table_of(name, value) {
                Ok(fields) => self.each(fields, |reader, key, value| {
                    reader.note(&format!("profiles.{}.", name.get_ref()), key);
                    reader.profile(&mut profile, key, value)
                }),
                Err(error) => self.examined.errors.push(error),
            }
            let name = name.get_ref().clone().into_owned();
            if self.examined.errors.len() > before {
                self.examined.broken_profiles.insert(name.clone());
            }
            self.examined.file.profiles.insert(name, profile);
        }
        Ok(())
    }

    fn profile(&mut self, profile: &mut ProfileConfig, key: &Key<'_>, value: &Value<'_>) -> Result<(), ConfigError> {
        let Ok(field) = key.get_ref().parse() else { return self.unknown(key, ConfigTable::Profile) };
        match field {
            ProfileField::BaseUrl => profile.base_url = Some(self.text_of(key, value)?),
            ProfileField::ApiKeyEnv => profile.keys.push(self.text_of(key, value)?.map(KeySource::Variable)),
            ProfileField::ApiKeyFile => profile.keys.push(self.text_of(key, value)?.map(KeySource::File)),
            ProfileField::ApiKeyCommand => {
                let words = self.command(key, value, "[\"pass\", \"show\", \"reports\"]")?;
                profile.keys.push(words.map(KeySource::Command));
            }
            ProfileField::ApiKeyKeyring => {
                if self.switch(key, value)? {
                    profile.keys.push(Located { value: KeySource::Keyring, line: self.line(&key.span()) });
                }
            }
            ProfileField::ReadOnly => profile.read_only = self.switch(key, value)?,
            ProfileField::AllowInsecure => profile.allow_insecure = self.switch(key, value)?,
            ProfileField::Accent => profile.accent = self.word(key, value),
            ProfileField::Desk => profile.desk = Some(self.text_of(key, value)?),
            ProfileField::DeskApiKeyEnv => profile.desk_keys.push(self.text_of(key, value)?.map(KeySource::Variable)),
            ProfileField::DeskApiKeyCommand => {
                let words = self.command(key, value, "[\"pass\", \"show\", \"desk\"]")?;
                profile.desk_keys.push(words.map(KeySource::Command));
            }
            ProfileField::Presence => profile.hides_presence = !self.switch(key, value)?,
        }
        Ok(())
    }

    fn serve(&mut self, key: &Key<'_>, value: &Value<'_>) -> Result<(), ConfigError> {
        let Ok(field) = key.get_ref().parse() else { return self.unknown(key, ConfigTable::Serve) };
        self.note("serve.", key);
        match field {
            ServeField::Listen => self.examined.file.listen = Some(self.listen(key, value)?),
            ServeField::Data => self.examined.file.data = Some(self.text_of(key, value)?),
            ServeField::Database => self.examined.file.databases.push(self.database(key, value)?),
            ServeField::DatabaseCommand => {
                let words = self.command(key, value, "[\"pass\", \"show\", \"reports/database\"]")?;
                self.examined.file.databases.push(words.map(DatabaseSource::Command));
            }
            ServeField::AuditAllow => self.examined.file.audit_allow = self.audit_allow(value)?,
            ServeField::RequestsPerMinute => self.examined.file.requests_per_minute = Some(self.limit(key, value)?),
            ServeField::DeskKeepDays => self.examined.file.desk_keep_days = Some(self.keep_days(key, value)?),
            ServeField::PublicUrl => self.examined.file.public_url = Some(self.public_url(key, value)?),
            ServeField::TrustedProxies => self.examined.file.trusted_proxies = self.trusted_proxies(value)?,
        }
        Ok(())
    }

    /// Reports an unknown field outside of all tables, and the decisive fields in it if it is a misspelt table.
    fn unknown_at_root(&mut self, key: &Key<'_>, value: &Value<'_>) -> Result<(), ConfigError> {
        let whose = format!(" of {}", clean(key.get_ref()));
        let fields = value.get_ref().as_table().into_iter().flatten();
        let misplaced: Vec<ConfigError> = fields.filter_map(|(field, _)| self.misplaced(field, &whose)).collect();
        self.examined.errors.extend(misplaced);
        self.unknown(key, ConfigTable::Root)
    }

    /// Returns the error for a field without effect here that is a key, or decisive in its own table.
    fn misplaced(&self, key: &Key<'_>, whose: &str) -> Option<ConfigError> {
        let name = key.get_ref().as_ref();
        if name == "api_key" {
            let advice = "Run `reportdeck login`, or name its source: api_key_env, api_key_file or api_key_command";
            return Some(self.wrong(&key.span(), "an API key does not belong in this file".to_owned(), advice));
        }
        let home = ConfigTable::table_with(name).filter(|home| home.decides(name))?;
        let message = format!("{}{whose} has no effect here", clean(name));
        Some(self.wrong(&key.span(), message, &format!("Move it {}", home.place())))
    }

    /// Reports an unknown field: as a warning that suggests the nearest name, or as an error if it could be a decisive
    /// field.
    fn unknown(&mut self, key: &Key<'_>, table: ConfigTable) -> Result<(), ConfigError> {
        let name = key.get_ref().as_ref();
        let (shown, whose) = (clean(name), table.owner_suffix());
        if let Some(error) = self.misplaced(key, &whose) {
            return Err(error);
        }
        if let Some(home) = ConfigTable::table_with(name) {
            let message = format!("{shown}{whose} is not known and was ignored; move it {}", home.place());
            self.warn(&key.span(), message);
            return Ok(());
        }
        let meant = nearest(name, &table.names());
        if let Some(meant) = meant.filter(|meant| table.decides(meant)) {
            let message = format!("{shown}{whose} is not known");
            return Err(self.wrong(&key.span(), message, &format!("Did you mean {meant}?")));
        }
        let meant = meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default();
        self.warn(&key.span(), format!("{shown}{whose} is not known and was ignored{meant}"));
        Ok(())
    }

    /// Records the line of an option.
    fn note(&mut self, table: &str, key: &Key<'_>) {
        let line = self.line(&key.span());
        self.examined.file.lines.insert(format!("{table}{}", key.get_ref()), line);
    }

    fn warn(&mut self, span: &Range<usize>, message: String) {
        let warning = self.wrong(span, message, "");
        self.examined.file.warnings.push(warning);
    }

    fn wrong(&self, span: &Range<usize>, message: String, advice: &str) -> ConfigError {
        ConfigError::new(message, advice).at(self.examined.file.place(self.line(span)))
    }

    /// Returns the line, from 1, on which a span begins.
    fn line(&self, span: &Range<usize>) -> usize {
        1 + self.text.get(..span.start).unwrap_or(self.text).matches('\n').count()
    }
}
