//! Recognises files that are not HTML by their first bytes (MIME Sniffing standard, 6).

const IMAGES: [(&[u8], &str); 5] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\0\0\x01\0", "an icon"),
    (b"RIFF", "a WebP image or another media file"),
];
const OTHERS: [(&[u8], &str); 3] = [
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a ZIP file, such as a document of an office program"),
    (b"\x1f\x8b\x08", "a gzip file"),
];

/// Returns what a file is, with its article; `None` for text and unknown files.
pub(in crate::audit) fn file_kind(body: &[u8]) -> Option<&'static str> {
    let start = body.trim_ascii_start();
    IMAGES.iter().chain(&OTHERS).find(|(first, _)| start.starts_with(first)).map(|(_, kind)| *kind)
}

/// Whether browsers show a file as an image, whatever its type.
pub(in crate::audit) fn is_image(body: &[u8]) -> bool {
    IMAGES.iter().any(|(first, _)| body.starts_with(first))
}
