//! Key presets for users of other programs, as differences from the default keys.

use crate::domain::look::Preset;
use crate::input::action::Action;

/// An action with the keys that replace its default ones.
pub(super) type PresetKeys = (Action, &'static [&'static str]);

/// Returns a preset's differences from the default keys.
pub(super) fn changes(preset: Preset) -> &'static [PresetKeys] {
    match preset {
        Preset::Vim => &[],
        Preset::K9s => K9S,
        Preset::Lazygit => LAZYGIT,
    }
}

const K9S: &[PresetKeys] = &[
    (Action::Open, &["enter", "d"]),
    (Action::Refresh, &["ctrl+r"]),
    (Action::RefreshAll, &["R", "f5"]),
    (Action::Delete, &["ctrl+d"]),
    (Action::HalfPageDown, &["J"]),
    (Action::HalfPageUp, &["K"]),
    (Action::PageDown, &["ctrl+f", "pgdn"]),
    (Action::PageUp, &["ctrl+b", "pgup"]),
    (Action::MarkRange, &["ctrl+space", "v"]),
    (Action::UnmarkAll, &["ctrl+\\", "M"]),
    (Action::CopyMenu, &["y"]),
    (Action::CopyUrl, &["c"]),
    (Action::WriteNote, &["N"]),
    (Action::SwitchProfile, &["A", "ctrl+a"]),
    (Action::EnterKey, &["alt+k"]),
    (Action::Palette, &[":"]),
    (Action::ToggleWholeScreen, &["f", "ctrl+w"]),
];

const LAZYGIT: &[PresetKeys] = &[
    (Action::MoveFirst, &["<", "home"]),
    (Action::MoveLast, &[">", "end"]),
    (Action::PageDown, &[".", "pgdn"]),
    (Action::PageUp, &[",", "pgup"]),
    (Action::Delete, &["d", "delete"]),
    (Action::Undo, &["z", "u"]),
    (Action::Redo, &["Z"]),
    (Action::SnoozeWeek, &["6"]),
    (Action::Refresh, &["r"]),
    (Action::RefreshAll, &["R"]),
    (Action::ToggleWholeScreen, &["+", "f"]),
    (Action::CopyMenu, &["y"]),
    (Action::CopyUrl, &["ctrl+o"]),
    (Action::SwitchProfile, &["A", "ctrl+r"]),
    (Action::Actions, &["x"]),
];
