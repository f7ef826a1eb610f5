//! SGR (ECMA-48 8.3.117): the sequence that changes from one style to another.

use std::io::Write as _;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// A style as SGR parameters: numbers, which are cheap to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SgrStyle {
    foreground: u32,
    background: u32,
    modifiers: Modifier,
}

impl SgrStyle {
    /// The style of a terminal after a reset.
    pub(super) const PLAIN: Self = Self::of(&Cell::EMPTY);

    pub(super) const fn of(cell: &Cell) -> Self {
        Self { foreground: color(cell.fg), background: color(cell.bg), modifiers: cell.modifier }
    }
}

/// Writes the sequence that changes from one style to another.
pub(super) fn write_change(from: SgrStyle, to: SgrStyle, out: &mut Vec<u8>) {
    if from == to {
        return;
    }
    // Attributes are only added; to remove one, all are reset.
    let is_reset = to == SgrStyle::PLAIN || !to.modifiers.contains(from.modifiers);
    let from = if is_reset { SgrStyle::PLAIN } else { from };
    out.extend_from_slice(if is_reset { b"\x1b[;" } else { b"\x1b[" });
    for modifier in (to.modifiers - from.modifiers).iter() {
        // ratatui's modifiers are bits in the order of their parameters, from bold (1).
        let _ = write!(out, "{};", modifier.bits().trailing_zeros() + 1);
    }
    if from.foreground != to.foreground {
        push_color(out, to.foreground, 30);
    }
    if from.background != to.background {
        push_color(out, to.background, 40);
    }
    // The last separator is replaced by the terminator.
    out.pop();
    out.push(b'm');
}

/// Writes a foreground (30) or background (40) colour.
fn push_color(out: &mut Vec<u8>, color: u32, base: u8) {
    // Writing to a vector cannot fail.
    let _ = match color.to_be_bytes() {
        [1, .., index] => write!(out, "{};5;{index};", base + 8),
        [2, red, green, blue] => write!(out, "{};2;{red};{green};{blue};", base + 8),
        [.., offset] => write!(out, "{};", base + offset),
    };
}

/// Encodes a colour in four bytes: 1, 0, 0 and a palette index; 2, red, green and blue; or the offset of a named colour
/// from the parameter for black, with bright ones as in aixterm.
const fn color(color: Color) -> u32 {
    match color {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::Reset => 9,
        Color::DarkGray => 60,
        Color::LightRed => 61,
        Color::LightGreen => 62,
        Color::LightYellow => 63,
        Color::LightBlue => 64,
        Color::LightMagenta => 65,
        Color::LightCyan => 66,
        Color::White => 67,
        Color::Indexed(index) => u32::from_be_bytes([1, 0, 0, index]),
        Color::Rgb(red, green, blue) => u32::from_be_bytes([2, red, green, blue]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn of_cell(style: Style) -> SgrStyle {
        SgrStyle::of(Cell::EMPTY.clone().set_style(style))
    }

    fn written(from: Style, to: Style) -> String {
        let mut out = Vec::new();
        write_change(of_cell(from), of_cell(to), &mut out);
        String::from_utf8(out).unwrap().replace('\x1b', "ESC")
    }

    #[test]
    fn only_differences_are_written() {
        let plain = Style::new();
        assert_eq!(written(plain, plain), "");
        assert_eq!(written(plain, plain.fg(Color::Red)), "ESC[31m");
        assert_eq!(written(plain.fg(Color::Red), plain), "ESC[m");
        assert_eq!(written(plain.fg(Color::Red), plain.fg(Color::Red).bold()), "ESC[1m");
        assert_eq!(written(plain.fg(Color::Red).bold(), plain.fg(Color::Blue).bold()), "ESC[34m");
    }

    #[test]
    fn an_attribute_goes_off_with_a_reset() {
        let plain = Style::new();
        assert_eq!(written(plain.fg(Color::Red).bold(), plain.fg(Color::Red)), "ESC[;31m");
        let many = plain.fg(Color::Red).bold().italic().reversed();
        assert_eq!(written(many, plain.fg(Color::Blue).italic()), "ESC[;3;34m");
        assert_eq!(written(plain.fg(Color::Cyan).bold().dim(), plain.fg(Color::Cyan).dim()), "ESC[;2;36m");
    }

    #[test]
    fn colours_have_their_shortest_form() {
        let plain = Style::new();
        let both = plain.fg(Color::Gray).bg(Color::DarkGray);
        assert_eq!(written(plain, both), "ESC[37;100m");
        assert_eq!(written(plain, plain.fg(Color::White).bg(Color::Black)), "ESC[97;40m");
        assert_eq!(written(plain, plain.fg(Color::Indexed(208))), "ESC[38;5;208m");
        assert_eq!(written(plain, plain.bg(Color::Rgb(1, 20, 255))), "ESC[48;2;1;20;255m");
        assert_eq!(written(both, plain.bg(Color::DarkGray)), "ESC[39m");
    }

    #[test]
    fn the_sixteen_colours_have_the_parameters_of_aixterm() {
        let dark = [Color::Black, Color::Red, Color::Green, Color::Yellow, Color::Blue, Color::Magenta, Color::Cyan];
        let light = [
            Color::DarkGray,
            Color::LightRed,
            Color::LightGreen,
            Color::LightYellow,
            Color::LightBlue,
            Color::LightMagenta,
            Color::LightCyan,
            Color::White,
        ];
        for (colours, first) in [(dark.as_slice(), 30), (&[Color::Gray], 37), (&light, 90)] {
            for (parameter, colour) in (first..).zip(colours) {
                let plain = Style::new();
                assert_eq!(written(plain, plain.fg(*colour)), format!("ESC[{parameter}m"));
                assert_eq!(written(plain, plain.bg(*colour)), format!("ESC[{}m", parameter + 10));
            }
        }
    }

    #[test]
    fn every_attribute_is_switched_on_and_off() {
        for (modifier, parameter) in [
            (Modifier::BOLD, 1),
            (Modifier::DIM, 2),
            (Modifier::ITALIC, 3),
            (Modifier::UNDERLINED, 4),
            (Modifier::SLOW_BLINK, 5),
            (Modifier::RAPID_BLINK, 6),
            (Modifier::REVERSED, 7),
            (Modifier::HIDDEN, 8),
            (Modifier::CROSSED_OUT, 9),
        ] {
            let green = Style::new().fg(Color::Indexed(100));
            assert_eq!(written(green, green.add_modifier(modifier)), format!("ESC[{parameter}m"));
            assert_eq!(written(green.add_modifier(modifier), green), "ESC[;38;5;100m");
        }
    }
}
