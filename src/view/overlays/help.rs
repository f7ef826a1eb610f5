//! The keys and commands, searched while typing.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::FrameLayout;
use crate::app::overlays::{Help, HelpRow};
use crate::domain::text::clean;
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::list::list;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, help: &Help, layout: &ScreenAreas, drawn: &mut FrameLayout) {
    let theme = &canvas.look.theme;
    let place = layout.middle(layout.screen.width.saturating_sub(4).min(96), layout.screen.height.saturating_sub(2));
    let inner = boxed(canvas, place, &format!("Keys and commands: type to search, {} runs", app.ctx.key(Action::Pick)));
    let used = canvas.text((inner.x, inner.y), inner.width, "> ", theme.focus);
    canvas.field((inner.x + used, inner.y), inner.width - used, &help.search, true, false);
    let rows = help.rows(&app.reports.views, &app.ctx.keymap);
    let place = Rect::new(inner.x, inner.y + 1, inner.width, inner.height - 1);
    if rows.is_empty() {
        canvas.text(
            (place.x, place.y + 1),
            place.width,
            &format!("No match. {} closes.", app.ctx.key(Action::Back)),
            theme.dim,
        );
    }
    let keys = (inner.width / 5).clamp(10, 16);
    let name = if inner.width >= 60 { 20 } else { 0 };
    list(canvas, place, &help.cursor, rows.len(), drawn, |canvas, at, index| {
        let bound = match &rows[index] {
            HelpRow::Binding(bound) => bound,
            HelpRow::SaveView(view) => {
                let text = format!("save filter, order and columns as the view {}", clean(view));
                canvas.text((at.0 + keys, at.1), inner.width.saturating_sub(keys), &text, theme.text);
                return;
            }
            HelpRow::ShowView(view) => {
                let text = format!("view {}", clean(&view.name));
                canvas.text((at.0 + keys, at.1), inner.width.saturating_sub(keys), &text, theme.text);
                return;
            }
        };
        let binding = bound.binding;
        let reason = app.disabled_reason(binding.action);
        canvas.text(at, keys - 1, &canvas.look.characters.key(&bound.keys_shown()), theme.key);
        canvas.text((at.0 + keys, at.1), name, &binding.action.name().replace('_', " "), theme.dim);
        let text = reason.map_or_else(|| binding.help.to_owned(), |reason| format!("{} — {reason}", binding.help));
        canvas.text((at.0 + keys + name + 1, at.1), inner.width.saturating_sub(keys + name + 1), &text, theme.text);
    });
}
