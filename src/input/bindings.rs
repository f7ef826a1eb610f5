//! The default keys: one entry per action and scope, with everything that is known about it.
//!
//! Help, footer and the README's key table are made from this table or compared with it by a test.
//! Keys are written as in configuration: `ctrl+d`, `shift+tab`, `pgdn`, `space`, `D`.

use crate::input::action::Action;
use crate::input::context::Scope;

/// The groups under which the help and the README list keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::IntoStaticStr)]
pub enum Group {
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
    pub scope: Scope,
    /// The keys, the one to show first.
    pub keys: &'static [&'static str],
    /// What it does, as the help says it.
    pub help: &'static str,
    /// One or two words for the footer.
    pub hint: &'static str,
    /// Where the help lists it.
    pub group: Group,
}

const fn bind(
    action: Action,
    scope: Scope,
    keys: &'static [&'static str],
    words: (&'static str, &'static str),
    group: Group,
) -> Binding {
    Binding { action, scope, keys, help: words.0, hint: words.1, group }
}

/// All default bindings.
pub const BINDINGS: &[Binding] = &[
    bind(Action::MoveDown, Scope::Rows, &["down", "j"], ("one row down", "down"), Group::Moving),
    bind(Action::MoveUp, Scope::Rows, &["up", "k"], ("one row up", "up"), Group::Moving),
    bind(Action::MoveDown, Scope::RowsBesideText, &["down"], ("one row down", "down"), Group::Forms),
    bind(Action::MoveUp, Scope::RowsBesideText, &["up"], ("one row up", "up"), Group::Forms),
    bind(Action::PageDown, Scope::RowsBesideText, &["pgdn"], ("a page down", "page down"), Group::Forms),
    bind(Action::PageUp, Scope::RowsBesideText, &["pgup"], ("a page up", "page up"), Group::Forms),
    bind(Action::MoveLeft, Scope::Panes, &["left", "h"], ("pane on the left", "left"), Group::Moving),
    bind(Action::MoveRight, Scope::Panes, &["right", "l"], ("pane on the right", "right"), Group::Moving),
    bind(Action::MoveFirst, Scope::Rows, &["g", "home"], ("first row", "first"), Group::Moving),
    bind(Action::MoveLast, Scope::Rows, &["G", "end"], ("last row", "last"), Group::Moving),
    bind(Action::HalfPageDown, Scope::Rows, &["ctrl+d"], ("half a page down", "half down"), Group::Moving),
    bind(Action::HalfPageUp, Scope::Rows, &["ctrl+u"], ("half a page up", "half up"), Group::Moving),
    bind(Action::PageDown, Scope::Rows, &["pgdn"], ("a page down", "page down"), Group::Moving),
    bind(Action::PageUp, Scope::Rows, &["pgup"], ("a page up", "page up"), Group::Moving),
    bind(Action::NextPane, Scope::Panes, &["tab"], ("next pane", "pane"), Group::Moving),
    bind(Action::PreviousPane, Scope::Panes, &["shift+tab"], ("previous pane", "pane"), Group::Moving),
    bind(Action::FocusProjects, Scope::Panes, &["1"], ("to the projects", "projects"), Group::Moving),
    bind(Action::FocusReports, Scope::Panes, &["2"], ("to the reports", "reports"), Group::Moving),
    bind(Action::FocusReport, Scope::Panes, &["3"], ("to the report", "report"), Group::Moving),
    bind(Action::Open, Scope::Panes, &["enter"], ("open what is under the cursor", "open"), Group::Moving),
    bind(Action::Back, Scope::Everywhere, &["esc"], ("one step back; never quits", "back"), Group::Moving),
    bind(Action::ToggleReportPane, Scope::Panes, &["p"], ("report pane on or off", "report pane"), Group::Showing),
    bind(
        Action::ToggleWholeScreen,
        Scope::Panes,
        &["f"],
        ("this pane on the whole screen", "whole screen"),
        Group::Showing,
    ),
    bind(
        Action::Filter,
        Scope::Panes,
        &["/"],
        ("type a filter: tea !cart result:bad score:<50 age:>30d", "filter"),
        Group::Showing,
    ),
    bind(Action::CycleResult, Scope::Panes, &["b"], ("bad → decent → good → all", "result"), Group::Showing),
    bind(
        Action::FilterToValue,
        Scope::Panes,
        &["="],
        ("keep only rows with a value of this one: result, project, privacy, folder, failing check", "keep"),
        Group::Showing,
    ),
    bind(Action::ExcludeValue, Scope::Panes, &["-"], ("drop rows with a value of this one", "exclude"), Group::Showing),
    bind(Action::SortBy, Scope::Panes, &["s"], ("choose what to sort by", "sort"), Group::Showing),
    bind(Action::ReverseSort, Scope::Panes, &["S"], ("turn the order around", "reverse"), Group::Showing),
    bind(Action::Refresh, Scope::Panes, &["r", "f5"], ("load this pane again", "refresh"), Group::Showing),
    bind(Action::RefreshAll, Scope::Panes, &["R"], ("load everything again", "refresh all"), Group::Showing),
    bind(
        Action::Export,
        Scope::Panes,
        &["ctrl+s"],
        ("export what is marked, else what is shown: CSV, JSON, Markdown, HTML", "export"),
        Group::Showing,
    ),
    bind(Action::ToggleTimes, Scope::Panes, &["T"], ("times: how long ago, or exactly", "times"), Group::Showing),
    bind(Action::NewReport, Scope::Panes, &["n"], ("new report", "new"), Group::Reports),
    bind(Action::EditReport, Scope::Panes, &["e"], ("edit privacy and password, re-run", "edit"), Group::Reports),
    bind(Action::RerunReport, Scope::Panes, &["t"], ("audit the page again, at once", "re-run"), Group::Reports),
    bind(
        Action::Delete,
        Scope::Panes,
        &["D", "delete"],
        ("delete the report, or the project with all its reports", "delete"),
        Group::Reports,
    ),
    bind(
        Action::CopyMenu,
        Scope::Panes,
        &["y"],
        ("copy: URL, id, row, Markdown, address of the report page", "copy"),
        Group::Reports,
    ),
    bind(Action::CopyUrl, Scope::Panes, &["Y"], ("copy the URL", "copy URL"), Group::Reports),
    bind(Action::OpenWebPage, Scope::Panes, &["o"], ("open the page in the browser", "browser"), Group::Reports),
    bind(
        Action::OpenReportPage,
        Scope::Panes,
        &["O"],
        ("open the report page in the browser, where the service has one", "report page"),
        Group::Reports,
    ),
    bind(Action::NextView, Scope::Panes, &["]"], ("next saved view", "next view"), Group::Showing),
    bind(Action::PreviousView, Scope::Panes, &["["], ("previous saved view", "previous view"), Group::Showing),
    bind(
        Action::SaveView,
        Scope::Panes,
        &["W"],
        ("save filter and order as a view, or paste a view's line", "save view"),
        Group::Showing,
    ),
    bind(
        Action::CopyView,
        Scope::Panes,
        &["ctrl+y"],
        ("copy filter and order as one line for a colleague", "copy view"),
        Group::Showing,
    ),
    bind(Action::Causes, Scope::Panes, &["w"], ("why: what the bad reports here share", "causes"), Group::Showing),
    bind(Action::Columns, Scope::Panes, &["C"], ("columns: which, and in which order", "columns"), Group::Showing),
    bind(
        Action::Since,
        Scope::Panes,
        &["L"],
        ("since you last looked: worse, better, new, gone, not tested for long", "changes"),
        Group::Showing,
    ),
    bind(
        Action::Queue,
        Scope::Panes,
        &["Q"],
        ("queue: what is open (or marked) one by one, the most urgent first", "queue"),
        Group::Many,
    ),
    bind(
        Action::ExplainPlace,
        Scope::Panes,
        &["i"],
        ("why this report stands where it stands in the order of work", "why here"),
        Group::Many,
    ),
    bind(
        Action::SetState,
        Scope::Panes,
        &["m"],
        ("state: looking, waiting, to verify, won't fix, snoozed", "state"),
        Group::Many,
    ),
    bind(Action::WriteNote, Scope::Panes, &["c"], ("write a note about the report", "note"), Group::Many),
    bind(Action::ToggleMark, Scope::Panes, &["space"], ("mark this report, or not", "mark"), Group::Many),
    bind(Action::MarkRange, Scope::Panes, &["v"], ("begin or end a range of marks", "range"), Group::Many),
    bind(
        Action::ExtendRangeDown,
        Scope::Panes,
        &["shift+down"],
        ("draw a range of marks downwards", "range down"),
        Group::Many,
    ),
    bind(
        Action::ExtendRangeUp,
        Scope::Panes,
        &["shift+up"],
        ("draw a range of marks upwards", "range up"),
        Group::Many,
    ),
    bind(Action::MarkAll, Scope::Panes, &["V"], ("mark everything that is shown", "mark all"), Group::Many),
    bind(Action::UnmarkAll, Scope::Panes, &["M"], ("take all marks away", "no marks"), Group::Many),
    bind(Action::Undo, Scope::Panes, &["u"], ("take back: marks, filter, order", "undo"), Group::Many),
    bind(Action::Redo, Scope::Panes, &["U"], ("do again what was taken back", "redo"), Group::Many),
    bind(Action::Actions, Scope::Panes, &["x"], ("menu: what can be done now", "actions"), Group::Many),
    bind(Action::PauseRun, Scope::Run, &["space"], ("pause, or go on", "pause"), Group::Many),
    bind(Action::CancelRun, Scope::Run, &["x"], ("send nothing more", "cancel the rest"), Group::Many),
    bind(Action::RetryFailed, Scope::Run, &["r"], ("try again what failed", "retry"), Group::Many),
    bind(Action::NextInQueue, Scope::Queue, &["n", "right", "space"], ("next report", "next"), Group::Many),
    bind(Action::PreviousInQueue, Scope::Queue, &["p", "left"], ("previous report", "previous"), Group::Many),
    bind(Action::StateLooking, Scope::Queue, &["l"], ("state: looking", "looking"), Group::Many),
    bind(Action::StateWaiting, Scope::Queue, &["w"], ("state: waiting, and on", "waiting"), Group::Many),
    bind(Action::StateToVerify, Scope::Queue, &["v"], ("state: to verify, and on", "to verify"), Group::Many),
    bind(Action::StateWontFix, Scope::Queue, &["x"], ("state: won't fix, and on", "won't fix"), Group::Many),
    bind(Action::SnoozeDay, Scope::Queue, &["z"], ("snooze until tomorrow, and on", "snooze"), Group::Many),
    bind(Action::SnoozeWeek, Scope::Queue, &["Z"], ("snooze for a week, and on", "a week"), Group::Many),
    bind(Action::SetState, Scope::Queue, &["m"], ("all states", "state"), Group::Many),
    bind(Action::WriteNote, Scope::Queue, &["c"], ("write a note about the report", "note"), Group::Many),
    bind(Action::RerunReport, Scope::Queue, &["t"], ("audit the page again, at once", "re-run"), Group::Many),
    bind(Action::EditReport, Scope::Queue, &["e"], ("edit privacy and password, re-run", "edit"), Group::Many),
    bind(Action::Delete, Scope::Queue, &["D", "delete"], ("delete the report", "delete"), Group::Many),
    bind(Action::OpenWebPage, Scope::Queue, &["o"], ("open the page in the browser", "browser"), Group::Many),
    bind(Action::OpenReportPage, Scope::Queue, &["O"], ("open the report page", "report page"), Group::Many),
    bind(Action::CopyMenu, Scope::Queue, &["y"], ("copy menu", "copy"), Group::Many),
    bind(Action::CopyUrl, Scope::Queue, &["Y"], ("copy the URL", "copy URL"), Group::Many),
    bind(Action::ExplainPlace, Scope::Queue, &["i"], ("why this report stands here", "why here"), Group::Many),
    bind(Action::Undo, Scope::Queue, &["u"], ("take back: state", "undo"), Group::Many),
    bind(Action::Redo, Scope::Queue, &["U"], ("do again what was taken back", "redo"), Group::Many),
    bind(Action::Back, Scope::Queue, &["q"], ("leave the queue", "leave"), Group::Many),
    bind(Action::Help, Scope::Queue, &["?", "f1"], ("all keys", "all keys"), Group::Many),
    bind(Action::Pick, Scope::Since, &["enter"], ("open the report", "open"), Group::Many),
    bind(Action::ToggleMark, Scope::Since, &["space"], ("mark this report", "mark"), Group::Many),
    bind(Action::MarkSection, Scope::Since, &["V"], ("mark the whole section", "mark section"), Group::Many),
    bind(Action::EarlierBaseline, Scope::Since, &["["], ("compare with an earlier look", "earlier"), Group::Many),
    bind(Action::LaterBaseline, Scope::Since, &["]"], ("compare with a later look", "later"), Group::Many),
    bind(Action::UntestedDays, Scope::Since, &["d"], ("not tested for 7, 30, 90, 365 days", "days"), Group::Many),
    bind(Action::AllSeen, Scope::Since, &["x"], ("all of it is seen: list only what comes", "seen"), Group::Many),
    bind(Action::Refresh, Scope::Since, &["r", "f5"], ("look again", "refresh"), Group::Many),
    bind(Action::ToggleColumn, Scope::Columns, &["space", "enter"], ("show or hide", "show"), Group::Showing),
    bind(Action::ColumnLeft, Scope::Columns, &["shift+up", "K", "left"], ("to the left", "left"), Group::Showing),
    bind(Action::ColumnRight, Scope::Columns, &["shift+down", "J", "right"], ("to the right", "right"), Group::Showing),
    bind(Action::ColumnWider, Scope::Columns, &["+", ">"], ("wider", "wider"), Group::Showing),
    bind(Action::ColumnNarrower, Scope::Columns, &["-", "<"], ("narrower", "narrower"), Group::Showing),
    bind(Action::UsualColumns, Scope::Columns, &["x"], ("the usual columns again", "usual"), Group::Showing),
    bind(Action::Help, Scope::Panes, &["?", "f1"], ("all keys: search, Enter runs", "all keys"), Group::Program),
    bind(
        Action::Palette,
        Scope::Panes,
        &[":", "ctrl+p"],
        ("command palette: the same list", "commands"),
        Group::Program,
    ),
    bind(Action::Activity, Scope::Panes, &["@"], ("activity: requests, answers, errors", "activity"), Group::Program),
    bind(Action::SwitchProfile, Scope::Panes, &["A"], ("work with another profile", "profile"), Group::Program),
    bind(
        Action::ToggleMouse,
        Scope::Everywhere,
        &["ctrl+t"],
        ("leave the mouse to the terminal to select text, or take it back", "mouse"),
        Group::Program,
    ),
    bind(Action::EnterKey, Scope::Panes, &["K"], ("enter an API key for this run", "API key"), Group::Program),
    bind(
        Action::Stop,
        Scope::Everywhere,
        &["ctrl+z"],
        ("stop until the shell goes on with it (fg)", "stop"),
        Group::Program,
    ),
    bind(Action::Quit, Scope::Panes, &["q"], ("quit", "quit"), Group::Program),
    bind(Action::Quit, Scope::Everywhere, &["ctrl+c"], ("quit from anywhere, drafts kept", "quit"), Group::Program),
    bind(Action::AcceptFilter, Scope::FilterLine, &["enter"], ("filter and go to the rows", "accept"), Group::Forms),
    bind(Action::NextField, Scope::Form, &["tab", "down"], ("next field", "next field"), Group::Forms),
    bind(Action::PreviousField, Scope::Form, &["shift+tab", "up"], ("previous field", "previous field"), Group::Forms),
    bind(
        Action::NextChoice,
        Scope::FormChoice,
        &["right", "space"],
        ("next value of a choice", "change"),
        Group::Forms,
    ),
    bind(Action::PreviousChoice, Scope::FormChoice, &["left"], ("previous value of a choice", "change"), Group::Forms),
    bind(Action::Press, Scope::Form, &["enter"], ("next field; on a button: press it", "press"), Group::Forms),
    bind(Action::Submit, Scope::Form, &["ctrl+s"], ("send the form", "save"), Group::Forms),
    bind(Action::RevealPassword, Scope::Form, &["ctrl+r"], ("show or hide the password", "show"), Group::Forms),
    bind(Action::GeneratePassword, Scope::Form, &["ctrl+g"], ("make up a password", "generate"), Group::Forms),
    bind(Action::DiscardDraft, Scope::Form, &["ctrl+x"], ("discard the draft, after asking", "discard"), Group::Forms),
    bind(Action::Confirm, Scope::DialogButtons, &["y"], ("say yes", "yes"), Group::Forms),
    bind(Action::OtherButton, Scope::DialogButtons, &["left", "right"], ("the other button", "other"), Group::Forms),
    bind(Action::OtherButton, Scope::Dialog, &["tab", "shift+tab"], ("the other button", "other"), Group::Forms),
    bind(Action::Press, Scope::Dialog, &["enter"], ("press the focused button", "press"), Group::Forms),
    bind(Action::Pick, Scope::List, &["enter"], ("run or choose this", "pick"), Group::Forms),
    bind(Action::Refresh, Scope::Activity, &["r"], ("load the reports again", "refresh"), Group::Forms),
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
