//! What the bad reports on the screen share: failing checks, folders, hosts, projects.
//!
//! Found on another thread. A group becomes a filter, or a selection where no filter selects exactly the group.

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::overlays::{MenuChoice, Overlay};
use crate::domain::report::ReportId;
use crate::domain::text::numbers::counted;
use crate::domain::triage::causes::filters::CauseFilter;
use crate::domain::triage::causes::filters::FoundCauses;

/// The title of the menu.
const TITLE: &str = "What the bad reports share";
/// The most reports whose checks are fetched without confirmation.
const UNASKED: usize = 300;
impl App {
    /// Asks what the bad reports on the screen share.
    pub(crate) fn find_causes_of_shown(&mut self) {
        let request = self.ctx.next_request();
        self.triage.cause_request = Some(request);
        let (rows, shown) = (std::sync::Arc::clone(&self.reports.listing.rows), self.reports.shown.clone());
        self.ctx.effects.push(Effect::FindCauses(request, rows, shown));
    }

    /// Offers what was found.
    pub(crate) fn on_causes(&mut self, request: RequestId, found: FoundCauses) {
        if self.triage.cause_request.take_if(|waiting| *waiting == request).is_none() {
            return;
        }
        if found.all == 0 {
            return self.ctx.tell("No bad report is shown".to_owned());
        }
        let mut rows: Vec<(String, MenuChoice)> =
            found.groups.into_iter().map(|shared| (shared.text.clone(), MenuChoice::CauseFilter(shared))).collect();
        rows.extend(self.offer_missing_checks(found.unknown));
        if rows.is_empty() {
            return self.ctx.tell(match found.all {
                1 => "Only one bad report: nothing to compare".to_owned(),
                many => format!("These {many} bad reports share no check, folder or failure"),
            });
        }
        self.open_menu(TITLE, rows, 0);
    }

    /// Has the checks of these reports fetched, or offers that where they are many; the row that says so.
    fn offer_missing_checks(&mut self, unknown: Vec<ReportId>) -> Option<(String, MenuChoice)> {
        let count = unknown.len();
        if count == 0 {
            return None;
        }
        let reports = counted(count as u64, "report");
        if let Some(reason) = self.ctx.unreachable_reason() {
            return Some((format!("(of {reports} the checks are not known: {reason})"), MenuChoice::Nothing));
        }
        if count > UNASKED {
            let text = format!("fetch the checks of {reports}: as many requests, behind everything else");
            return Some((text, MenuChoice::FetchChecks(unknown)));
        }
        self.fetch_checks(unknown);
        Some((format!("(the checks of {reports} are being fetched: this list follows)"), MenuChoice::Nothing))
    }

    /// Looks again where the menu is still open. True when it is.
    pub(crate) fn refresh_causes(&mut self) -> bool {
        let is_open = matches!(self.overlays.last(), Some(Overlay::Menu(menu)) if menu.title == TITLE);
        if is_open {
            self.overlays.pop();
            self.find_causes_of_shown();
        }
        is_open
    }

    /// Shows the reports of a group, or marks them where a filter would show others too.
    pub(crate) fn show_cause_group(&mut self, shared: CauseFilter) {
        match shared.members {
            None => {
                self.reports.set_filter(&shared.filter, &mut self.ctx);
                self.load_if_needed();
            }
            Some(members) => {
                let count = counted(members.len() as u64, "report");
                self.reports.mark(members, &mut self.ctx);
                self.ctx.tell(format!("{count} marked: {}", shared.text));
            }
        }
    }
}
