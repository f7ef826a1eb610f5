//! The message to the customer about the current or marked reports.

use std::collections::HashMap;
use std::sync::Arc;

use strum::IntoEnumIterator as _;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::{MenuChoice, Overlay};
use crate::app::panes::report::MOST_REMEMBERED;
use crate::domain::export::request::ExportRequest;
use crate::domain::message::{CustomerMessage, MessageTarget, ReportMessage};
use crate::domain::report::{Report, ReportId};
use crate::domain::text::numbers::counted;
use crate::domain::triage::changes::{Comparison, ResultChange};
use crate::domain::triage::urgency::ResultBefore;

impl App {
    /// Opens the menu of delivery targets, and reads the reports that were not opened: lists omit what was found.
    pub(crate) fn offer_message(&mut self, request: &Arc<ExportRequest>) {
        let is_unread = |row: &&Report| self.best_known(row).checks().is_none();
        let unread = request.reports().filter(is_unread).take(MOST_REMEMBERED).map(|row| row.id.clone());
        self.fetch_checks(unread.collect::<Vec<_>>());
        let row = |target: MessageTarget| {
            let text = match target {
                MessageTarget::Clipboard => "copy",
                MessageTarget::File => "write to a file",
                MessageTarget::Editor => "edit ($EDITOR), then copy",
            };
            (text.to_owned(), MenuChoice::SendMessage(target, Arc::clone(request)))
        };
        self.open_menu(self.message_title(request), MessageTarget::iter().map(row).collect(), 0);
    }

    /// Says in the open menu what is known of the reports now.
    pub(crate) fn update_message_title(&mut self) {
        let Some(Overlay::Menu(menu)) = self.overlays.last() else { return };
        let Some((_, MenuChoice::SendMessage(_, request))) = menu.rows.first() else { return };
        let title = self.message_title(request);
        if let Some(Overlay::Menu(menu)) = self.overlays.last_mut() {
            menu.title = title;
        }
    }

    /// The title of the menu: how many reports, and of how many the checks are unknown.
    fn message_title(&self, request: &ExportRequest) -> String {
        let reports = self.customer_message(request).reports;
        let unknown = reports.iter().filter(|report| report.is_unknown).count() as u64;
        let left_out =
            if unknown > 0 { format!(" (checks of {} unknown)", counted(unknown, "report")) } else { String::new() };
        format!("Message about {}{left_out}", counted(reports.len() as u64, "report"))
    }

    /// Composes and delivers the message.
    pub(crate) fn write_message(&mut self, target: MessageTarget, request: &ExportRequest) {
        let message = Box::new(self.customer_message(request));
        self.ctx.effects.push(Effect::WriteMessage(target, message, self.ctx.now));
    }

    fn customer_message(&self, request: &ExportRequest) -> CustomerMessage {
        let comparison = self.triage.changes.compared.as_ref().map(|compared| &compared.comparison);
        let changes = comparison.into_iter().flat_map(Comparison::changed);
        let changes: HashMap<&ReportId, &ResultChange> = changes.map(|change| (&change.id, change)).collect();
        let report = |row: &Report| {
            let change = changes.get(&row.id).copied();
            let logged = request.around.results_before.get(&row.id).cloned();
            let before = logged.or_else(|| ResultBefore::from_verdict(&change?.before.verdict()));
            let flips = change.and_then(ResultChange::flips);
            let repaired = flips.map(|flips| flips.repaired.iter().map(ToString::to_string).collect());
            ReportMessage::of(self.best_known(row), before.as_ref(), repaired, &self.ctx.explanations)
        };
        CustomerMessage { reports: request.reports().map(report).collect() }
    }
}
