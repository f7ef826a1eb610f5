//! Where a key arrives: a plain snapshot that the state derives anew each time.

/// What has the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum Context {
    /// A pane: projects, reports or report.
    Panes,
    /// The filter line; letters are text.
    FilterLine,
    /// A text field of a form; letters are text.
    FormText,
    /// A choice, a switch or a button of a form.
    FormChoice,
    /// A dialog with buttons.
    Dialog,
    /// A dialog in which something must be typed; letters are text.
    DialogText,
    /// A menu.
    Menu,
    /// The searchable list of keys; letters are text.
    Help,
    /// The list of requests.
    Activity,
    /// The field for an API key; letters are text.
    KeyField,
    /// The list of a run over many reports.
    Run,
    /// The queue of open reports.
    Queue,
    /// The list of what changed.
    Since,
    /// The list of columns.
    Columns,
}

/// A group of bindings that are alive together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::EnumIter)]
pub enum Scope {
    /// Everywhere, whatever has the keyboard.
    Everywhere,
    /// Wherever there are rows to move through.
    Rows,
    /// Where rows are moved through while a text is typed: Home, End and ctrl+u belong to the text.
    RowsBesideText,
    /// In the panes.
    Panes,
    /// In the filter line.
    FilterLine,
    /// In forms.
    Form,
    /// On a choice, switch or button of a form.
    FormChoice,
    /// In dialogs.
    Dialog,
    /// In dialogs without a text field.
    DialogButtons,
    /// In menus and the list of keys.
    List,
    /// In the list of requests.
    Activity,
    /// In the list of a run.
    Run,
    /// In the queue of open reports.
    Queue,
    /// In the list of what changed.
    Since,
    /// In the list of columns.
    Columns,
}

impl Context {
    /// True when letters are text here, so that single-letter keys are dead.
    pub fn takes_text(self) -> bool {
        match self {
            Self::FilterLine | Self::FormText | Self::DialogText | Self::Help | Self::KeyField => true,
            Self::Panes
            | Self::FormChoice
            | Self::Dialog
            | Self::Menu
            | Self::Activity
            | Self::Run
            | Self::Queue
            | Self::Since
            | Self::Columns => false,
        }
    }

    /// The scopes that are alive here; the first that knows a key wins.
    pub fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Panes => &[Scope::Everywhere, Scope::Panes, Scope::Rows],
            Self::FilterLine => &[Scope::Everywhere, Scope::FilterLine, Scope::RowsBesideText],
            Self::FormText => &[Scope::Everywhere, Scope::Form],
            Self::FormChoice => &[Scope::Everywhere, Scope::FormChoice, Scope::Form],
            Self::Dialog => &[Scope::Everywhere, Scope::DialogButtons, Scope::Dialog, Scope::RowsBesideText],
            Self::DialogText => &[Scope::Everywhere, Scope::Dialog, Scope::RowsBesideText],
            Self::KeyField => &[Scope::Everywhere, Scope::Dialog],
            Self::Run => &[Scope::Everywhere, Scope::Run, Scope::Rows],
            Self::Queue => &[Scope::Everywhere, Scope::Queue, Scope::Rows],
            Self::Since => &[Scope::Everywhere, Scope::Since, Scope::List, Scope::Rows],
            Self::Columns => &[Scope::Everywhere, Scope::Columns, Scope::Rows],
            Self::Menu => &[Scope::Everywhere, Scope::List, Scope::Rows],
            Self::Help => &[Scope::Everywhere, Scope::List, Scope::RowsBesideText],
            Self::Activity => &[Scope::Everywhere, Scope::Activity, Scope::Rows],
        }
    }
}
