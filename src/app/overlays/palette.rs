//! The command palette: available actions and saved views.

use std::collections::VecDeque;

use tui_input::Input as TextField;

use crate::app::frame_layout::Pane;
use crate::app::list_window::ListCursor;
use crate::app::overlays::help::{HelpKey, keys_of, searched, words};
use crate::domain::list::cached_rows::SavedView;
use crate::input::action::Action;
use crate::input::bindings::KeyGroup;
use crate::input::context::Context;
use crate::input::keymap::Keymap;

/// The number of recently used actions remembered.
pub const MOST_RECENT: usize = 8;

/// Aliases of actions, common in other programs.
const ALIASES: [(&str, Action); 7] = [
    ("q", Action::Quit),
    ("q!", Action::Quit),
    ("qa", Action::Quit),
    ("wq", Action::Quit),
    ("h", Action::Help),
    ("search", Action::Filter),
    ("ctx", Action::SwitchProfile),
];

/// An open palette.
#[derive(Debug)]
pub struct CommandPalette {
    /// The search text.
    pub search: TextField,
    /// The row under the cursor.
    pub cursor: ListCursor,
    /// The keyboard context when the palette was opened.
    pub context: Context,
    /// The pane that had the focus.
    pub pane: Pane,
}

/// A row of the palette.
#[derive(Debug, Clone)]
pub enum PaletteRow {
    /// An action, and why it is unavailable, if so.
    Run(HelpKey, Option<String>),
    /// Save the current view under this name.
    SaveView(String),
    /// Show this view.
    ShowView(SavedView),
    /// Delete the view of this name.
    DeleteView(String),
}

/// How well a row matches the search text, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MatchRank {
    /// The name or an alias equals it.
    Exact,
    /// The name starts with it.
    Beginning,
    /// The name contains every word.
    Name,
    /// The name or description contains every word.
    Words,
}

impl CommandPalette {
    /// Creates a palette for the current context.
    pub fn of(context: Context, pane: Pane) -> Self {
        Self { search: TextField::default(), cursor: ListCursor::default(), context, pane }
    }

    /// The rows that match the search: best match first, then available before unavailable, then recently used.
    /// `recent` are the recently used actions, latest first; `disabled_reason` returns why an action is unavailable.
    pub fn rows(
        &self,
        keymap: &Keymap,
        views: &[SavedView],
        recent: &VecDeque<Action>,
        disabled_reason: impl Fn(Action) -> Option<String>,
    ) -> Vec<PaletteRow> {
        let typed = self.search.value();
        let mut keys = keys_of(self.context, self.pane, keymap);
        keys.extend(unbound(self.context, keymap));
        let is_offered = |key: &HelpKey| !matches!(key.binding.action, Action::Palette | Action::Back);
        let mut ranked: Vec<_> = keys
            .into_iter()
            .filter(is_offered)
            .filter_map(|key| {
                let action = key.binding.action;
                let fit = fit(typed, &key)?;
                let reason = disabled_reason(action);
                let last = recent.iter().position(|used| *used == action).unwrap_or(MOST_RECENT);
                Some(((fit, reason.is_some(), last, rank(key.binding.group)), PaletteRow::Run(key, reason)))
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut rows: Vec<PaletteRow> = ranked.into_iter().map(|(_, row)| row).collect();
        let words = words(typed);
        let lower = typed.to_ascii_lowercase();
        let fits = |text: &str| words.iter().all(|word| text.contains(word.as_str()));
        let shown = views.iter().filter(|view| fits(&format!("view {}", view.name.to_lowercase())));
        let deleted = views
            .iter()
            .filter(|view| lower.starts_with("delete") && fits(&format!("delete view {}", view.name.to_lowercase())));
        let shown = shown.cloned().map(PaletteRow::ShowView);
        let views = shown.chain(deleted.map(|view| PaletteRow::DeleteView(view.name.clone())));
        if lower.starts_with("view ") {
            rows.splice(0..0, views);
        } else {
            let at = rows.iter().position(|row| matches!(row, PaletteRow::Run(_, Some(_)))).unwrap_or(rows.len());
            rows.splice(at..at, views);
        }
        let named = typed.get("save ".len()..).filter(|_| lower.starts_with("save "));
        if let Some(name) = named.map(str::trim).filter(|name| !name.is_empty()) {
            // An action whose full name is typed stays first.
            let exact =
                matches!(rows.first(), Some(PaletteRow::Run(key, _)) if fit(typed, key) == Some(MatchRank::Exact));
            rows.insert(usize::from(exact), PaletteRow::SaveView(name.to_owned()));
        }
        rows
    }
}

/// Returns the actions of this context that have no key.
fn unbound(context: Context, keymap: &Keymap) -> impl Iterator<Item = HelpKey> {
    let here = move |action: Action| keymap.binding_for(action, context).is_none();
    let without = keymap.bound().iter().filter(move |bound| {
        bound.keys.is_empty() && context.scopes().contains(&bound.binding.scope) && here(bound.binding.action)
    });
    without.map(|bound| HelpKey { binding: bound.binding, keys: Vec::new() })
}

fn fit(typed: &str, key: &HelpKey) -> Option<MatchRank> {
    let typed = typed.trim().to_lowercase();
    let action = key.binding.action;
    let name = action.name().replace('_', " ");
    let words = words(&typed);
    let all_in = |text: &str| words.iter().all(|word| text.contains(word.as_str()));
    if typed.is_empty() {
        return Some(MatchRank::Words);
    }
    if typed == name || typed == action.name() || ALIASES.contains(&(typed.as_str(), action)) {
        return Some(MatchRank::Exact);
    }
    if name.starts_with(&typed) {
        return Some(MatchRank::Beginning);
    }
    if all_in(&name) {
        return Some(MatchRank::Name);
    }
    all_in(&searched(key.binding, &key.keys.join(" ")).to_lowercase()).then_some(MatchRank::Words)
}

/// Ranks action groups: commands before navigation.
fn rank(group: KeyGroup) -> usize {
    match group {
        KeyGroup::Act => 0,
        KeyGroup::Triage => 1,
        KeyGroup::Many => 2,
        KeyGroup::Find => 3,
        KeyGroup::Views => 4,
        KeyGroup::Program => 5,
        KeyGroup::Move => 6,
        KeyGroup::Forms => 7,
    }
}
