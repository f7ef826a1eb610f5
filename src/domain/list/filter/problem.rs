//! Problems of filter terms: what is wrong, at which position, and what was probably meant.

use std::ops::Range;

use crate::domain::text::clean;

/// A term that probably does not select what was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterProblem {
    /// The term's position, in characters.
    pub place: Range<usize>,
    /// What is wrong, in one user-facing sentence without its full stop.
    pub text: String,
    /// The qualifier with its colon, or the value, that was probably meant.
    pub nearest: Option<String>,
    /// Whether URLs are searched for the term nevertheless.
    pub is_searched: bool,
}

impl FilterProblem {
    /// Creates a problem; its text ends with the suggestion, if there is one.
    pub(super) fn new(place: Range<usize>, text: &str, nearest: Option<&str>) -> Self {
        let meant = nearest.map(|meant| format!("; did you mean {}?", clean(meant))).unwrap_or_default();
        Self { place, text: format!("{}{meant}", clean(text)), nearest: nearest.map(str::to_owned), is_searched: false }
    }

    /// What is wrong, and what the list shows nevertheless.
    pub fn shown(&self) -> String {
        match (self.is_searched, &self.nearest) {
            (false, _) => self.text.clone(),
            (true, None) => format!("{}: searching URLs for it", self.text),
            (true, Some(_)) => format!("{} URLs are searched for it", self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::list::filter::Filter;

    #[test]
    fn a_problem_says_whether_urls_are_searched_and_parts_of_urls_are_none() {
        let shown = |filter: &str| Filter::parse(filter).problems().first().map(super::FilterProblem::shown);
        for (filter, expected) in [
            ("result=bad", Some("result needs a colon; did you mean result:bad? URLs are searched for it")),
            ("score<50", Some("score needs a colon; did you mean score:<50?")),
            ("special:search", Some("unknown qualifier special: searching URLs for it")),
            ("\"result=bad\"", None),
            ("?result=bad", None),
            ("results=bad", None),
        ] {
            assert_eq!(shown(filter).as_deref(), expected, "{filter}");
        }
    }
}
