//! What is written to the terminal: that it shows what was drawn, and how few bytes that takes.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "support/dice.rs"]
mod dice;
#[path = "support/many.rs"]
mod many;
#[path = "support/states.rs"]
mod states;

#[path = "renderer/bytes_per_key.rs"]
mod bytes_per_key;
#[path = "renderer/emulator.rs"]
mod emulator;
#[path = "renderer/random_frames.rs"]
mod random_frames;
