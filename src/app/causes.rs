//! What the bad reports on the screen share: failing checks, beginnings of addresses, hosts, projects.
//!
//! Found beside the loop by `domain::causes`; a group becomes a filter, or marks where no filter says exactly that.

use crate::app::App;
use crate::app::counts::counted;
use crate::app::effect::{Effect, RequestId};
use crate::app::overlay::{Choice, Cursor, Menu, Overlay};
use crate::domain::arrange::Rows;
use crate::domain::causes::{Breadth, Causes, Group, causes};
use crate::domain::report::ReportId;

/// Groups of one kind in the menu: the first ones explain most.
const MOST: usize = 6;

/// A group as the menu offers it.
#[derive(Debug, Clone)]
pub struct Shared {
    /// It in words.
    pub text: String,
    /// The filter that shows it.
    pub filter: String,
    /// Its reports, where the filter would show others too.
    pub members: Option<Vec<ReportId>>,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The groups, what explains most first.
    pub groups: Vec<Shared>,
    /// How many bad reports there are.
    pub all: usize,
    /// Of how many of them nobody told the checks yet.
    pub unknown: usize,
}

/// Looks for what the bad ones of these rows share. Some 40 ms for 10,000 bad reports.
pub fn find(rows: &Rows, places: &[u32]) -> Found {
    let Causes { checks, addresses, hosts, projects, unknown, all } = causes(rows, places, Breadth::Bad);
    let kinds = [checks, addresses, hosts, projects];
    let groups = kinds.iter().flat_map(|groups| groups.iter().take(MOST)).map(|group| shared(rows, group)).collect();
    Found { groups, all, unknown: unknown.len() }
}

fn shared(rows: &Rows, group: &Group) -> Shared {
    let id = |place: &u32| Some(rows.get(*place as usize)?.as_ref()?.id.clone());
    let members = (!group.is_exact).then(|| group.members.iter().filter_map(id).collect());
    Shared { text: group.in_words(), filter: format!("{} {}", Breadth::Bad.filter(), group.filter), members }
}

impl App {
    /// Asks what the bad reports on the screen share.
    pub(super) fn look_for_causes(&mut self) {
        let request = self.next_request();
        self.looking_for_causes = Some(request);
        let (rows, shown) = (std::sync::Arc::clone(&self.reports.listing.rows), self.reports.shown.clone());
        self.effects.push(Effect::FindCauses(request, rows, shown));
    }

    /// Offers what was found.
    pub(super) fn on_causes(&mut self, request: RequestId, found: Found) {
        if self.looking_for_causes.take_if(|waiting| *waiting == request).is_none() {
            return;
        }
        if found.all == 0 {
            return self.tell("No bad report is shown".to_owned());
        }
        let mut rows: Vec<(String, Choice)> =
            found.groups.into_iter().map(|shared| (shared.text.clone(), Choice::Shared(shared))).collect();
        if found.unknown > 0 {
            let text = format!("of {} the checks are not known", counted(found.unknown as u64, "report"));
            rows.push((format!("({text}: open them, or audit them again)"), Choice::Nothing));
        }
        if rows.is_empty() {
            return self.tell("These bad reports share nothing".to_owned());
        }
        self.overlays.push(Overlay::Menu(Menu {
            title: "What the bad reports share".into(),
            rows,
            cursor: Cursor::default(),
        }));
    }

    /// Shows the reports of a group, or marks them where a filter would show others too.
    pub(super) fn show_shared(&mut self, shared: Shared) {
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
