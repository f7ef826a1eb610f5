//! Suggests the word that a mistyped one was probably meant to be.

/// The minimum similarity (0 to 1) of a suggestion.
const ALIKE: f64 = 0.55;

/// The most similar of the words, if it is similar enough.
pub fn nearest<'n>(wrong: &str, words: &[&'n str]) -> Option<&'n str> {
    let wrong = wrong.to_lowercase();
    let length = wrong.chars().count();
    // A pasted text is not compared with words that are far too short for it.
    let may_be_alike = |word: &&&str| {
        let other = word.chars().count();
        length.min(other) as f64 >= ALIKE * length.max(other) as f64
    };
    let likeness = |word: &str| strsim::normalized_damerau_levenshtein(&wrong, word);
    let words = words.iter().filter(may_be_alike);
    let best = words.map(|word| (*word, likeness(word))).max_by(|a, b| a.1.total_cmp(&b.1))?;
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

    /// Comparing takes time proportional to the product of the lengths.
    #[test]
    fn a_pasted_text_is_compared_with_long_words_only() {
        let pasted = "waiting ".repeat(100_000);
        let mut words = vec!["waiting"; 10_000];
        assert_eq!(nearest(&pasted, &words), None);
        words.push("verify");
        assert_eq!(nearest("verifi", &words), Some("verify"));
    }
}
