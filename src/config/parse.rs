//! The spelling of the configuration file: TOML to plain data, every complaint with its line.
//!
//! What decides where a key goes or whether something may be written must be right: an error. All else that is not
//! understood is a warning. Values are never repeated in complaints: one of them may be a key.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::file::{ConfigFile, KeySource, Placed, Profile};
use super::trouble::{ConfigError, Place, Warning};
use crate::domain::text::clean;

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads the text of a file.
pub(super) fn parse(path: &Path, text: &str) -> Result<ConfigFile, ConfigError> {
    let mut reader =
        Reader { text, file: ConfigFile { path: Some(path.to_owned()), exists: true, ..ConfigFile::default() } };
    let table = DeTable::parse(text).map_err(|error| {
        // The message alone: the library's whole text quotes the line, and a key may stand on it.
        let wrong = ConfigError::new(error.message().to_owned(), "The file is TOML; correct this line");
        wrong.at(Place { file: path.to_owned(), line: error.span().map(|span| reader.line(&span)) })
    })?;
    reader.root(table.get_ref())?;
    Ok(reader.file)
}

struct Reader<'t> {
    text: &'t str,
    file: ConfigFile,
}

impl Reader<'_> {
    fn root(&mut self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "default_profile" => self.file.default_profile = Some(self.text_of(key, value)?),
                "profiles" => {
                    for (name, value) in self.table_of(key, value)? {
                        let profile = self.profile(name, value)?;
                        self.file.profiles.insert(name.get_ref().clone().into_owned(), profile);
                    }
                }
                "serve" => self.serve(self.table_of(key, value)?)?,
                _ => self.unknown(key, ""),
            }
        }
        Ok(())
    }

    fn profile(&mut self, name: &Key<'_>, value: &Value<'_>) -> Result<Profile, ConfigError> {
        let mut profile = Profile { line: self.line(&name.span()), ..Profile::default() };
        for (key, value) in self.table_of(name, value)? {
            match key.get_ref().as_ref() {
                "base_url" => profile.base_url = Some(self.text_of(key, value)?),
                "api_key_env" => profile.keys.push(self.key_source(key, value, KeySource::Variable)?),
                "api_key_file" => profile.keys.push(self.key_source(key, value, KeySource::File)?),
                "read_only" => profile.read_only = self.switch(key, value)?,
                "allow_insecure" => profile.allow_insecure = self.switch(key, value)?,
                "api_key" => {
                    return Err(self.wrong(
                        &key.span(),
                        "a key does not belong into this file".to_owned(),
                        "Name where it is: api_key_env = \"VARIABLE\" or api_key_file = \"path\"",
                    ));
                }
                _ => self.unknown(key, " of a profile"),
            }
        }
        Ok(profile)
    }

    fn serve(&mut self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        for (key, value) in table {
            match &**key.get_ref() {
                "audit_allow" => self.audit_allow(value)?,
                "requests_per_minute" => self.file.requests_per_minute = Some(self.limit(value)?),
                _ => self.unknown(key, " of serve"),
            }
        }
        Ok(())
    }

    fn limit(&self, value: &Value<'_>) -> Result<u32, ConfigError> {
        let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok());
        number.ok_or_else(|| {
            let message = "requests_per_minute is not a whole number from 0 on".to_owned();
            self.wrong(&value.span(), message, "Write it like requests_per_minute = 600; 0 is no limit")
        })
    }

    fn audit_allow(&mut self, value: &Value<'_>) -> Result<(), ConfigError> {
        let wrong = |reader: &Self, span| {
            let message = "audit_allow is not a list of texts".to_owned();
            reader.wrong(&span, message, "Write it like audit_allow = [\"intranet.example\", \"10.0.0.0/8\"]")
        };
        let entries = value.get_ref().as_array().ok_or_else(|| wrong(self, value.span()))?;
        for entry in entries {
            let text = entry.get_ref().as_str().ok_or_else(|| wrong(self, entry.span()))?;
            let line = self.line(&entry.span());
            self.file.audit_allow.push(Placed { value: text.to_owned(), line });
        }
        Ok(())
    }

    fn key_source(
        &self,
        key: &Key<'_>,
        value: &Value<'_>,
        kind: fn(String) -> KeySource,
    ) -> Result<Placed<KeySource>, ConfigError> {
        let Placed { value, line } = self.text_of(key, value)?;
        Ok(Placed { value: kind(value), line })
    }

    fn text_of(&self, key: &Key<'_>, value: &Value<'_>) -> Result<Placed<String>, ConfigError> {
        let text = value.get_ref().as_str().filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| self.not(key, value, "a text", "\"…\""))?;
        Ok(Placed { value: text.to_owned(), line: self.line(&value.span()) })
    }

    fn switch(&self, key: &Key<'_>, value: &Value<'_>) -> Result<bool, ConfigError> {
        value.get_ref().as_bool().ok_or_else(|| self.not(key, value, "true or false", "true"))
    }

    fn table_of<'v, 'i>(&self, key: &Key<'_>, value: &'v Value<'i>) -> Result<&'v DeTable<'i>, ConfigError> {
        value.get_ref().as_table().ok_or_else(|| self.not(key, value, "a table", "{ … }"))
    }

    fn not(&self, key: &Key<'_>, value: &Value<'_>, wanted: &str, example: &str) -> ConfigError {
        let name = clean(key.get_ref());
        self.wrong(&value.span(), format!("{name} is not {wanted}"), &format!("Write it like {name} = {example}"))
    }

    fn wrong(&self, span: &Range<usize>, message: String, advice: &str) -> ConfigError {
        ConfigError::new(message, advice).at(self.file.place(self.line(span)))
    }

    fn unknown(&mut self, key: &Key<'_>, whose: &str) {
        let place = self.file.place(self.line(&key.span()));
        let message = format!("{}{whose} is not known and was ignored", clean(key.get_ref()));
        self.file.warnings.push(Warning { place, message });
    }

    /// The line, from 1, on which a span begins.
    fn line(&self, span: &Range<usize>) -> usize {
        1 + self.text.get(..span.start).unwrap_or(self.text).matches('\n').count()
    }
}
