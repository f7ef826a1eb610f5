//! Room for work that is soon over.
//!
//! Must not know what work.

/// A block of at least so many bytes is taken from the system and given back to it whole. What is smaller, the C library of
/// Linux keeps for later once a block of that size was freed: after a sort of 100,000 rows that would be megabytes for the
/// rest of the day. (`mallopt(3)`, `M_MMAP_THRESHOLD`: its own limit grows up to 32 MiB.)
const WHOLE: usize = (32 << 20) + (1 << 12);

/// From here on room is taken generously. A list of 100,000 has more than this; the lists whose bytes `tests/guard` counts
/// have less, as room that is never written to would count there too.
const SMALL: usize = 2 << 20;

/// An empty list with room for so many. Where they are many, there is room for many more: what is never written to costs
/// nothing. For lists that are let go of when the work is done; what stays of them is to be copied.
pub fn workspace<T>(count: usize) -> Vec<T> {
    let (mut room, size) = (Vec::new(), size_of::<T>().max(1));
    let is_large = cfg!(target_pointer_width = "64") && count.saturating_mul(size) >= SMALL;
    // Where the system gives nothing that it does not have, what is needed will do.
    if !is_large || room.try_reserve_exact(count.max(WHOLE / size + 1)).is_err() {
        room.reserve(count);
    }
    room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_what_is_wanted_and_a_large_block_is_a_very_large_one() {
        for (count, is_large) in [(0, false), (10, false), (500_000, true), (20_000_000, true)] {
            let room: Vec<[u8; 5]> = workspace(count);
            assert!(room.capacity() >= count && (room.capacity() * 5 >= WHOLE) == is_large && room.is_empty());
        }
    }
}
