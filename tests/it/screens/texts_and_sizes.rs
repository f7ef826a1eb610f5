//! The screen with long and hostile texts, and at every size.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::app::overlays::Overlay;
use reportdeck::domain::failure::{FailureKind, FieldError, WriteFailure};
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::project::Project;
use reportdeck::input::Input;

use crate::screens::{SIZES, demo_data, drawing, empty, failed, with_keys};
use crate::support::session;
use crate::support::states::*;

#[test]
fn every_size_from_zero_is_drawn_without_a_panic() {
    let states: [fn() -> App; 12] = [
        started,
        offline,
        loaded,
        opened,
        empty,
        failed,
        || with_keys("n ctrl+s"),
        || with_keys("1 j D"),
        || with_keys("?"),
        || with_keys("s"),
        || {
            let mut app = demo_data::morning();
            demo_data::press_and_settle(&mut app, "0");
            app
        },
        || {
            let mut app = demo_data::morning();
            demo_data::press_and_settle(&mut app, "w");
            app
        },
    ];
    for state in states {
        let mut app = state();
        for columns in (0..48).chain([60, 70, 80, 110, 111, 200]) {
            for rows in (0..16).chain([24, 60]) {
                let (_, drawn) = session::draw(&app, columns, rows);
                app.update(Message::FrameLayout(drawn), now());
            }
        }
    }
}

#[test]
fn hostile_texts_stay_in_their_cells() {
    let hostile = [
        "\x1b[2J\x1b[31m",
        "a\u{202e}b\u{2066}c",
        "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
        "日本語のとても長い住所",
        "👩‍👩‍👧‍👦 family",
        "عربى نص",
        "\u{200b}\u{feff}\r\n\t",
    ];
    for text in hostile {
        let (mut app, effects) = connected();
        let mut report = row(1, &format!("https://{text}/{text}"), 31);
        report.project = std::sync::Arc::new(text.into());
        report.outcome = reportdeck::domain::report::outcome::Outcome::from_name(text);
        app.update(Message::Reports(reports_request(&effects), Ok(page(vec![report], None, 1))), now());
        let mut projects = two_projects();
        projects.rows[0].name = text.into();
        app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
        for (columns, rows) in SIZES {
            let screen = drawing(&mut app, columns, rows);
            assert!(
                !screen.chars().any(|c| c != '\n' && c.is_control() || reportdeck::domain::text::is_invisible(c)),
                "{screen}"
            );
            let frame = screen
                .lines()
                .skip(1)
                .take(usize::from(rows) - 4)
                .all(|line| line.starts_with('│') && line.ends_with('│'));
            assert!(frame, "{text:?} breaks the frame:\n{screen}");
        }
    }
}

/// A list of one report with this URL.
fn with_url(url: &str) -> App {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(vec![row(1, url, 31)], None, 1))), now());
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    app
}

#[test]
fn a_long_url_does_not_hide_what_a_notice_says_about_it() {
    let url = format!("https://shop.example/{}?id=4711", "green-tea/".repeat(150));
    for (script, texts) in [
        ("c s l o w enter", ["Note about", "?id=4711 saved", "u undoes"]),
        ("m down enter", ["shop.example/green-tea", "?id=4711", ": waiting"]),
        ("m down enter u", ["Undone: state of", "?id=4711", "U redoes"]),
    ] {
        for size in SIZES {
            let mut app = with_url(&url);
            press(&mut app, script);
            let screen = drawing(&mut app, size.0, size.1);
            let squeezed: String = screen.chars().filter(|letter| !letter.is_whitespace() && *letter != '│').collect();
            for text in texts {
                assert!(squeezed.contains(&text.replace(' ', "")), "{script}: {text}\n{screen}");
            }
        }
    }
}

#[test]
fn a_url_is_shown_in_its_script_and_otherwise_used_as_it_is() {
    let url = "https://shop.example/%D1%87%D0%B0%D0%B9?q=a%20b";
    let mut app = with_url(url);
    press(&mut app, "/");
    app.update(Message::Input(Input::Paste("чай".to_owned())), now());
    press(&mut app, "enter");
    let screen = drawing(&mut app, 160, 48);
    assert!(screen.contains("▸ ✗ bad     31 shop.example/чай?q=a%20b"), "{screen}");
    assert!(screen.contains("│ https://shop.example/чай?q=a%20b"), "{screen}");
    let copied = press(&mut app, "Y");
    assert!(matches!(&copied[..], [Effect::Copy(text), ..] if text == url), "{copied:?}");
    press(&mut app, "n");
    app.update(Message::Input(Input::Paste(url.to_owned())), now());
    press(&mut app, "ctrl+s");
    assert!(drawing(&mut app, 160, 48).contains("shop.example/чай?q=a%20b already has a report: bad 31"));
}

#[test]
fn a_long_url_hides_nothing_that_a_dialog_says() {
    let url = format!("https://shop.example/{}?id=4711", "green-tea/".repeat(150));
    let check = |app: &mut App, (columns, rows): (u16, u16), texts: &[&str]| {
        let screen = drawing(app, columns, rows);
        // The dialog is 70 cells wide, in the middle.
        let width = usize::from(columns.min(70));
        let left = (usize::from(columns) - width) / 2;
        let inside = screen.lines().flat_map(|line| line.chars().skip(left).take(width).chain([' ']));
        let inside: String = inside.map(|letter| if letter == '│' { ' ' } else { letter }).collect();
        // Without spaces, because a line may end inside a URL.
        let squeeze = |text: &str| text.split_whitespace().collect::<String>();
        for text in texts {
            assert!(squeeze(&inside).contains(&squeeze(text)), "{text}, {columns}x{rows}:\n{screen}");
        }
    };
    for size in SIZES {
        let mut app = with_url(&url);
        press(&mut app, "D");
        let undo = "undoes it for a few seconds; after that it cannot be undone.";
        let texts = ["Delete report 1?", "https://shop.example/", "?id=4711", undo, "[ Cancel ]"];
        check(&mut app, size, &texts);
        press(&mut app, "esc n");
        app.update(Message::Input(Input::Paste(url.clone())), now());
        press(&mut app, "ctrl+s");
        check(
            &mut app,
            size,
            &["?id=4711 already has a report: bad 31", "Create another one?", "y creates", "[ Cancel ]"],
        );
    }
}

#[test]
fn a_plan_of_very_many_reports_shows_its_rows() {
    let (mut app, effects) = connected();
    let rows = (1..=1 << 16).map(|number| row(number, "https://shop.example/tea", 31)).collect();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 1 << 16))), now());
    press(&mut app, "V t");
    let screen = drawing(&mut app, 80, 24);
    assert!(screen.contains("65,536 reports?") && screen.contains("shop.example/tea "), "{screen}");
    assert!(screen.lines().filter(|line| line.contains("bad 31 →")).count() > 5, "{screen}");
}

#[test]
fn many_rejected_pages_leave_the_forms_fields_and_buttons_visible() {
    for size in SIZES {
        let mut app = loaded();
        press(&mut app, "n");
        let pages: Vec<String> = (1..=30).map(|number| format!("ftp://host{number}.example/a/long/path")).collect();
        app.update(Message::Input(Input::Paste(pages.join("\n"))), now());
        let mut open = press(&mut app, "ctrl+s");
        while !open.is_empty() {
            let Effect::Create(request, _) = open.remove(0) else { continue };
            let mut failure = failure(FailureKind::Invalid);
            failure.fields = vec![FieldError { field: "url".into(), texts: vec!["not a page of the web".into()] }];
            open.extend(app.update(Message::Created(request, Err(WriteFailure::Refused(failure))), now()));
        }
        let screen = drawing(&mut app, size.0, size.1);
        let count = (1..=30).filter(|number| screen.contains(&format!("! ftp://host{number}.example"))).count();
        let rest = if count == 30 { "30 rejected".to_owned() } else { format!("and {} more", 30 - count) };
        for text in ["! ftp://host1.example", &rest, "privacy", "[ Audit all ]  [ Cancel ]"] {
            assert!(screen.contains(text), "{text}, {size:?}:\n{screen}");
        }
        let footer: Vec<&str> = screen.lines().rev().take(3).collect();
        assert!(footer[0].starts_with('└') && footer[2].starts_with('├'), "{size:?}:\n{screen}");
    }
}

#[test]
fn the_number_to_type_is_visible_in_the_plan_of_a_projects_deletion() {
    let (mut app, effects) = connected();
    let rows = (1..=20).map(|number| row(number, "https://shop.example/tea", 31)).collect();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 20))), now());
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    press(&mut app, "1 G x j j j j enter");
    for (columns, rows) in SIZES {
        let screen = drawing(&mut app, columns, rows);
        for text in
            ["Delete 20 reports?", "→ deleted", "Type 20 to confirm", "cancels", "│ >    ", "[ Cancel ]  [ Delete ]"]
        {
            assert!(screen.contains(text), "{text}, {columns}x{rows}:\n{screen}");
        }
    }
}

#[test]
fn the_name_to_type_is_visible_when_a_project_is_deleted() {
    let name = "rückversicherungsgesellschaft-aktiengesellschaft.example";
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    let mut projects = two_projects();
    projects.rows[0].name = name.into();
    app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
    press(&mut app, "1 j j D");
    for (columns, rows) in SIZES {
        let screen = drawing(&mut app, columns, rows);
        let end = if columns < 70 { "│ gesellschaft.example " } else { name };
        for text in [
            "Delete the project with 3 reports?",
            "it for a few seconds.",
            "Type its name to confirm:",
            end,
            "│ >    ",
            "[ Cancel ]  [ Delete ]",
        ] {
            assert!(screen.contains(text), "{text}, {columns}x{rows}:\n{screen}");
        }
    }
}

#[test]
fn a_project_whose_name_nobody_can_read_or_type_is_deleted_by_a_word() {
    for name in ["   ", "shop ", &"p".repeat(100)] {
        let (mut app, effects) = connected();
        let mut projects = two_projects();
        projects.rows.truncate(1);
        projects.rows[0].name = name.into();
        app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
        press(&mut app, "1 j D");
        let screen = drawing(&mut app, 40, 12);
        assert!(screen.contains("Type delete to confirm:"), "{name:?}:\n{screen}");
    }
}

#[test]
fn names_and_urls_that_differ_only_at_their_end_look_different() {
    let (mut app, effects) = connected();
    let name = |country: &str| format!("customer-care-of-the-green-tea-shop-example-{country}");
    let url = |country: &str| format!("https://{}/spring/market/of/all/teas/{country}", name(country));
    let rows = vec![row(1, &url("austria"), 31), row(2, &url("denmark"), 44)];
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 2))), now());
    let mut projects = two_projects();
    projects.rows[0].name = name("austria").as_str().into();
    projects.rows[1].name = name("denmark").as_str().into();
    for number in [1, 2] {
        let name = format!("tea-house-of-the-town-{number}.example");
        projects.rows.push(Project { name: name.as_str().into(), ..projects.rows[0].clone() });
    }
    app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
    app.reports.columns.shown = Some(vec![Column::Url, Column::Project]);
    let sees = |app: &mut App, (columns, rows): (u16, u16), cells: usize, times: usize| {
        let screen = drawing(app, columns, rows);
        let left: String = screen.lines().map(|line| line.chars().take(cells).collect::<String>() + "\n").collect();
        for end in ["ria", "ark"] {
            assert!(left.matches(end).count() >= times, "{end} {times} times, {columns}x{rows}:\n{left}");
        }
    };
    for size in SIZES {
        press(&mut app, "1");
        sees(&mut app, size, if size.0 < 70 { usize::from(size.0) } else { 29 }, 1);
        // Those that differ before their end are cut elsewhere.
        let screen = drawing(&mut app, size.0, size.1);
        assert!(screen.contains("1.exam") && screen.contains("2.exam"), "{screen}");
        press(&mut app, "2");
        // In their URL and their project.
        let times = if size.0 < 110 { 1 } else { 2 };
        sees(&mut app, size, usize::from(size.0), times + usize::from(size.0 >= 70));
        for (keys, text) in [("c", "Note about"), ("m", "State and note"), ("e", "Edit"), ("=", "project:")] {
            press(&mut app, keys);
            let screen = drawing(&mut app, size.0, size.1);
            let line = screen.lines().find(|line| line.contains(text)).unwrap();
            assert!(line.contains("ria"), "{text}, {size:?}:\n{screen}");
            press(&mut app, "esc");
        }
    }
}

#[test]
fn large_numbers_leave_room_for_the_names_of_projects() {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 50_000))), now());
    let mut projects = two_projects();
    for (project, name) in projects.rows.iter_mut().zip(["tea-house.example", "tea-shop.example"]) {
        (project.name, project.reports, project.bad) = (name.into(), Some(25_000), Some(12_345));
    }
    app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
    for (columns, rows) in SIZES {
        press(&mut app, "1");
        let screen = drawing(&mut app, columns, rows);
        assert!(screen.contains("tea-house") && screen.contains("tea-shop"), "{screen}");
        assert!(screen.contains("25,000"), "{screen}");
    }
}

#[test]
fn the_overview_says_at_every_size_why_it_shows_no_changes() {
    for (columns, rows) in SIZES {
        let mut app = loaded();
        demo_data::press_and_settle(&mut app, "0");
        let screen = drawing(&mut app, columns, rows);
        assert!(screen.contains("Shown once the whole list is loaded"), "{columns}x{rows}:\n{screen}");
    }
}

#[test]
fn hints_of_overlays_are_complete_at_every_size() {
    let hints = [
        ("C", "default"),
        ("W", "view to show it."),
        ("K", "cancels."),
        ("m", "cancels"),
        ("V t y", "it continues"),
        ("n a ctrl+s", "it continues"),
    ];
    for (keys, end) in hints {
        for (columns, rows) in SIZES {
            let screen = drawing(&mut with_keys(keys), columns, rows);
            assert!(screen.contains(end), "{keys}: {end}, {columns}x{rows}:\n{screen}");
        }
    }
}

#[test]
fn new_rows_are_not_announced_once_a_larger_screen_shows_them() {
    // A report of a higher number is older.
    let rows = |numbers: std::ops::Range<u32>| numbers.map(|number| row(number, "https://shop.example/tea", 31));
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows(1..11).collect(), None, 10))), now());
    drawing(&mut app, 40, 12);
    press(&mut app, "G");
    let effects = press(&mut app, "r");
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows(0..11).collect(), None, 11))), now());
    let announced = |screen: &str| screen.contains("1 new above");
    let screen = drawing(&mut app, 120, 12);
    assert!(announced(&screen), "{screen}");
    // The first frame of that size; a second one would follow only after the next event.
    let (screen, _) = session::draw(&app, 120, 35);
    assert!(!announced(&screen), "{screen}");
}

#[test]
fn rows_of_an_earlier_day_have_their_date_in_the_header() {
    let mut app = loaded();
    assert!(session::draw(&app, 140, 30).0.contains(" as of 14:02 "));
    app.update(Message::Tick, now() + jiff::SignedDuration::from_hours(24));
    let screen = session::draw(&app, 140, 30).0;
    assert!(screen.contains(" as of 2026-11-21 14:02 "), "{screen}");
}

#[test]
fn a_row_of_a_menu_that_does_not_fit_is_shown_whole_below_the_rows() {
    let mut app = loaded();
    press(&mut app, "i j j j");
    let Some(Overlay::Menu(menu)) = app.overlays.last() else { panic!("no menu") };
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = words(&menu.rows[menu.cursor.at].0);
    let screen = drawing(&mut app, 40, 12);
    assert!(words(&screen.replace('│', " ")).contains(&whole), "{whole}:\n{screen}");
}

#[test]
fn the_smallest_screen_shows_the_state_of_a_queued_report() {
    for (keys, state) in [("Q", "new"), ("m enter Q", "looking")] {
        let mut app = loaded();
        press(&mut app, keys);
        let screen = drawing(&mut app, 40, 12);
        assert!(screen.contains(&format!("this one: {state} ")), "{screen}");
    }
}

#[test]
fn the_smallest_screen_says_why_nothing_is_compared() {
    let mut app = demo_data::morning();
    demo_data::press_and_settle(&mut app, "b b w");
    let screen = drawing(&mut app, 40, 12);
    assert!(screen.contains("nothing to ") && screen.contains("compare."), "{screen}");
}

#[test]
fn views_whose_names_differ_only_at_their_end_look_different_in_the_palette() {
    let mut app = loaded();
    drawing(&mut app, 40, 12);
    for end in ["one", "two"] {
        press(&mut app, "W");
        app.update(Message::Input(Input::Paste(format!("the view of all the shops with a long name {end}"))), now());
        press(&mut app, "enter /");
        app.update(Message::Input(Input::Paste(end.to_owned())), now());
        press(&mut app, "enter");
    }
    for script in [": v i e w space t h e", ": d e l e t e space v"] {
        press(&mut app, script);
        let screen = drawing(&mut app, 40, 12);
        assert!(screen.contains("name one") && screen.contains("name two"), "{screen}");
        press(&mut app, "esc");
    }
}
