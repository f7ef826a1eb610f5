//! Tests that every theme is readable: contrast according to WCAG 2, and results distinguishable with colour blindness.

use ratatui::style::{Color, Modifier, Style};
use strum::IntoEnumIterator;

use super::palettes::{PALETTES, Palette};
use super::tone::Tone;
use super::{Colours, Theme, ThemeName};
use crate::domain::look::Accent;

/// The minimum contrast of ordinary text (WCAG AA).
const READABLE: f64 = 4.5;
/// The enhanced minimum contrast (WCAG AAA).
const HIGH: f64 = 7.0;

/// The usual rendering of the sixteen colours: xterm's.
fn usual(color: Color) -> Tone {
    match color {
        Color::Rgb(red, green, blue) => Tone(red, green, blue),
        Color::Indexed(number) => Tone::numbered(number),
        Color::Black => Tone(0, 0, 0),
        Color::Red => Tone(205, 0, 0),
        Color::Green => Tone(0, 205, 0),
        Color::Yellow => Tone(205, 205, 0),
        Color::Blue => Tone(0, 0, 238),
        Color::Magenta => Tone(205, 0, 205),
        Color::Cyan => Tone(0, 205, 205),
        Color::Gray => Tone(229, 229, 229),
        Color::DarkGray => Tone(127, 127, 127),
        Color::LightRed => Tone(255, 0, 0),
        Color::LightGreen => Tone(0, 255, 0),
        Color::LightYellow => Tone(255, 255, 0),
        Color::LightBlue => Tone(92, 92, 255),
        Color::LightMagenta => Tone(255, 0, 255),
        Color::LightCyan => Tone(0, 255, 255),
        Color::White => Tone(255, 255, 255),
        Color::Reset => panic!("a theme with its own background names every colour"),
    }
}

/// Returns the text colour of a style. xterm, rxvt, st and the Linux console draw bold text in the bright variant of
/// its colour, so bold black is grey.
fn drawn(style: Style) -> Tone {
    let color = style.fg.unwrap();
    let is_bold = style.add_modifier.contains(Modifier::BOLD);
    usual(match color {
        Color::Black if is_bold => Color::DarkGray,
        Color::Red if is_bold => Color::LightRed,
        Color::Green if is_bold => Color::LightGreen,
        Color::Yellow if is_bold => Color::LightYellow,
        Color::Blue if is_bold => Color::LightBlue,
        Color::Magenta if is_bold => Color::LightMagenta,
        Color::Cyan if is_bold => Color::LightCyan,
        Color::Gray if is_bold => Color::White,
        other => other,
    })
}

fn linear(part: u8) -> f64 {
    let part = f64::from(part) / 255.0;
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

fn luminance(Tone(red, green, blue): Tone) -> f64 {
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

fn contrast(a: Tone, b: Tone) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Returns every text style with its background. Styles without a background appear on the screen's and on that of an
/// unfocused row.
fn pairs(theme: &Theme) -> Vec<(&'static str, Tone, Tone)> {
    let rows = [theme.text, theme.unfocused];
    let foregrounds: [(&str, Style); 8] = [
        ("text", theme.text),
        ("dim", theme.dim),
        ("title", theme.title),
        ("focus", theme.focus),
        ("good", theme.good),
        ("decent", theme.decent),
        ("bad", theme.bad),
        ("key", theme.key),
    ];
    let over = foregrounds
        .iter()
        .flat_map(|(name, style)| rows.map(|row| (*name, row.patch(*style).add_modifier(row.add_modifier))));
    let own = [("selected", theme.selected), ("button", theme.button)];
    over.chain(own).map(|(name, style)| (name, drawn(style), usual(style.bg.unwrap()))).collect()
}

#[test]
fn every_text_of_every_theme_is_readable_with_any_number_of_colours() {
    for palette in &PALETTES {
        let asked = if palette.name == ThemeName::HighContrast { HIGH } else { READABLE };
        for (colours, asked) in [(Colours::True, asked), (Colours::Many, asked), (Colours::Sixteen, READABLE)] {
            for (name, foreground, background) in pairs(&palette.theme(colours)) {
                let found = contrast(foreground, background);
                assert!(
                    found >= asked,
                    "{:?} {colours:?} {name}: {foreground:?} on {background:?} is {found:.2}",
                    palette.name
                );
            }
        }
    }
}

#[test]
fn the_name_of_a_service_is_readable_on_every_accent() {
    for accent in Accent::iter() {
        let style = Theme::accent(accent, Colours::Sixteen);
        let found = contrast(drawn(style), usual(style.bg.unwrap()));
        assert!(found >= READABLE, "{accent:?}: {found:.2}");
    }
}

#[test]
fn a_failure_is_readable_in_the_usual_colours_of_a_dark_terminal() {
    let found = contrast(drawn(Theme::terminal().bad), Tone(0, 0, 0));
    assert!(found >= READABLE, "{found:.2}");
}

#[test]
fn secondary_text_in_a_selected_row_is_not_dimmed() {
    // Most terminals dim the text colour before they reverse it, which leaves a grey patch in the row.
    for theme in [Theme::terminal(), Theme::plain()] {
        assert_eq!(theme.dim.patch(theme.selected).add_modifier, Modifier::REVERSED);
    }
}

#[test]
fn contrast_is_computed_as_in_the_standard() {
    let near = |a: f64, b: f64| (a - b).abs() < 0.01;
    assert!(near(contrast(Tone(0, 0, 0), Tone(255, 255, 255)), 21.0));
    // The grey that is commonly cited as the palest readable one on white.
    assert!(near(contrast(Tone(0x76, 0x76, 0x76), Tone(255, 255, 255)), 4.54));
}

/// Simulates a colour as seen without red or green receptors (Machado et al. 2009), in linear light.
fn seen(Tone(red, green, blue): Tone, rows: [[f64; 3]; 3]) -> [f64; 3] {
    let parts = [linear(red), linear(green), linear(blue)];
    // The cube root approximates perceived brightness.
    rows.map(|row| row.iter().zip(parts).map(|(factor, part)| factor * part).sum::<f64>().clamp(0.0, 1.0).cbrt())
}

const PROTANOPIA: [[f64; 3]; 3] =
    [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]];
const DEUTERANOPIA: [[f64; 3]; 3] =
    [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]];

fn closest(palette: &Palette, rows: [[f64; 3]; 3]) -> f64 {
    let theme = palette.theme(Colours::True);
    let results = [theme.good, theme.decent, theme.bad].map(|style| seen(usual(style.fg.unwrap()), rows));
    let distance = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    [(0, 1), (0, 2), (1, 2)].map(|(a, b)| distance(results[a], results[b])).into_iter().fold(f64::MAX, f64::min)
}

#[test]
fn results_are_distinguishable_with_colour_blindness() {
    let named = |name| PALETTES.iter().find(|palette| palette.name == name).unwrap();
    for rows in [PROTANOPIA, DEUTERANOPIA] {
        let safe = closest(named(ThemeName::ColourBlind), rows);
        assert!(safe >= 0.3, "{safe:.3}");
        assert!(safe > 1.5 * closest(named(ThemeName::Dark), rows), "it must be better than the ordinary theme");
    }
}

#[test]
fn every_name_has_a_theme_and_without_colours_there_is_none() {
    for name in ThemeName::iter() {
        let own = !matches!(name, ThemeName::Auto | ThemeName::Terminal | ThemeName::Plain);
        assert_eq!(Theme::of(name, Colours::True).text.bg.is_some(), own, "{name:?}: PALETTES has no entry for it");
        let plain = Theme::of(name, Colours::None);
        assert!(
            [plain.text, plain.good, plain.bad, plain.focus, plain.selected].iter().all(|style| style.fg.is_none())
        );
    }
}
