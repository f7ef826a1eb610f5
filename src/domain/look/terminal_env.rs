//! What environment variables say about the terminal and the desktop, and which features follow.
//!
//! The variables are arguments, so that every rule is a pure function.

/// How many colours a terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Colours {
    /// None are wanted (`NO_COLOR`), or there are none.
    None,
    /// Sixteen, in tones of the terminal's own.
    #[default]
    Sixteen,
    /// The cube of 256.
    Many,
    /// 24 bits each.
    True,
}

/// The terminal and the desktop around it. The default expects nothing of either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalEnv {
    /// How many colours the terminal has.
    pub colours: Colours,
    /// The terminal takes text in UTF-8.
    pub is_utf8: bool,
    /// Its font has few symbols beyond lines (a console).
    pub has_few_symbols: bool,
    /// The terminal understands escape sequences beyond colours and the cursor (not a console, not `dumb`).
    pub is_talkative: bool,
    /// Inside tmux.
    pub in_tmux: bool,
    /// Inside GNU screen.
    pub in_screen: bool,
    /// The person sits at another machine.
    pub over_ssh: bool,
    /// There is a desktop: windows can be opened and a clipboard is shared with them.
    pub has_display: bool,
    /// The person named a browser (`BROWSER`), or the system hands addresses to the one of another system.
    pub names_browser: bool,
    /// The terminal makes texts clickable (OSC 8).
    pub has_links: bool,
    /// The terminal puts a text on the clipboard when a program asks for it (OSC 52), as far as one can know.
    pub may_take_copies: bool,
}

/// Terminals that say their name in `TERM_PROGRAM` and make texts clickable.
const WITH_LINKS: [&str; 6] = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"];
/// Terminals that say their name in `TERM` and do.
const WITH_LINKS_BY_TERM: [&str; 6] = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "contour", "wezterm"];

/// Windows Terminal says its name in this, and sets no `TERM`.
const WINDOWS_TERMINAL: &str = "WT_SESSION";

impl TerminalEnv {
    /// What these variables say. An empty variable must be handed in as none.
    pub fn of<'a>(variable: impl Fn(&str) -> Option<&'a str>) -> Self {
        let term = variable("TERM").unwrap_or_default();
        let has = |name: &str| variable(name).is_some();
        let in_tmux = has("TMUX");
        let in_screen = has("STY") || (term.starts_with("screen") && !in_tmux);
        let is_console = ["", "dumb", "linux", "cons25", "vt100", "vt102", "vt220", "ansi"].contains(&term);
        let program = variable("TERM_PROGRAM").unwrap_or_default();
        Self {
            colours: colours(term, &variable),
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

    /// A browser that is started here opens where the person sits.
    pub fn opens_browser(&self) -> bool {
        self.names_browser || (self.has_display && !self.over_ssh)
    }

    /// The terminal can be asked for its background without a risk that the question is printed.
    pub fn answers_questions(&self) -> bool {
        self.is_talkative && !self.in_screen
    }
}

fn colours<'a>(term: &str, variable: &impl Fn(&str) -> Option<&'a str>) -> Colours {
    let is_windows_terminal = variable(WINDOWS_TERMINAL).is_some();
    // Consoles of Windows have sixteen colours and no `TERM`.
    let is_unknown = term.is_empty() && !is_windows_terminal && !cfg!(windows);
    if variable("NO_COLOR").is_some() || term == "dumb" || is_unknown {
        return Colours::None;
    }
    let claimed = variable("COLORTERM").unwrap_or_default();
    if ["truecolor", "24bit"].contains(&claimed) || term.ends_with("-direct") || is_windows_terminal {
        return Colours::True;
    }
    let many = term.contains("256color") || WITH_LINKS_BY_TERM.iter().any(|known| term.starts_with(known));
    if many { Colours::Many } else { Colours::Sixteen }
}

/// By the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set. Containers and remote shells often set none, in a
/// terminal that takes UTF-8 like all of today's: only a locale that says otherwise counts.
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
        // From 3.4 on tmux keeps links; before, it drops them.
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
        let table: [(&[(&str, &str)], Colours); 10] = [
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
        assert!(around(&[]).is_utf8, "nobody said otherwise");
    }

    #[test]
    fn links_are_enabled_only_for_known_terminals() {
        for (name, value) in [
            ("TERM", "xterm-kitty"),
            ("TERM_PROGRAM", "WezTerm"),
            ("VTE_VERSION", "7600"),
            ("KONSOLE_VERSION", "230804"),
        ] {
            assert!(around(&[("TERM", "xterm-256color"), (name, value)][usize::from(name == "TERM")..]).has_links);
        }
        for variables in [
            &[("TERM", "xterm-256color")][..],
            &[("TERM", "linux"), ("VTE_VERSION", "7600")],
            &[("TERM", "xterm-256color"), ("VTE_VERSION", "4602")],
            &[("TERM", "screen-256color"), ("VTE_VERSION", "7600")],
            &[("TERM", "tmux-256color"), ("TMUX", "x"), ("TERM_PROGRAM", "tmux"), ("TERM_PROGRAM_VERSION", "3.3a")],
        ] {
            assert!(!around(variables).has_links, "{variables:?}");
        }
        let tmux =
            [("TERM", "tmux-256color"), ("TMUX", "x"), ("TERM_PROGRAM", "tmux"), ("TERM_PROGRAM_VERSION", "3.10b")];
        assert!(around(&tmux).has_links);
    }

    #[cfg(not(any(windows, target_os = "macos")))]
    #[test]
    fn a_browser_is_opened_on_a_local_display_or_by_a_named_helper() {
        assert!(around(&[("DISPLAY", ":0")]).opens_browser());
        assert!(around(&[("WAYLAND_DISPLAY", "wayland-0")]).opens_browser());
        assert!(!around(&[]).opens_browser());
        assert!(!around(&[("DISPLAY", "localhost:10.0"), ("SSH_CONNECTION", "a b")]).opens_browser());
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
