//! Reproducible random numbers: the seed is printed and can be set, and so can the number of steps.
//!
//! `REPORTDECK_SEED=7 REPORTDECK_STEPS=100000 cargo test --test it trust::` runs long, with seed 7.

/// Sets the seed of every random test.
const SEED: &str = "REPORTDECK_SEED";
/// Sets the number of steps of every random test.
const STEPS: &str = "REPORTDECK_STEPS";
/// The seed of a normal run: fixed, so that every run tries the same.
const USUAL_SEED: u64 = 20_261_121;

/// A pseudo-random generator (splitmix64).
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator that always gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    /// A number below `limit`, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit.max(1) as u64) as usize
    }

    /// One of `things`, which must not be empty.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}

/// The seed of this run, printed so that a failure can be reproduced.
pub fn seed() -> u64 {
    let seed = number_in(SEED).unwrap_or(USUAL_SEED);
    println!("{SEED}={seed}");
    seed
}

/// The number of steps: `usual` in a normal run.
pub fn steps(usual: usize) -> usize {
    number_in(STEPS).map_or(usual, |steps| steps as usize)
}

fn number_in(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}
