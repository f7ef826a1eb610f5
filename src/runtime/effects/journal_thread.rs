//! The journal's thread: does its work in order, opens the journal for the first piece of it, and checkpoints the
//! write-ahead log when there is none for a while.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::domain::failure::Failure;
use crate::journal::Journal;

/// How long closing the journal may take. Another instance that writes may delay it.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// The pause before the log is checkpointed.
const IDLE: Duration = Duration::from_secs(2);

/// A piece of work.
type Job = Box<dyn FnOnce(&mut LazyJournal) + Send>;

/// The sender of work to the thread. Dropping it closes the journal and waits for that, because the process may end
/// right behind it.
pub(super) struct JournalThread {
    jobs: Option<Arc<Sender<Job>>>,
    /// Disconnected when the thread has ended.
    ended: Receiver<()>,
}

/// Another sender of work. It does not keep the journal open.
#[derive(Clone)]
pub(super) struct JournalSender(Weak<Sender<Job>>);

impl JournalSender {
    /// [`JournalThread::ask`]. The receiver fails also when the journal was closed.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, Failure> + Send + 'static,
    ) -> oneshot::Receiver<Result<Option<T>, Failure>> {
        ask(self.0.upgrade().as_deref(), work)
    }
}

/// The journal, opened when it is first used.
struct LazyJournal {
    file: Option<PathBuf>,
    journal: Option<Journal>,
}

impl JournalThread {
    /// A thread for the journal in this file. Without a file all work is dropped.
    pub(super) fn new(file: Option<PathBuf>) -> Self {
        Self::with_idle(file, IDLE)
    }

    /// [`Self::new`] with another pause before the checkpoint.
    fn with_idle(file: Option<PathBuf>, idle: Duration) -> Self {
        let (jobs, asked) = channel::<Job>();
        let (end, ended) = channel();
        std::thread::spawn(move || {
            // Dropped after the journal, also when a job panics.
            let _end: Sender<()> = end;
            let mut journal_file = LazyJournal { file, journal: None };
            while let Some(job) = journal_file.next(&asked, idle) {
                job(&mut journal_file);
            }
        });
        Self { jobs: Some(Arc::new(jobs)), ended }
    }

    /// Queues work. The result is `None` without a journal, and a failure where it cannot be opened. The receiver fails
    /// when the thread has panicked.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, Failure> + Send + 'static,
    ) -> oneshot::Receiver<Result<Option<T>, Failure>> {
        ask(self.jobs.as_deref(), work)
    }

    /// Another sender of work.
    pub(super) fn sender(&self) -> JournalSender {
        JournalSender(self.jobs.as_ref().map(Arc::downgrade).unwrap_or_default())
    }

    /// Starts closing the journal, behind the queued work, without waiting for it.
    pub(super) fn close(&mut self) {
        self.jobs = None;
    }
}

fn ask<T: Send + 'static>(
    jobs: Option<&Sender<Job>>,
    work: impl FnOnce(&Journal) -> Result<T, Failure> + Send + 'static,
) -> oneshot::Receiver<Result<Option<T>, Failure>> {
    let (sender, answer) = oneshot::channel();
    let job: Job = Box::new(move |journal_file| {
        let done = journal_file.open().and_then(|journal| journal.map(work).transpose());
        // The receiver may be gone.
        drop(sender.send(done));
    });
    // A thread that has panicked drops the job and its sender.
    drop(jobs.map(|jobs| jobs.send(job)));
    answer
}

impl Drop for JournalThread {
    fn drop(&mut self) {
        self.close();
        let _ = self.ended.recv_timeout(CLOSE_TIMEOUT);
    }
}

impl LazyJournal {
    /// Waits for the next job; `None` when the sender is gone. The wait has a timeout only while there is a log, and
    /// only once, so that nothing wakes the thread at rest.
    fn next(&self, asked: &Receiver<Job>, idle: Duration) -> Option<Job> {
        if let Some(journal) = self.journal.as_ref().filter(|journal| journal.has_log()) {
            match asked.recv_timeout(idle) {
                Ok(job) => return Some(job),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => journal.checkpoint(),
            }
        }
        asked.recv().ok()
    }

    fn open(&mut self) -> Result<Option<&Journal>, Failure> {
        if self.journal.is_none()
            && let Some(file) = self.file.take()
        {
            // A failure is reported once, not for every job.
            self.journal = Some(Journal::open(&file)?);
        }
        Ok(self.journal.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::draft::{Draft, DraftKey};
    use std::path::Path;

    fn draft(url: &str) -> Draft {
        Draft::of_text(DraftKey::NewReport, url)
    }

    #[tokio::test]
    async fn work_is_done_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let thread = JournalThread::new(Some(folder.path().join("journal.sqlite")));
        for number in 0..50 {
            let draft = draft(&number.to_string());
            drop(thread.ask(move |journal| journal.upsert_draft("a", &draft)));
        }
        let drafts = thread.ask(|journal| journal.load_drafts("a")).await.unwrap().unwrap().unwrap();
        assert_eq!(drafts, [draft("49")]);
    }

    #[test]
    fn dropping_the_sender_closes_the_journal() {
        let folder = tempfile::tempdir().unwrap();
        let thread = JournalThread::new(Some(folder.path().join("journal.sqlite")));
        drop(thread.ask(|journal| journal.upsert_draft("a", &draft("1"))));
        drop(thread);
        let left = std::fs::read_dir(folder.path()).unwrap().flatten().map(|file| file.file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["journal.sqlite"], "its log and the window's lock are gone");
    }

    #[test]
    fn work_queued_just_before_the_end_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.sqlite");
        let mut thread = JournalThread::new(Some(file.clone()));
        for number in 0..50 {
            let draft = draft(&number.to_string());
            drop(thread.ask(move |journal| journal.upsert_draft("a", &draft)));
        }
        // Closing has begun; dropping waits for its end.
        thread.close();
        assert!(thread.ask(|journal| journal.load_drafts("a")).blocking_recv().is_err(), "too late");
        drop(thread);
        assert_eq!(in_the_file(&file), [draft("49")]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// The content of the file without its log.
    fn in_the_file(file: &Path) -> Vec<Draft> {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("journal.sqlite");
        std::fs::copy(file, &copy).unwrap();
        Journal::open(&copy).unwrap().load_drafts("a").unwrap()
    }

    #[tokio::test]
    async fn the_log_is_checkpointed_when_idle_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        for (name, idle) in [("at once", Duration::ZERO), ("never", Duration::MAX)] {
            let file = folder.path().join(name).join("journal.sqlite");
            let thread = JournalThread::with_idle(Some(file.clone()), idle);
            // From here on the tables are in the file.
            thread
                .ask(|journal| {
                    journal.checkpoint();
                    Ok(())
                })
                .await
                .unwrap()
                .unwrap();
            thread.ask(|journal| journal.upsert_draft("a", &draft("1"))).await.unwrap().unwrap();
            let has_log = async || thread.ask(|journal| Ok(journal.has_log())).await.unwrap().unwrap().unwrap();
            while idle.is_zero() && has_log().await {}
            assert_eq!(has_log().await, !idle.is_zero(), "{name}");
            assert_eq!(in_the_file(&file).len(), usize::from(idle.is_zero()), "{name}");
        }
    }

    #[tokio::test]
    async fn without_a_file_nothing_is_stored_and_a_bad_one_is_reported_once() {
        let thread = JournalThread::new(None);
        assert_eq!(thread.ask(|journal| journal.load_drafts("a")).await.unwrap().unwrap(), None);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.sqlite");
        std::fs::write(&file, "this is no database, and it is long enough to be looked at as one").unwrap();
        let thread = JournalThread::new(Some(file));
        assert!(thread.ask(|journal| journal.load_drafts("a")).await.unwrap().is_err());
        assert_eq!(thread.ask(|journal| journal.load_drafts("a")).await.unwrap().unwrap(), None);
    }
}
