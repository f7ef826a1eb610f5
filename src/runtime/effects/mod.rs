//! Performs effects. Each becomes a task that sends one message back; tasks never access the state.
//!
//! Reads can be cancelled, writes cannot.

pub(crate) mod browser;
mod bulk;
mod clipboard;
mod comparison;
mod connect;
mod desk;
mod desk_link;
mod files;
mod http;
mod journal;
mod journal_thread;
mod message;
mod password;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::task::AbortHandle;
use tokio_util::task::TaskTracker;

use crate::api::client::Client;
use crate::api::limits::Limits;
use crate::app::effect::{Effect, RequestId};
use crate::app::message::Message;
use crate::config::child_process::KeyVariables;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::list::arrange::arrange;
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::filter::known_values::KnownValues;
use crate::domain::look::terminal_env::TerminalEnv;
use crate::domain::overview::Overview;
use crate::domain::triage::causes::lines::find_causes;
use crate::input::keymap::Keymap;
use crate::input::{Action, Context};
use crate::runtime::current_service::CurrentService;
use crate::runtime::effects::desk::DeskTask;
use crate::runtime::effects::journal_thread::JournalThread;
use crate::runtime::launch::{Connect, Launch};
use crate::runtime::replies::{ReplySender, ServiceNumber};
use crate::runtime::terminal::tty_writer::TtyWriter;
use crate::runtime::terminal::{modes, signals};

/// The failure of jobs on a journal thread that has panicked.
pub(super) const NO_JOURNAL: &str = "the journal's thread panicked";

/// Performs effects: the session's connections to the outside world.
pub(super) struct Effects {
    sender: ReplySender,
    /// Connects to the service of a profile.
    connector: Connect,
    /// The limits of clients.
    limits: Limits,
    /// Whether writes are disabled for any service.
    read_only: bool,
    tasks: TaskTracker,
    reads: HashMap<RequestId, AbortHandle>,
    connecting: Option<AbortHandle>,
    /// The profile of the service in use; `None` for the default service.
    profile: Option<String>,
    current: Shared<CurrentService>,
    journal: JournalThread,
    desk: Option<DeskTask>,
    /// The directory of exported files.
    export_directory: PathBuf,
    /// The user's message template, which need not exist.
    message_template: Option<PathBuf>,
    /// The terminal and the desktop around it.
    pub(super) desktop: DesktopContext,
    /// For naming keys in notices.
    keymap: Arc<Keymap>,
}

type Shared<T> = Arc<Mutex<T>>;

pub(super) fn locked<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Effects {
    /// Creates effects without a connection, which write to this terminal outside of frames.
    pub(super) fn new(launch: &Launch, limits: Limits, sender: ReplySender, writer: TtyWriter) -> Self {
        let tasks = TaskTracker::new();
        // A closed tracker still accepts tasks, and waiting on it ends when there are none.
        tasks.close();
        let journal_name = launch.journal_name.clone().unwrap_or_default();
        Self {
            sender,
            connector: Arc::clone(&launch.connect),
            limits,
            read_only: launch.read_only,
            tasks,
            reads: HashMap::new(),
            connecting: None,
            profile: launch.profiles.1.clone(),
            current: Arc::new(Mutex::new(CurrentService::named(journal_name))),
            journal: JournalThread::new(launch.journal.clone()),
            desk: None,
            export_directory: launch.directory.clone(),
            message_template: launch.message_template.clone(),
            desktop: DesktopContext {
                terminal_env: launch.terminal_env,
                state_directory: launch.journal.as_deref().and_then(Path::parent).map(Path::to_owned),
                writer,
                key_variables: launch.key_variables.clone(),
                mouse_key: launch.keymap.key_name(Action::ToggleMouse, Context::Panes),
            },
            keymap: Arc::clone(&launch.keymap),
        }
    }

    /// The service in use.
    pub(super) fn service(&self) -> ServiceNumber {
        self.sender.service
    }

    /// Whether no task is running.
    pub(super) fn is_idle(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Waits until no task is running.
    pub(super) async fn rest(&self) {
        self.tasks.wait().await;
    }

    /// Cancels reads and connecting, and waits for all other tasks.
    pub(super) async fn finish(&mut self) {
        self.abort_reads();
        self.tasks.wait().await;
    }

    fn abort_reads(&mut self) {
        for task in self.reads.drain().map(|(_, read)| read).chain(self.connecting.take()) {
            task.abort();
        }
    }

    /// Starts closing the journal. It accepts no further jobs.
    pub(super) fn close_journal(&mut self) {
        self.desk = None;
        self.journal.jobs.close();
    }

    /// Waits until the journal is closed. Returns what could not be stored meanwhile.
    pub(super) fn await_journal(&mut self) -> Option<Failure> {
        self.journal.close()
    }

    /// The client, once connected.
    pub(super) fn client(&self) -> Option<Client> {
        locked(&self.current).client.clone()
    }

    /// Performs one effect.
    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Connect(profile) => self.connect(profile),
            Effect::ListReports { request, query, token, background } => {
                self.list_reports(request, query, token, background);
            }
            Effect::ListProjects(request, query, token) => self.list_projects(request, query, token),
            Effect::ShowReport(request, id) => self.show_report(request, id),
            Effect::Arrange(request, rows, arrangement) => {
                self.spawn_blocking(move || Message::Arranged(request, arrange(&rows, &arrangement)));
            }
            Effect::FindCauses(request, rows, places) => {
                self.spawn_blocking(move || Message::Causes(request, Box::new(find_causes(&rows, &places))));
            }
            Effect::CollectFilterValues(request, rows, projects) => {
                self.spawn_blocking(move || {
                    Message::FilterValues(request, Box::new(KnownValues::collect(&rows, &projects)))
                });
            }
            Effect::CountOverview(request, rows, project, context) => {
                let count = move || Overview::of(&rows, project.as_ref(), &context);
                self.spawn_blocking(move || Message::Overview(request, Box::new(count())));
            }
            Effect::StoreSeen(at) => self.with_journal(move |journal, service| journal.store_seen_at(service, at)),
            Effect::Compare(request, wanted) => self.compare(request, *wanted),
            Effect::ShowChecks(request, id) => self.show_checks(request, id),
            Effect::StoreColumns(ColumnLayout { shown, widths }) => {
                self.store(move |journal, service| journal.store_columns(service, shown.as_deref(), &widths));
            }
            Effect::Cancel(request) => {
                if let Some(read) = self.reads.remove(&request) {
                    read.abort();
                }
            }
            Effect::Create(request, new) => self.create_report(request, new),
            Effect::Update(request, id, change, base) => self.update_report(request, id, change, base),
            Effect::DeleteReport(request, id) => self.delete_report(request, id),
            Effect::DeleteProject(request, name) => self.delete_project(request, name),
            Effect::UseKey(key) => self.use_key(key),
            Effect::CaptureMouse(take) => {
                if self.desktop.terminal_env.is_talkative {
                    modes::capture_mouse(&self.desktop.writer, take);
                }
            }
            Effect::Stop => self.stop(),
            Effect::Copy(text) => self.copy(text),
            Effect::CopyPassword(password) => self.copy_password(password),
            Effect::CopyReportPage(id) => self.copy_report_page(id),
            Effect::OpenWebPage(url) => self.open_web_page(url),
            Effect::OpenReportPage(id) => self.open_report_page(id),
            Effect::Export(format, request) => self.export(format, request),
            Effect::ReadJournal => self.read_journal(),
            Effect::ReadStates => self.read_states(),
            Effect::ReadViews => self.read_views(),
            Effect::JoinDesk => self.join_desk(),
            Effect::SendToDesk(entries) => self.send_to_desk(entries),
            Effect::ForgetDecision(change) => self.forget_decision(change),
            Effect::SendPresence(report, doing) => self.publish_presence(report, doing),
            Effect::StoreStates(decided, entries) => {
                self.store(move |journal, service| journal.upsert_states(service, &decided, &entries));
            }
            Effect::UpdateStates(changed, entries) => self.update_states(changed, entries),
            Effect::Log(entries) => {
                self.with_journal(move |journal, service| journal.append_events(service, &entries));
            }
            Effect::ReadLog(request) => self.read_log(request),
            Effect::ReadTimeline(request, id) => self.read_timeline(request, id),
            Effect::SaveView(view) => self.store(move |journal, service| journal.upsert_view(service, &view)),
            Effect::RestoreView(former) => self.store(move |journal, service| journal.restore_view(service, &former)),
            Effect::DeleteView(name) => self.store(move |journal, service| journal.delete_view(service, &name)),
            Effect::StoreNotes(changes) => {
                self.store(move |journal, service| journal.store_notes(service, &changes));
            }
            Effect::ReadCachedRows(part) => self.read_cached_rows(part),
            Effect::StoreRows(rows, taken_at) => self.store_cached_rows(rows, taken_at),
            Effect::StoreRun(request, operation, items) => self.store_run(request, operation, items),
            Effect::SendItem(request, write) => self.send_item(request, write),
            Effect::ReadItem(request, id) => self.read_item(request, id),
            Effect::StoreItem(run, at, state, entries) => {
                self.with_journal(move |journal, service| journal.record_item(run, at, &state, service, &entries));
            }
            Effect::DeleteRun(run) => self.with_journal(move |journal, _| journal.delete_run(run)),
            Effect::GeneratePassword => self.send(password::generate()),
            Effect::StoreDraft(draft) => {
                self.with_journal(move |journal, service| journal.upsert_draft(service, &draft));
            }
            Effect::DeleteDraft(key) => self.with_journal(move |journal, service| journal.delete_draft(service, &key)),
            Effect::WriteMessage(target, message, now) => self.write_message(target, *message, now),
            // Handled by the session.
            Effect::EditFile(_) | Effect::Quit => {}
        }
    }

    fn stop(&self) {
        if !signals::ask_to_stop() {
            let help = format!("{} quits", self.keymap.key_name(Action::Quit, Context::Panes));
            let failure = Failure::new(FailureKind::Local, "No shell could resume the program", help);
            self.send(Message::Notice(Err(failure)));
        }
    }

    pub(super) fn send(&self, message: Message) {
        self.sender.send(message);
    }

    /// Runs a task and sends its message. A panic is reported as a message too.
    pub(super) fn spawn(&self, task: impl Future<Output = Message> + Send + 'static) -> AbortHandle {
        // Boxed tasks share one compiled copy of the code; otherwise it takes a sixth of the crate.
        self.spawn_boxed(task.boxed())
    }

    fn spawn_boxed(&self, task: BoxFuture<'static, Message>) -> AbortHandle {
        let inner = tokio::spawn(task);
        let handle = inner.abort_handle();
        let sender = self.sender.clone();
        let forward = async move {
            match inner.await {
                Ok(message) => sender.send(message),
                Err(error) if error.is_panic() => sender.send(Message::TaskFailed(error.to_string())),
                Err(_cancelled) => {}
            }
        };
        self.tasks.spawn(forward.boxed());
        handle
    }

    /// Runs a task and shows its result in a notice.
    pub(super) fn spawn_notice(&self, task: impl Future<Output = Result<String, Failure>> + Send + 'static) {
        drop(self.spawn(task.map(Message::Notice)));
    }

    pub(super) fn spawn_blocking(&self, task: impl FnOnce() -> Message + Send + 'static) {
        drop(self.spawn(blocking(task)));
    }
}

/// The terminal and desktop that a task copies to, or opens pages on.
#[derive(Clone, Default)]
pub(super) struct DesktopContext {
    terminal_env: TerminalEnv,
    /// The directory of the file that copying falls back to; without it, a temporary file is used.
    state_directory: Option<PathBuf>,
    /// Writes terminal sequences outside of frames.
    writer: TtyWriter,
    /// Environment variables withheld from child processes.
    pub(super) key_variables: KeyVariables,
    /// The key that releases the mouse to the terminal.
    mouse_key: String,
}

/// Runs work that blocks. A panic goes on in the calling task, which reports it.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

pub(super) fn no_service() -> Failure {
    Failure::new(FailureKind::Local, "The service is not connected yet", "Try again in a moment")
}
