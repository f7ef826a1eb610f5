//! Spellings of words with accents in addresses, which content management systems write with the letters of ASCII.

/// Accented letters, their letter without the accent, and the one or two letters that some languages write instead.
const LETTERS: [(&str, &str, &str); 23] = [
    ("àáâãāăą", "a", "a"),
    ("ä", "a", "ae"),
    ("å", "a", "aa"),
    ("æ", "ae", "ae"),
    ("çćč", "c", "c"),
    ("ďđ", "d", "d"),
    ("èéêëēęě", "e", "e"),
    ("ğ", "g", "g"),
    ("ìíîïīı", "i", "i"),
    ("ĺľł", "l", "l"),
    ("ñńň", "n", "n"),
    ("òóôõōő", "o", "o"),
    ("öø", "o", "oe"),
    ("œ", "oe", "oe"),
    ("ŕř", "r", "r"),
    ("śşšș", "s", "s"),
    ("ß", "ss", "ss"),
    ("ťţț", "t", "t"),
    ("ùúûūůű", "u", "u"),
    ("ü", "u", "ue"),
    ("ýÿ", "y", "y"),
    ("źżž", "z", "z"),
    ("þ", "th", "th"),
];

/// Returns a word in lower case, the same without its accents, and with the letters that replace them: `größe`,
/// `grosse`, `groesse`.
pub(in crate::audit) fn spellings(word: &str) -> [String; 3] {
    let replaced = |letter_of: fn(&'static (&str, &str, &str)) -> &'static str| {
        word.chars().fold(String::with_capacity(word.len()), |mut plain, letter| {
            match LETTERS.iter().find(|(accented, ..)| accented.contains(letter)) {
                Some(entry) => plain.push_str(letter_of(entry)),
                None => plain.push(letter),
            }
            plain
        })
    };
    [word.to_owned(), replaced(|(_, plain, _)| *plain), replaced(|(.., instead)| *instead)]
}
