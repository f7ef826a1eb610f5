//! The names of key presets.

/// A preset of key bindings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Preset {
    /// The default, with vim-like movement.
    #[default]
    Vim,
    /// As in k9s: `ctrl+r` refreshes, `d` opens, `ctrl+d` deletes (after a confirmation).
    K9s,
    /// As in lazygit: `<` and `>` go to the ends, `,` and `.` turn pages, `z` undoes.
    Lazygit,
}
