//! The appearance of the dashboard on this terminal: theme, characters, density.

use crate::domain::look::terminal_env::{Colours, TerminalEnv};
use crate::domain::look::{Density, LookOptions, ThemeName};
use crate::view::ascii::Characters;
use crate::view::theme::Theme;

/// The appearance of the dashboard. Fixed for a run, except that the theme `auto` follows the terminal.
#[derive(Debug, Clone)]
pub struct Look {
    /// The styles.
    pub theme: Theme,
    /// The configured theme.
    pub theme_name: ThemeName,
    /// The colour support of the terminal.
    pub colours: Colours,
    /// The character set.
    pub characters: Characters,
    /// The spacing.
    pub density: Density,
    /// Whether URLs are hyperlinks.
    pub links: bool,
}

impl Default for Look {
    /// The terminal's own colours, all characters.
    fn default() -> Self {
        let capable = TerminalEnv { is_utf8: true, ..TerminalEnv::default() };
        Self::of(&LookOptions::default(), &capable)
    }
}

impl Look {
    /// Combines the configured options with the capabilities of this terminal.
    pub fn of(options: &LookOptions, terminal_env: &TerminalEnv) -> Self {
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
        }
    }

    /// Adapts the theme `auto` to the terminal's background.
    pub fn follow(&mut self, is_light: bool) {
        if self.theme_name == ThemeName::Auto {
            // On a dark background the terminal's own colours are the user's choice; on a light one several of them are
            // too pale.
            let name = if is_light { ThemeName::Light } else { ThemeName::Terminal };
            self.theme = Theme::of(name, self.colours);
        }
    }
}
