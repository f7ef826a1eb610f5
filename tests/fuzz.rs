//! Whatever bytes come in from outside: every reader takes them without a panic and holds what it promises.
//!
//! Each target is one function of bytes. A run tries the corpus, then inputs made from it by seeded dice: a few in a
//! normal run, `REPORTDECK_STEPS` of them by hand. An input that broke something is put into the corpus and stays there.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "support/dice.rs"]
mod dice;
#[path = "fuzz/mutate.rs"]
mod mutate;
#[path = "fuzz/pages.rs"]
mod pages;
#[path = "fuzz/services.rs"]
mod services;
#[path = "fuzz/typed.rs"]
mod typed;
