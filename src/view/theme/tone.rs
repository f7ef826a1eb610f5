//! RGB colours, and their nearest match among 256 colours.

use ratatui::style::Color;

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tone(pub(super) u8, pub(super) u8, pub(super) u8);

/// The channel values of the 6×6×6 colour cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

impl Tone {
    /// Parses a hexadecimal code such as `0x001a_2b3c`.
    pub(super) const fn of(code: u32) -> Self {
        let [_, red, green, blue] = code.to_be_bytes();
        Self(red, green, blue)
    }

    /// The colour for a 24-bit terminal.
    pub(super) fn exact(self) -> Color {
        Color::Rgb(self.0, self.1, self.2)
    }

    /// The nearest of the 256 colours. The first sixteen are excluded, as they depend on the terminal's theme.
    pub(super) fn of_many(self) -> Color {
        let nearest = (16..=255).min_by_key(|number| self.distance(Self::numbered(*number)));
        Color::Indexed(nearest.unwrap_or(16))
    }

    /// Returns the colour of an index in the cube or the grey ramp.
    pub(super) fn numbered(number: u8) -> Self {
        if number >= 232 {
            let grey = 8 + 10 * (number - 232);
            return Self(grey, grey, grey);
        }
        let place = number.saturating_sub(16);
        let step = |place: u8| STEPS[usize::from(place % 6)];
        Self(step(place / 36), step(place / 6), step(place))
    }

    /// Returns the distance of two colours, weighted by the eye's sensitivity.
    fn distance(self, other: Self) -> u32 {
        let part = |a: u8, b: u8, weight: u32| weight * u32::from(a.abs_diff(b)).pow(2);
        part(self.0, other.0, 3) + part(self.1, other.1, 4) + part(self.2, other.2, 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_the_cube_map_to_themselves() {
        for number in 16..=255 {
            let Color::Indexed(found) = Tone::numbered(number).of_many() else { panic!("not of the cube") };
            assert_eq!(Tone::numbered(found), Tone::numbered(number));
        }
        assert_eq!(Tone::of(0x00ff_8700), Tone(255, 135, 0));
    }
}
