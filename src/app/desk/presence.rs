//! The user's presence, as reported to the desk.

use jiff::SignedDuration;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::domain::desk::PresenceActivity;
use crate::domain::report::ReportId;

/// How long the user must stay at a report before it is reported.
const DELAY: SignedDuration = SignedDuration::from_secs(2);

impl App {
    /// Returns the report open in the queue or in a note field, and the activity there.
    fn current_presence(&self) -> (Option<ReportId>, PresenceActivity) {
        let note = self.overlays.iter().rev().find_map(Overlay::note);
        if let Some(id) = note.and_then(|note| note.ids.first()) {
            return (Some(id.clone()), PresenceActivity::Writing);
        }
        let viewed = self.queue().and_then(|queue| queue.ids.get(queue.at));
        (viewed.cloned(), PresenceActivity::Viewing)
    }

    /// Detects that the user has moved, and reports the presence once they stay.
    pub(crate) fn follow_presence(&mut self) {
        let now = self.ctx.now;
        let place = self.current_presence();
        let Some(desk) = &mut self.desk else { return };
        if place == desk.sent_presence {
            desk.send_at = None;
        } else if desk.send_at.is_none_or(|at| at > now) {
            desk.send_at = desk.send_at.or_else(|| now.saturating_add(DELAY).ok());
        } else {
            desk.send_at = None;
            desk.sent_presence.clone_from(&place);
            self.ctx.effects.push(Effect::SendPresence(place.0, place.1));
        }
    }
}
