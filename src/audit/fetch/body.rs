//! Decompresses a response body. Decompression stops at a limit, so that a decompression bomb does no harm.

use std::io::{self, ErrorKind, Read};

use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};

/// Encodings that requests do not offer (IANA registry of content codings).
const NOT_OFFERED: [&str; 9] =
    ["aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd"];

/// Whether bodies with this `Content-Encoding` can be decoded: not with an encoding that was not offered, or several.
///
/// A word that is no encoding, such as `none` or `utf-8`, changes nothing: browsers then take the body as it is (Fetch
/// standard, "handle content codings").
pub(in crate::audit) fn is_decodable(encoding: &str) -> bool {
    let encoding = encoding.trim().to_ascii_lowercase();
    !encoding.contains(',') && !NOT_OFFERED.contains(&encoding.as_str())
}

/// Decodes a body with this `Content-Encoding`, at most `limit` bytes of it, and says whether the rest was dropped; of a
/// truncated body, the part that can be decoded. Fails when the compressed data is damaged. Browsers ignore what follows compressed data.
pub(in crate::audit) fn decode(encoding: &str, body: &[u8], limit: usize) -> io::Result<(Vec<u8>, bool)> {
    let decoder: Box<dyn Read + '_> = match encoding.trim().to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => {
            let gzip = GzDecoder::new(body);
            match gzip.header() {
                // Like browsers, the checksum at the end is not compared.
                Some(_) => Box::new(DeflateDecoder::new(gzip.into_inner())),
                // Truncated in its header, or no gzip: reading it fails.
                None => Box::new(gzip),
            }
        }
        // The standard means zlib, some servers send raw deflate (RFC 9110, 8.4.1.2).
        "deflate" if body.first().is_some_and(|first| first & 0x0f == 8) => Box::new(ZlibDecoder::new(body)),
        "deflate" => Box::new(DeflateDecoder::new(body)),
        _ => Box::new(body),
    };
    let mut bytes = Vec::new();
    match decoder.take(limit as u64 + 1).read_to_end(&mut bytes) {
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error),
        Ok(_) | Err(_) => {}
    }
    let is_cut = bytes.len() > limit;
    bytes.truncate(limit);
    Ok((bytes, is_cut))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    fn decoded(encoding: &str, bytes: &[u8], limit: usize) -> (Vec<u8>, bool) {
        decode(encoding, bytes, limit).unwrap()
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
            assert!(is_decodable(encoding));
            assert_eq!(decoded(encoding, &bytes, 1000), (text.to_vec(), false), "{encoding}");
        }
        for encoding in ["br", "Zstd", "gzip, gzip"] {
            assert!(!is_decodable(encoding), "{encoding}");
        }
    }

    #[test]
    fn bytes_after_the_end_of_compressed_data_are_ignored() {
        let text = b"all is well, all is well, all is well".as_slice();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(text).unwrap();
        for (encoding, mut bytes) in [("gzip", gzip(text)), ("deflate", zlib.finish().unwrap())] {
            bytes.extend(b"\n<!-- written by a plugin after the end of the page -->\n");
            assert_eq!(decoded(encoding, &bytes, 1000), (text.to_vec(), false), "{encoding}");
        }
    }

    #[test]
    fn a_decompression_bomb_stops_at_the_limit() {
        let bomb = gzip(&vec![0; 10_000_000]);
        assert_eq!(decoded("gzip", &bomb, 5_000), (vec![0; 5_000], true));
        assert_eq!(decoded("", &[b'x'; 100], 50), (vec![b'x'; 50], true));
    }

    #[test]
    fn a_wrong_checksum_at_the_end_is_ignored_like_in_browsers() {
        let mut bytes = gzip(b"a page");
        let checksum = bytes.len() - 8;
        bytes[checksum] ^= 1;
        assert_eq!(decoded("gzip", &bytes, 1000), (b"a page".to_vec(), false));
    }

    #[test]
    fn a_damaged_body_is_an_error_and_a_truncated_one_is_not() {
        assert!(decode("gzip", b"this is no gzip at all", 1000).is_err());
        let whole = gzip(b"0123456789 abcdefghij 0123456789 abcdefghij");
        let (body, is_cut) = decoded("gzip", &whole[..whole.len() - 9], 1000);
        assert!(!is_cut && !body.is_empty() && b"0123456789 abcdefghij 0123456789 abcdefghij".starts_with(&body));
    }
}
