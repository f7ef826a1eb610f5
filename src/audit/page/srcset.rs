//! Parses the `srcset` attribute of images and sources.

/// Returns the URLs of a srcset. A URL ends with a space, and may contain commas but not end with one (HTML standard,
/// "parse a srcset attribute").
pub(in crate::audit) fn candidates_of(srcset: &str) -> Vec<&str> {
    let (mut candidates, mut rest) = (Vec::new(), srcset);
    loop {
        rest = rest.trim_start_matches(|sign: char| sign == ',' || sign.is_ascii_whitespace());
        if rest.is_empty() {
            return candidates;
        }
        let end = rest.find(|sign: char| sign.is_ascii_whitespace()).unwrap_or(rest.len());
        let url = &rest[..end];
        candidates.push(url.trim_end_matches(','));
        // Descriptors follow until the next comma, unless the URL ended with one.
        let after = if url.ends_with(',') { Some(end) } else { rest[end..].find(',').map(|comma| end + comma) };
        rest = after.map_or("", |after| &rest[after..]);
    }
}
