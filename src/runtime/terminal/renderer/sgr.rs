//! The attributes that the terminal writes with, and the shortest sequence from one set of them to another.
//!
//! Must not know where is written.

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// What is seen where no character stands.
const SEEN_ON_BLANKS: Modifier = Modifier::REVERSED
    .union(Modifier::UNDERLINED)
    .union(Modifier::SLOW_BLINK)
    .union(Modifier::RAPID_BLINK)
    .union(Modifier::CROSSED_OUT);
const BLINKING: Modifier = Modifier::SLOW_BLINK.union(Modifier::RAPID_BLINK);
const INTENSITY: Modifier = Modifier::BOLD.union(Modifier::DIM);
/// A modifier and the number that switches it on.
type On = (Modifier, u16);
/// What is switched off together, the number that does it, and what each is switched on with.
const SWITCHES: [(Modifier, u16, &[On]); 7] = [
    (INTENSITY, 22, &[(Modifier::BOLD, 1), (Modifier::DIM, 2)]),
    (Modifier::ITALIC, 23, &[(Modifier::ITALIC, 3)]),
    (Modifier::UNDERLINED, 24, &[(Modifier::UNDERLINED, 4)]),
    (BLINKING, 25, &[(Modifier::SLOW_BLINK, 5), (Modifier::RAPID_BLINK, 6)]),
    (Modifier::REVERSED, 27, &[(Modifier::REVERSED, 7)]),
    (Modifier::HIDDEN, 28, &[(Modifier::HIDDEN, 8)]),
    (Modifier::CROSSED_OUT, 29, &[(Modifier::CROSSED_OUT, 9)]),
];

/// Spreads a number over all bits when it is multiplied with this: 2⁶⁴ by the golden ratio, made odd so that no two
/// numbers become one.
pub(super) const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Colours and attributes; the default is what a terminal begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pen {
    text: Color,
    ground: Color,
    line: Color,
    modifier: Modifier,
}

/// How something written with a pen looks, as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Looks {
    /// Of a text, to be mixed with that.
    pub(super) of_text: u64,
    /// Of a blank.
    pub(super) of_blank: u64,
}

impl Pen {
    /// What a cell is written with.
    #[inline]
    pub(super) fn of(cell: &Cell) -> Self {
        Self { text: cell.fg, ground: cell.bg, line: cell.underline_color, modifier: cell.modifier }
    }

    /// Whether a blank looks the same with both: the colour of a text that is not there is not seen.
    pub(super) fn blanks_like(self, other: Self) -> bool {
        let plain = !(self.modifier | other.modifier).intersects(SEEN_ON_BLANKS);
        if plain { self.ground == other.ground } else { self == other }
    }

    /// Numbers that are the same for what looks the same.
    pub(super) fn looks(self) -> Looks {
        let ground = number(self.ground);
        let colours = u64::from(number(self.text)) << 32 | u64::from(ground);
        let marks = u64::from(number(self.line)) << 32 | u64::from(self.modifier.bits());
        let of_text = (colours.wrapping_mul(ODD).rotate_left(31) ^ marks).wrapping_mul(ODD).rotate_left(29);
        // Another number than that of any letter.
        let seen = if self.modifier.intersects(SEEN_ON_BLANKS) { of_text } else { u64::from(ground) };
        Looks { of_text, of_blank: (seen ^ u64::from(b' ')).wrapping_mul(ODD).rotate_left(29) }
    }

    /// Writes what turns this into another pen: what differs, or everything anew where that is shorter.
    pub(super) fn turn(self, to: Self, out: &mut Vec<u8>) {
        if self == to {
            return;
        }
        if to == Self::default() {
            out.extend_from_slice(b"\x1b[m");
            return;
        }
        let start = out.len();
        out.extend_from_slice(b"\x1b[");
        self.differences(to, out);
        let anew = out.len();
        // Nothing before the first `;` stands for 0: everything off.
        out.extend_from_slice(b"\x1b[;");
        Self::default().differences(to, out);
        if out.len() - anew < anew - start {
            out.drain(start..anew);
        } else {
            out.truncate(anew);
        }
    }

    fn differences(self, to: Self, out: &mut Vec<u8>) {
        for (together, off, each) in SWITCHES {
            let (was, is) = (self.modifier & together, to.modifier & together);
            let mut on = is - was;
            if !(was - is).is_empty() {
                parameter(out, off);
                on = is;
            }
            each.iter().filter(|(modifier, _)| on.contains(*modifier)).for_each(|(_, number)| parameter(out, *number));
        }
        if self.text != to.text {
            colour(out, to.text, 30);
        }
        if self.ground != to.ground {
            colour(out, to.ground, 40);
        }
        if self.line != to.line {
            line_colour(out, to.line);
        }
        // Two different pens leave at least one parameter, and with it one `;` too much.
        if let Some(last) = out.last_mut() {
            *last = b'm';
        }
    }
}

/// A number and what parts it from the next.
fn parameter(out: &mut Vec<u8>, number: u16) {
    decimal(out, number);
    out.push(b';');
}

fn parameters(out: &mut Vec<u8>, numbers: &[u16]) {
    for number in numbers {
        parameter(out, *number);
    }
}

/// A number in decimal digits.
pub(super) fn decimal(out: &mut Vec<u8>, number: u16) {
    if number >= 10 {
        decimal(out, number / 10);
    }
    out.push(b'0' + (number % 10) as u8);
}

/// Writes a colour of texts (30) or of grounds (40).
fn colour(out: &mut Vec<u8>, colour: Color, base: u16) {
    match colour {
        Color::Reset => parameter(out, base + 9),
        Color::Indexed(index) => parameters(out, &[base + 8, 5, index.into()]),
        Color::Rgb(red, green, blue) => parameters(out, &[base + 8, 2, red.into(), green.into(), blue.into()]),
        named => {
            let index = index(named);
            parameter(out, if index < 8 { base + index } else { base + 60 + index - 8 });
        }
    }
}

/// Writes a colour of underlines. With colons: a terminal that does not know it must not take its parts for attributes.
fn line_colour(out: &mut Vec<u8>, colour: Color) {
    let numbers: &[u16] = match colour {
        Color::Reset => &[59],
        Color::Indexed(index) => &[58, 5, index.into()],
        Color::Rgb(red, green, blue) => &[58, 2, red.into(), green.into(), blue.into()],
        named => &[58, 5, index(named)],
    };
    for (at, number) in numbers.iter().enumerate() {
        if at > 0 {
            out.push(b':');
        }
        // The place of the colour space, which is left to the terminal.
        if at == 2 && numbers.len() == 5 {
            out.push(b':');
        }
        decimal(out, *number);
    }
    out.push(b';');
}

/// The number of one of the sixteen colours.
fn index(colour: Color) -> u16 {
    match colour {
        Color::Reset | Color::Black => 0,
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
        Color::Indexed(index) => index.into(),
        Color::Rgb(..) => 16,
    }
}

fn number(colour: Color) -> u32 {
    match colour {
        Color::Reset => 0,
        Color::Indexed(index) => 0x0200_0000 | u32::from(index),
        Color::Rgb(red, green, blue) => 0x0400_0000 | u32::from_be_bytes([0, red, green, blue]),
        named => 0x0100_0000 | u32::from(index(named)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn pen(style: Style) -> Pen {
        Pen::of(Cell::EMPTY.clone().set_style(style))
    }

    fn written(from: Style, to: Style) -> String {
        let mut out = Vec::new();
        pen(from).turn(pen(to), &mut out);
        String::from_utf8(out).unwrap().replace('\x1b', "ESC")
    }

    #[test]
    fn only_what_differs_is_written_and_everything_anew_where_that_is_shorter() {
        let plain = Style::new();
        assert_eq!(written(plain, plain), "");
        assert_eq!(written(plain, plain.fg(Color::Red)), "ESC[31m");
        assert_eq!(written(plain.fg(Color::Red), plain), "ESC[m");
        assert_eq!(written(plain.fg(Color::Red), plain.fg(Color::Red).bold()), "ESC[1m");
        assert_eq!(written(plain.fg(Color::Red).bold(), plain.fg(Color::Red)), "ESC[22m");
        let much = plain.fg(Color::Red).bold().italic().reversed();
        assert_eq!(written(much, plain.fg(Color::Blue)), "ESC[;34m");
    }

    #[test]
    fn what_is_switched_off_together_is_switched_on_again() {
        let plain = Style::new();
        assert_eq!(written(plain.fg(Color::Cyan).bold().dim(), plain.fg(Color::Cyan).dim()), "ESC[22;2m");
        let blinking = plain.bg(Color::Cyan).slow_blink().rapid_blink();
        assert_eq!(written(blinking, plain.bg(Color::Cyan).slow_blink()), "ESC[25;5m");
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
        for (modifier, on, off) in [
            (Modifier::BOLD, 1, 22),
            (Modifier::DIM, 2, 22),
            (Modifier::ITALIC, 3, 23),
            (Modifier::UNDERLINED, 4, 24),
            (Modifier::SLOW_BLINK, 5, 25),
            (Modifier::RAPID_BLINK, 6, 25),
            (Modifier::REVERSED, 7, 27),
            (Modifier::HIDDEN, 8, 28),
            (Modifier::CROSSED_OUT, 9, 29),
        ] {
            let green = Style::new().fg(Color::Indexed(100));
            assert_eq!(written(green, green.add_modifier(modifier)), format!("ESC[{on}m"));
            assert_eq!(written(green.add_modifier(modifier), green), format!("ESC[{off}m"));
        }
    }

    #[test]
    fn of_a_blank_only_its_ground_is_seen_unless_it_is_marked() {
        let of_blank = |pen: Pen| pen.looks().of_blank;
        let red = pen(Style::new().fg(Color::Red).bold());
        let plain = Pen::default();
        assert!(red.blanks_like(plain) && of_blank(red) == of_blank(plain));
        assert!(red.looks().of_text != plain.looks().of_text);
        let ground = pen(Style::new().bg(Color::Red));
        assert!(!ground.blanks_like(plain) && of_blank(ground) != of_blank(plain));
        let reversed = pen(Style::new().fg(Color::Red).reversed());
        assert!(!reversed.blanks_like(pen(Style::new().reversed())));
        assert!(!reversed.blanks_like(red) && of_blank(reversed) != of_blank(red));
    }
}
