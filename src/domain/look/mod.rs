//! Appearance options, with their names in configuration and on the command line.

pub mod terminal_env;

/// The name of a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum ThemeName {
    /// The terminal's own colours, with dark text colours of ours on a light background; follows changes.
    #[default]
    Auto,
    /// The terminal's own sixteen colours.
    Terminal,
    /// Light text on a dark background of its own.
    Dark,
    /// Dark text on a light background of its own.
    Light,
    /// Black, white and few strong colours.
    HighContrast,
    /// Blue and orange instead of green and red.
    ColourBlind,
    /// No colours: bold, dim, underlined and reversed only.
    Plain,
}

/// The spacing of rows and texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Density {
    /// As many rows as fit.
    #[default]
    Compact,
    /// Extra space under headings and between columns, where the screen has room.
    Comfortable,
}

/// How times are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Times {
    /// `2 h ago`
    #[default]
    Relative,
    /// `2026-01-02 14:02`, with the zone in the heading.
    Exact,
}

/// The initial screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum StartScreen {
    /// The list of reports.
    #[default]
    List,
    /// The overview of the list.
    Overview,
}

/// The colour of a profile's header, to tell accounts apart at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Accent {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Blue.
    Blue,
    /// Magenta.
    Magenta,
    /// Cyan.
    Cyan,
    /// White.
    White,
}

/// A preset of key bindings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Preset {
    /// The default, with vim-like movement.
    #[default]
    Vim,
    /// As in k9s: `ctrl+r` refreshes, `d` opens, `ctrl+d` deletes (after a confirmation).
    K9s,
    /// As in lazygit: `<` and `>` go to the ends, `,` and `.` turn pages, `z` undoes.
    Lazygit,
}

/// All appearance options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LookOptions {
    /// The colours.
    pub theme: ThemeName,
    /// Whether frames, bars, marks and arrows use ASCII characters only.
    pub ascii_frame: bool,
    /// Whether the terminal's cursor is on the selected row or choice, for screen readers, braille displays and magnifiers.
    pub show_cursor: bool,
    /// The spacing.
    pub density: Density,
    /// The initial time format; a key toggles it.
    pub times: Times,
    /// The initial screen.
    pub start: StartScreen,
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    fn names<F: IntoEnumIterator + Into<&'static str>>() -> Vec<&'static str> {
        F::iter().map(Into::into).collect()
    }

    #[test]
    fn every_name_is_read_back() {
        let themes = ["auto", "terminal", "dark", "light", "high-contrast", "colour-blind", "plain"];
        assert_eq!(names::<ThemeName>(), themes);
        assert_eq!(names::<Density>(), ["compact", "comfortable"]);
        assert_eq!(names::<Times>(), ["relative", "exact"]);
        for theme in ThemeName::iter() {
            let name: &str = theme.into();
            assert_eq!(name.parse(), Ok(theme));
        }
        assert!("Dark ".parse::<ThemeName>().is_err());
    }
}
