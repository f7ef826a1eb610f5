//! Groups equal errors of a check: `40 × no alt`.

use std::collections::HashMap;

use crate::domain::text::Text;

/// The longest kind of error, in bytes: anything longer is a sentence about a single error.
const LONGEST_KIND: usize = 60;
/// Characters that show that the text before a colon quotes the page instead of naming a kind of error.
const QUOTES: [char; 7] = ['"', '\'', '<', '=', '/', '\u{201c}', '\u{201d}'];

/// Errors of the same kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorGroup<'a> {
    /// The kind of several errors, or the whole text of a single one.
    pub text: &'a str,
    /// The number of errors, including those that the audit counted but did not list.
    pub count: usize,
    /// The locations of several errors; empty for a single error and for identical ones.
    pub places: Vec<&'a str>,
}

/// Groups the errors of a check by kind, in order of first occurrence.
pub fn group_errors<'a>(errors: &'a [Text]) -> Vec<ErrorGroup<'a>> {
    let mut errors: Vec<&'a str> = errors.iter().map(Text::shown).collect();
    let uncounted = errors.last().and_then(|last| not_listed(last)).filter(|_| errors.len() > 1);
    let tail = if uncounted.is_some() { errors.pop() } else { None };
    let mut groups: Vec<ErrorGroup<'a>> = Vec::new();
    let mut group_of: HashMap<&str, usize> = HashMap::new();
    for error in errors {
        let (kind, place) = kind_of(error).map_or((error, None), |(kind, place)| (kind, Some(place)));
        let at = *group_of.entry(kind).or_insert(groups.len());
        if at == groups.len() {
            groups.push(ErrorGroup { text: error, count: 0, places: Vec::new() });
        }
        let group = &mut groups[at];
        group.count += 1;
        group.places.extend(place);
        if group.count > 1 {
            group.text = kind;
        }
    }
    groups.iter_mut().filter(|group| group.count == 1).for_each(|group| group.places.clear());
    match (groups.as_mut_slice(), tail, uncounted) {
        // All listed errors are of one kind, so the unlisted ones are assumed to be too.
        ([only], _, Some(more)) if only.count > 1 => only.count += more,
        (_, Some(text), _) => groups.push(ErrorGroup { text, count: 1, places: Vec::new() }),
        (_, None, _) => {}
    }
    groups
}

impl ErrorGroup<'_> {
    /// Returns the number of errors, also for the text that ends an abbreviated list.
    pub fn total(&self) -> usize {
        not_listed(self.text).unwrap_or(self.count)
    }

    /// The group in one line with at most `most` locations: `5 × no alt: <img>, <img>, <img> and 2 more`.
    fn line(&self, most: usize) -> String {
        if self.count == 1 {
            return self.text.to_owned();
        }
        let places = &self.places[..self.places.len().min(most)];
        let separator = if places.is_empty() { "" } else { ": " };
        let more = self.count - places.len();
        let rest = if more > 0 && !places.is_empty() { format!(" and {more} more") } else { String::new() };
        format!("{} × {}{separator}{}{rest}", self.count, self.text, places.join(", "))
    }
}

/// Formats the errors of a check as one line with at most `most` kinds, and as many locations of each:
/// `no lang; 2 × no alt: <img>, <img>; and 3 more`.
pub fn error_line(errors: &[Text], most: usize) -> String {
    let groups = group_errors(errors);
    let (shown, rest) = groups.split_at(groups.len().min(most));
    let more: usize = rest.iter().map(ErrorGroup::total).sum();
    let more = (more > 0).then(|| format!("and {more} more"));
    shown.iter().map(|group| group.line(most)).chain(more).collect::<Vec<_>>().join("; ")
}

/// The maximum number of locations shown per kind; the JSON output has all of them.
const MOST_PLACES: usize = 3;

/// Formats the errors of a check as lines with an indent level: `5 × no alt`, and below it the first locations.
pub fn error_lines(errors: &[Text]) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    for group in group_errors(errors) {
        if group.count == 1 {
            lines.push((0, group.text.to_owned()));
            continue;
        }
        lines.push((0, format!("{} × {}", group.count, group.text)));
        lines.extend(group.places.iter().take(MOST_PLACES).map(|place| (1, (*place).to_owned())));
        let more = group.count.saturating_sub(MOST_PLACES);
        if more > 0 && !group.places.is_empty() {
            lines.push((1, format!("and {more} more")));
        }
    }
    lines
}

/// Splits an error into kind and location: `no alt`, `<img src="/tea.png">`. `None` if there is no kind before a colon.
pub fn kind_of(error: &str) -> Option<(&str, &str)> {
    let (kind, place) = error.split_once(": ")?;
    let is_kind = !kind.is_empty() && kind.len() <= LONGEST_KIND && !kind.contains(QUOTES) && !place.is_empty();
    is_kind.then_some((kind, place))
}

/// Parses the count from `and 480 more`, which ends an abbreviated list of errors.
pub fn not_listed(error: &str) -> Option<usize> {
    error.strip_prefix("and ")?.strip_suffix(" more")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grouped(errors: &[&str]) -> Vec<String> {
        let errors: Vec<Text> = errors.iter().map(|error| (*error).into()).collect();
        let line = |group: ErrorGroup<'_>| match group.count {
            1 => group.text.to_owned(),
            count => format!("{count} × {} ({})", group.text, group.places.join(", ")),
        };
        group_errors(&errors).into_iter().map(line).collect()
    }

    #[test]
    fn the_line_of_a_check_counts_what_it_does_not_name() {
        let line = |errors: &[&str]| error_line(&errors.iter().map(|error| (*error).into()).collect::<Vec<Text>>(), 2);
        let images = ["no alt: <a>", "no alt: <b>", "no alt: <c>", "no alt: <d>", "and 480 more"];
        assert_eq!(line(&images), "484 × no alt: <a>, <b> and 482 more");
        assert_eq!(line(&images[..2]), "2 × no alt: <a>, <b>");
        assert_eq!(line(&["<b> is odd", "<b> is odd", "empty: <a>"]), "2 × <b> is odd; empty: <a>");
        assert_eq!(line(&["odd", "even", "empty: <a>", "empty: <b>", "and 7 more"]), "odd; even; and 9 more");
        assert_eq!(line(&[]), "");
    }

    #[test]
    fn findings_of_one_kind_are_grouped_and_counted() {
        let table: [(&[&str], &[&str]); 7] = [
            (&["no alt: <img src=\"a\">", "no alt: <img>"], &["2 × no alt (<img src=\"a\">, <img>)"]),
            (&["no alt: <img>", "empty: <a>", "no alt: <b>"], &["2 × no alt (<img>, <b>)", "empty: <a>"]),
            (&["no alt: <img>", "no alt: <b>", "and 480 more"], &["482 × no alt (<img>, <b>)"]),
            (&["no alt: <img>", "odd", "and 480 more"], &["no alt: <img>", "odd", "and 480 more"]),
            (
                &["style=\"color: red\" on <p>", "style=\"color: blue\" on <p>"],
                &["style=\"color: red\" on <p>", "style=\"color: blue\" on <p>"],
            ),
            (&["twice", "twice"], &["2 × twice ()"]),
            (&["and 3 more"], &["and 3 more"]),
        ];
        for (errors, expected) in table {
            assert_eq!(grouped(errors), expected);
        }
    }

    #[test]
    fn lines_name_the_first_places_and_count_the_others() {
        let errors: Vec<Text> = (1..=5).map(|number| Text::from_outside(format!("no alt: <img {number}>"))).collect();
        let lines: Vec<String> =
            error_lines(&errors).into_iter().map(|(depth, line)| "-".repeat(depth) + &line).collect();
        assert_eq!(lines, ["5 × no alt", "-<img 1>", "-<img 2>", "-<img 3>", "-and 2 more"]);
    }

    proptest! {
        #[test]
        fn no_finding_is_lost(errors in proptest::collection::vec("[ab]{0,2}(: [ab<]{0,2})?", 0..12)) {
            let errors: Vec<Text> = errors.iter().map(|error| error.as_str().into()).collect();
            let groups = group_errors(&errors);
            prop_assert_eq!(groups.iter().map(|group| group.count).sum::<usize>(), errors.len());
            for group in &groups {
                prop_assert!(group.places.is_empty() || group.places.len() <= group.count);
            }
        }
    }
}
