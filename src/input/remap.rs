//! Applies a preset and the user's own keys, and resolves conflicts.
//!
//! Ctrl+c always quits, and Esc always goes back.

use strum::IntoEnumIterator as _;

use crate::domain::look::Preset;
use crate::input::action::Action;
use crate::input::bindings::{BINDINGS, Binding};
use crate::input::context::{Context, KeyScope};
use crate::input::key::Sequence;
use crate::input::keymap::{ActiveBinding, Keymap, defaults};
use crate::input::presets::changes;

/// An action with its configured keys; none disables it.
pub type KeyOverride = (Action, Vec<Sequence>);

/// A key that was taken from an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyConflict {
    /// The configured action that caused it.
    pub action: Action,
    /// What happened, in one sentence.
    pub message: String,
}

/// The origin of a binding, in ascending precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Default,
    Preset,
    Override,
    Safe,
}

/// Builds the keymap of a preset with these overrides. Also returns the keys taken from actions.
pub fn remapped(preset: Preset, overrides: &[KeyOverride]) -> (Keymap, Vec<KeyConflict>) {
    let mut bound: Vec<(ActiveBinding, Rank)> = defaults()
        .into_iter()
        .map(|bound| if is_safe(bound.binding) { (bound, Rank::Safe) } else { (bound, Rank::Default) })
        .collect();
    for (action, keys) in changes(preset) {
        let keys: Vec<Sequence> = keys.iter().filter_map(|key| Sequence::parse(key).ok()).collect();
        give(&mut bound, *action, &keys, Rank::Preset);
    }
    for (action, keys) in overrides {
        give(&mut bound, *action, keys, Rank::Override);
    }
    let mut conflicts = settle(&mut bound);
    if keep_confirmation_apart(&mut bound) {
        let is_delete = overrides.iter().any(|(action, _)| *action == Action::Delete);
        let action = if is_delete { Action::Delete } else { Action::Confirm };
        let message = "confirm cannot share a key with delete: pressing it twice would delete".to_owned();
        conflicts.push(KeyConflict { action, message });
    }
    (Keymap::of(bound.into_iter().map(|(bound, _)| bound).collect()), conflicts)
}

fn is_safe(binding: &Binding) -> bool {
    binding.scope == KeyScope::Everywhere && matches!(binding.action, Action::Quit | Action::Back)
}

/// Whether configured keys replace those of a binding: where letters are keys, or, if that is so for no binding of the
/// action, everywhere.
pub fn is_configurable(binding: &Binding) -> bool {
    let with_letters = || BINDINGS.iter().any(|other| other.action == binding.action && has_letters(other.scope));
    !is_safe(binding) && (has_letters(binding.scope) || !with_letters())
}

/// Whether letters are keys in a scope. Elsewhere they are text, and actions keep their default keys.
fn has_letters(scope: KeyScope) -> bool {
    match scope {
        KeyScope::Rows
        | KeyScope::Panes
        | KeyScope::DialogButtons
        | KeyScope::List
        | KeyScope::History
        | KeyScope::Activity
        | KeyScope::Run
        | KeyScope::Queue
        | KeyScope::Changes
        | KeyScope::Columns
        | KeyScope::Overview
        | KeyScope::Causes => true,
        KeyScope::Everywhere
        | KeyScope::RowsBesideText
        | KeyScope::FilterLine
        | KeyScope::Help
        | KeyScope::Prompt
        | KeyScope::Form
        | KeyScope::FormChoice
        | KeyScope::Dialog => false,
    }
}

/// Binds keys to an action, see [`is_configurable`].
fn give(bound: &mut [(ActiveBinding, Rank)], action: Action, keys: &[Sequence], rank: Rank) {
    let is_it = |binding: &Binding| binding.action == action && is_configurable(binding);
    for (bound, of) in bound.iter_mut().filter(|(bound, _)| is_it(bound.binding)) {
        bound.keys = keys.to_vec();
        *of = rank;
    }
}

/// Removes keys from lower-ranked bindings that conflict with a higher-ranked one.
fn settle(bound: &mut [(ActiveBinding, Rank)]) -> Vec<KeyConflict> {
    let mut conflicts = Vec::new();
    for winner in 0..bound.len() {
        for loser in 0..bound.len() {
            let ((first, high), (second, low)) = (&bound[winner], &bound[loser]);
            let outranks = *high > *low || (high == low && winner < loser);
            let may_meet =
                || first.binding.action != second.binding.action && meet(first.binding.scope, second.binding.scope);
            // Default keys shadow each other on purpose: the topmost overlay receives them.
            if winner == loser || *high == Rank::Default || !outranks || !may_meet() {
                continue;
            }
            let overridden = [(first, *high), (second, *low)].into_iter().find(|(_, rank)| *rank == Rank::Override);
            let (overridden, keys) = (overridden.map(|(bound, _)| bound.binding.action), first.keys.clone());
            let (kept, lost): (Vec<_>, Vec<_>) =
                second.keys.iter().cloned().partition(|key| !keys.iter().any(|other| other.collides_with(key)));
            if lost.is_empty() {
                continue;
            }
            if *high == Rank::Preset && kept.is_empty() {
                // A preset never leaves an action without a key; its changed actions have other keys.
                bound[winner].0.keys.retain(|key| !lost.iter().any(|other| other.collides_with(key)));
                continue;
            }
            if let Some(action) = overridden {
                let loser = second.binding.action;
                let has_safe_key = bound.iter().any(|(of, rank)| *rank == Rank::Safe && of.binding.action == loser);
                let message = |key| gave_way(key, (first, second), kept.is_empty() && !has_safe_key);
                let lost = lost.iter().map(|key| KeyConflict { action, message: message(key) });
                // An action is bound once in each scope.
                let new: Vec<_> = lost.filter(|conflict| !conflicts.contains(conflict)).collect();
                conflicts.extend(new);
            }
            bound[loser].0.keys = kept;
        }
    }
    conflicts
}

fn gave_way(key: &Sequence, (winner, loser): (&ActiveBinding, &ActiveBinding), is_last: bool) -> String {
    // A sequence takes the key with which it begins.
    let new = winner.keys.iter().find(|new| new.collides_with(key)).unwrap_or(key);
    let (winner, loser) = (winner.binding.action.name(), loser.binding.action.name());
    let left = if is_last { ", which has no key left" } else { "" };
    let taken = if new == key { "taken".to_owned() } else { format!("{} is taken", key.written()) };
    format!("{} is now the key of {winner}: {taken} from {loser}{left}", new.written())
}

/// Whether two scopes are active in the same context.
fn meet(one: KeyScope, other: KeyScope) -> bool {
    Context::iter().any(|context| context.scopes().contains(&one) && context.scopes().contains(&other))
}

/// Ensures that no key of delete confirms a dialog, so that pressing it twice does not delete. Returns whether one did.
fn keep_confirmation_apart(bound: &mut [(ActiveBinding, Rank)]) -> bool {
    let keys_of = |action: Action, bound: &[(ActiveBinding, Rank)]| -> Vec<Sequence> {
        let of_action = bound.iter().filter(|(bound, _)| bound.binding.action == action);
        of_action.flat_map(|(bound, _)| bound.keys.clone()).collect()
    };
    let deleting = keys_of(Action::Delete, bound);
    let mut was_shared = false;
    for (bound, _) in bound.iter_mut().filter(|(bound, _)| bound.binding.action == Action::Confirm) {
        let before = bound.keys.len();
        bound.keys.retain(|key| !deleting.iter().any(|other| other.collides_with(key)));
        was_shared |= bound.keys.len() < before;
    }
    was_shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::key::Key;
    use crate::input::keymap::KeyMeaning;
    use proptest::prelude::*;

    fn key_override(action: Action, keys: &[&str]) -> KeyOverride {
        (action, keys.iter().map(|key| Sequence::parse(key).unwrap()).collect())
    }

    fn messages_of(conflicts: &[KeyConflict]) -> Vec<&str> {
        conflicts.iter().map(|conflict| conflict.message.as_str()).collect()
    }

    fn action(keymap: &Keymap, key: &str, context: Context) -> Option<Action> {
        keymap.action(Key::parse(key).unwrap(), context)
    }

    #[test]
    fn a_configured_key_replaces_the_keys_of_its_action_and_is_taken_from_others() {
        let (keymap, conflicts) = remapped(Preset::Vim, &[key_override(Action::NewReport, &["B", "e"])]);
        assert_eq!(action(&keymap, "B", Context::Panes), Some(Action::NewReport));
        assert_eq!(action(&keymap, "e", Context::Panes), Some(Action::NewReport));
        assert_eq!(action(&keymap, "n", Context::Panes), None);
        assert_eq!(
            messages_of(&conflicts),
            ["e is now the key of new_report: taken from edit_report, which has no key left"]
        );
        assert_eq!(action(&keymap, "e", Context::Queue), Some(Action::EditReport), "they never meet there");
    }

    #[test]
    fn a_sequence_takes_the_key_with_which_it_begins() {
        let (keymap, conflicts) = remapped(Preset::Vim, &[key_override(Action::Queue, &["g q"])]);
        assert_eq!(keymap.meaning(&[Key::parse("g").unwrap()], Context::Panes), KeyMeaning::Begun);
        assert_eq!(messages_of(&conflicts), ["g q is now the key of queue: g is taken from move_first"]);
    }

    #[test]
    fn a_key_of_the_panes_takes_precedence_over_one_of_the_rows() {
        let (keymap, conflicts) = remapped(Preset::Vim, &[key_override(Action::ToggleMark, &["j"])]);
        assert_eq!(action(&keymap, "j", Context::Panes), Some(Action::ToggleMark));
        assert_eq!(action(&keymap, "down", Context::Panes), Some(Action::MoveDown));
        assert_eq!(messages_of(&conflicts), ["j is now the key of toggle_mark: taken from move_down"]);
    }

    #[test]
    fn an_action_can_be_disabled_and_conflicting_keys_are_reported() {
        let (keymap, _) = remapped(Preset::Vim, &[key_override(Action::Delete, &[])]);
        assert_eq!(action(&keymap, "D", Context::Panes), None);
        let wishes = [key_override(Action::Filter, &["#"]), key_override(Action::SortBy, &["#"])];
        let (_, conflicts) = remapped(Preset::Vim, &wishes);
        assert_eq!(conflicts.len(), 1, "{conflicts:?}");
        assert!(conflicts[0].message.starts_with("# is now the key of"));
    }

    #[test]
    fn a_sequence_and_its_beginning_do_not_both_work() {
        let (keymap, conflicts) = remapped(Preset::Vim, &[key_override(Action::MoveFirst, &["g g"])]);
        let (g, keys) = (Key::parse("g").unwrap(), Sequence::parse("g g").unwrap());
        assert_eq!(keymap.meaning(&[g], Context::Panes), crate::input::keymap::KeyMeaning::Begun);
        assert_eq!(
            keymap.meaning(keys.keys(), Context::Panes),
            crate::input::keymap::KeyMeaning::Action(Action::MoveFirst)
        );
        assert!(conflicts.is_empty(), "{conflicts:?}");
    }

    #[test]
    fn no_key_both_deletes_and_confirms() {
        let (keymap, conflicts) = remapped(Preset::Vim, &[key_override(Action::Delete, &["y"])]);
        assert_eq!(action(&keymap, "y", Context::Dialog), None);
        assert!(conflicts.iter().any(|conflict| conflict.message.starts_with("confirm cannot")), "{conflicts:?}");
    }

    #[test]
    fn every_preset_is_readable_and_leaves_every_action_a_key() {
        for preset in Preset::iter() {
            for (action, keys) in changes(preset) {
                assert!(keys.iter().all(|key| Sequence::parse(key).is_ok()), "{action:?} {keys:?}");
            }
            let (keymap, conflicts) = remapped(preset, &[]);
            assert!(conflicts.is_empty());
            for action in Action::iter() {
                assert!(keymap.first_binding(action).is_some(), "{preset:?} leaves {} without a key", action.name());
            }
        }
    }

    #[test]
    fn the_first_key_of_a_preset_works_wherever_its_action_does() {
        let mut other = Vec::new();
        for preset in Preset::iter() {
            let (keymap, _) = remapped(preset, &[]);
            for (action, keys) in changes(preset) {
                let is_it = |binding: &&Binding| binding.action == *action && is_configurable(binding);
                for binding in BINDINGS.iter().filter(is_it) {
                    for context in Context::iter().filter(|context| context.scopes().contains(&binding.scope)) {
                        let means = keymap.action(Key::parse(keys[0]).unwrap(), context);
                        if means != Some(*action) {
                            other.push(format!("{preset:?} {} of {action:?} in {context:?}: {means:?}", keys[0]));
                        }
                    }
                }
            }
        }
        assert!(other.is_empty(), "{other:#?}");
    }

    proptest! {
        #[test]
        fn with_any_overrides_esc_goes_back_and_ctrl_c_quits(
            wishes in proptest::collection::vec((0_usize..90, proptest::collection::vec("[a-z]|esc|ctrl\\+c|g g|space", 0..3)), 0..12),
        ) {
            let wishes: Vec<KeyOverride> = wishes
                .iter()
                .filter_map(|(at, keys)| {
                    let action = Action::iter().nth(*at)?;
                    Some((action, keys.iter().filter_map(|key| Sequence::parse(key).ok()).collect()))
                })
                .collect();
            let (keymap, _) = remapped(Preset::Vim, &wishes);
            for context in Context::iter() {
                prop_assert_eq!(action(&keymap, "esc", context), Some(Action::Back));
                prop_assert_eq!(action(&keymap, "ctrl+c", context), Some(Action::Quit));
            }
            // A key is never both an action and the start of another's sequence.
            for one in keymap.bound() {
                for other in keymap.bound().iter().filter(|other| other.binding.scope == one.binding.scope) {
                    let same = one.binding.action == other.binding.action;
                    let collide = one.keys.iter().any(|key| other.keys.iter().any(|second| key.collides_with(second)));
                    prop_assert!(same || !collide, "{} {}", one.binding.action.name(), other.binding.action.name());
                }
            }
        }
    }
}
