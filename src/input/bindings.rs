//! The default keys: one entry per action and scope.
//!
//! Help, footer and the key tables of the documents are generated from this table, in its order. Keys are written as in
//! the configuration: `ctrl+d`, `shift+tab`, `pgdn`, `space`, `D`.

use crate::input::action::Action;
use crate::input::context::KeyScope;

/// The groups under which help and documents list keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::EnumIter, strum::IntoStaticStr)]
pub enum KeyGroup {
    /// Navigation.
    Move,
    /// Filtering, sorting and loading.
    Find,
    /// Actions on a report or project.
    Act,
    /// States, notes, the queue, causes and changes.
    Triage,
    /// Marking and bulk actions.
    Many,
    /// Saved views, columns, panes.
    Views,
    /// The program itself.
    Program,
    /// Forms, dialogs, menus and lists.
    Forms,
}

/// The keys of one action in one scope.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// The action.
    pub action: Action,
    /// The scope in which the keys are active.
    pub scope: KeyScope,
    /// The keys, the preferred one first.
    pub keys: &'static [&'static str],
    /// The description in the help.
    pub help: &'static str,
    /// One or two words for the footer.
    pub hint: &'static str,
    /// The group in the help.
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

use KeyGroup::{Act, Find, Forms, Many, Move, Program, Triage, Views};
use KeyScope::{
    Activity, Causes, Changes, Columns, Dialog, DialogButtons, Everywhere, FilterLine, Form, FormChoice, Help, History,
    List, Overview, Panes, Prompt, Queue, Rows, RowsBesideText, Run,
};

/// All default bindings.
pub const BINDINGS: &[Binding] = &[
    bind(Action::MoveDown, Rows, &["down", "j"], ("next row", "down"), Move),
    bind(Action::MoveUp, Rows, &["up", "k"], ("previous row", "up"), Move),
    bind(Action::MoveDown, RowsBesideText, &["down", "ctrl+n"], ("next row", "down"), Forms),
    bind(Action::MoveUp, RowsBesideText, &["up", "ctrl+p"], ("previous row", "up"), Forms),
    bind(Action::PageDown, RowsBesideText, &["pgdn"], ("page down", "page down"), Forms),
    bind(Action::PageUp, RowsBesideText, &["pgup"], ("page up", "page up"), Forms),
    bind(Action::MoveFirst, Rows, &["g", "home"], ("first row", "first"), Move),
    bind(Action::MoveLast, Rows, &["G", "end"], ("last row", "last"), Move),
    bind(Action::HalfPageDown, Rows, &["ctrl+d"], ("half a page down", "half down"), Move),
    bind(Action::HalfPageUp, Rows, &["ctrl+u"], ("half a page up", "half up"), Move),
    bind(Action::PageDown, Rows, &["pgdn", "ctrl+f"], ("page down", "page down"), Move),
    bind(Action::PageUp, Rows, &["pgup", "ctrl+b"], ("page up", "page up"), Move),
    bind(Action::MoveLeft, Panes, &["left", "h"], ("pane on the left", "left"), Move),
    bind(Action::MoveRight, Panes, &["right", "l"], ("pane on the right", "right"), Move),
    bind(Action::NextPane, Panes, &["tab"], ("next pane", "pane"), Move),
    bind(Action::PreviousPane, Panes, &["shift+tab"], ("previous pane", "pane"), Move),
    bind(Action::Overview, Panes, &["0"], ("overview", "overview"), Move),
    bind(Action::FocusProjects, Panes, &["1"], ("projects", "projects"), Move),
    bind(Action::FocusReports, Panes, &["2"], ("reports", "reports"), Move),
    bind(Action::FocusReport, Panes, &["3"], ("report", "report"), Move),
    bind(Action::Open, Panes, &["enter"], ("open what is under the cursor", "open"), Move),
    bind(Action::Back, Everywhere, &["esc"], ("one step back; never quits", "back"), Move),
    bind(Action::Filter, Panes, &["/"], ("filter", "filter"), Find),
    bind(Action::CycleResult, Panes, &["b"], ("bad → decent → good → all", "result"), Find),
    bind(Action::FilterToValue, Panes, &["="], ("filter by this row's value", "only this"), Find),
    bind(Action::ExcludeValue, Panes, &["-"], ("exclude this row's value", "not this"), Find),
    bind(Action::SortBy, Panes, &["s"], ("sort by a column", "sort"), Find),
    bind(Action::ReverseSort, Panes, &["S"], ("reverse the order", "reverse"), Find),
    bind(Action::Refresh, Panes, &["r", "f5"], ("reload this pane", "load"), Find),
    bind(Action::RefreshAll, Panes, &["R"], ("reload everything", "load all"), Find),
    bind(Action::NewReport, Panes, &["n"], ("new report", "new"), Act),
    bind(Action::EditReport, Panes, &["e"], ("edit privacy, password; re-run", "edit"), Act),
    bind(Action::RerunReport, Panes, &["t"], ("re-run: audit the page again now", "re-run"), Act),
    bind(
        Action::Delete,
        Panes,
        &["D", "delete"],
        ("delete the report, or the project with all its reports", "delete"),
        Act,
    ),
    bind(
        Action::Undo,
        Rows,
        &["u"],
        ("undo: deletion, privacy, state, note, marks, view, filter, order, columns", "undo"),
        Act,
    ),
    bind(Action::Redo, Panes, &["U"], ("redo what was undone", "redo"), Act),
    bind(Action::CopyMenu, Panes, &["y"], ("copy URL, row, Markdown; message to the customer", "copy"), Act),
    bind(Action::CopyUrl, Panes, &["Y"], ("copy the URL", "copy URL"), Act),
    bind(Action::Export, Panes, &["ctrl+s"], ("export marked or shown rows to a file", "export"), Act),
    bind(Action::OpenWebPage, Panes, &["o"], ("open the audited page in the browser", "browser"), Act),
    bind(Action::OpenReportPage, Panes, &["O"], ("open the report page in the browser", "report page"), Act),
    bind(Action::Queue, Panes, &["Q"], ("queue: open reports one by one, most urgent first", "queue"), Triage),
    bind(Action::SetState, Panes, &["m"], ("set state and note", "state"), Triage),
    bind(Action::WriteNote, Panes, &["c"], ("add a note, or edit one", "note"), Triage),
    bind(Action::Assign, Panes, &["a"], ("assign to a person", "assign"), Triage),
    bind(Action::Handover, Panes, &["H"], ("hand over your reports", "hand over"), Triage),
    bind(Action::DeskCollisions, Panes, &["X"], ("conflicting decisions", "conflicts"), Triage),
    bind(Action::ExplainPlace, Panes, &["i"], ("why it is this urgent", "why"), Triage),
    bind(Action::Causes, Panes, &["w"], ("causes: what the bad reports share", "causes"), Triage),
    bind(Action::Changes, Panes, &["L"], ("changes since the last look", "changes"), Triage),
    bind(Action::ToggleMark, Panes, &["space"], ("mark or unmark", "mark"), Many),
    bind(Action::MarkRange, Panes, &["v"], ("begin or end a range of marks", "range"), Many),
    bind(Action::ExtendRangeDown, Panes, &["shift+down"], ("extend the range downwards", "range down"), Many),
    bind(Action::ExtendRangeUp, Panes, &["shift+up"], ("extend the range upwards", "range up"), Many),
    bind(Action::MarkAll, Panes, &["V"], ("mark all shown reports", "mark all"), Many),
    bind(Action::UnmarkAll, Panes, &["M"], ("unmark all", "unmark"), Many),
    bind(Action::Actions, Panes, &["x"], ("menu of available actions", "menu"), Many),
    bind(Action::NextView, Panes, &["]"], ("next saved view", "next view"), Views),
    bind(Action::PreviousView, Panes, &["["], ("previous saved view", "previous view"), Views),
    bind(Action::SaveView, Panes, &["W"], ("save this view, or paste one", "save view"), Views),
    bind(Action::CopyView, Panes, &["ctrl+y"], ("copy this view as one line", "copy view"), Views),
    bind(Action::Columns, Panes, &["C"], ("choose columns", "columns"), Views),
    bind(Action::ToggleTimes, Panes, &["T"], ("times: relative or exact", "times"), Views),
    bind(Action::ToggleReportPane, Panes, &["p"], ("report pane on or off", "report pane"), Views),
    bind(Action::ToggleWholeScreen, Panes, &["f"], ("full screen", "full screen"), Views),
    bind(Action::Help, Panes, &["?", "f1"], ("help: the keys of this pane", "keys"), Program),
    bind(Action::Palette, Panes, &[":", "ctrl+p"], ("commands", "commands"), Program),
    bind(Action::History, Panes, &["@"], ("history: what was done, day by day", "history"), Program),
    bind(Action::SwitchProfile, Panes, &["A"], ("another account", "account"), Program),
    bind(Action::EnterKey, Panes, &["K"], ("enter an API key for this run", "API key"), Program),
    bind(Action::ToggleMouse, Everywhere, &["ctrl+t"], ("mouse: select text, or click", "mouse"), Program),
    bind(Action::Stop, Everywhere, &["ctrl+z"], ("suspend; fg in the shell resumes", "suspend"), Program),
    bind(Action::Quit, Panes, &["q"], ("quit", "quit"), Program),
    bind(Action::Quit, Everywhere, &["ctrl+c"], ("quit from anywhere; drafts are kept", "quit"), Program),
    bind(Action::NextInQueue, Queue, &["n", "right", "space"], ("next report", "next"), Move),
    bind(Action::PreviousInQueue, Queue, &["p", "left"], ("previous report", "previous"), Move),
    bind(Action::StateLooking, Queue, &["1", "l"], ("looking: I am working on it", "looking"), Triage),
    bind(Action::StateWaiting, Queue, &["2", "w"], ("waiting, then the next report", "waiting"), Triage),
    bind(Action::StateToVerify, Queue, &["3", "v"], ("to verify, then the next report", "to verify"), Triage),
    bind(Action::StateWontFix, Queue, &["4", "x"], ("won't fix, then the next report", "won't fix"), Triage),
    bind(Action::SnoozeDay, Queue, &["5", "z"], ("snooze until tomorrow, then the next report", "snooze"), Triage),
    bind(Action::SnoozeWeek, Queue, &["Z"], ("snooze for a week, then the next report", "a week"), Triage),
    bind(Action::SetState, Queue, &["m"], ("set state and note", "state"), Triage),
    bind(Action::WriteNote, Queue, &["c"], ("add a note, or edit one", "note"), Triage),
    bind(Action::Assign, Queue, &["a"], ("assign to a person", "assign"), Triage),
    bind(Action::Handover, Queue, &["H"], ("hand over your reports", "hand over"), Triage),
    bind(Action::ExplainPlace, Queue, &["i"], ("why it is this urgent", "why"), Triage),
    bind(Action::RerunReport, Queue, &["t"], ("re-run: audit the page again now", "re-run"), Act),
    bind(Action::EditReport, Queue, &["e"], ("edit privacy, password; re-run", "edit"), Act),
    bind(Action::Delete, Queue, &["D", "delete"], ("delete the report", "delete"), Act),
    bind(Action::OpenWebPage, Queue, &["o"], ("open the audited page in the browser", "browser"), Act),
    bind(Action::OpenReportPage, Queue, &["O"], ("open the report page in the browser", "report page"), Act),
    bind(Action::Refresh, Queue, &["r", "f5"], ("reload the list", "load"), Find),
    bind(Action::CopyMenu, Queue, &["y"], ("copy URL, row, Markdown; message to the customer", "copy"), Act),
    bind(Action::CopyUrl, Queue, &["Y"], ("copy the URL", "copy URL"), Act),
    bind(Action::Redo, Queue, &["U"], ("redo what was undone", "redo"), Act),
    bind(Action::Back, Queue, &["q"], ("leave the queue", "leave"), Program),
    bind(Action::Help, Queue, &["?", "f1"], ("help: the keys of the queue", "keys"), Program),
    bind(Action::Palette, Queue, &[":", "ctrl+p"], ("commands", "commands"), Program),
    bind(Action::SwitchProfile, Queue, &["A"], ("another account", "account"), Program),
    bind(Action::EnterKey, Queue, &["K"], ("enter an API key for this run", "API key"), Program),
    bind(Action::Pick, Changes, &["enter"], ("open the report", "open"), Move),
    bind(Action::ToggleMark, Changes, &["space"], ("mark or unmark", "mark"), Many),
    bind(Action::MarkSection, Changes, &["V"], ("mark or unmark the section", "mark section"), Many),
    bind(Action::EarlierBaseline, Changes, &["["], ("compare with an earlier look", "earlier"), Views),
    bind(Action::LaterBaseline, Changes, &["]"], ("compare with a later look", "later"), Views),
    bind(Action::UntestedDays, Changes, &["d"], ("not re-run for 7, 30, 90, 365 days", "days"), Views),
    bind(Action::AllSeen, Changes, &["x"], ("mark everything as seen", "seen"), Triage),
    bind(Action::Search, Changes, &["/"], ("search these lines", "search"), Find),
    bind(Action::Refresh, Changes, &["r", "f5"], ("reload the list", "load"), Find),
    bind(Action::RefreshAll, Changes, &["R"], ("reload everything", "load all"), Find),
    bind(Action::Redo, Changes, &["U"], ("redo what was undone", "redo"), Act),
    bind(Action::Help, Changes, &["?", "f1"], ("help: the keys of the changes", "keys"), Program),
    bind(Action::Palette, Changes, &[":", "ctrl+p"], ("commands", "commands"), Program),
    bind(Action::SwitchProfile, Changes, &["A"], ("another account", "account"), Program),
    bind(Action::EnterKey, Changes, &["K"], ("enter an API key for this run", "API key"), Program),
    bind(Action::Back, Changes, &["q"], ("close the changes", "close"), Program),
    bind(Action::Pick, Overview, &["enter"], ("open the reports that the line counts", "open"), Move),
    bind(Action::NextPane, Overview, &["tab"], ("next block", "block"), Move),
    bind(Action::MoveLeft, Overview, &["left", "h"], ("previous block", "block"), Move),
    bind(Action::MoveRight, Overview, &["right", "l"], ("next block", "block"), Move),
    bind(Action::Overview, Overview, &["0"], ("close the overview", "close"), Move),
    bind(Action::PreviousPane, Overview, &["shift+tab"], ("previous block", "block"), Move),
    bind(Action::FocusProjects, Overview, &["1"], ("projects", "projects"), Move),
    bind(Action::FocusReports, Overview, &["2"], ("reports", "list"), Move),
    bind(Action::Filter, Overview, &["/"], ("filter the list", "filter"), Find),
    bind(Action::Refresh, Overview, &["r", "f5"], ("reload the list", "load"), Find),
    bind(Action::RefreshAll, Overview, &["R"], ("reload everything", "load all"), Find),
    bind(Action::NewReport, Overview, &["n"], ("new report", "new"), Act),
    bind(Action::Changes, Overview, &["L"], ("changes since the last look", "changes"), Triage),
    bind(Action::Causes, Overview, &["w"], ("causes: what the bad reports share", "causes"), Triage),
    bind(Action::Queue, Overview, &["Q"], ("queue: open reports one by one, most urgent first", "queue"), Triage),
    bind(Action::ToggleTimes, Overview, &["T"], ("times: relative or exact", "times"), Views),
    bind(Action::History, Overview, &["@"], ("history: what was done, day by day", "history"), Program),
    bind(Action::Redo, Overview, &["U"], ("redo what was undone", "redo"), Act),
    bind(Action::Help, Overview, &["?", "f1"], ("help: the keys of the overview", "keys"), Program),
    bind(Action::Palette, Overview, &[":", "ctrl+p"], ("commands", "commands"), Program),
    bind(Action::SwitchProfile, Overview, &["A"], ("another account", "account"), Program),
    bind(Action::EnterKey, Overview, &["K"], ("enter an API key for this run", "API key"), Program),
    bind(Action::Quit, Overview, &["q"], ("quit", "quit"), Program),
    bind(Action::Pick, Causes, &["enter"], ("filter by this line", "filter"), Move),
    bind(Action::NextPane, Causes, &["tab"], ("next block", "block"), Move),
    bind(Action::PreviousPane, Causes, &["shift+tab"], ("previous block", "block"), Move),
    bind(Action::MoveLeft, Causes, &["left", "h"], ("previous block", "block"), Move),
    bind(Action::MoveRight, Causes, &["right", "l"], ("next block", "block"), Move),
    bind(Action::Causes, Causes, &["w"], ("close the causes", "close"), Move),
    bind(Action::Overview, Causes, &["0"], ("overview", "overview"), Move),
    bind(Action::FocusProjects, Causes, &["1"], ("projects", "projects"), Move),
    bind(Action::FocusReports, Causes, &["2"], ("reports", "list"), Move),
    bind(Action::Filter, Causes, &["/"], ("filter the list", "filter line"), Find),
    bind(Action::Refresh, Causes, &["r", "f5"], ("reload the list", "load"), Find),
    bind(Action::RefreshAll, Causes, &["R"], ("reload everything", "load all"), Find),
    bind(Action::RerunReport, Causes, &["t"], ("re-run the reports of the line, after a plan", "re-run"), Act),
    bind(Action::ToggleMark, Causes, &["space"], ("mark or unmark the reports of the line", "mark"), Many),
    bind(Action::Changes, Causes, &["L"], ("changes since the last look", "changes"), Triage),
    bind(Action::Queue, Causes, &["Q"], ("queue: open reports one by one, most urgent first", "queue"), Triage),
    bind(Action::Redo, Causes, &["U"], ("redo what was undone", "redo"), Act),
    bind(Action::Help, Causes, &["?", "f1"], ("help: the keys of the causes", "keys"), Program),
    bind(Action::Palette, Causes, &[":", "ctrl+p"], ("commands", "commands"), Program),
    bind(Action::SwitchProfile, Causes, &["A"], ("another account", "account"), Program),
    bind(Action::EnterKey, Causes, &["K"], ("enter an API key for this run", "API key"), Program),
    bind(Action::Back, Causes, &["q"], ("close the causes", "close"), Program),
    bind(Action::Pick, Run, &["enter"], ("open the report", "open"), Move),
    bind(Action::Search, Run, &["/"], ("search these lines", "search"), Find),
    bind(Action::PauseRun, Run, &["space"], ("pause or resume", "pause"), Many),
    bind(Action::CancelRun, Run, &["x"], ("cancel the rest", "cancel the rest"), Many),
    bind(Action::RetryFailed, Run, &["r"], ("retry what failed", "retry"), Many),
    bind(Action::Redo, Run, &["U"], ("redo what was undone", "redo"), Act),
    bind(Action::Help, Run, &["?", "f1"], ("help: the keys of the run", "keys"), Program),
    bind(Action::Palette, Run, &[":", "ctrl+p"], ("commands", "commands"), Program),
    bind(Action::Back, Run, &["q"], ("close the list; the run continues", "close"), Program),
    bind(Action::ToggleColumn, Columns, &["space", "enter"], ("show or hide", "show"), Views),
    bind(Action::ColumnLeft, Columns, &["shift+up", "K", "left"], ("move left", "left"), Views),
    bind(Action::ColumnRight, Columns, &["shift+down", "J", "right"], ("move right", "right"), Views),
    bind(Action::ColumnWider, Columns, &["+", ">"], ("wider", "wider"), Views),
    bind(Action::ColumnNarrower, Columns, &["-", "<"], ("narrower", "narrower"), Views),
    bind(Action::UsualColumns, Columns, &["x"], ("default columns", "default"), Views),
    bind(Action::Redo, Columns, &["U"], ("redo what was undone", "redo"), Act),
    bind(Action::Help, Columns, &["?", "f1"], ("help: the keys of the columns", "keys"), Program),
    bind(Action::Palette, Columns, &[":", "ctrl+p"], ("commands", "commands"), Program),
    bind(Action::Back, Columns, &["q"], ("close the columns", "close"), Program),
    bind(Action::NextPane, Help, &["tab"], ("next group", "group"), Forms),
    bind(Action::MoveRight, Help, &["right"], ("next group", "group"), Forms),
    bind(Action::MoveLeft, Help, &["left"], ("previous group", "group"), Forms),
    bind(Action::PreviousPane, Help, &["shift+tab"], ("previous group", "group"), Forms),
    bind(Action::AcceptFilter, FilterLine, &["enter"], ("filter and go to the rows", "accept"), Forms),
    bind(
        Action::CompleteFilter,
        FilterLine,
        &["tab"],
        ("complete the term, then the next completion", "complete"),
        Forms,
    ),
    bind(Action::PreviousCompletion, FilterLine, &["shift+tab"], ("previous completion", "previous"), Forms),
    bind(Action::NextField, Form, &["tab", "down"], ("next field", "next field"), Forms),
    bind(Action::PreviousField, Form, &["shift+tab", "up"], ("previous field", "previous field"), Forms),
    bind(Action::NextChoice, FormChoice, &["right", "space"], ("next value of a choice", "change"), Forms),
    bind(Action::PreviousChoice, FormChoice, &["left"], ("previous value of a choice", "change"), Forms),
    bind(Action::Press, Form, &["enter"], ("next field; on a button: press it", "press"), Forms),
    bind(Action::Submit, Form, &["ctrl+s"], ("send the form", "save"), Forms),
    bind(Action::RevealPassword, Form, &["ctrl+r"], ("show or hide the password", "show"), Forms),
    bind(Action::GeneratePassword, Form, &["ctrl+g"], ("generate a password", "generate"), Forms),
    bind(Action::CopyPassword, Form, &["ctrl+y"], ("copy the generated password, once", "copy once"), Forms),
    bind(Action::DiscardDraft, Form, &["ctrl+x"], ("discard the draft, after asking", "discard"), Forms),
    bind(Action::Press, Prompt, &["enter"], ("save or use what is typed", "saves"), Forms),
    bind(Action::Submit, Prompt, &["ctrl+s"], ("save or use what is typed", "saves"), Forms),
    bind(Action::Confirm, DialogButtons, &["y"], ("confirm", "yes"), Forms),
    bind(Action::OtherButton, DialogButtons, &["left", "right"], ("the other button", "other"), Forms),
    bind(Action::OtherButton, Dialog, &["tab", "shift+tab"], ("the other button", "other"), Forms),
    bind(Action::Press, Dialog, &["enter"], ("press the focused button", "press"), Forms),
    bind(Action::Pick, List, &["enter"], ("run or choose this", "choose"), Forms),
    bind(Action::Back, List, &["q"], ("close a menu", "close"), Forms),
    bind(Action::Pick, History, &["enter"], ("open the report, or mark the reports", "open"), Move),
    bind(Action::Search, History, &["/"], ("search these lines", "search"), Find),
    bind(Action::Activity, History, &["@"], ("requests with their responses", "requests"), Program),
    bind(Action::Refresh, History, &["r", "f5"], ("reload the reports", "load"), Find),
    bind(Action::Redo, History, &["U"], ("redo what was undone", "redo"), Act),
    bind(Action::Help, History, &["?", "f1"], ("help: the keys of the history", "keys"), Program),
    bind(Action::Palette, History, &[":", "ctrl+p"], ("commands", "commands"), Program),
    bind(Action::Back, History, &["q"], ("close the history", "close"), Program),
    bind(Action::Search, Activity, &["/"], ("search these lines", "search"), Forms),
    bind(Action::Refresh, Activity, &["r", "f5"], ("reload the reports", "load"), Forms),
    bind(Action::Help, Activity, &["?", "f1"], ("help: the keys of the requests", "keys"), Program),
    bind(Action::Palette, Activity, &[":", "ctrl+p"], ("commands", "commands"), Program),
    bind(Action::Back, Activity, &["q"], ("close the requests", "close"), Program),
];

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn every_action_has_a_binding_with_words() {
        for action in Action::iter() {
            let binding = BINDINGS.iter().find(|binding| binding.action == action);
            let binding = binding.unwrap_or_else(|| panic!("{} has no binding", action.name()));
            assert!(!binding.help.is_empty() && !binding.hint.is_empty() && !binding.keys.is_empty());
        }
    }

    /// An action that is missing in `is_about_a_report` would act on a report that the projects pane does not show.
    #[test]
    fn actions_of_the_panes_are_about_the_report_under_the_cursor_unless_listed_here() {
        let others = [
            Action::NewReport,
            Action::Delete,
            Action::Undo,
            Action::Redo,
            Action::Export,
            Action::Queue,
            Action::Handover,
            Action::DeskCollisions,
            Action::Causes,
            Action::Changes,
        ];
        for binding in BINDINGS.iter().filter(|binding| matches!(binding.group, Act | Triage)) {
            let action = binding.action;
            assert!(
                !matches!(binding.scope, Panes | Rows) || action.is_about_a_report() != others.contains(&action),
                "{}: add it to Action::is_about_a_report, or to this list if it needs no report",
                action.name()
            );
        }
    }
}
