//! The key presets by name.

/// A set of keys to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Preset {
    /// Our own, which moves as vim does.
    #[default]
    Vim,
    /// As in k9s: `ctrl+r` refreshes, `d` opens, `ctrl+d` deletes (and asks).
    K9s,
    /// As in lazygit: `<` and `>` go to the ends, `,` and `.` turn pages, `z` takes back.
    Lazygit,
}
