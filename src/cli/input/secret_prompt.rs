//! Prompts for a secret without echo.

use std::io::Write as _;

use crossterm::event::{self, Event, KeyCode, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use secrecy::zeroize::Zeroizing;

use crate::cli::exit::{CommandError, print_note};
use crate::domain::text::clean;

/// The longest secret, in bytes. The buffer never grows, because that would leave copies in memory.
const MOST: usize = 4096;

/// Disables the terminal's echo until dropped.
struct EchoDisabled;

impl EchoDisabled {
    fn begin() -> std::io::Result<Self> {
        enable_raw_mode()?;
        Ok(Self)
    }
}

impl Drop for EchoDisabled {
    fn drop(&mut self) {
        // If the terminal is gone, there is nothing to restore.
        let _ = disable_raw_mode();
    }
}

/// Reads a line without echo.
pub fn ask(question: &str) -> Result<Zeroizing<String>, CommandError> {
    // Echo is disabled before the prompt, so that type-ahead is not shown either.
    let unseen = EchoDisabled::begin().map_err(|error| unanswerable(&error))?;
    write!(std::io::stderr().lock(), "{}", clean(question))?;
    let typed = read();
    drop(unseen);
    print_note("");
    typed
}

fn read() -> Result<Zeroizing<String>, CommandError> {
    let mut typed = Zeroizing::new(String::with_capacity(MOST));
    let mut too_long = false;
    loop {
        let key = match event::read().map_err(|error| unanswerable(&error))? {
            Event::Key(key) if key.is_press() => key,
            // From a terminal that marks pastes, because another program has left that switched on.
            Event::Paste(text) => {
                let text = Zeroizing::new(text);
                if typed.len() + text.len() > MOST {
                    too_long = true;
                } else {
                    typed.push_str(&text);
                }
                continue;
            }
            _ => continue,
        };
        match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
            (KeyCode::Enter, _) | (KeyCode::Char('j'), true) if too_long => {
                return Err(CommandError::local(
                    "the input is longer than any key",
                    "Copy only the key, and start again",
                ));
            }
            (KeyCode::Enter, _) | (KeyCode::Char('j'), true) => return Ok(typed),
            (KeyCode::Esc, _) | (KeyCode::Char('c' | 'd'), true) => {
                return Err(CommandError::local("nothing was entered", "Start again when the key is at hand"));
            }
            (KeyCode::Char('u'), true) => {
                typed.clear();
                too_long = false;
            }
            (KeyCode::Backspace, _) => drop(typed.pop()),
            // Read to its end anyway; otherwise the rest would go to the shell.
            (KeyCode::Char(character), false) if typed.len() + character.len_utf8() > MOST => too_long = true,
            (KeyCode::Char(character), false) => typed.push(character),
            _ => {}
        }
    }
}

fn unanswerable(error: &std::io::Error) -> CommandError {
    CommandError::usage(format!("there is no terminal for a prompt: {error}"), "Pass the key on stdin with --key-stdin")
}
