//! Tables about look, keys and triage: an invalid value is a warning, and the default is used.

use std::str::FromStr;

use strum::IntoEnumIterator;
use toml::de::DeTable;

use super::values::integer;
use super::{Key, Reader, Value};
use crate::config::error::ConfigError;
use crate::config::fields::{ConfigTable, KeysField, LookField, TriageField, names};
use crate::config::model::{KeySetting, Located};
use crate::domain::text::clean;
use crate::domain::text::nearest::nearest;

/// The longest age, in days: ten years.
const MOST_DAYS: u16 = 3650;
/// The longest duration of a claim, in hours: four weeks.
const MOST_CLAIM_HOURS: u16 = 672;
/// The longest time before the list is read again, in minutes: a day.
const MOST_REFRESH_MINUTES: u16 = 1440;

impl Reader<'_> {
    pub(super) fn look(&mut self, key: &Key<'_>, value: &Value<'_>) -> Result<(), ConfigError> {
        let Ok(field) = key.get_ref().parse() else { return self.unknown(key, ConfigTable::Look) };
        self.note("look.", key);
        match field {
            LookField::Theme => self.examined.file.look.theme = self.word(key, value).unwrap_or_default(),
            LookField::AsciiFrame => self.examined.file.look.ascii_frame = self.optional_switch(key, value),
            LookField::ShowCursor => self.examined.file.look.show_cursor = self.optional_switch(key, value),
            LookField::Density => self.examined.file.look.density = self.word(key, value).unwrap_or_default(),
            LookField::Times => self.examined.file.look.times = self.word(key, value).unwrap_or_default(),
            LookField::Start => self.examined.file.look.start = self.word(key, value).unwrap_or_default(),
        }
        Ok(())
    }

    pub(super) fn keys(&mut self, key: &Key<'_>, value: &Value<'_>) -> Result<(), ConfigError> {
        let Ok(field) = key.get_ref().parse() else { return self.unknown(key, ConfigTable::Keys) };
        match field {
            KeysField::Preset => {
                self.note("keys.", key);
                self.examined.file.keys.preset = self.word(key, value);
            }
            KeysField::Actions => {
                for (action, keys) in self.optional_table(key, value).into_iter().flatten() {
                    self.key_override(action, keys);
                }
                // Tables iterate by name; this restores the order of the file.
                self.examined.file.keys.actions.sort_by_key(|choice| choice.action.line);
            }
        }
        Ok(())
    }

    /// Parses an override: `"j"`, `["j", "down"]` or `"off"`.
    fn key_override(&mut self, action: &Key<'_>, value: &Value<'_>) {
        let keys = match value.get_ref().as_str() {
            Some("off") => Some(Vec::new()),
            Some(key) => Some(vec![Located { value: key.to_owned(), line: self.line(&value.span()) }]),
            None => self.texts(value),
        };
        let name = action.get_ref().clone().into_owned();
        let Some(keys) = keys else {
            let message = format!("{} is neither a key, a list of keys nor \"off\": its keys are kept", clean(&name));
            return self.warn(&value.span(), message);
        };
        let action = Located { value: name, line: self.line(&action.span()) };
        self.examined.file.keys.actions.push(KeySetting { action, keys });
    }

    pub(super) fn triage(&mut self, key: &Key<'_>, value: &Value<'_>) -> Result<(), ConfigError> {
        let Ok(field) = key.get_ref().parse() else { return self.unknown(key, ConfigTable::Triage) };
        self.note("triage.", key);
        let triage = &mut self.examined.file.triage;
        let (setting, least, most) = match field {
            TriageField::ClaimHours => (&mut triage.claim_hours, 1, MOST_CLAIM_HOURS),
            TriageField::RefreshMinutes => (&mut triage.refresh_minutes, 0, MOST_REFRESH_MINUTES),
            TriageField::UntestedDays => (&mut triage.untested_days, 1, MOST_DAYS),
        };
        match integer(value).filter(|number| (least..=most).contains(number)) {
            Some(number) => *setting = number,
            None => self.ignored(key, value, &format!("a whole number from {least} to {most}")),
        }
        Ok(())
    }

    /// Parses one of an enum's words.
    pub(super) fn word<T>(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<T>
    where
        T: FromStr + IntoEnumIterator + Into<&'static str>,
    {
        let text = value.get_ref().as_str().unwrap_or_default();
        let word = text.parse().ok();
        if word.is_none() {
            let words = names::<T>();
            let meant = nearest(text, &words).map(|meant| format!(" (did you mean {meant}?)"));
            self.ignored(key, value, &format!("one of {}{}", words.join(", "), meant.unwrap_or_default()));
        }
        word
    }

    fn optional_switch(&mut self, key: &Key<'_>, value: &Value<'_>) -> bool {
        let switch = value.get_ref().as_bool();
        if switch.is_none() {
            self.ignored(key, value, "true or false");
        }
        switch.unwrap_or_default()
    }

    pub(super) fn optional_table<'v, 'i>(&mut self, key: &Key<'_>, value: &'v Value<'i>) -> Option<&'v DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.ignored(key, value, "a table");
        }
        table
    }

    fn ignored(&mut self, key: &Key<'_>, value: &Value<'_>, wanted: &str) {
        let line = self.line(&key.span());
        // An inline table has several options on one line.
        let is_it = |option: &str| option.rsplit('.').next() == Some(key.get_ref().as_ref());
        self.examined.file.lines.retain(|option, noted| *noted != line || !is_it(option));
        let message = format!("{} is not {wanted}; the default is used", clean(key.get_ref()));
        self.warn(&value.span(), message);
    }
}
