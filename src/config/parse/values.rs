//! Values that must have the right type; others are errors with their line.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use secrecy::SecretString;
use toml::de::DeTable;
use url::{Host, Url};

use super::{Key, Reader, Value};
use crate::config::error::ConfigError;
use crate::config::model::{DatabaseSource, Located};
use crate::config::store::{DATABASE_EXAMPLE, is_postgres_url};
use crate::domain::text::clean;

/// Returns a whole number in any notation, if the type can hold it.
pub(super) fn integer<T: TryFrom<i128>>(value: &Value<'_>) -> Option<T> {
    let number = value.get_ref().as_integer()?;
    i128::from_str_radix(number.as_str(), number.radix()).ok()?.try_into().ok()
}

impl Reader<'_> {
    pub(super) fn limit(&self, key: &Key<'_>, value: &Value<'_>) -> Result<u32, ConfigError> {
        let wanted = format!("a whole number from 0 to {}", u32::MAX);
        integer(value).ok_or_else(|| self.not(key, value, &wanted, "600; 0 means no limit"))
    }

    /// Parses days, at most a hundred years.
    pub(super) fn keep_days(&self, key: &Key<'_>, value: &Value<'_>) -> Result<u32, ConfigError> {
        let wrong = || self.not(key, value, "a whole number of days from 0 to 36500", "730; 0 keeps all events");
        integer(value).filter(|days: &u32| *days <= 36_500).ok_or_else(wrong)
    }

    /// Parses host names, addresses and ranges. Names are returned as they are in URLs, in lower case and ASCII.
    pub(super) fn audit_allow(&mut self, value: &Value<'_>) -> Result<Vec<Located<String>>, ConfigError> {
        let allowed = |text: &str| {
            if net(text).is_some() {
                return Some(text.to_owned());
            }
            Host::parse(text).ok().filter(|_| !text.contains('*')).map(|host| host.to_string())
        };
        self.entries("audit_allow", value, ("a host name", "\"intranet.example\""), allowed)
    }

    /// Parses addresses and ranges of addresses.
    pub(super) fn trusted_proxies(&mut self, value: &Value<'_>) -> Result<Vec<IpNet>, ConfigError> {
        let nets = self.entries("trusted_proxies", value, ("an address", "\"127.0.0.1\""), net)?;
        Ok(nets.into_iter().map(|net| net.value).collect())
    }

    /// Parses a list whose entries are of this kind, or ranges of addresses. Each wrong entry is an error of its own.
    fn entries<T>(
        &mut self,
        name: &str,
        value: &Value<'_>,
        (kind, example): (&str, &str),
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<Located<T>>, ConfigError> {
        let advice = format!("Write it like {name} = [{example}, \"10.0.0.0/8\"]");
        let no_string =
            |value: &Value<'_>| self.wrong(&value.span(), format!("{name} is not a list of strings"), &advice);
        let entry = |entry: &Value<'_>| {
            let text = entry.get_ref().as_str().ok_or_else(|| no_string(entry))?;
            let parsed = parse(text.trim()).ok_or_else(|| {
                let wrong = format!("{name}: {} is neither {kind} nor a range of addresses", clean(text));
                self.wrong(&entry.span(), wrong, &advice)
            })?;
            Ok(Located { value: parsed, line: self.line(&entry.span()) })
        };
        let list = value.get_ref().as_array().ok_or_else(|| no_string(value))?;
        let (parsed, wrong): (Vec<_>, Vec<_>) = list.iter().map(entry).partition(Result::is_ok);
        self.examined.errors.extend(wrong.into_iter().filter_map(Result::err));
        Ok(parsed.into_iter().filter_map(Result::ok).collect())
    }

    /// Parses an http or https address without a query, since paths are appended to it.
    pub(super) fn public_url(&self, key: &Key<'_>, value: &Value<'_>) -> Result<Url, ConfigError> {
        let url = value.get_ref().as_str().and_then(|text| text.parse::<Url>().ok());
        let is_base = |url: &Url| {
            let has_no_user = url.username().is_empty() && url.password().is_none();
            matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none() && has_no_user
        };
        url.filter(is_base).ok_or_else(|| {
            let wanted = "the http or https address of a service without user and query";
            self.not(key, value, wanted, "\"https://reports.example.com\"")
        })
    }

    /// Parses a program and its arguments.
    pub(super) fn command(
        &self,
        key: &Key<'_>,
        value: &Value<'_>,
        example: &str,
    ) -> Result<Located<Vec<String>>, ConfigError> {
        let words = self.texts(value).ok_or_else(|| self.not(key, value, "a list of strings", example))?;
        if words.first().is_none_or(|program| program.value.is_empty()) {
            let name = key.get_ref();
            return Err(self.wrong(&value.span(), format!("{name} names no program"), &like(name, example)));
        }
        let words = words.into_iter().map(|word| word.value).collect();
        Ok(Located { value: words, line: self.line(&key.span()) })
    }

    /// Parses an address with its port.
    pub(super) fn listen(&self, key: &Key<'_>, value: &Value<'_>) -> Result<SocketAddr, ConfigError> {
        let example = "\"127.0.0.1:8750\" or \"[::1]:8750\"";
        let address = value.get_ref().as_str().and_then(|text| text.parse().ok());
        address.ok_or_else(|| self.not(key, value, "an address with a port up to 65535", example))
    }

    /// Parses a database URL. It may contain a password, so no message repeats it.
    pub(super) fn database(&self, key: &Key<'_>, value: &Value<'_>) -> Result<Located<DatabaseSource>, ConfigError> {
        let wrong = || self.not(key, value, "a postgres URL", &format!("\"{DATABASE_EXAMPLE}\""));
        let url = value.get_ref().as_str().filter(|text| is_postgres_url(text)).ok_or_else(wrong)?;
        Ok(Located { value: DatabaseSource::Url(SecretString::from(url)), line: self.line(&key.span()) })
    }

    /// Parses a list of texts with their lines.
    pub(super) fn texts(&self, value: &Value<'_>) -> Option<Vec<Located<String>>> {
        let one = |entry: &Value<'_>| {
            Some(Located { value: entry.get_ref().as_str()?.to_owned(), line: self.line(&entry.span()) })
        };
        value.get_ref().as_array()?.iter().map(one).collect()
    }

    pub(super) fn text_of(&self, key: &Key<'_>, value: &Value<'_>) -> Result<Located<String>, ConfigError> {
        let text = value.get_ref().as_str().ok_or_else(|| self.not(key, value, "a string", "\"…\""))?;
        if text.trim().is_empty() {
            let message = format!("{} is empty", key.get_ref());
            return Err(self.wrong(&value.span(), message, "Give it a value, or remove the line"));
        }
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
        self.wrong(&value.span(), format!("{name} is not {wanted}"), &like(&name, example))
    }
}

fn like(name: &str, example: &str) -> String {
    format!("Write it like {name} = {example}")
}

/// Parses an address, or a range of addresses.
fn net(text: &str) -> Option<IpNet> {
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::examine;
    use crate::config::model::ExaminedFile;

    fn read(text: &str) -> ExaminedFile {
        examine(Path::new("config.toml"), text)
    }

    #[test]
    fn whole_numbers_are_read_in_every_notation() {
        for (number, expected) in [("0x64", 100), ("0o144", 100), ("0b1100100", 100), ("1_00", 100), ("+100", 100)] {
            let text = format!(
                "[serve]\nrequests_per_minute = {number}\ndesk_keep_days = {number}\n[triage]\nuntested_days = {number}\nclaim_hours = {number}\nrefresh_minutes = {number}"
            );
            let file = read(&text).file;
            assert_eq!((file.requests_per_minute, file.desk_keep_days), (Some(expected), Some(expected)), "{number}");
            let triage = file.triage;
            for read in [triage.untested_days, triage.claim_hours, triage.refresh_minutes] {
                assert_eq!(u32::from(read), expected, "{number}");
            }
            assert!(file.warnings.is_empty(), "{:?}", file.warnings);
        }
        for number in ["-1", "0x1_0000_0000", "0x10000000000000000", "1.5"] {
            assert!(!read(&format!("[serve]\nrequests_per_minute = {number}")).errors.is_empty(), "{number}");
            assert_eq!(read(&format!("[triage]\nuntested_days = {number}")).file.warnings.len(), 1, "{number}");
        }
    }

    #[test]
    fn whole_numbers_are_read_up_to_their_bounds() {
        let warnings = |option: &str, number: i32| {
            let file = read(&format!("[triage]\n{option} = {number}")).file;
            let read = [file.triage.claim_hours, file.triage.refresh_minutes, file.triage.untested_days];
            assert_eq!(read.map(i32::from).contains(&number), file.warnings.is_empty(), "{option} = {number}");
            file.warnings.len()
        };
        for (option, least, most) in [("claim_hours", 1, 672), ("refresh_minutes", 0, 1440), ("untested_days", 1, 3650)]
        {
            assert_eq!((warnings(option, least), warnings(option, most)), (0, 0), "{option}");
            assert_eq!((warnings(option, least - 1), warnings(option, most + 1)), (1, 1), "{option}");
        }
        for (days, expected) in [("0", Some(0)), ("36500", Some(36_500)), ("36501", None)] {
            assert_eq!(read(&format!("[serve]\ndesk_keep_days = {days}")).file.desk_keep_days, expected, "{days}");
        }
    }

    #[test]
    fn a_public_url_has_no_user_no_query_and_no_fragment() {
        for (url, is_read) in [
            ("https://reports.example.com/seo/", true),
            ("http://127.0.0.1:8750", true),
            ("https://anna@reports.example.com", false),
            ("https://:secret@reports.example.com", false),
            ("https://reports.example.com/?a=1", false),
            ("https://reports.example.com/#a", false),
            ("ftp://reports.example.com", false),
        ] {
            assert_eq!(read(&format!("[serve]\npublic_url = \"{url}\"")).errors.is_empty(), is_read, "{url}");
        }
    }

    #[test]
    fn a_profile_with_a_wrong_option_is_broken_and_the_others_are_not() {
        let read = read("[profiles.a]\nread_only = 1\n[profiles.b]\npresence = false\n[profiles.c]\npresence = true");
        assert_eq!(
            (read.errors.len(), read.broken_profiles.into_iter().collect::<Vec<_>>()),
            (1, vec!["a".to_owned()])
        );
        assert!(read.file.profiles["b"].hides_presence && !read.file.profiles["c"].hides_presence);
    }
}
