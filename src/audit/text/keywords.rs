//! Splits text into words, in any script, for checks that compare title, URL and content.

use std::borrow::Cow;
use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;

/// Stop words of common languages.
const STOP_WORDS: [&str; 72] = [
    "the", "and", "for", "with", "from", "that", "this", "you", "your", "our", "are", "was", "not", "but", "all",
    "can", "has", "have", "will", "what", "how", "who", "why", "into", "about", "www", "com", "der", "die", "das",
    "und", "mit", "für", "von", "den", "dem", "des", "ein", "eine", "ist", "auf", "aus", "bei", "les", "des", "une",
    "est", "pour", "avec", "dans", "sur", "qui", "que", "los", "las", "del", "una", "con", "por", "para", "che", "per",
    "non", "het", "een", "van", "voor", "met", "som", "och", "att", "till",
];
/// Characters of the shortest keyword; shorter words are mostly stop words.
const SHORTEST_WORD: usize = 3;
/// Characters of a word in Thai, Lao, Burmese and Khmer.
const LETTERS_OF_A_WORD: usize = 5;

/// Returns the keywords of a text: lower case, without stop words, soft hyphens and words of one or two letters.
///
/// Scripts without spaces yield every pair of neighbouring characters (bigrams), as in search engines. So does Korean,
/// which appends particles to short words.
pub(in crate::audit) fn keywords(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase().replace('\u{ad}', "");
    let mut words = BTreeSet::new();
    for run in lower.split(|character: char| !character.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if run.chars().any(|character| sets_no_spaces(character) || is_hangul(character)) {
            let characters: Vec<char> = run.chars().collect();
            words.extend(characters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if run.chars().count() >= SHORTEST_WORD && !STOP_WORDS.contains(&run) {
            words.insert(run.to_owned());
        }
    }
    words
}

/// Counts words. In Chinese and Japanese every character counts as one; in other scripts without spaces five letters and
/// vowel signs do, the usual length of a word.
pub(in crate::audit) fn count_words(text: &str) -> usize {
    text.split_whitespace()
        .map(|run| {
            let count = |is_counted: fn(char) -> bool| run.chars().filter(|character| is_counted(*character)).count();
            let others = run.chars().any(|character| character.is_alphanumeric() && !sets_no_spaces(character));
            count(is_east_asian) + count(is_southeast_asian).div_ceil(LETTERS_OF_A_WORD) + usize::from(others)
        })
        .sum()
}

/// Whether a character belongs to a script without spaces.
fn sets_no_spaces(character: char) -> bool {
    is_east_asian(character) || is_southeast_asian(character)
}

/// Whether a character is Chinese or Japanese.
fn is_east_asian(character: char) -> bool {
    matches!(character,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Whether a character is Thai, Lao, Burmese or Khmer.
fn is_southeast_asian(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Whether a character is a Korean syllable.
fn is_hangul(character: char) -> bool {
    matches!(character, '\u{ac00}'..='\u{d7a3}')
}

/// Decodes the percent escapes of a path or query; invalid UTF-8 is replaced.
pub(in crate::audit) fn percent_decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_found_in_any_script() {
        let words = |text| keywords(text).into_iter().collect::<Vec<_>>();
        assert_eq!(words("The Tea of Kyoto – für Sie"), ["kyoto", "sie", "tea"]);
        assert_eq!(words("Зелёный чай"), ["зелёный", "чай"]);
        assert_eq!(words("日本茶"), ["日本", "本茶"]);
        assert_eq!(words("교토의 차"), ["교토", "토의"]);
        assert_eq!(words("Datenschutz\u{ad}erklärung"), ["datenschutzerklärung"]);
        assert!(words("it is a").is_empty());
    }

    #[test]
    fn words_are_counted_in_any_script() {
        for (text, expected) in [
            ("", 0),
            ("one two – three", 3),
            ("日本 茶", 3),
            ("iPhone 手机", 3),
            ("ชาเขียวจากเกียวโต", 4),
            ("ชา", 1),
            ("iPhone ราคา", 2),
            ("មនុស្សទាំងអស់", 3),
        ] {
            assert_eq!(count_words(text), expected, "{text}");
        }
    }

    #[test]
    fn escapes_are_decoded_and_invalid_ones_stay() {
        assert_eq!(percent_decoded("/gr%C3%BCn%20%zz%"), "/grün %zz%");
        assert_eq!(percent_decoded("/a%+1"), "/a%+1", "a sign is no hexadecimal digit");
    }
}
