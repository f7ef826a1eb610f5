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

#[test]
fn default_pages_of_servers_and_hosts_are_errors() {
    let about = "This page is used to test the proper operation of the server after it has been installed. ".repeat(6);
    for (title, text) in [
        ("Test Page for the HTTP Server on AlmaLinux", &*about),
        ("Test Page for the HTTP Server on Red Hat Enterprise Linux", &about),
        ("Test Page for the Apache HTTP Server on Amazon Linux", &about),
        ("Test Page for the Nginx HTTP Server on Fedora", &about),
        ("HTTP Server Test Page powered by: Rocky Linux", &about),
        ("Web Server's Default Page", "This page is generated by Plesk."),
        ("Microsoft Azure App Service - Welcome", "Your web app is running and waiting for your content."),
        ("Welcome to XAMPP", "You have successfully installed XAMPP on this system!"),
        ("Welcome page", "You should replace this page with your own web pages as soon as possible."),
        ("Welcome!", "This is the default index page of your website."),
        ("SORRY!", "If you are the owner of this website, please contact your hosting provider: webmaster@tea.example"),
        ("WordPress › Installation", "Welcome to the famous five-minute WordPress installation process!"),
    ] {
        let sample = format!("<title>{title}</title><h1>Welcome</h1><p>{text}");
        assert_eq!(outcome(&sample), CheckOutcome::Failed, "{sample}");
    }
    for sample in [
        "<title>Test page for the Apache HTTP server on Fedora: what it is, and how to replace it</title><h1>Test page</h1>",
        "<title>Plesk</title><h1>The web server's default page</h1><p>It is replaced with your first upload.",
    ] {
        assert_eq!(outcome(sample), CheckOutcome::Passed, "{sample}");
    }
}

#[test]
fn messages_of_programs_databases_and_proxies_are_errors() {
    for sample in [
        "No input file specified.",
        "Connection failed: Too many connections",
        "Connection failed: Unknown database 'shop'",
        "Unknown database 'shop'",
        "MySQL server has gone away",
        "Too many connections",
        "<title>General Error</title><h1>General Error</h1><h2>SQL ERROR [ mysqli ]</h2><p>Please contact an administrator.",
        "Error displaying the error page: Application Instantiation Error: Failed to start application",
        "<title>There has been an error processing your request</title><h1>There has been an error processing your \
         request</h1><p>Error log record number: 123",
        "<h1>Error Occurred While Processing Request</h1><p>Variable TEA is undefined.",
        "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
        "no healthy upstream",
        "The service is unavailable.",
        "default backend - 404",
        "<title>508 Resource Limit Is Reached</title><h1>Resource Limit Is Reached</h1><p>Please try again later.",
        "<title>503 Backend fetch failed</title><h1>Error 503 Backend fetch failed</h1><p>Varnish cache server",
        "<title>ERROR: The requested URL could not be retrieved</title><h1>ERROR</h1><h2>The requested URL could not be \
         retrieved</h2>",
        "<title>404: NOT_FOUND</title><p>404: NOT_FOUND<p>Code: DEPLOYMENT_NOT_FOUND",
        "<title>Site not found · Pages</title><h1>404</h1><p>There is no site here.",
        "<title>Sorry, this shop is currently unavailable.</title><h1>Sorry, this shop is currently unavailable.</h1>",
        "<h2>Sinatra doesn’t know this ditty.</h2><p>Try this:<pre>get '/tea' do end</pre>",
    ] {
        assert_eq!(outcome(&format!("<body>{sample}")), CheckOutcome::Failed, "{sample}");
    }
    let advice = "Our support answers questions about orders within one day, on weekdays from eight to six. ".repeat(3);
    for heading in
        ["Too many connections", "MySQL server has gone away", "Unknown database 'shop'", "No healthy upstream"]
    {
        let sample = format!("<title>{heading} | Help</title><h1>{heading}</h1><p>{advice}If you see this: {heading}.");
        assert_eq!(outcome(&sample), CheckOutcome::Passed, "{sample}");
    }
}

#[test]
fn a_missing_page_that_recommends_others_is_an_error() {
    let teas = "Perhaps you will like one of the teas that our customers order most in spring. ".repeat(6);
    for (title, heading) in
        [("Page not found | Tea", "Page not found"), ("404 – Seite nicht gefunden", "Seite nicht gefunden")]
    {
        let sample = format!("<title>{title}</title><h1>{heading}</h1><p>{teas}");
        assert_eq!(outcome(&sample), CheckOutcome::Failed, "{sample}");
    }
}
