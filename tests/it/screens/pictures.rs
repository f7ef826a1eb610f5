//! The pictures of the guide in `assets/pictures` match what the program draws, in dark and light.
//!
//! `UPDATE_PICTURES=1 cargo test --test it pictures::` draws them; review them before committing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use reportdeck::app::App;
use reportdeck::app::frame_layout::FrameLayout;
use reportdeck::app::message::Message;
use reportdeck::domain::look::ThemeName;
use reportdeck::domain::look::terminal_env::Colours;
use reportdeck::view::theme::Theme;
use reportdeck::view::{self, Look};

use super::demo_data;
use super::svg;
use crate::support::states;

/// A picture: the keys that lead to it, and its alternative text.
struct Scene {
    name: &'static str,
    size: (u16, u16),
    keys: &'static str,
    title: &'static str,
    description: &'static str,
}

/// The picture of a team's queue.
const TEAM: &str = "team";

const SCENES: [Scene; 7] = [
    Scene {
        name: TEAM,
        size: (100, 26),
        keys: "Q",
        title: "The queue of a team",
        description: "A colleague claimed this report four minutes ago and is writing a note; the footer names the key \
                      that takes it over.",
    },
    Scene {
        name: "queue",
        size: (100, 26),
        keys: "Q",
        title: "The queue",
        description: "One open report at a time, most urgent first: how many are settled, why this one is urgent, and what \
                      fails. Single keys set a state and move on.",
    },
    Scene {
        name: "changes",
        size: (118, 24),
        keys: "L",
        title: "What changed since the last look",
        description: "Reports that got worse or better, are new, missing or not re-run for long; each with its result \
                      before and after, its scores, and the checks that broke or were repaired.",
    },
    Scene {
        name: "plan",
        size: (118, 24),
        keys: "b V t",
        title: "The plan of a re-run of all bad reports",
        description: "Shown before anything is sent: the number of requests, the estimated time, and the outcome for every \
                      report. The focus is on Cancel.",
    },
    Scene {
        name: "causes",
        size: (118, 30),
        keys: "w",
        title: "What the bad reports share",
        description: "Failing checks with their change since the last look, projects by their share of bad reports, \
                      URL patterns, and checks that fail together. Enter filters by a line, t re-runs its reports.",
    },
    Scene {
        name: "palette",
        size: (100, 20),
        keys: ": s t a t",
        title: "The palette",
        description: "All commands and their keys, filtered while typing. Enter runs the selected one.",
    },
    Scene {
        name: "narrow",
        size: (40, 12),
        keys: "",
        title: "Forty columns and twelve rows",
        description: "Small terminals show one pane at a time: here the reports, with result, score and URL.",
    },
];

/// A picture of the sample, drawn by `sample_pictures`.
pub struct SamplePicture {
    pub name: &'static str,
    pub keys: &'static str,
    /// Shown on the screen when it is complete.
    pub awaited: &'static str,
    pub title: &'static str,
    pub description: &'static str,
}

/// In drawing order.
pub const SAMPLE: [SamplePicture; 2] = [
    SamplePicture {
        name: "dashboard",
        keys: "",
        awaited: "sample history",
        title: "The dashboard",
        description: "Projects on the left with their share of bad results, the table of reports in the middle, and the \
                      report under the cursor on the right: its score, what fails and how to fix it.",
    },
    SamplePicture {
        name: "overview",
        keys: "0",
        awaited: "Overview",
        title: "The overview",
        description: "Results now and at the last look, projects with the most bad reports, \
                      the checks that bad reports fail, open work, recent events, bad reports over 30 days and \
                      the distribution of scores.",
    },
];

pub const SIDES: [(&str, ThemeName); 2] = [("dark", ThemeName::Dark), ("light", ThemeName::Light)];

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pictures")
}

/// Draws until the layout feedback has been applied.
fn drawn(app: &mut App, look: &Look, (columns, rows): (u16, u16)) -> Buffer {
    loop {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let mut learnt = FrameLayout::default();
        terminal.draw(|frame| learnt = view::draw(frame, app, look)).unwrap();
        if learnt == app.ctx.layout {
            return terminal.backend().buffer().clone();
        }
        let effects = app.update(Message::FrameLayout(learnt), states::now());
        demo_data::settle(app, effects);
    }
}

fn of_scene(scene: &Scene, theme: ThemeName) -> String {
    let theme = Theme::of(theme, Colours::True);
    let (paper, text) = (theme.text.bg.unwrap(), theme.text.fg.unwrap());
    let look = Look { theme, ..Look::default() };
    let open = |app: &mut App| {
        drawn(app, &look, scene.size);
        demo_data::linger(app);
        for key in scene.keys.split_whitespace() {
            demo_data::press_and_settle(app, key);
            drawn(app, &look, scene.size);
        }
    };
    let mut app = if scene.name == TEAM {
        demo_data::team_at_the_queue(open)
    } else {
        let mut app = demo_data::morning();
        open(&mut app);
        app
    };
    let buffer = drawn(&mut app, &look, scene.size);
    svg::picture(&buffer, (scene.title, scene.description), paper, text)
}

/// One test, so that none reads the folder while another writes it.
#[test]
fn every_picture_matches_what_the_program_draws() {
    let writes = std::env::var_os("UPDATE_PICTURES").is_some();
    let mut stale = Vec::new();
    for scene in &SCENES {
        for (side, theme) in SIDES {
            let (path, svg) = (folder().join(format!("{}-{side}.svg", scene.name)), of_scene(scene, theme));
            if std::fs::read_to_string(&path).ok().as_ref() == Some(&svg) {
                continue;
            }
            if writes {
                std::fs::create_dir_all(folder()).unwrap();
                std::fs::write(&path, svg).unwrap();
            } else {
                stale.push(path);
            }
        }
    }
    assert!(stale.is_empty(), "UPDATE_PICTURES=1 cargo test --test it pictures:: updates these: {stale:?}");
    let names = SCENES.iter().map(|scene| scene.name).chain(SAMPLE.iter().map(|picture| picture.name));
    let expected = names.flat_map(|name| SIDES.map(|(side, _)| format!("{name}-{side}.svg")));
    let found = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>(), expected.collect::<BTreeSet<_>>(), "an unused picture");
}

/// One row of cells as a picture.
fn strip(text: &str, style: Style) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
    buffer.set_string(0, 0, text, style);
    let (paper, ink) = (Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255));
    svg::picture(&buffer, ("a < b", "c & d"), paper, ink)
}

#[test]
fn texts_are_escaped_and_wide_letters_take_two_cells() {
    let svg = strip("茶<&>a", Style::new());
    assert!(svg.contains(r#"<title id="title">a &lt; b</title>"#) && svg.contains("c &amp; d</desc>"), "{svg}");
    assert!(svg.contains(r##"<text x="0" y="13.4" fill="#ffffff">茶</text>"##), "{svg}");
    assert!(svg.contains(r#"<text x="16.8" y="13.4""#) && svg.contains(">&lt;&amp;&gt;a</text>"), "{svg}");
}

#[test]
fn reversed_cells_swap_text_and_background() {
    let svg = strip("ab", Style::new().reversed().bold());
    assert!(svg.contains(r##"<rect x="0" y="0" width="16.8" height="18" fill="#ffffff"/>"##), "{svg}");
    assert!(svg.contains(r##"fill="#000000" font-weight="700""##), "{svg}");
}

#[test]
fn frames_and_bars_are_shapes_instead_of_text() {
    let svg = strip("┌─█░", Style::new());
    assert!(!svg.contains("<text"), "{svg}");
    assert_eq!(svg.matches("<path").count(), 2, "shades have gaps: {svg}");
}

#[test]
fn a_picture_references_nothing_external() {
    for scene in &SCENES {
        let svg = of_scene(scene, ThemeName::Dark);
        for word in ["href", "url(", "@import", "<script", "<image"] {
            assert!(!svg.contains(word), "{word} in {}", scene.name);
        }
    }
}
