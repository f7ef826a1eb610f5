//! Why the page of a report could not be fetched, and who has to act. Such a report says nothing about the page itself.

use serde_json::Value;

use crate::domain::report::check::{Check, CheckOutcome};

/// The class of a fetch failure, as used on the wire, in filters and in the table.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case", ascii_case_insensitive)]
pub enum FetchFailure {
    /// The host name has no address.
    Dns,
    /// The TLS handshake failed.
    Tls,
    /// No connection to the host's address.
    Refused,
    /// Some part of the request timed out.
    Timeout,
    /// Status 400 to 499.
    #[strum(serialize = "4xx")]
    ClientError,
    /// Status 500 to 599.
    #[strum(serialize = "5xx")]
    ServerError,
    /// Too many redirects, or a response that is not HTTP.
    Other,
}

/// The check of the built-in audit that reveals the class.
pub const STATUS_CHECK: &str = "http_status";

impl FetchFailure {
    /// The name: `dns`, `tls`, `refused`, `timeout`, `4xx`, `5xx` or `other`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The class of an HTTP status, if it is an error.
    pub fn of_status(status: u64) -> Option<Self> {
        match status {
            400..500 => Some(Self::ClientError),
            500..600 => Some(Self::ServerError),
            _ => None,
        }
    }

    /// The class according to the status check: by the status it found, or by the fetch error as the built-in audit
    /// writes it (`{"trouble": "name"}`).
    pub fn of_check(check: &Check) -> Option<Self> {
        if check.outcome != CheckOutcome::Failed || check.id.raw() != STATUS_CHECK {
            return None;
        }
        match &check.value {
            Value::Object(fields) => fields.get("trouble")?.as_str().map(Self::of_error),
            Value::Number(status) => Self::of_status(status.as_u64()?),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) => None,
        }
    }

    /// The class according to the checks of a report.
    pub fn of_checks(checks: &[Check]) -> Option<Self> {
        checks.iter().find_map(Self::of_check)
    }

    /// The class of a fetch error by its name (see `audit::fetch::fetch_error`).
    fn of_error(word: &str) -> Self {
        match word {
            "name" => Self::Dns,
            "tls" => Self::Tls,
            "connect" => Self::Refused,
            "too_slow" => Self::Timeout,
            _ => Self::Other,
        }
    }

    /// Completes a sentence about the page: `could not be fetched: no such host`.
    pub fn sentence(self) -> String {
        format!("could not be fetched: {}", self.reason())
    }

    /// The reason, in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Dns => "no such host",
            Self::Tls => "TLS handshake failed",
            Self::Refused => "no connection to the host",
            Self::Timeout => "no response in time",
            Self::ClientError => "status 4xx, missing or not allowed",
            Self::ServerError => "status 5xx, a server error",
            Self::Other => "no usable response",
        }
    }

    /// Where the problem has to be solved first: at the site's host, or in the address, which its owner has chosen.
    pub fn responsible(self) -> &'static str {
        match self {
            Self::Dns | Self::ClientError => "the address",
            Self::Tls | Self::Refused | Self::Timeout | Self::ServerError | Self::Other => "the site's host",
        }
    }

    /// What to do, addressed to the person who has to act.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Dns => "Correct the address. If it is right, the domain's owner must restore its DNS entry.",
            Self::Tls => "The site's host must fix the certificate or the TLS settings.",
            Self::Refused => "The site's host must start the web server, or open its port.",
            Self::Timeout => "The site's host must find out why the server is slow. Re-run to see whether it still is.",
            Self::ClientError => {
                "Correct or delete the address. If the page should exist, or is blocked, the site's host must act."
            }
            Self::ServerError => "The site's host must check the server's error log.",
            Self::Other => "The site's host must fix the server's redirects or responses.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use strum::IntoEnumIterator as _;

    fn check(id: &str, outcome: CheckOutcome, value: Value) -> Check {
        Check { id: id.into(), category: None, importance: None, outcome, value, errors: Vec::new() }
    }

    #[test]
    fn every_word_is_read_back() {
        for class in FetchFailure::iter() {
            assert_eq!(class.name().to_uppercase().parse(), Ok(class));
        }
        assert!("connect".parse::<FetchFailure>().is_err());
    }

    #[test]
    fn the_check_of_the_status_tells_the_class() {
        let table = [
            (json!({ "trouble": "name" }), Some(FetchFailure::Dns)),
            (json!({ "trouble": "tls" }), Some(FetchFailure::Tls)),
            (json!({ "trouble": "connect" }), Some(FetchFailure::Refused)),
            (json!({ "trouble": "too_slow" }), Some(FetchFailure::Timeout)),
            // A redirect to an address that may not be audited: no refused connection.
            (json!({ "trouble": "refused" }), Some(FetchFailure::Other)),
            (json!({ "trouble": "circle" }), Some(FetchFailure::Other)),
            (json!(404), Some(FetchFailure::ClientError)),
            (json!(503), Some(FetchFailure::ServerError)),
            // Without content, or a redirect that leads nowhere.
            (json!(204), None),
            (json!(304), None),
            (json!("404"), None),
            (json!({}), None),
        ];
        for (value, expected) in table {
            let found = |id, outcome| FetchFailure::of_checks(&[check(id, outcome, value.clone())]);
            assert_eq!(found("http_status", CheckOutcome::Failed), expected, "{value}");
            assert_eq!(found("http_status", CheckOutcome::Passed), None, "{value}");
            assert_eq!(found("404_page", CheckOutcome::Failed), None, "{value}");
        }
    }
}
