//! The template of the message to the customer: the person's own file, or the built-in one.

use std::io::ErrorKind;
use std::path::Path;

use super::regular_file;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::message::CustomerMessage;
use crate::domain::message::template::{MessageTemplate, TemplateError};
use crate::domain::text::clean;

/// The name of the file in the configuration directory.
pub const FILE: &str = "message.txt";

/// The most bytes of a template; a message is a page.
const MOST_BYTES: u64 = 256 * 1024;

/// Renders a message with the template, or the built-in one if there is no file. Errors name file and line.
pub fn render(path: Option<&Path>, message: &CustomerMessage) -> Result<String, Failure> {
    let place = path.map(|path| clean(&path.to_string_lossy()).into_owned()).unwrap_or_default();
    let failed = |message: String| {
        let advice = "Nothing was copied or written. Correct the file, or move it away to use the built-in template";
        Failure::new(FailureKind::Local, message, advice)
    };
    let mistake = |error: TemplateError| failed(format!("{place}, line {}: {}", error.line, clean(&error.message)));
    let template = match path.map(|path| regular_file::read_text(path, MOST_BYTES)) {
        None => MessageTemplate::built_in(),
        Some(Ok(text)) => MessageTemplate::parse(&text).map_err(mistake)?,
        Some(Err(error)) if error.kind() == ErrorKind::NotFound => MessageTemplate::built_in(),
        Some(Err(error)) => return Err(failed(format!("The template {place} cannot be read: {error}"))),
    };
    template.render(message).map_err(mistake)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::message::ReportMessage;

    #[test]
    fn the_own_file_is_used_and_a_mistake_names_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let message = CustomerMessage { reports: vec![ReportMessage::default()] };
        let rendered = || render(Some(&path), &message);
        assert_eq!(rendered(), render(None, &message), "there is none");
        std::fs::write(&path, "{{ count }} Seite").unwrap();
        assert_eq!(rendered().as_deref(), Ok("1 Seite"));
        std::fs::write(&path, "\u{feff}{{ count }} Seite").unwrap();
        assert_eq!(rendered().as_deref(), Ok("1 Seite"), "with a byte order mark");
        std::fs::write(&path, "Hallo\n{{ ulr }}").unwrap();
        let expected = format!("{}, line 2: there is no ulr; did you mean report.url?", path.display());
        assert_eq!(rendered().unwrap_err().message, expected);
        // A file that is there is not silently replaced by the built-in template.
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        let message = rendered().unwrap_err().message;
        assert!(message.starts_with(&format!("The template {} cannot be read: ", path.display())), "{message}");
    }
}
