//! The themes that bring their own background: one entry each. A test holds every pair readable.

use ratatui::style::{Color, Modifier, Style};

use super::style::Theme;
use super::tone::Tone;
use crate::domain::look::ThemeName;
use crate::domain::look::terminal_env::Colours;

/// A colour for terminals with many colours, and its stand-in among the sixteen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink(pub(super) Tone, pub(super) Color);

/// Text on a background.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) ink: Ink,
    pub(super) paper: Ink,
}

/// A theme in colours.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    pub(super) name: ThemeName,
    /// Behind everything that says nothing else.
    pub(super) paper: Ink,
    pub(super) text: Ink,
    pub(super) dim: Ink,
    pub(super) focus: Ink,
    pub(super) good: Ink,
    pub(super) decent: Ink,
    pub(super) bad: Ink,
    /// Behind the row under the cursor of a pane without the keyboard; its texts keep their colours.
    pub(super) remembered: Ink,
    pub(super) selected: Pair,
    pub(super) button: Pair,
}

const fn ink(code: u32, of_sixteen: Color) -> Ink {
    Ink(Tone::of(code), of_sixteen)
}

const fn pair(ink: Ink, paper: Ink) -> Pair {
    Pair { ink, paper }
}

/// All of them. Of the sixteen colours only those are used that are readable in the tones terminals usually give them.
pub(super) const PALETTES: [Palette; 4] = [
    Palette {
        name: ThemeName::Dark,
        paper: ink(0x0016_181d, Color::Black),
        text: ink(0x00d8_dce3, Color::White),
        dim: ink(0x0093_9ba8, Color::Gray),
        focus: ink(0x006c_c7e8, Color::LightCyan),
        good: ink(0x007f_cf87, Color::LightGreen),
        decent: ink(0x00e0_b85c, Color::LightYellow),
        bad: ink(0x00ff_8a80, Color::LightRed),
        remembered: ink(0x0026_2b35, Color::Black),
        selected: pair(ink(0x00ff_ffff, Color::Black), ink(0x002b_507a, Color::Cyan)),
        button: pair(ink(0x0010_1216, Color::Black), ink(0x00e0_b85c, Color::LightYellow)),
    },
    Palette {
        name: ThemeName::Light,
        paper: ink(0x00fb_fbf8, Color::White),
        text: ink(0x0022_262c, Color::Black),
        dim: ink(0x005b_636e, Color::Black),
        focus: ink(0x0000_5f8a, Color::Blue),
        good: ink(0x001c_6b2f, Color::Blue),
        decent: ink(0x0086_5700, Color::Magenta),
        bad: ink(0x00b3_261e, Color::Red),
        remembered: ink(0x00e8_ebee, Color::White),
        selected: pair(ink(0x00ff_ffff, Color::White), ink(0x001f_5c99, Color::Blue)),
        button: pair(ink(0x00ff_ffff, Color::White), ink(0x006b_4600, Color::Black)),
    },
    Palette {
        name: ThemeName::HighContrast,
        paper: ink(0x0000_0000, Color::Black),
        text: ink(0x00ff_ffff, Color::White),
        dim: ink(0x00d0_d0d0, Color::Gray),
        focus: ink(0x00ff_ff00, Color::LightYellow),
        good: ink(0x005f_ff5f, Color::LightGreen),
        decent: ink(0x00ff_ff00, Color::LightYellow),
        bad: ink(0x00ff_9f9f, Color::LightRed),
        remembered: ink(0x001c_1c1c, Color::Black),
        selected: pair(ink(0x0000_0000, Color::Black), ink(0x00ff_ff00, Color::LightYellow)),
        button: pair(ink(0x0000_0000, Color::Black), ink(0x0000_ffff, Color::LightCyan)),
    },
    Palette {
        name: ThemeName::ColourBlind,
        paper: ink(0x0014_161a, Color::Black),
        text: ink(0x00e2_e4e8, Color::White),
        dim: ink(0x009a_a0aa, Color::Gray),
        focus: ink(0x00f2_f2f2, Color::White),
        good: ink(0x0056_b4e9, Color::LightCyan),
        decent: ink(0x00f5_eb8f, Color::LightYellow),
        bad: ink(0x00e8_7a1d, Color::LightRed),
        remembered: ink(0x0024_2830, Color::Black),
        selected: pair(ink(0x0000_0000, Color::Black), ink(0x008f_cef2, Color::LightCyan)),
        button: pair(ink(0x0000_0000, Color::Black), ink(0x00f5_eb8f, Color::LightYellow)),
    },
];

impl Palette {
    /// The theme on a terminal with so many colours.
    pub(super) fn theme(&self, colours: Colours) -> Theme {
        let colour = |Ink(tone, of_sixteen): Ink| match colours {
            Colours::True => tone.exact(),
            Colours::Many => tone.of_many(),
            Colours::Sixteen | Colours::None => of_sixteen,
        };
        let over = |ink: Ink, paper: Ink| Style::new().fg(colour(ink)).bg(colour(paper));
        let text = |ink: Ink| Style::new().fg(colour(ink));
        let bold = |style: Style| style.add_modifier(Modifier::BOLD);
        Theme {
            text: over(self.text, self.paper),
            dim: text(self.dim),
            title: bold(text(self.text)),
            focus: bold(text(self.focus)),
            selected: over(self.selected.ink, self.selected.paper),
            remembered: bold(Style::new().bg(colour(self.remembered))),
            good: text(self.good),
            decent: text(self.decent),
            bad: text(self.bad),
            key: text(self.focus),
            button: over(self.button.ink, self.button.paper),
        }
    }
}
