//! Opens web pages in the browser. Over ssh or without a desktop, a notice shows the URL instead.

use std::io;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use url::Url;

use crate::api::contract::parameter;
use crate::config::child_process::KeyVariables;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::ReportId;
use crate::runtime::effects::{DesktopContext, Effects, blocking, no_service};

/// A launcher that fails does so quickly; one that runs longer has passed the URL on.
const FAILS_WITHIN: Duration = Duration::from_millis(250);

impl Effects {
    /// Opens a URL, or shows it in a notice.
    pub(super) fn open_web_page(&self, url: Url) {
        let context = self.desktop.clone();
        self.spawn_notice(blocking(move || open(&context, &url)));
    }

    /// Requests the URL of a report page and opens it.
    pub(super) fn open_report_page(&self, id: ReportId) {
        let (client, context) = (self.client(), self.desktop.clone());
        self.spawn_notice(async move {
            let url = client.ok_or_else(no_service)?.report_page(&id).await?;
            blocking(move || open(&context, &url)).await
        });
    }
}

fn open(context: &DesktopContext, url: &Url) -> Result<String, Failure> {
    if !context.terminal_env.opens_browser() {
        return Ok(fallback_notice(context, url));
    }
    match launch(&context.key_variables, url) {
        Ok(()) => Ok(format!("Opened {} in the browser", shown(url))),
        Err(error) => Err(Failure::new(
            FailureKind::Local,
            format!("No browser could be started ({error})"),
            format!("The address is {url}"),
        )),
    }
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
fn fallback_notice(context: &DesktopContext, url: &Url) -> String {
    let why = if context.terminal_env.over_ssh { "You are connected over ssh" } else { "No desktop here" };
    format!("{why}: press {}, then select {url}", context.mouse_key)
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
        let mut context = DesktopContext { mouse_key: "F9".to_owned(), ..DesktopContext::default() };
        let text = open(&context, &url).unwrap();
        assert_eq!(text, "No desktop here: press F9, then select https://shop.example/tea");
        (context.terminal_env.over_ssh, context.terminal_env.has_display) = (true, true);
        assert!(fallback_notice(&context, &url).starts_with("You are connected over ssh"));
    }

    #[test]
    fn a_signed_link_is_shown_without_its_signature() {
        let url = Url::parse(&format!("https://seo.example/reports/1?{}=secret", parameter::PASS)).unwrap();
        assert_eq!(shown(&url).as_str(), "https://seo.example/reports/1");
    }
}
