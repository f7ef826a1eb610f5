//! Colours and attributes of a cell, and the SGR sequence (ECMA-48 8.3.117) from one set of them to another.

use std::io::Write as _;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// The attributes that are visible where no character stands.
const VISIBLE_ON_BLANK: Modifier = Modifier::REVERSED
    .union(Modifier::UNDERLINED)
    .union(Modifier::SLOW_BLINK)
    .union(Modifier::RAPID_BLINK)
    .union(Modifier::CROSSED_OUT);
/// Each attribute with the parameter that switches it on.
const PARAMETERS: [(Modifier, u8); 9] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::SLOW_BLINK, 5),
    (Modifier::RAPID_BLINK, 6),
    (Modifier::REVERSED, 7),
    (Modifier::HIDDEN, 8),
    (Modifier::CROSSED_OUT, 9),
];

/// Colours and attributes; the default is that of a terminal after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CellStyle {
    fg: Color,
    bg: Color,
    underline: Color,
    modifier: Modifier,
}

impl CellStyle {
    pub(super) fn of(cell: &Cell) -> Self {
        Self { fg: cell.fg, bg: cell.bg, underline: cell.underline_color, modifier: cell.modifier }
    }

    /// Whether a blank looks the same in both styles: the colour of a missing character is invisible.
    pub(super) fn is_same_on_blank(self, other: Self) -> bool {
        self == other || self.bg == other.bg && !(self.modifier | other.modifier).intersects(VISIBLE_ON_BLANK)
    }

    /// Writes the sequence that turns this style into another one.
    pub(super) fn write_change(self, to: Self, out: &mut Vec<u8>) {
        if to == Self::default() && self != to {
            return out.extend_from_slice(b"\x1b[m");
        }
        // Attributes are only ever added: whatever has to go off goes off together with everything else.
        let is_reset = !to.modifier.contains(self.modifier);
        let from = if is_reset { Self::default() } else { self };
        let mut parameters = Vec::with_capacity(32);
        if is_reset {
            parameters.push(b';');
        }
        for (modifier, parameter) in PARAMETERS {
            if (to.modifier - from.modifier).contains(modifier) {
                push(&mut parameters, format_args!("{parameter}"));
            }
        }
        if from.fg != to.fg {
            push_color(&mut parameters, to.fg, 30);
        }
        if from.bg != to.bg {
            push_color(&mut parameters, to.bg, 40);
        }
        if from.underline != to.underline {
            push_underline_color(&mut parameters, to.underline);
        }
        if parameters.pop().is_some() {
            out.extend_from_slice(b"\x1b[");
            out.extend_from_slice(&parameters);
            out.push(b'm');
        }
    }
}

fn push(parameters: &mut Vec<u8>, parameter: std::fmt::Arguments) {
    // Writing to a vector cannot fail.
    let _ = write!(parameters, "{parameter};");
}

/// Adds a foreground (30) or background (40).
fn push_color(parameters: &mut Vec<u8>, color: Color, base: u8) {
    match color {
        Color::Reset => push(parameters, format_args!("{}", base + 9)),
        Color::Indexed(index) => push(parameters, format_args!("{};5;{index}", base + 8)),
        Color::Rgb(red, green, blue) => push(parameters, format_args!("{};2;{red};{green};{blue}", base + 8)),
        named => match ansi_index(named) {
            index @ 0..8 => push(parameters, format_args!("{}", base + index)),
            bright => push(parameters, format_args!("{}", base + 60 + bright - 8)),
        },
    }
}

/// Adds a colour of underlines, with colons: a terminal that does not know it would take `;` parameters for attributes.
fn push_underline_color(parameters: &mut Vec<u8>, color: Color) {
    match color {
        Color::Reset => push(parameters, format_args!("59")),
        Color::Indexed(index) => push(parameters, format_args!("58:5:{index}")),
        Color::Rgb(red, green, blue) => push(parameters, format_args!("58:2::{red}:{green}:{blue}")),
        named => push(parameters, format_args!("58:5:{}", ansi_index(named))),
    }
}

/// The index of one of the sixteen named colours.
fn ansi_index(color: Color) -> u8 {
    match color {
        Color::Reset | Color::Black | Color::Rgb(..) => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
        Color::Indexed(index) => index,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn style(style: Style) -> CellStyle {
        CellStyle::of(Cell::EMPTY.clone().set_style(style))
    }

    fn written(from: Style, to: Style) -> String {
        let mut out = Vec::new();
        style(from).write_change(style(to), &mut out);
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
        assert_eq!(written(plain, plain.underline_color(Color::LightRed)), "ESC[58:5:9m");
        assert_eq!(written(plain, plain.underline_color(Color::Rgb(1, 2, 3))), "ESC[58:2::1:2:3m");
        assert_eq!(written(both.underline_color(Color::Red), both), "ESC[59m");
        assert_eq!(written(both, plain.bg(Color::DarkGray)), "ESC[39m");
    }

    #[test]
    fn every_attribute_is_switched_on_and_off() {
        for (modifier, parameter) in PARAMETERS {
            let green = Style::new().fg(Color::Indexed(100));
            assert_eq!(written(green, green.add_modifier(modifier)), format!("ESC[{parameter}m"));
            assert_eq!(written(green.add_modifier(modifier), green), "ESC[;38;5;100m");
        }
    }

    #[test]
    fn only_the_background_of_a_blank_is_visible_unless_it_is_underlined_or_reversed() {
        let red = style(Style::new().fg(Color::Red).bold());
        assert!(red.is_same_on_blank(CellStyle::default()));
        assert!(!style(Style::new().bg(Color::Red)).is_same_on_blank(CellStyle::default()));
        let reversed = style(Style::new().fg(Color::Red).reversed());
        assert!(reversed.is_same_on_blank(reversed));
        assert!(!reversed.is_same_on_blank(style(Style::new().reversed())));
        assert!(!reversed.is_same_on_blank(red));
    }
}
