//! Widgets shared by several areas.

pub(super) mod bar;
pub(super) mod blocks;
pub(super) mod buttons;
pub(super) mod change;
pub(super) mod framed;
pub(super) mod joined_frames;
pub(super) mod list;
pub(super) mod scroll_bar;
pub(super) mod share_bar;
