//! Text styles by meaning.

use ratatui::style::{Color, Modifier, Style};

use crate::domain::look::Accent;
use crate::domain::look::terminal_env::Colours;
use crate::domain::report::check::CheckOutcome;
use crate::domain::report::outcome::Outcome;

/// The styles of the dashboard.
#[derive(Debug, Clone)]
pub struct Theme {
    /// Ordinary text, and the default background.
    pub text: Style,
    /// Frames, headings, secondary text.
    pub dim: Style,
    /// Titles.
    pub title: Style,
    /// The title of the focused pane, frames of overlays, labels of focused fields.
    pub focus: Style,
    /// The cursor row of the focused pane.
    pub selected: Style,
    /// The cursor row of an unfocused pane.
    pub unfocused: Style,
    /// Good results, passed checks.
    pub good: Style,
    /// Decent results, notes.
    pub decent: Style,
    /// Bad results, failed checks, problems.
    pub bad: Style,
    /// Keys in hints.
    pub key: Style,
    /// A focused button or field.
    pub button: Style,
}

impl Theme {
    /// The terminal's own sixteen colours on its own background. Their readability is up to the terminal, so the cursor
    /// row uses none of them.
    pub fn terminal() -> Self {
        let plain = Self::plain();
        Self {
            focus: Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD),
            good: Style::new().fg(Color::Green),
            decent: Style::new().fg(Color::Yellow),
            // Red is too dark on the black background of most terminals.
            bad: Style::new().fg(Color::LightRed),
            key: Style::new().fg(Color::Cyan),
            selected: plain.selected.fg(Color::Reset).bg(Color::Reset),
            ..plain
        }
    }

    /// Returns the style of areas behind an overlay: secondary text on the default background.
    pub fn covered(&self) -> Style {
        let Style { fg, add_modifier, .. } = self.dim;
        let ground = self.text.bg.unwrap_or(Color::Reset);
        Style::reset().bg(ground).fg(fg.unwrap_or(Color::Reset)).add_modifier(add_modifier)
    }

    /// Returns the style of a service's name in the colour of its profile, with a readable text colour.
    pub fn accent(accent: Accent, colours: Colours) -> Style {
        if colours == Colours::None {
            return Style::new().add_modifier(Modifier::REVERSED);
        }
        let (back, text) = match accent {
            Accent::Red => (Color::Red, Color::White),
            Accent::Green => (Color::Green, Color::Black),
            Accent::Yellow => (Color::Yellow, Color::Black),
            Accent::Blue => (Color::Blue, Color::White),
            Accent::Magenta => (Color::Magenta, Color::White),
            Accent::Cyan => (Color::Cyan, Color::Black),
            Accent::White => (Color::White, Color::Black),
        };
        // Not bold: many terminals draw bold black as grey.
        Style::new().bg(back).fg(text)
    }

    /// No colours (`NO_COLOR`): bold, dim, underlined and reversed only.
    pub fn plain() -> Self {
        let style = Style::new();
        Self {
            text: style,
            dim: style.add_modifier(Modifier::DIM),
            title: style.add_modifier(Modifier::BOLD),
            focus: style.add_modifier(Modifier::BOLD),
            // Dimmed text would leave a grey patch in the reversed row.
            selected: style.add_modifier(Modifier::REVERSED).remove_modifier(Modifier::DIM),
            unfocused: style.add_modifier(Modifier::BOLD),
            good: style,
            decent: style,
            bad: style.add_modifier(Modifier::BOLD),
            key: style.add_modifier(Modifier::BOLD),
            button: style.add_modifier(Modifier::REVERSED),
        }
    }

    /// Returns the style of a pane's title. The underline tells the focused pane without colours.
    pub fn pane_title(&self, is_focused: bool) -> Style {
        if is_focused { self.focus.add_modifier(Modifier::UNDERLINED) } else { self.title }
    }

    /// Returns the style of a result.
    pub fn outcome(&self, outcome: &Outcome) -> Style {
        match outcome {
            Outcome::Good => self.good,
            Outcome::Decent => self.decent,
            Outcome::Bad => self.bad,
            Outcome::Other(_) | Outcome::Missing => self.text,
        }
    }

    /// Returns the style of a check's outcome.
    pub fn check(&self, outcome: CheckOutcome) -> Style {
        match outcome {
            CheckOutcome::Failed => self.bad,
            CheckOutcome::Note => self.decent,
            CheckOutcome::Passed => self.good,
            CheckOutcome::NotApplicable => self.dim,
        }
    }
}
