//! Numbers and texts as bytes, and back: the plainest form that is read quickly.
//!
//! Reading never trusts: whatever is cut off or makes no sense is `None`. Must not know what the values mean.

use std::io::{self, Read, Write};

/// Bytes that are being written.
#[derive(Default)]
pub(super) struct Writer(pub Vec<u8>);

impl Writer {
    /// One byte.
    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// A number, seven bits a byte, the lowest first.
    pub(super) fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    /// A number that may be below zero: near zero is short, on both sides.
    pub(super) fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    /// A length.
    pub(super) fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    /// A text with its length.
    pub(super) fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Passes on what was written, once it is enough to be worth it.
    pub(super) fn pass_on(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.0.len() < AT_ONCE {
            return Ok(());
        }
        out.write_all(&self.0)?;
        self.0.clear();
        Ok(())
    }

    /// Passes on what is left.
    pub(super) fn end(self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.0)
    }
}

/// So many bytes are read at once, or passed on.
const AT_ONCE: usize = 16 << 10;

/// Bytes that are being read, a little at a time: nobody needs all of them at once.
pub(super) struct Reader<R> {
    source: R,
    buffer: Vec<u8>,
    at: usize,
}

impl<R: Read> Reader<R> {
    /// Reads what comes from a source.
    pub(super) fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), at: 0 }
    }

    /// One byte.
    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = match self.buffer.get(self.at) {
            Some(byte) => *byte,
            None => *self.next(1)?.first()?,
        };
        self.at += 1;
        Some(byte)
    }

    /// A number.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// A number that may be below zero.
    pub(super) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// How many things follow, as somebody wrote it: nobody should make room for so many before they come.
    pub(super) fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// A text.
    pub(super) fn text(&mut self) -> Option<&str> {
        let length = self.length()?;
        self.next(length)?;
        let from = self.at;
        self.at += length;
        str::from_utf8(self.buffer.get(from..self.at)?).ok()
    }

    /// The next bytes, so many or more. Room is made for what came, never for what was only said to come.
    fn next(&mut self, wanted: usize) -> Option<&[u8]> {
        while self.buffer.len() - self.at < wanted {
            self.buffer.drain(..self.at);
            self.at = 0;
            let more = (&mut self.source).take(AT_ONCE as u64).read_to_end(&mut self.buffer).ok()?;
            if more == 0 {
                return None;
            }
        }
        self.buffer.get(self.at..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_written_is_read(number: u64, signed: i64, text in any::<String>(), byte: u8) {
            let mut writer = Writer::default();
            writer.number(number);
            writer.signed(signed);
            writer.text(&text);
            writer.byte(byte);
            let mut reader = Reader::new(&*writer.0);
            prop_assert_eq!(reader.number(), Some(number));
            prop_assert_eq!(reader.signed(), Some(signed));
            prop_assert_eq!(reader.text(), Some(&*text));
            prop_assert_eq!((reader.byte(), reader.byte()), (Some(byte), None));
        }

        #[test]
        fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            let reader = || Reader::new(&*bytes);
            let _ = (reader().number(), reader().signed(), reader().length());
            prop_assert!(reader().text().is_none_or(|text| text.len() < bytes.len()));
        }
    }

    #[test]
    fn texts_longer_than_what_is_read_at_once_are_whole() {
        let long = "é".repeat(3 * AT_ONCE);
        let mut writer = Writer::default();
        (0..3).for_each(|_| writer.text(&long));
        writer.length(usize::MAX);
        let mut reader = Reader::new(&*writer.0);
        assert!((0..3).all(|_| reader.text() == Some(&*long)));
        assert_eq!(reader.text(), None, "so much never comes");
    }
}
