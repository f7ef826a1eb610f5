//! Confirmation before a deletion, for which `--yes` is required without a terminal, and answers to prompts.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use crate::cli::exit::{CommandError, print_note};
use crate::domain::text::clean;

/// Fails unless the person confirms.
pub fn confirm(what: &str, yes: bool) -> Result<(), CommandError> {
    if yes {
        return Ok(());
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(CommandError::usage(
            format!("there is no terminal to confirm the deletion of {what}"),
            "Add --yes to delete it",
        ));
    }
    write!(io::stderr().lock(), "Delete {}? This cannot be undone. [y/N] ", clean(what))?;
    let answer = answered_line()?;
    if matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        return Ok(());
    }
    Err(CommandError::local("nothing was deleted", "Answer y to delete"))
}

/// Reads the answer to a prompt from stdin. At the end of the input, it ends the line of the prompt.
pub fn answered_line() -> io::Result<String> {
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    if !answer.ends_with('\n') {
        print_note("");
    }
    Ok(answer)
}
