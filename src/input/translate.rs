//! Translates terminal events to [`Input`]s: actions, text edits, pastes, mouse gestures.
//!
//! The only file that interprets terminal events.

use std::fmt;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use tui_input::InputRequest;

use crate::input::action::Action;
use crate::input::context::Context;
use crate::input::keymap::{Key, KeyMeaning, Keymap};

/// Unicode's first block of another script than Latin.
const GREEK: char = '\u{370}';

/// The meaning of a terminal event.
#[derive(Clone, PartialEq, Eq)]
pub enum Input {
    /// A requested action.
    Action(Action),
    /// An edit of the focused text field.
    Edit(InputRequest),
    /// A pasted text including line breaks; never an action.
    Paste(String),
    /// A mouse gesture.
    Mouse(Mouse),
    /// The display form of an incomplete key sequence; empty once it was abandoned.
    Begun(String),
    /// A letter of another script, which has no meaning as a key.
    ForeignLetter(char),
}

/// Redacted: typed or pasted text may be a password.
impl fmt::Debug for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(action) => formatter.debug_tuple("Action").field(action).finish(),
            Self::Edit(InputRequest::InsertChar(_)) => formatter.write_str("Edit(InsertChar)"),
            Self::Edit(request) => formatter.debug_tuple("Edit").field(request).finish(),
            Self::Paste(text) => write!(formatter, "Paste({} bytes)", text.len()),
            Self::Mouse(mouse) => formatter.debug_tuple("Mouse").field(mouse).finish(),
            Self::Begun(keys) => formatter.debug_tuple("Begun").field(keys).finish(),
            Self::ForeignLetter(_) => formatter.write_str("ForeignLetter"),
        }
    }
}

/// A mouse gesture at a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    /// What was done.
    pub kind: MouseKind,
    /// Column from the left, from 0.
    pub column: u16,
    /// Row from the top, from 0.
    pub row: u16,
}

/// The supported gestures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    /// The left button went down.
    Click,
    /// The mouse moved with the left button held.
    Drag,
    /// The left button was released.
    Release,
    /// The wheel turned downwards.
    WheelDown,
    /// The wheel turned upwards.
    WheelUp,
}

/// Translates events one by one, keeping track of key sequences.
#[derive(Debug, Default)]
pub struct InputReader {
    typed: Vec<Key>,
    begun_in: Option<Context>,
}

impl InputReader {
    /// Returns the meaning of an event, or `None` if it has none.
    pub fn read(&mut self, event: &Event, context: Context, keymap: &Keymap) -> Option<Input> {
        let key = match event {
            Event::Key(key) if !key.is_release() => key,
            // Releases and mouse events do not interrupt a sequence.
            _ => return translate(event, context, keymap),
        };
        if self.begun_in.take().is_some_and(|begun_in| begun_in != context) {
            self.typed.clear();
        }
        let had_begun = !self.typed.is_empty();
        self.typed.push(Key::of_event(key));
        match keymap.meaning(&self.typed, context) {
            KeyMeaning::Begun => {
                self.begun_in = Some(context);
                Some(Input::Begun(self.typed.iter().map(|key| key.shown()).collect::<Vec<_>>().join(" ")))
            }
            KeyMeaning::Action(action) => {
                self.typed.clear();
                Some(Input::Action(action))
            }
            KeyMeaning::Nothing => {
                self.typed.clear();
                if had_begun && key.code == KeyCode::Esc {
                    return Some(Input::Begun(String::new()));
                }
                // A key that does not continue a sequence is interpreted on its own.
                translate_key(key, context, keymap).or_else(|| had_begun.then(|| Input::Begun(String::new())))
            }
        }
    }
}

/// Returns the meaning of a single event, or `None` if it has none.
pub fn translate(event: &Event, context: Context, keymap: &Keymap) -> Option<Input> {
    match event {
        // Windows and the kitty protocol also report key releases.
        Event::Key(key) if !key.is_release() => translate_key(key, context, keymap),
        Event::Paste(text) => Some(Input::Paste(text.clone())),
        Event::Mouse(mouse) => translate_mouse(*mouse).map(Input::Mouse),
        // The next frame uses the new size and reports its layout.
        Event::Key(_) | Event::Resize(..) | Event::FocusGained | Event::FocusLost => None,
    }
}

fn translate_key(event: &KeyEvent, context: Context, keymap: &Keymap) -> Option<Input> {
    if let Some(action) = keymap.action(Key::of_event(event), context) {
        return Some(Input::Action(action));
    }
    // What some terminals send for the Enter key of the keypad.
    if event.code == KeyCode::Char('j') && event.modifiers == KeyModifiers::CONTROL {
        return translate_key(&KeyCode::Enter.into(), context, keymap);
    }
    if context.takes_text() {
        return edit(event).map(Input::Edit);
    }
    let KeyCode::Char(letter) = event.code else { return None };
    (letter.is_alphabetic() && letter >= GREEK).then_some(Input::ForeignLetter(letter))
}

/// Returns the editing command of a key, as in readline.
fn edit(event: &KeyEvent) -> Option<InputRequest> {
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    Some(match event.code {
        KeyCode::Char('a') if control => InputRequest::GoToStart,
        KeyCode::Char('e') if control => InputRequest::GoToEnd,
        KeyCode::Char('b') if control => InputRequest::GoToPrevChar,
        KeyCode::Char('f') if control => InputRequest::GoToNextChar,
        // What some terminals send for Backspace.
        KeyCode::Char('h') if control => InputRequest::DeletePrevChar,
        KeyCode::Char('d') if control => InputRequest::DeleteNextChar,
        KeyCode::Char('k') if control => InputRequest::DeleteTillEnd,
        KeyCode::Char('u') if control => InputRequest::DeleteLine,
        KeyCode::Char('w') if control => InputRequest::DeletePrevWord,
        KeyCode::Char('b') if alt => InputRequest::GoToPrevWord,
        KeyCode::Char('f') if alt => InputRequest::GoToNextWord,
        KeyCode::Char('d') if alt => InputRequest::DeleteNextWord,
        KeyCode::Char(character) if !control && !alt && !character.is_control() => InputRequest::InsertChar(character),
        KeyCode::Left if control || alt => InputRequest::GoToPrevWord,
        KeyCode::Right if control || alt => InputRequest::GoToNextWord,
        KeyCode::Left => InputRequest::GoToPrevChar,
        KeyCode::Right => InputRequest::GoToNextChar,
        KeyCode::Home => InputRequest::GoToStart,
        KeyCode::End => InputRequest::GoToEnd,
        KeyCode::Backspace if control || alt => InputRequest::DeletePrevWord,
        KeyCode::Backspace => InputRequest::DeletePrevChar,
        KeyCode::Delete => InputRequest::DeleteNextChar,
        _ => return None,
    })
}

fn translate_mouse(event: MouseEvent) -> Option<Mouse> {
    let kind = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseKind::Click,
        MouseEventKind::Drag(MouseButton::Left) => MouseKind::Drag,
        MouseEventKind::Up(MouseButton::Left) => MouseKind::Release,
        MouseEventKind::ScrollDown => MouseKind::WheelDown,
        MouseEventKind::ScrollUp => MouseKind::WheelUp,
        _ => return None,
    };
    Some(Mouse { kind, column: event.column, row: event.row })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers, context: Context) -> Option<Input> {
        translate(&Event::Key(KeyEvent::new(code, modifiers)), context, &Keymap::default())
    }

    #[test]
    fn the_meaning_of_a_key_depends_on_its_context() {
        let none = KeyModifiers::NONE;
        assert_eq!(press(KeyCode::Char('q'), none, Context::Panes), Some(Input::Action(Action::Quit)));
        assert_eq!(
            press(KeyCode::Char('q'), none, Context::FilterLine),
            Some(Input::Edit(InputRequest::InsertChar('q')))
        );
        assert_eq!(press(KeyCode::Char('q'), none, Context::Dialog), None);
        assert_eq!(press(KeyCode::Char('й'), none, Context::Panes), Some(Input::ForeignLetter('й')));
        assert_eq!(press(KeyCode::Char('ä'), none, Context::Panes), None);
        assert_eq!(
            press(KeyCode::Char('й'), none, Context::FilterLine),
            Some(Input::Edit(InputRequest::InsertChar('й')))
        );
        assert_eq!(press(KeyCode::Enter, none, Context::FilterLine), Some(Input::Action(Action::AcceptFilter)));
        assert_eq!(
            press(KeyCode::Char('j'), KeyModifiers::CONTROL, Context::FilterLine),
            Some(Input::Action(Action::AcceptFilter)),
            "a line feed is Enter"
        );
        assert_eq!(
            press(KeyCode::BackTab, KeyModifiers::SHIFT, Context::FormText),
            Some(Input::Action(Action::PreviousField))
        );
        assert_eq!(
            press(KeyCode::Char('G'), KeyModifiers::SHIFT, Context::Panes),
            Some(Input::Action(Action::MoveLast))
        );
        assert_eq!(
            press(KeyCode::Char('D'), none, Context::Dialog),
            None,
            "the key that opened a dialog never acts in it"
        );
    }

    #[test]
    fn a_sequence_is_read_key_by_key_and_ended_by_escape_or_another_key() {
        use crate::domain::look::Preset;
        use crate::input::keymap::Sequence;
        use crate::input::remap::remapped;
        let wish = (Action::MoveFirst, vec![Sequence::parse("g g").unwrap()]);
        let (keymap, _) = remapped(Preset::Vim, &[wish]);
        let mut reader = InputReader::default();
        let mut read = |name: &str, context| {
            let event = Event::Key(Key::parse(name).unwrap().event());
            reader.read(&event, context, &keymap)
        };
        let (panes, begun) = (Context::Panes, |keys: &str| Some(Input::Begun(keys.to_owned())));
        assert_eq!(read("g", panes), begun("g"));
        assert_eq!(read("g", panes), Some(Input::Action(Action::MoveFirst)));
        assert_eq!((read("g", panes), read("esc", panes)), (begun("g"), begun("")));
        assert_eq!((read("g", panes), read("n", panes)), (begun("g"), Some(Input::Action(Action::NewReport))));
        assert_eq!(read("g", panes), begun("g"));
        assert_eq!(
            read("g", Context::FilterLine),
            Some(Input::Edit(InputRequest::InsertChar('g'))),
            "elsewhere it is text"
        );
        assert_eq!(read("g", panes), begun("g"), "and begins anew");
    }

    #[test]
    fn debug_output_contains_no_typed_text() {
        let logged = |input: Input| format!("{input:?}");
        assert_eq!(logged(Input::Paste("geheim".to_owned())), "Paste(6 bytes)");
        assert_eq!(logged(Input::Edit(InputRequest::InsertChar('g'))), "Edit(InsertChar)");
        assert_eq!(logged(Input::Edit(InputRequest::GoToEnd)), "Edit(GoToEnd)");
    }

    #[test]
    fn text_fields_have_the_editing_keys_of_a_shell() {
        let (control, alt) = (KeyModifiers::CONTROL, KeyModifiers::ALT);
        // The cursor starts at the end of the first text; `|` marks where it ends.
        for (code, modifiers, expected) in [
            (KeyCode::Char('a'), control, "|one two three"),
            (KeyCode::Char('w'), control, "one two |"),
            (KeyCode::Char('h'), control, "one two thre|"),
            (KeyCode::Char('b'), control, "one two thre|e"),
            (KeyCode::Char('u'), control, "|"),
            (KeyCode::Char('b'), alt, "one two |three"),
            (KeyCode::Left, control, "one two |three"),
            (KeyCode::Left, KeyModifiers::NONE, "one two thre|e"),
            (KeyCode::Backspace, alt, "one two |"),
            (KeyCode::Backspace, KeyModifiers::NONE, "one two thre|"),
        ] {
            assert_eq!(edited("one two three", 13, code, modifiers), expected, "{code:?}");
        }
        for (code, modifiers, expected) in [
            (KeyCode::Char('e'), control, "one two three|"),
            (KeyCode::Char('k'), control, "one |"),
            (KeyCode::Char('f'), control, "one t|wo three"),
            (KeyCode::Char('d'), control, "one |wo three"),
            (KeyCode::Char('f'), alt, "one two |three"),
            (KeyCode::Right, alt, "one two |three"),
            (KeyCode::Char('d'), alt, "one |three"),
            (KeyCode::Delete, KeyModifiers::NONE, "one |wo three"),
            (KeyCode::Home, KeyModifiers::NONE, "|one two three"),
            (KeyCode::End, KeyModifiers::NONE, "one two three|"),
        ] {
            assert_eq!(edited("one two three", 4, code, modifiers), expected, "{code:?}");
        }
    }

    /// Returns a text after one key, with the cursor shown as `|`.
    fn edited(text: &str, cursor: usize, code: KeyCode, modifiers: KeyModifiers) -> String {
        let mut field = tui_input::Input::new(text.to_owned()).with_cursor(cursor);
        let Some(Input::Edit(request)) = press(code, modifiers, Context::PromptWithRows) else {
            panic!("no edit: {code:?}")
        };
        field.handle(request);
        let (before, after) = field.value().split_at(field.cursor());
        format!("{before}|{after}")
    }

    #[test]
    fn the_left_button_and_the_wheel_are_gestures_and_other_buttons_are_not() {
        use MouseEventKind::{Down, Drag, Moved, ScrollDown, ScrollLeft, ScrollUp, Up};
        use MouseKind::{Click, Release, WheelDown, WheelUp};
        let gesture = |kind| {
            let event = MouseEvent { kind, column: 7, row: 3, modifiers: KeyModifiers::NONE };
            let input = translate(&Event::Mouse(event), Context::Panes, &Keymap::default())?;
            let Input::Mouse(Mouse { kind, column: 7, row: 3 }) = input else { panic!("another cell: {input:?}") };
            Some(kind)
        };
        let left = MouseButton::Left;
        let meanings = [Down(left), Drag(left), Up(left), ScrollDown, ScrollUp].map(|kind| gesture(kind).unwrap());
        assert_eq!(meanings, [Click, MouseKind::Drag, Release, WheelDown, WheelUp]);
        for kind in [Down(MouseButton::Right), Drag(MouseButton::Middle), Up(MouseButton::Right), Moved, ScrollLeft] {
            assert_eq!(gesture(kind), None, "{kind:?}");
        }
    }

    #[test]
    fn key_releases_are_ignored() {
        let mut release = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
        release.kind = crossterm::event::KeyEventKind::Release;
        assert_eq!(translate(&Event::Key(release), Context::Panes, &Keymap::default()), None);
    }
}
