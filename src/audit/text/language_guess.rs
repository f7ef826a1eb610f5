//! Guesses the language of a text by its script or by the commonest words of ten languages. Weak evidence yields no
//! guess.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Languages and their commonest words. Words that several of these languages share are not significant and are left
/// out.
const COMMON_WORDS: [(&str, &str); 10] = [
    (
        "en",
        "the of and to is that it for was with as on be at by this have from or had not but what all were when we there can \
         an your which their if will how about them these her would has more been who its which",
    ),
    (
        "de",
        "der und das von zu mit sich auf für ist nicht ein eine als auch werden aus hat dass sie nach wird bei einer um am \
         sind noch wie einem über einen zum oder zur haben nur durch wenn",
    ),
    (
        "fr",
        "le les des et est du une dans qui pour pas sur plus par au avec ce il sont cette aux ou mais nous vous leur elle \
         être ces fait sans deux",
    ),
    (
        "es",
        "el los las y del por con una su para es al lo como más pero sus ya este sí porque esta entre cuando muy sin sobre \
         también fue había",
    ),
    (
        "it",
        "il di che è per una sono della con non si gli alla del nel dei più anche le delle ha degli questo nella loro come \
         ma essere dal questa",
    ),
    (
        "nl",
        "het een van en dat niet te zijn op aan met voor er maar om hij bij ook naar uit deze worden zich door wordt nog \
         meer werd heeft kan",
    ),
    (
        "pt",
        "os não uma com do da em para dos na mais ao das mas foi pela são também seu ou quando muito nos já está isso pelo \
         você até",
    ),
    (
        "pl",
        "w i z na się nie do jest to że o jak od przez po oraz są dla tym które może być ale jego był która także tego co \
         tylko",
    ),
    (
        "sv",
        "och att det som på är av för med den till inte har de ett om var men jag från eller vi så kan när ut efter mot \
         över också",
    ),
    ("ru", "и в не на что он с по это как но из за то все для его от так же или был вы мы если может при только"),
];
/// Languages with a script of their own.
const SCRIPTS: [(&str, std::ops::RangeInclusive<char>); 6] = [
    ("ja", '\u{3040}'..='\u{30ff}'),
    ("ko", '\u{ac00}'..='\u{d7af}'),
    ("th", '\u{e00}'..='\u{e7f}'),
    ("el", '\u{370}'..='\u{3ff}'),
    ("he", '\u{590}'..='\u{5ff}'),
    ("zh", '\u{4e00}'..='\u{9fff}'),
];
/// The fewest words, or letters of a script, that suffice for a guess.
const FEWEST_WORDS: usize = 80;
/// The most words that are examined.
const MOST_WORDS: usize = 3_000;
/// The least share of a language's common words in its texts, in per cent; 25 to 50 is usual.
const LEAST_SHARE: usize = 12;
/// How many times as often as those of any other language the words of the guess must occur.
const LEAD: usize = 3;
/// The least share of letters of one script, in per cent. Japanese mixes three scripts.
const LEAST_LETTERS: usize = 60;

static LANGUAGES: LazyLock<HashMap<&'static str, Vec<usize>>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, (_, words)) in COMMON_WORDS.iter().enumerate() {
        for word in words.split_ascii_whitespace() {
            let of_word = languages.entry(word).or_default();
            if !of_word.contains(&index) {
                of_word.push(index);
            }
        }
    }
    languages
});

/// Whether a guess may name the language.
pub(in crate::audit) fn is_guessable(language: &str) -> bool {
    COMMON_WORDS.iter().any(|(own, _)| *own == language) || SCRIPTS.iter().any(|(own, _)| *own == language)
}

/// Guesses the primary language of a text; `None` when the evidence is weak.
pub(in crate::audit) fn guess_language(text: &str) -> Option<&'static str> {
    by_script(text).or_else(|| by_words(text))
}

fn by_script(text: &str) -> Option<&'static str> {
    let mut counts = [0_usize; SCRIPTS.len()];
    let mut letters = 0;
    for character in text.chars().filter(|character| character.is_alphabetic()).take(10 * MOST_WORDS) {
        letters += 1;
        if let Some(index) = SCRIPTS.iter().position(|(_, range)| range.contains(&character)) {
            counts[index] += 1;
        }
    }
    let [kana, .., han] = counts;
    let share = |count: usize| letters >= FEWEST_WORDS && 100 * count >= LEAST_LETTERS * letters;
    // Chinese has no kana, and Japanese is seldom without kana.
    if share(kana + han) {
        return match (20 * kana >= kana + han, kana) {
            (true, _) => Some("ja"),
            (false, 0) => Some("zh"),
            (false, _) => None,
        };
    }
    let index = counts.iter().position(|count| share(*count))?;
    Some(SCRIPTS[index].0)
}

fn by_words(text: &str) -> Option<&'static str> {
    let mut counts = [0_usize; COMMON_WORDS.len()];
    let mut words = 0;
    let runs = text.split(|character: char| !character.is_alphabetic()).filter(|run| !run.is_empty());
    for run in runs.take(MOST_WORDS) {
        words += 1;
        for index in LANGUAGES.get(run.to_lowercase().as_str()).into_iter().flatten() {
            counts[*index] += 1;
        }
    }
    let best = (0..counts.len()).max_by_key(|index| counts[*index])?;
    let second = (0..counts.len()).filter(|index| *index != best).map(|index| counts[index]).max()?;
    let is_clear = words >= FEWEST_WORDS && 100 * counts[best] >= LEAST_SHARE * words && counts[best] >= LEAD * second;
    is_clear.then_some(COMMON_WORDS[best].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [(&str, &str); 12] = [
        (
            "en",
            "The tea of this house is picked by hand, and it is the only one that comes from the hills. We have been there when the leaves are young, and what you get from us is as fresh as it can be. ",
        ),
        (
            "de",
            "Der Tee aus diesem Haus wird von Hand gepflückt und ist der einzige, der von den Hügeln kommt. Wir sind auch nach der Ernte noch bei den Bauern, und das schmeckt man, wenn man ihn mit Wasser aufgießt. ",
        ),
        (
            "fr",
            "Le thé de cette maison est cueilli à la main et il est le seul qui vient des collines. Nous sommes sur place pour la récolte, et les feuilles sont dans les paquets sans attendre, avec plus de soin que chez les autres. ",
        ),
        (
            "es",
            "El té de esta casa se recoge a mano y es el único que viene de las colinas. También estamos con los campesinos cuando las hojas están listas, y por eso su sabor es más fresco que el de los otros, pero no más caro para usted. ",
        ),
        (
            "it",
            "Il tè di questa casa è raccolto a mano ed è il solo che viene dalle colline. Siamo sul posto per il raccolto, e le foglie sono nelle confezioni più in fretta che dagli altri, anche se non si vede. Questo è il gusto della nostra casa per gli amici. ",
        ),
        (
            "nl",
            "De thee van dit huis wordt met de hand geplukt en is de enige die van de heuvels komt. Wij zijn er ook bij als het blad jong is, en dat is niet te missen voor wie het proeft, maar het wordt door niemand anders naar uw huis gebracht. ",
        ),
        (
            "pt",
            "O chá da nossa casa é colhido à mão e não é o único que vem das colinas, mas é o mais fresco. Nós também estamos com os produtores quando as folhas são novas, e isso você percebe pelo sabor, que já está em todos os pacotes da casa. ",
        ),
        (
            "pl",
            "Herbata z naszego domu jest zbierana ręcznie i nie jest to jedyna, która pochodzi ze wzgórz, ale jest najświeższa. Jesteśmy tam także po zbiorach, oraz przez całe lato, i to się czuje, bo tylko tak może być dobra dla gości. ",
        ),
        (
            "sv",
            "Teet från det här huset plockas för hand och är det enda som kommer från kullarna. Vi är också med när bladen är unga, och det är inte svårt att känna för den som dricker det, men det har ett pris som vi inte kan ändra på. ",
        ),
        (
            "ru",
            "Чай из этого дома собирают вручную, и это не единственный чай, что растёт на холмах, но он самый свежий. Мы с вами и после сбора, так что вы можете его попробовать, если только он не закончился, как это был за год до того. ",
        ),
        (
            "ja",
            "この家のお茶は手で摘まれ、丘から来る唯一のものです。私たちは葉が若い時にもそこにいて、あなたが受け取るものはできる限り新鮮です。",
        ),
        ("zh", "这家的茶叶是手工采摘的，是唯一来自山上的茶。我们在叶子还嫩的时候就在那里，您得到的是最新鲜的。"),
    ];

    #[test]
    fn languages_are_recognised_by_their_words_and_scripts() {
        for (language, text) in TEXTS {
            assert_eq!(guess_language(&text.repeat(4)), Some(language), "{text}");
            assert!(is_guessable(language));
        }
    }

    #[test]
    fn weak_evidence_yields_no_guess() {
        for text in [
            "The tea of this house is picked by hand.".to_owned(),
            "Sencha 5 EUR Gyokuro 9 EUR Bancha 3 EUR Kukicha 4 EUR ".repeat(40),
            TEXTS.iter().map(|(_, text)| *text).collect(),
            "fn main() { let x = 5; println!(\"{x}\"); } ".repeat(50),
        ] {
            assert_eq!(guess_language(&text), None, "{text}");
        }
    }
}
