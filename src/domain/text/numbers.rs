//! Numbers, counts and percentages as text: `1,089`, `2 reports`, `37 %`.

/// Formats a number with thousands separators: `1,089`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a count with its noun: `1 report`, `2 reports`, `1,089 reports`.
pub fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Formats a share in whole percent, rounded: `37 %`. A small part is not `0 %` but `<1 %`, and only the whole is `100 %`.
pub fn percent(part: u64, whole: u64) -> String {
    match (part * 100 + whole / 2) / whole.max(1) {
        0 if part > 0 => "<1 %".to_owned(),
        100.. if part < whole => "99 %".to_owned(),
        share => format!("{share} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_in_threes() {
        let table = [(0, "0"), (999, "999"), (1_000, "1,000"), (1_089, "1,089"), (1_000_000, "1,000,000")];
        for (number, expected) in table {
            assert_eq!(grouped(number), expected);
        }
        assert_eq!((percent(1, 3), percent(1, 999), percent(0, 0)), ("33 %".into(), "<1 %".into(), "0 %".into()));
        assert_eq!([10, 7, 5].map(|part| percent(part, 22)), ["45 %", "32 %", "23 %"]);
        assert_eq!((percent(999, 1_000), percent(9, 9)), ("99 %".into(), "100 %".into()), "100 % are all");
        assert_eq!(counted(1, "report"), "1 report");
        assert_eq!(counted(2, "report"), "2 reports");
    }
}
