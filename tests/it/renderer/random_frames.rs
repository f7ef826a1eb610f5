//! Random frames: texts of every kind, styles, scrolled lists, sizes, the cursor. After each frame the terminal shows
//! what was drawn.

use std::num::NonZeroU16;

use ratatui::Terminal;
use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth as _};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use reportdeck::runtime::terminal::backend::TtyBackend;

use crate::renderer::emulator::Seen;
use crate::renderer::written::Written;
use crate::support::seeded_rng::{Rng, seed, steps};

const TEXTS: [&str; 16] = [
    "a",
    "plain words",
    "shop.example/section-7/page-12",
    "     ",
    "                              ",
    "│ ─── │",
    "日本語/メニュー",
    "한국어",
    "e\u{301}te\u{301}",
    "नमस्ते",
    "مرحبا",
    "⌨\u{fe0f} keys",
    "👩\u{200d}🔬👍🏽",
    "🇩🇪 😀",
    "ｶﾞ",
    "✓ good  92",
];
const COLOURS: [Color; 7] = [
    Color::Reset,
    Color::Reset,
    Color::Red,
    Color::LightCyan,
    Color::DarkGray,
    Color::Indexed(208),
    Color::Rgb(10, 200, 30),
];

fn style(rng: &mut Rng) -> Style {
    let modifiers = [
        Modifier::empty(),
        Modifier::BOLD,
        Modifier::DIM,
        Modifier::REVERSED,
        Modifier::UNDERLINED,
        Modifier::ITALIC,
        Modifier::CROSSED_OUT | Modifier::BOLD,
        Modifier::SLOW_BLINK | Modifier::HIDDEN,
    ];
    Style::new().fg(*rng.pick(&COLOURS)).bg(*rng.pick(&COLOURS)).add_modifier(*rng.pick(&modifiers))
}

/// Draws something at a random position.
fn scribble(rng: &mut Rng, page: &mut Buffer) {
    let area = page.area;
    let at = Position { x: rng.below(area.width.into()) as u16, y: rng.below(area.height.into()) as u16 };
    match rng.below(12) {
        0..=6 => {
            let style = style(rng);
            page.set_string(at.x, at.y, rng.pick(&TEXTS), style);
        }
        7 => {
            let width = (1 + rng.below(30) as u16).min(area.width - at.x);
            page.set_style(Rect::new(at.x, at.y, width, 1), style(rng));
        }
        8 => {
            for column in at.x..area.width.min(at.x + 9) {
                let symbol = if rng.below(4) == 0 { "l" } else { "k" };
                let link = format!("\x1b]8;id=page;https://{}.example/\x1b\\{symbol}\x1b]8;;\x1b\\", rng.below(2));
                let cell = &mut page[(column, at.y)];
                cell.set_symbol(&link).set_diff_option(CellDiffOption::ForcedWidth(NonZeroU16::MIN));
            }
        }
        // Scrolls a whole list, or part of it.
        _ => {
            let rows = usize::from(area.height);
            let by = 1 + rng.below(3);
            let (columns, top) = (usize::from(area.width), rng.below(rows / 3));
            let bottom = rows - rng.below(rows / 3);
            let (from, to) = if rng.below(2) == 0 { (by, 0) } else { (0, by) };
            if top + by < bottom {
                let lines: Vec<Cell> = page.content[(top + from) * columns..(bottom - to) * columns].to_vec();
                let start = (top + to) * columns;
                page.content[start..start + lines.len()].clone_from_slice(&lines);
            }
        }
    }
}

/// Removes orphaned halves of wide characters, which the app never draws.
fn tidy(page: &mut Buffer) {
    let columns = usize::from(page.area.width);
    for row in page.content.chunks_mut(columns) {
        for cell in row.iter_mut() {
            // A partly overwritten link is removed.
            if !cell.symbol().starts_with('\x1b') {
                cell.set_diff_option(CellDiffOption::None);
            }
        }
        let mut column = 0;
        while column < columns {
            let width = usize::from(row[column].cell_width().max(1));
            if column + width > columns || row[column + 1..column + width].iter().any(|cell| cell.symbol() != " ") {
                row[column].set_symbol(" ");
                column += 1;
                continue;
            }
            let style = row[column].style();
            for covered in &mut row[column + 1..column + width] {
                covered.reset();
                covered.set_style(style);
            }
            column += width;
        }
    }
}

fn draw(terminal: &mut Terminal<TtyBackend<Written>>, page: &Buffer, cursor: Option<Position>) {
    let draw = |frame: &mut ratatui::Frame| {
        frame.buffer_mut().content.clone_from_slice(&page.content);
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
    };
    terminal.draw(draw).unwrap();
}

#[test]
fn the_terminal_shows_exactly_what_was_drawn() {
    let mut rng = Rng::new(seed());
    let mut size = Size::new(80, 24);
    let written = Written::default();
    let mut terminal = Terminal::new(TtyBackend::new(written.clone(), size)).unwrap();
    let mut seen = Seen::new(size);
    let mut page = Buffer::empty(Rect::from(size));
    let (mut moved_up, mut moved_down) = (0, 0);
    for step in 0..steps(1_000) {
        if rng.below(40) == 0 {
            size = Size::new(1 + rng.below(120) as u16, 1 + rng.below(40) as u16);
            terminal.backend_mut().resize(size);
            seen.resize(size);
            page.resize(Rect::from(size));
            page.reset();
            (0..60).for_each(|_| scribble(&mut rng, &mut page));
        }
        if rng.below(60) == 0 {
            // Something else has written to the terminal.
            seen.write(b"\x1b[5;5Helsewhere\x1b[1;31m");
            terminal.clear().unwrap();
        }
        (0..=rng.below(8)).for_each(|_| scribble(&mut rng, &mut page));
        tidy(&mut page);
        let cursor = (rng.below(3) == 0)
            .then(|| Position { x: rng.below(size.width.into()) as u16, y: rng.below(size.height.into()) as u16 });
        draw(&mut terminal, &page, cursor);
        let bytes = written.take();
        moved_up += usize::from(bytes.contains(&b'\n'));
        moved_down += usize::from(bytes.windows(2).any(|pair| pair == b"\x1bM"));
        seen.write(&bytes);
        seen.shows(&page, cursor, &format!("after frame {step} ({:?})", String::from_utf8_lossy(&bytes)));
        draw(&mut terminal, &page, cursor);
        assert!(written.is_empty(), "frame {step} is unchanged");
    }
    assert!(moved_up > 9 && moved_down > 9, "rows moved up {moved_up} times and down {moved_down} times");
}
