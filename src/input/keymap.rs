//! The keymap: which keys trigger which action in which scope.

use std::collections::HashMap;

use crate::input::action::Action;
use crate::input::bindings::{BINDINGS, Binding};
use crate::input::context::{Context, KeyScope};

pub use crate::input::key::{Key, KeySpellingError, Sequence};

/// A binding with its active keys.
#[derive(Debug, Clone)]
pub struct ActiveBinding {
    /// The binding.
    pub binding: &'static Binding,
    /// Its keys, the preferred one first; empty if disabled.
    pub keys: Vec<Sequence>,
}

impl ActiveBinding {
    /// The keys as one text: `↓ j`, separated by commas if one of them is a sequence.
    pub fn keys_shown(&self) -> String {
        let between = if self.keys.iter().any(|keys| keys.keys().len() > 1) { ", " } else { " " };
        self.keys.iter().map(Sequence::shown).collect::<Vec<_>>().join(between)
    }
}

/// The meaning of typed keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyMeaning {
    /// An action.
    Action(Action),
    /// The start of a sequence.
    Begun,
    /// Nothing.
    Nothing,
}

/// All active bindings.
#[derive(Debug, Clone)]
pub struct Keymap {
    bound: Vec<ActiveBinding>,
    meanings: HashMap<KeyScope, HashMap<Vec<Key>, KeyMeaning>>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::of(defaults())
    }
}

/// Returns the default bindings. Unparsable keys are skipped; a test ensures that there are none.
pub(super) fn defaults() -> Vec<ActiveBinding> {
    let bound = |binding: &'static Binding| ActiveBinding {
        binding,
        keys: binding.keys.iter().filter_map(|key| Sequence::parse(key).ok()).collect(),
    };
    BINDINGS.iter().map(bound).collect()
}

impl Keymap {
    /// Builds a keymap from these bindings.
    pub fn of(bound: Vec<ActiveBinding>) -> Self {
        let mut meanings: HashMap<KeyScope, HashMap<Vec<Key>, KeyMeaning>> = HashMap::new();
        for ActiveBinding { binding, keys } in &bound {
            let of_scope = meanings.entry(binding.scope).or_default();
            for sequence in keys {
                let keys = sequence.keys();
                for length in 1..keys.len() {
                    of_scope.entry(keys[..length].to_vec()).or_insert(KeyMeaning::Begun);
                }
                of_scope.insert(keys.to_vec(), KeyMeaning::Action(binding.action));
            }
        }
        Self { bound, meanings }
    }

    /// Returns the meaning of keys pressed in sequence. In text fields, letters have none.
    pub fn meaning(&self, typed: &[Key], context: Context) -> KeyMeaning {
        if context.takes_text() && typed.first().is_some_and(|key| key.is_text()) {
            return KeyMeaning::Nothing;
        }
        let known = |scope: &KeyScope| self.meanings.get(scope)?.get(typed).copied();
        context.scopes().iter().find_map(known).unwrap_or(KeyMeaning::Nothing)
    }

    /// Returns the action of a single key in this context.
    pub fn action(&self, key: Key, context: Context) -> Option<Action> {
        match self.meaning(&[key], context) {
            KeyMeaning::Action(action) => Some(action),
            KeyMeaning::Begun | KeyMeaning::Nothing => None,
        }
    }

    /// All bindings with their keys.
    pub fn bound(&self) -> &[ActiveBinding] {
        &self.bound
    }

    /// Returns the binding of an action in this context; `None` without a key.
    pub fn binding_for(&self, action: Action, context: Context) -> Option<&ActiveBinding> {
        let here =
            |bound: &&ActiveBinding| bound.binding.action == action && context.scopes().contains(&bound.binding.scope);
        self.bound.iter().filter(here).find(|bound| !bound.keys.is_empty())
    }

    /// Returns the first binding of an action in any context; `None` without a key.
    pub fn first_binding(&self, action: Action) -> Option<&ActiveBinding> {
        self.bound.iter().find(|bound| bound.binding.action == action && !bound.keys.is_empty())
    }

    /// Returns the name of an action's key for texts: one of this context, else the first of any context, with the place
    /// where it works if that is behind another screen, or if the key means something else here: `x in the list`. For an
    /// action without a key, how to find it in the palette: `: refresh all`, or the button where the palette does not open.
    pub fn key_name(&self, action: Action, context: Context) -> String {
        let here = self.binding_for(action, context);
        let Some((scope, key)) = here
            .or_else(|| self.first_binding(action))
            .and_then(|bound| Some((bound.binding.scope, bound.keys.first()?)))
        else {
            let name = |action| self.key_name(action, context);
            return match action {
                Action::Palette => ":".to_owned(),
                Action::Confirm => format!("{}, then {}", name(Action::OtherButton), name(Action::Press)),
                Action::Submit => format!("{} on the button", name(Action::Press)),
                _ => format!("{} {}", name(Action::Palette), action.name().replace('_', " ")),
            };
        };
        let means_another = here.is_none() && self.meaning(key.keys(), context) != KeyMeaning::Nothing;
        let is_elsewhere = means_another || (here.is_none() && context.is_screen());
        match scope {
            KeyScope::Panes if is_elsewhere => format!("{} in the list", key.shown()),
            KeyScope::Form if means_another => format!("{} in the form", key.shown()),
            _ => key.shown(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::look::Preset;
    use std::collections::HashSet;
    use strum::IntoEnumIterator;

    #[test]
    fn every_default_key_is_readable_and_means_one_thing_per_scope() {
        let mut seen = HashSet::new();
        for binding in BINDINGS {
            for key in binding.keys {
                let parsed = Sequence::parse(key).unwrap_or_else(|error| panic!("{key}: {error:?}"));
                assert!(seen.insert((binding.scope, parsed)), "{key} twice in {:?}", binding.scope);
            }
        }
    }

    #[test]
    fn every_binding_is_reached_in_some_context() {
        let keymap = Keymap::default();
        for binding in BINDINGS {
            for key in binding.keys {
                let parsed = Key::parse(key).unwrap();
                let reached = Context::iter().any(|context| keymap.action(parsed, context) == Some(binding.action));
                assert!(reached, "{key} never means {}", binding.action.name());
            }
        }
    }

    #[test]
    fn a_text_names_the_key_that_works_where_it_is_read() {
        let keymap = Keymap::default();
        for (action, context, key) in [
            (Action::Quit, Context::Panes, "q"),
            (Action::Quit, Context::Dialog, "ctrl+c"),
            (Action::MoveDown, Context::Help, "↓"),
            // It works only in the panes, to which the dialog returns.
            (Action::NewReport, Context::Dialog, "n"),
            (Action::Actions, Context::Overview, "x in the list"),
            (Action::Actions, Context::Queue, "x in the list"),
        ] {
            assert_eq!(keymap.key_name(action, context), key, "{action:?} in {context:?}");
        }
        let unbound = defaults().into_iter().map(|bound| ActiveBinding { keys: Vec::new(), ..bound }).collect();
        assert_eq!(Keymap::of(unbound).key_name(Action::RefreshAll, Context::Panes), ": refresh all");
    }

    #[test]
    fn an_action_without_a_key_is_named_with_the_key_of_the_palette_which_every_screen_opens() {
        let parse = |key| vec![Sequence::parse(key).unwrap()];
        let own = [(Action::Palette, parse("f2")), (Action::PauseRun, Vec::new()), (Action::Undo, Vec::new())];
        let (keymap, _) = crate::input::remap::remapped(Preset::Vim, &own);
        assert_eq!(keymap.key_name(Action::PauseRun, Context::Run), "F2 pause run");
        assert_eq!(keymap.key_name(Action::Undo, Context::Panes), "F2 undo");
        for context in Context::iter().filter(|context| context.is_screen()) {
            assert_eq!(keymap.key_name(Action::Palette, context), "F2", "{context:?}");
        }
    }

    #[test]
    fn a_dialog_or_form_in_which_the_palette_does_not_open_names_the_button_of_an_action_without_a_key() {
        let delete = vec![Sequence::parse("y").unwrap()];
        let own = [(Action::Delete, delete), (Action::Submit, Vec::new())];
        let (keymap, _) = crate::input::remap::remapped(Preset::Vim, &own);
        assert_eq!(keymap.key_name(Action::Confirm, Context::Dialog), "←, then Enter");
        assert_eq!(keymap.key_name(Action::Submit, Context::FormText), "Enter on the button");
    }

    #[test]
    fn ctrl_f_and_ctrl_b_turn_pages_of_rows_and_ctrl_n_and_ctrl_p_choose_a_row_beside_a_text() {
        let keymap = Keymap::default();
        let keys = [
            (KeyScope::Rows, "ctrl+f", Action::PageDown),
            (KeyScope::Rows, "ctrl+b", Action::PageUp),
            (KeyScope::RowsBesideText, "ctrl+n", Action::MoveDown),
            (KeyScope::RowsBesideText, "ctrl+p", Action::MoveUp),
        ];
        for context in Context::iter() {
            for (_, key, action) in keys.iter().filter(|(scope, ..)| context.scopes().contains(scope)) {
                assert_eq!(keymap.action(Key::parse(key).unwrap(), context), Some(*action), "{key} in {context:?}");
            }
        }
    }

    #[test]
    fn letters_trigger_no_action_in_text_fields() {
        let keymap = Keymap::default();
        for context in Context::iter().filter(|context| context.takes_text()) {
            for letter in "abcdefghijklmnopqrstuvwxyzDGKRSY?/:=- 123".chars() {
                let key = Key::parse(&letter.to_string().replace(' ', "space")).unwrap();
                assert_eq!(keymap.action(key, context), None, "{letter} in {context:?}");
            }
        }
    }

    #[test]
    fn ctrl_c_quits_from_everywhere_and_escape_never_does() {
        let keymap = Keymap::default();
        for context in Context::iter() {
            assert_eq!(keymap.action(Key::parse("ctrl+c").unwrap(), context), Some(Action::Quit));
            assert_eq!(keymap.action(Key::parse("esc").unwrap(), context), Some(Action::Back));
        }
    }

    #[test]
    fn ctrl_d_only_scrolls() {
        let keymap = Keymap::default();
        for context in Context::iter() {
            let action = keymap.action(Key::parse("ctrl+d").unwrap(), context);
            assert!(matches!(action, None | Some(Action::HalfPageDown)), "{context:?}");
        }
    }
}
