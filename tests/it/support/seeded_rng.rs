//! Chance that can be repeated: numbers from a seed, which is told and can be given, and how long to go on.
//!
//! `REPORTDECK_SEED=7 REPORTDECK_STEPS=100000 cargo test --test it trust` goes on for long, in the way of seed 7.

/// Gives the seed of every test that throws dice.
const SEED: &str = "REPORTDECK_SEED";
/// How many steps a test takes; without it as many as a normal run has time for.
const STEPS: &str = "REPORTDECK_STEPS";
/// The seed of a normal run: each run of it tries the same, so that a failure is found again.
const USUAL_SEED: u64 = 20_261_121;

/// Numbers that look like chance (splitmix64).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall alike from the same seed.
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

    /// A number below `sides`.
    pub fn throw(&mut self, sides: usize) -> usize {
        (self.number() % sides.max(1) as u64) as usize
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.throw(things.len())]
    }
}

/// The seed of this run. Told, so that a failure can be repeated.
pub fn seed() -> u64 {
    let seed = number_in(SEED).unwrap_or(USUAL_SEED);
    println!("{SEED}={seed}");
    seed
}

/// How many steps to take, where a normal run takes so many.
pub fn steps(usual: usize) -> usize {
    number_in(STEPS).map_or(usual, |steps| steps as usize)
}

fn number_in(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}
