//! Performs actions, one match arm each.

use tui_input::Input as TextField;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::frame_layout::Pane;
use crate::app::list_window::CursorMove;
use crate::app::overlays::dialog::Question;
use crate::app::overlays::form::FormField;
use crate::app::overlays::form::secret_input::SecretInput;
use crate::app::overlays::help::Help;
use crate::app::overlays::palette::CommandPalette;
use crate::app::overlays::{ListCursor, Overlay};
use crate::app::panes::reports::Reports;
use crate::domain::triage::State;
use crate::domain::triage::state_choice::StateChoice;
use crate::input::{Action, Context};

impl App {
    /// Performs an available action.
    #[expect(clippy::too_many_lines, reason = "one line for each action")]
    pub(crate) fn perform(&mut self, action: Action) {
        match action {
            Action::MoveDown => self.go(CursorMove::By(1)),
            Action::MoveUp => self.go(CursorMove::By(-1)),
            Action::MoveFirst => self.go(CursorMove::First),
            Action::MoveLast => self.go(CursorMove::Last),
            Action::HalfPageDown => self.go(CursorMove::HalfPages(1)),
            Action::HalfPageUp => self.go(CursorMove::HalfPages(-1)),
            Action::PageDown => self.go(CursorMove::Pages(1)),
            Action::PageUp => self.go(CursorMove::Pages(-1)),
            Action::NextPane | Action::MoveRight if self.has_blocks_on_top() => self.step_block(true),
            Action::PreviousPane | Action::MoveLeft if self.has_blocks_on_top() => self.step_block(false),
            Action::MoveLeft => self.go_sideways(false),
            Action::MoveRight => self.go_sideways(true),
            Action::NextPane => self.screen.step_pane(true),
            Action::PreviousPane => self.screen.step_pane(false),
            Action::Overview | Action::FocusProjects | Action::FocusReports | Action::Filter
                if matches!(self.context(), Context::Overview | Context::Causes) =>
            {
                let closed = self.context();
                self.overlays.pop();
                // The overview may be the next overlay below the causes.
                let is_done = action == Action::Overview && [closed, self.context()].contains(&Context::Overview);
                if !is_done {
                    self.perform(action);
                }
            }
            Action::Overview => self.open_overview(),
            Action::FocusProjects => self.screen.focus_on(Pane::Projects),
            Action::FocusReports => self.screen.focus_on(Pane::Reports),
            Action::FocusReport => self.open_report(),
            Action::Open => self.open(),
            Action::Back => self.back(),
            Action::ToggleReportPane => self.toggle_report_pane(),
            Action::ToggleWholeScreen => self.screen.whole_screen = !self.screen.whole_screen,
            Action::ToggleTimes => self.toggle_times(),
            Action::ToggleMouse => self.toggle_mouse(),
            Action::Filter => self.start_filter(),
            Action::Search => self.open_search(),
            Action::CycleResult => self.change_view(Reports::cycle_result),
            Action::FilterToValue => self.offer_terms(false),
            Action::ExcludeValue => self.offer_terms(true),
            Action::SortBy => self.offer_columns(),
            Action::ReverseSort => self.sort_by(self.reports.sort.0),
            Action::Refresh => self.refresh_focused(),
            Action::RefreshAll => self.refresh_all(),
            Action::Export => self.offer_export(),
            Action::NewReport => self.open_new_form(),
            Action::EditReport => self.edit(),
            Action::RerunReport => self.rerun(),
            Action::Delete => self.ask_to_delete(),
            Action::CopyMenu => self.offer_copies(),
            Action::CopyUrl => self.copy_url(),
            Action::OpenWebPage => self.open_web_page(),
            Action::OpenReportPage => self.open_report_page(),
            Action::EnterKey => self.overlays.push(Overlay::Key(SecretInput::default())),
            Action::SwitchProfile => self.offer_profiles(),
            Action::NextView | Action::PreviousView => {
                self.change_view(|reports, ctx| reports.step_view(action == Action::NextView, ctx));
            }
            Action::SaveView => {
                let name = self.reports.view_name().unwrap_or_default().to_owned();
                self.overlays.push(Overlay::ViewName(TextField::new(name)));
            }
            Action::CopyView => self.reports.copy_view(&mut self.ctx),
            Action::Causes if self.context() == Context::Causes => drop(self.overlays.pop()),
            Action::Causes => self.overlays.push(Overlay::Causes(ListCursor::default())),
            Action::ExplainPlace => self.explain_urgency(),
            Action::Changes => self.open_changes(),
            Action::Queue => self.open_queue(),
            Action::NextInQueue => self.step_queue(true),
            Action::PreviousInQueue => self.step_queue(false),
            Action::StateLooking => self.claim_current(),
            Action::Assign => self.offer_people(),
            Action::Handover => self.offer_handover(),
            Action::DeskCollisions => self.offer_conflict(),
            Action::StateWaiting => self.set_state(StateChoice::State(State::Waiting)),
            Action::StateToVerify => self.set_state(StateChoice::State(State::ToVerify)),
            Action::StateWontFix => self.set_state(StateChoice::State(State::WontFix)),
            Action::SnoozeDay => self.set_state(StateChoice::DAY),
            Action::SnoozeWeek => self.set_state(StateChoice::WEEK),
            Action::MarkSection => self.mark_changed(true),
            Action::EarlierBaseline => self.step_baseline(true),
            Action::LaterBaseline => self.step_baseline(false),
            Action::UntestedDays => self.step_untested_days(),
            Action::AllSeen => self.mark_all_seen(),
            Action::Columns => self.overlays.push(Overlay::Columns(ListCursor::default())),
            Action::ToggleColumn => self.change_columns(Reports::toggle_column),
            Action::ColumnLeft | Action::ColumnRight => {
                let to_the_right = action == Action::ColumnRight;
                self.change_columns(|reports, cursor, ctx| reports.move_column(cursor, to_the_right, ctx));
            }
            Action::ColumnWider | Action::ColumnNarrower => {
                let cells = if action == Action::ColumnWider { 1 } else { -1 };
                self.change_columns(|reports, cursor, ctx| reports.resize_column(cursor, cells, ctx));
            }
            Action::UsualColumns => self.reports.reset_columns(&mut self.ctx),
            Action::SetState => self.open_state_note(),
            Action::WriteNote => self.open_note(),
            Action::ToggleMark if self.context() == Context::Changes => self.mark_changed(false),
            Action::ToggleMark if self.context() == Context::Causes => self.mark_cause(),
            Action::ToggleMark => self.toggle_mark(),
            Action::MarkRange => self.reports.toggle_range(&mut self.ctx),
            Action::ExtendRangeDown => self.reports.extend_range(1, &self.ctx),
            Action::ExtendRangeUp => self.reports.extend_range(-1, &self.ctx),
            Action::MarkAll => self.reports.mark_all(&mut self.ctx),
            Action::UnmarkAll => self.reports.unmark_all(&mut self.ctx),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Actions => self.offer_actions(),
            Action::PauseRun => self.pause_or_resume(),
            Action::CancelRun => self.cancel_run(),
            Action::RetryFailed => self.retry_failed(),
            Action::Help => {
                self.overlays.push(Overlay::Help(Help::about(self.context(), self.screen.focus)));
            }
            Action::Palette => {
                self.overlays.push(Overlay::Palette(CommandPalette::of(self.context(), self.screen.focus)));
            }
            Action::History => self.open_history(),
            Action::Activity => self.overlays.push(Overlay::Activity(ListCursor::default())),
            Action::Stop => self.ctx.effects.push(Effect::Stop),
            Action::Quit => self.quit(),
            Action::AcceptFilter => self.accept_filter(),
            Action::CompleteFilter => self.complete_filter(true),
            Action::PreviousCompletion => self.complete_filter(false),
            Action::NextField => self.with_form(|form| form.step(true)),
            Action::PreviousField => self.with_form(|form| form.step(false)),
            Action::NextChoice => self.choose_in_form(true),
            Action::PreviousChoice => self.choose_in_form(false),
            Action::Submit if self.context() == Context::Prompt || self.context() == Context::PromptWithRows => {
                self.press();
            }
            Action::Submit => self.send_form(false),
            Action::Press => self.press(),
            Action::RevealPassword => {
                self.with_form(|form| form.revealed = !form.revealed && form.focus == FormField::Password);
            }
            Action::CopyPassword => self.copy_password(),
            Action::GeneratePassword => self.generate_password(),
            Action::DiscardDraft => self.ask(Question::DiscardDraft),
            Action::Confirm => self.confirm(),
            Action::OtherButton => self.other_button(),
            Action::Pick => self.pick(),
        }
    }
}
