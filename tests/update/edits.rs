//! An edit is sent only when the report still is what the form was opened with.

use crate::screen;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::{Edited, Message};
use reportdeck::domain::privacy::Privacy;
use reportdeck::domain::report::Report;

use crate::states::*;

fn edit(effects: &[Effect]) -> Option<(RequestId, Option<Privacy>, Option<Privacy>)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Edit(request, _, change, known) => Some((*request, change.privacy, known.privacy)),
        _ => None,
    })
}

fn theirs(privacy: Privacy) -> Report {
    let mut report = row(1, "https://shop.example/tea", 31);
    report.privacy = Some(privacy);
    report
}

#[test]
fn a_report_that_changed_meanwhile_is_told_field_by_field_and_nothing_is_lost() {
    let mut app = loaded();
    let (request, mine, known) = edit(&press(&mut app, "e right right tab t e a ctrl+s")).unwrap();
    assert_eq!((mine, known), (Some(Privacy::Password), Some(Privacy::Public)));
    app.update(Message::Edited(request, Ok(Edited::Changed(theirs(Privacy::Private)))), now());
    let shown = screen(&app);
    for text in ["Somebody changed this report meanwhile", "Theirs: private, it was public", "(•) password"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert_eq!(app.reports.current().unwrap().privacy, Some(Privacy::Private), "the row says what is true");
    // Mine again: now it is based on theirs.
    let (request, mine, known) = edit(&press(&mut app, "ctrl+s")).unwrap();
    assert_eq!((mine, known), (Some(Privacy::Password), Some(Privacy::Private)));
    app.update(Message::Edited(request, Ok(Edited::Saved(theirs(Privacy::Password)))), now());
    assert!(app.form().is_none());
}

#[test]
fn theirs_is_kept_by_choosing_it() {
    let mut app = loaded();
    let (request, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
    app.update(Message::Edited(request, Ok(Edited::Changed(theirs(Privacy::Private)))), now());
    assert!(edit(&press(&mut app, "ctrl+s")).is_none(), "both want the same: nothing is left to send");
    assert!(screen(&app).contains("Nothing is changed yet"));
}

#[test]
fn a_form_that_was_left_tells_that_nothing_was_sent() {
    let mut app = loaded();
    let (request, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
    press(&mut app, "esc");
    app.update(Message::Edited(request, Ok(Edited::Changed(theirs(Privacy::Password)))), now());
    assert!(app.notice.as_ref().unwrap().0.contains("was changed by somebody else: nothing was sent"));
    assert!(app.writes.is_empty());
}
