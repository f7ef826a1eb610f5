//! Many texts put in the order of their bytes.
//!
//! Comparing two texts goes to two places of the memory, and sorting 100,000 compares nearly two million times. Here each
//! text is looked at once for every sixteen of its bytes, as a number, and numbers are compared; only texts that begin
//! alike are looked at again. Must not know whose texts they are.

use std::cmp::Ordering;

use crate::domain::query::Direction;
use crate::domain::workspace::workspace;

/// Bytes that are looked at together.
const BYTES: usize = 16;
/// So few that begin alike are compared whole.
const FEW: usize = 32;
/// Texts that go on alike for longer than this are compared whole: each step goes one call deeper.
const LONGEST: usize = 64 * BYTES;

struct Item<'a> {
    next: (u64, u64),
    text: &'a [u8],
    place: u32,
}

/// The places of so many texts in their order; `None` where one is no text. Equal ones stay in the order of their places,
/// whatever the direction.
pub fn in_order<'a>(
    count: usize,
    texts: impl Iterator<Item = Option<(&'a str, u32)>>,
    direction: Direction,
) -> Option<Vec<u32>> {
    let mut items = workspace(count);
    for text in texts {
        let (text, place) = text?;
        items.push(Item { next: (0, 0), text: text.as_bytes(), place });
    }
    order(&mut items, 0, direction);
    Some(items.iter().map(|item| item.place).collect())
}

/// Orders items whose texts are alike up to here.
fn order(items: &mut [Item<'_>], from: usize, direction: Direction) {
    // Behind the end of a text stand zeros. Where they meet zeros that were sent, the whole texts decide in the end.
    if items.len() <= FEW || from >= LONGEST || items.iter().all(|item| item.text.len() <= from) {
        return items.sort_unstable_by(|a, b| by(direction, a.text.cmp(b.text)).then(a.place.cmp(&b.place)));
    }
    for item in &mut *items {
        item.next = numbers(item.text.get(from..).unwrap_or_default());
    }
    items.sort_unstable_by(|a, b| by(direction, a.next.cmp(&b.next)));
    for alike in items.chunk_by_mut(|a, b| a.next == b.next).filter(|alike| alike.len() > 1) {
        order(alike, from + BYTES, direction);
    }
}

/// The first bytes as numbers that are larger where they stand later.
fn numbers(bytes: &[u8]) -> (u64, u64) {
    let mut number = [0; BYTES];
    let count = bytes.len().min(BYTES);
    number[..count].copy_from_slice(&bytes[..count]);
    let number = u128::from_be_bytes(number);
    ((number >> 64) as u64, number as u64)
}

fn by(direction: Direction, order: Ordering) -> Ordering {
    match direction {
        Direction::Ascending => order,
        Direction::Descending => order.reverse(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plainly(texts: &[String], direction: Direction) -> Vec<u32> {
        let mut places: Vec<u32> = (0_u32..).take(texts.len()).collect();
        places.sort_by(|a, b| by(direction, texts[*a as usize].cmp(&texts[*b as usize])));
        places
    }

    fn quickly(texts: &[String], direction: Direction) -> Vec<u32> {
        let texts = texts.iter().map(String::as_str).zip(0_u32..);
        in_order(0, texts.map(Some), direction).unwrap()
    }

    proptest! {
        #[test]
        fn texts_stand_as_comparing_them_says(
            texts in prop::collection::vec("(https://)?(shop.example/|blog.example/)?(section-[0-3]/page-)?[0-2\u{0}é]{0,3}", 0..200),
            long in prop::collection::vec("(a{16}){0,3}(\u{0}{16})?[ab\u{0}]?", 0..60),
            others in prop::collection::vec(any::<String>(), 0..20),
            descending: bool,
        ) {
            let direction = if descending { Direction::Descending } else { Direction::Ascending };
            let texts = [texts, long, others].concat();
            prop_assert_eq!(quickly(&texts, direction), plainly(&texts, direction));
        }
    }

    #[test]
    fn what_is_no_text_is_left_to_others() {
        assert_eq!(in_order(2, [Some(("a", 0)), None].into_iter(), Direction::Ascending), None);
    }

    #[test]
    fn texts_that_are_alike_for_long_are_no_deep_matter() {
        let texts: Vec<String> = (0..40).map(|number| format!("{}{}", "a".repeat(1 << 20), number % 20)).collect();
        assert_eq!(quickly(&texts, Direction::Ascending), plainly(&texts, Direction::Ascending));
    }
}
