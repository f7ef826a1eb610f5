//! The keyboard context: which part of the screen receives keys. Derived from the state for each key.

/// The part of the screen that receives keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum Context {
    /// A pane: projects, reports or report.
    #[default]
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
    /// The help page; letters are text.
    Help,
    /// The command palette; letters are text.
    Palette,
    /// The history.
    History,
    /// The list of requests.
    Activity,
    /// A field for an API key or the name of a view; letters are text.
    Prompt,
    /// A field with rows beside it: a note with triage states or earlier notes, a search; letters are text.
    PromptWithRows,
    /// The items of a bulk run.
    Run,
    /// The triage queue.
    Queue,
    /// The changes.
    Changes,
    /// The column overlay.
    Columns,
    /// The overview.
    Overview,
    /// The causes.
    Causes,
}

/// A group of bindings that are active together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::EnumIter)]
pub enum KeyScope {
    /// In every context.
    Everywhere,
    /// Wherever the cursor moves through rows.
    Rows,
    /// Where rows can be navigated while typing: Home, End and ctrl+u belong to the text.
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
    /// In menus, the palette and the help page.
    List,
    /// In the help page.
    Help,
    /// In single-line fields.
    Prompt,
    /// In the history.
    History,
    /// In the list of requests.
    Activity,
    /// In the items of a bulk run.
    Run,
    /// In the triage queue.
    Queue,
    /// In the changes.
    Changes,
    /// In the column overlay.
    Columns,
    /// In the overview.
    Overview,
    /// In the causes.
    Causes,
}

impl Context {
    /// Whether letters are text here, so that single-letter keys are inactive.
    pub fn takes_text(self) -> bool {
        match self {
            Self::FilterLine
            | Self::FormText
            | Self::DialogText
            | Self::Help
            | Self::Palette
            | Self::Prompt
            | Self::PromptWithRows => true,
            Self::Panes
            | Self::FormChoice
            | Self::Dialog
            | Self::Menu
            | Self::History
            | Self::Activity
            | Self::Run
            | Self::Queue
            | Self::Changes
            | Self::Columns
            | Self::Overview
            | Self::Causes => false,
        }
    }

    /// Whether this is a list or a screen above the panes in which the user stays, unlike menus, dialogs and fields.
    pub fn is_screen(self) -> bool {
        matches!(
            self,
            Self::History
                | Self::Activity
                | Self::Run
                | Self::Queue
                | Self::Changes
                | Self::Columns
                | Self::Overview
                | Self::Causes
        )
    }

    /// Returns the active scopes; the first one that binds a key wins.
    pub fn scopes(self) -> &'static [KeyScope] {
        match self {
            Self::Panes => &[KeyScope::Everywhere, KeyScope::Panes, KeyScope::Rows],
            Self::FilterLine => &[KeyScope::Everywhere, KeyScope::FilterLine, KeyScope::RowsBesideText],
            Self::FormText => &[KeyScope::Everywhere, KeyScope::Form],
            Self::FormChoice => &[KeyScope::Everywhere, KeyScope::FormChoice, KeyScope::Form],
            Self::Dialog => {
                &[KeyScope::Everywhere, KeyScope::DialogButtons, KeyScope::Dialog, KeyScope::RowsBesideText]
            }
            Self::DialogText => &[KeyScope::Everywhere, KeyScope::Dialog, KeyScope::RowsBesideText],
            Self::Prompt => &[KeyScope::Everywhere, KeyScope::Prompt],
            Self::PromptWithRows => &[KeyScope::Everywhere, KeyScope::Prompt, KeyScope::RowsBesideText],
            Self::Run => &[KeyScope::Everywhere, KeyScope::Run, KeyScope::Rows],
            Self::Queue => &[KeyScope::Everywhere, KeyScope::Queue, KeyScope::Rows],
            Self::Changes => &[KeyScope::Everywhere, KeyScope::Changes, KeyScope::Rows],
            Self::Overview => &[KeyScope::Everywhere, KeyScope::Overview, KeyScope::Rows],
            Self::Causes => &[KeyScope::Everywhere, KeyScope::Causes, KeyScope::Rows],
            Self::Columns => &[KeyScope::Everywhere, KeyScope::Columns, KeyScope::Rows],
            Self::Menu => &[KeyScope::Everywhere, KeyScope::List, KeyScope::Rows],
            Self::Help => &[KeyScope::Everywhere, KeyScope::Help, KeyScope::List, KeyScope::RowsBesideText],
            Self::Palette => &[KeyScope::Everywhere, KeyScope::List, KeyScope::RowsBesideText],
            Self::History => &[KeyScope::Everywhere, KeyScope::History, KeyScope::Rows],
            Self::Activity => &[KeyScope::Everywhere, KeyScope::Activity, KeyScope::Rows],
        }
    }
}
