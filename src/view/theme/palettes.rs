//! The themes that bring their own background: one entry each. A test holds every pair readable.

use ratatui::style::{Color, Modifier, Style};

use super::Theme;
use super::tone::Tone;
use crate::domain::look::ThemeName;
use crate::domain::surroundings::Colours;

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
        paper: ink(0x16_18_1d, Color::Black),
        text: ink(0xd8_dc_e3, Color::White),
        dim: ink(0x93_9b_a8, Color::Gray),
        focus: ink(0x6c_c7_e8, Color::LightCyan),
        good: ink(0x7f_cf_87, Color::LightGreen),
        decent: ink(0xe0_b8_5c, Color::LightYellow),
        bad: ink(0xff_8a_80, Color::LightRed),
        remembered: ink(0x26_2b_35, Color::Black),
        selected: pair(ink(0xff_ff_ff, Color::Black), ink(0x2b_50_7a, Color::Cyan)),
        button: pair(ink(0x10_12_16, Color::Black), ink(0xe0_b8_5c, Color::LightYellow)),
    },
    Palette {
        name: ThemeName::Light,
        paper: ink(0xfb_fb_f8, Color::White),
        text: ink(0x22_26_2c, Color::Black),
        dim: ink(0x5b_63_6e, Color::Black),
        focus: ink(0x00_5f_8a, Color::Blue),
        good: ink(0x1c_6b_2f, Color::Blue),
        decent: ink(0x86_57_00, Color::Magenta),
        bad: ink(0xb3_26_1e, Color::Red),
        remembered: ink(0xe8_eb_ee, Color::White),
        selected: pair(ink(0xff_ff_ff, Color::White), ink(0x1f_5c_99, Color::Blue)),
        button: pair(ink(0xff_ff_ff, Color::White), ink(0x6b_46_00, Color::Black)),
    },
    Palette {
        name: ThemeName::HighContrast,
        paper: ink(0x00_00_00, Color::Black),
        text: ink(0xff_ff_ff, Color::White),
        dim: ink(0xd0_d0_d0, Color::Gray),
        focus: ink(0xff_ff_00, Color::LightYellow),
        good: ink(0x5f_ff_5f, Color::LightGreen),
        decent: ink(0xff_ff_00, Color::LightYellow),
        bad: ink(0xff_9f_9f, Color::LightRed),
        remembered: ink(0x1c_1c_1c, Color::Black),
        selected: pair(ink(0x00_00_00, Color::Black), ink(0xff_ff_00, Color::LightYellow)),
        button: pair(ink(0x00_00_00, Color::Black), ink(0x00_ff_ff, Color::LightCyan)),
    },
    Palette {
        name: ThemeName::ColourBlind,
        paper: ink(0x14_16_1a, Color::Black),
        text: ink(0xe2_e4_e8, Color::White),
        dim: ink(0x9a_a0_aa, Color::Gray),
        focus: ink(0xf2_f2_f2, Color::White),
        good: ink(0x56_b4_e9, Color::LightCyan),
        decent: ink(0xf5_eb_8f, Color::LightYellow),
        bad: ink(0xe8_7a_1d, Color::LightRed),
        remembered: ink(0x24_28_30, Color::Black),
        selected: pair(ink(0x00_00_00, Color::Black), ink(0x8f_ce_f2, Color::LightCyan)),
        button: pair(ink(0x00_00_00, Color::Black), ink(0xf5_eb_8f, Color::LightYellow)),
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
