//! ASCII substitutes for the symbols of the dashboard, one cell each.
//!
//! They are applied to the finished frame, so that drawing code needs only one variant.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::text::width;

/// The character set of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Characters {
    /// All characters.
    #[default]
    All,
    /// The dashboard's own symbols are ASCII; texts from the service are unchanged.
    AsciiFrame,
    /// ASCII only, for locales that do not support more. Characters without a substitute become question marks.
    AsciiOnly,
}

/// The substitutes, each with the symbols that it replaces.
const SUBSTITUTES: [(&str, &str); 20] = [
    ("-", "─·–—▄"),
    ("|", "│┆▕"),
    ("+", "┌┐└┘├┤┬┴┼✓▋▊▆"),
    ("#", "┃▉█"),
    (">", "▸►→›»≥"),
    ("<", "←‹«≤"),
    ("v", "▾▼↓"),
    ("^", "▲↑"),
    ("*", "●•▇"),
    ("x", "×✗▓"),
    ("'", "✎‘’"),
    ("\"", "“”„"),
    ("$", "⏎"),
    ("~", "…"),
    ("/", "÷"),
    (".", "▏▎░▂"),
    (":", "▍▌▃"),
    ("=", "▒▅"),
    ("_", "▁"),
    ("?", "�"),
];

fn substitute(symbol: &str) -> Option<&'static str> {
    SUBSTITUTES.iter().find(|(_, symbols)| symbols.contains(symbol)).map(|(substitute, _)| *substitute)
}

/// Replaces symbols by their substitutes.
pub(super) fn apply(buffer: &mut Buffer, characters: Characters) {
    let only = match characters {
        Characters::All => return,
        Characters::AsciiFrame => false,
        Characters::AsciiOnly => true,
    };
    let area = *buffer.area();
    for row in area.rows() {
        for column in row.x..row.right() {
            let symbol = buffer[(column, row.y)].symbol();
            if symbol.is_ascii() {
                continue;
            }
            if symbol == "…" && stands_alone(buffer, column, row.y) {
                for dot in column..column + 3 {
                    buffer[(dot, row.y)].set_symbol(".");
                }
            } else if let Some(substitute) = substitute(symbol) {
                buffer[(column, row.y)].set_symbol(substitute);
            } else if only {
                let cells = (width(symbol).max(1) as u16).min(row.right() - column);
                for cell in column..column + cells {
                    buffer[(cell, row.y)].set_symbol("?");
                }
            }
        }
    }
}

/// Whether an ellipsis follows a word, as in `Loading …`, with room for three dots. Where it replaces omitted text, its
/// substitute is a single character that is rare in URLs.
fn stands_alone(buffer: &Buffer, column: u16, row: u16) -> bool {
    let is_blank = |column: u16| buffer.cell(Position::new(column, row)).is_none_or(|cell| cell.symbol() == " ");
    column > 0
        && is_blank(column - 1)
        && column + 3 <= buffer.area().right()
        && (1..=3).all(|next| is_blank(column + next))
}

impl Characters {
    /// Substitutes the characters of a line outside of the dashboard.
    pub fn text(self, line: &str) -> Cow<'_, str> {
        if self == Self::All || line.is_ascii() {
            return Cow::Borrowed(line);
        }
        let mut text = String::with_capacity(line.len());
        for symbol in line.graphemes(true) {
            match substitute(symbol) {
                Some(substitute) => text.push_str(substitute),
                None if self == Self::AsciiOnly && !symbol.is_ascii() => {
                    text.extend(std::iter::repeat_n('?', width(symbol).max(1)));
                }
                None => text.push_str(symbol),
            }
        }
        Cow::Owned(text)
    }

    /// Substitutes the arrows in key names. They become words rather than symbols, since `v` is another key.
    pub(super) fn key(self, shown: &str) -> String {
        if self == Self::All {
            return shown.to_owned();
        }
        let words = [("↑", "Up"), ("↓", "Down"), ("←", "Left"), ("→", "Right")];
        words.iter().fold(shown.to_owned(), |text, (arrow, word)| text.replace(arrow, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    fn drawn(text: &str, characters: Characters) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 24, 1));
        buffer.set_string(0, 0, text, ratatui::style::Style::new());
        apply(&mut buffer, characters);
        buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn own_symbols_are_replaced_and_other_text_only_if_unsupported() {
        assert_eq!(drawn("▸ ✗ bad → ✓ good", Characters::AsciiFrame), "> x bad > + good");
        assert_eq!(drawn("shop…tea │ Loading …", Characters::AsciiFrame), "shop~tea | Loading ...");
        assert_eq!(drawn("日本 é", Characters::AsciiFrame), "日 本  é");
        assert_eq!(drawn("日本 é", Characters::AsciiOnly), "???? ?");
        assert_eq!(drawn("▸ ✗", Characters::All), "▸ ✗");
        for characters in [Characters::All, Characters::AsciiFrame, Characters::AsciiOnly] {
            for line in ["✗ bad → ✓ good", "日本"] {
                let line = characters.text(line);
                assert_eq!(width(&line), width(&characters.text(&line)));
                assert!(characters != Characters::AsciiOnly || line.is_ascii(), "{line}");
            }
        }
        assert_eq!(Characters::AsciiOnly.text("✗ title → 日本"), "x title > ????");
    }

    /// The source files below a folder.
    fn sources(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }

    #[test]
    fn every_symbol_in_the_texts_of_the_dashboard_has_a_substitute() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for file in ["view", "app", "input"].iter().flat_map(|folder| sources(&root.join(folder))) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap().lines();
            let code = code.filter(|line| !line.trim_start().starts_with("//"));
            for symbol in code.flat_map(|line| line.split(" // ").next().unwrap().chars()).filter(|c| !c.is_ascii()) {
                assert!(substitute(&symbol.to_string()).is_some(), "{symbol} in {} has no substitute", file.display());
            }
        }
    }

    #[test]
    fn every_substitute_is_one_ascii_cell() {
        for (substitute, symbols) in SUBSTITUTES {
            let are_single = symbols.chars().all(|symbol| width(&symbol.to_string()) == 1);
            assert!(are_single && width(substitute) == 1 && substitute.is_ascii(), "{symbols}");
        }
        assert_eq!(Characters::AsciiFrame.key("↓ j"), "Down j");
    }
}
