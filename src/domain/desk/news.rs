//! Notifications about teammates' actions that concern the user.

use super::event::{DeskEvent, EventDetail};
use super::person::{DeskActor, Handle};
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::domain::triage::StateKind;

/// An action of another person that concerns the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskNews {
    /// Who acted.
    pub by: Handle,
    /// The report.
    pub report: ReportId,
    /// What happened.
    pub kind: DeskNewsKind,
}

/// Why an event concerns the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeskNewsKind {
    /// The report was assigned to the user.
    Assigned,
    /// The user's report was assigned to this person, or released (`None`).
    Taken(Option<Handle>),
    /// The user's report was set to this state.
    StateSet(StateKind),
    /// This note mentions the user.
    Mentioned(Text),
}

impl DeskNews {
    /// Whether it makes earlier news outdated: a report has one holder and one state, while every mention counts.
    pub fn replaces(&self, earlier: &Self) -> bool {
        let is_mention = |news: &Self| matches!(news.kind, DeskNewsKind::Mentioned(_));
        self.report == earlier.report && !is_mention(self) && !is_mention(earlier)
    }

    /// Returns the news that an event is to `me`, if any. Actions of robots and of `me` are never news.
    pub fn of(event: &DeskEvent, me: &Handle) -> Option<Self> {
        let DeskActor::Person(by) = &event.person else { return None };
        if by == me || event.cause.is_some() {
            return None;
        }
        let news = |report: &ReportId, kind| Some(Self { by: by.clone(), report: report.clone(), kind });
        match &event.detail {
            EventDetail::State { before, after } => {
                let held = before.as_deref().filter(|row| row.holder.as_ref() == Some(me));
                let state = after.state.kind();
                // A report that another person settled no longer needs a holder.
                let is_released = after.holder.is_none() && state.is_settled();
                match (held, after.holder.as_ref() == Some(me)) {
                    (None, true) => news(&after.report, DeskNewsKind::Assigned),
                    (None, false) => None,
                    (Some(_), false) if !is_released => news(&after.report, DeskNewsKind::Taken(after.holder.clone())),
                    (Some(before), _) if before.state != after.state => {
                        news(&after.report, DeskNewsKind::StateSet(state))
                    }
                    (Some(_), _) => None,
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

/// Whether a text mentions a person: `@anna`, not as part of a longer word.
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
            // A full stop ends a mention, unless the handle continues after it.
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
