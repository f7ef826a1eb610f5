//! JSON forms of times, triage states and results, for `serde(with)` and `serde(serialize_with)`.

use jiff::Timestamp;
use serde::{Serialize as _, Serializer};

use crate::domain::export::time_text;

/// Writes a time, or null, with milliseconds: times have equal length and sort as text.
pub fn time<S: Serializer>(at: &(impl Copy + Into<Option<Timestamp>>), serializer: S) -> Result<S::Ok, S::Error> {
    (*at).into().map(time_text).serialize(serializer)
}

/// Returns the message of an error without names of our types, which say nothing to people and other programs.
pub fn error_text(error: &serde_json::Error) -> String {
    let text = error.to_string().replace("expected u8", "expected a whole number from 0 to 255");
    let text = text.replace("expected i64", "expected a whole number");
    match text.split_once(", expected struct ") {
        Some((found, _)) => found.to_owned(),
        None => text,
    }
}

/// A state as two fields: `state`, and for a snooze `until`.
pub mod state {
    use jiff::Timestamp;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::domain::triage::State;

    #[derive(Serialize, Deserialize)]
    struct StateFields {
        state: String,
        #[serde(default, serialize_with = "super::time")]
        until: Option<Timestamp>,
    }

    /// Writes both fields, `until` as null where the state has none.
    pub fn serialize<S: Serializer>(state: &State, serializer: S) -> Result<S::Ok, S::Error> {
        StateFields { state: state.kind().name().to_owned(), until: state.until() }.serialize(serializer)
    }

    /// Fails on an unknown state, and on a snooze without its end.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        let StateFields { state, until } = StateFields::deserialize(deserializer)?;
        let kind = state.parse().map_err(|_| D::Error::custom("the state is unknown"))?;
        State::of(kind, until).ok_or_else(|| D::Error::custom("a snoozed state needs `until`"))
    }
}

/// A report's result at one audit.
pub mod baseline {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::domain::report::failed_checks::CheckId;
    use crate::domain::report::outcome::Outcome;
    use crate::domain::report::report_state::ReportState;

    // Errors about it are shown to clients, who do not know this type.
    #[derive(Serialize, Deserialize)]
    #[serde(expecting = "an object")]
    struct BaselineFields {
        result: Option<String>,
        score: Option<u8>,
        failing: Option<Vec<String>>,
        #[serde(serialize_with = "super::time")]
        generated_at: Option<Timestamp>,
    }

    /// Writes unknown values as null.
    pub fn serialize<S: Serializer>(baseline: &ReportState, serializer: S) -> Result<S::Ok, S::Error> {
        let result = baseline.outcome.sent().map(str::to_owned);
        let ids = |ids: &[CheckId]| ids.iter().map(ToString::to_string).collect();
        let (score, generated_at) = (baseline.score, baseline.generated_at);
        BaselineFields { result, score, failing: baseline.failing.as_deref().map(ids), generated_at }
            .serialize(serializer)
    }

    /// Reads missing fields as unknown.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ReportState, D::Error> {
        let BaselineFields { result, score, failing, generated_at } = BaselineFields::deserialize(deserializer)?;
        Ok(ReportState {
            outcome: Outcome::from_name(result.as_deref().unwrap_or_default()),
            score,
            failing: failing.map(|ids| ids.into_iter().map(CheckId::from).collect()),
            generated_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::error_text;
    use crate::domain::desk::DeskNote;

    #[test]
    fn an_error_names_no_type_of_ours() {
        for (json, expected) in [
            ("\"a\"", "invalid type: string \"a\""),
            ("{\"id\": \"a\"}", "invalid type: string \"a\", expected a whole number at line 1 column 10"),
            ("{\"report\": 1.5}", "invalid type: floating point `1.5`, expected a string at line 1 column 14"),
            ("{}", "missing field `id` at line 1 column 2"),
        ] {
            let error = serde_json::from_str::<DeskNote>(json).unwrap_err();
            assert_eq!(error_text(&error), expected, "{json}");
        }
    }
}
