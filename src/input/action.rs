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
    /// To the overview.
    Overview,
    /// To the projects.
    FocusProjects,
    /// To the reports.
    FocusReports,
    /// To the report.
    FocusReport,
    /// Open what is under the cursor.
    Open,
    /// One step back; never quits.
    Back,
    /// Show or hide the report pane.
    ToggleReportPane,
    /// Show one pane on the whole screen, or all panes.
    ToggleWholeScreen,
    /// Show times exactly or relative to now.
    ToggleTimes,
    /// Release the mouse, so that the terminal selects text, or capture it.
    ToggleMouse,
    /// Suspend the program until the shell continues it.
    Stop,
    /// Edit the filter.
    Filter,
    /// Show only bad, then decent, then good, then all results.
    CycleResult,
    /// Show only rows with the value under the cursor.
    FilterToValue,
    /// Hide rows with the value under the cursor.
    ExcludeValue,
    /// Choose what to sort by.
    SortBy,
    /// Reverse the sort order.
    ReverseSort,
    /// Load the pane's rows again.
    Refresh,
    /// Load everything again.
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
    /// Choose what to copy of the report or the marked ones.
    CopyMenu,
    /// Copy the report's URL.
    CopyUrl,
    /// The next saved view.
    NextView,
    /// The previous saved view.
    PreviousView,
    /// Save what is looked at as a view, or paste one.
    SaveView,
    /// Copy what is looked at as one line.
    CopyView,
    /// What the bad reports on the screen share.
    Causes,
    /// Why the report stands where it stands in the order of work.
    ExplainPlace,
    /// What changed since the last look.
    #[strum(serialize = "since")]
    Changes,
    /// Go through what is open, one by one.
    Queue,
    /// The next report of the queue.
    NextInQueue,
    /// The previous report of the queue.
    PreviousInQueue,
    /// Give the state "looking".
    StateLooking,
    /// Give the state "waiting".
    StateWaiting,
    /// Give the state "to verify".
    StateToVerify,
    /// Give the state "won't fix".
    StateWontFix,
    /// Snooze until tomorrow.
    SnoozeDay,
    /// Snooze for a week.
    SnoozeWeek,
    /// Give the report to a person of the team.
    Assign,
    /// Give everything one holds to somebody else.
    Handover,
    /// Show the decisions that collided with those of others.
    DeskCollisions,
    /// Mark the whole section of changes.
    MarkSection,
    /// Compare with an earlier look.
    EarlierBaseline,
    /// Compare with a later look.
    LaterBaseline,
    /// Let not tested for long mean longer.
    UntestedDays,
    /// All changes were seen.
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
    /// Begin a range of marks at the cursor, or end it.
    MarkRange,
    /// Draw a range of marks one row down.
    ExtendRangeDown,
    /// Draw a range of marks one row up.
    ExtendRangeUp,
    /// Mark everything that is shown.
    MarkAll,
    /// Clear the selection.
    UnmarkAll,
    /// Undo: selection, filter, sort, columns, states, privacy.
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
    /// Open the report's page for people in a browser.
    OpenReportPage,
    /// Switch to another service.
    SwitchProfile,
    /// Enter an API key for this run.
    EnterKey,
    /// Open the searchable list of all keys.
    Help,
    /// Open the same list as a command palette.
    Palette,
    /// Open the history: what was done, day by day.
    History,
    /// Open the list of requests.
    Activity,
    /// Quit.
    Quit,
    /// Accept the typed filter.
    AcceptFilter,
    /// The next completion of the term at the cursor.
    CompleteFilter,
    /// The previous completion of the term at the cursor.
    PreviousCompletion,
    /// To the next field.
    NextField,
    /// To the previous field.
    PreviousField,
    /// The next value of a choice.
    NextChoice,
    /// The previous value of a choice.
    PreviousChoice,
    /// Send the form.
    Submit,
    /// Act on the focused field or button.
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
    /// To the dialog's other button.
    OtherButton,
    /// Run or choose the row under the cursor.
    Pick,
}

impl Action {
    /// The name in configuration and documents.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// True for actions on the report under the cursor. Delete is not one of them: it may be about a project.
    pub fn is_about_a_report(self) -> bool {
        matches!(
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
                | Self::StateLooking
                | Self::StateWaiting
                | Self::StateToVerify
                | Self::StateWontFix
                | Self::SnoozeDay
                | Self::SnoozeWeek
        )
    }

    /// True for actions that mark reports.
    pub fn marks(self) -> bool {
        matches!(self, Self::ToggleMark | Self::MarkRange | Self::ExtendRangeDown | Self::ExtendRangeUp | Self::MarkAll)
    }

    /// True for actions that only read from the service.
    pub fn asks(self) -> bool {
        matches!(self, Self::Refresh | Self::RefreshAll | Self::OpenReportPage)
    }

    /// True for actions that change something at the service; disabled in a read-only session.
    pub fn writes(self) -> bool {
        matches!(self, Self::NewReport | Self::EditReport | Self::RerunReport | Self::Delete)
    }
}
