//! The web browser: started where the person sits, else the address is said.
//!
//! Must not know what is opened beyond its address.

use url::Url;

use crate::api::contract::parameter;
use crate::app::message::Message;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::ReportId;
use crate::domain::whereabouts::Whereabouts;
use crate::runtime::effects::{Effects, no_service};

impl Effects {
    /// Opens an address, or says it.
    pub(super) fn open_web_page(&self, url: Url) {
        let around = self.whereabouts;
        self.spawn_blocking(move || open(&around, &url));
    }

    /// Asks the service for the address of a report's page and opens it.
    pub(super) fn open_report_page(&self, id: ReportId) {
        let Some(client) = self.client() else { return self.send(Message::Told(Err(no_service()))) };
        let around = self.whereabouts;
        drop(self.spawn(async move {
            match client.report_page(&id).await {
                Ok(url) => tokio::task::spawn_blocking(move || open(&around, &url))
                    .await
                    .unwrap_or_else(|error| Message::Broken(error.to_string())),
                Err(failure) => Message::Told(Err(failure)),
            }
        }));
    }
}

fn open(around: &Whereabouts, url: &Url) -> Message {
    if !around.opens_browser() {
        return Message::Told(Ok(instead(around, url)));
    }
    Message::Told(match open::that_detached(url.as_str()) {
        Ok(()) => Ok(format!("Opened {} in the browser", shown(url))),
        Err(error) => Err(Failure::new(
            FailureKind::Local,
            format!("No browser could be started ({error})"),
            format!("The address is {url}"),
        )),
    })
}

/// What is told where a browser would open in front of nobody. The address is whole: it has to be opened elsewhere.
fn instead(around: &Whereabouts, url: &Url) -> String {
    let why = if around.over_ssh { "You are here over ssh" } else { "There is no desktop here" };
    format!("{why}: ctrl+t, then select {url}")
}

/// An address as it may be written down: what opens a private page is left out where nobody has to open it any more.
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
    fn where_nobody_would_see_a_browser_the_address_is_said() {
        let url = Url::parse("https://shop.example/tea").unwrap();
        let Message::Told(Ok(text)) = open(&Whereabouts::default(), &url) else { panic!("a browser was started") };
        assert_eq!(text, "There is no desktop here: ctrl+t, then select https://shop.example/tea");
        let ssh = Whereabouts { over_ssh: true, has_display: true, ..Whereabouts::default() };
        assert!(instead(&ssh, &url).starts_with("You are here over ssh"));
    }

    #[test]
    fn what_opens_a_private_page_is_not_written_down() {
        let url = Url::parse(&format!("https://seo.example/reports/1?{}=secret", parameter::PASS)).unwrap();
        assert_eq!(shown(&url).as_str(), "https://seo.example/reports/1");
    }
}
