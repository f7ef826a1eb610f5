//! The pictures of the README: `reportdeck --sample` in a real terminal, dark and light.
//!
//! Its audits are real, so times and scores differ from run to run: it is run by hand, reviewed, and committed.

use std::time::Duration;

use portable_pty::CommandBuilder;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use reportdeck::domain::look::terminal_env::Colours;
use reportdeck::view::theme::Theme;

use super::pictures::{SAMPLE, SIDES, folder};
use super::svg;
use crate::support::pty::Pty;

const SIZE: (u16, u16) = (120, 35);

#[test]
#[ignore = "draws pictures: UPDATE_PICTURES=1 cargo test --test it sample_pictures:: -- --ignored"]
fn the_pictures_of_the_readme_are_drawn_from_the_sample() {
    assert!(std::env::var_os("UPDATE_PICTURES").is_some(), "this test writes pictures: set UPDATE_PICTURES=1");
    for (side, theme) in SIDES {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join(".config/reportdeck")).unwrap();
        let setting = format!("[look]\ntheme = \"{side}\"\n");
        std::fs::write(home.path().join(".config/reportdeck/config.toml"), setting).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_reportdeck"));
        command.arg("--sample");
        command.env_clear();
        for (name, value) in [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")] {
            command.env(name, value);
        }
        command.env("HOME", home.path());
        let mut pty = Pty::start(command, SIZE.0, SIZE.1);
        let colours = Theme::of(theme, Colours::True).text;
        let (paper, text) = (colours.bg.unwrap(), colours.fg.unwrap());
        for picture in &SAMPLE {
            pty.send(picture.keys);
            pty.wait_for(picture.awaited);
            // Notices disappear after twelve seconds.
            while pty.read_until_quiet(Duration::from_secs(15)) > 0 {}
            let drawn = svg::picture(&screen(&pty), (picture.title, picture.description), paper, text);
            std::fs::write(folder().join(format!("{}-{side}.svg", picture.name)), drawn).unwrap();
        }
        pty.send("q");
        pty.wait();
    }
}

fn screen(pty: &Pty) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, SIZE.0, SIZE.1));
    for row in 0..SIZE.1 {
        for column in 0..SIZE.0 {
            let shown = pty.cell(column, row);
            if shown.is_wide_continuation() {
                continue;
            }
            let style = Style::new().fg(colour(shown.fgcolor())).bg(colour(shown.bgcolor()));
            let modifiers = [
                (shown.bold(), Modifier::BOLD),
                (shown.underline(), Modifier::UNDERLINED),
                (shown.inverse(), Modifier::REVERSED),
            ];
            let on =
                modifiers.into_iter().filter(|(is_on, _)| *is_on).fold(Modifier::empty(), |all, (_, one)| all | one);
            let symbol = if shown.has_contents() { shown.contents() } else { " " };
            buffer[(column, row)].set_symbol(symbol).set_style(style.add_modifier(on));
        }
    }
    buffer
}

fn colour(colour: vt100::Color) -> Color {
    match colour {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(index) => Color::Indexed(index),
        vt100::Color::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    }
}
