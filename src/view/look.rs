//! How the dashboard looks on this terminal: theme, characters, density, times.

use jiff::tz::TimeZone;

use crate::domain::look::terminal_env::{Colours, TerminalEnv};
use crate::domain::look::{Density, LookOptions, ThemeName, Times};
use crate::view::ascii::Characters;
use crate::view::theme::Theme;

/// The look of the dashboard. Fixed for a run, except for a theme that follows the terminal.
#[derive(Debug, Clone)]
pub struct Look {
    /// Colours and attributes by meaning.
    pub theme: Theme,
    /// The configured theme.
    pub theme_name: ThemeName,
    /// The colours of the terminal.
    pub colours: Colours,
    /// The characters to draw with.
    pub characters: Characters,
    /// The spacing.
    pub density: Density,
    /// Whether addresses are links.
    pub links: bool,
    /// The form of times at the start.
    pub times: Times,
    /// The zone of exact times.
    pub zone: TimeZone,
}

impl Default for Look {
    /// The terminal's own colours, all characters, UTC.
    fn default() -> Self {
        let capable = TerminalEnv { is_utf8: true, ..TerminalEnv::default() };
        Self::of(&LookOptions::default(), &capable, TimeZone::UTC)
    }
}

impl Look {
    /// The configured look, as far as this terminal can show it.
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

    /// Follows the terminal's background, if the theme is `auto`.
    pub fn follow(&mut self, is_light: bool) {
        if self.theme_name == ThemeName::Auto {
            // On a dark background the terminal's own colours are what its owner chose; on a light one several are
            // pale.
            let name = if is_light { ThemeName::Light } else { ThemeName::Terminal };
            self.theme = Theme::of(name, self.colours);
        }
    }
}
