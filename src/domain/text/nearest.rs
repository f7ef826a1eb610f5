//! Suggests the word that a mistyped one was probably meant to be.

/// The minimum similarity (0 to 1) of a suggestion.
const ALIKE: f64 = 0.55;

/// The most similar of the words, if it is similar enough.
pub fn nearest<'n>(wrong: &str, words: &[&'n str]) -> Option<&'n str> {
    let wrong = wrong.to_lowercase();
    let likeness = |word: &str| strsim::normalized_damerau_levenshtein(&wrong, word);
    let best = words.iter().map(|word| (*word, likeness(word))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(best.0).filter(|_| best.1 >= ALIKE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let words = ["looking", "waiting", "verify"];
        assert_eq!(nearest("Waitng", &words), Some("waiting"));
        assert_eq!(nearest("kettle", &words), None);
        assert_eq!(nearest("waiting", &[]), None);
    }
}
