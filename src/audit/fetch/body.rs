//! Reads and decompresses one response body. Output is counted while it is decompressed, so that a decompression bomb
//! stops at the limit.

use std::io::{self, Write};

use flate2::write::{DeflateDecoder, GzDecoder, ZlibDecoder};

/// Encodings that requests do not offer (IANA registry of content codings).
const NOT_OFFERED: [&str; 9] =
    ["aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd"];

/// Reads one body into memory, with one limit in bytes for compressed input and for decompressed output.
pub(in crate::audit) struct BodyReader {
    decoder: Decoder,
    limit: usize,
    wire: usize,
}

/// A body, complete or up to the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) struct ReadBody {
    pub(in crate::audit) bytes: Vec<u8>,
    pub(in crate::audit) wire: usize,
}

/// Whether the reader accepts more input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::audit) enum ReadProgress {
    NeedsMore,
    LimitReached,
}

enum Decoder {
    Plain(BoundedBuffer),
    Gzip(Box<GzDecoder<BoundedBuffer>>),
    /// `deflate` before the first byte, which distinguishes zlib from raw deflate.
    Undecided(BoundedBuffer),
    Zlib(Box<ZlibDecoder<BoundedBuffer>>),
    Raw(Box<DeflateDecoder<BoundedBuffer>>),
}

/// A buffer with a maximum length.
struct BoundedBuffer {
    bytes: Vec<u8>,
    limit: usize,
    full: bool,
}

impl BoundedBuffer {
    fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit, full: false }
    }
}

impl Write for BoundedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.limit - self.bytes.len();
        if room < bytes.len() {
            self.full = true;
        }
        if room == 0 && !bytes.is_empty() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        let taken = room.min(bytes.len());
        self.bytes.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl BodyReader {
    /// Creates a reader for the value of `Content-Encoding`; `None` for an encoding that was not offered, or several.
    ///
    /// A word that is no encoding, such as `none` or `utf-8`, changes nothing: browsers then take the body as it is
    /// (Fetch standard, "handle content codings").
    pub(in crate::audit) fn new(encoding: &str, limit: usize) -> Option<Self> {
        let bounded = BoundedBuffer::new(limit);
        let encoding = encoding.trim().to_ascii_lowercase();
        let decoder = match encoding.as_str() {
            "gzip" | "x-gzip" => Decoder::Gzip(Box::new(GzDecoder::new(bounded))),
            "deflate" => Decoder::Undecided(bounded),
            other if other.contains(',') || NOT_OFFERED.contains(&other) => return None,
            _ => Decoder::Plain(bounded),
        };
        Some(Self { decoder, limit, wire: 0 })
    }

    /// Decodes one chunk. Fails when the compressed data is damaged.
    pub(in crate::audit) fn push(&mut self, piece: &[u8]) -> io::Result<ReadProgress> {
        self.wire += piece.len();
        self.decide(piece);
        let written = match &mut self.decoder {
            Decoder::Plain(bounded) | Decoder::Undecided(bounded) => bounded.write_all(piece),
            Decoder::Gzip(decoder) => decoder.write_all(piece),
            Decoder::Zlib(decoder) => decoder.write_all(piece),
            Decoder::Raw(decoder) => decoder.write_all(piece),
        };
        let full = self.bounded().full || self.wire >= self.limit;
        match written {
            // The compressed data has ended if nothing is taken. Browsers ignore what follows.
            Err(error) if !full && error.kind() != io::ErrorKind::WriteZero => Err(error),
            Ok(()) | Err(_) => Ok(if full { ReadProgress::LimitReached } else { ReadProgress::NeedsMore }),
        }
    }

    /// Returns the body; of a truncated compressed body, the part that could be decoded.
    pub(in crate::audit) fn finish(self) -> ReadBody {
        let bytes = match self.decoder {
            Decoder::Plain(bounded) | Decoder::Undecided(bounded) => bounded.bytes,
            Decoder::Gzip(mut decoder) => {
                let _ = decoder.try_finish();
                std::mem::take(&mut decoder.get_mut().bytes)
            }
            Decoder::Zlib(mut decoder) => {
                let _ = decoder.try_finish();
                std::mem::take(&mut decoder.get_mut().bytes)
            }
            Decoder::Raw(mut decoder) => {
                let _ = decoder.try_finish();
                std::mem::take(&mut decoder.get_mut().bytes)
            }
        };
        ReadBody { bytes, wire: self.wire }
    }

    /// Chooses the `deflate` format by the first byte: the standard means zlib, some servers send raw deflate (RFC
    /// 9110, 8.4.1.2).
    fn decide(&mut self, piece: &[u8]) {
        let (Decoder::Undecided(_), Some(first)) = (&self.decoder, piece.first()) else { return };
        let bounded = BoundedBuffer::new(self.limit);
        self.decoder = if first & 0x0f == 8 {
            Decoder::Zlib(Box::new(ZlibDecoder::new(bounded)))
        } else {
            Decoder::Raw(Box::new(DeflateDecoder::new(bounded)))
        };
    }

    fn bounded(&self) -> &BoundedBuffer {
        match &self.decoder {
            Decoder::Plain(bounded) | Decoder::Undecided(bounded) => bounded,
            Decoder::Gzip(decoder) => decoder.get_ref(),
            Decoder::Zlib(decoder) => decoder.get_ref(),
            Decoder::Raw(decoder) => decoder.get_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    fn read(encoding: &str, bytes: &[u8], limit: usize) -> (ReadProgress, ReadBody) {
        let mut reader = BodyReader::new(encoding, limit).unwrap();
        let mut appetite = ReadProgress::NeedsMore;
        for piece in bytes.chunks(7) {
            appetite = reader.push(piece).unwrap();
            if appetite == ReadProgress::LimitReached {
                break;
            }
        }
        (appetite, reader.finish())
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn every_offered_encoding_is_decoded() {
        let text = b"all is well, all is well, all is well".as_slice();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(text).unwrap();
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::best());
        raw.write_all(text).unwrap();
        for (encoding, bytes) in [
            ("", text.to_vec()),
            ("GZIP", gzip(text)),
            ("deflate", zlib.finish().unwrap()),
            ("deflate", raw.finish().unwrap()),
        ] {
            let (appetite, body) = read(encoding, &bytes, 1000);
            assert_eq!(
                (appetite, body.bytes.as_slice(), body.wire),
                (ReadProgress::NeedsMore, text, bytes.len()),
                "{encoding}"
            );
        }
        assert!(BodyReader::new("br", 10).is_none());
    }

    #[test]
    fn bytes_after_the_end_of_compressed_data_are_ignored() {
        let text = b"all is well, all is well, all is well".as_slice();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(text).unwrap();
        for (encoding, mut bytes) in [("gzip", gzip(text)), ("deflate", zlib.finish().unwrap())] {
            bytes.extend(b"\n<!-- written by a plugin after the end of the page -->\n");
            let (appetite, body) = read(encoding, &bytes, 1000);
            assert_eq!((appetite, body.bytes.as_slice()), (ReadProgress::NeedsMore, text), "{encoding}");
        }
    }

    #[test]
    fn a_decompression_bomb_stops_at_the_limit() {
        let bomb = gzip(&vec![0; 10_000_000]);
        let (appetite, body) = read("gzip", &bomb, 5_000);
        assert_eq!((appetite, body.bytes.len()), (ReadProgress::LimitReached, 5_000));
        assert!(body.wire < bomb.len());
        let (appetite, body) = read("", &[b'x'; 100], 50);
        assert_eq!((appetite, body.bytes.len()), (ReadProgress::LimitReached, 50));
    }

    #[test]
    fn a_damaged_body_is_an_error_and_a_truncated_one_is_not() {
        let mut reader = BodyReader::new("gzip", 1000).unwrap();
        assert!(reader.push(b"this is no gzip at all").is_err());
        let whole = gzip(b"0123456789 abcdefghij 0123456789 abcdefghij");
        let (_, body) = read("gzip", &whole[..whole.len() - 9], 1000);
        assert!(b"0123456789 abcdefghij 0123456789 abcdefghij".starts_with(&body.bytes));
    }
}
