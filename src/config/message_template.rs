//! The template of the message to the customer: the person's own file, or the one of the program.

use std::io::ErrorKind;
use std::path::Path;

use super::regular_file;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::message::template::MessageTemplate;
use crate::domain::text::clean;

/// The name of the file in the configuration directory.
pub const FILE: &str = "message.txt";

/// A message is a page; what is larger is another file.
const MOST_BYTES: u64 = 256 * 1024;

/// Reads the template; without a file it is the one of the program. A mistake is named with file and line.
pub fn load(path: Option<&Path>) -> Result<MessageTemplate, Failure> {
    let Some(path) = path else { return Ok(MessageTemplate::ours()) };
    let place = clean(&path.to_string_lossy()).into_owned();
    let advice = "Nothing was copied or written. Correct the file, or move it away to use the template of reportdeck";
    match regular_file::read_text(path, MOST_BYTES) {
        Ok(text) => MessageTemplate::parse(&text).map_err(|error| {
            let message = format!("{place}, line {}: {}", error.line, clean(&error.message));
            Failure::new(FailureKind::Local, message, advice)
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(MessageTemplate::ours()),
        Err(error) => {
            Err(Failure::new(FailureKind::Local, format!("The template {place} cannot be read: {error}"), advice))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_file_is_used_and_a_mistake_names_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        assert_eq!(load(Some(&path)).unwrap(), MessageTemplate::ours(), "there is none");
        std::fs::write(&path, "{{count}} Seiten").unwrap();
        assert_eq!(load(Some(&path)).unwrap(), MessageTemplate::parse("{{count}} Seiten").unwrap());
        std::fs::write(&path, "Hallo\n{{ulr}}").unwrap();
        let failure = load(Some(&path)).unwrap_err();
        let expected = format!("{}, line 2: there is no ulr; perhaps url is meant", path.display());
        assert_eq!(failure.message, expected);
    }
}
