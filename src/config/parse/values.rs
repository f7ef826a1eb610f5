//! Values that must have the right type; others are errors with their line.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use secrecy::SecretString;
use toml::de::DeTable;
use url::{Host, Url};

use super::{Key, Reader, Value};
use crate::config::error::ConfigError;
use crate::config::model::{DatabaseSource, KeySource, Located};
use crate::config::serve::database_url as database;
use crate::domain::text::clean;

/// Returns a whole number in any notation, if the type can hold it.
pub(super) fn integer<T: TryFrom<i128>>(value: &Value<'_>) -> Option<T> {
    let number = value.get_ref().as_integer()?;
    i128::from_str_radix(number.as_str(), number.radix()).ok()?.try_into().ok()
}

impl Reader<'_> {
    pub(super) fn limit(&self, key: &Key<'_>, value: &Value<'_>) -> Result<u32, ConfigError> {
        integer(value).ok_or_else(|| self.not(key, value, "a whole number of at least 0", "600; 0 means no limit"))
    }

    /// Parses days, at most a hundred years.
    pub(super) fn keep_days(&self, key: &Key<'_>, value: &Value<'_>) -> Result<u32, ConfigError> {
        let wrong = || self.not(key, value, "a whole number of days from 0 to 36500", "730; 0 keeps all events");
        integer(value).filter(|days: &u32| *days <= 36_500).ok_or_else(wrong)
    }

    /// Parses host names, addresses and ranges. Names are returned as they are in URLs, in lower case and ASCII.
    pub(super) fn audit_allow(&self, value: &Value<'_>) -> Result<Vec<Located<String>>, ConfigError> {
        let example = "Write it like audit_allow = [\"intranet.example\", \"10.0.0.0/8\"]";
        let entries = self.texts(value).map_err(|span| {
            let message = "audit_allow is not a list of strings".to_owned();
            self.wrong(&span, message, example)
        })?;
        let checked = |Located { value, line }: Located<String>| {
            let text = value.trim();
            if text.parse::<IpNet>().is_ok() || text.parse::<IpAddr>().is_ok() {
                return Ok(Located { value: text.to_owned(), line });
            }
            match Host::parse(text) {
                Ok(host) if !text.contains('*') => Ok(Located { value: host.to_string(), line }),
                Ok(_) | Err(_) => {
                    let wrong = format!("audit_allow: {} is neither a host name nor a range of addresses", clean(text));
                    Err(ConfigError::new(wrong, example).at(self.file.place(line)))
                }
            }
        };
        entries.into_iter().map(checked).collect()
    }

    /// Parses an http or https address without a query, since paths are appended to it.
    pub(super) fn public_url(&self, key: &Key<'_>, value: &Value<'_>) -> Result<Url, ConfigError> {
        let url = value.get_ref().as_str().and_then(|text| text.parse::<Url>().ok());
        let is_base = |url: &Url| {
            let has_no_user = url.username().is_empty() && url.password().is_none();
            matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none() && has_no_user
        };
        url.filter(is_base).ok_or_else(|| {
            self.not(key, value, "the http or https address of a service", "\"https://reports.example.com\"")
        })
    }

    /// Parses addresses and ranges of addresses.
    pub(super) fn trusted_proxies(&self, value: &Value<'_>) -> Result<Vec<IpNet>, ConfigError> {
        let wrong = |span: std::ops::Range<usize>| {
            let message = "trusted_proxies is not a list of addresses and ranges".to_owned();
            self.wrong(&span, message, "Write it like trusted_proxies = [\"127.0.0.1\", \"10.0.0.0/8\"]")
        };
        let texts = self.texts(value).map_err(wrong)?;
        let net = |text: &str| text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
        texts.iter().map(|text| net(&text.value).ok_or_else(|| wrong(value.span()))).collect()
    }

    /// Parses a program and its arguments.
    pub(super) fn command(
        &self,
        key: &Key<'_>,
        value: &Value<'_>,
        example: &str,
    ) -> Result<Located<Vec<String>>, ConfigError> {
        let words = self.texts(value).ok().filter(|words| words.first().is_some_and(|word| !word.value.is_empty()));
        let words = words.ok_or_else(|| self.not(key, value, "a list of strings", example))?;
        let words = words.into_iter().map(|word| word.value).collect();
        Ok(Located { value: words, line: self.line(&key.span()) })
    }

    /// Parses an address with its port.
    pub(super) fn listen(&self, key: &Key<'_>, value: &Value<'_>) -> Result<SocketAddr, ConfigError> {
        value
            .get_ref()
            .as_str()
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| self.not(key, value, "an address with a port", "\"127.0.0.1:8750\" or \"[::1]:8750\""))
    }

    /// Parses a database URL. It may contain a password, so no message repeats it.
    pub(super) fn database(&self, key: &Key<'_>, value: &Value<'_>) -> Result<Located<DatabaseSource>, ConfigError> {
        let wrong = || self.not(key, value, "a postgres URL", &format!("\"{}\"", database::EXAMPLE));
        let url = value.get_ref().as_str().filter(|text| database::is_postgres_url(text)).ok_or_else(wrong)?;
        Ok(Located { value: DatabaseSource::Url(SecretString::from(url)), line: self.line(&key.span()) })
    }

    /// Parses a list of texts with their lines. The error is the span of the invalid part.
    pub(super) fn texts(&self, value: &Value<'_>) -> Result<Vec<Located<String>>, std::ops::Range<usize>> {
        let entries = value.get_ref().as_array().ok_or_else(|| value.span())?;
        let one = |entry: &Value<'_>| {
            let text = entry.get_ref().as_str().ok_or_else(|| entry.span())?;
            Ok(Located { value: text.to_owned(), line: self.line(&entry.span()) })
        };
        entries.iter().map(one).collect()
    }

    pub(super) fn key_source(
        &self,
        key: &Key<'_>,
        value: &Value<'_>,
        kind: fn(String) -> KeySource,
    ) -> Result<Located<KeySource>, ConfigError> {
        let Located { value, line } = self.text_of(key, value)?;
        Ok(Located { value: kind(value), line })
    }

    pub(super) fn text_of(&self, key: &Key<'_>, value: &Value<'_>) -> Result<Located<String>, ConfigError> {
        let text = value.get_ref().as_str().filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| self.not(key, value, "a string", "\"…\""))?;
        Ok(Located { value: text.to_owned(), line: self.line(&value.span()) })
    }

    pub(super) fn switch(&self, key: &Key<'_>, value: &Value<'_>) -> Result<bool, ConfigError> {
        value.get_ref().as_bool().ok_or_else(|| self.not(key, value, "true or false", "true"))
    }

    pub(super) fn table_of<'v, 'i>(&self, key: &Key<'_>, value: &'v Value<'i>) -> Result<&'v DeTable<'i>, ConfigError> {
        value.get_ref().as_table().ok_or_else(|| self.not(key, value, "a table", "{ … }"))
    }

    fn not(&self, key: &Key<'_>, value: &Value<'_>, wanted: &str, example: &str) -> ConfigError {
        let name = clean(key.get_ref());
        self.wrong(&value.span(), format!("{name} is not {wanted}"), &format!("Write it like {name} = {example}"))
    }
}
