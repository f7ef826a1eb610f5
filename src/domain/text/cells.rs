//! Texts in terminal cells: their width, cutting and wrapping.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// The width of a text in terminal cells.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// Truncates a text to at most `cells` cells, ending in `…` if cut. Never splits a grapheme.
pub fn fit(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells == 0 {
        return Cow::Borrowed("");
    }
    if text.is_ascii() {
        // Nearly all texts are ASCII and need no grapheme segmentation.
        return Cow::Owned([&text[..cells - 1], "…"].concat());
    }
    let mut fitted = String::new();
    let mut used = 0;
    for piece in text.graphemes(true) {
        let more = width(piece);
        if used + more > cells - 1 {
            break;
        }
        used += more;
        fitted.push_str(piece);
    }
    fitted.push('…');
    Cow::Owned(fitted)
}

/// Truncates a text to at most `cells` cells by replacing its middle with `…`: both ends of a URL matter most.
pub fn fit_middle(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells < 3 {
        return fit(text, cells);
    }
    let head = fit(text, cells / 2 + 1);
    let tail = last_cells(text, cells.saturating_sub(width(&head)));
    Cow::Owned([&head, tail].concat())
}

/// Truncates a text to at most `cells` cells by replacing its start with `…`.
pub fn fit_start(text: &str, cells: usize) -> Cow<'_, str> {
    let Some(room) = cells.checked_sub(1).filter(|_| width(text) > cells) else { return fit(text, cells) };
    Cow::Owned(["…", last_cells(text, room)].concat())
}

/// The end of a text, at most `cells` cells.
fn last_cells(text: &str, cells: usize) -> &str {
    let mut tail = skip(text, width(text).saturating_sub(cells));
    // A wide character at the cut may exceed the limit by a cell.
    while width(tail) > cells {
        tail = skip(tail, 1);
    }
    tail
}

/// Skips the first `cells` cells, for horizontal scrolling.
pub fn skip(text: &str, cells: usize) -> &str {
    if text.is_ascii() {
        return text.get(cells..).unwrap_or_default();
    }
    let mut used = 0;
    for (at, piece) in text.grapheme_indices(true) {
        if used >= cells {
            return &text[at..];
        }
        used += width(piece);
    }
    ""
}

/// A space at which no line ends.
const NO_BREAK_SPACE: char = '\u{a0}';

/// Wraps a text into lines of at most `cells` cells, at spaces if possible, else between graphemes. Prefers other places
/// to a no-break space, which becomes a space.
pub fn wrap(text: &str, cells: usize) -> Vec<String> {
    let cells = cells.max(1);
    // Room for a line at once: the report pane wraps some hundred texts in each frame.
    let empty = || String::with_capacity(cells.min(text.len()));
    let (mut lines, mut line, mut used) = (Vec::new(), empty(), 0);
    let words = text.split(|letter: char| letter.is_whitespace() && letter != NO_BREAK_SPACE);
    for word in words.filter(|word| !word.is_empty()) {
        let more = width(word);
        if used > 0 && used + 1 + more <= cells {
            line.push(' ');
            used += 1;
        } else if used > 0 {
            lines.push(std::mem::replace(&mut line, empty()));
            used = 0;
        }
        if more <= cells {
            line.push_str(word);
            used += more;
            continue;
        }
        for piece in word.graphemes(true) {
            let more = width(piece);
            if used > 0 && used + more > cells {
                lines.push(std::mem::replace(&mut line, empty()));
                used = 0;
            }
            line.push_str(piece);
            used += more;
        }
    }
    lines.push(line);
    for line in lines.iter_mut().filter(|line| line.contains(NO_BREAK_SPACE)) {
        *line = line.replace(NO_BREAK_SPACE, " ");
    }
    lines
}

/// Wraps a text into at most `most` lines of at most `cells` cells. The last one ends in `…` if the text is cut.
pub fn wrap_within(text: &str, cells: usize, most: usize) -> Vec<String> {
    cut_lines(wrap(text, cells), cells, most)
}

/// Returns at most `most` lines. The last one ends in `…`, within `cells` cells, if lines are cut.
pub fn cut_lines(mut lines: Vec<String>, cells: usize, most: usize) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = fit(&format!("{last} …"), cells).into_owned();
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::clean;
    use proptest::prelude::*;

    #[test]
    fn fitting_counts_cells_not_bytes() {
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("日本語", 6), "日本語");
        assert_eq!(fit("日本語", 2), "…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_middle("shop.example/section/page-12", 17), "shop.exa…/page-12");
        assert_eq!((fit_start("shop.example", 8), fit_start("shop", 4)), ("…example".into(), "shop".into()));
    }

    #[test]
    fn lines_beyond_the_limit_are_cut_with_an_ellipsis() {
        assert_eq!(wrap_within("green tea", 5, 2), ["green", "tea"]);
        assert_eq!(wrap_within("green tea and more", 9, 1), ["green te…"]);
        assert_eq!(wrap_within("green tea and more", 11, 1), ["green tea …"]);
        assert_eq!(wrap_within("tea", 5, 0), [""; 0]);
    }

    #[test]
    fn no_line_ends_at_a_no_break_space_if_it_can_end_elsewhere() {
        assert_eq!(wrap("10:40 UTC (1\u{a0}min\u{a0}ago)", 14), ["10:40 UTC", "(1 min ago)"]);
        assert_eq!(wrap("1\u{a0}min", 4), ["1 mi", "n"]);
    }

    proptest! {
        #[test]
        fn fitted_text_fits(text in any::<String>(), cells in 0_usize..40) {
            let text = clean(&text).into_owned();
            prop_assert!(width(&fit(&text, cells)) <= cells);
            prop_assert!(width(&fit_middle(&text, cells)) <= cells);
            prop_assert!(width(&fit_start(&text, cells)) <= cells);
        }

        #[test]
        fn the_rest_of_an_ascii_text_is_that_of_the_same_text_in_unicode(text in "[ -~]{0,30}", cells in 0_usize..40) {
            let longer = format!("{text}é");
            prop_assert_eq!(format!("{}é", skip(&text, cells)), skip(&longer, cells.min(text.len())));
        }

        #[test]
        fn wrapped_lines_fit_and_lose_no_letter(text in "[a-zü日 ]{0,60}", cells in 2_usize..20) {
            let lines = wrap(&text, cells);
            prop_assert!(lines.iter().all(|line| width(line) <= cells));
            let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(squeeze(&lines.concat()), squeeze(&text));
        }
    }
}
