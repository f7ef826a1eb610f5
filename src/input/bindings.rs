//! The default keys: one entry per action and scope.
//!
//! Help, footer and the key tables of the documents come from this table. Keys are written as in the configuration:
//! `ctrl+d`, `shift+tab`, `pgdn`, `space`, `D`.

use crate::input::action::Action;
use crate::input::context::KeyScope;

/// The groups under which the help and the documents list keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::EnumIter, strum::IntoStaticStr)]
pub enum KeyGroup {
    /// Moving around.
    Move,
    /// Which rows are shown, in which order.
    Find,
    /// What can be done with a report or project.
    Act,
    /// States, notes, the queue, causes and changes.
    Triage,
    /// Many reports at once.
    Many,
    /// Saved views, columns, panes.
    Views,
    /// The program itself.
    Program,
    /// Forms, dialogs, menus and lists.
    Forms,
}

/// One action with its keys in one scope.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// What happens.
    pub action: Action,
    /// Where it is alive.
    pub scope: KeyScope,
    /// The keys, the one to show first.
    pub keys: &'static [&'static str],
    /// What it does, as the help says it.
    pub help: &'static str,
    /// One or two words for the footer.
    pub hint: &'static str,
    /// Where the help lists it.
    pub group: KeyGroup,
}

const fn bind(
    action: Action,
    scope: KeyScope,
    keys: &'static [&'static str],
    words: (&'static str, &'static str),
    group: KeyGroup,
) -> Binding {
    Binding { action, scope, keys, help: words.0, hint: words.1, group }
}

/// All default bindings.
pub const BINDINGS: &[Binding] = &[
    bind(Action::MoveDown, KeyScope::Rows, &["down", "j"], ("next row", "down"), KeyGroup::Move),
    bind(Action::MoveUp, KeyScope::Rows, &["up", "k"], ("previous row", "up"), KeyGroup::Move),
    bind(Action::MoveDown, KeyScope::RowsBesideText, &["down"], ("next row", "down"), KeyGroup::Forms),
    bind(Action::MoveUp, KeyScope::RowsBesideText, &["up"], ("previous row", "up"), KeyGroup::Forms),
    bind(Action::PageDown, KeyScope::RowsBesideText, &["pgdn"], ("page down", "page down"), KeyGroup::Forms),
    bind(Action::PageUp, KeyScope::RowsBesideText, &["pgup"], ("page up", "page up"), KeyGroup::Forms),
    bind(Action::MoveFirst, KeyScope::Rows, &["g", "home"], ("first row", "first"), KeyGroup::Move),
    bind(Action::MoveLast, KeyScope::Rows, &["G", "end"], ("last row", "last"), KeyGroup::Move),
    bind(Action::HalfPageDown, KeyScope::Rows, &["ctrl+d"], ("half a page down", "half down"), KeyGroup::Move),
    bind(Action::HalfPageUp, KeyScope::Rows, &["ctrl+u"], ("half a page up", "half up"), KeyGroup::Move),
    bind(Action::PageDown, KeyScope::Rows, &["pgdn"], ("page down", "page down"), KeyGroup::Move),
    bind(Action::PageUp, KeyScope::Rows, &["pgup"], ("page up", "page up"), KeyGroup::Move),
    bind(Action::MoveLeft, KeyScope::Panes, &["left", "h"], ("pane on the left", "left"), KeyGroup::Move),
    bind(Action::MoveRight, KeyScope::Panes, &["right", "l"], ("pane on the right", "right"), KeyGroup::Move),
    bind(Action::NextPane, KeyScope::Panes, &["tab"], ("next pane", "pane"), KeyGroup::Move),
    bind(Action::PreviousPane, KeyScope::Panes, &["shift+tab"], ("previous pane", "pane"), KeyGroup::Move),
    bind(Action::Overview, KeyScope::Panes, &["0"], ("overview", "overview"), KeyGroup::Move),
    bind(Action::FocusProjects, KeyScope::Panes, &["1"], ("projects", "projects"), KeyGroup::Move),
    bind(Action::FocusReports, KeyScope::Panes, &["2"], ("reports", "reports"), KeyGroup::Move),
    bind(Action::FocusReport, KeyScope::Panes, &["3"], ("report", "report"), KeyGroup::Move),
    bind(Action::Open, KeyScope::Panes, &["enter"], ("open what is under the cursor", "open"), KeyGroup::Move),
    bind(Action::Back, KeyScope::Everywhere, &["esc"], ("one step back; never quits", "back"), KeyGroup::Move),
    bind(Action::Filter, KeyScope::Panes, &["/"], ("filter", "filter"), KeyGroup::Find),
    bind(Action::CycleResult, KeyScope::Panes, &["b"], ("bad → decent → good → all", "result"), KeyGroup::Find),
    bind(
        Action::FilterToValue,
        KeyScope::Panes,
        &["="],
        ("only rows with a value of this one", "only this"),
        KeyGroup::Find,
    ),
    bind(
        Action::ExcludeValue,
        KeyScope::Panes,
        &["-"],
        ("no rows with a value of this one", "not this"),
        KeyGroup::Find,
    ),
    bind(Action::SortBy, KeyScope::Panes, &["s"], ("sort by a column", "sort"), KeyGroup::Find),
    bind(Action::ReverseSort, KeyScope::Panes, &["S"], ("reverse the order", "reverse"), KeyGroup::Find),
    bind(Action::Refresh, KeyScope::Panes, &["r", "f5"], ("load this pane again", "load"), KeyGroup::Find),
    bind(Action::RefreshAll, KeyScope::Panes, &["R"], ("load everything again", "load all"), KeyGroup::Find),
    bind(Action::NewReport, KeyScope::Panes, &["n"], ("new report", "new"), KeyGroup::Act),
    bind(Action::EditReport, KeyScope::Panes, &["e"], ("edit privacy, password; re-run", "edit"), KeyGroup::Act),
    bind(Action::RerunReport, KeyScope::Panes, &["t"], ("re-run: audit the page again now", "re-run"), KeyGroup::Act),
    bind(
        Action::Delete,
        KeyScope::Panes,
        &["D", "delete"],
        ("delete the report, or the project with all its reports", "delete"),
        KeyGroup::Act,
    ),
    bind(
        Action::Undo,
        KeyScope::Panes,
        &["u"],
        ("undo: deletion, privacy, states, notes, marks, filter, order, columns", "undo"),
        KeyGroup::Act,
    ),
    bind(Action::Redo, KeyScope::Panes, &["U"], ("redo what was undone", "redo"), KeyGroup::Act),
    bind(
        Action::CopyMenu,
        KeyScope::Panes,
        &["y"],
        ("copy URL, row, Markdown; message to the customer", "copy"),
        KeyGroup::Act,
    ),
    bind(Action::CopyUrl, KeyScope::Panes, &["Y"], ("copy the URL", "copy URL"), KeyGroup::Act),
    bind(
        Action::Export,
        KeyScope::Panes,
        &["ctrl+s"],
        ("export marked or shown rows to a file", "export"),
        KeyGroup::Act,
    ),
    bind(
        Action::OpenWebPage,
        KeyScope::Panes,
        &["o"],
        ("open the audited page in the browser", "browser"),
        KeyGroup::Act,
    ),
    bind(
        Action::OpenReportPage,
        KeyScope::Panes,
        &["O"],
        ("open the report page in the browser", "report page"),
        KeyGroup::Act,
    ),
    bind(
        Action::Queue,
        KeyScope::Panes,
        &["Q"],
        ("queue: open reports one by one, most urgent first", "queue"),
        KeyGroup::Triage,
    ),
    bind(Action::SetState, KeyScope::Panes, &["m"], ("set state and note", "state"), KeyGroup::Triage),
    bind(Action::WriteNote, KeyScope::Panes, &["c"], ("add a note, or change one", "note"), KeyGroup::Triage),
    bind(Action::ExplainPlace, KeyScope::Panes, &["i"], ("why it is this urgent", "why"), KeyGroup::Triage),
    bind(Action::Causes, KeyScope::Panes, &["w"], ("causes: what the bad reports share", "causes"), KeyGroup::Triage),
    bind(Action::Since, KeyScope::Panes, &["L"], ("changes since the last look", "changes"), KeyGroup::Triage),
    bind(Action::ToggleMark, KeyScope::Panes, &["space"], ("mark or unmark", "mark"), KeyGroup::Many),
    bind(Action::MarkRange, KeyScope::Panes, &["v"], ("begin or end a range of marks", "range"), KeyGroup::Many),
    bind(
        Action::ExtendRangeDown,
        KeyScope::Panes,
        &["shift+down"],
        ("extend the range downwards", "range down"),
        KeyGroup::Many,
    ),
    bind(
        Action::ExtendRangeUp,
        KeyScope::Panes,
        &["shift+up"],
        ("extend the range upwards", "range up"),
        KeyGroup::Many,
    ),
    bind(Action::MarkAll, KeyScope::Panes, &["V"], ("mark all shown reports", "mark all"), KeyGroup::Many),
    bind(Action::UnmarkAll, KeyScope::Panes, &["M"], ("unmark all", "unmark"), KeyGroup::Many),
    bind(Action::Actions, KeyScope::Panes, &["x"], ("menu of what can be done now", "menu"), KeyGroup::Many),
    bind(Action::NextView, KeyScope::Panes, &["]"], ("next saved view", "next view"), KeyGroup::Views),
    bind(Action::PreviousView, KeyScope::Panes, &["["], ("previous saved view", "previous view"), KeyGroup::Views),
    bind(Action::SaveView, KeyScope::Panes, &["W"], ("save this view, or paste one", "save view"), KeyGroup::Views),
    bind(Action::CopyView, KeyScope::Panes, &["ctrl+y"], ("copy this view as one line", "copy view"), KeyGroup::Views),
    bind(Action::Columns, KeyScope::Panes, &["C"], ("choose columns", "columns"), KeyGroup::Views),
    bind(Action::ToggleTimes, KeyScope::Panes, &["T"], ("times: relative or exact", "times"), KeyGroup::Views),
    bind(Action::ToggleReportPane, KeyScope::Panes, &["p"], ("report pane on or off", "report pane"), KeyGroup::Views),
    bind(
        Action::ToggleWholeScreen,
        KeyScope::Panes,
        &["f"],
        ("this pane on the whole screen", "whole screen"),
        KeyGroup::Views,
    ),
    bind(Action::Help, KeyScope::Panes, &["?", "f1"], ("help: the keys of this pane", "keys"), KeyGroup::Program),
    bind(Action::Palette, KeyScope::Panes, &[":", "ctrl+p"], ("commands", "commands"), KeyGroup::Program),
    bind(
        Action::History,
        KeyScope::Panes,
        &["@"],
        ("history: what was done, day by day", "history"),
        KeyGroup::Program,
    ),
    bind(Action::SwitchProfile, KeyScope::Panes, &["A"], ("another account", "account"), KeyGroup::Program),
    bind(Action::EnterKey, KeyScope::Panes, &["K"], ("enter an API key for this run", "API key"), KeyGroup::Program),
    bind(
        Action::ToggleMouse,
        KeyScope::Everywhere,
        &["ctrl+t"],
        ("mouse: select text, or click", "mouse"),
        KeyGroup::Program,
    ),
    bind(
        Action::Stop,
        KeyScope::Everywhere,
        &["ctrl+z"],
        ("suspend; fg in the shell resumes", "suspend"),
        KeyGroup::Program,
    ),
    bind(Action::Quit, KeyScope::Panes, &["q"], ("quit", "quit"), KeyGroup::Program),
    bind(
        Action::Quit,
        KeyScope::Everywhere,
        &["ctrl+c"],
        ("quit from anywhere; drafts are kept", "quit"),
        KeyGroup::Program,
    ),
    bind(Action::NextInQueue, KeyScope::Queue, &["n", "right", "space"], ("next report", "next"), KeyGroup::Move),
    bind(Action::PreviousInQueue, KeyScope::Queue, &["p", "left"], ("previous report", "previous"), KeyGroup::Move),
    bind(Action::StateLooking, KeyScope::Queue, &["1", "l"], ("looking: I am at it", "looking"), KeyGroup::Triage),
    bind(
        Action::StateWaiting,
        KeyScope::Queue,
        &["2", "w"],
        ("waiting, then the next report", "waiting"),
        KeyGroup::Triage,
    ),
    bind(
        Action::StateToVerify,
        KeyScope::Queue,
        &["3", "v"],
        ("to verify, then the next report", "to verify"),
        KeyGroup::Triage,
    ),
    bind(
        Action::StateWontFix,
        KeyScope::Queue,
        &["4", "x"],
        ("won't fix, then the next report", "won't fix"),
        KeyGroup::Triage,
    ),
    bind(
        Action::SnoozeDay,
        KeyScope::Queue,
        &["5", "z"],
        ("snooze until tomorrow, then the next report", "snooze"),
        KeyGroup::Triage,
    ),
    bind(
        Action::SnoozeWeek,
        KeyScope::Queue,
        &["Z"],
        ("snooze for a week, then the next report", "a week"),
        KeyGroup::Triage,
    ),
    bind(Action::SetState, KeyScope::Queue, &["m"], ("set state and note", "state"), KeyGroup::Triage),
    bind(Action::WriteNote, KeyScope::Queue, &["c"], ("add a note, or change one", "note"), KeyGroup::Triage),
    bind(Action::ExplainPlace, KeyScope::Queue, &["i"], ("why it is this urgent", "why"), KeyGroup::Triage),
    bind(Action::RerunReport, KeyScope::Queue, &["t"], ("re-run: audit the page again now", "re-run"), KeyGroup::Act),
    bind(Action::EditReport, KeyScope::Queue, &["e"], ("edit privacy, password; re-run", "edit"), KeyGroup::Act),
    bind(Action::Delete, KeyScope::Queue, &["D", "delete"], ("delete the report", "delete"), KeyGroup::Act),
    bind(
        Action::OpenWebPage,
        KeyScope::Queue,
        &["o"],
        ("open the audited page in the browser", "browser"),
        KeyGroup::Act,
    ),
    bind(
        Action::OpenReportPage,
        KeyScope::Queue,
        &["O"],
        ("open the report page in the browser", "report page"),
        KeyGroup::Act,
    ),
    bind(
        Action::CopyMenu,
        KeyScope::Queue,
        &["y"],
        ("copy URL, row, Markdown; message to the customer", "copy"),
        KeyGroup::Act,
    ),
    bind(Action::CopyUrl, KeyScope::Queue, &["Y"], ("copy the URL", "copy URL"), KeyGroup::Act),
    bind(Action::Undo, KeyScope::Queue, &["u"], ("undo the last state or note", "undo"), KeyGroup::Act),
    bind(Action::Redo, KeyScope::Queue, &["U"], ("redo what was undone", "redo"), KeyGroup::Act),
    bind(Action::Back, KeyScope::Queue, &["q"], ("leave the queue", "leave"), KeyGroup::Program),
    bind(Action::Help, KeyScope::Queue, &["?", "f1"], ("help: the keys of the queue", "keys"), KeyGroup::Program),
    bind(Action::Palette, KeyScope::Queue, &[":", "ctrl+p"], ("commands", "commands"), KeyGroup::Program),
    bind(Action::Pick, KeyScope::Since, &["enter"], ("open the report", "open"), KeyGroup::Move),
    bind(Action::ToggleMark, KeyScope::Since, &["space"], ("mark or unmark", "mark"), KeyGroup::Many),
    bind(Action::MarkSection, KeyScope::Since, &["V"], ("mark the section", "mark section"), KeyGroup::Many),
    bind(
        Action::EarlierBaseline,
        KeyScope::Since,
        &["["],
        ("compare with an earlier look", "earlier"),
        KeyGroup::Views,
    ),
    bind(Action::LaterBaseline, KeyScope::Since, &["]"], ("compare with a later look", "later"), KeyGroup::Views),
    bind(
        Action::UntestedDays,
        KeyScope::Since,
        &["d"],
        ("not re-run for 7, 30, 90, 365 days", "days"),
        KeyGroup::Views,
    ),
    bind(Action::AllSeen, KeyScope::Since, &["x"], ("mark all of it as seen", "seen"), KeyGroup::Triage),
    bind(Action::Refresh, KeyScope::Since, &["r", "f5"], ("load the list again", "load"), KeyGroup::Find),
    bind(Action::Help, KeyScope::Since, &["?", "f1"], ("help: the keys of the changes", "keys"), KeyGroup::Program),
    bind(Action::Palette, KeyScope::Since, &[":", "ctrl+p"], ("commands", "commands"), KeyGroup::Program),
    bind(
        Action::Pick,
        KeyScope::Overview,
        &["enter"],
        ("open the reports that the line counts", "open"),
        KeyGroup::Move,
    ),
    bind(Action::NextPane, KeyScope::Overview, &["tab"], ("next block", "block"), KeyGroup::Move),
    bind(Action::MoveLeft, KeyScope::Overview, &["left", "h"], ("previous block", "block"), KeyGroup::Move),
    bind(Action::MoveRight, KeyScope::Overview, &["right", "l"], ("next block", "block"), KeyGroup::Move),
    bind(Action::Overview, KeyScope::Overview, &["0"], ("close the overview", "close"), KeyGroup::Move),
    bind(Action::PreviousPane, KeyScope::Overview, &["shift+tab"], ("previous block", "block"), KeyGroup::Move),
    bind(Action::FocusProjects, KeyScope::Overview, &["1"], ("projects", "projects"), KeyGroup::Move),
    bind(Action::FocusReports, KeyScope::Overview, &["2"], ("reports", "list"), KeyGroup::Move),
    bind(Action::Filter, KeyScope::Overview, &["/"], ("filter the list", "filter"), KeyGroup::Find),
    bind(Action::Refresh, KeyScope::Overview, &["r", "f5"], ("load the list again", "load"), KeyGroup::Find),
    bind(Action::Since, KeyScope::Overview, &["L"], ("changes since the last look", "changes"), KeyGroup::Triage),
    bind(
        Action::Causes,
        KeyScope::Overview,
        &["w"],
        ("causes: what the bad reports share", "causes"),
        KeyGroup::Triage,
    ),
    bind(
        Action::Queue,
        KeyScope::Overview,
        &["Q"],
        ("queue: open reports one by one, most urgent first", "queue"),
        KeyGroup::Triage,
    ),
    bind(Action::ToggleTimes, KeyScope::Overview, &["T"], ("times: relative or exact", "times"), KeyGroup::Views),
    bind(Action::Help, KeyScope::Overview, &["?", "f1"], ("help: the keys of the overview", "keys"), KeyGroup::Program),
    bind(Action::Palette, KeyScope::Overview, &[":", "ctrl+p"], ("commands", "commands"), KeyGroup::Program),
    bind(Action::Quit, KeyScope::Overview, &["q"], ("quit", "quit"), KeyGroup::Program),
    bind(Action::Pick, KeyScope::Causes, &["enter"], ("filter by what the line is about", "filter"), KeyGroup::Move),
    bind(Action::NextPane, KeyScope::Causes, &["tab"], ("next block", "block"), KeyGroup::Move),
    bind(Action::PreviousPane, KeyScope::Causes, &["shift+tab"], ("previous block", "block"), KeyGroup::Move),
    bind(Action::MoveLeft, KeyScope::Causes, &["left", "h"], ("previous block", "block"), KeyGroup::Move),
    bind(Action::MoveRight, KeyScope::Causes, &["right", "l"], ("next block", "block"), KeyGroup::Move),
    bind(Action::Causes, KeyScope::Causes, &["w"], ("close the causes", "close"), KeyGroup::Move),
    bind(Action::Overview, KeyScope::Causes, &["0"], ("overview", "overview"), KeyGroup::Move),
    bind(Action::FocusProjects, KeyScope::Causes, &["1"], ("projects", "projects"), KeyGroup::Move),
    bind(Action::FocusReports, KeyScope::Causes, &["2"], ("reports", "list"), KeyGroup::Move),
    bind(Action::Filter, KeyScope::Causes, &["/"], ("filter the list", "filter line"), KeyGroup::Find),
    bind(Action::Refresh, KeyScope::Causes, &["r", "f5"], ("load the list again", "load"), KeyGroup::Find),
    bind(
        Action::RerunReport,
        KeyScope::Causes,
        &["t"],
        ("re-run the reports of the line, after a plan", "re-run"),
        KeyGroup::Act,
    ),
    bind(Action::ToggleMark, KeyScope::Causes, &["space"], ("mark the reports of the line", "mark"), KeyGroup::Many),
    bind(Action::Since, KeyScope::Causes, &["L"], ("changes since the last look", "changes"), KeyGroup::Triage),
    bind(
        Action::Queue,
        KeyScope::Causes,
        &["Q"],
        ("queue: open reports one by one, most urgent first", "queue"),
        KeyGroup::Triage,
    ),
    bind(Action::Help, KeyScope::Causes, &["?", "f1"], ("help: the keys of the causes", "keys"), KeyGroup::Program),
    bind(Action::Palette, KeyScope::Causes, &[":", "ctrl+p"], ("commands", "commands"), KeyGroup::Program),
    bind(Action::Quit, KeyScope::Causes, &["q"], ("quit", "quit"), KeyGroup::Program),
    bind(Action::PauseRun, KeyScope::Run, &["space"], ("pause or resume", "pause"), KeyGroup::Many),
    bind(Action::CancelRun, KeyScope::Run, &["x"], ("cancel the rest", "cancel the rest"), KeyGroup::Many),
    bind(Action::RetryFailed, KeyScope::Run, &["r"], ("retry what failed", "retry"), KeyGroup::Many),
    bind(Action::Help, KeyScope::Run, &["?", "f1"], ("help: the keys of the run", "keys"), KeyGroup::Program),
    bind(Action::ToggleColumn, KeyScope::Columns, &["space", "enter"], ("show or hide", "show"), KeyGroup::Views),
    bind(Action::ColumnLeft, KeyScope::Columns, &["shift+up", "K", "left"], ("move left", "left"), KeyGroup::Views),
    bind(
        Action::ColumnRight,
        KeyScope::Columns,
        &["shift+down", "J", "right"],
        ("move right", "right"),
        KeyGroup::Views,
    ),
    bind(Action::ColumnWider, KeyScope::Columns, &["+", ">"], ("wider", "wider"), KeyGroup::Views),
    bind(Action::ColumnNarrower, KeyScope::Columns, &["-", "<"], ("narrower", "narrower"), KeyGroup::Views),
    bind(Action::UsualColumns, KeyScope::Columns, &["x"], ("default columns", "default"), KeyGroup::Views),
    bind(Action::Help, KeyScope::Columns, &["?", "f1"], ("help: the keys of the columns", "keys"), KeyGroup::Program),
    bind(Action::NextPane, KeyScope::Help, &["tab"], ("next group", "group"), KeyGroup::Forms),
    bind(Action::MoveRight, KeyScope::Help, &["right"], ("next group", "group"), KeyGroup::Forms),
    bind(Action::MoveLeft, KeyScope::Help, &["left"], ("previous group", "group"), KeyGroup::Forms),
    bind(Action::PreviousPane, KeyScope::Help, &["shift+tab"], ("previous group", "group"), KeyGroup::Forms),
    bind(
        Action::AcceptFilter,
        KeyScope::FilterLine,
        &["enter"],
        ("filter and go to the rows", "accept"),
        KeyGroup::Forms,
    ),
    bind(
        Action::CompleteFilter,
        KeyScope::FilterLine,
        &["tab"],
        ("complete the term, then the next completion", "complete"),
        KeyGroup::Forms,
    ),
    bind(
        Action::PreviousCompletion,
        KeyScope::FilterLine,
        &["shift+tab"],
        ("previous completion", "previous"),
        KeyGroup::Forms,
    ),
    bind(Action::NextField, KeyScope::Form, &["tab", "down"], ("next field", "next field"), KeyGroup::Forms),
    bind(
        Action::PreviousField,
        KeyScope::Form,
        &["shift+tab", "up"],
        ("previous field", "previous field"),
        KeyGroup::Forms,
    ),
    bind(
        Action::NextChoice,
        KeyScope::FormChoice,
        &["right", "space"],
        ("next value of a choice", "change"),
        KeyGroup::Forms,
    ),
    bind(
        Action::PreviousChoice,
        KeyScope::FormChoice,
        &["left"],
        ("previous value of a choice", "change"),
        KeyGroup::Forms,
    ),
    bind(Action::Press, KeyScope::Form, &["enter"], ("next field; on a button: press it", "press"), KeyGroup::Forms),
    bind(Action::Submit, KeyScope::Form, &["ctrl+s"], ("send the form", "save"), KeyGroup::Forms),
    bind(Action::RevealPassword, KeyScope::Form, &["ctrl+r"], ("show or hide the password", "show"), KeyGroup::Forms),
    bind(Action::GeneratePassword, KeyScope::Form, &["ctrl+g"], ("generate a password", "generate"), KeyGroup::Forms),
    bind(
        Action::CopyPassword,
        KeyScope::Form,
        &["ctrl+y"],
        ("copy the generated password, once", "copy once"),
        KeyGroup::Forms,
    ),
    bind(
        Action::DiscardDraft,
        KeyScope::Form,
        &["ctrl+x"],
        ("discard the draft, after asking", "discard"),
        KeyGroup::Forms,
    ),
    bind(Action::Press, KeyScope::Prompt, &["enter"], ("save what is typed", "saves"), KeyGroup::Forms),
    bind(Action::Submit, KeyScope::Prompt, &["ctrl+s"], ("save what is typed", "saves"), KeyGroup::Forms),
    bind(Action::Confirm, KeyScope::DialogButtons, &["y"], ("confirm", "yes"), KeyGroup::Forms),
    bind(
        Action::OtherButton,
        KeyScope::DialogButtons,
        &["left", "right"],
        ("the other button", "other"),
        KeyGroup::Forms,
    ),
    bind(Action::OtherButton, KeyScope::Dialog, &["tab", "shift+tab"], ("the other button", "other"), KeyGroup::Forms),
    bind(Action::Press, KeyScope::Dialog, &["enter"], ("press the focused button", "press"), KeyGroup::Forms),
    bind(Action::Pick, KeyScope::List, &["enter"], ("run or choose this", "choose"), KeyGroup::Forms),
    bind(Action::Pick, KeyScope::History, &["enter"], ("open the report, or mark the reports", "open"), KeyGroup::Move),
    bind(Action::Activity, KeyScope::History, &["@"], ("requests with their responses", "requests"), KeyGroup::Program),
    bind(Action::Refresh, KeyScope::History, &["r", "f5"], ("load the reports again", "load"), KeyGroup::Find),
    bind(Action::Help, KeyScope::History, &["?", "f1"], ("help: the keys of the history", "keys"), KeyGroup::Program),
    bind(Action::Refresh, KeyScope::Activity, &["r"], ("load the reports again", "load"), KeyGroup::Forms),
    bind(Action::Help, KeyScope::Activity, &["?", "f1"], ("help: the keys of the requests", "keys"), KeyGroup::Program),
];

/// The first default binding of an action, for its words.
pub fn binding_of(action: Action) -> Option<&'static Binding> {
    BINDINGS.iter().find(|binding| binding.action == action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn every_action_has_a_binding_with_words() {
        for action in Action::iter() {
            let binding = binding_of(action).unwrap_or_else(|| panic!("{} has no binding", action.name()));
            assert!(!binding.help.is_empty() && !binding.hint.is_empty() && !binding.keys.is_empty());
        }
    }
}
