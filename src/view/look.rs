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
    /// Whether the terminal's cursor is on the selected row.
    pub show_cursor: bool,
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
        let first_theme = if options.theme != ThemeName::Auto {
            options.theme
        } else if terminal_env.in_tmux || terminal_env.in_screen {
            // tmux before 3.4 and screen do not report the terminal's background. The dark theme brings its own.
            ThemeName::Dark
        } else if terminal_env.has_white_background {
            ThemeName::Light
        } else {
            ThemeName::Terminal
        };
        Self {
            theme: Theme::of(first_theme, terminal_env.colours),
            theme_name: options.theme,
            colours: terminal_env.colours,
            characters,
            show_cursor: options.show_cursor,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theme_auto_has_its_own_background_where_that_of_the_terminal_may_stay_unknown() {
        for (variables, has_own) in [
            (&[("TERM", "xterm-256color")][..], false),
            (&[("TERM", "rxvt-unicode-256color"), ("COLORFGBG", "15;default;0")], false),
            (&[("TERM", "rxvt-unicode-256color"), ("COLORFGBG", "0;default;15")], true),
            (&[("TERM", "linux")], false),
            (&[("TERM", "screen-256color"), ("TMUX", "x")], true),
            (&[("TERM", "screen.xterm-256color"), ("STY", "x")], true),
        ] {
            let env =
                TerminalEnv::of(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| *value));
            let background = |theme| {
                let options = LookOptions { theme, ..LookOptions::default() };
                Look::of(&options, &env).theme.text.bg
            };
            assert_eq!(background(ThemeName::Auto).is_some(), has_own, "{variables:?}");
            assert_eq!(background(ThemeName::Terminal), None, "{variables:?}");
        }
    }
}
