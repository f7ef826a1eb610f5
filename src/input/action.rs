//! The actions that keys, menus and the palette offer.

/// An action. Its name in configuration and help is the variant in `snake_case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Action {
    /// One row down.
    MoveDown,
    /// One row up.
    MoveUp,
    /// To the pane on the left, or scroll a wide text left.
    MoveLeft,
    /// To the pane on the right, or scroll a wide text right.
    MoveRight,
    /// To the first row.
    MoveFirst,
    /// To the last row.
    MoveLast,
    /// Half a page down.
    HalfPageDown,
    /// Half a page up.
    HalfPageUp,
    /// A page down.
    PageDown,
    /// A page up.
    PageUp,
    /// To the next pane.
    NextPane,
    /// To the previous pane.
    PreviousPane,
    /// Open or close the overview.
    Overview,
    /// To the projects pane.
    FocusProjects,
    /// To the reports pane.
    FocusReports,
    /// To the report pane, opening the report.
    FocusReport,
    /// Open the project or report under the cursor.
    Open,
    /// One step back; never quits.
    Back,
    /// Show or hide the report pane.
    ToggleReportPane,
    /// Show the focused pane on the whole screen, or all panes.
    ToggleWholeScreen,
    /// Show exact or relative times.
    ToggleTimes,
    /// Release the mouse, so that the terminal selects text, or capture it.
    ToggleMouse,
    /// Suspend the program until the shell continues it.
    Stop,
    /// Edit the filter.
    Filter,
    /// Search the lines of a list above the panes.
    Search,
    /// Show only bad, then decent, then good, then all results.
    CycleResult,
    /// Show only rows with the value under the cursor.
    FilterToValue,
    /// Hide rows with the value under the cursor.
    ExcludeValue,
    /// Choose the sort column.
    SortBy,
    /// Reverse the sort order.
    ReverseSort,
    /// Reload the pane's rows.
    Refresh,
    /// Reload everything.
    RefreshAll,
    /// Export the marked reports, or else the shown ones, to a file.
    Export,
    /// Create a report.
    NewReport,
    /// Change a report's privacy or password, or re-run it.
    EditReport,
    /// Re-run the report.
    RerunReport,
    /// Delete the report, or the project with all its reports.
    Delete,
    /// Choose what to copy of the report or the marked reports.
    CopyMenu,
    /// Copy the report's URL.
    CopyUrl,
    /// Show the next saved view.
    NextView,
    /// Show the previous saved view.
    PreviousView,
    /// Save the current view under a name, or show a pasted one.
    SaveView,
    /// Copy the current view as one line.
    CopyView,
    /// Show the common causes of the shown bad reports.
    Causes,
    /// Explain the urgency of the report.
    ExplainPlace,
    /// Show the changes since the last look.
    #[strum(serialize = "since")]
    Changes,
    /// Open the queue: open reports, one by one.
    Queue,
    /// To the next report of the queue.
    NextInQueue,
    /// To the previous report of the queue.
    PreviousInQueue,
    /// Set the state "looking".
    StateLooking,
    /// Set the state "waiting".
    StateWaiting,
    /// Set the state "to verify".
    StateToVerify,
    /// Set the state "won't fix".
    StateWontFix,
    /// Snooze until tomorrow.
    SnoozeDay,
    /// Snooze for a week.
    SnoozeWeek,
    /// Assign the report to a person of the team.
    Assign,
    /// Assign all reports held by the user to somebody else.
    Handover,
    /// Show decisions that conflict with those of others.
    DeskCollisions,
    /// Mark the whole section of changes.
    MarkSection,
    /// Compare with an earlier look.
    EarlierBaseline,
    /// Compare with a later look.
    LaterBaseline,
    /// Change the number of days after which a missing audit is listed.
    UntestedDays,
    /// Mark all changes as seen.
    AllSeen,
    /// Choose the columns of the table.
    Columns,
    /// Show or hide the column.
    ToggleColumn,
    /// Move the column to the left.
    ColumnLeft,
    /// Move the column to the right.
    ColumnRight,
    /// Make the column wider.
    ColumnWider,
    /// Make the column narrower.
    ColumnNarrower,
    /// Reset the columns.
    UsualColumns,
    /// Set the triage state of reports.
    SetState,
    /// Write a note about the report.
    WriteNote,
    /// Mark or unmark the report under the cursor.
    ToggleMark,
    /// Start a range of marks at the cursor, or end it.
    MarkRange,
    /// Extend the range by one row down.
    ExtendRangeDown,
    /// Extend the range by one row up.
    ExtendRangeUp,
    /// Mark all shown reports.
    MarkAll,
    /// Clear the selection.
    UnmarkAll,
    /// Undo the last step: selection, filter, sort, columns, states, privacy.
    Undo,
    /// Redo the last undone step.
    Redo,
    /// Open the menu of available actions.
    Actions,
    /// Pause or resume the bulk run.
    PauseRun,
    /// Cancel the bulk run.
    CancelRun,
    /// Retry the failed items of the bulk run.
    RetryFailed,
    /// Open the audited page in a browser.
    OpenWebPage,
    /// Open the report page in a browser.
    OpenReportPage,
    /// Switch to another service.
    SwitchProfile,
    /// Enter an API key for this run.
    EnterKey,
    /// Open the help page: all keys, searchable.
    Help,
    /// Open the command palette.
    Palette,
    /// Open the history: what was done, by day.
    History,
    /// Open the list of requests.
    Activity,
    /// Quit.
    Quit,
    /// Accept the typed filter.
    AcceptFilter,
    /// Select the next completion of the term at the cursor.
    CompleteFilter,
    /// Select the previous completion of the term at the cursor.
    PreviousCompletion,
    /// To the next field.
    NextField,
    /// To the previous field.
    PreviousField,
    /// Select the next value of a choice.
    NextChoice,
    /// Select the previous value of a choice.
    PreviousChoice,
    /// Submit the form.
    Submit,
    /// Activate the focused field or button.
    Press,
    /// Show or hide the password.
    RevealPassword,
    /// Generate a password.
    GeneratePassword,
    /// Copy the generated password, once.
    CopyPassword,
    /// Discard the draft, after confirmation.
    DiscardDraft,
    /// Confirm a dialog.
    Confirm,
    /// Focus the dialog's other button.
    OtherButton,
    /// Run or choose the row under the cursor.
    Pick,
}

impl Action {
    /// The name in configuration and documents.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the action applies to the report under the cursor. Not true for delete, which may apply to a project.
    pub fn is_about_a_report(self) -> bool {
        self.chooses_a_state()
            || matches!(
                self,
                Self::EditReport
                    | Self::RerunReport
                    | Self::CopyMenu
                    | Self::CopyUrl
                    | Self::OpenWebPage
                    | Self::OpenReportPage
                    | Self::SetState
                    | Self::WriteNote
                    | Self::ExplainPlace
                    | Self::Assign
            )
    }

    /// Whether the action marks reports.
    pub fn marks(self) -> bool {
        matches!(self, Self::ToggleMark | Self::MarkRange | Self::ExtendRangeDown | Self::ExtendRangeUp | Self::MarkAll)
    }

    /// Whether the action only reads from the service.
    pub fn asks(self) -> bool {
        matches!(self, Self::Refresh | Self::RefreshAll | Self::OpenReportPage)
    }

    /// Whether the action decides about triage: on a desk it needs a key that may write there.
    pub fn decides(self) -> bool {
        self.chooses_a_state() || matches!(self, Self::SetState | Self::WriteNote | Self::Assign | Self::Handover)
    }

    /// Whether the action sets one state, without a list of states.
    fn chooses_a_state(self) -> bool {
        matches!(
            self,
            Self::StateLooking
                | Self::StateWaiting
                | Self::StateToVerify
                | Self::StateWontFix
                | Self::SnoozeDay
                | Self::SnoozeWeek
        )
    }

    /// Whether the action changes data on the service; disabled in a read-only session.
    pub fn writes(self) -> bool {
        matches!(self, Self::NewReport | Self::EditReport | Self::RerunReport | Self::Delete)
    }
}
