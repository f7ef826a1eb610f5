//! The foot of a dialog: the text to type, and the buttons.

use ratatui::layout::Rect;

use crate::app::frame_layout::HitTarget;
use crate::app::overlays::dialog::Dialog;
use crate::view::canvas::Canvas;

/// Draws the two buttons of a dialog, and above them the field for the text that confirms it, if there is one.
pub(crate) fn draw_foot(canvas: &mut Canvas, dialog: &Dialog, inner: Rect) {
    let theme = &canvas.look.theme;
    if dialog.must_type().is_some() {
        canvas.prompt((inner.x, inner.bottom().saturating_sub(2)), inner.width, "> ", &dialog.typed);
    }
    let (mut column, bottom) = (inner.x, inner.bottom().saturating_sub(1));
    for confirms in [false, true] {
        let label = if confirms { format!("[ {} ]", dialog.verb()) } else { "[ Cancel ]".to_owned() };
        let style = if confirms && !dialog.can_confirm() { theme.dim } else { theme.text };
        let taken = canvas.choice((column, bottom), 30, &label, dialog.is_confirm_focused == confirms, style);
        canvas.hit(Rect::new(column, bottom, taken, 1), HitTarget::Button(confirms));
        column += taken + 2;
    }
}
