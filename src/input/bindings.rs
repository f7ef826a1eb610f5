//! The default keys: one entry per action and scope.
//!
//! Help, footer and the key tables of the documents come from this table. Keys are written as in the configuration:
//! `ctrl+d`, `shift+tab`, `pgdn`, `space`, `D`.

use crate::input::action::Action;
use crate::input::context::KeyScope;

/// The groups under which the help and the README list keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::IntoStaticStr)]
pub enum KeyGroup {
    /// Moving around.
    Moving,
    /// What is shown.
    Showing,
    /// Reports and projects.
    Reports,
    /// Many reports at once.
    Many,
    /// The program itself.
    Program,
    /// Forms and dialogs.
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
    bind(Action::MoveDown, KeyScope::Rows, &["down", "j"], ("one row down", "down"), KeyGroup::Moving),
    bind(Action::MoveUp, KeyScope::Rows, &["up", "k"], ("one row up", "up"), KeyGroup::Moving),
    bind(Action::MoveDown, KeyScope::RowsBesideText, &["down"], ("one row down", "down"), KeyGroup::Forms),
    bind(Action::MoveUp, KeyScope::RowsBesideText, &["up"], ("one row up", "up"), KeyGroup::Forms),
    bind(Action::PageDown, KeyScope::RowsBesideText, &["pgdn"], ("a page down", "page down"), KeyGroup::Forms),
    bind(Action::PageUp, KeyScope::RowsBesideText, &["pgup"], ("a page up", "page up"), KeyGroup::Forms),
    bind(Action::MoveLeft, KeyScope::Panes, &["left", "h"], ("pane on the left", "left"), KeyGroup::Moving),
    bind(Action::MoveRight, KeyScope::Panes, &["right", "l"], ("pane on the right", "right"), KeyGroup::Moving),
    bind(Action::MoveFirst, KeyScope::Rows, &["g", "home"], ("first row", "first"), KeyGroup::Moving),
    bind(Action::MoveLast, KeyScope::Rows, &["G", "end"], ("last row", "last"), KeyGroup::Moving),
    bind(Action::HalfPageDown, KeyScope::Rows, &["ctrl+d"], ("half a page down", "half down"), KeyGroup::Moving),
    bind(Action::HalfPageUp, KeyScope::Rows, &["ctrl+u"], ("half a page up", "half up"), KeyGroup::Moving),
    bind(Action::PageDown, KeyScope::Rows, &["pgdn"], ("a page down", "page down"), KeyGroup::Moving),
    bind(Action::PageUp, KeyScope::Rows, &["pgup"], ("a page up", "page up"), KeyGroup::Moving),
    bind(Action::NextPane, KeyScope::Panes, &["tab"], ("next pane", "pane"), KeyGroup::Moving),
    bind(Action::PreviousPane, KeyScope::Panes, &["shift+tab"], ("previous pane", "pane"), KeyGroup::Moving),
    bind(Action::Overview, KeyScope::Panes, &["0"], ("overview: how things stand", "overview"), KeyGroup::Moving),
    bind(Action::FocusProjects, KeyScope::Panes, &["1"], ("to the projects", "projects"), KeyGroup::Moving),
    bind(Action::FocusReports, KeyScope::Panes, &["2"], ("to the reports", "reports"), KeyGroup::Moving),
    bind(Action::FocusReport, KeyScope::Panes, &["3"], ("to the report", "report"), KeyGroup::Moving),
    bind(Action::Open, KeyScope::Panes, &["enter"], ("open what is under the cursor", "open"), KeyGroup::Moving),
    bind(Action::Back, KeyScope::Everywhere, &["esc"], ("one step back; never quits", "back"), KeyGroup::Moving),
    bind(
        Action::ToggleReportPane,
        KeyScope::Panes,
        &["p"],
        ("report pane on or off", "report pane"),
        KeyGroup::Showing,
    ),
    bind(
        Action::ToggleWholeScreen,
        KeyScope::Panes,
        &["f"],
        ("this pane on the whole screen", "whole screen"),
        KeyGroup::Showing,
    ),
    bind(
        Action::Filter,
        KeyScope::Panes,
        &["/"],
        ("type a filter: tea !cart result:bad score:<50 age:>30d", "filter"),
        KeyGroup::Showing,
    ),
    bind(Action::CycleResult, KeyScope::Panes, &["b"], ("bad → decent → good → all", "result"), KeyGroup::Showing),
    bind(
        Action::FilterToValue,
        KeyScope::Panes,
        &["="],
        ("keep only rows with a value of this one: result, project, privacy, folder, failing check", "keep"),
        KeyGroup::Showing,
    ),
    bind(
        Action::ExcludeValue,
        KeyScope::Panes,
        &["-"],
        ("drop rows with a value of this one", "exclude"),
        KeyGroup::Showing,
    ),
    bind(Action::SortBy, KeyScope::Panes, &["s"], ("choose what to sort by", "sort"), KeyGroup::Showing),
    bind(Action::ReverseSort, KeyScope::Panes, &["S"], ("turn the order around", "reverse"), KeyGroup::Showing),
    bind(Action::Refresh, KeyScope::Panes, &["r", "f5"], ("load this pane again", "refresh"), KeyGroup::Showing),
    bind(Action::RefreshAll, KeyScope::Panes, &["R"], ("load everything again", "refresh all"), KeyGroup::Showing),
    bind(
        Action::Export,
        KeyScope::Panes,
        &["ctrl+s"],
        ("export what is marked, else what is shown: CSV, JSON, Markdown, HTML", "export"),
        KeyGroup::Showing,
    ),
    bind(Action::ToggleTimes, KeyScope::Panes, &["T"], ("times: how long ago, or exactly", "times"), KeyGroup::Showing),
    bind(Action::NewReport, KeyScope::Panes, &["n"], ("new report", "new"), KeyGroup::Reports),
    bind(Action::EditReport, KeyScope::Panes, &["e"], ("edit privacy and password, re-run", "edit"), KeyGroup::Reports),
    bind(Action::RerunReport, KeyScope::Panes, &["t"], ("audit the page again, at once", "re-run"), KeyGroup::Reports),
    bind(
        Action::Delete,
        KeyScope::Panes,
        &["D", "delete"],
        ("delete the report, or the project with all its reports", "delete"),
        KeyGroup::Reports,
    ),
    bind(
        Action::CopyMenu,
        KeyScope::Panes,
        &["y"],
        ("copy: URL, id, row, Markdown, address of the report page", "copy"),
        KeyGroup::Reports,
    ),
    bind(Action::CopyUrl, KeyScope::Panes, &["Y"], ("copy the URL", "copy URL"), KeyGroup::Reports),
    bind(Action::OpenWebPage, KeyScope::Panes, &["o"], ("open the page in the browser", "browser"), KeyGroup::Reports),
    bind(
        Action::OpenReportPage,
        KeyScope::Panes,
        &["O"],
        ("open the report page in the browser, where the service has one", "report page"),
        KeyGroup::Reports,
    ),
    bind(Action::NextView, KeyScope::Panes, &["]"], ("next saved view", "next view"), KeyGroup::Showing),
    bind(Action::PreviousView, KeyScope::Panes, &["["], ("previous saved view", "previous view"), KeyGroup::Showing),
    bind(
        Action::SaveView,
        KeyScope::Panes,
        &["W"],
        ("save filter and order as a view, or paste a view's line", "save view"),
        KeyGroup::Showing,
    ),
    bind(
        Action::CopyView,
        KeyScope::Panes,
        &["ctrl+y"],
        ("copy filter and order as one line for a colleague", "copy view"),
        KeyGroup::Showing,
    ),
    bind(
        Action::Causes,
        KeyScope::Panes,
        &["w"],
        ("why: what the bad reports here share", "causes"),
        KeyGroup::Showing,
    ),
    bind(
        Action::Columns,
        KeyScope::Panes,
        &["C"],
        ("columns: which, and in which order", "columns"),
        KeyGroup::Showing,
    ),
    bind(
        Action::Since,
        KeyScope::Panes,
        &["L"],
        ("since you last looked: worse, better, new, gone, not tested for long", "changes"),
        KeyGroup::Showing,
    ),
    bind(
        Action::Queue,
        KeyScope::Panes,
        &["Q"],
        ("queue: what is open (or marked) one by one, the most urgent first", "queue"),
        KeyGroup::Many,
    ),
    bind(
        Action::ExplainPlace,
        KeyScope::Panes,
        &["i"],
        ("why this report stands where it stands in the order of work", "why here"),
        KeyGroup::Many,
    ),
    bind(
        Action::SetState,
        KeyScope::Panes,
        &["m"],
        ("state: looking, waiting, to verify, won't fix, snoozed", "state"),
        KeyGroup::Many,
    ),
    bind(Action::WriteNote, KeyScope::Panes, &["c"], ("write a note about the report", "note"), KeyGroup::Many),
    bind(Action::ToggleMark, KeyScope::Panes, &["space"], ("mark this report, or not", "mark"), KeyGroup::Many),
    bind(Action::MarkRange, KeyScope::Panes, &["v"], ("begin or end a range of marks", "range"), KeyGroup::Many),
    bind(
        Action::ExtendRangeDown,
        KeyScope::Panes,
        &["shift+down"],
        ("draw a range of marks downwards", "range down"),
        KeyGroup::Many,
    ),
    bind(
        Action::ExtendRangeUp,
        KeyScope::Panes,
        &["shift+up"],
        ("draw a range of marks upwards", "range up"),
        KeyGroup::Many,
    ),
    bind(Action::MarkAll, KeyScope::Panes, &["V"], ("mark everything that is shown", "mark all"), KeyGroup::Many),
    bind(Action::UnmarkAll, KeyScope::Panes, &["M"], ("take all marks away", "no marks"), KeyGroup::Many),
    bind(Action::Undo, KeyScope::Panes, &["u"], ("take back: marks, filter, order", "undo"), KeyGroup::Many),
    bind(Action::Redo, KeyScope::Panes, &["U"], ("do again what was taken back", "redo"), KeyGroup::Many),
    bind(Action::Actions, KeyScope::Panes, &["x"], ("menu: what can be done now", "actions"), KeyGroup::Many),
    bind(Action::PauseRun, KeyScope::Run, &["space"], ("pause, or go on", "pause"), KeyGroup::Many),
    bind(Action::CancelRun, KeyScope::Run, &["x"], ("send nothing more", "cancel the rest"), KeyGroup::Many),
    bind(Action::RetryFailed, KeyScope::Run, &["r"], ("try again what failed", "retry"), KeyGroup::Many),
    bind(Action::NextInQueue, KeyScope::Queue, &["n", "right", "space"], ("next report", "next"), KeyGroup::Many),
    bind(Action::PreviousInQueue, KeyScope::Queue, &["p", "left"], ("previous report", "previous"), KeyGroup::Many),
    bind(Action::StateLooking, KeyScope::Queue, &["l"], ("state: looking", "looking"), KeyGroup::Many),
    bind(Action::StateWaiting, KeyScope::Queue, &["w"], ("state: waiting, and on", "waiting"), KeyGroup::Many),
    bind(Action::StateToVerify, KeyScope::Queue, &["v"], ("state: to verify, and on", "to verify"), KeyGroup::Many),
    bind(Action::StateWontFix, KeyScope::Queue, &["x"], ("state: won't fix, and on", "won't fix"), KeyGroup::Many),
    bind(Action::SnoozeDay, KeyScope::Queue, &["z"], ("snooze until tomorrow, and on", "snooze"), KeyGroup::Many),
    bind(Action::SnoozeWeek, KeyScope::Queue, &["Z"], ("snooze for a week, and on", "a week"), KeyGroup::Many),
    bind(Action::SetState, KeyScope::Queue, &["m"], ("all states", "state"), KeyGroup::Many),
    bind(Action::WriteNote, KeyScope::Queue, &["c"], ("write a note about the report", "note"), KeyGroup::Many),
    bind(Action::RerunReport, KeyScope::Queue, &["t"], ("audit the page again, at once", "re-run"), KeyGroup::Many),
    bind(Action::EditReport, KeyScope::Queue, &["e"], ("edit privacy and password, re-run", "edit"), KeyGroup::Many),
    bind(Action::Delete, KeyScope::Queue, &["D", "delete"], ("delete the report", "delete"), KeyGroup::Many),
    bind(Action::OpenWebPage, KeyScope::Queue, &["o"], ("open the page in the browser", "browser"), KeyGroup::Many),
    bind(Action::OpenReportPage, KeyScope::Queue, &["O"], ("open the report page", "report page"), KeyGroup::Many),
    bind(Action::CopyMenu, KeyScope::Queue, &["y"], ("copy menu", "copy"), KeyGroup::Many),
    bind(Action::CopyUrl, KeyScope::Queue, &["Y"], ("copy the URL", "copy URL"), KeyGroup::Many),
    bind(Action::ExplainPlace, KeyScope::Queue, &["i"], ("why this report stands here", "why here"), KeyGroup::Many),
    bind(Action::Undo, KeyScope::Queue, &["u"], ("take back: state", "undo"), KeyGroup::Many),
    bind(Action::Redo, KeyScope::Queue, &["U"], ("do again what was taken back", "redo"), KeyGroup::Many),
    bind(Action::Back, KeyScope::Queue, &["q"], ("leave the queue", "leave"), KeyGroup::Many),
    bind(Action::Help, KeyScope::Queue, &["?", "f1"], ("all keys", "all keys"), KeyGroup::Many),
    bind(Action::Pick, KeyScope::Since, &["enter"], ("open the report", "open"), KeyGroup::Many),
    bind(Action::ToggleMark, KeyScope::Since, &["space"], ("mark this report", "mark"), KeyGroup::Many),
    bind(Action::MarkSection, KeyScope::Since, &["V"], ("mark the whole section", "mark section"), KeyGroup::Many),
    bind(Action::EarlierBaseline, KeyScope::Since, &["["], ("compare with an earlier look", "earlier"), KeyGroup::Many),
    bind(Action::LaterBaseline, KeyScope::Since, &["]"], ("compare with a later look", "later"), KeyGroup::Many),
    bind(Action::UntestedDays, KeyScope::Since, &["d"], ("not tested for 7, 30, 90, 365 days", "days"), KeyGroup::Many),
    bind(Action::AllSeen, KeyScope::Since, &["x"], ("all of it is seen: list only what comes", "seen"), KeyGroup::Many),
    bind(Action::Refresh, KeyScope::Since, &["r", "f5"], ("look again", "refresh"), KeyGroup::Many),
    bind(
        Action::Pick,
        KeyScope::Overview,
        &["enter"],
        ("open the reports that the line counts", "open"),
        KeyGroup::Showing,
    ),
    bind(Action::NextPane, KeyScope::Overview, &["tab", "right", "l"], ("next block", "block"), KeyGroup::Showing),
    bind(
        Action::PreviousPane,
        KeyScope::Overview,
        &["shift+tab", "left", "h"],
        ("previous block", "block"),
        KeyGroup::Showing,
    ),
    bind(Action::FocusProjects, KeyScope::Overview, &["1"], ("to the projects", "projects"), KeyGroup::Showing),
    bind(Action::FocusReports, KeyScope::Overview, &["2", "0"], ("to the list", "list"), KeyGroup::Showing),
    bind(Action::Filter, KeyScope::Overview, &["/"], ("filter the list", "filter"), KeyGroup::Showing),
    bind(Action::Since, KeyScope::Overview, &["L"], ("changes since the last look", "changes"), KeyGroup::Showing),
    bind(Action::Causes, KeyScope::Overview, &["w"], ("what the bad reports share", "causes"), KeyGroup::Showing),
    bind(Action::Queue, KeyScope::Overview, &["Q"], ("open reports one by one", "queue"), KeyGroup::Showing),
    bind(Action::Refresh, KeyScope::Overview, &["r", "f5"], ("load the list again", "refresh"), KeyGroup::Showing),
    bind(
        Action::ToggleTimes,
        KeyScope::Overview,
        &["T"],
        ("times: how long ago, or exactly", "times"),
        KeyGroup::Showing,
    ),
    bind(Action::Help, KeyScope::Overview, &["?", "f1"], ("all keys", "all keys"), KeyGroup::Showing),
    bind(Action::Quit, KeyScope::Overview, &["q"], ("quit", "quit"), KeyGroup::Showing),
    bind(Action::ToggleColumn, KeyScope::Columns, &["space", "enter"], ("show or hide", "show"), KeyGroup::Showing),
    bind(Action::ColumnLeft, KeyScope::Columns, &["shift+up", "K", "left"], ("to the left", "left"), KeyGroup::Showing),
    bind(
        Action::ColumnRight,
        KeyScope::Columns,
        &["shift+down", "J", "right"],
        ("to the right", "right"),
        KeyGroup::Showing,
    ),
    bind(Action::ColumnWider, KeyScope::Columns, &["+", ">"], ("wider", "wider"), KeyGroup::Showing),
    bind(Action::ColumnNarrower, KeyScope::Columns, &["-", "<"], ("narrower", "narrower"), KeyGroup::Showing),
    bind(Action::UsualColumns, KeyScope::Columns, &["x"], ("the usual columns again", "usual"), KeyGroup::Showing),
    bind(Action::Help, KeyScope::Panes, &["?", "f1"], ("all keys: search, Enter runs", "all keys"), KeyGroup::Program),
    bind(
        Action::Palette,
        KeyScope::Panes,
        &[":", "ctrl+p"],
        ("command palette: the same list", "commands"),
        KeyGroup::Program,
    ),
    bind(
        Action::Activity,
        KeyScope::Panes,
        &["@"],
        ("activity: requests, answers, errors", "activity"),
        KeyGroup::Program,
    ),
    bind(Action::SwitchProfile, KeyScope::Panes, &["A"], ("work with another profile", "profile"), KeyGroup::Program),
    bind(
        Action::ToggleMouse,
        KeyScope::Everywhere,
        &["ctrl+t"],
        ("leave the mouse to the terminal to select text, or take it back", "mouse"),
        KeyGroup::Program,
    ),
    bind(Action::EnterKey, KeyScope::Panes, &["K"], ("enter an API key for this run", "API key"), KeyGroup::Program),
    bind(
        Action::Stop,
        KeyScope::Everywhere,
        &["ctrl+z"],
        ("stop until the shell goes on with it (fg)", "stop"),
        KeyGroup::Program,
    ),
    bind(Action::Quit, KeyScope::Panes, &["q"], ("quit", "quit"), KeyGroup::Program),
    bind(
        Action::Quit,
        KeyScope::Everywhere,
        &["ctrl+c"],
        ("quit from anywhere, drafts kept", "quit"),
        KeyGroup::Program,
    ),
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
    bind(Action::GeneratePassword, KeyScope::Form, &["ctrl+g"], ("make up a password", "generate"), KeyGroup::Forms),
    bind(
        Action::DiscardDraft,
        KeyScope::Form,
        &["ctrl+x"],
        ("discard the draft, after asking", "discard"),
        KeyGroup::Forms,
    ),
    bind(Action::Confirm, KeyScope::DialogButtons, &["y"], ("say yes", "yes"), KeyGroup::Forms),
    bind(
        Action::OtherButton,
        KeyScope::DialogButtons,
        &["left", "right"],
        ("the other button", "other"),
        KeyGroup::Forms,
    ),
    bind(Action::OtherButton, KeyScope::Dialog, &["tab", "shift+tab"], ("the other button", "other"), KeyGroup::Forms),
    bind(Action::Press, KeyScope::Dialog, &["enter"], ("press the focused button", "press"), KeyGroup::Forms),
    bind(Action::Pick, KeyScope::List, &["enter"], ("run or choose this", "pick"), KeyGroup::Forms),
    bind(Action::Refresh, KeyScope::Activity, &["r"], ("load the reports again", "refresh"), KeyGroup::Forms),
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
