//! The fuzz targets under libFuzzer, guided by coverage: `.ci/fuzz` builds and runs it. One program contains all
//! targets; `REPORTDECK_TARGET` selects one.
//!
//! In a normal build it is an empty program, because libFuzzer needs a special build with coverage counters.

#![cfg_attr(fuzzing, no_main)]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

#[cfg(fuzzing)]
#[path = "../it/fuzz/targets/mod.rs"]
mod targets;

#[cfg(fuzzing)]
static HOLDS: std::sync::LazyLock<fn(&[u8])> = std::sync::LazyLock::new(|| {
    let name = std::env::var("REPORTDECK_TARGET").expect("REPORTDECK_TARGET names a target");
    targets::target(&name).holds
});

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| HOLDS(bytes));

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("`.ci/fuzz` builds and runs this");
}
