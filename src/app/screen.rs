//! Screen state beyond pane contents: focus, open panes, time format, the mouse.

use std::collections::VecDeque;
use std::mem::Discriminant;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::app::frame_layout::{Area, HitTarget, Pane};
use crate::app::overlays::Overlay;
use crate::domain::list::columns::Column;
use crate::domain::look::Times;
use crate::input::Action;

/// Screen state beyond pane contents.
#[derive(Debug)]
pub struct ScreenState {
    /// The focused pane.
    pub focus: Pane,
    /// Whether that pane fills the screen.
    pub whole_screen: bool,
    /// Whether the report pane is shown if there is room.
    pub report_pane: bool,
    /// The time format.
    pub times: Times,
    /// The time zone of exact times.
    pub zone: TimeZone,
    /// The keys of an incomplete sequence, in display form.
    pub pending_keys: String,
    /// Whether the mouse is released to the terminal, for selecting text.
    pub mouse_released: bool,
    /// The actions that the palette ran, latest first.
    pub recent_actions: VecDeque<Action>,
    /// Clicks and drags in progress.
    pub(crate) mouse: MouseState,
}

/// What a click hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Click {
    /// Column and row on the screen.
    pub(crate) cell: (u16, u16),
    pub(crate) target: Option<HitTarget>,
    /// The kind of the overlay on top.
    pub(crate) overlay: Option<Discriminant<Overlay>>,
}

/// Clicks and drags in progress.
#[derive(Debug, Default)]
pub(crate) struct MouseState {
    /// The last click and its time, to detect double clicks.
    pub(crate) last_click: Option<(Click, Timestamp)>,
    /// Whether the last click was on a row of the reports pane, from where a range can be dragged.
    pub(crate) on_row: bool,
    /// Whether a range of rows is being selected.
    pub(crate) dragging: bool,
    /// The heading held by the mouse.
    pub(crate) heading: Option<Column>,
    /// The scroll bar held by the mouse.
    pub(crate) scrolling: Option<(Area, Option<Pane>)>,
}

impl Default for ScreenState {
    fn default() -> Self {
        Self {
            focus: Pane::Reports,
            whole_screen: false,
            report_pane: true,
            times: Times::default(),
            zone: TimeZone::UTC,
            pending_keys: String::new(),
            mouse_released: false,
            recent_actions: VecDeque::new(),
            mouse: MouseState::default(),
        }
    }
}

impl ScreenState {
    /// Focuses a pane, and opens it if it is closed.
    pub(crate) fn focus_on(&mut self, pane: Pane) {
        self.focus = pane;
        self.report_pane |= pane == Pane::Report;
    }

    /// Focuses the next or previous pane, wrapping around.
    pub(crate) fn step_pane(&mut self, forward: bool) {
        self.focus_on(match (self.focus, forward) {
            (Pane::Projects, true) | (Pane::Report, false) => Pane::Reports,
            (Pane::Reports, true) | (Pane::Projects, false) => Pane::Report,
            (Pane::Report, true) | (Pane::Reports, false) => Pane::Projects,
        });
    }

    /// Opens or closes the report pane; a closed pane loses the focus.
    pub(crate) fn toggle_report_pane(&mut self) {
        self.report_pane = !self.report_pane;
        if !self.report_pane && self.focus == Pane::Report {
            self.focus = Pane::Reports;
        }
    }
}
