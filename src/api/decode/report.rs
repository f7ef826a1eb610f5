//! Decodes a report, as a row of a list or with all details.

use serde_json::{Map, Value};

use super::checks::checks;
use super::field::{self, FieldValue};
use crate::domain::list::interner::Interner;
use crate::domain::report::check::CheckOutcome;
use crate::domain::report::failed_checks::{CheckId, FailedChecks};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::ReportState;
use crate::domain::report::{Details, Report, ReportId};
use crate::domain::text::{Text, clean};

/// Fields that [`Report`] has; all others, and undecodable times and privacy settings, are kept as `extra`.
const KNOWN: [&str; 10] =
    ["id", "url", "project", "result", "score", "generated_at", "privacy", "password", "results", "failed"];
/// Known only if it contains earlier results; otherwise kept as `extra`.
const HISTORY: &str = "history";
/// Known only if it contains a known class or null; otherwise kept as `extra`.
const FETCH_ERROR: &str = "fetch_error";

/// The most ids of failed checks per row.
pub(super) const MOST_CHECKS: usize = 1_000;

/// How much of a report is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowDetail {
    /// Only the data of a table row, so that 100,000 rows stay small.
    Row,
    /// Also checks and unknown fields.
    Everything,
}

/// Decodes a report; `None` if it has neither an id nor a URL.
pub fn report(fields: &Map<String, Value>, detail: RowDetail, shared: &mut Interner) -> Option<Report> {
    let details = details(fields, detail, shared);
    let failed = match (detail, fields.get("failed"), fields.get("results")) {
        (RowDetail::Row, None, Some(results)) => failing_of(results, shared),
        (RowDetail::Row | RowDetail::Everything, failed, _) => failed_ids(failed, shared),
    };
    let field = |key: &str| fields.get(key).map(FieldValue::from);
    let fields = ReportFields {
        id: field("id"),
        url: field("url"),
        project: field("project"),
        result: field("result"),
        score: field("score"),
        generated_at: field("generated_at"),
        privacy: field("privacy"),
        password: field("password"),
        fetch_error: field(FETCH_ERROR),
        failure_by_checks: fields.get("results").and_then(failure_by_checks),
    };
    fields.report(failed, details, shared)
}

/// The raw fields of a row; `None` if missing.
#[derive(Debug, Default)]
pub(super) struct ReportFields<'a> {
    pub(super) id: Option<FieldValue<'a>>,
    pub(super) url: Option<FieldValue<'a>>,
    pub(super) project: Option<FieldValue<'a>>,
    pub(super) result: Option<FieldValue<'a>>,
    pub(super) score: Option<FieldValue<'a>>,
    pub(super) generated_at: Option<FieldValue<'a>>,
    pub(super) privacy: Option<FieldValue<'a>>,
    pub(super) password: Option<FieldValue<'a>>,
    pub(super) fetch_error: Option<FieldValue<'a>>,
    /// The fetch failure according to the checks, if they were sent.
    pub(super) failure_by_checks: Option<FetchFailure>,
}

impl ReportFields<'_> {
    /// Builds the report; `None` if it has neither an id nor a URL.
    pub(super) fn report(
        &self,
        failed: FailedChecks,
        details: Option<Box<Details>>,
        shared: &mut Interner,
    ) -> Option<Report> {
        let url = self.url.as_ref().and_then(field::word).map(Text::of_url).filter(|url| !url.is_empty());
        // Without ids, URLs identify reports. An id that is sent but invalid makes the row unreadable.
        let id = match &self.id {
            Some(id) => ReportId::new(&field::id(id)?),
            None => ReportId::new(url.as_ref()?.raw()),
        };
        let (outcome, score_of_result) = self.result.as_ref().map_or((Outcome::Missing, None), field::outcome);
        let score = self.score.as_ref().and_then(field::number).and_then(field::score).or(score_of_result);
        Some(Report {
            id,
            url: url.unwrap_or_default(),
            project: shared.project(&self.project.as_ref().and_then(field::text).unwrap_or_default()),
            outcome,
            score,
            fetch_failure: self.fetch_error.as_ref().and_then(field::fetch_failure).or(self.failure_by_checks),
            generated_at: self.generated_at.as_ref().and_then(field::time),
            privacy: self.privacy.as_ref().and_then(field::privacy),
            has_password: self.password.as_ref().and_then(field::has_password),
            failed,
            details,
        })
    }
}

/// Returns the failed checks of a row whose service sends full checks in lists.
pub(super) fn failing_of(results: &Value, shared: &mut Interner) -> FailedChecks {
    let Some(checks) = checks(results) else { return FailedChecks::default() };
    let failed = checks.iter().filter(|check| check.outcome == CheckOutcome::Failed).take(MOST_CHECKS);
    let ids: Vec<CheckId> = failed.map(|failed| shared.check(failed.id.shown())).collect();
    shared.set(&ids)
}

/// Returns the fetch failure according to a report's checks.
pub(super) fn failure_by_checks(results: &Value) -> Option<FetchFailure> {
    FetchFailure::of_checks(&checks(results)?)
}

fn failed_ids(failed: Option<&Value>, shared: &mut Interner) -> FailedChecks {
    let Some(ids) = failed.and_then(Value::as_array) else { return FailedChecks::default() };
    let ids: Vec<CheckId> = ids.iter().filter_map(|id| check(id, shared)).take(MOST_CHECKS).collect();
    shared.set(&ids)
}

/// Decodes and sanitises the id of a check.
pub(super) fn check<'a>(id: impl Into<FieldValue<'a>>, shared: &mut Interner) -> Option<CheckId> {
    field::word(id).map(|id| shared.check(&clean(&id)))
}

fn details(fields: &Map<String, Value>, detail: RowDetail, shared: &mut Interner) -> Option<Box<Details>> {
    if detail == RowDetail::Row {
        return None;
    }
    let history = fields.get(HISTORY).and_then(|value| history(value, shared));
    let fetch_error = fields.get(FETCH_ERROR);
    let is_class = fetch_error.is_some_and(|value| value.is_null() || field::fetch_failure(value).is_some());
    let is_known =
        |key: &str| KNOWN.contains(&key) || (key == HISTORY && history.is_some()) || (key == FETCH_ERROR && is_class);
    let unknown = |(key, value): &(&String, &Value)| !is_known(key) || is_undecodable(key, value);
    let extra = fields.iter().filter(unknown).map(|(key, value)| (key.clone(), value.clone())).collect();
    let checks = fields.get("results").and_then(checks);
    Some(Box::new(Details { checks, history: history.unwrap_or_default(), extra }))
}

/// Whether a known field has a value that cannot be decoded: it is kept like an unknown one.
fn is_undecodable(key: &str, value: &Value) -> bool {
    let is_decoded = match key {
        "generated_at" => field::time(value).is_some(),
        "privacy" => field::privacy(value).is_some(),
        _ => true,
    };
    !is_decoded && !value.is_null()
}

/// Decodes earlier results; `None` if the value contains anything else.
pub fn history(value: &Value, shared: &mut Interner) -> Option<Vec<ReportState>> {
    value.as_array()?.iter().map(|former| former_result(former.as_object()?, shared)).collect()
}

fn former_result(fields: &Map<String, Value>, shared: &mut Interner) -> Option<ReportState> {
    let (outcome, score_of_result) = field::outcome(fields.get("result")?);
    let score = fields.get("score").and_then(field::number).and_then(field::score).or(score_of_result);
    let generated_at = fields.get("generated_at").and_then(field::time);
    Some(ReportState {
        generated_at,
        outcome,
        score,
        failing: failed_ids(fields.get("failed"), shared).known().map(Box::from),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::list::filter::known_values::KnownValues;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(value: &Value) -> Option<Report> {
        report(value.as_object().unwrap(), RowDetail::Everything, &mut Interner::default())
    }

    #[test]
    fn an_invalid_field_is_skipped_and_the_rest_is_kept() {
        let read = read(
            &json!({"id": 7, "url": "x.example", "result": [], "generated_at": "soon", "privacy": 9, "score": "many"}),
        )
        .unwrap();
        assert_eq!(read.id.raw(), "7");
        assert_eq!((read.outcome, read.score, read.generated_at, read.privacy), (Outcome::Missing, None, None, None));
        let extra = read.details.unwrap().extra;
        assert_eq!(Value::from(extra), json!({"generated_at": "soon", "privacy": 9}));
    }

    #[test]
    fn unknown_fields_are_kept_in_order_and_password_texts_are_not() {
        let read = read(&json!({"id": 7, "zebra": 1, "password": "hunter2", "apple": {"x": 2}})).unwrap();
        let details = read.details.unwrap();
        assert_eq!(details.extra.keys().collect::<Vec<_>>(), ["zebra", "apple"]);
        assert_eq!(read.has_password, Some(true));
        assert!(!format!("{details:?}").contains("hunter2"));
    }

    #[test]
    fn a_history_is_decoded_where_the_service_sends_one() {
        let former = json!({"result": "bad", "score": 31, "generated_at": "2026-11-20T10:00:00Z", "failed": ["title"]});
        let details = |history: Value| read(&json!({"id": 7, "history": history})).unwrap().details.unwrap();
        let found = details(json!([former, {"result": 64}]));
        assert_eq!((found.history[0].score, &*found.history[0].failing.as_ref().unwrap()[0]), (Some(31), "title"));
        assert_eq!((&found.history[1].outcome, found.history[1].score), (&Outcome::Decent, Some(64)));
        assert!(found.extra.is_empty());
        for odd in [json!("long"), json!([1]), json!([{"visited": 3}]), json!({"result": "bad"})] {
            let found = details(odd.clone());
            assert_eq!((found.history.len(), &found.extra["history"]), (0, &odd));
        }
    }

    #[test]
    fn a_failed_fetch_is_decoded_from_its_field_or_from_the_checks() {
        let failed = |value: Value| json!({"http_status": {"passed": false, "value": value}});
        let table = [
            (json!({"fetch_error": "dns"}), Some(FetchFailure::Dns)),
            (json!({"fetch_error": "TLS"}), Some(FetchFailure::Tls)),
            (json!({"fetch_error": 404}), Some(FetchFailure::ClientError)),
            (json!({"fetch_error": null}), None),
            (json!({"results": failed(json!(503))}), Some(FetchFailure::ServerError)),
            (json!({"fetch_error": null, "results": failed(json!({"trouble": "name"}))}), Some(FetchFailure::Dns)),
            (json!({"fetch_error": "timeout", "results": failed(json!(503))}), Some(FetchFailure::Timeout)),
            (json!({"results": {"http_status": {"passed": true, "value": 200}}}), None),
        ];
        for (mut fields, expected) in table {
            fields["id"] = json!(7);
            for detail in [RowDetail::Row, RowDetail::Everything] {
                let read = report(fields.as_object().unwrap(), detail, &mut Interner::default()).unwrap();
                assert_eq!(read.fetch_failure, expected, "{fields}");
                assert!(read.details.is_none_or(|details| details.extra.is_empty()), "{fields}");
            }
        }
        let foreign = read(&json!({"id": 7, "fetch_error": "the cat sat on it"})).unwrap();
        assert_eq!((foreign.fetch_failure, foreign.details.unwrap().extra.len()), (None, 1));
    }

    #[test]
    fn a_check_that_is_listed_twice_fails_once() {
        let failed = json!({"id": 7, "failed": ["title", "csp", "title"]});
        let checks = ["title", "csp", "title"].map(|id| json!({"id": id, "passed": false}));
        let results = json!({"id": 7, "results": checks});
        for (fields, detail) in [
            (&failed, RowDetail::Row),
            (&failed, RowDetail::Everything),
            (&results, RowDetail::Row),
            (&results, RowDetail::Everything),
        ] {
            let report = report(fields.as_object().unwrap(), detail, &mut Interner::default()).unwrap();
            let failing = report.failing().unwrap();
            assert_eq!(failing.iter().map(|id| &**id).collect::<Vec<_>>(), ["title", "csp"], "{fields} {detail:?}");
            let known = KnownValues::collect(&std::iter::once(report).collect(), &[]);
            assert!(known.checks.iter().all(|check| check.reports == 1), "{fields} {detail:?}");
        }
        let former = json!([{"result": "bad", "failed": ["title", "title"]}]);
        let history = history(&former, &mut Interner::default()).unwrap();
        assert_eq!(history[0].failing.as_ref().map(|ids| ids.len()), Some(1));
    }

    #[test]
    fn a_row_without_id_or_url_is_skipped() {
        assert_eq!(read(&json!({"project": "x"})), None);
        assert_eq!(read(&json!({"url": "a.example"})).unwrap().id.raw(), "a.example");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::vec((".{0,6}", inner), 0..4)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_json_is_read_without_a_panic(values in proptest::collection::vec(any_json(), KNOWN.len())) {
            let fields: Map<String, Value> = KNOWN.iter().map(|key| (*key).to_owned()).zip(values).collect();
            if let Some(report) = report(&fields, RowDetail::Everything, &mut Interner::default()) {
                prop_assert!(!report.url.shown().chars().any(char::is_control));
            }
        }
    }
}
