//! The help page: the keys of the context it was opened in, the filter syntax, and the keys of other screens.

use strum::IntoEnumIterator;
use tui_input::Input as TextField;

use crate::app::frame_layout::Pane;
use crate::app::list_window::{ListCursor, block_starts};
use crate::domain::list::filter::QUALIFIERS;
use crate::input::action::Action;
use crate::input::bindings::{Binding, KeyGroup};
use crate::input::context::{Context, KeyScope};
use crate::input::keymap::{ActiveBinding, KeyMeaning, Keymap, Sequence};

/// Filter syntax that is not a qualifier.
const FILTER_LINES: [(&str, &str); 4] = [
    ("tea", "the URL contains tea; every word must match"),
    ("\"tea pot\"", "a text with spaces, as one term"),
    ("!cart", "not: excludes what the term matches"),
    ("score:<50 age:>30d", "example: below 50, and last audited over 30 days ago"),
];

/// An open help page.
#[derive(Debug)]
pub struct Help {
    /// The search text.
    pub search: TextField,
    /// The entry under the cursor.
    pub cursor: ListCursor,
    /// The keyboard context when the page was opened.
    pub context: Context,
    /// The pane that had the focus.
    pub pane: Pane,
    /// The unfolded topics.
    pub unfolded: Vec<HelpTopic>,
}

/// A foldable topic below the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter)]
pub enum HelpTopic {
    /// The filter language.
    FilterSyntax,
    /// The keys of the panes, if the page is about another screen.
    Panes,
    /// The keys of the overview.
    Overview,
    /// The keys of the queue.
    Queue,
    /// The keys of the changes.
    Changes,
    /// The keys of the causes.
    Causes,
    /// The keys of forms, dialogs and prompts.
    Forms,
    /// The keys of the columns overlay, of bulk runs and of the history.
    Lists,
}

/// An entry of the help page, in cursor order.
#[derive(Debug, Clone)]
pub enum HelpEntry {
    /// A key of this context.
    Key(HelpKey),
    /// The heading of a topic, and whether it is unfolded.
    Topic(HelpTopic, bool),
    /// A line of a topic: a key of another screen with its action, or a filter term. It cannot be run here.
    Line {
        /// The key or the term.
        key: String,
        /// What it does.
        text: &'static str,
        /// The action of a key.
        action: Option<Action>,
        /// Its topic.
        topic: HelpTopic,
    },
}

/// A key of the page's context.
#[derive(Debug, Clone)]
pub struct HelpKey {
    /// The binding that describes it here.
    pub binding: &'static Binding,
    /// The keys for this action here, the preferred one first.
    pub keys: Vec<String>,
}

impl HelpTopic {
    /// The heading of the topic.
    pub fn title(self) -> &'static str {
        match self {
            Self::FilterSyntax => "Filter syntax",
            Self::Panes => "Keys of the panes",
            Self::Overview => "Keys of the overview",
            Self::Queue => "Keys of the queue",
            Self::Changes => "Keys of the changes",
            Self::Causes => "Keys of the causes",
            Self::Forms => "Keys of forms and dialogs",
            Self::Lists => "Keys of columns, runs and history",
        }
    }

    fn scopes(self) -> &'static [KeyScope] {
        match self {
            Self::FilterSyntax => &[],
            Self::Panes => &[KeyScope::Panes],
            Self::Overview => &[KeyScope::Overview],
            Self::Queue => &[KeyScope::Queue],
            Self::Changes => &[KeyScope::Changes],
            Self::Causes => &[KeyScope::Causes],
            Self::Forms => &[
                KeyScope::FilterLine,
                KeyScope::Form,
                KeyScope::FormChoice,
                KeyScope::Prompt,
                KeyScope::Dialog,
                KeyScope::DialogButtons,
                KeyScope::List,
            ],
            Self::Lists => &[KeyScope::Columns, KeyScope::Run, KeyScope::History, KeyScope::Activity],
        }
    }
}

impl Help {
    /// Creates a page about the current context.
    pub fn about(context: Context, pane: Pane) -> Self {
        Self { search: TextField::default(), cursor: ListCursor::default(), context, pane, unfolded: Vec::new() }
    }

    /// The subject of the page, for its title.
    pub fn subject(&self) -> &'static str {
        match self.context {
            Context::Queue => "queue",
            Context::Changes => "changes",
            Context::Overview => "overview",
            Context::Causes => "causes",
            Context::Columns => "columns",
            Context::Run => "run",
            Context::History => "history",
            Context::Activity => "requests",
            Context::Panes
            | Context::FilterLine
            | Context::FormText
            | Context::FormChoice
            | Context::Dialog
            | Context::DialogText
            | Context::Menu
            | Context::Help
            | Context::Palette
            | Context::Prompt
            | Context::PromptWithRows => match self.pane {
                Pane::Projects => "projects",
                Pane::Reports => "reports",
                Pane::Report => "report",
            },
        }
    }

    /// The entries that match the search, in cursor order: keys by group, then topics with their lines.
    pub fn entries(&self, keymap: &Keymap) -> Vec<HelpEntry> {
        let words = words(self.search.value());
        let fits = |text: &str| {
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        };
        let mut keys = keys_of(self.context, self.pane, keymap);
        keys.retain(|key| fits(&searched(key.binding, &key.keys.join(" "))));
        let mut entries: Vec<HelpEntry> = keys.into_iter().map(HelpEntry::Key).collect();
        for topic in HelpTopic::iter() {
            if topic.scopes().iter().any(|scope| self.context.scopes().contains(scope)) {
                continue;
            }
            let mut lines = lines_of(topic, keymap);
            lines.retain(|line| match line {
                HelpEntry::Line { key, text, .. } => fits(&format!("{key} {text} {}", topic.title())),
                HelpEntry::Key(_) | HelpEntry::Topic(..) => true,
            });
            if lines.is_empty() {
                continue;
            }
            let open = self.unfolded.contains(&topic) || !words.is_empty();
            entries.push(HelpEntry::Topic(topic, open));
            if open {
                entries.extend(lines);
            }
        }
        entries
    }

    /// The first entry of each group and topic.
    pub(crate) fn group_starts(&self, keymap: &Keymap) -> Vec<usize> {
        let sections: Vec<_> = self.entries(keymap).iter().map(|entry| (section(entry), ())).collect();
        block_starts(&sections)
    }

    /// Folds or unfolds a topic.
    pub fn toggle(&mut self, topic: HelpTopic) {
        if self.unfolded.contains(&topic) {
            self.unfolded.retain(|open| *open != topic);
        } else {
            self.unfolded.push(topic);
        }
    }
}

/// The group of a key, or the topic of a line.
fn section(entry: &HelpEntry) -> (Option<KeyGroup>, Option<HelpTopic>) {
    match entry {
        HelpEntry::Key(key) => (Some(key.binding.group), None),
        HelpEntry::Topic(topic, _) | HelpEntry::Line { topic, .. } => (None, Some(*topic)),
    }
}

/// The lower-case words of a search.
pub(crate) fn words(typed: &str) -> Vec<String> {
    typed.to_lowercase().split_whitespace().map(str::to_owned).collect()
}

/// The text of a key that a search matches.
pub(crate) fn searched(binding: &Binding, keys: &str) -> String {
    format!("{} {} {} {keys}", binding.action.name().replace('_', " "), binding.hint, binding.help)
}

/// Returns the keys of a context, one entry per action, by group. Keys without effect in the pane are omitted.
pub(crate) fn keys_of(context: Context, pane: Pane, keymap: &Keymap) -> Vec<HelpKey> {
    let mut found: Vec<(usize, HelpKey)> = Vec::new();
    // The most specific scope provides the description.
    let scopes = context.scopes();
    let specific = scopes.iter().skip(1).chain(scopes.first());
    for scope in specific {
        for (at, bound) in keymap.bound().iter().enumerate().filter(|(_, bound)| bound.binding.scope == *scope) {
            let action = bound.binding.action;
            let means = |keys: &&Sequence| keymap.meaning(keys.keys(), context) == KeyMeaning::Action(action);
            let keys: Vec<String> = bound.keys.iter().filter(means).map(Sequence::shown).collect();
            if keys.is_empty() || (pane == Pane::Projects && context == Context::Panes && is_of_rows(action)) {
                continue;
            }
            match found.iter_mut().find(|(_, key)| key.binding.action == action) {
                Some((_, known)) => known.keys.extend(keys),
                None => found.push((at, HelpKey { binding: bound.binding, keys })),
            }
        }
    }
    // Keeps the order of the table, which starts with movement.
    found.sort_by_key(|(at, key)| (key.binding.group, *at));
    found.into_iter().map(|(_, key)| key).collect()
}

/// Whether an action has no effect in the projects pane.
fn is_of_rows(action: Action) -> bool {
    let of_projects = matches!(action, Action::EditReport | Action::RerunReport | Action::ToggleMark);
    (action.is_about_a_report() || action.marks()) && !of_projects
}

fn lines_of(topic: HelpTopic, keymap: &Keymap) -> Vec<HelpEntry> {
    if topic == HelpTopic::FilterSyntax {
        let lines = FILTER_LINES.iter().chain(&QUALIFIERS);
        return lines
            .map(|(key, text)| HelpEntry::Line { key: (*key).to_owned(), text, action: None, topic })
            .collect();
    }
    let bound = keymap.bound().iter().filter(|bound| topic.scopes().contains(&bound.binding.scope));
    let line = |bound: &ActiveBinding| HelpEntry::Line {
        key: bound.keys_shown(),
        text: bound.binding.help,
        action: Some(bound.binding.action),
        topic,
    };
    bound.filter(|bound| !bound.keys.is_empty()).map(line).collect()
}
