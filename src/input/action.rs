//! The actions: what a person can ask for.

/// Something the person asked for. Its name in configuration and help is the variant in `snake_case`.
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
    /// Give the pane the whole screen, or give it back.
    ToggleWholeScreen,
    /// Tell times exactly, or how long ago they were.
    ToggleTimes,
    /// Leave the mouse to the terminal, so that text can be selected, or take it back.
    ToggleMouse,
    /// Stop until the shell goes on with the program.
    Stop,
    /// Type a filter.
    Filter,
    /// Show only bad, then decent, then good, then all results.
    CycleResult,
    /// Keep only rows with the value under the cursor.
    FilterToValue,
    /// Drop rows with the value under the cursor.
    ExcludeValue,
    /// Choose what to sort by.
    SortBy,
    /// Turn the order around.
    ReverseSort,
    /// Load the pane's rows again.
    Refresh,
    /// Load everything again.
    RefreshAll,
    /// Write what is marked, else what is shown, as a file.
    Export,
    /// Make a report.
    NewReport,
    /// Change a report's privacy or password, or audit it again.
    EditReport,
    /// Audit the report's page again.
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
    Since,
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
    /// Show the usual columns again.
    UsualColumns,
    /// Give reports a state of triage.
    SetState,
    /// Write a note about the report.
    WriteNote,
    /// Mark the report under the cursor, or take its mark away.
    ToggleMark,
    /// Begin a range of marks at the cursor, or end it.
    MarkRange,
    /// Draw a range of marks one row down.
    ExtendRangeDown,
    /// Draw a range of marks one row up.
    ExtendRangeUp,
    /// Mark everything that is shown.
    MarkAll,
    /// Take all marks away.
    UnmarkAll,
    /// Take the last change of marks, filter or order back.
    Undo,
    /// Do again what was taken back.
    Redo,
    /// The menu of what can be done now.
    Actions,
    /// Pause the run over many reports, or go on.
    PauseRun,
    /// Send nothing more of the run.
    CancelRun,
    /// Try again what failed of the run.
    RetryFailed,
    /// Open the audited page in a browser.
    OpenWebPage,
    /// Open the report's page for people in a browser.
    OpenReportPage,
    /// Go over to another service.
    SwitchProfile,
    /// Enter an API key for this run.
    EnterKey,
    /// The searchable list of all keys; runs what is picked.
    Help,
    /// The same list, as a palette.
    Palette,
    /// Requests and answers.
    Activity,
    /// Leave the program.
    Quit,
    /// Accept the typed filter.
    AcceptFilter,
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
    /// Make up a password.
    GeneratePassword,
    /// Throw the draft away, after asking.
    DiscardDraft,
    /// Say yes to a dialog.
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

    /// True for what is done with the report under the cursor. Deleting may also be about a project.
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
                | Self::StateLooking
                | Self::StateWaiting
                | Self::StateToVerify
                | Self::StateWontFix
                | Self::SnoozeDay
                | Self::SnoozeWeek
        )
    }

    /// True for what marks reports.
    pub fn marks(self) -> bool {
        matches!(self, Self::ToggleMark | Self::MarkRange | Self::ExtendRangeDown | Self::ExtendRangeUp | Self::MarkAll)
    }

    /// True for what only asks the service for something.
    pub fn asks(self) -> bool {
        matches!(self, Self::Refresh | Self::RefreshAll | Self::OpenReportPage)
    }

    /// True for what changes something at the service; blocked when the session is read-only.
    pub fn writes(self) -> bool {
        matches!(self, Self::NewReport | Self::EditReport | Self::RerunReport | Self::Delete)
    }
}
