//! The journal on its own thread: what is asked of it is done one after the other, in the order in which it was asked.
//!
//! Opened with the first question, so that nothing is asked of a journal that is not open yet. When nothing is asked for a
//! while, what was written is put where the end of the program finds nothing left to do. Must not know what is asked.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::domain::failure::Failure;
use crate::journal::Journal;

/// How long the journal may take to be closed, which is a matter of a millisecond, unless another window writes.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long nothing is asked before the log of what was written is put away.
const IDLE: Duration = Duration::from_secs(2);

/// Something to do with the journal.
type Job = Box<dyn FnOnce(&mut Book) + Send>;

/// The way to the journal's thread, which ends when nobody can ask any more. Dropped, it waits until the journal is
/// closed: the process may end right behind that.
pub(super) struct Shelf {
    jobs: Option<Sender<Job>>,
    /// Hears nothing but that the thread has ended.
    ended: Receiver<()>,
}

/// The journal, opened when it is first needed.
struct Book {
    file: Option<PathBuf>,
    journal: Option<Journal>,
}

impl Shelf {
    /// A journal in this file; without one nothing is remembered.
    pub(super) fn new(file: Option<PathBuf>) -> Self {
        Self::resting_after(file, IDLE)
    }

    /// The same with another pause before the log is put away.
    fn resting_after(file: Option<PathBuf>, idle: Duration) -> Self {
        let (jobs, asked) = channel::<Job>();
        let (end, ended) = channel();
        std::thread::spawn(move || {
            // Dropped behind the journal, also when a job breaks.
            let _end: Sender<()> = end;
            let mut book = Book { file, journal: None };
            while let Some(job) = book.next(&asked, idle) {
                job(&mut book);
            }
        });
        Self { jobs: Some(jobs), ended }
    }

    /// Asks something of the journal: the answer, nothing where there is no journal, or why it cannot be opened.
    /// The receiver hears of an error when the thread broke.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, Failure> + Send + 'static,
    ) -> oneshot::Receiver<Result<Option<T>, Failure>> {
        let (sender, answer) = oneshot::channel();
        let job: Job = Box::new(move |book| {
            let done = book.open().and_then(|journal| journal.map(work).transpose());
            // Who asked may have left.
            drop(sender.send(done));
        });
        // A thread that broke drops the job, and with it the sender.
        drop(self.jobs.as_ref().map(|jobs| jobs.send(job)));
        answer
    }

    /// Has the journal closed behind what was asked so far, and does not wait for it: that does the end of the shelf.
    pub(super) fn close(&mut self) {
        self.jobs = None;
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        self.close();
        let _ = self.ended.recv_timeout(FAREWELL);
    }
}

impl Book {
    /// Waits for the next job; `None` when nobody can ask any more. Only behind something written the wait is timed, and
    /// only once: at rest nothing wakes this thread.
    fn next(&self, asked: &Receiver<Job>, idle: Duration) -> Option<Job> {
        if let Some(journal) = self.journal.as_ref().filter(|journal| journal.has_log()) {
            match asked.recv_timeout(idle) {
                Ok(job) => return Some(job),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => journal.put_log_away(),
            }
        }
        asked.recv().ok()
    }

    fn open(&mut self) -> Result<Option<&Journal>, Failure> {
        if self.journal.is_none()
            && let Some(file) = self.file.take()
        {
            // What cannot be opened is told once and not tried with every key.
            self.journal = Some(Journal::open(&file)?);
        }
        Ok(self.journal.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::draft::Draft;
    use std::path::Path;

    fn draft(url: &str) -> Draft {
        Draft { form: "new".into(), url: url.into(), privacy: None, rerun: false }
    }

    #[tokio::test]
    async fn what_is_asked_is_done_in_its_order_from_the_first_question_on() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(Some(folder.path().join("journal.sqlite")));
        for number in 0..50 {
            let draft = draft(&number.to_string());
            drop(shelf.ask(move |journal| journal.keep("a", &draft)));
        }
        let drafts = shelf.ask(|journal| journal.drafts("a")).await.unwrap().unwrap().unwrap();
        assert_eq!(drafts, [draft("49")]);
    }

    #[test]
    fn whoever_lets_go_of_the_shelf_finds_the_journal_closed() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(Some(folder.path().join("journal.sqlite")));
        drop(shelf.ask(|journal| journal.keep("a", &draft("1"))));
        drop(shelf);
        let left = std::fs::read_dir(folder.path()).unwrap().flatten().map(|file| file.file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["journal.sqlite"], "its log and the window's lock are gone");
    }

    #[test]
    fn what_was_given_just_before_the_end_is_there_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.sqlite");
        let mut shelf = Shelf::new(Some(file.clone()));
        for number in 0..50 {
            let draft = draft(&number.to_string());
            drop(shelf.ask(move |journal| journal.keep("a", &draft)));
        }
        // Closing has begun, and whatever else ends meanwhile, the shelf is what waits for it.
        shelf.close();
        assert!(shelf.ask(|journal| journal.drafts("a")).blocking_recv().is_err(), "too late");
        drop(shelf);
        assert_eq!(in_the_file(&file), [draft("49")]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// What the file itself holds, whatever is in its log.
    fn in_the_file(file: &Path) -> Vec<Draft> {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("journal.sqlite");
        std::fs::copy(file, &copy).unwrap();
        Journal::open(&copy).unwrap().drafts("a").unwrap()
    }

    #[tokio::test]
    async fn the_log_is_put_away_when_nothing_is_asked_for_a_while_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        for (name, idle) in [("at once", Duration::ZERO), ("never", Duration::MAX)] {
            let file = folder.path().join(name).join("journal.sqlite");
            let shelf = Shelf::resting_after(Some(file.clone()), idle);
            // The tables stand in the file from here on.
            shelf
                .ask(|journal| {
                    journal.put_log_away();
                    Ok(())
                })
                .await
                .unwrap()
                .unwrap();
            shelf.ask(|journal| journal.keep("a", &draft("1"))).await.unwrap().unwrap();
            let has_log = async || shelf.ask(|journal| Ok(journal.has_log())).await.unwrap().unwrap().unwrap();
            while idle.is_zero() && has_log().await {}
            assert_eq!(has_log().await, !idle.is_zero(), "{name}");
            assert_eq!(in_the_file(&file).len(), usize::from(idle.is_zero()), "{name}");
        }
    }

    #[tokio::test]
    async fn without_a_file_nothing_is_remembered_and_a_bad_one_is_told_once() {
        let shelf = Shelf::new(None);
        assert_eq!(shelf.ask(|journal| journal.drafts("a")).await.unwrap().unwrap(), None);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.sqlite");
        std::fs::write(&file, "this is no database, and it is long enough to be looked at as one").unwrap();
        let shelf = Shelf::new(Some(file));
        assert!(shelf.ask(|journal| journal.drafts("a")).await.unwrap().is_err());
        assert_eq!(shelf.ask(|journal| journal.drafts("a")).await.unwrap().unwrap(), None);
    }
}
