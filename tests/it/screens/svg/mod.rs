//! A terminal buffer as SVG.
//!
//! Frames and bars are drawn as lines and areas, so that they meet with any font; everything else is text in a
//! monospace font, each run held to the width of its cells. A picture references nothing external.

mod box_drawing;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use reportdeck::domain::text::width;

use box_drawing::strokes;

/// Width and height of a cell, in tenths of a pixel: whole numbers are written the same everywhere.
pub const CELL: (usize, usize) = (84, 180);
/// Room around the screen.
const MARGIN: usize = 120;
/// From the top of a cell to the line its letters stand on.
const BASE: usize = 134;

/// What a cell looks like once reversed and default colours are resolved.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Ink {
    fill: String,
    is_bold: bool,
    is_underlined: bool,
}

/// The picture of a screen. `paper` and `text` stand for the terminal's own colours.
pub fn picture(buffer: &Buffer, (title, description): (&str, &str), paper: Color, text: Color) -> String {
    let area = buffer.area;
    let (wide, high) = (usize::from(area.width) * CELL.0, usize::from(area.height) * CELL.1);
    let mut svg = String::new();
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-labelledby="title description">"#,
        tenths(wide + 2 * MARGIN),
        tenths(high + 2 * MARGIN),
        tenths(wide + 2 * MARGIN),
        tenths(high + 2 * MARGIN),
    )
    .unwrap();
    writeln!(svg, r#"<title id="title">{}</title>"#, escaped(title)).unwrap();
    writeln!(svg, r#"<desc id="description">{}</desc>"#, escaped(description)).unwrap();
    // A hair of an edge: on a page of the same colour the picture would have no end.
    writeln!(
        svg,
        r#"<rect x=".5" y=".5" width="{}" height="{}" rx="8" fill="{}" stroke="{}" stroke-opacity=".25"/>"#,
        tenths(wide + 2 * MARGIN - 10),
        tenths(high + 2 * MARGIN - 10),
        code(paper),
        code(text),
    )
    .unwrap();
    let place = tenths(MARGIN);
    writeln!(
        svg,
        r#"<g transform="translate({place} {place})" font-family="ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace" font-size="14" style="white-space:pre">"#
    )
    .unwrap();
    let colours = (paper, text);
    svg.push_str(&papers(buffer, colours));
    svg.push_str(&lines(buffer, colours));
    svg.push_str(&texts(buffer, colours));
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Text and background of a cell, as they are seen.
fn seen(cell: &Cell, (paper, text): (Color, Color)) -> (Color, Color) {
    let own = |colour: Color, default: Color| if colour == Color::Reset { default } else { colour };
    let (front, back) = (own(cell.fg, text), own(cell.bg, paper));
    if cell.modifier.contains(Modifier::REVERSED) { (back, front) } else { (front, back) }
}

/// The backgrounds that are not the paper's: one area for each run of cells.
fn papers(buffer: &Buffer, colours: (Color, Color)) -> String {
    let mut svg = String::new();
    for row in 0..buffer.area.height {
        let mut column = 0;
        while column < buffer.area.width {
            let back = seen(&buffer[(column, row)], colours).1;
            let start = column;
            while column < buffer.area.width && seen(&buffer[(column, row)], colours).1 == back {
                column += 1;
            }
            if back != colours.0 {
                let (x, y) = place(start, row);
                let wide = usize::from(column - start) * CELL.0;
                writeln!(
                    svg,
                    r#"<rect x="{x}" y="{y}" width="{}" height="{}" fill="{}"/>"#,
                    tenths(wide),
                    tenths(CELL.1),
                    code(back)
                )
                .unwrap();
            }
        }
    }
    svg
}

/// Frames, bars and shades: all of one colour in one path.
fn lines(buffer: &Buffer, colours: (Color, Color)) -> String {
    let mut paths: BTreeMap<(String, &'static str), String> = BTreeMap::new();
    for row in 0..buffer.area.height {
        for column in 0..buffer.area.width {
            let cell = &buffer[(column, row)];
            let Some(drawn) = strokes(cell.symbol()) else { continue };
            let path = paths.entry((code(seen(cell, colours).0), drawn.opacity)).or_default();
            for (x, y, wide, high) in drawn.areas {
                let (x, y) = (usize::from(column) * CELL.0 + x, usize::from(row) * CELL.1 + y);
                write!(path, "M{} {}h{}v{}h-{}z", tenths(x), tenths(y), tenths(wide), tenths(high), tenths(wide))
                    .unwrap();
            }
        }
    }
    paths.into_iter().fold(String::new(), |mut svg, ((fill, opacity), path)| {
        writeln!(svg, r#"<path fill="{fill}"{opacity} d="{path}"/>"#).unwrap();
        svg
    })
}

/// Everything else. A run ends where the look changes, at two spaces, and around what is not ASCII: such letters may
/// come from another font, whose width must not push what follows.
fn texts(buffer: &Buffer, colours: (Color, Color)) -> String {
    let mut svg = String::new();
    for row in 0..buffer.area.height {
        let mut run: Option<(u16, Ink, String, usize)> = None;
        let mut column = 0;
        while column < buffer.area.width {
            let cell = &buffer[(column, row)];
            let cells = width(cell.symbol()).max(1);
            let ink = Ink {
                fill: code(seen(cell, colours).0),
                is_bold: cell.modifier.contains(Modifier::BOLD),
                is_underlined: cell.modifier.contains(Modifier::UNDERLINED),
            };
            let symbol = if strokes(cell.symbol()).is_some() { " " } else { cell.symbol() };
            match &mut run {
                Some((_, of, text, wide))
                    if *of == ink && symbol.is_ascii() && text.is_ascii() && !text.ends_with("  ") =>
                {
                    text.push_str(symbol);
                    *wide += cells;
                }
                _ => {
                    finish(&mut svg, row, run.take());
                    run = Some((column, ink, symbol.to_owned(), cells));
                }
            }
            column += u16::try_from(cells).unwrap();
        }
        finish(&mut svg, row, run);
    }
    svg
}

fn finish(svg: &mut String, row: u16, run: Option<(u16, Ink, String, usize)>) {
    let Some((column, ink, text, cells)) = run else { return };
    let written = text.trim_end();
    if written.is_empty() {
        return;
    }
    let blanks = written.len() - written.trim_start().len();
    let cells = cells - (text.len() - written.len()) - blanks;
    let x = tenths((usize::from(column) + blanks) * CELL.0);
    let y = tenths(usize::from(row) * CELL.1 + BASE);
    let bold = if ink.is_bold { r#" font-weight="700""# } else { "" };
    let underlined = if ink.is_underlined { r#" text-decoration="underline""# } else { "" };
    // Only runs are held to their width: a single letter of another font would be pulled out of shape.
    let length = if written.is_ascii() && cells > 1 {
        format!(r#" textLength="{}" lengthAdjust="spacingAndGlyphs""#, tenths(cells * CELL.0))
    } else {
        String::new()
    };
    let fill = &ink.fill;
    writeln!(
        svg,
        r#"<text x="{x}" y="{y}" fill="{fill}"{bold}{underlined}{length}>{}</text>"#,
        escaped(written.trim_start())
    )
    .unwrap();
}

fn place(column: u16, row: u16) -> (String, String) {
    (tenths(usize::from(column) * CELL.0), tenths(usize::from(row) * CELL.1))
}

/// `84` → `8.4`, `180` → `18`.
fn tenths(number: usize) -> String {
    let (whole, rest) = (number / 10, number % 10);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest}") }
}

/// `#16181d`. Pictures are drawn with themes in 24-bit colours.
pub fn code(colour: Color) -> String {
    match colour {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        other => panic!("{other} looks different on every terminal"),
    }
}

/// A text between tags.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
