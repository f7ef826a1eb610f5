//! The same screens in other looks: ASCII, exact times, comfortable spacing, themes, links.

use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use reportdeck::app::App;
use reportdeck::app::message::{Connected, Message};
use reportdeck::domain::look::terminal_env::{Colours, TerminalEnv};
use reportdeck::domain::look::{Accent, Density, LookOptions, ThemeName, Times};
use reportdeck::view::theme::Theme;
use reportdeck::view::{self, Characters, Look};
use strum::IntoEnumIterator;

use crate::support::session;
use crate::support::states::*;

const SIZES: [(u16, u16); 3] = [(160, 48), (80, 24), (40, 12)];

/// Draws until the layout feedback has been applied.
fn drawn(app: &mut App, look: &Look, columns: u16, rows: u16) -> Buffer {
    loop {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let mut learnt = reportdeck::app::frame_layout::FrameLayout::default();
        terminal.draw(|frame| learnt = view::draw(frame, app, look)).unwrap();
        if learnt == app.ctx.layout {
            return terminal.backend().buffer().clone();
        }
        app.update(Message::FrameLayout(learnt), now());
    }
}

/// States whose data is ASCII, so that any other character on the screen is ours.
fn states() -> Vec<(&'static str, App)> {
    let mut list: Vec<(&'static str, App)> = vec![
        ("starting", started()),
        ("offline", offline()),
        ("rows", loaded()),
        ("opened", opened()),
        ("memory", connected_with_cached_rows().0),
    ];
    let scripts = [
        "?",
        "s",
        "=",
        "x",
        "y",
        "m",
        "c",
        "W",
        "@",
        "K",
        "n",
        "e",
        "D",
        "1 j D",
        "V t",
        "V e right ctrl+s",
        "/ t e a",
        "space j space b",
        "ctrl+s",
        "w",
        "ctrl+t",
        "T",
        "n ctrl+s",
        "1 j enter",
        "f",
        "f 3",
    ];
    for script in scripts {
        let mut app = opened();
        app.update(Message::FrameLayout(drawn_first(&app)), now());
        press(&mut app, "2");
        press(&mut app, script);
        list.push((script, app));
    }
    list
}

fn drawn_first(app: &App) -> reportdeck::app::frame_layout::FrameLayout {
    session::draw(app, 160, 48).1
}

#[test]
fn the_ascii_look_uses_only_ascii_for_our_own_symbols() {
    let look = Look { characters: Characters::AsciiFrame, ..session::look() };
    for (name, mut app) in states() {
        for (columns, rows) in SIZES {
            let buffer = drawn(&mut app, &look, columns, rows);
            for cell in buffer.content() {
                // The only text of the data that is not ASCII.
                let is_theirs = "日本語メニュー".contains(cell.symbol());
                assert!(cell.symbol().is_ascii() || is_theirs, "{:?} in {name} at {columns}x{rows}", cell.symbol());
            }
        }
    }
}

#[test]
fn an_ascii_locale_shows_only_ascii() {
    let poor = TerminalEnv { is_utf8: false, ..TerminalEnv::default() };
    let look = Look::of(&LookOptions::default(), &poor);
    for (name, mut app) in states() {
        for (columns, rows) in SIZES.into_iter().chain([(10, 3)]) {
            let buffer = drawn(&mut app, &look, columns, rows);
            assert!(buffer.content().iter().all(|cell| cell.symbol().is_ascii()), "{name} at {columns}x{rows}");
        }
    }
}

#[test]
fn hints_above_ascii_name_arrow_keys_in_words() {
    let look = Look { characters: Characters::AsciiFrame, ..session::look() };
    for (script, hint) in
        [("m", "Up Down state"), ("C", "shift+Down shift+Up move"), ("V t", "Up Down scroll"), ("c", "Down changes")]
    {
        let mut app = loaded();
        press(&mut app, "c a enter");
        press(&mut app, script);
        let text = session::text_of(&drawn(&mut app, &look, 120, 35));
        assert!(text.contains(hint), "{hint}:\n{text}");
    }
}

#[test]
fn the_list_is_drawn_in_ascii() {
    let look = Look { characters: Characters::AsciiFrame, ..session::look() };
    insta::assert_snapshot!("ascii_80x24", session::text_of(&drawn(&mut loaded(), &look, 80, 24)));
}

#[test]
fn the_list_is_drawn_with_comfortable_spacing_and_exact_times() {
    let look = Look { density: Density::Comfortable, ..session::look() };
    let mut app = opened();
    app.screen.times = Times::Exact;
    insta::assert_snapshot!("comfortable_exact_160x48", session::text_of(&drawn(&mut app, &look, 160, 48)));
    let mut app = loaded();
    app.screen.times = Times::Exact;
    app.screen.zone = TimeZone::fixed(jiff::tz::offset(5));
    let screen = session::text_of(&drawn(&mut app, &session::look(), 80, 24));
    assert!(screen.contains("GENERATED +05↓") && screen.contains("2026-11-21 18:02"), "{screen}");
}

/// Every cell has the theme's background, or a background of its own with a known readable contrast.
#[test]
fn a_theme_with_a_background_colours_every_cell() {
    for name in ThemeName::iter() {
        let theme = Theme::of(name, Colours::True);
        let Some(paper) = theme.text.bg else { continue };
        let papers = [Some(paper), theme.unfocused.bg, theme.selected.bg, theme.button.bg];
        let look = Look { theme, ..Look::default() };
        for (state, mut app) in states() {
            for (columns, rows) in SIZES {
                let buffer = drawn(&mut app, &look, columns, rows);
                let mut covered = 0;
                for cell in buffer.content() {
                    // A wide character covers the second cell.
                    if covered > 0 {
                        covered -= 1;
                        continue;
                    }
                    covered = reportdeck::domain::text::width(cell.symbol()) - 1;
                    assert!(papers.contains(&Some(cell.bg)), "{cell:?} in {state}, {name:?}");
                    assert_ne!(cell.fg, ratatui::style::Color::Reset, "{cell:?} in {state}, {name:?}");
                }
            }
        }
    }
}

#[test]
fn the_url_of_the_opened_report_is_a_link_unless_it_is_covered() {
    let look = Look { links: true, ..session::look() };
    let linked = |buffer: &Buffer| buffer.content().iter().filter(|cell| cell.symbol().starts_with("\x1b]8;")).count();
    let mut app = opened();
    assert_eq!(linked(&drawn(&mut app, &look, 160, 48)), "https://shop.example/tea".len());
    press(&mut app, "@");
    assert_eq!(linked(&drawn(&mut app, &look, 160, 48)), 0);
    assert_eq!(linked(&drawn(&mut opened(), &session::look(), 160, 48)), 0);
}

#[test]
fn overlays_leave_the_footer_free_and_dim_what_they_cover() {
    let look = session::look();
    for (name, mut app) in states().into_iter().filter(|(_, app)| !app.overlays.is_empty()) {
        for (columns, rows) in SIZES {
            let buffer = drawn(&mut app, &look, columns, rows);
            let text = session::text_of(&buffer);
            let lines: Vec<&str> = text.lines().collect();
            let bottom = usize::from(rows) - 1;
            for (line, edges) in [(bottom, ('└', '┘')), (bottom - 1, ('│', '│'))] {
                let (first, last) = (lines[line].chars().next(), lines[line].chars().next_back());
                assert_eq!((first, last), (Some(edges.0), Some(edges.1)), "{name} at {columns}x{rows}:\n{text}");
            }
        }
    }
    let mut app = with_menu();
    let buffer = drawn(&mut app, &look, 120, 35);
    let style = |column: u16, row: u16| buffer[(column, row)].modifier;
    assert_eq!(style(3, 1), ratatui::style::Modifier::DIM, "a pane under a menu is dimmed");
    assert!(!style(3, 33).contains(ratatui::style::Modifier::DIM), "the footer is not dimmed");
}

fn with_menu() -> App {
    let mut app = loaded();
    press(&mut app, "s");
    app
}

#[test]
fn a_service_is_named_in_the_readable_colour_of_its_profile() {
    for accent in Accent::iter() {
        for colours in [Colours::None, Colours::Sixteen, Colours::True] {
            let mut app = started();
            let connected = Connected {
                name: "work".into(),
                host: "seo.example".into(),
                read_only: false,
                accent: Some(accent),
                directory: None,
            };
            app.update(Message::Connected(Ok(connected)), now());
            let capable = TerminalEnv { is_utf8: true, colours, ..TerminalEnv::default() };
            let look = Look::of(&LookOptions::default(), &capable);
            for (columns, rows) in SIZES {
                let screen = drawn(&mut app, &look, columns, rows);
                let text = session::text_of(&screen);
                let at = text.find("work").unwrap_or_else(|| panic!("{text}"));
                let cell = &screen[(text[..at].chars().count() as u16, 0)];
                if colours == Colours::None {
                    assert!(cell.modifier.contains(Modifier::REVERSED) && cell.fg == Color::Reset, "{cell:?}");
                } else {
                    let name = format!("{:?}", cell.bg);
                    assert_eq!(name, format!("{accent:?}"), "{cell:?}");
                    let is_dark = matches!(accent, Accent::Red | Accent::Blue | Accent::Magenta);
                    assert_eq!(cell.fg, if is_dark { Color::White } else { Color::Black }, "{accent:?}");
                }
            }
        }
    }
}

#[test]
fn the_cursor_of_the_terminal_is_on_the_selected_row_if_configured() {
    let cursor = |app: &mut App, show_cursor: bool| {
        let look = Look { show_cursor, ..session::look() };
        drawn(app, &look, 160, 48);
        let mut terminal = Terminal::new(TestBackend::new(160, 48)).unwrap();
        terminal.draw(|frame| drop(view::draw(frame, app, &look))).unwrap();
        let backend = terminal.backend();
        let (at, is_visible) = (backend.cursor_position(), backend.cursor_visible());
        let line: String = (at.x..160).map(|column| backend.buffer()[(column, at.y)].symbol()).collect();
        is_visible.then(|| (line, backend.buffer()[at].modifier))
    };
    for (script, start) in [
        ("j", "▸ ✗ bad     44 shop.example/cart"),
        ("1 j", "  blog.example"),
        ("s j", "privacy"),
        ("D", "[ Cancel ]"),
        ("e", "(•) public"),
    ] {
        let mut app = loaded();
        press(&mut app, script);
        assert_eq!(cursor(&mut app, false), None, "{script}");
        let (line, modifier) = cursor(&mut app, true).unwrap_or_else(|| panic!("{script}: no cursor"));
        assert!(line.starts_with(start) && modifier.contains(Modifier::REVERSED), "{script}: {line}");
    }
    let mut app = loaded();
    press(&mut app, "/ t e a");
    assert_eq!(cursor(&mut app, true), cursor(&mut app, false), "the cursor of a text field stays there");
}

#[test]
fn the_title_of_the_focused_pane_is_underlined_in_every_theme() {
    for theme in ThemeName::iter().flat_map(|name| [Theme::of(name, Colours::None), Theme::of(name, Colours::True)]) {
        let look = Look { theme, ..session::look() };
        for (key, focused) in [("1", "Projects"), ("2", "Reports"), ("3", "Report")] {
            let mut app = opened();
            press(&mut app, key);
            let screen = drawn(&mut app, &look, 160, 48);
            let is_underlined = |column: &u16| screen[(*column, 1)].modifier.contains(Modifier::UNDERLINED);
            let title: String = (0..160).filter(is_underlined).map(|column| screen[(column, 1)].symbol()).collect();
            assert_eq!(title, focused, "{}", session::text_of(&screen));
        }
    }
}

#[test]
fn the_line_that_a_search_found_is_highlighted() {
    let mut app = loaded();
    press(&mut app, "V t y / c a r t");
    let screen = drawn(&mut app, &session::look(), 160, 48);
    let text = session::text_of(&screen);
    let row = text.lines().position(|line| line.contains("cart?step=2")).unwrap() as u16;
    assert!(text.contains("1 of 1 hit"), "{text}");
    assert!(screen[(30, row)].modifier.contains(Modifier::REVERSED), "{text}");
    assert!(!screen[(30, row - 1)].modifier.contains(Modifier::REVERSED), "{text}");
}

#[test]
fn only_errors_above_the_status_line_have_the_colour_of_errors() {
    let look = Look { theme: Theme::terminal(), ..session::look() };
    let mut copied = loaded();
    copied.update(Message::Notice(Ok("Copied to the clipboard ".repeat(3))), now());
    for (mut app, is_error) in [(copied, false), (offline(), true)] {
        let screen = drawn(&mut app, &look, 40, 24);
        // The first line of the footer.
        let footer = (0..24).rev().find(|row| screen[(0, *row)].symbol() == "├").unwrap() + 1;
        assert_eq!(screen[(2, footer)].fg == Color::LightRed, is_error, "{}", session::text_of(&screen));
    }
}
