//! Renders a terminal buffer as SVG.
//!
//! Frames and bars are drawn as lines and areas, so that they join with any font; everything else is monospaced text,
//! each run fitted to the width of its cells. A picture references nothing external.

mod box_drawing;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use reportdeck::domain::text::width;

use box_drawing::strokes;

/// Width and height of a cell in tenths of a pixel, integers so that they are formatted the same everywhere.
pub const CELL: (usize, usize) = (84, 180);
/// Margin around the screen, in tenths of a pixel.
const MARGIN: usize = 120;
/// Distance from the top of a cell to the baseline, in tenths of a pixel.
const BASE: usize = 134;

/// The look of a cell after resolving reversed and default colours.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Ink {
    fill: String,
    is_bold: bool,
    is_underlined: bool,
}

/// Returns a screen as SVG. `paper` and `text` replace the terminal's default colours.
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
    // A thin border: on a page of the same colour the picture would have no visible edge.
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

/// Returns the visible text and background colours of a cell.
fn seen(cell: &Cell, (paper, text): (Color, Color)) -> (Color, Color) {
    let own = |colour: Color, default: Color| if colour == Color::Reset { default } else { colour };
    let (front, back) = (own(cell.fg, text), own(cell.bg, paper));
    if cell.modifier.contains(Modifier::REVERSED) { (back, front) } else { (front, back) }
}

/// Draws the backgrounds that differ from the default: one area for each run of cells.
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

/// Draws frames, bars and shades: one path for each colour.
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

/// Draws the text. A run ends where the look changes, at two spaces, and around non-ASCII characters, which may come
/// from another font of another width and must not shift the following text.
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
    // Only runs are fitted to their width: a single character from another font would be distorted.
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

/// Formats tenths: `84` as `8.4`, `180` as `18`.
fn tenths(number: usize) -> String {
    let (whole, rest) = (number / 10, number % 10);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest}") }
}

/// Formats a colour as `#16181d`. Pictures are drawn with 24-bit themes.
pub fn code(colour: Color) -> String {
    match colour {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        other => panic!("{other} looks different on every terminal"),
    }
}

/// Escapes a text for use between tags.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
