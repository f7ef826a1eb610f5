//! Parses a viewport meta as Chromium does (`HTMLMetaElement` in Blink).

/// The parsed content of a viewport meta.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::audit) struct Viewport {
    /// Whether the width is that of the device; `None` if it is not set.
    is_device_wide: Option<bool>,
    has_height: bool,
    initial_scale: Option<f64>,
    /// The largest zoom; `None` when it is unlimited.
    pub(in crate::audit) maximum_scale: Option<f64>,
    /// Whether the user may zoom.
    pub(in crate::audit) user_scalable: bool,
}

impl Viewport {
    /// Parses the content of a viewport meta. Unknown properties and invalid values are ignored; the last of a
    /// repeated property counts.
    pub(in crate::audit) fn parse(content: &str) -> Self {
        let mut viewport = Self { user_scalable: true, ..Self::default() };
        for (name, value) in properties(content) {
            match name.as_str() {
                "width" if is_length(&value) => viewport.is_device_wide = Some(value == "device-width"),
                "height" => viewport.has_height |= is_length(&value),
                "initial-scale" => viewport.initial_scale = scale(&value),
                "maximum-scale" => viewport.maximum_scale = scale(&value),
                "user-scalable" => viewport.user_scalable = is_yes(&value),
                _ => {}
            }
        }
        viewport
    }

    /// Whether the layout is as wide as the device: by `width`, or by `initial-scale` without width and height (CSS
    /// Device Adaptation, 9.2).
    pub(in crate::audit) fn fits_the_device(&self) -> bool {
        let by_scale = self.initial_scale.is_some_and(|scale| scale >= 1.0) && !self.has_height;
        self.is_device_wide.unwrap_or(by_scale)
    }
}

/// White space, `=` and `,` separate; `;` does not, although many pages use it.
fn is_separator(sign: char) -> bool {
    matches!(sign, ' ' | '\t' | '\n' | '\r' | '=' | ',' | '\0')
}

/// Returns names and values in lower case. A name extends to the next separator; its value begins after the next `=`
/// that precedes a comma.
fn properties(content: &str) -> Vec<(String, String)> {
    let lower = content.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut rest = lower.trim_start_matches(is_separator);
    while !rest.is_empty() {
        let (name, after) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
        let after = &after[after.find(['=', ',']).unwrap_or(after.len())..];
        let value = after.trim_start_matches(|sign| is_separator(sign) && sign != ',');
        let (value, after) = value.split_at(value.find(is_separator).unwrap_or(value.len()));
        found.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start_matches(is_separator);
    }
    found
}

/// Parses the number at the beginning of a value.
fn number(value: &str) -> Option<f64> {
    let is_part = |sign: char| sign.is_ascii_digit() || "+-.".contains(sign);
    let mut digits = &value[..value.find(|sign| !is_part(sign)).unwrap_or(value.len())];
    while !digits.is_empty() {
        if let Ok(number) = digits.parse() {
            return Some(number);
        }
        digits = &digits[..digits.len() - 1];
    }
    None
}

/// Whether browsers use a width or height.
fn is_length(value: &str) -> bool {
    matches!(value, "device-width" | "device-height") || number(value).is_some_and(|length| length >= 0.0)
}

/// Parses a scale from 0.1 to 10: `yes` is 1, `no` and invalid numbers are 0.1, negative numbers mean no limit.
fn scale(value: &str) -> Option<f64> {
    let scale = match value {
        "yes" => 1.0,
        "device-width" | "device-height" => 10.0,
        other => number(other).unwrap_or(0.0),
    };
    (scale >= 0.0).then(|| scale.clamp(0.1, 10.0))
}

/// Parses the value of `user-scalable`: numbers between -1 and 1 and unknown words mean no.
fn is_yes(value: &str) -> bool {
    matches!(value, "yes" | "device-width" | "device-height") || number(value).is_some_and(|number| number.abs() >= 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_read_as_chromium_reads_it() {
        for content in [
            "width=device-width, initial-scale=1",
            "width=device-width initial-scale=1",
            "initial-scale = 1 , WIDTH = Device-Width",
            ",,width==device-width,,initial-scale=1,",
            "width=320,width=device-width,initial-scale=1",
            "width=device-width,width=auto",
            "width = device-width minimum-scale=1",
            "initial-scale=1",
            "initial-scale=1.0,shrink-to-fit=no",
            // The value is `device-width;`, which has no meaning; the scale makes up for it.
            "width=device-width; initial-scale=1",
        ] {
            assert!(Viewport::parse(content).fits_the_device(), "{content}");
        }
        for content in [
            "",
            "width",
            "width:device-width",
            "width=",
            "width,=device-width",
            "\"width=device-width\"",
            "width=device-width;",
            "width=device-width; user-scalable=no",
            "width device-width initial-scale=1",
            "initial-scale=0.5",
            "initial-scale=-1",
            "initial-scale=1, height=500",
            "width=1024, initial-scale=1",
            "width=device-width,width=320",
        ] {
            assert!(!Viewport::parse(content).fits_the_device(), "{content}");
        }
    }

    #[test]
    fn zoom_is_read_as_chromium_reads_it() {
        for (value, expected) in [
            ("1", Some(1.0)),
            ("yes", Some(1.0)),
            ("no", Some(0.1)),
            ("none", Some(0.1)),
            ("-1", None),
            ("5.0x", Some(5.0)),
            ("1.5.5", Some(1.5)),
            ("device-width", Some(10.0)),
            ("100", Some(10.0)),
        ] {
            assert_eq!(Viewport::parse(&format!("maximum-scale={value}")).maximum_scale, expected, "{value}");
        }
        for (value, expected) in [
            ("no", false),
            ("0", false),
            ("0.5", false),
            ("-0.9", false),
            ("false", false),
            ("", false),
            ("yes", true),
            ("1", true),
            ("-1", true),
            ("device-width", true),
        ] {
            assert_eq!(Viewport::parse(&format!("user-scalable={value}")).user_scalable, expected, "{value}");
        }
        assert!(Viewport::parse("").user_scalable);
    }

    proptest::proptest! {
        #[test]
        fn any_content_is_read_without_a_panic(content in "([a-z-]{0,5}|[=,; .0-9+ü-]|width|device-width|scale){0,20}") {
            let _ = Viewport::parse(&content);
        }
    }
}
