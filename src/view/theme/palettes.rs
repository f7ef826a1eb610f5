//! The themes with their own background, one entry each. A test checks the contrast of every pair.

use ratatui::style::{Color, Modifier, Style};

use super::style::Theme;
use super::tone::Tone;
use crate::domain::look::ThemeName;
use crate::domain::look::terminal_env::Colours;

/// A colour for terminals with 256 or more colours, and its substitute among the sixteen.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaletteColor(pub(super) Tone, pub(super) Color);

/// The colours of a theme.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    pub(super) name: ThemeName,
    /// The default background.
    pub(super) background: PaletteColor,
    pub(super) text: PaletteColor,
    pub(super) dim: PaletteColor,
    pub(super) focus: PaletteColor,
    pub(super) good: PaletteColor,
    pub(super) decent: PaletteColor,
    pub(super) bad: PaletteColor,
    /// The background of the cursor row in an unfocused pane; its text colours are unchanged.
    pub(super) unfocused: PaletteColor,
    /// A text colour with its background.
    pub(super) selected: (PaletteColor, PaletteColor),
    /// The same for buttons.
    pub(super) button: (PaletteColor, PaletteColor),
}

const fn color(code: u32, of_sixteen: Color) -> PaletteColor {
    PaletteColor(Tone::of(code), of_sixteen)
}

/// All palettes. Of the sixteen colours, only those readable in the usual rendering of terminals are used.
pub(super) const PALETTES: [Palette; 4] = [
    Palette {
        name: ThemeName::Dark,
        background: color(0x0016_181d, Color::Black),
        text: color(0x00d8_dce3, Color::White),
        dim: color(0x0093_9ba8, Color::Gray),
        focus: color(0x006c_c7e8, Color::LightCyan),
        good: color(0x007f_cf87, Color::LightGreen),
        decent: color(0x00e0_b85c, Color::LightYellow),
        bad: color(0x00ff_8a80, Color::LightRed),
        unfocused: color(0x0026_2b35, Color::Black),
        selected: (color(0x00ff_ffff, Color::Black), color(0x002b_507a, Color::Cyan)),
        button: (color(0x0010_1216, Color::Black), color(0x00e0_b85c, Color::LightYellow)),
    },
    Palette {
        name: ThemeName::Light,
        background: color(0x00fb_fbf8, Color::White),
        text: color(0x0022_262c, Color::Black),
        dim: color(0x005b_636e, Color::Black),
        focus: color(0x0000_5f8a, Color::Blue),
        good: color(0x001c_6b2f, Color::Blue),
        decent: color(0x0086_5700, Color::Magenta),
        bad: color(0x00b3_261e, Color::Red),
        unfocused: color(0x00e8_ebee, Color::White),
        selected: (color(0x00ff_ffff, Color::White), color(0x001f_5c99, Color::Blue)),
        button: (color(0x00ff_ffff, Color::White), color(0x006b_4600, Color::Black)),
    },
    Palette {
        name: ThemeName::HighContrast,
        background: color(0x0000_0000, Color::Black),
        text: color(0x00ff_ffff, Color::White),
        dim: color(0x00d0_d0d0, Color::Gray),
        focus: color(0x00ff_ff00, Color::LightYellow),
        good: color(0x005f_ff5f, Color::LightGreen),
        decent: color(0x00ff_ff00, Color::LightYellow),
        bad: color(0x00ff_9f9f, Color::LightRed),
        unfocused: color(0x001c_1c1c, Color::Black),
        selected: (color(0x0000_0000, Color::Black), color(0x00ff_ff00, Color::LightYellow)),
        button: (color(0x0000_0000, Color::Black), color(0x0000_ffff, Color::LightCyan)),
    },
    Palette {
        name: ThemeName::ColourBlind,
        background: color(0x0014_161a, Color::Black),
        text: color(0x00e2_e4e8, Color::White),
        dim: color(0x009a_a0aa, Color::Gray),
        focus: color(0x00f2_f2f2, Color::White),
        good: color(0x0056_b4e9, Color::LightCyan),
        decent: color(0x00f5_eb8f, Color::LightYellow),
        bad: color(0x00e8_7a1d, Color::LightRed),
        unfocused: color(0x0024_2830, Color::Black),
        selected: (color(0x0000_0000, Color::Black), color(0x008f_cef2, Color::LightCyan)),
        button: (color(0x0000_0000, Color::Black), color(0x00f5_eb8f, Color::LightYellow)),
    },
];

impl Palette {
    /// Returns the theme for a terminal with these colours.
    pub(super) fn theme(&self, colours: Colours) -> Theme {
        let colour = |PaletteColor(tone, of_sixteen): PaletteColor| match colours {
            Colours::True => tone.exact(),
            Colours::Many => tone.of_many(),
            Colours::Sixteen | Colours::None => of_sixteen,
        };
        let text = |foreground: PaletteColor| Style::new().fg(colour(foreground));
        let over = |(foreground, background)| text(foreground).bg(colour(background));
        // Many terminals draw the bold text of the sixteen colours brighter, and bold black as grey.
        let is_dark_text = colours == Colours::Sixteen && self.text.1 == Color::Black;
        let emphasis = if is_dark_text { Modifier::empty() } else { Modifier::BOLD };
        let emphasised = |style: Style| style.add_modifier(emphasis);
        Theme {
            text: over((self.text, self.background)),
            dim: text(self.dim),
            title: emphasised(text(self.text)),
            focus: emphasised(text(self.focus)),
            selected: over(self.selected),
            unfocused: emphasised(Style::new().bg(colour(self.unfocused))),
            good: text(self.good),
            decent: text(self.decent),
            bad: text(self.bad),
            key: text(self.focus),
            button: over(self.button),
        }
    }
}
