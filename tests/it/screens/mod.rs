//! Snapshots of the screen, reviewed like code: all states at four sizes.

mod demo_data;
mod looks;
mod pictures;
mod sample_pictures;
mod svg;
mod texts_and_sizes;

use reportdeck::app::App;
use reportdeck::app::message::Message;
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::list::paging::{Next, Page};

use crate::support::session;
use crate::support::states::*;

const SIZES: [(u16, u16); 4] = [(160, 48), (120, 35), (80, 24), (40, 12)];

/// Draws until the layout feedback has been applied, then once more.
fn drawing(app: &mut App, columns: u16, rows: u16) -> String {
    loop {
        let (text, drawn) = session::draw(app, columns, rows);
        if drawn == app.ctx.layout {
            return text;
        }
        app.update(Message::FrameLayout(drawn), now());
    }
}

/// Compares a state with its snapshots at all sizes.
fn check(name: &str, state: fn() -> App) {
    for (columns, rows) in SIZES {
        let text = drawing(&mut state(), columns, rows);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), text);
    }
}

fn with_keys(script: &str) -> App {
    let mut app = loaded();
    drawing(&mut app, 160, 48);
    press(&mut app, script);
    app
}

fn failed() -> App {
    let mut app = loaded();
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Err(failure(FailureKind::Service))), now());
    app
}

fn empty() -> App {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(Vec::new(), None, 0))), now());
    let none = Page {
        rows: Vec::new(),
        unreadable: 0,
        next: Next::End,
        total: Some(0),
        last_page: Some(1),
        per_page: Some(100),
    };
    app.update(Message::Projects(projects_request(&effects), Ok(none)), now());
    app
}

fn refused_key() -> App {
    let (mut app, effects) = connected();
    let mut refused = failure(FailureKind::Unauthorised);
    refused.message = "The service does not accept the API key (401: The API key has expired)".into();
    app.update(Message::Reports(reports_request(&effects), Err(refused)), now());
    app
}

fn half_loaded() -> App {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 1_089))), now());
    app
}

#[test]
fn the_start_is_drawn() {
    check("starting", started);
}

#[test]
fn loading_is_drawn() {
    check("loading", || connected().0);
}

#[test]
fn loaded_rows_are_drawn() {
    check("rows", loaded);
}

#[test]
fn loading_of_further_pages_is_drawn() {
    check("loading_more", half_loaded);
}

#[test]
fn an_empty_service_is_drawn() {
    check("empty", empty);
}

#[test]
fn a_failed_refresh_is_drawn() {
    check("failed", failed);
}

#[test]
fn a_rejected_key_is_drawn() {
    check("refused_key", refused_key);
}

#[test]
fn cached_rows_are_drawn() {
    check("from_memory", || connected_with_cached_rows().0);
}

#[test]
fn cached_rows_without_a_service_are_drawn() {
    check("from_memory_offline", offline);
}

#[test]
fn a_filter_without_matches_is_drawn() {
    check("filtered_to_nothing", || with_keys("/ n o t h i n g enter"));
}

#[test]
fn a_filter_being_typed_is_drawn() {
    check("typing_a_filter", || with_keys("/ t e a"));
    check("filter_qualifiers", || with_keys("/"));
    check("filter_values", || with_keys("/ c h e c k : tab"));
    check("filter_slip", || with_keys("/ s t a t e : w a i t n g"));
    check("filter_slip_accepted", || with_keys("/ c h e c k : t i t e l enter"));
}

#[test]
fn an_opened_report_is_drawn() {
    check("report", opened);
}

/// Pages that were fetched, and one failed page for each reason.
fn unfetched() -> App {
    use reportdeck::domain::report::Details;
    use reportdeck::domain::report::check::{Check, CheckOutcome};
    use reportdeck::domain::report::fetch_failure::FetchFailure::{self, *};
    let unfetched = |number: u32, url: &str, score: u8, failure: Option<FetchFailure>| {
        let mut report = row(number, url, score);
        report.fetch_failure = failure;
        report
    };
    let rows = vec![
        unfetched(1, "https://shpo.example/tea", 0, Some(Dns)),
        unfetched(2, "https://shop.example/tea", 92, None),
        unfetched(3, "https://old.example/", 0, Some(Tls)),
        unfetched(4, "https://down.example/", 0, Some(Refused)),
        unfetched(5, "https://slow.example/", 0, Some(Timeout)),
        unfetched(6, "https://shop.example/gone", 20, Some(ClientError)),
        unfetched(7, "https://shop.example/broken", 20, Some(ServerError)),
        unfetched(8, "https://shop.example/cart", 31, None),
    ];
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows.clone(), None, 8))), now());
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    let request = report_request(&press(&mut app, "enter"));
    let check = Check {
        id: "http_status".into(),
        category: Some("seo".into()),
        importance: None,
        outcome: CheckOutcome::Failed,
        value: serde_json::json!({ "trouble": "name" }),
        errors: vec!["the page could not be fetched: the name shpo.example could not be resolved".into()],
    };
    let mut whole = rows[0].clone();
    whole.details = Some(Box::new(Details { checks: Some(vec![check]), ..Details::default() }));
    app.update(Message::Report(request, Ok(whole)), now());
    app
}

#[test]
fn the_report_pane_lists_checks_in_the_order_of_the_copied_markdown() {
    use reportdeck::domain::report::Details;
    use reportdeck::domain::report::check::{Check, CheckOutcome, Importance};
    let check = |(id, importance): (&str, Option<Importance>)| Check {
        id: id.into(),
        category: None,
        importance,
        outcome: CheckOutcome::Failed,
        value: serde_json::Value::Null,
        errors: Vec::new(),
    };
    let checks = [("house_style", None), ("own_note", Some(Importance::Note)), ("favicon", None), ("title", None)];
    let checks: Vec<Check> = checks.map(check).to_vec();
    let (mut app, effects) = connected();
    let rows = vec![row(1, "https://shop.example/tea", 31)];
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows.clone(), None, 1))), now());
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    let request = report_request(&press(&mut app, "enter"));
    let details = Some(Box::new(Details { checks: Some(checks), ..Details::default() }));
    let whole = reportdeck::domain::report::Report { details, ..rows[0].clone() };
    app.update(Message::Report(request, Ok(whole.clone())), now());
    let screen = drawing(&mut app, 120, 48);
    let markdown = reportdeck::domain::export::whole::markdown(&whole, &reportdeck::audit::EXPLANATIONS);
    for text in [screen.as_str(), markdown.as_str()] {
        let failed = text.split_once("Failed 4").unwrap().1;
        let places = ["title", "favicon", "own_note", "house_style"].map(|id| failed.find(id).unwrap());
        assert!(places.is_sorted(), "{text}");
    }
}

#[test]
fn pages_that_could_not_be_fetched_are_drawn() {
    check("unfetched", unfetched);
    check("unfetched_rows", || {
        let mut app = unfetched();
        press(&mut app, "esc");
        app
    });
}

#[test]
fn the_form_is_drawn() {
    check("form", || with_keys("n a . b tab right right tab"));
}

#[test]
fn a_form_with_an_error_is_drawn() {
    check("form_error", || with_keys("n ctrl+s"));
}

#[test]
fn the_deletion_of_a_report_is_drawn() {
    check("delete_report", || with_keys("D"));
}

#[test]
fn the_deletion_of_a_project_is_drawn() {
    check("delete_project", || with_keys("1 j j D s h o"));
}

#[test]
fn the_help_page_is_drawn() {
    check("help", || with_keys("?"));
    insta::assert_snapshot!("help_group_120x35", drawing(&mut with_keys("? tab tab down down"), 120, 35));
    insta::assert_snapshot!("help_of_the_queue_80x24", drawing(&mut with_keys("Q ?"), 80, 24));
    insta::assert_snapshot!("help_search_80x24", drawing(&mut with_keys("? s t a t e"), 80, 24));
}

#[test]
fn the_palette_is_drawn() {
    check("palette", || with_keys(":"));
    insta::assert_snapshot!("palette_search_80x24", drawing(&mut with_keys("1 : d e l"), 80, 24));
}

#[test]
fn the_sort_menu_is_drawn() {
    check("sort_menu", || with_keys("s"));
}

#[test]
fn the_history_is_drawn() {
    for (columns, rows) in SIZES {
        let mut app = demo_data::morning();
        demo_data::press_and_settle(&mut app, "@");
        insta::assert_snapshot!(format!("history_{columns}x{rows}"), drawing(&mut app, columns, rows));
    }
}

#[test]
fn changes_and_the_queue_are_drawn() {
    for (columns, rows) in SIZES {
        for (name, key) in [("changes", "L"), ("queue", "Q")] {
            let mut app = demo_data::morning();
            drawing(&mut app, columns, rows);
            demo_data::linger(&mut app);
            demo_data::press_and_settle(&mut app, key);
            insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), drawing(&mut app, columns, rows));
        }
    }
}

#[test]
fn notes_of_a_report_are_drawn() {
    for (columns, rows) in SIZES {
        let mut app = loaded();
        drawing(&mut app, columns, rows);
        press_at(&mut app, "c t o l d space M o n a enter", now() - jiff::SignedDuration::from_hours(30));
        press(&mut app, "c s h e space r e p a i r s enter c down");
        insta::assert_snapshot!(format!("note_{columns}x{rows}"), drawing(&mut app, columns, rows));
    }
}

#[test]
fn the_overview_is_drawn() {
    for (columns, rows) in SIZES {
        let mut app = demo_data::morning();
        drawing(&mut app, columns, rows);
        demo_data::linger(&mut app);
        demo_data::press_and_settle(&mut app, "0");
        insta::assert_snapshot!(format!("overview_{columns}x{rows}"), drawing(&mut app, columns, rows));
        for _ in 0..7 {
            demo_data::press_and_settle(&mut app, "tab");
        }
        insta::assert_snapshot!(format!("overview_last_block_{columns}x{rows}"), drawing(&mut app, columns, rows));
    }
}

#[test]
fn the_causes_are_drawn() {
    for (columns, rows) in SIZES {
        let mut app = demo_data::morning();
        drawing(&mut app, columns, rows);
        demo_data::linger(&mut app);
        demo_data::press_and_settle(&mut app, "w");
        insta::assert_snapshot!(format!("causes_{columns}x{rows}"), drawing(&mut app, columns, rows));
        demo_data::press_and_settle(&mut app, "tab tab");
        insta::assert_snapshot!(format!("causes_addresses_{columns}x{rows}"), drawing(&mut app, columns, rows));
    }
}

/// A re-run of five reports: one done, one failed, one running, two waiting.
fn running_many() -> App {
    use reportdeck::app::effect::Effect;
    use reportdeck::domain::bulk::ItemReply;
    use reportdeck::domain::failure::WriteFailure;
    let mut app = with_keys("V t");
    let effects = press(&mut app, "y");
    let Some(Effect::StoreRun(request, ..)) = effects.first() else { panic!("{effects:?}") };
    let effects = app.update(Message::RunStored(*request, Ok(None)), now());
    let sent = effects.iter().filter_map(|effect| match effect {
        Effect::SendItem(request, _) => Some(*request),
        _ => None,
    });
    let sent: Vec<_> = sent.collect();
    press(&mut app, "space");
    let mut done = row(1, "https://shop.example/tea", 92);
    done.generated_at = now().into();
    app.update(Message::BulkItem(sent[0], ItemReply::Updated(Ok(done))), now());
    let refused = WriteFailure::Refused(failure(FailureKind::Forbidden));
    app.update(Message::BulkItem(sent[1], ItemReply::Updated(Err(refused))), now());
    app
}

#[test]
fn marks_are_drawn() {
    check("marks", || with_keys("space j space b"));
}

#[test]
fn a_bulk_plan_is_drawn() {
    check("plan", || with_keys("V e right right ctrl+s"));
}

#[test]
fn a_plan_to_delete_is_drawn() {
    check("plan_delete", || with_keys("V D"));
}

#[test]
fn a_bulk_run_is_drawn() {
    check("run", running_many);
}

#[test]
fn the_menu_of_actions_is_drawn() {
    check("actions", || with_keys("space space x"));
}

#[test]
fn the_export_menu_is_drawn() {
    check("export", || with_keys("space space ctrl+s"));
}
