//! What a viewport meta says, read as browsers read it. Must not know pages.

/// The properties of a viewport meta, in lower case, in their order.
///
/// The algorithm of CSS Viewport (CSS Device Adaptation, section 9): white space, commas and semicolons separate alike,
/// and white space is allowed around the sign between a name and its value.
pub(super) fn properties(content: &str) -> Vec<(String, String)> {
    let lower = content.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut rest = lower.as_str();
    loop {
        rest = rest.trim_start_matches(|sign| ends_a_value(sign) || sign == '=');
        if rest.is_empty() {
            return found;
        }
        let end = rest.find(|sign| ends_a_value(sign) || sign == '=').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let sign = after.find([',', ';', '=']).unwrap_or(after.len());
        rest = &after[sign..];
        if !rest.starts_with('=') {
            continue;
        }
        rest = rest.trim_start_matches(|sign| is_space(sign) || sign == '=');
        let end = rest.find(|sign| ends_a_value(sign) || sign == '=').unwrap_or(rest.len());
        if end > 0 {
            found.push((name.to_owned(), rest[..end].to_owned()));
        }
        rest = &rest[end..];
    }
}

/// The value of a property: the last one wins.
pub(super) fn property(content: &str, name: &str) -> Option<String> {
    properties(content).into_iter().rfind(|(own, _)| own == name).map(|(_, value)| value)
}

fn is_space(sign: char) -> bool {
    matches!(sign, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

fn ends_a_value(sign: char) -> bool {
    is_space(sign) || matches!(sign, ',' | ';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read_as_a_browser_reads_it() {
        for content in [
            "width=device-width, initial-scale=1",
            "width=device-width initial-scale=1",
            " initial-scale = 1 ;WIDTH = Device-Width",
            ",,width==device-width;;initial-scale=1,",
            "width=320,width=device-width,initial-scale=1",
        ] {
            assert_eq!(property(content, "width").as_deref(), Some("device-width"), "{content}");
            assert_eq!(property(content, "initial-scale").as_deref(), Some("1"), "{content}");
        }
        for content in ["", "width", "width:device-width", "width=", "width,=device-width", "\"width=device-width\""] {
            assert_eq!(property(content, "width").filter(|width| width == "device-width"), None, "{content}");
        }
    }
}
