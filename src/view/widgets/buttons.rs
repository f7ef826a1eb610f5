//! The buttons of a dialog.

use ratatui::layout::Rect;

use crate::app::frame_layout::HitTarget;
use crate::app::overlays::dialog::Dialog;
use crate::view::canvas::Canvas;

/// Draws the two buttons of a dialog.
pub(crate) fn buttons(canvas: &mut Canvas, dialog: &Dialog, at: (u16, u16)) {
    let theme = &canvas.look.theme;
    let (mut column, bottom) = at;
    for confirms in [false, true] {
        let label = if confirms { format!("[ {} ]", dialog.verb()) } else { "[ Cancel ]".to_owned() };
        let style = if dialog.is_confirm_focused == confirms {
            theme.button
        } else if confirms && !dialog.can_confirm() {
            theme.dim
        } else {
            theme.text
        };
        let taken = canvas.text((column, bottom), 30, &label, style);
        canvas.hit(Rect::new(column, bottom, taken, 1), HitTarget::Button(confirms));
        column += taken + 2;
    }
}
