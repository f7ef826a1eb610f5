//! Ages and time spans as text: `5 min ago`, `30d`.

use jiff::{SignedDuration, Timestamp};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// Formats an age: `just now`, `5 min ago`, `2 h ago`, `3 d ago`, `2 y ago`; a future time is `soon` within a minute,
/// else `in 5 min`.
pub fn relative(now: Timestamp, then: Timestamp) -> String {
    let seconds = now.as_second() - then.as_second();
    let (number, unit) = match seconds.abs() {
        away if away < MINUTE => return if seconds >= 0 { "just now".into() } else { "soon".into() },
        away if away < HOUR => (away / MINUTE, "min"),
        away if away < DAY => (away / HOUR, "h"),
        away if away < YEAR => (away / DAY, "d"),
        away => (away / YEAR, "y"),
    };
    if seconds >= 0 { format!("{number} {unit} ago") } else { format!("in {number} {unit}") }
}

/// Parses a span: `45s`, `90m`, `12h`, `30d`, `2w`, `1y`. `None` for anything else.
pub fn parse_span(text: &str) -> Option<SignedDuration> {
    let unit_at = text.find(|character: char| !character.is_ascii_digit())?;
    let number: i64 = text[..unit_at].parse().ok()?;
    let unit = match &text[unit_at..] {
        "s" => 1,
        "m" | "min" => MINUTE,
        "h" => HOUR,
        "d" => DAY,
        "w" => 7 * DAY,
        "y" => YEAR,
        _ => return None,
    };
    number.checked_mul(unit).map(SignedDuration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_written_in_their_largest_unit() {
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        let table = [
            (0, "just now"),
            (59, "just now"),
            (60, "1 min ago"),
            (3_599, "59 min ago"),
            (3_600, "1 h ago"),
            (86_400, "1 d ago"),
            (31_536_000, "1 y ago"),
            (-30, "soon"),
            (-300, "in 5 min"),
        ];
        for (seconds, expected) in table {
            let then = now - SignedDuration::from_secs(seconds);
            assert_eq!(relative(now, then), expected);
        }
    }

    #[test]
    fn written_spans_are_parsed() {
        assert_eq!(parse_span("30d"), Some(SignedDuration::from_secs(30 * DAY)));
        assert_eq!(parse_span("2w"), Some(SignedDuration::from_secs(14 * DAY)));
        for text in ["", "d", "30", "30x", "-3d", "99999999999999999999d", "9223372036854775807y"] {
            assert_eq!(parse_span(text), None, "{text}");
        }
    }
}
