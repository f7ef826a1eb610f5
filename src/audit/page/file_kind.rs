//! Recognises files that are not HTML by their first bytes (MIME Sniffing standard, 6).

const IMAGES: [(&[u8], &str); 5] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"\0\0\x01\0", "an icon"),
];
const OTHERS: [(&[u8], &str); 3] = [
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a ZIP file, such as a document of an office program"),
    (b"\x1f\x8b\x08", "a gzip file"),
];

/// Returns what a file is, with its article; `None` for text and unknown files.
pub(in crate::audit) fn file_kind(body: &[u8]) -> Option<&'static str> {
    let start = body.trim_ascii_start();
    image_kind(start).or_else(|| kind_among(&OTHERS, start))
}

/// Whether browsers show a file as an image, whatever its type.
pub(in crate::audit) fn is_image(body: &[u8]) -> bool {
    image_kind(body).is_some()
}

fn image_kind(start: &[u8]) -> Option<&'static str> {
    // The four bytes in between are a length.
    let is_webp = start.starts_with(b"RIFF") && start.get(8..).is_some_and(|rest| rest.starts_with(b"WEBPVP"));
    if is_webp { Some("a WebP image") } else { kind_among(&IMAGES, start) }
}

fn kind_among(kinds: &[(&[u8], &'static str)], start: &[u8]) -> Option<&'static str> {
    kinds.iter().find(|(first, _)| start.starts_with(first)).map(|(_, kind)| *kind)
}
