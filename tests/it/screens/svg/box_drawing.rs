//! Frames, bars and shades as rectangles within a cell, in tenths of a pixel.

use super::CELL;

/// The areas that a symbol covers of its cell.
pub struct Strokes {
    /// Left, top, width, height.
    pub areas: Vec<(usize, usize, usize, usize)>,
    /// An SVG attribute, for shades.
    pub opacity: &'static str,
}

/// Line widths.
const THIN: usize = 10;
const THICK: usize = 26;
/// The centre lines of a frame, on whole pixels, so that they are sharp.
const MIDDLE: (usize, usize) = ((CELL.0 - THIN) / 2, (CELL.1 - THIN) / 2);

/// Returns the shapes of a symbol; `None` for text.
pub fn strokes(symbol: &str) -> Option<Strokes> {
    let mut characters = symbol.chars();
    let (character, None) = (characters.next()?, characters.next()) else { return None };
    let whole = (0, 0, CELL.0, CELL.1);
    let (areas, opacity) = match character {
        '░' => (vec![whole], r#" fill-opacity=".3""#),
        '▒' => (vec![whole], r#" fill-opacity=".55""#),
        '▓' => (vec![whole], r#" fill-opacity=".8""#),
        '█' => (vec![whole], ""),
        '▁'..='▇' => {
            let high = CELL.1 * (character as usize - '▁' as usize + 1) / 8;
            (vec![(0, CELL.1 - high, CELL.0, high)], "")
        }
        '▉'..='▏' => (vec![(0, 0, CELL.0 * ('▏' as usize - character as usize + 1) / 8, CELL.1)], ""),
        '▕' => (vec![(CELL.0 - CELL.0 / 8, 0, CELL.0 / 8, CELL.1)], ""),
        '┃' => (vec![((CELL.0 - THICK) / 2, 0, THICK, CELL.1)], ""),
        other => (frame(other)?, ""),
    };
    Some(Strokes { areas, opacity })
}

/// Returns the arms of a frame symbol: left, right, up, down.
fn frame(character: char) -> Option<Vec<(usize, usize, usize, usize)>> {
    let arms = match character {
        '─' => [true, true, false, false],
        '│' => [false, false, true, true],
        '┌' => [false, true, false, true],
        '┐' => [true, false, false, true],
        '└' => [false, true, true, false],
        '┘' => [true, false, true, false],
        '├' => [false, true, true, true],
        '┤' => [true, false, true, true],
        '┬' => [true, true, false, true],
        '┴' => [true, true, true, false],
        '┼' => [true, true, true, true],
        _ => return None,
    };
    let [left, right, up, down] = arms;
    let from_left = if left { 0 } else { MIDDLE.0 };
    let to_right = if right { CELL.0 } else { MIDDLE.0 + THIN };
    let from_top = if up { 0 } else { MIDDLE.1 };
    let to_bottom = if down { CELL.1 } else { MIDDLE.1 + THIN };
    let mut areas = Vec::new();
    if left || right {
        areas.push((from_left, MIDDLE.1, to_right - from_left, THIN));
    }
    if up || down {
        areas.push((MIDDLE.0, from_top, THIN, to_bottom - from_top));
    }
    Some(areas)
}
