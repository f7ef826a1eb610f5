//! The names of enums on the wire, in the journal, in files and in filters. A changed name breaks what others stored or
//! send.

use strum::IntoEnumIterator;

use super::desk::handover::HandoverPart;
use super::desk::{PresenceActivity, Role};
use super::list::query::{Direction, ProjectSort, ReportSort, ResultFilter};
use super::report::check::{CheckOutcome, Importance};
use super::report::fetch_failure::FetchFailure;
use super::report::outcome::Outcome;
use super::report::privacy::Privacy;
use super::triage::{State, StateKind, Triage, TriageChange};

fn names<T: IntoEnumIterator>(name: impl Fn(T) -> &'static str) -> String {
    T::iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn names_are_those_of_earlier_versions() {
    assert_eq!([Direction::Ascending, Direction::Descending].map(Direction::name), ["asc", "desc"]);
    assert_eq!(names(ReportSort::name), "id generated_at url result");
    assert_eq!(names(ProjectSort::name), "created_at project");
    assert_eq!(names(ResultFilter::name), "good decent bad");
    assert_eq!(names(FetchFailure::name), "dns tls refused timeout 4xx 5xx other");
    assert_eq!(names(Privacy::name), "public private password");
    assert_eq!(names(Role::name), "viewer triage admin");
    assert_eq!(names(StateKind::name), "new looking waiting verify wontfix snoozed done");
    let activities = [PresenceActivity::Viewing, PresenceActivity::Writing, PresenceActivity::Other];
    assert_eq!(activities.map(PresenceActivity::name), ["viewing", "writing", "other"]);
    let parts =
        [HandoverPart::Free, HandoverPart::Held, HandoverPart::Waiting, HandoverPart::Returning, HandoverPart::Closed];
    assert_eq!(parts.map(HandoverPart::name), ["free", "held", "waiting", "returning", "closed"]);
    let report = super::report::tests::row("1", "https://shop.example/tea", Outcome::Bad);
    let triage = Triage::set(State::Done, &report, jiff::Timestamp::UNIX_EPOCH);
    let changes =
        [TriageChange::Reopened(triage.clone()), TriageChange::Closed(triage.clone()), TriageChange::Learned(triage)];
    assert_eq!(changes.each_ref().map(TriageChange::name), ["reopened", "closed", "learned"]);
}

#[test]
fn names_of_checks_are_read_as_they_are_written() {
    for (importance, name) in [
        (Importance::High, "high"),
        (Importance::Medium, "medium"),
        (Importance::Low, "low"),
        (Importance::Note, "note"),
    ] {
        assert_eq!((importance.name(), name.parse().ok()), (name, Some(importance)));
        assert_eq!(name.to_uppercase().parse().ok(), Some(importance));
    }
    for (outcome, name) in [
        (CheckOutcome::Failed, "failed"),
        (CheckOutcome::Note, "note"),
        (CheckOutcome::Passed, "passed"),
        (CheckOutcome::NotApplicable, "not_applicable"),
    ] {
        assert_eq!((outcome.name(), name.parse().ok()), (name, Some(outcome)));
        assert!(name.to_uppercase().parse::<CheckOutcome>().is_err());
    }
    assert!("".parse::<Importance>().is_err() && "".parse::<CheckOutcome>().is_err());
    for privacy in Privacy::iter() {
        assert_eq!(privacy.name().to_uppercase().parse(), Ok(privacy));
    }
    assert!("secret".parse::<Privacy>().is_err());
}
