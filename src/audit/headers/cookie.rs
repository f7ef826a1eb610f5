//! Parses `Set-Cookie` headers (RFC 6265bis).

use std::time::SystemTime;

/// A cookie from one header; of a repeated attribute the last counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::audit) struct Cookie {
    pub(in crate::audit) name: String,
    pub(in crate::audit) secure: bool,
    pub(in crate::audit) http_only: bool,
    /// In lower case.
    pub(in crate::audit) same_site: Option<String>,
    partitioned: bool,
    path: Option<String>,
    domain: Option<String>,
    max_age: Option<i64>,
    expires: Option<String>,
}

/// Words in names of session cookies.
const SESSION_WORDS: [&str; 10] =
    ["sid", "ssid", "sess", "session", "auth", "token", "login", "jwt", "authentication", "authorization"];
/// Suffixes of names without word boundaries, as in `JSESSIONID`, `connectsid` and `authtoken`.
const SESSION_ENDS: [&str; 6] = ["sid", "sessid", "sessionid", "session", "token", "jwt"];
/// Parts of words that occur in no other word, as in `ASPSESSIONIDQABCD`.
const SESSION_PARTS: [&str; 2] = ["sessid", "sessionid"];

impl Cookie {
    /// Parses one header.
    pub(in crate::audit) fn parse(header: &str) -> Self {
        let mut parts = header.split(';').map(str::trim);
        let pair = parts.next().unwrap_or_default();
        let name = pair.split('=').next().unwrap_or_default().trim().to_owned();
        let mut cookie = Self { name, ..Self::default() };
        for attribute in parts {
            let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "secure" => cookie.secure = true,
                "httponly" => cookie.http_only = true,
                "partitioned" => cookie.partitioned = true,
                "samesite" => cookie.same_site = Some(value.to_ascii_lowercase()),
                "path" => cookie.path = Some(value.to_owned()),
                "domain" => cookie.domain = Some(value.to_owned()),
                // An invalid value is ignored.
                "max-age" => cookie.max_age = value.parse().ok().or(cookie.max_age),
                "expires" => cookie.expires = Some(value.to_owned()),
                _ => {}
            }
        }
        cookie
    }

    /// Whether the header deletes the cookie: by its age, or by a past date. The age takes precedence (RFC 6265, 5.3).
    pub(in crate::audit) fn is_deleted(&self) -> bool {
        self.max_age.map_or_else(|| self.expires.as_deref().is_some_and(is_past), |age| age <= 0)
    }

    /// Returns why browsers reject the cookie, for the prefix of its name (RFC 6265bis, 4.1.3), its `SameSite` or
    /// `Partitioned`, as ends of sentences.
    pub(in crate::audit) fn rejections(&self) -> Vec<&'static str> {
        let starts_with = |prefix: &str| {
            let start = self.name.get(..prefix.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        let (is_host, is_secure) = (starts_with("__Host-"), starts_with("__Secure-"));
        let mut errors = Vec::new();
        if (is_host || is_secure) && !self.secure {
            errors.push("needs Secure for the prefix of its name");
        }
        if self.same_site.as_deref() == Some("none") && !self.secure {
            errors.push("needs Secure for SameSite=None");
        }
        if self.partitioned && !self.secure {
            errors.push("needs Secure for Partitioned");
        }
        if is_host && self.path.as_deref() != Some("/") {
            errors.push("needs Path=/ for the prefix __Host-");
        }
        if is_host && self.domain.as_deref().is_some_and(|domain| !domain.is_empty()) {
            errors.push("must not have a Domain with the prefix __Host-");
        }
        errors
    }

    /// Whether the name belongs to a session or login cookie. Only whole words count: `sid` is one, "consideration"
    /// contains none.
    pub(in crate::audit) fn is_session_like(&self) -> bool {
        let words = words(&self.name);
        // A token against forged requests is no session, and scripts of the page have to read it.
        let is_against_forgery = words.iter().any(|word| word.contains("csrf") || word.contains("xsrf"));
        !is_against_forgery
            && words.iter().any(|word| {
                SESSION_WORDS.contains(&word.as_str())
                    || SESSION_ENDS.iter().any(|end| word.ends_with(end))
                    || SESSION_PARTS.iter().any(|part| word.contains(part))
            })
    }
}

/// Whether a date is past. That of 1970 is one in any format.
fn is_past(date: &str) -> bool {
    // Many servers write dashes between day, month and year.
    let parsed = httpdate::parse_http_date(&date.replace('-', " "));
    date.contains("1970") || parsed.is_ok_and(|date| date < SystemTime::now())
}

/// Splits a name into words in lower case: at signs, digits, and where a capital follows a small letter.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        let ends = !character.is_alphabetic() || (was_lower && character.is_uppercase());
        was_lower = character.is_lowercase();
        if ends {
            words.push(String::new());
        }
        if let (true, Some(word)) = (character.is_alphabetic(), words.last_mut()) {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_in_any_case_and_the_last_one_applies() {
        let cookie = Cookie::parse("a = 1 ; SECURE; httponly ;SameSite = Lax; samesite=None; Path=/x");
        assert!(cookie.secure && cookie.http_only && cookie.name == "a");
        assert_eq!((cookie.same_site.as_deref(), cookie.path.as_deref()), (Some("none"), Some("/x")));
        assert!(!Cookie::parse("a=Secure").secure);
    }

    #[test]
    fn prefixes_require_their_attributes() {
        let errors = |header: &str| Cookie::parse(header).rejections().len();
        for (header, expected) in [
            ("__Host-a=1; Secure; Path=/", 0),
            ("__Host-a=1; Secure; Path=/; Domain=", 0),
            ("__host-a=1; Secure; Path=/; Domain=shop.example", 1),
            ("__Host-a=1; Secure; Path=/x", 1),
            ("__Host-a=1; Secure", 1),
            ("__Host-a=1", 2),
            ("__Secure-a=1; Secure; Domain=shop.example", 0),
            ("__SECURE-a=1", 1),
            ("Host-a=1", 0),
            ("__Hö=1", 0),
        ] {
            assert_eq!(errors(header), expected, "{header}");
        }
    }

    #[test]
    fn session_cookies_are_recognized_by_whole_words() {
        let is = |name: &str| Cookie::parse(&format!("{name}=1")).is_session_like();
        for name in [
            "sid",
            "connect.sid",
            "PHPSESSID",
            "JSESSIONID",
            "ASP.NET_SessionId",
            "ASPSESSIONIDQABCD",
            "__Host-session",
            "laravel_session",
            "auth_token",
            "authToken",
            "access-token",
            "jwt",
            "SSID",
            "user_login",
            "sessionid2",
        ] {
            assert!(is(name), "{name}");
        }
        for name in ["consideration", "side", "inside_view", "author", "tokenizer", "theme", "_ga", "assess"] {
            assert!(!is(name), "{name}");
        }
    }
}
