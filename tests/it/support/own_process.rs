//! Processes of tests: a test in its own process, for tests that use most of a process's open files, processes that end
//! with their test, and signals.

use std::ops::{Deref, DerefMut};
use std::process::{Child, Command};

#[cfg(target_os = "linux")]
use super::waiting::wait_until;

/// Environment variable that names the one test to run in the new process.
const TEST: &str = "REPORTDECK_TEST_OWN_PROCESS";

/// Starts this program again with only the calling test, and runs `body` there. `module` is the test's
/// `module_path!()`.
#[track_caller]
pub fn in_own_process(module: &str, test: &str, body: impl FnOnce()) {
    let (_, module) = module.split_once("::").expect("tests are in a module");
    let name = format!("{module}::{test}");
    if std::env::var(TEST).is_ok_and(|running| running == name) {
        return body();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &name, "--nocapture", "--test-threads=1"]).env(TEST, &name);
    let output = command.output().unwrap();
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{out}");
    assert!(output.status.success() && out.contains("1 passed"), "{out}\n{error}");
}

/// A child process that is killed when dropped, even while it is frozen, so that a failing test leaves nothing behind: a
/// process that still has the output of the tests keeps CI waiting for its end.
#[derive(Debug)]
pub struct KilledOnDrop(pub Child);

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Deref for KilledOnDrop {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for KilledOnDrop {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

/// Sends a signal, such as `TERM`, to a process.
#[track_caller]
pub fn send_signal(process: u32, name: &str) {
    let status = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
    assert!(status.unwrap().success(), "{name} could not be sent");
}

/// Stops a process and returns once it is stopped: after the signal alone, a busy machine may still run some of its
/// threads.
pub fn freeze(process: u32) {
    send_signal(process, "STOP");
    #[cfg(target_os = "linux")]
    wait_for_state(process, &[Some('T')]);
}

/// Returns the state of a process: `T` is stopped, `Z` a zombie; `None` if it is gone.
#[cfg(target_os = "linux")]
pub fn state(process: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit(") ").next()?.chars().next()
}

/// Waits until a process is in one of these states.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn wait_for_state(process: u32, wanted: &[Option<char>]) {
    wait_until(&format!("process state {wanted:?}"), || wanted.contains(&state(process)));
}
