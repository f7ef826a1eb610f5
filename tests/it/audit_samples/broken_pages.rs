//! Obviously broken pages with a successful status. Each must be bad, and its report say why.

use std::collections::HashMap;

use reportdeck::domain::report::outcome::Outcome;

use crate::audit_samples::site::{Answer, Site};
use crate::audit_samples::{audit, failed};

const HTML: &str = "text/html; charset=utf-8";

/// A page, and what its report must say.
struct Broken {
    name: &'static str,
    status: u16,
    content_type: &'static str,
    body: &'static str,
    /// The failing check, and part of its error.
    check: &'static str,
    says: &'static str,
}

const fn html(name: &'static str, check: &'static str, says: &'static str, body: &'static str) -> Broken {
    Broken { name, status: 200, content_type: HTML, body, check, says }
}

/// The template around the visible part of an otherwise fine page.
const AROUND: (&str, &str) = (
    "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Green tea from Kyoto</title>\
     <meta name=description content='Green tea from Kyoto, picked by hand in spring and roasted in our own house.'>\
     <meta name=viewport content='width=device-width'><link rel=icon href=/favicon.ico></head><body>",
    "</body></html>",
);

const PAGES: &[Broken] = &[
    html("empty", "http_status", "without content", ""),
    html("white-space", "http_status", "without content", " \n\t\r\n "),
    Broken { status: 204, ..html("no-content", "http_status", "204", "") },
    html("blank", "visible_content", "no visible text", "AROUND<div class=main></div>"),
    html("blank-spaces", "visible_content", "no visible text", "AROUND<p>&nbsp;</p><div>&#8203;</div>"),
    html("blank-hidden", "visible_content", "no visible text", "AROUND<main style='display:none'><h1>Tea</h1></main>"),
    html("blank-pixel", "visible_content", "no visible text", "AROUND<img src=/count.gif width=1 height=1 alt=''>"),
    html(
        "blank-counter",
        "visible_content",
        "no visible text",
        "AROUND<script async src=https://www.googletagmanager.com/gtag/js></script>",
    ),
    html("hidden-body", "visible_content", "is hidden", "<title>Tea</title><body style='display: none'><h1>Tea</h1>"),
    html(
        "hidden-by-a-style",
        "visible_content",
        "is hidden",
        "<title>Tea</title><style>html, body { display: none }</style><body><h1>Tea</h1><p>FILLER",
    ),
    html("blank-frame", "visible_content", "no visible text", "<title>Tea</title><body><iframe title=Tea></iframe>"),
    html("unclosed-title", "visible_content", "<title> is never closed", "<!DOCTYPE html><title>Tea<body><h1>Tea</h1>"),
    html(
        "unclosed-script",
        "visible_content",
        "<script> is never closed",
        "<!DOCTYPE html><title>Tea</title><script>go()</head><body><h1>Tea</h1><p>Green tea</p></body></html>",
    ),
    html(
        "unclosed-style",
        "visible_content",
        "<style> is never closed",
        "<!DOCTYPE html><title>Tea</title><style>p{color:red}</head><body><h1>Tea</h1></body></html>",
    ),
    html(
        "unclosed-comment",
        "visible_content",
        "comment is never closed",
        "<!DOCTYPE html><title>Tea</title><body><!-- the menu <h1>Tea</h1><p>Green tea</body></html>",
    ),
    html(
        "php-fatal",
        "error_text",
        "Fatal error",
        "<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined function tea() in /srv/shop/index.php:3\nStack \
         trace:\n#0 {main}\n  thrown in <b>/srv/shop/index.php</b> on line <b>3</b><br />",
    ),
    html(
        "php-fatal-in-a-page",
        "error_text",
        "Allowed memory size",
        "AROUND<header><h1>Green tea</h1></header><p>FILLER</p><br />\n<b>Fatal error</b>:  Allowed memory size of 134217728 bytes \
         exhausted in <b>/srv/shop/list.php</b> on line <b>88</b><br />",
    ),
    html(
        "php-parse",
        "error_text",
        "Parse error",
        "<b>Parse error</b>:  syntax error, unexpected token in <b>/srv/x.php</b> on line <b>7</b><br />",
    ),
    html("php-plain", "error_text", "PHP Fatal error", "PHP Fatal error:  Uncaught Exception in /srv/x.php on line 3"),
    html(
        "php-warning",
        "program_messages",
        "Undefined array key",
        "AROUND<br />\n<b>Warning</b>:  Undefined array key \"id\" in <b>/srv/shop/tea.php</b> on line <b>12</b><br />\
         <h1>Green tea</h1><p>FILLER</p>",
    ),
    html("php-source", "program_messages", "PHP source", "<?php include 'head.php'; ?><h1>Tea</h1><?php tea(); ?>"),
    html(
        "jsp-source",
        "program_messages",
        "JSP or ASP source",
        "<%@ page language=\"java\" %><title>Tea</title><h1>Tea</h1><p>FILLER",
    ),
    html(
        "placeholder",
        "program_messages",
        "placeholder",
        "<title>{{ page.title }}</title><h1>{{ page.title }}</h1><p>FILLER",
    ),
    html(
        "python",
        "error_text",
        "Traceback",
        "<pre>Traceback (most recent call last):\n  File \"/srv/app.py\", line 3, in view\n    tea()\nNameError: tea</pre>",
    ),
    html(
        "django",
        "error_text",
        "debug = true",
        "<title>OperationalError at /tea/</title><h1>OperationalError <span>at /tea/</span></h1><pre>no such table</pre>\
         <p>FILLER</p><div id=explanation><p>You’re seeing this error because you have <code>DEBUG = True</code> in your \
         Django settings file.</div>",
    ),
    html(
        "werkzeug",
        "error_text",
        "Werkzeug",
        "<title>KeyError: 'tea'\n // Werkzeug Debugger</title><h1>KeyError</h1><p>FILLER",
    ),
    html(
        "java",
        "error_text",
        "java.lang",
        "<pre>java.lang.NullPointerException\n\tat shop.Tea.brew(Tea.java:12)\n\tat shop.Main.main(Main.java:3)</pre>",
    ),
    html(
        "tomcat",
        "error_text",
        "HTTP Status 500",
        "<title>HTTP Status 500 – Internal Server Error</title><h1>HTTP Status 500 – Internal Server Error</h1><hr><p>\
         <b>Type</b> Exception Report</p><pre>javax.servlet.ServletException</pre><h3>Apache Tomcat/9.0.1</h3>",
    ),
    html(
        "spring",
        "error_text",
        "Whitelabel",
        "<h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error.</p><div>There was an \
         unexpected error (type=Internal Server Error, status=500).</div>",
    ),
    html(
        "rails",
        "error_text",
        "something went wrong",
        "<title>We're sorry, but something went wrong (500)</title><div class=dialog><h1>We're sorry, but something went \
         wrong.</h1></div><p>If you are the application owner check the logs for more information.</p>",
    ),
    html(
        "rails-debug",
        "error_text",
        "Exception caught",
        "<title>Action Controller: Exception caught</title><p>FILLER",
    ),
    html(
        "asp-net",
        "error_text",
        "Server Error in",
        "<title>Runtime Error</title><h1>Server Error in '/' Application.<hr></h1><h2><i>Runtime Error</i></h2><b>\
         Description: </b>An application error occurred on the server.",
    ),
    html("express", "error_text", "Cannot GET", "<title>Error</title><pre>Cannot GET /tea</pre>"),
    html("perl", "error_text", "Software error", "<h1>Software error:</h1><pre>Can't locate Tea.pm in @INC</pre>"),
    html(
        "wordpress-database",
        "error_text",
        "database connection",
        "<title>Database Error</title><div><h1>Error establishing a database connection</h1></div>",
    ),
    html(
        "wordpress-german",
        "error_text",
        "kritischen Fehler",
        "<html lang=de><title>WordPress › Fehler</title><div><p>Es gab einen kritischen Fehler auf deiner Website.</p>",
    ),
    html(
        "mysql",
        "error_text",
        "access denied for user",
        "Connection failed: Access denied for user 'shop'@'localhost'",
    ),
    html("sqlstate", "error_text", "SQLSTATE", "<title>Shop</title>SQLSTATE[HY000] [2002] Connection refused"),
    html(
        "nginx-default",
        "error_text",
        "Welcome to nginx!",
        "<!DOCTYPE html><html><head><title>Welcome to nginx!</title><style>html{color-scheme:light dark}</style></head>\
         <body><h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and \
         working. Further configuration is required.</p></body></html>",
    ),
    html("apache-default", "error_text", "It works!", "<html><body><h1>It works!</h1></body></html>"),
    html(
        "apache-debian",
        "error_text",
        "Default Page",
        "<title>Apache2 Debian Default Page: It works</title><span>Apache2 Debian Default Page</span><p>FILLER",
    ),
    html(
        "iis-default",
        "error_text",
        "IIS Windows Server",
        "<title>IIS Windows Server</title><a href=/x><img src=iis.png></a>",
    ),
    html(
        "suspended",
        "error_text",
        "Suspended",
        "<title>Account Suspended</title><h1>Account Suspended</h1><p>Sorry.</p>",
    ),
    html(
        "not-found",
        "error_text",
        "404 Not Found",
        "<title>404 Not Found</title><center><h1>404 Not Found</h1></center>nginx",
    ),
    html(
        "not-found-in-a-frame-of-links",
        "error_text",
        "can’t be found",
        "AROUND<nav>Home Shop About us Contact Help</nav><h1>Oops! That page can’t be found.</h1><p>Try a search.</p>",
    ),
    html(
        "not-found-german",
        "error_text",
        "nicht gefunden",
        "<title>Seite nicht gefunden</title><h1>Seite nicht gefunden</h1>",
    ),
    html(
        "not-found-french",
        "error_text",
        "introuvable",
        "<title>Page introuvable - Thé</title><h1>Page introuvable</h1>",
    ),
    html(
        "not-found-spanish",
        "error_text",
        "no encontrada",
        "<title>Página no encontrada</title><h1>Página no encontrada</h1>",
    ),
    html("not-found-russian", "error_text", "не найдена", "<title>404</title><h1>Страница не найдена</h1>"),
    html("not-found-japanese", "error_text", "見つかりません", "<title>お茶</title><h1>ページが見つかりません</h1>"),
    html("not-found-chinese", "error_text", "页面未找到", "<title>页面未找到</title><h1>页面未找到</h1>"),
    html("error-italian", "error_text", "errore", "<title>Errore</title><h1>Si è verificato un errore</h1>"),
    html(
        "not-found-with-own-heading",
        "error_text",
        "Page not found",
        "<title>Page not found | Tea</title><h1>Oops!</h1><p>Sorry, we can’t find that page. Try our home page.",
    ),
    html(
        "maintenance",
        "error_text",
        "back soon",
        "<title>Tea</title><h1>We&rsquo;ll be back soon!</h1><p>Please wait.",
    ),
    html("bad-gateway", "error_text", "502", "<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr>nginx"),
    Broken {
        content_type: "text/plain; charset=utf-8",
        ..html("plain-error", "error_text", "Internal Server Error", "Internal Server Error\n")
    },
];

#[tokio::test]
async fn every_broken_page_is_bad_and_says_why() {
    let filler = "Our green tea grows on hills near Kyoto and is picked by hand in spring. ".repeat(60);
    let body = |page: &Broken| match page.body.strip_prefix("AROUND") {
        Some(inner) => format!("{}{inner}{}", AROUND.0, AROUND.1),
        None => page.body.to_owned(),
    };
    let answers: HashMap<String, Answer> = PAGES
        .iter()
        .map(|page| {
            let body = body(page).replace("FILLER", &filler).into_bytes();
            (format!("/{}", page.name), Answer { status: page.status, content_type: page.content_type, body })
        })
        .collect();
    let site = Site::start(answers).await;
    let mut wrong = Vec::new();
    for page in PAGES {
        let audit = audit(&format!("{}/{}", site.origin, page.name)).await;
        let check = audit.checks.iter().find(|check| check.id.raw() == page.check).unwrap();
        let says = check.errors.iter().any(|error| error.raw().contains(page.says));
        println!("{:3} {}", audit.score, page.name);
        if audit.outcome != Outcome::Bad || !says || !failed(&audit).contains(&page.check) {
            wrong.push(format!("{}: {} {:?} {:?}", page.name, audit.score, check.outcome, check.errors));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
