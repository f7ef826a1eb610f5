//! The journal thread: runs jobs in order, opens the journal for the first job and after it was deleted, and checkpoints the
//! write-ahead log when idle.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::domain::failure::{Failure, FailureKind};
use crate::journal::Journal;

/// How long closing the journal may take. Another instance that is writing may delay it.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// The idle time before the log is checkpointed.
const IDLE: Duration = Duration::from_secs(2);

/// A job on the journal, which returns its failure.
type Job = Box<dyn FnOnce(&mut LazyJournal) -> Option<Failure> + Send>;

/// The thread. Dropping it closes the journal and waits for that, because the process may end immediately afterwards.
pub(super) struct JournalThread {
    pub(super) jobs: JournalSender,
    /// The last failure since closing began. Disconnected once the thread has ended; `None` if that was waited for.
    ended: Option<Receiver<Failure>>,
}

/// Sends jobs to the thread until the journal is closed.
#[derive(Clone)]
pub(super) struct JournalSender(Arc<Mutex<Option<Sender<Job>>>>);

impl JournalSender {
    /// Queues a job. The result is `None` without a journal, and a failure if it cannot be opened; after the first
    /// failure it is `None` too. The receiver fails if the thread has panicked, or the journal was closed.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, Failure> + Send + 'static,
    ) -> oneshot::Receiver<Result<Option<T>, Failure>> {
        self.queue(work, LazyJournal::open_unless_failed)
    }

    /// Like [`Self::ask`], but tries again to open a journal that could not be opened, and fails again.
    pub(super) fn insist<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, Failure> + Send + 'static,
    ) -> oneshot::Receiver<Result<Option<T>, Failure>> {
        self.queue(work, LazyJournal::open)
    }

    fn queue<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, Failure> + Send + 'static,
        open: fn(&mut LazyJournal) -> Result<Option<&Journal>, Failure>,
    ) -> oneshot::Receiver<Result<Option<T>, Failure>> {
        let (sender, answer) = oneshot::channel();
        let job: Job = Box::new(move |journal_file| {
            let done = open(journal_file).and_then(|journal| journal.map(work).transpose());
            let failure = done.as_ref().err().cloned();
            // The receiver may be gone.
            drop(sender.send(done));
            failure
        });
        // A panicked thread drops the job, and with it the sender.
        drop(self.lock().as_ref().map(|jobs| jobs.send(job)));
        answer
    }

    /// Starts closing the journal after the queued jobs, without waiting.
    pub(super) fn close(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Sender<Job>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The journal, opened on first use.
struct LazyJournal {
    file: Option<PathBuf>,
    journal: Option<Journal>,
    has_failed: bool,
}

impl JournalThread {
    /// Starts a thread for the journal in this file. Without a file all jobs are dropped.
    pub(super) fn new(file: Option<PathBuf>) -> Self {
        Self::with_idle(file, IDLE)
    }

    /// Like [`Self::new`], with another idle time.
    fn with_idle(file: Option<PathBuf>, idle: Duration) -> Self {
        let (jobs, queue) = channel::<Job>();
        let jobs = JournalSender(Arc::new(Mutex::new(Some(jobs))));
        let (end, ended) = channel();
        let sender = jobs.clone();
        std::thread::spawn(move || {
            // Dropped after the journal, even if a job panics.
            let end: Sender<Failure> = end;
            let mut journal_file = LazyJournal { file, journal: None, has_failed: false };
            let mut unread = None;
            while let Some(job) = journal_file.next(&queue, idle) {
                unread = job(&mut journal_file).filter(|_| sender.lock().is_none()).or(unread);
            }
            drop(journal_file);
            drop(unread.map(|failure| end.send(failure)));
        });
        Self { jobs, ended: Some(ended) }
    }

    /// Closes the journal and waits for that, once. Returns what could not be stored since closing began.
    pub(super) fn close(&mut self) -> Option<Failure> {
        self.jobs.close();
        match self.ended.take()?.recv_timeout(CLOSE_TIMEOUT) {
            Ok(failure) => Some(failure),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                let help = "Look at them after the next start";
                Some(Failure::new(
                    FailureKind::Local,
                    "The latest changes may not be stored: the journal is busy",
                    help,
                ))
            }
        }
    }
}

impl Drop for JournalThread {
    fn drop(&mut self) {
        self.close();
    }
}

impl LazyJournal {
    /// Waits for the next job; `None` once the sender is gone. Waits with a timeout only while there is a log, and only
    /// once, so that an idle thread is never woken.
    fn next(&self, queue: &Receiver<Job>, idle: Duration) -> Option<Job> {
        if let Some(journal) = self.journal.as_ref().filter(|journal| journal.has_log()) {
            match queue.recv_timeout(idle) {
                Ok(job) => return Some(job),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => journal.checkpoint(),
            }
        }
        queue.recv().ok()
    }

    fn open(&mut self) -> Result<Option<&Journal>, Failure> {
        // A deleted file still accepts writes, which nobody can read once it is closed.
        if self.file.as_ref().is_some_and(|file| matches!(file.try_exists(), Ok(false))) {
            self.journal = None;
        }
        if self.journal.is_none()
            && let Some(file) = &self.file
        {
            self.has_failed = true;
            self.journal = Some(Journal::open(file)?);
            self.has_failed = false;
        }
        Ok(self.journal.as_ref())
    }

    /// A failure is reported once, not for every job.
    fn open_unless_failed(&mut self) -> Result<Option<&Journal>, Failure> {
        if self.has_failed { Ok(None) } else { self.open() }
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
            drop(thread.jobs.ask(move |journal| journal.upsert_draft("a", &draft)));
        }
        let drafts = thread.jobs.ask(|journal| journal.load_drafts("a")).await.unwrap().unwrap().unwrap();
        assert_eq!(drafts, [draft("49")]);
    }

    #[test]
    fn dropping_the_sender_closes_the_journal() {
        let folder = tempfile::tempdir().unwrap();
        let thread = JournalThread::new(Some(folder.path().join("journal.sqlite")));
        drop(thread.jobs.ask(|journal| journal.upsert_draft("a", &draft("1"))));
        drop(thread);
        let left = std::fs::read_dir(folder.path()).unwrap().flatten().map(|file| file.file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["journal.sqlite"], "its log and the window's lock are gone");
    }

    #[test]
    fn a_failure_while_closing_is_returned_and_an_earlier_one_is_not() {
        let fails = || Failure::new(FailureKind::Local, "Not stored", "");
        for has_begun in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let mut thread = JournalThread::new(Some(folder.path().join("journal.sqlite")));
            let (release, released) = channel();
            let stored = thread.jobs.ask::<()>(move |_| {
                released.recv().unwrap();
                Err(fails())
            });
            if has_begun {
                thread.jobs.close();
            }
            release.send(()).unwrap();
            assert_eq!(stored.blocking_recv().unwrap(), Err(fails()));
            if !has_begun {
                thread.jobs.ask(|_| Ok(())).blocking_recv().unwrap().unwrap();
            }
            assert_eq!(thread.close(), has_begun.then(fails));
        }
    }

    #[test]
    fn work_queued_just_before_the_end_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.sqlite");
        let thread = JournalThread::new(Some(file.clone()));
        for number in 0..50 {
            let draft = draft(&number.to_string());
            drop(thread.jobs.ask(move |journal| journal.upsert_draft("a", &draft)));
        }
        // Closing has begun; dropping waits for its end.
        thread.jobs.close();
        assert!(thread.jobs.ask(|journal| journal.load_drafts("a")).blocking_recv().is_err(), "too late");
        drop(thread);
        assert_eq!(in_the_file(&file), [draft("49")]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// The content of the file, without its log.
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
                .jobs
                .ask(|journal| {
                    journal.checkpoint();
                    Ok(())
                })
                .await
                .unwrap()
                .unwrap();
            thread.jobs.ask(|journal| journal.upsert_draft("a", &draft("1"))).await.unwrap().unwrap();
            let has_log = async || thread.jobs.ask(|journal| Ok(journal.has_log())).await.unwrap().unwrap().unwrap();
            while idle.is_zero() && has_log().await {}
            assert_eq!(has_log().await, !idle.is_zero(), "{name}");
            assert_eq!(in_the_file(&file).len(), usize::from(idle.is_zero()), "{name}");
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_journal_that_was_deleted_is_created_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state").join("journal.sqlite");
        let thread = JournalThread::new(Some(file.clone()));
        for (url, deleted) in [("1", file.as_path()), ("2", file.parent().unwrap()), ("3", Path::new(""))] {
            let draft = draft(url);
            thread.jobs.ask(move |journal| journal.upsert_draft("a", &draft)).await.unwrap().unwrap();
            drop(std::fs::remove_file(deleted).or_else(|_| std::fs::remove_dir_all(deleted)));
        }
        drop(thread);
        assert_eq!(in_the_file(&file), [draft("3")]);
    }

    #[tokio::test]
    async fn without_a_file_nothing_is_stored_and_a_bad_one_is_reported_once() {
        let thread = JournalThread::new(None);
        assert_eq!(thread.jobs.ask(|journal| journal.load_drafts("a")).await.unwrap().unwrap(), None);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.sqlite");
        std::fs::write(&file, "this is no database, and it is long enough to be looked at as one").unwrap();
        let thread = JournalThread::new(Some(file));
        assert!(thread.jobs.ask(|journal| journal.load_drafts("a")).await.unwrap().is_err());
        assert_eq!(thread.jobs.ask(|journal| journal.load_drafts("a")).await.unwrap().unwrap(), None);
        assert!(thread.jobs.insist(|journal| journal.load_drafts("a")).await.unwrap().is_err());
    }
}
