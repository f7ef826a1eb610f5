//! The password of a report page: from stdin or a file, never from an argument, which other users could see.

use std::fs::File;
use std::io::Read;

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;

use crate::cli::args::PrivacyOptions;
use crate::cli::exit::CommandError;
use crate::domain::report::privacy::Privacy;

/// The most bytes of a secret.
const MOST_BYTES: usize = 64 * 1024;

/// Reads the password if a source is given. Fails if it does not fit the privacy.
pub fn read(options: &PrivacyOptions, needs_privacy: bool) -> Result<Option<SecretString>, CommandError> {
    let named = options.password_stdin || options.password_file.is_some();
    match (options.privacy, named) {
        (Some(Privacy::Password), false) => {
            let advice = "Add --password-stdin or --password-file FILE";
            return Err(CommandError::usage("--privacy password needs a password", advice));
        }
        (Some(Privacy::Public | Privacy::Private), true) => return Err(password_without_privacy()),
        (None, true) if needs_privacy => return Err(password_without_privacy()),
        (_, false) => return Ok(None),
        (Some(Privacy::Password) | None, true) => {}
    }
    let (text, source) = match &options.password_file {
        Some(path) => (File::open(path).and_then(read_secret), path.display().to_string()),
        None => (read_secret(std::io::stdin().lock()), "stdin".to_owned()),
    };
    let text = text.map_err(|error| {
        CommandError::usage(format!("the password cannot be read from {source}: {error}"), "Name a readable file")
    })?;
    // Editors and `echo` end a file with a line break.
    let password = text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
    if password.is_empty() {
        return Err(CommandError::usage(format!("the password from {source} is empty"), "Provide a password"));
    }
    // Browsers send no line breaks, so nobody could open the page.
    if password.contains(['\n', '\r']) {
        let message = format!("the password from {source} has more than one line");
        return Err(CommandError::usage(message, "Give the password alone, in one line"));
    }
    Ok(Some(SecretString::from(password)))
}

fn password_without_privacy() -> CommandError {
    CommandError::usage("a password requires --privacy password", "Add it, or leave the password out")
}

/// Reads a secret into a buffer that is wiped on drop and never reallocated. Fails if it is larger than 64 KiB.
pub fn read_secret(source: impl Read) -> std::io::Result<Zeroizing<String>> {
    // The reader looks for the end in the rest of the buffer.
    let mut text = Zeroizing::new(String::with_capacity(MOST_BYTES + 64));
    source.take(MOST_BYTES as u64 + 1).read_to_string(&mut text)?;
    if text.len() > MOST_BYTES {
        return Err(std::io::Error::other(format!("it is larger than {} KiB", MOST_BYTES / 1024)));
    }
    // Some editors begin a file with a byte order mark, which nobody types.
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_secret() {
        for (written, read) in [("\u{feff}hush\n", "hush\n"), ("hush\u{feff}", "hush\u{feff}"), ("\u{feff}", "")] {
            assert_eq!(read_secret(written.as_bytes()).unwrap().as_str(), read);
        }
    }
}
