//! Writes exported files. Existing files are never overwritten.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::domain::export::request::ExportRequest;
use crate::domain::export::{self, FileFormat};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::clean;
use crate::domain::text::numbers::counted;
use crate::journal::Journal;
use crate::runtime::effects::{Effects, NO_JOURNAL, blocking};

/// The most files with the same minute in their names.
const MOST_OF_A_NAME: usize = 999;

impl Effects {
    /// Writes a file, and reports its name or the failure.
    pub(super) fn export(&self, format: FileFormat, request: Arc<ExportRequest>) {
        let directory = self.export_directory.clone();
        let asked = self.insist_on_journal(Journal::load_results_before);
        self.spawn_notice(async move {
            // Without a journal, only the results of this run are known.
            let (before, problem) = match asked.await {
                Ok(Ok(before)) => (before, None),
                Ok(Err(failure)) => (None, Some(failure.message)),
                Err(_) => (None, Some(NO_JOURNAL.to_owned())),
            };
            let written = blocking(move || {
                let mut request = Arc::unwrap_or_clone(request);
                if let Some(before) = before {
                    request.around.results_before = Arc::new(before);
                }
                export(&directory, format, &request)
            })
            .await?;
            Ok(match problem {
                Some(problem) => format!("{written}; earlier results are missing: {problem}"),
                None => written,
            })
        });
    }
}

fn export(directory: &Path, format: FileFormat, request: &ExportRequest) -> Result<String, Failure> {
    let (path, columns) =
        write_new_file(directory, &request.file_name(format), |file| export::write(request, format, file))?;
    let reports = counted(request.places.len() as u64, "report");
    let columns = columns.map_or_else(|| "all fields".to_owned(), |columns| counted(columns as u64, "column"));
    Ok(format!("{reports}, {columns} → {}", clean(&path.to_string_lossy())))
}

/// Writes a new file whose name begins like `name`, and returns its full path. If writing fails, the file is removed.
pub(super) fn write_new_file<T>(
    directory: &Path,
    name: &str,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> Result<(PathBuf, T), Failure> {
    let place = clean(&directory.to_string_lossy()).into_owned();
    let (path, mut file) = new_file(directory, name).map_err(|error| {
        let message = format!("No file could be created in {place}: {}", reason(&error));
        Failure::new(FailureKind::Local, message, "Start reportdeck in a directory that you can write to")
    })?;
    // Some file systems report a full disk only on sync.
    let written = write(&mut file).and_then(|written| file.sync_all().map(|()| written));
    drop(file);
    match written {
        Ok(written) => Ok((std::path::absolute(&path).unwrap_or(path), written)),
        Err(error) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let left = if fs::remove_file(&path).is_ok() { "the file was removed" } else { "a part of it remains" };
            let message = format!("Writing {name} in {place} failed, {left}: {}", reason(&error));
            Err(Failure::new(FailureKind::Local, message, "Free some disk space, or start reportdeck elsewhere"))
        }
    }
}

/// Creates `reports-….csv`, or `reports-…-2.csv` if that exists.
fn new_file(directory: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    let mut taken = io::Error::from(ErrorKind::AlreadyExists);
    for number in 1..=MOST_OF_A_NAME {
        let path = directory.join(numbered(name, number));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

fn numbered(name: &str, number: usize) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if number > 1 => format!("{stem}-{number}.{extension}"),
        Some(_) | None => name.to_owned(),
    }
}

/// Describes an error without the system's error number.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "not found".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
        // `ErrorKind` is non-exhaustive.
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn an_existing_file_is_kept_and_the_new_name_gets_a_number() {
        let directory = tempfile::tempdir().unwrap();
        for expected in ["reports.csv", "reports-2.csv", "reports-3.csv"] {
            let (path, mut file) = new_file(directory.path(), "reports.csv").unwrap();
            assert_eq!(path, directory.path().join(expected));
            file.write_all(expected.as_bytes()).unwrap();
        }
        assert_eq!(fs::read(directory.path().join("reports.csv")).unwrap(), b"reports.csv");
    }

    #[test]
    fn a_file_that_cannot_be_written_completely_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let failed = write_new_file(directory.path(), "message.txt", |file| {
            file.write_all(b"Dear")?;
            Err::<(), _>(ErrorKind::StorageFull.into())
        });
        let text = failed.unwrap_err().message;
        assert!(text.starts_with("Writing message.txt in ") && text.ends_with("the disk is full"), "{text}");
        assert!(text.contains("the file was removed"), "{text}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nowhere_is_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let elsewhere = directory.path().join("elsewhere");
        std::os::unix::fs::symlink(&elsewhere, directory.path().join("reports.csv")).unwrap();
        let (path, _) = new_file(directory.path(), "reports.csv").unwrap();
        assert_eq!(path, directory.path().join("reports-2.csv"));
        assert!(!elsewhere.exists());
    }
}
