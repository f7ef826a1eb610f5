//! SGR (ECMA-48 8.3.117): the sequence from one style to another.

use std::io::Write as _;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Style};

/// The style of a terminal after a reset, with every colour named.
pub(super) const PLAIN: Style = Cell::EMPTY.style();

/// Writes the sequence that turns the style of one cell into that of another.
pub(super) fn write_change(from: Style, to: Style, out: &mut Vec<u8>) {
    if from == to {
        return;
    }
    // Attributes are only ever added: whatever has to go off goes off together with everything else.
    let is_reset = to == PLAIN || !to.add_modifier.contains(from.add_modifier);
    let from = if is_reset { PLAIN } else { from };
    out.extend_from_slice(if is_reset { b"\x1b[;" } else { b"\x1b[" });
    for modifier in (to.add_modifier - from.add_modifier).iter() {
        // ratatui's modifiers are bits in the order of their parameters, from bold (1).
        push(out, format_args!("{}", modifier.bits().trailing_zeros() + 1));
    }
    if from.fg != to.fg {
        push_color(out, to.fg.unwrap_or_default(), 30);
    }
    if from.bg != to.bg {
        push_color(out, to.bg.unwrap_or_default(), 40);
    }
    // The last separator becomes the end.
    out.pop();
    out.push(b'm');
}

fn push(out: &mut Vec<u8>, parameter: std::fmt::Arguments) {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{parameter};");
}

/// Adds a foreground (30) or background (40).
fn push_color(out: &mut Vec<u8>, color: Color, base: u8) {
    match color {
        Color::Indexed(index) => push(out, format_args!("{};5;{index}", base + 8)),
        Color::Rgb(red, green, blue) => push(out, format_args!("{};2;{red};{green};{blue}", base + 8)),
        named => push(out, format_args!("{}", base + offset(named))),
    }
}

/// What a named colour adds to the parameter of black; the bright ones are aixterm's.
fn offset(color: Color) -> u8 {
    match color {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 60,
        Color::LightRed => 61,
        Color::LightGreen => 62,
        Color::LightYellow => 63,
        Color::LightBlue => 64,
        Color::LightMagenta => 65,
        Color::LightCyan => 66,
        Color::White => 67,
        Color::Reset | Color::Indexed(_) | Color::Rgb(..) => 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Modifier;

    fn of_cell(style: Style) -> Style {
        Cell::EMPTY.clone().set_style(style).style()
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
