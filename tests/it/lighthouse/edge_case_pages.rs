//! Pages with edge cases of the head, of response headers and of robots.txt.
//!
//! ORIGIN is replaced by the origin of the pages, FILLER by more than a thousand bytes of text.

/// A hand-written page.
pub struct Hard {
    pub name: &'static str,
    /// `name: value`; a Content-Type replaces the default one.
    pub headers: &'static [&'static str],
    pub html: &'static str,
}

/// A robots.txt.
pub struct Robots {
    pub name: &'static str,
    pub status: u16,
    pub text: &'static str,
}

pub const fn page(name: &'static str, html: &'static str) -> Hard {
    Hard { name, headers: &[], html }
}

const fn sent(name: &'static str, headers: &'static [&'static str], html: &'static str) -> Hard {
    Hard { name, headers, html }
}

pub const PLAIN: &str = "<!DOCTYPE html><html lang=en><title>Tea</title><p>Green tea";

const BARE: &[&str] = &["content-type: text/html"];

pub const CASES: &[Hard] = &[
    page("title-in-drawing", "<!DOCTYPE html><html lang=en><svg><title>A drawing</title></svg><p>Tea"),
    page("title-twice", "<!DOCTYPE html><html lang=en><title>Tea</title><title>Coffee</title><p>Tea"),
    page("title-empty", "<!DOCTYPE html><html lang=en><title> \n </title><p>Tea"),
    page("title-empty-then-full", "<!DOCTYPE html><html lang=en><title></title><title>Tea</title><p>Tea"),
    page("title-in-body", "<!DOCTYPE html><html lang=en><body><p>Tea</p><title>Tea</title>"),
    page(
        "title-long",
        "<!DOCTYPE html><html lang=en><title>Green tea from the hills of Kyoto, picked by hand in early spring, and roasted here</title><p>Tea",
    ),
    page("title-with-entities", "<!DOCTYPE html><html lang=en><title>&nbsp;&#8203;</title><p>Tea"),
    page("title-in-template", "<!DOCTYPE html><html lang=en><template><title>Tea</title></template><p>Tea"),
    page("title-in-comment", "<!DOCTYPE html><html lang=en><!-- <title>Tea</title> --><p>Tea"),
    page("description-empty", "<!DOCTYPE html><html lang=en><meta name=description content=' '><p>Tea"),
    page(
        "description-twice",
        "<!DOCTYPE html><html lang=en><meta name=description content=Tea><meta name=description content=Coffee><p>Tea",
    ),
    page(
        "description-second-filled",
        "<!DOCTYPE html><html lang=en><meta name=description content=''><meta name=description content=Tea><p>Tea",
    ),
    page("description-in-body", "<!DOCTYPE html><html lang=en><body><p>Tea<meta name=description content=Tea>"),
    page("description-shouted", "<!DOCTYPE html><html lang=en><META NAME=Description CONTENT=Tea><p>Tea"),
    page("description-as-property", "<!DOCTYPE html><html lang=en><meta property=description content=Tea><p>Tea"),
    page("description-with-space", "<!DOCTYPE html><html lang=en><meta name=' description' content=Tea><p>Tea"),
    page("description-without-content", "<!DOCTYPE html><html lang=en><meta name=description><p>Tea"),
    page(
        "description-in-template",
        "<!DOCTYPE html><html lang=en><template><meta name=description content=Tea></template><p>Tea",
    ),
    page("language-oxford", "<!DOCTYPE html><html lang=en-GB-oxendict><title>Tea</title><p>Tea"),
    page("language-none", "<!DOCTYPE html><title>Tea</title><p>Tea"),
    page("language-empty", "<!DOCTYPE html><html lang=''><title>Tea</title><p>Tea"),
    page("language-word", "<!DOCTYPE html><html lang=english><title>Tea</title><p>Tea"),
    page("language-unregistered", "<!DOCTYPE html><html lang=xx><title>Tea</title><p>Tea"),
    page("language-unregistered-three", "<!DOCTYPE html><html lang=zzq-US><title>Tea</title><p>Tea"),
    page("language-underscore", "<!DOCTYPE html><html lang=en_US><title>Tea</title><p>Tea"),
    page("language-script", "<!DOCTYPE html><html lang=zh-Hant-TW><title>Tea</title><p>Tea"),
    page("language-three", "<!DOCTYPE html><html lang=gsw-CH><title>Tea</title><p>Tea"),
    page("language-private", "<!DOCTYPE html><html lang=x-tea><title>Tea</title><p>Tea"),
    page("language-local", "<!DOCTYPE html><html lang=qaa><title>Tea</title><p>Tea"),
    page("language-grandfathered", "<!DOCTYPE html><html lang=i-klingon><title>Tea</title><p>Tea"),
    page("language-country-alone", "<!DOCTYPE html><html lang=de-de-de><title>Tea</title><p>Tea"),
    page("language-no-such-country", "<!DOCTYPE html><html lang=en-UK><title>Tea</title><p>Tea"),
    page("language-shouted", "<!DOCTYPE html><html lang=EN-us><title>Tea</title><p>Tea"),
    page("language-spaced", "<!DOCTYPE html><html lang=' en '><title>Tea</title><p>Tea"),
    page("language-by-xml", "<!DOCTYPE html><html xml:lang=en><title>Tea</title><p>Tea"),
    page("language-on-body", "<!DOCTYPE html><body lang=en><title>Tea</title><p>Tea"),
    page("language-repeated-element", "<!DOCTYPE html><html><title>Tea</title><p>Tea<html lang=en>"),
    page("viewport-usual", "<!DOCTYPE html><meta name=viewport content='width=device-width, initial-scale=1'><p>Tea"),
    page(
        "viewport-by-spaces",
        "<!DOCTYPE html><meta name=viewport content='width=device-width initial-scale=1'><p>Tea",
    ),
    page(
        "viewport-loose",
        "<!DOCTYPE html><meta name=Viewport content=' initial-scale = 1.0 ;WIDTH = Device-Width'><p>Tea",
    ),
    page("viewport-shouted-value", "<!DOCTYPE html><meta name=viewport content='width=DEVICE-WIDTH'><p>Tea"),
    page("viewport-shouted", "<!DOCTYPE html><meta name=viewport content='WIDTH=device-width'><p>Tea"),
    page("viewport-scale-alone", "<!DOCTYPE html><meta name=viewport content='initial-scale=1'><p>Tea"),
    page("viewport-fixed", "<!DOCTYPE html><meta name=viewport content='width=320'><p>Tea"),
    page("viewport-empty", "<!DOCTYPE html><meta name=viewport content=''><p>Tea"),
    page(
        "viewport-small-scale",
        "<!DOCTYPE html><meta name=viewport content='width=device-width, initial-scale=0.5'><p>Tea",
    ),
    page("viewport-quoted-twice", "<!DOCTYPE html><meta name=viewport content='&quot;width=device-width&quot;'><p>Tea"),
    page(
        "viewport-twice",
        "<!DOCTYPE html><meta name=viewport content='height=500'><meta name=viewport content='width=device-width'><p>Tea",
    ),
    page("viewport-in-body", "<!DOCTYPE html><body><p>Tea<meta name=viewport content='width=device-width'>"),
    page("viewport-in-comment", "<!DOCTYPE html><!--<meta name=viewport content='width=device-width'>--><p>Tea"),
    page("viewport-colon", "<!DOCTYPE html><meta name=viewport content='width:device-width'><p>Tea"),
    sent("charset-none", BARE, "<!DOCTYPE html><p>Tea"),
    sent("charset-meta", BARE, "<!DOCTYPE html><meta charset=utf-8><p>Tea"),
    sent("charset-meta-quoted", BARE, "<!DOCTYPE html><META CHARSET = 'UTF-8' /><p>Tea"),
    sent(
        "charset-by-http-equiv",
        BARE,
        "<!DOCTYPE html><meta http-equiv=Content-Type content='text/html; charset=iso-8859-1'><p>Tea",
    ),
    sent("charset-without-http-equiv", BARE, "<!DOCTYPE html><meta content='text/html; charset=utf-8'><p>Tea"),
    sent(
        "charset-in-description",
        BARE,
        "<!DOCTYPE html><meta name=description content='charset=utf-8 is good'><p>Tea",
    ),
    sent("charset-in-comment", BARE, "<!DOCTYPE html><!-- <meta charset=utf-8> --><p>Tea"),
    sent("charset-late", BARE, "<!DOCTYPE html><!-- FILLER --><meta charset=utf-8><p>Tea"),
    sent(
        "charset-late-header",
        &["content-type: text/html; charset=utf-8"],
        "<!DOCTYPE html><!-- FILLER --><meta charset=utf-8><p>Tea",
    ),
    sent("charset-mark", BARE, "\u{feff}<!DOCTYPE html><p>Tea"),
    sent("charset-mark-and-late", BARE, "\u{feff}<!DOCTYPE html><!-- FILLER --><meta charset=utf-8><p>Tea"),
    sent("charset-unknown", BARE, "<!DOCTYPE html><meta charset=utf-99><p>Tea"),
    sent("charset-unknown-header", &["content-type: text/html; charset=utf-99"], "<!DOCTYPE html><p>Tea"),
    sent("charset-empty", BARE, "<!DOCTYPE html><meta charset=''><p>Tea"),
    sent("charset-by-xml", BARE, "<?xml version='1.0' encoding='ISO-8859-1'?><!DOCTYPE html><p>Tea"),
    sent("charset-in-script", BARE, "<!DOCTYPE html><script>'<meta charset=utf-8>'</script><p>Tea"),
    sent("charset-wide", BARE, "<!DOCTYPE html><meta charset=utf-16><p>Tea"),
    sent("charset-in-body", BARE, "<!DOCTYPE html><body><meta charset=utf-8><p>Tea"),
    page("doctype-none", "<html lang=en><title>Tea</title><p>Tea"),
    page("doctype-shouted", "<!doctype HTML><title>Tea</title><p>Tea"),
    page("doctype-legacy", "<!DOCTYPE html SYSTEM 'about:legacy-compat'><title>Tea</title><p>Tea"),
    page(
        "doctype-strict",
        "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01//EN' 'http://www.w3.org/TR/html4/strict.dtd'><title>Tea</title><p>Tea",
    ),
    page(
        "doctype-loose",
        "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'http://www.w3.org/TR/html4/loose.dtd'><title>Tea</title><p>Tea",
    ),
    page(
        "doctype-loose-alone",
        "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'><title>Tea</title><p>Tea",
    ),
    page(
        "doctype-xhtml",
        "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd'><title>Tea</title><p>Tea",
    ),
    page("doctype-old", "<!DOCTYPE HTML PUBLIC '-//IETF//DTD HTML 2.0//EN'><title>Tea</title><p>Tea"),
    page("doctype-other", "<!DOCTYPE svg><title>Tea</title><p>Tea"),
    page("doctype-late", "<p>Tea<!DOCTYPE html>"),
    page("doctype-behind-comment", "<!-- Tea --><!DOCTYPE html><title>Tea</title><p>Tea"),
    page("doctype-behind-xml", "<?xml version='1.0'?><!DOCTYPE html><title>Tea</title><p>Tea"),
    page("robots-noindex", "<!DOCTYPE html><meta name=robots content=noindex><p>Tea"),
    page("robots-none-shouted", "<!DOCTYPE html><meta name=ROBOTS content='NONE'><p>Tea"),
    page("robots-follow", "<!DOCTYPE html><meta name=robots content='index, nofollow, max-snippet:-1'><p>Tea"),
    page("robots-googlebot-alone", "<!DOCTYPE html><meta name=googlebot content=noindex><p>Tea"),
    page(
        "robots-googlebot-allowed",
        "<!DOCTYPE html><meta name=robots content=noindex><meta name=googlebot content=index><p>Tea",
    ),
    page("robots-other-bot", "<!DOCTYPE html><meta name=teabot content=noindex><p>Tea"),
    page("robots-past", "<!DOCTYPE html><meta name=robots content='unavailable_after: 2020-01-01'><p>Tea"),
    page(
        "robots-past-in-words",
        "<!DOCTYPE html><meta name=robots content='unavailable_after: 25 Jun 2010 15:00:00 GMT'><p>Tea",
    ),
    page(
        "robots-past-without-zone",
        "<!DOCTYPE html><meta name=robots content='unavailable_after: 25-Jun-2010 15:00:00 GMT'><p>Tea",
    ),
    page("robots-future", "<!DOCTYPE html><meta name=robots content='unavailable_after: 2999-01-01'><p>Tea"),
    page("robots-two-metas", "<!DOCTYPE html><meta name=robots content=index><meta name=robots content=noindex><p>Tea"),
    page("robots-in-body", "<!DOCTYPE html><body><p>Tea<meta name=robots content=noindex>"),
    page("robots-by-spaces", "<!DOCTYPE html><meta name=robots content='noindex nofollow'><p>Tea"),
    page("robots-noindex-in-word", "<!DOCTYPE html><meta name=robots content='nonoindex'><p>Tea"),
    sent("robots-header", &["X-Robots-Tag: noindex"], "<!DOCTYPE html><p>Tea"),
    sent("robots-header-list", &["X-Robots-Tag: nofollow, NoIndex"], "<!DOCTYPE html><p>Tea"),
    sent("robots-header-googlebot", &["X-Robots-Tag: googlebot: noindex"], "<!DOCTYPE html><p>Tea"),
    sent("robots-header-other-bot", &["X-Robots-Tag: teabot: noindex"], "<!DOCTYPE html><p>Tea"),
    sent("robots-header-past", &["X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 GMT"], "<!DOCTYPE html><p>Tea"),
    sent(
        "robots-header-future",
        &["X-Robots-Tag: unavailable_after: 25 Jun 2999 15:00:00 GMT"],
        "<!DOCTYPE html><p>Tea",
    ),
    sent("robots-header-snippet", &["X-Robots-Tag: max-snippet: 20, noindex"], "<!DOCTYPE html><p>Tea"),
];

pub const ROBOTS: &[Robots] = &[
    Robots { name: "none", status: 404, text: "" },
    Robots { name: "forbidden", status: 403, text: "" },
    Robots { name: "broken", status: 503, text: "" },
    Robots {
        name: "good",
        status: 200,
        text: "# Tea\nUser-agent: *\nDisallow: /secret\nAllow: /\nSitemap: http://127.0.0.1/map.xml\n",
    },
    Robots { name: "closed", status: 200, text: "User-agent: *\nDisallow: /\n" },
    Robots { name: "closed-but-page", status: 200, text: "User-agent: *\nDisallow: /\nAllow: /page\n" },
    Robots {
        name: "closed-to-one",
        status: 200,
        text: "User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow:\n",
    },
    Robots { name: "by-star", status: 200, text: "User-agent: *\nDisallow: /*.html$\n" },
    Robots { name: "html", status: 200, text: "<!DOCTYPE html>\n<html><title>Nothing here</title>\n</html>\n" },
    Robots { name: "rule-for-nobody", status: 200, text: "Disallow: /secret\n" },
    Robots { name: "no-slash", status: 200, text: "User-agent: *\nDisallow: secret\n" },
    Robots { name: "star-first", status: 200, text: "User-agent: *\nDisallow: *.php\n" },
    Robots { name: "dollar-inside", status: 200, text: "User-agent: *\nDisallow: /tea$/secret\n" },
    Robots { name: "nobody-named", status: 200, text: "User-agent:\nDisallow: /secret\n" },
    Robots { name: "unknown-field", status: 200, text: "User-agent: *\nDisallow: /secret\nTea-time: 5\n" },
    Robots { name: "known-delay", status: 200, text: "User-agent: *\nCrawl-delay: 5\nDisallow: /secret\n" },
    Robots { name: "relative-map", status: 200, text: "User-agent: *\nDisallow:\nSitemap: /map.xml\n" },
    Robots { name: "empty", status: 200, text: "" },
];
