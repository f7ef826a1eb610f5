//! What the bad reports on the screen share: failing checks, beginnings of addresses, hosts, projects.
//!
//! FoundCauses beside the loop by `domain::causes`; a group becomes a filter, or marks where no filter says exactly that.

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::overlays::{ListCursor, Menu, MenuChoice, Overlay};
use crate::domain::list::rows::Rows;
use crate::domain::report::ReportId;
use crate::domain::text::numbers::counted;
use crate::domain::triage::causes::{Breadth, CauseGroup, Causes, causes};

/// The title of the menu.
const TITLE: &str = "What the bad reports share";
/// The checks of so many reports are asked for without asking.
const UNASKED: usize = 300;
/// Groups of one kind in the menu: the first ones explain most.
const MOST: usize = 6;

/// A group as the menu offers it.
#[derive(Debug, Clone)]
pub struct CauseFilter {
    /// It in words.
    pub text: String,
    /// The filter that shows it.
    pub filter: String,
    /// Its reports, where the filter would show others too.
    pub members: Option<Vec<ReportId>>,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct FoundCauses {
    /// The groups, what explains most first.
    pub groups: Vec<CauseFilter>,
    /// How many bad reports there are.
    pub all: usize,
    /// Of which of them nobody told the checks yet.
    pub unknown: Vec<ReportId>,
}

/// Looks for what the bad ones of these rows share. Some 40 ms for 10,000 bad reports.
pub fn find(rows: &Rows, places: &[u32]) -> FoundCauses {
    let Causes { checks, addresses, hosts, projects, unknown, all } = causes(rows, places, Breadth::Bad);
    let kinds = [checks, addresses, hosts, projects];
    let groups = kinds.iter().flat_map(|groups| groups.iter().take(MOST)).map(|group| shared(rows, group)).collect();
    let unknown = unknown.iter().filter_map(|place| Some(rows.get(*place)?.id.clone())).collect();
    FoundCauses { groups, all, unknown }
}

fn shared(rows: &Rows, group: &CauseGroup) -> CauseFilter {
    let id = |place: &u32| Some(rows.get(*place)?.id.clone());
    let members = (!group.is_exact).then(|| group.members.iter().filter_map(id).collect());
    CauseFilter { text: group.in_words(), filter: format!("{} {}", Breadth::Bad.filter(), group.filter), members }
}

impl App {
    /// Asks what the bad reports on the screen share.
    pub(crate) fn look_for_causes(&mut self) {
        let request = self.next_request();
        self.looking_for_causes = Some(request);
        let (rows, shown) = (std::sync::Arc::clone(&self.reports.listing.rows), self.reports.shown.clone());
        self.effects.push(Effect::FindCauses(request, rows, shown));
    }

    /// Offers what was found.
    pub(crate) fn on_causes(&mut self, request: RequestId, found: FoundCauses) {
        if self.looking_for_causes.take_if(|waiting| *waiting == request).is_none() {
            return;
        }
        if found.all == 0 {
            return self.tell("No bad report is shown".to_owned());
        }
        let mut rows: Vec<(String, MenuChoice)> =
            found.groups.into_iter().map(|shared| (shared.text.clone(), MenuChoice::CauseFilter(shared))).collect();
        rows.extend(self.ask_for_unknown(found.unknown));
        if rows.is_empty() {
            return self.tell("These bad reports share nothing".to_owned());
        }
        self.overlays.push(Overlay::Menu(Menu { title: TITLE.into(), rows, cursor: ListCursor::default() }));
    }

    /// Has the checks of these reports fetched, or offers that where they are many; the row that says so.
    fn ask_for_unknown(&mut self, unknown: Vec<ReportId>) -> Option<(String, MenuChoice)> {
        let count = unknown.len();
        if count == 0 {
            return None;
        }
        let reports = counted(count as u64, "report");
        if let Some(reason) = self.why_not_ask() {
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
            self.look_for_causes();
        }
        is_open
    }

    /// Shows the reports of a group, or marks them where a filter would show others too.
    pub(crate) fn show_shared(&mut self, shared: CauseFilter) {
        match shared.members {
            None => self.set_filter(&shared.filter),
            Some(members) => {
                let count = counted(members.len() as u64, "report");
                self.mark(members);
                self.tell(format!("{count} marked: {}", shared.text));
            }
        }
    }
}
