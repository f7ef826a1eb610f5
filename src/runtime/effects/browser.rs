//! Opens web pages in the browser. Over ssh or without a desktop, a notice shows the URL instead.

use std::io;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use url::Url;

use crate::api::contract::parameter;
use crate::app::message::Message;
use crate::config::child_process::KeyVariables;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::look::terminal_env::TerminalEnv;
use crate::domain::report::ReportId;
use crate::input::Action;
use crate::runtime::effects::{Effects, no_service};

/// A launcher that fails does so quickly; one that runs longer has passed the URL on.
const FAILS_WITHIN: Duration = Duration::from_millis(250);

impl Effects {
    /// Opens a URL, or shows it in a notice.
    pub(super) fn open_web_page(&self, url: Url) {
        let (around, variables) = (self.terminal_env, self.key_variables.clone());
        let mouse_key = self.key_name(Action::ToggleMouse);
        self.spawn_blocking(move || open(&around, &mouse_key, &variables, &url));
    }

    /// Requests the URL of a report page and opens it.
    pub(super) fn open_report_page(&self, id: ReportId) {
        let Some(client) = self.client() else { return self.send(Message::Notice(Err(no_service()))) };
        let (around, variables) = (self.terminal_env, self.key_variables.clone());
        let mouse_key = self.key_name(Action::ToggleMouse);
        drop(self.spawn(async move {
            match client.report_page(&id).await {
                Ok(url) => tokio::task::spawn_blocking(move || open(&around, &mouse_key, &variables, &url))
                    .await
                    .unwrap_or_else(|error| Message::TaskFailed(error.to_string())),
                Err(failure) => Message::Notice(Err(failure)),
            }
        }));
    }
}

fn open(around: &TerminalEnv, mouse_key: &str, variables: &KeyVariables, url: &Url) -> Message {
    if !around.opens_browser() {
        return Message::Notice(Ok(fallback_notice(around, mouse_key, url)));
    }
    Message::Notice(match launch(variables, url) {
        Ok(()) => Ok(format!("Opened {} in the browser", shown(url))),
        Err(error) => Err(Failure::new(
            FailureKind::Local,
            format!("No browser could be started ({error})"),
            format!("The address is {url}"),
        )),
    })
}

/// Tries the system's launchers in turn, like `open::that_detached`, but without API keys in their environment.
pub(crate) fn launch(variables: &KeyVariables, url: &Url) -> io::Result<()> {
    let mut failure = io::Error::from(io::ErrorKind::NotFound);
    for command in open::commands(url.as_str()) {
        match spawn_launcher(variables.strip_secrets(command)) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Starts a launcher that may outlive this program. A thread waits for it, to avoid a zombie.
fn spawn_launcher(mut launcher: Command) -> io::Result<()> {
    launcher.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut launcher, 0);
    let mut child = launcher.spawn()?;
    let (sender, ended) = channel();
    std::thread::spawn(move || drop(sender.send(child.wait())));
    match ended.recv_timeout(FAILS_WITHIN) {
        Ok(Ok(status)) if !status.success() => Err(io::Error::other(format!("the launcher ended with {status}"))),
        Ok(ended) => ended.map(drop),
        Err(_) => Ok(()),
    }
}

/// The notice if a browser would not be visible. It contains the whole URL, to be opened elsewhere.
fn fallback_notice(around: &TerminalEnv, mouse_key: &str, url: &Url) -> String {
    let why = if around.over_ssh { "You are connected over ssh" } else { "No desktop here" };
    format!("{why}: press {mouse_key}, then select {url}")
}

/// Strips the pass that opens a private page from a URL, for notices.
pub(super) fn shown(url: &Url) -> Url {
    let mut shown = url.clone();
    if url.query_pairs().any(|(name, _)| name == parameter::PASS) {
        shown.set_query(None);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_desktop_the_address_is_shown() {
        let url = Url::parse("https://shop.example/tea").unwrap();
        let Message::Notice(Ok(text)) = open(&TerminalEnv::default(), "F9", &KeyVariables::default(), &url) else {
            panic!("a browser was started")
        };
        assert_eq!(text, "No desktop here: press F9, then select https://shop.example/tea");
        let ssh = TerminalEnv { over_ssh: true, has_display: true, ..TerminalEnv::default() };
        assert!(fallback_notice(&ssh, "F9", &url).starts_with("You are connected over ssh"));
    }

    #[test]
    fn a_signed_link_is_shown_without_its_signature() {
        let url = Url::parse(&format!("https://seo.example/reports/1?{}=secret", parameter::PASS)).unwrap();
        assert_eq!(shown(&url).as_str(), "https://seo.example/reports/1");
    }
}
