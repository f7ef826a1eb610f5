//! How the dashboard looks on this terminal: theme, characters, density, times.

use jiff::tz::TimeZone;

use crate::domain::look::terminal_env::{Colours, TerminalEnv};
use crate::domain::look::{Density, LookOptions, ThemeName, Times};
use crate::view::ascii::Characters;
use crate::view::theme::Theme;

/// How the program looks on this terminal. Fixed for a run, but for the theme when it follows the terminal.
#[derive(Debug, Clone)]
pub struct Look {
    /// Colours and attributes by meaning.
    pub theme: Theme,
    /// The theme that was asked for.
    pub theme_name: ThemeName,
    /// How many colours there are to show it in.
    pub colours: Colours,
    /// Which characters the screen is made of.
    pub characters: Characters,
    /// How much room things get.
    pub density: Density,
    /// Addresses are made clickable.
    pub links: bool,
    /// How times are told until the person switches.
    pub times: Times,
    /// The zone in which exact times are shown.
    pub zone: TimeZone,
}

impl Default for Look {
    /// The terminal's own colours, everything drawn, UTC.
    fn default() -> Self {
        let capable = TerminalEnv { is_utf8: true, ..TerminalEnv::default() };
        Self::of(&LookOptions::default(), &capable, TimeZone::UTC)
    }
}

impl Look {
    /// What a person asked for, as far as this terminal can show it.
    pub fn of(options: &LookOptions, terminal_env: &TerminalEnv, zone: TimeZone) -> Self {
        let characters = match (terminal_env.is_utf8, options.ascii_frame || terminal_env.has_few_symbols) {
            (false, _) => Characters::AsciiOnly,
            (true, true) => Characters::AsciiFrame,
            (true, false) => Characters::All,
        };
        Self {
            theme: Theme::of(options.theme, terminal_env.colours),
            theme_name: options.theme,
            colours: terminal_env.colours,
            characters,
            density: options.density,
            links: terminal_env.has_links,
            times: options.times,
            zone,
        }
    }

    /// Takes the side of the terminal's background, where the theme should follow it.
    pub fn follow(&mut self, is_light: bool) {
        if self.theme_name == ThemeName::Auto {
            // On a dark background the terminal's own colours are what its owner chose; on a light one several are pale.
            let name = if is_light { ThemeName::Light } else { ThemeName::Terminal };
            self.theme = Theme::of(name, self.colours);
        }
    }
}
