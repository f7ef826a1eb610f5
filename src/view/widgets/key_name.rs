//! Keys in texts.

use crate::app::App;
use crate::input::Action;
use crate::input::keymap::Sequence;

/// The key that an action has where the keyboard is now, or how else to reach the action.
pub(crate) fn key_name(app: &App, action: Action) -> String {
    let bound = app.ctx.keymap.way_to(action, app.context());
    let key = bound.and_then(|bound| bound.keys.first().map(Sequence::shown));
    key.unwrap_or_else(|| app.ctx.key(action))
}
