//! What the person chose of the screen: focus, which panes are open, how times are written, the mouse.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::app::frame_layout::{Area, Pane};
use crate::domain::list::columns::Column;
use crate::domain::look::Times;
use crate::input::Action;

/// The last click, to recognise the second of two.
pub(crate) type LastClick = Option<(u16, u16, Timestamp)>;

/// The state of the screen that is not the content of a pane.
#[derive(Debug)]
pub struct ScreenState {
    /// The pane that has the keyboard.
    pub focus: Pane,
    /// That pane has the whole screen.
    pub whole_screen: bool,
    /// The report pane is shown where there is room.
    pub report_pane: bool,
    /// How times are written.
    pub times: Times,
    /// The beginning of a sequence of keys, as it is shown.
    pub pending_keys: String,
    /// The mouse belongs to the terminal, so that text can be selected.
    pub mouse_released: bool,
    /// The actions that the palette ran, the latest first.
    pub recent_actions: VecDeque<Action>,
    /// Buttons and drags under way.
    pub(crate) mouse: MouseState,
}

/// Clicks and drags under way.
#[derive(Debug, Default)]
pub(crate) struct MouseState {
    pub(crate) last_click: LastClick,
    /// A range of rows is being selected.
    pub(crate) dragging: bool,
    /// The heading that is held.
    pub(crate) heading: Option<Column>,
    /// The scroll bar that is held.
    pub(crate) scrolling: Option<(Area, Option<Pane>)>,
}

impl Default for ScreenState {
    fn default() -> Self {
        Self {
            focus: Pane::Reports,
            whole_screen: false,
            report_pane: true,
            times: Times::default(),
            pending_keys: String::new(),
            mouse_released: false,
            recent_actions: VecDeque::new(),
            mouse: MouseState::default(),
        }
    }
}

impl ScreenState {
    /// Gives a pane the keyboard, and opens it if it is closed.
    pub(crate) fn focus_on(&mut self, pane: Pane) {
        self.focus = pane;
        self.report_pane |= pane == Pane::Report;
    }

    /// Gives the next or previous pane the keyboard, around the ends.
    pub(crate) fn step_pane(&mut self, forward: bool) {
        self.focus_on(match (self.focus, forward) {
            (Pane::Projects, true) | (Pane::Report, false) => Pane::Reports,
            (Pane::Reports, true) | (Pane::Projects, false) => Pane::Report,
            (Pane::Report, true) | (Pane::Reports, false) => Pane::Projects,
        });
    }

    /// Opens or closes the report pane; a closed pane loses the keyboard.
    pub(crate) fn toggle_report_pane(&mut self) {
        self.report_pane = !self.report_pane;
        if !self.report_pane && self.focus == Pane::Report {
            self.focus = Pane::Reports;
        }
    }
}
