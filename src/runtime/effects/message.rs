//! The message to the customer: rendered from the template, then copied, or written to a file for editing.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::app::message::Message;
use crate::config::message_template;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::message::{CustomerMessage, MessageTarget};
use crate::domain::text::clean;
use crate::domain::text::numbers::counted;
use crate::runtime::effects::clipboard::copy_text;
use crate::runtime::effects::files::{reason, write_new_file};
use crate::runtime::effects::{Effects, blocking};

impl Effects {
    /// Renders a message and delivers it to the target.
    pub(super) fn write_message(&self, target: MessageTarget, message: CustomerMessage, now: Timestamp) {
        let (template, directory, context) =
            (self.message_template.clone(), self.export_directory.clone(), self.desktop.clone());
        drop(self.spawn(async move {
            let about = counted(message.reports.len() as u64, "report");
            let made = blocking(move || {
                let text = message_template::render(template.as_deref(), &message)?;
                let path = match target {
                    MessageTarget::Clipboard => None,
                    MessageTarget::File | MessageTarget::Editor => Some(write(&directory, &text, now)?),
                };
                Ok((text, path))
            });
            match made.await {
                Ok((text, None)) => Message::Notice(copy_text(context, text, format!("message about {about}")).await),
                Ok((_, Some(path))) if target == MessageTarget::Editor => Message::FileToEdit(path),
                Ok((_, Some(path))) => {
                    let path = clean(&path.to_string_lossy()).into_owned();
                    Message::Notice(Ok(format!("Message about {about} → {path}")))
                }
                Err(failure) => Message::Notice(Err(failure)),
            }
        }));
    }

    /// Copies the content of an edited file.
    pub(in crate::runtime) fn copy_edited(&self, path: PathBuf, edited: Result<(), String>) {
        let context = self.desktop.clone();
        self.spawn_notice(async move {
            let place = clean(&path.to_string_lossy()).into_owned();
            let is_there = tokio::fs::try_exists(&path).await.unwrap_or(true);
            let in_file = format!("Your text is in {place}");
            let advice = if is_there { in_file.as_str() } else { "The editor deleted its file: write it again" };
            let failed = |why: String| Failure::new(FailureKind::Local, why, advice);
            edited.map_err(&failed)?;
            let read = tokio::fs::read_to_string(&path).await;
            let text = read.map_err(|error| failed(format!("The message cannot be read: {}", reason(&error))))?;
            if text.trim().is_empty() {
                let advice = format!("Write it again, or delete {place}");
                return Err(Failure::new(FailureKind::Local, "The message is empty: nothing was copied", advice));
            }
            copy_text(context, text, format!("message in {place}")).await
        });
    }
}

/// Writes a new file and returns its full path.
fn write(directory: &Path, text: &str, now: Timestamp) -> Result<PathBuf, Failure> {
    let name = format!("message-{}.txt", now.to_zoned(TimeZone::system()).strftime("%Y-%m-%d-%H%M"));
    write_new_file(directory, &name, |file| file.write_all(text.as_bytes())).map(|(path, ())| path)
}
