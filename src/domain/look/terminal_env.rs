//! Terminal and desktop features, detected from environment variables.
//!
//! The variables are passed in, so that every rule is a pure function.

/// The number of colours of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Colours {
    /// No colours available, or `NO_COLOR` is set.
    None,
    /// The terminal's own sixteen colours.
    #[default]
    Sixteen,
    /// The 256-colour palette.
    Many,
    /// 24-bit colours.
    True,
}

/// Capabilities of the terminal and desktop. The default assumes none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalEnv {
    /// How many colours the terminal has.
    pub colours: Colours,
    /// The terminal names white as its background (`COLORFGBG`: rxvt, Konsole).
    pub has_white_background: bool,
    /// The locale is UTF-8.
    pub is_utf8: bool,
    /// The font has few symbols beyond line drawing (a console).
    pub has_few_symbols: bool,
    /// The terminal supports escape sequences beyond colours and the cursor (neither a console nor `dumb`).
    pub is_talkative: bool,
    /// Inside tmux.
    pub in_tmux: bool,
    /// Inside GNU screen.
    pub in_screen: bool,
    /// The session is remote.
    pub over_ssh: bool,
    /// A desktop is available: windows can be opened, and they share a clipboard.
    pub has_display: bool,
    /// A browser is configured (`BROWSER`), or WSL forwards URLs to Windows.
    pub names_browser: bool,
    /// The terminal supports hyperlinks (OSC 8).
    pub has_links: bool,
    /// The terminal presumably supports setting the clipboard (OSC 52).
    pub may_take_copies: bool,
}

/// Values of `TERM_PROGRAM` of terminals that support hyperlinks.
const WITH_LINKS: [&str; 6] = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"];
/// Prefixes of `TERM` of terminals that support hyperlinks.
const WITH_LINKS_BY_TERM: [&str; 6] = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "contour", "wezterm"];

/// Set by Windows Terminal, which sets no `TERM`.
const WINDOWS_TERMINAL: &str = "WT_SESSION";

impl TerminalEnv {
    /// Detects capabilities from these variables. Empty variables must be passed as `None`.
    pub fn of<'a>(variable: impl Fn(&str) -> Option<&'a str>) -> Self {
        let term = variable("TERM").unwrap_or_default();
        let has = |name: &str| variable(name).is_some();
        let in_tmux = has("TMUX");
        let in_screen = has("STY") || (term.starts_with("screen") && !in_tmux);
        let is_console = ["", "dumb", "linux", "cons25", "vt100", "vt102", "vt220", "ansi"].contains(&term);
        let program = variable("TERM_PROGRAM").unwrap_or_default();
        Self {
            colours: colours(term, &variable),
            has_white_background: variable("COLORFGBG").is_some_and(|colours| colours.ends_with(";15")),
            is_utf8: is_utf8(&variable),
            has_few_symbols: ["linux", "cons25"].contains(&term),
            is_talkative: !is_console,
            in_tmux,
            in_screen,
            over_ssh: has("SSH_CONNECTION") || has("SSH_TTY") || has("SSH_CLIENT"),
            has_display: cfg!(any(windows, target_os = "macos")) || has("DISPLAY") || has("WAYLAND_DISPLAY"),
            names_browser: has("BROWSER") || has("WSL_DISTRO_NAME"),
            has_links: (!is_console || has(WINDOWS_TERMINAL)) && !in_screen && has_links(term, &variable),
            may_take_copies: (!is_console || has(WINDOWS_TERMINAL)) && !in_screen && program != "Apple_Terminal",
        }
    }

    /// Whether a browser started here opens on the user's own desktop.
    pub fn opens_browser(&self) -> bool {
        self.names_browser || (self.has_display && !self.over_ssh)
    }

    /// Whether the terminal can be queried for its background colour without the query being printed.
    pub fn answers_questions(&self) -> bool {
        self.is_talkative && !self.in_screen
    }
}

fn colours<'a>(term: &str, variable: &impl Fn(&str) -> Option<&'a str>) -> Colours {
    let is_windows_terminal = variable(WINDOWS_TERMINAL).is_some();
    // Windows consoles have sixteen colours and set no `TERM`.
    let is_unknown = term.is_empty() && !is_windows_terminal && !cfg!(windows);
    let is_monochrome = ["dumb", "vt100", "vt102", "vt220"].contains(&term) || term.ends_with("-mono");
    if variable("NO_COLOR").is_some() || is_monochrome || is_unknown {
        return Colours::None;
    }
    let claimed = variable("COLORTERM").unwrap_or_default();
    if ["truecolor", "24bit"].contains(&claimed) || term.ends_with("-direct") || is_windows_terminal {
        return Colours::True;
    }
    let many = term.contains("256color") || WITH_LINKS_BY_TERM.iter().any(|known| term.starts_with(known));
    if many { Colours::Many } else { Colours::Sixteen }
}

/// Checks the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set. Containers and remote shells often set none
/// although the terminal supports UTF-8, so only an explicit other locale counts as no.
fn is_utf8<'a>(variable: &impl Fn(&str) -> Option<&'a str>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

fn has_links<'a>(term: &str, variable: &impl Fn(&str) -> Option<&'a str>) -> bool {
    let number = |name: &str| variable(name).and_then(|text| text.parse::<u32>().ok());
    let program = variable("TERM_PROGRAM").unwrap_or_default();
    if program == "tmux" {
        // tmux passes hyperlinks through since 3.4, and drops them before.
        let version = variable("TERM_PROGRAM_VERSION").unwrap_or_default();
        let mut parts = version.split(|character: char| !character.is_ascii_digit()).map(str::parse::<u32>);
        let part = |part: Option<Result<u32, _>>| part.and_then(Result::ok).unwrap_or_default();
        return (part(parts.next()), part(parts.next())) >= (3, 4);
    }
    WITH_LINKS.contains(&program)
        || WITH_LINKS_BY_TERM.iter().any(|known| term.starts_with(known))
        || number("VTE_VERSION").is_some_and(|version| version >= 5_000)
        || [WINDOWS_TERMINAL, "KONSOLE_VERSION", "KITTY_WINDOW_ID"].into_iter().any(|name| variable(name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(variables: &[(&'static str, &'static str)]) -> TerminalEnv {
        TerminalEnv::of(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| *value))
    }

    #[test]
    fn colours_are_as_many_as_the_terminal_claims() {
        let table: [(&[(&str, &str)], Colours); 14] = [
            (&[("TERM", "xterm-direct")], Colours::True),
            (&[("WT_SESSION", "1")], Colours::True),
            (&[("WT_SESSION", "1"), ("NO_COLOR", "1")], Colours::None),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], Colours::True),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "24bit")], Colours::True),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "yes")], Colours::Many),
            (&[("TERM", "foot")], Colours::Many),
            (&[("TERM", "xterm-16color")], Colours::Sixteen),
            (&[("TERM", "linux")], Colours::Sixteen),
            (&[("TERM", "dumb"), ("COLORTERM", "truecolor")], Colours::None),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], Colours::None),
            (&[("TERM", "vt100")], Colours::None),
            (&[("TERM", "vt220")], Colours::None),
            (&[("TERM", "xterm-mono")], Colours::None),
        ];
        for (variables, expected) in table {
            assert_eq!(around(variables).colours, expected, "{variables:?}");
        }
    }

    #[test]
    fn the_first_variable_of_the_locale_decides() {
        assert!(around(&[("LANG", "de_DE.UTF-8")]).is_utf8);
        assert!(around(&[("LC_CTYPE", "C.utf8")]).is_utf8);
        assert!(!around(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]).is_utf8);
        assert!(!around(&[("LANG", "de_DE.ISO-8859-1")]).is_utf8);
        assert!(!around(&[("LANG", "C")]).is_utf8);
        assert!(around(&[]).is_utf8, "UTF-8 is the default");
    }

    #[test]
    fn links_are_enabled_only_for_known_terminals() {
        for (name, value) in [
            ("TERM", "xterm-kitty"),
            ("TERM_PROGRAM", "WezTerm"),
            ("VTE_VERSION", "5000"),
            ("KONSOLE_VERSION", "230804"),
            ("KITTY_WINDOW_ID", "1"),
            ("WT_SESSION", "1"),
        ] {
            assert!(around(&[("TERM", "xterm-256color"), (name, value)][usize::from(name == "TERM")..]).has_links);
        }
        for variables in [
            &[("TERM", "xterm-256color")][..],
            &[("TERM", "linux"), ("VTE_VERSION", "7600")],
            &[("TERM", "xterm-256color"), ("VTE_VERSION", "4999")],
            &[("TERM", "screen-256color"), ("VTE_VERSION", "7600")],
            &[("TERM", "tmux-256color"), ("TMUX", "x"), ("TERM_PROGRAM", "tmux"), ("TERM_PROGRAM_VERSION", "3.3a")],
        ] {
            assert!(!around(variables).has_links, "{variables:?}");
        }
        for version in ["3.4", "3.10b"] {
            let program = [("TERM_PROGRAM", "tmux"), ("TERM_PROGRAM_VERSION", version)];
            assert!(
                around(&[&[("TERM", "tmux-256color"), ("TMUX", "x")][..], &program].concat()).has_links,
                "{version}"
            );
        }
    }

    #[test]
    fn terminals_may_take_copies_unless_they_are_known_to_ignore_them() {
        let table: [(&[(&str, &str)], bool); 6] = [
            (&[("TERM", "xterm-256color")], true),
            (&[("TERM", "tmux-256color"), ("TMUX", "x")], true),
            (&[("WT_SESSION", "1")], true),
            (&[("TERM", "linux")], false),
            (&[("TERM", "xterm-256color"), ("STY", "1.pts")], false),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "Apple_Terminal")], false),
        ];
        for (variables, expected) in table {
            assert_eq!(around(variables).may_take_copies, expected, "{variables:?}");
        }
    }

    #[cfg(not(any(windows, target_os = "macos")))]
    #[test]
    fn a_browser_is_opened_on_a_local_display_or_by_a_named_helper() {
        assert!(around(&[("DISPLAY", ":0")]).opens_browser());
        assert!(around(&[("WAYLAND_DISPLAY", "wayland-0")]).opens_browser());
        assert!(!around(&[]).opens_browser());
        for name in ["SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"] {
            assert!(!around(&[("DISPLAY", "localhost:10.0"), (name, "a b")]).opens_browser(), "{name}");
        }
        assert!(around(&[("SSH_TTY", "/dev/pts/1"), ("BROWSER", "/bin/helper")]).opens_browser());
    }

    #[test]
    fn the_font_of_a_console_has_few_symbols() {
        assert!(around(&[("TERM", "linux")]).has_few_symbols);
        assert!(!around(&[("TERM", "xterm-256color")]).has_few_symbols);
    }

    #[test]
    fn consoles_and_screen_are_not_queried() {
        for term in ["linux", "dumb", "", "vt220", "screen.xterm-256color"] {
            assert!(!around(&[("TERM", term)]).answers_questions(), "{term}");
        }
        assert!(around(&[("TERM", "xterm-256color")]).answers_questions());
        assert!(around(&[("TERM", "screen-256color"), ("TMUX", "x")]).answers_questions());
    }
}
