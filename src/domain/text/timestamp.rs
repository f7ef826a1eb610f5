//! A time in half the room: there are 100,000 rows that each have one, or none.
//!
//! Must not know whose time it is.

use std::fmt;
use std::num::NonZeroU32;

use jiff::Timestamp;

/// What is added to nanoseconds, which are negative before 1970, so that they are never zero.
const BASE: i32 = 1_000_000_000;

/// A time as exact as a [`Timestamp`], or none: twelve bytes, where an `Option<Timestamp>` takes twenty-four.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment(Option<Parts>);

/// The second in two halves, so that it may lie between smaller fields, and the nanosecond.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Parts {
    second: [u32; 2],
    nanosecond: NonZeroU32,
}

impl Moment {
    /// The time, if there is one.
    pub fn get(self) -> Option<Timestamp> {
        let Parts { second: [high, low], nanosecond } = self.0?;
        let second = (u64::from(high) << 32 | u64::from(low)).cast_signed();
        Timestamp::new(second, nanosecond.get().cast_signed() - BASE).ok()
    }
}

impl From<Option<Timestamp>> for Moment {
    fn from(time: Option<Timestamp>) -> Self {
        Self(time.and_then(|time| {
            let second = time.as_second().cast_unsigned();
            let nanosecond = NonZeroU32::new((time.subsec_nanosecond() + BASE).cast_unsigned())?;
            Some(Parts { second: [(second >> 32) as u32, second as u32], nanosecond })
        }))
    }
}

impl From<Timestamp> for Moment {
    fn from(time: Timestamp) -> Self {
        Some(time).into()
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ends_of_time_and_no_time_are_kept() {
        for time in [None, Some(Timestamp::MIN), Some(Timestamp::MAX), Some(Timestamp::UNIX_EPOCH)] {
            assert_eq!(Moment::from(time).get(), time);
        }
        assert_eq!((size_of::<Moment>(), align_of::<Moment>()), (12, 4));
    }

    proptest! {
        #[test]
        fn every_time_is_kept_to_the_nanosecond(second in -9_000_000_000_i64..9_000_000_000, nanosecond in -999_999_999..=999_999_999) {
            let time = Timestamp::new(second, nanosecond).unwrap();
            prop_assert_eq!(Moment::from(time).get(), Some(time));
        }
    }
}
