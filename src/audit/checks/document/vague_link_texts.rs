//! Link texts that do not describe their target, per language.

/// Language and texts, in lower case.
const VAGUE_TEXTS: [(&str, &[&str]); 15] = [
    (
        "en",
        &[
            "click here",
            "click this",
            "click",
            "here",
            "right here",
            "more",
            "read more",
            "learn more",
            "see more",
            "more info",
            "more information",
            "information",
            "this",
            "this page",
            "link",
            "go",
            "details",
            "continue",
            "start",
        ],
    ),
    (
        "de",
        &[
            "hier",
            "hier klicken",
            "klicke hier",
            "klicken sie hier",
            "mehr",
            "mehr erfahren",
            "mehr lesen",
            "weiterlesen",
            "siehe",
            "dies",
            "das",
        ],
    ),
    ("fr", &["ici", "cliquez ici", "cliquer ici", "en savoir plus", "lire la suite", "plus", "voir plus"]),
    (
        "es",
        &[
            "aquí",
            "aqui",
            "click aquí",
            "click aqui",
            "clicka aquí",
            "clicka aqui",
            "pincha aquí",
            "pincha aqui",
            "haga clic aquí",
            "leer más",
            "más",
            "mas",
            "más información",
            "más informacion",
            "mas información",
            "mas informacion",
            "este",
            "enlace",
            "este enlace",
            "empezar",
        ],
    ),
    ("it", &["qui", "clicca qui", "leggi tutto", "scopri di più", "altro"]),
    ("nl", &["hier", "klik hier", "lees meer", "meer"]),
    (
        "pt",
        &[
            "aqui",
            "clique aqui",
            "ir",
            "mais informação",
            "mais informações",
            "mais",
            "veja mais",
            "saiba mais",
            "leia mais",
        ],
    ),
    ("sv", &["här", "klicka här", "läs mer", "mer", "mer info", "mer information"]),
    ("pl", &["tutaj", "kliknij tutaj", "więcej", "czytaj więcej"]),
    ("ru", &["здесь", "тут", "нажмите здесь", "подробнее", "ещё", "далее"]),
    ("ja", &["ここをクリック", "こちらをクリック", "こちら", "リンク", "続きを読む", "続く", "全文表示"]),
    ("zh", &["点击这里", "點擊這裡", "这里", "更多", "了解更多", "阅读更多"]),
    ("ko", &["여기", "여기를 클릭", "클릭", "링크", "자세히", "자세히 보기", "계속", "이동", "전체 보기"]),
    (
        "ta",
        &[
            "அடுத்த பக்கம்",
            "மறுபக்கம்",
            "முந்தைய பக்கம்",
            "முன்பக்கம்",
            "மேலும் அறிக",
            "மேலும் தகவலுக்கு",
            "மேலும் தரவுகளுக்கு",
            "தயவுசெய்து இங்கே அழுத்தவும்",
            "இங்கே கிளிக் செய்யவும்",
        ],
    ),
    (
        "fa",
        &[
            "اطلاعات بیشتر",
            "اطلاعات",
            "این",
            "اینجا بزنید",
            "اینجا کلیک کنید",
            "اینجا",
            "برو",
            "بیشتر بخوانید",
            "بیشتر بدانید",
            "بیشتر",
            "شروع",
        ],
    ),
];

/// Whether the text is vague in its language, or in any language if that is unknown.
pub(in crate::audit) fn is_vague(text: &str, language: Option<&str>) -> bool {
    let primary = language.map(|language| language.split(['-', '_']).next().unwrap_or_default());
    let holds = |own: &str| primary.is_none_or(|primary| primary.eq_ignore_ascii_case(own));
    VAGUE_TEXTS.iter().any(|(own, texts)| holds(own) && texts.contains(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_judged_in_its_own_language() {
        for (text, language, expected) in [
            ("plus", Some("fr-CA"), true),
            ("plus", Some("en"), false),
            ("plus", None, true),
            ("mehr", Some("DE"), true),
            ("das", Some("en"), false),
            ("here", Some("en_US"), true),
            ("tea", None, false),
            ("here", Some("is"), false),
        ] {
            assert_eq!(is_vague(text, language), expected, "{text} {language:?}");
        }
        for (_, texts) in VAGUE_TEXTS {
            assert!(texts.iter().all(|text| text.to_lowercase() == **text));
        }
    }
}
