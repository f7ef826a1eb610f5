//! Numbers and texts as bytes, and back: the plainest form that is read quickly.
//!
//! Reading never trusts: whatever is cut off or makes no sense is `None`. Must not know what the values mean.

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
}

/// Bytes that are being read.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// One byte.
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
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

    /// How many things follow. Never more than bytes are left, so that nobody makes room for what cannot be there.
    pub(super) fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|length| *length <= self.0.len())
    }

    /// A text.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = self.length()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        str::from_utf8(text).ok()
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
            let mut reader = Reader(&writer.0);
            prop_assert_eq!(reader.number(), Some(number));
            prop_assert_eq!(reader.signed(), Some(signed));
            prop_assert_eq!(reader.text(), Some(&*text));
            prop_assert_eq!((reader.byte(), reader.byte()), (Some(byte), None));
        }

        #[test]
        fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            let _ = (Reader(&bytes).number(), Reader(&bytes).signed(), Reader(&bytes).length(), Reader(&bytes).text());
        }
    }
}
