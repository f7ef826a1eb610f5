//! Help texts of actions: a few sentences and an example each.

use crate::input::action::Action;

/// Returns the help text of an action.
#[expect(clippy::too_many_lines, reason = "one text for each action")]
pub fn explanation(action: Action) -> &'static str {
    match action {
        Action::MoveDown | Action::MoveUp => "Moves the cursor by one row. In the report pane it scrolls by one line.",
        Action::MoveLeft => "Moves to the pane on the left. In the table, long URLs scroll back first.",
        Action::MoveRight => "Moves to the pane on the right. In the table, URLs that are cut off scroll first.",
        Action::MoveFirst | Action::MoveLast => "Moves to the first or last row shown.",
        Action::HalfPageDown | Action::HalfPageUp => "Moves by half of the rows that fit on the screen.",
        Action::PageDown | Action::PageUp => "Moves by one page; one row of the former page stays visible.",
        Action::NextPane | Action::PreviousPane => "Moves the focus between projects, reports and report.",
        Action::Overview => {
            "The whole list on one page: results, changes, projects, checks, work. Every line opens the reports it counts. \
             Example: the line of a check shows the reports that fail it."
        }
        Action::FocusProjects => "Moves the focus to the projects pane, where keys act on the project.",
        Action::FocusReports => "Moves the focus to the table of reports.",
        Action::FocusReport => "Opens the report under the cursor with its checks and history.",
        Action::Open => "Shows only the reports of a project, or opens a report with its checks and history.",
        Action::Back => {
            "Closes what is on top, leaves the report, then stops loading, then clears the marks, then the filter. It \
             stays in the list and never quits."
        }
        Action::ToggleReportPane => {
            "Shows or hides the pane on the right, where the terminal is wide enough for three."
        }
        Action::ToggleWholeScreen => "Shows the pane full screen, or all panes again.",
        Action::ToggleTimes => "Shows times relative to now, or exact. Example: 2 h ago, or 2026-03-04 12:05.",
        Action::ToggleMouse => {
            "Leaves the mouse to the terminal, so that its own selection works. The same key captures it again, for \
             clicks and the wheel."
        }
        Action::Stop => "Suspends the program. Type fg in the shell to resume where you were.",
        Action::Filter => {
            "Narrows the table while you type. Words must be in the URL, ! excludes, a qualifier tests a field. Example: tea \
             !cart result:bad score:<50 age:>30d"
        }
        Action::Search => {
            "Moves to the next line that contains every typed word. The arrows move through the matches; going back returns \
             to the line where the search began."
        }
        Action::CycleResult => "Shows only bad, then only decent, then only good, then all results.",
        Action::FilterToValue => {
            "Adds a value of the row to the filter: its result, project, privacy, folder or a failing check. Example: \
             check:title keeps reports that fail the same check."
        }
        Action::ExcludeValue => "Adds a value of the row to the filter with ! before it. Example: !project:shop",
        Action::SortBy => {
            "Opens the list of columns. Choosing the sorted one again reverses the order. Example: urgency puts the most urgent first."
        }
        Action::ReverseSort => "Reverses the current order. Example: newest first becomes oldest first.",
        Action::Refresh => "Reloads the rows of this pane. Cursor and marks stay where they are.",
        Action::RefreshAll => "Reloads projects, reports and the open report.",
        Action::Export => {
            "Writes the marked reports, or all shown ones, to a CSV, JSON, Markdown or HTML file with the chosen columns."
        }
        Action::NewReport => {
            "Opens a form for a page, or a pasted list of pages, one per line. Example: shop.example/tea. What you type is kept \
             as a draft until the service accepts it."
        }
        Action::EditReport => {
            "Opens a form for privacy, password and a re-run. It applies to the marked reports, if there are any. In the \
             projects pane it applies to the loaded reports of the project."
        }
        Action::RerunReport => {
            "Fetches and audits the page again now. For marked reports, and in the projects pane for all loaded reports of \
             the project, it shows a plan first. Takes about 3 s each."
        }
        Action::Delete => {
            "Asks first, then waits a few seconds during which you can undo it. For marked reports it shows a plan first. In \
             the projects pane it deletes the project with all its reports, after you type its name."
        }
        Action::CopyMenu => {
            "Offers URL, id, row or Markdown of one or all marked reports, and the URL of the report page."
        }
        Action::CopyUrl => "Copies the URL to the clipboard of the desktop, tmux or the terminal.",
        Action::NextView | Action::PreviousView => "Shows the next or previous saved view, wrapping around.",
        Action::SaveView => {
            "Saves filter, order, columns and project under a name. Paste a view that a colleague copied to show it instead."
        }
        Action::CopyView => "Copies filter, order, columns and project as one line that a colleague can paste.",
        Action::Causes => {
            "Groups the bad reports of the table by what they share: failing checks, projects, addresses, sets of checks. \
             Example: 24 of 31 fail render_blocking. A line filters by its group or re-runs it."
        }
        Action::ExplainPlace => {
            "Lists the points that make up the urgency of the report: its result, its age, its failing checks. Example: age \
             60: last audited 36 days ago."
        }
        Action::Changes => {
            "What got worse or better, is new or gone since you last marked everything as seen, and what was not re-run for long."
        }
        Action::Queue => {
            "Shows the marked reports, or else all that are neither good nor being handled, one by one, most urgent \
             first. Setting a state moves on to the next one."
        }
        Action::NextInQueue | Action::PreviousInQueue => {
            "Moves to the next or previous report of the queue; nothing is changed."
        }
        Action::StateLooking => "You are looking at this report. It stays on the screen.",
        Action::StateWaiting => "The report waits for the customer or a colleague. The queue moves on.",
        Action::StateToVerify => {
            "Reported as fixed: the next re-run decides. If the checks pass, the report is done; if not, it is reopened."
        }
        Action::StateWontFix => "The failure is known and stays. The report is left out of the queue.",
        Action::SnoozeDay => "The report is left out of the queue until six tomorrow morning, then it is reopened.",
        Action::SnoozeWeek => {
            "The report is left out of the queue for a week, until six in the morning, then it is reopened."
        }
        Action::MarkSection => {
            "Marks or unmarks every report of this section of the changes. Example: everything that got worse."
        }
        Action::EarlierBaseline => "Compares with an earlier look. Example: yesterday instead of this morning.",
        Action::LaterBaseline => "Compares with a later look.",
        Action::UntestedDays => "Changes how many days without a re-run count as long: 7, 30, 90 or 365.",
        Action::AllSeen => "Marks all changes as seen: from now on only newer ones are listed.",
        Action::Columns => "Opens the list of columns: which are shown, their order and their width.",
        Action::ToggleColumn => "Shows or hides the column under the cursor.",
        Action::ColumnLeft | Action::ColumnRight => "Moves the column by one place in the table.",
        Action::ColumnWider | Action::ColumnNarrower => "Changes the width of the column by one cell.",
        Action::UsualColumns => "Restores the default columns.",
        Action::Assign => {
            "Assigns the report, or the marked ones, to a person of the team. Their state does not change."
        }
        Action::Handover => {
            "Assigns all reports that you hold to someone else, except those set to won't fix or done. Example: at the end of a \
             shift."
        }
        Action::DeskCollisions => {
            "Shows your decision and the one that someone else made before you. You choose which one stays."
        }
        Action::SetState => {
            "Opens the states with a line for a note, and sets both for the report or all marked ones at once. Example: mark \
             ten rows, choose waiting, type \"told the shop\"."
        }
        Action::WriteNote => {
            "Opens a line for a new note, stored with its time on the desk, or else on this machine. With marked reports each \
             one gets it. Below it are the earlier notes, to edit or delete. Example: customer repairs until Tuesday."
        }
        Action::ToggleMark => {
            "Marks or unmarks the report, and moves to the next row. In the projects pane it marks or unmarks the loaded \
             reports of the project. Most keys act on the marked reports."
        }
        Action::MarkRange => {
            "Begins a range at the cursor. Move, then press it again: everything in between is marked."
        }
        Action::ExtendRangeDown | Action::ExtendRangeUp => "Begins a range at the cursor and extends it by one row.",
        Action::MarkAll => {
            "Marks every report that the filter shows. Example: filter by result:bad first, then mark all."
        }
        Action::UnmarkAll => "Unmarks every report, including those that the filter hides.",
        Action::Undo => {
            "Undoes the last of: a deletion that was not sent yet, privacy, states, notes, assignments, seen changes, marks, \
             views, filter, order, columns. It says what, asks before anything becomes public, and shows a plan for many \
             reports. Passwords, sent deletions and re-runs cannot be restored."
        }
        Action::Redo => "Redoes what was undone last.",
        Action::Actions => "Lists the actions available for the report, the project or the marked reports.",
        Action::PauseRun => "Sends nothing more until the run is resumed. Requests in flight are finished.",
        Action::CancelRun => "Sends nothing more. What was sent stays done.",
        Action::RetryFailed => "Retries what failed. If a response was lost, the report is looked up first.",
        Action::OpenWebPage => "Opens the audited page in the browser of this machine.",
        Action::OpenReportPage => "Opens the service's page about the report, if it has one.",
        Action::SwitchProfile => "Lists the profiles of the configuration and connects to the chosen one.",
        Action::EnterKey => "Asks for an API key that is used until you quit or switch the profile. It is not stored.",
        Action::Help => "This page: the keys of the pane you are in. Type to search.",
        Action::Palette => {
            "Runs commands by name, and shows or saves views. Examples: overview, save NAME, view NAME, q to quit."
        }
        Action::History => {
            "What you did, day by day: re-runs with their results, states, notes, privacy, what was created and deleted. Opening \
             an event goes to its report, or marks its reports. The requests are one key away."
        }
        Action::Activity => "Every request with its response, time and error, the newest first.",
        Action::Quit => "Quits. What is typed in forms is kept as a draft; a bulk run is paused and offered again.",
        Action::AcceptFilter => "Keeps the filter and returns the focus to the rows.",
        Action::CompleteFilter | Action::PreviousCompletion => {
            "Cycles through the completions of the term at the cursor. Example: `res` becomes `result:`, then `result:bad`."
        }
        Action::NextField | Action::PreviousField => "Moves through the fields and buttons of a form.",
        Action::NextChoice | Action::PreviousChoice => "Changes a choice. Example: public, private, password.",
        Action::Submit => "Sends the form, or saves the line, from any field.",
        Action::Press => "Goes to the next field, or presses the button that has the focus.",
        Action::RevealPassword => "Shows what is typed into the password field until the field is left.",
        Action::GeneratePassword => "Fills the field with a generated password and shows it.",
        Action::CopyPassword => {
            "Copies a generated password once and hides it. It is not stored here, so keep it before the form is sent."
        }
        Action::DiscardDraft => "Discards what is typed into the form, after asking.",
        Action::Confirm => "Confirms the dialog.",
        Action::OtherButton => "Moves the focus to the other button.",
        Action::Pick => "Opens or chooses what is under the cursor.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator as _;

    #[test]
    fn help_texts_name_no_keys_because_keys_can_be_changed() {
        for action in Action::iter() {
            let mut words = explanation(action).split(|character: char| !character.is_alphanumeric());
            assert_eq!(words.find(|word| ["Enter", "Esc", "Tab", "Space", "ctrl"].contains(word)), None, "{action:?}");
        }
    }
}
