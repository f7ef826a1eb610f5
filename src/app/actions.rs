//! What each action does: one entry per action. A test asks for the entry of every action there is.

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::frame_layout::Pane;
use crate::app::list_window::CursorMove;
use crate::app::overlays::dialog::Question;
use crate::app::overlays::form::FormField;
use crate::app::overlays::form::secret_input::SecretInput;
use crate::app::overlays::{Help, ListCursor, Overlay};
use crate::app::triage::states::StateChoice;
use crate::domain::triage::State;
use crate::input::{Action, Context};

/// One action and what it does to the state.
pub(crate) type Deed = (Action, fn(&mut App));

/// Every action. To add one, add an entry.
pub(crate) const DEEDS: &[Deed] = &[
    (Action::MoveDown, |app| app.go(CursorMove::By(1))),
    (Action::MoveUp, |app| app.go(CursorMove::By(-1))),
    (Action::MoveFirst, |app| app.go(CursorMove::First)),
    (Action::MoveLast, |app| app.go(CursorMove::Last)),
    (Action::HalfPageDown, |app| app.go(CursorMove::HalfPages(1))),
    (Action::HalfPageUp, |app| app.go(CursorMove::HalfPages(-1))),
    (Action::PageDown, |app| app.go(CursorMove::Pages(1))),
    (Action::PageUp, |app| app.go(CursorMove::Pages(-1))),
    (Action::MoveLeft, |app| app.go_sideways(false)),
    (Action::MoveRight, |app| app.go_sideways(true)),
    (Action::NextPane, |app| app.step_pane(true)),
    (Action::PreviousPane, |app| app.step_pane(false)),
    (Action::FocusProjects, |app| app.focus_on(Pane::Projects)),
    (Action::FocusReports, |app| app.focus_on(Pane::Reports)),
    (Action::FocusReport, App::open_report),
    (Action::Open, App::open),
    (Action::Back, App::back),
    (Action::ToggleReportPane, App::toggle_report_pane),
    (Action::ToggleWholeScreen, |app| app.whole_screen = !app.whole_screen),
    (Action::ToggleTimes, App::toggle_times),
    (Action::ToggleMouse, App::toggle_mouse),
    (Action::Filter, App::start_filter),
    (Action::CycleResult, App::cycle_result),
    (Action::FilterToValue, |app| app.offer_terms(false)),
    (Action::ExcludeValue, |app| app.offer_terms(true)),
    (Action::SortBy, App::offer_columns),
    (Action::ReverseSort, |app| app.sort_by(app.reports.sort.0)),
    (Action::Refresh, App::refresh_focused),
    (Action::RefreshAll, App::refresh_all),
    (Action::Export, App::offer_export),
    (Action::NewReport, App::open_new_form),
    (Action::EditReport, App::edit),
    (Action::RerunReport, App::rerun),
    (Action::Delete, App::ask_to_delete),
    (Action::CopyMenu, App::offer_copies),
    (Action::CopyUrl, App::copy_url),
    (Action::OpenWebPage, App::open_web_page),
    (Action::OpenReportPage, App::open_report_page),
    (Action::EnterKey, |app| app.overlays.push(Overlay::Key(SecretInput::default()))),
    (Action::SwitchProfile, App::offer_profiles),
    (Action::NextView, |app| app.step_view(true)),
    (Action::PreviousView, |app| app.step_view(false)),
    (Action::SaveView, App::name_view),
    (Action::CopyView, App::copy_view),
    (Action::Causes, App::look_for_causes),
    (Action::ExplainPlace, App::explain_place),
    (Action::Since, App::open_since),
    (Action::Queue, App::begin_queue),
    (Action::NextInQueue, |app| app.step_queue(true)),
    (Action::PreviousInQueue, |app| app.step_queue(false)),
    (Action::StateLooking, |app| app.set_state(StateChoice::State(State::Looking))),
    (Action::StateWaiting, |app| app.set_state(StateChoice::State(State::Waiting))),
    (Action::StateToVerify, |app| app.set_state(StateChoice::State(State::ToVerify))),
    (Action::StateWontFix, |app| app.set_state(StateChoice::State(State::WontFix))),
    (Action::SnoozeDay, |app| app.set_state(StateChoice::DAY)),
    (Action::SnoozeWeek, |app| app.set_state(StateChoice::WEEK)),
    (Action::MarkSection, |app| app.mark_changed(true)),
    (Action::EarlierBaseline, |app| app.step_baseline(true)),
    (Action::LaterBaseline, |app| app.step_baseline(false)),
    (Action::UntestedDays, App::step_untested_days),
    (Action::AllSeen, App::all_seen),
    (Action::Columns, App::choose_columns),
    (Action::ToggleColumn, App::toggle_column),
    (Action::ColumnLeft, |app| app.move_column(false)),
    (Action::ColumnRight, |app| app.move_column(true)),
    (Action::ColumnWider, |app| app.resize_column(1)),
    (Action::ColumnNarrower, |app| app.resize_column(-1)),
    (Action::UsualColumns, App::usual_columns),
    (Action::SetState, App::offer_states),
    (Action::WriteNote, App::open_note),
    (
        Action::ToggleMark,
        |app| if app.context() == Context::Since { app.mark_changed(false) } else { app.toggle_mark() },
    ),
    (Action::MarkRange, App::toggle_range),
    (Action::ExtendRangeDown, |app| app.extend_range(1)),
    (Action::ExtendRangeUp, |app| app.extend_range(-1)),
    (Action::MarkAll, App::mark_all),
    (Action::UnmarkAll, App::unmark_all),
    (Action::Undo, App::undo),
    (Action::Redo, App::redo),
    (Action::Actions, App::offer_actions),
    (Action::PauseRun, App::pause_or_go_on),
    (Action::CancelRun, App::cancel_run),
    (Action::RetryFailed, App::retry_failed),
    (Action::Help, |app| app.overlays.push(Overlay::Help(Help::default()))),
    (Action::Palette, |app| app.overlays.push(Overlay::Help(Help::default()))),
    (Action::Activity, |app| app.overlays.push(Overlay::Activity(ListCursor::default()))),
    (Action::Stop, |app| app.effects.push(Effect::Stop)),
    (Action::Quit, App::quit),
    (Action::AcceptFilter, App::accept_filter),
    (Action::NextField, |app| app.with_form(|form| form.step(true))),
    (Action::PreviousField, |app| app.with_form(|form| form.step(false))),
    (Action::NextChoice, |app| app.choose_in_form(true)),
    (Action::PreviousChoice, |app| app.choose_in_form(false)),
    (Action::Submit, App::submit_form),
    (Action::Press, App::press),
    (Action::RevealPassword, |app| {
        app.with_form(|form| form.revealed = !form.revealed && form.focus == FormField::Password);
    }),
    (Action::GeneratePassword, App::generate_password),
    (Action::DiscardDraft, |app| app.ask(Question::DiscardDraft)),
    (Action::Confirm, App::confirm),
    (Action::OtherButton, App::other_button),
    (Action::Pick, App::pick),
];

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn every_action_has_one_deed() {
        for action in Action::iter() {
            let count = DEEDS.iter().filter(|(known, _)| *known == action).count();
            assert_eq!(count, 1, "{}", action.name());
        }
    }
}
