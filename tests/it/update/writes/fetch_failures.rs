//! A page that could not be fetched is reported as such, and not as a bad page.

use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::{Message, UpdateOutcome};
use reportdeck::domain::report::Report;
use reportdeck::domain::report::fetch_failure::FetchFailure;

use crate::support::states::*;

fn misspelt(number: u32) -> Report {
    let mut report = row(number, "https://shpo.example/tea", 0);
    report.fetch_failure = Some(FetchFailure::Dns);
    report.generated_at = now().into();
    report
}

fn request(effects: &[Effect]) -> RequestId {
    let request = |effect: &Effect| match effect {
        Effect::Create(request, _) | Effect::Update(request, ..) => Some(*request),
        _ => None,
    };
    effects.iter().find_map(request).expect("nothing is written")
}

#[test]
fn a_misspelt_host_is_reported_as_unknown() {
    let mut app = loaded();
    let request = request(&press(&mut app, "n s h p o . e x a m p l e ctrl+s"));
    app.update(Message::Created(request, Ok(misspelt(77))), now());
    assert_eq!(notice(&app), "shpo.example/tea could not be fetched: no such host");
}

#[test]
fn a_re_run_that_cannot_fetch_its_page_says_so_and_names_no_checks() {
    let mut app = loaded();
    let request = request(&press(&mut app, "2 t"));
    let id = app.reports.current().unwrap().id.clone();
    let report = Report { id, ..misspelt(1) };
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(report))), now());
    let notice = notice(&app);
    assert!(notice.ends_with(" → could not be fetched: no such host"), "{notice}");
}
