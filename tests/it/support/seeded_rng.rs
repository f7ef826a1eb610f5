//! Reproducible random numbers: the seed is printed; seed and number of steps can be set.
//!
//! `REPORTDECK_SEED=7 REPORTDECK_STEPS=100000 cargo test --test it trust::` makes a long run with seed 7.

/// Environment variable with the seed of every random test.
const SEED: &str = "REPORTDECK_SEED";
/// Environment variable with the number of steps of every random test.
const STEPS: &str = "REPORTDECK_STEPS";
/// The default seed, fixed so that every run is the same.
const USUAL_SEED: u64 = 20_261_121;

/// A pseudo-random generator (splitmix64).
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator; equal seeds give equal sequences.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    /// Returns a number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit.max(1) as u64) as usize
    }

    /// Picks one of `things`, which must not be empty.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}

/// Returns the seed of this run and prints it, so that a failure can be reproduced.
pub fn seed() -> u64 {
    let seed = number_in(SEED).unwrap_or(USUAL_SEED);
    println!("{SEED}={seed}");
    seed
}

/// Returns the number of steps: `usual` unless the variable is set.
pub fn steps(usual: usize) -> usize {
    number_in(STEPS).map_or(usual, |steps| steps as usize)
}

fn number_in(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}
