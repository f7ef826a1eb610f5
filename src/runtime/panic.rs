//! Captures panics of the dashboard instead of printing them over the screen, for a report on the restored terminal.

use std::sync::{Arc, Mutex, PoisonError};

/// Installs a hook that stores the text of the last panic instead of printing it. It stays for the rest of the process.
/// Returns a function that takes the text.
pub(super) fn remember() -> impl Fn() -> Option<String> {
    let text = Arc::new(Mutex::new(None));
    let inside = Arc::clone(&text);
    std::panic::set_hook(Box::new(move |information| {
        let message = without_texts(&information.to_string());
        *inside.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
    }));
    move || text.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Removes quoted text from a panic message: the standard library quotes a string that was sliced inside a character,
/// and that may be a password. The location is sufficient.
fn without_texts(message: &str) -> String {
    let mut message = message.to_owned();
    for quote in ['`', '"', '\''] {
        // Up to the last quote, because the quoted text may contain some. A lone apostrophe quotes nothing.
        if let (Some(first), Some(last)) = (message.find(quote), message.rfind(quote))
            && first < last
        {
            message.replace_range(first + 1..last, "…");
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_report_omits_quoted_text() {
        let password = "Pw7`geh\"eimé'Pw7";
        let at = password.find('é').unwrap() + 1;
        let panicked = std::panic::catch_unwind(|| password[..at].len()).unwrap_err();
        let message = panicked.downcast_ref::<String>().unwrap();
        assert!(message.contains("geh"), "the standard library quotes no more: {message}");
        let masked = without_texts(&format!("panicked at src/view/form.rs:1:2:\n{message}"));
        assert!(masked.starts_with("panicked at src/view/form.rs:1:2:"), "{masked}");
        for part in ["Pw7", "geh", "eim"] {
            assert!(!masked.contains(part), "{masked}");
        }
        assert_eq!(without_texts("no quotes, it's as it is"), "no quotes, it's as it is");
    }
}
