//! The message to the customer: rendered from the template, then copied, or written to a file for editing.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::app::message::Message;
use crate::config::message_template;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::message::{CustomerMessage, MessageTarget};
use crate::domain::text::clean;
use crate::domain::text::numbers::counted;
use crate::runtime::effects::Effects;
use crate::runtime::effects::clipboard::hand_over;
use crate::runtime::effects::files::{reason, write_new_file};

impl Effects {
    /// Renders a message and delivers it to the target.
    pub(super) fn write_message(&self, target: MessageTarget, message: CustomerMessage, now: Timestamp) {
        let (template, directory, context) =
            (self.message_template.clone(), self.export_directory.clone(), self.context());
        drop(self.spawn(async move {
            let about = counted(message.reports.len() as u64, "report");
            let made = tokio::task::spawn_blocking(move || {
                let text = message_template::render(template.as_deref(), &message)?;
                let path = match target {
                    MessageTarget::Clipboard => None,
                    MessageTarget::File | MessageTarget::Editor => Some(write(&directory, &text, now)?),
                };
                Ok((text, path))
            });
            match made.await {
                Ok(Ok((text, None))) => hand_over(context, (text, format!("message about {about}"))).await,
                Ok(Ok((_, Some(path)))) if target == MessageTarget::Editor => Message::FileToEdit(path),
                Ok(Ok((_, Some(path)))) => {
                    let path = clean(&path.to_string_lossy()).into_owned();
                    Message::Notice(Ok(format!("Message about {about} → {path}")))
                }
                Ok(Err(failure)) => Message::Notice(Err(failure)),
                Err(error) => Message::TaskFailed(error.to_string()),
            }
        }));
    }

    /// Copies the content of an edited file.
    pub(in crate::runtime) fn copy_edited(&self, path: PathBuf, edited: Result<(), String>) {
        let context = self.context();
        drop(self.spawn(async move {
            let place = clean(&path.to_string_lossy()).into_owned();
            let failed = |why: String| {
                let advice = format!("Your text is in {place}");
                Message::Notice(Err(Failure::new(FailureKind::Local, why, advice)))
            };
            match (edited, tokio::fs::read_to_string(&path).await) {
                (Err(why), _) => failed(why),
                (Ok(()), Err(error)) => failed(format!("The message cannot be read: {}", reason(&error))),
                (Ok(()), Ok(text)) => hand_over(context, (text, format!("message in {place}"))).await,
            }
        }));
    }
}

/// Writes a new file and returns its full path.
fn write(directory: &Path, text: &str, now: Timestamp) -> Result<PathBuf, Failure> {
    let name = format!("message-{}.txt", now.strftime("%Y-%m-%d-%H%M"));
    write_new_file(directory, &name, |file| file.write_all(text.as_bytes())).map(|(path, ())| path)
}
