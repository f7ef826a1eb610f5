//! What a person is told of the others' work: once, when it happens.

use super::event::{DeskEvent, EventDetail};
use super::person::{DeskActor, Handle};
use crate::domain::report::ReportId;
use crate::domain::text::Text;

/// Something that another person did and that concerns this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskNews {
    /// Who did it.
    pub by: Handle,
    /// The report.
    pub report: ReportId,
    /// What.
    pub kind: DeskNewsKind,
}

/// Why an event concerns a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeskNewsKind {
    /// The report was assigned to the person.
    Assigned,
    /// The report, which the person held, was taken by this one, or by nobody.
    Taken(Option<Handle>),
    /// The person is mentioned in this note.
    Mentioned(Text),
}

impl DeskNews {
    /// What of an event concerns a person. Nothing that a robot or the person did.
    pub fn of(event: &DeskEvent, me: &Handle) -> Option<Self> {
        let DeskActor::Person(by) = &event.person else { return None };
        if by == me || event.cause.is_some() {
            return None;
        }
        let news = |report: &ReportId, kind| Some(Self { by: by.clone(), report: report.clone(), kind });
        match &event.detail {
            EventDetail::State { before, after } => {
                let held = before.as_deref().and_then(|row| row.holder.as_ref()) == Some(me);
                match (held, after.holder.as_ref() == Some(me)) {
                    (false, true) => news(&after.report, DeskNewsKind::Assigned),
                    // A report that another settled needs nobody any more.
                    (true, false) if after.holder.is_some() || after.state.kind().is_open() => {
                        news(&after.report, DeskNewsKind::Taken(after.holder.clone()))
                    }
                    _ => None,
                }
            }
            EventDetail::Note { before: None, after } if mentions(after.text.raw(), me) => {
                news(&after.report, DeskNewsKind::Mentioned(after.text.clone()))
            }
            EventDetail::Note { .. }
            | EventDetail::Service { .. }
            | EventDetail::Merged { .. }
            | EventDetail::Key { .. }
            | EventDetail::Person { .. }
            | EventDetail::Unknown => None,
        }
    }
}

/// Whether a text names a person: `@anna`, not as part of a longer word.
pub fn mentions(text: &str, person: &Handle) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    text.match_indices('@').any(|(at, _)| {
        let rest = &text[at + 1..];
        let Some(behind) = rest.get(..person.as_str().len()).filter(|name| name.eq_ignore_ascii_case(person.as_str()))
        else {
            return false;
        };
        let mut following = rest[behind.len()..].chars();
        let ends = match following.next() {
            // A full stop ends a sentence, unless a handle goes on behind it.
            Some('.') => following.next().is_none_or(|next| !is_part(next)),
            Some(letter) => !is_part(letter),
            None => true,
        };
        ends && !text[..at].ends_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mention_is_an_at_sign_and_the_whole_handle() {
        let anna: Handle = "anna".parse().unwrap();
        for (text, expected) in [
            ("@anna", true),
            ("please look, @Anna.", true),
            ("(@anna)", true),
            ("@ben and @anna: see below", true),
            ("@annabel", false),
            ("@anna.lee", false),
            ("@anna-lee", false),
            ("mail to x@anna", false),
            ("anna", false),
            ("@", false),
            ("@ännä @annä", false),
        ] {
            assert_eq!(mentions(text, &anna), expected, "{text}");
        }
    }
}
