//! Pages that are errors, and pages about errors.

use super::*;
use crate::audit::checks::samples;
use crate::domain::report::check::CheckOutcome;

fn found(sample: &str) -> CheckResult {
    let page = samples::page(sample);
    error_text(&page, page.response().unwrap())
}

fn outcome(sample: &str) -> CheckOutcome {
    found(sample).outcome
}

#[test]
fn pages_about_errors_are_not_errors() {
    let words = "Every server answers with a status, and this chapter explains one of them in detail. ".repeat(8);
    for sample in [
        format!("<title>404 Not Found</title><h1>404 Not Found</h1><p>{words}"),
        format!("<title>Internal Server Error</title><h1>Internal Server Error</h1><p>{words}"),
        format!("<title>Tracebacks</title><h1>Tracebacks</h1><p>{words}<pre>Traceback (most recent call last):\n x</pre>"),
        format!("<h1>Errors of PHP</h1><p>{words}<p>Fatal error: Uncaught Error in /srv/x.php on line 3"),
        "<h1>How to read a message</h1><p>PHP begins such a text with these words, in bold, and names a file and a line \
         of it.<pre><b>Fatal error</b>: Uncaught Error in <b>/srv/x.php</b> on line <b>3</b></pre>"
            .to_owned(),
        "<title>Not found: a novel</title><h1>Not found</h1><p>".to_owned() + &words,
        "<title>The Error of my Ways</title><h1>The Error of my Ways</h1><p>A song.".to_owned(),
        "<title>Error handling</title><h1>Error handling</h1><p>See below.".to_owned(),
        "<title>Welcome to nginx! How to change this page</title><h1>Change the page</h1><p>Edit the file.".to_owned(),
        "<title>Maintenance</title><h1>Maintenance</h1><p>Oil change, brakes and tyres from 90 euros.".to_owned(),
        "<title>Roads under maintenance</title><h1>Roads under maintenance in May</h1><p>Mill Lane.".to_owned(),
        "<title>Not found | Glossary</title><h1>Missing pages</h1><p>A server says so if it has no such page.".to_owned(),
        "<title>Error | Manual</title><h1>Handling of errors</h1><p>If a request fails, try again.".to_owned(),
        "<title>Lost and found</title><h1>Found</h1><p>Keys, umbrellas.".to_owned(),
        "<title>Tea</title><h1>It works</h1><p>Tea works wonders.".to_owned(),
        "<title>Help</title><h1>Help</h1><h2>Can’t locate your parcel?</h2><p>Write to us.".to_owned(),
        "<title>Help</title><h1>Account suspended? Write to us</h1><p>We answer within a day.".to_owned(),
        "<title>500 | Fiat</title><h1>500</h1><p>A small car with a folding roof, from 16,000 euros.".to_owned(),
        "<title>Peugeot</title><h1>404</h1><p>Our oldest estate car, built until 1975.".to_owned(),
        "<title>Error | Glossary</title><h1>Error</h1><p>The deviation of a measured value from the true one.".to_owned(),
        "<title>Error</title><h1>Error</h1><p>The deviation of a measured value from the true one. It has a random part, \
         which many measurements reduce, and a systematic part."
            .to_owned(),
        "status 404\n\n<title>404</title><h1>Not found</h1>".to_owned(),
    ] {
        assert_ne!(outcome(&sample), CheckOutcome::Failed, "{sample}: {:?}", found(&sample));
    }
}

#[test]
fn an_ambiguous_status_is_an_error_with_the_words_of_an_error_page() {
    for sample in [
        "<title>404 | Tea</title><h1>404</h1><p>This page doesn't exist.",
        "<title>404 | Tea</title><h1>404</h1><p>Looks like you are lost. Go to our home page or use the search.",
        "<title>404 | Tea</title><h1>404</h1><p>The page you are looking for has been moved or deleted.",
        "<title>404 | Tea</title><h1>404</h1><p>Nothing here. Return to the start page.",
        "<title>Error | Tea</title><h1>Error</h1><p>Something went wrong on our side. Please contact us.",
        "<title>500 | Tea</title><h1>500</h1><p>Our server has a problem. We are working on it right now.",
        "<title>403 | Tea</title><h1>403</h1><p>You do not have permission to view this page of our shop.",
        "<title>404 | Tee</title><h1>404</h1><p>Diese Seite existiert nicht. Zurück zur Startseite des Ladens.",
        "<title>Fehler | Tee</title><h1>Fehler</h1><p>Da ist etwas schiefgelaufen. Bitte versuchen Sie es später.",
        "<title>404 | Thé</title><h1>404</h1><p>Cette page n’existe plus. Retour à la page d’accueil du magasin.",
    ] {
        assert_eq!(outcome(sample), CheckOutcome::Failed, "{sample}");
    }
}

#[test]
fn an_error_is_recognised_with_and_without_its_status_code() {
    for (title, heading) in [
        ("404", "404"),
        ("404 Not Found", "404 Not Found"),
        ("Page not found – Tea Shop", "Oops! That page can’t be found."),
        ("Error 404 (Not Found)", "404. Not Found"),
        ("HTTP 500: Internal Server Error", "Internal Server Error"),
        ("Tea Shop", "Seite nicht gefunden"),
        ("502 Bad Gateway", "502 Bad Gateway"),
        ("Страница не найдена", "Страница не найдена"),
        ("404 | Tea Shop", "404"),
        ("Tea Shop", "500"),
        ("Error | Tea Shop", "Error"),
        ("Error 500 | Tea Shop", "Error 500"),
        ("Page not found | Tea Shop", "Oops!"),
        ("Error 404 | Tea Shop", "Hmm, we can’t find that page"),
        ("404 | Tea Shop", "Are you lost?"),
    ] {
        let sample = format!("<title>{title}</title><nav>Home Shop About</nav><h1>{heading}</h1><p>Sorry.");
        assert_eq!(outcome(&sample), CheckOutcome::Failed, "{sample}");
    }
    let perl = "<p>Can't locate Tea.pm in @INC (you may need to install the Tea module) at /srv/tea.pl line 3.";
    assert_eq!(outcome(perl), CheckOutcome::Failed);
    assert_eq!(outcome("<title>Account Suspended</title><h1>Account Suspended</h1><p>Sorry."), CheckOutcome::Failed);
    assert_eq!(outcome("header Content-Type: text/plain\n\nInternal Server Error\n"), CheckOutcome::Failed);
    assert_eq!(outcome("header Content-Type: text/plain\n\nTea, and nothing else.\n"), CheckOutcome::Passed);
}

#[test]
fn a_shop_that_is_closed_for_maintenance_shows_an_error() {
    for heading in [
        "Under maintenance",
        "Site under maintenance",
        "We’ll be back soon!",
        "Down for maintenance",
        "Seite im Wartungsmodus",
        "Site en maintenance",
        "メンテナンス中",
    ] {
        let sample = format!("<title>Tea Shop</title><h1>{heading}</h1><p>Please look in again later.");
        assert_eq!(outcome(&sample), CheckOutcome::Failed, "{sample}");
    }
}
