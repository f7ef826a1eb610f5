//! Checks of the links of a page.

use serde_json::json;
use url::Url;

use crate::audit::accessible_name::names::AccessibleNames;
use crate::audit::accessible_name::roles::role;
use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::source_position::source_position;
use crate::audit::checks::document::vague_link_texts::is_vague;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::fetch::guard::is_below;
use crate::audit::page::AuditedPage;
use crate::audit::page::element::Element;
use crate::audit::page::tree::PageTree;
use crate::audit::text::keywords::percent_decoded;
use crate::domain::report::check::Importance;

pub(in crate::audit) const SEO_ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "in_page_links",
        importance: Importance::Low,
        title: "Number of links",
        rule: Rule::Tree(in_page_links),
        passes_when: "At most 150 links.",
        remedy: "Reduce the page to at most 150 links.",
        why: "Among too many links visitors do not find the one they need.",
        source: "Usability practice; search engines follow only a few hundred",
    },
    CheckEntry {
        id: "link_text",
        importance: Importance::Medium,
        title: "Descriptive links",
        rule: Rule::Tree(link_text),
        passes_when: "No link says only something like \u{201c}click here\u{201d}.",
        remedy: "Say in the text of every link where it leads.",
        why: "People who read only the links, as many do, cannot tell where they lead.",
        source: "WCAG 2.2, 2.4.4",
    },
    CheckEntry {
        id: "crawlable_links",
        importance: Importance::Medium,
        title: "Links that robots can follow",
        rule: Rule::Html(crawlable_links),
        passes_when: "Every link has an href with an address that a robot can request.",
        remedy: "Give every link an href with an address.",
        why: "Search engines do not find the pages behind such links, and a new tab cannot open them.",
        source: "Google Search Central: make your links crawlable",
    },
];

pub(in crate::audit) const SECURITY_ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "unsafe_cross_origin_links",
        importance: Importance::Medium,
        title: "Links with rel=opener",
        rule: Rule::Html(cross_origin_links),
        passes_when: "No link to another site has rel=opener.",
        remedy: "Remove rel=opener from links to other sites.",
        why: "A page that is opened this way can replace yours with a forgery.",
        source: "HTML standard: rel=opener",
    },
    CheckEntry {
        id: "plaintext_email",
        importance: Importance::Low,
        title: "Readable e-mail addresses",
        rule: Rule::Html(plaintext_email),
        passes_when: "No e-mail address in the visible text or in a mailto link.",
        remedy: "Offer a form instead of the address, except where the law requires it, as in a German imprint.",
        why: "Programs that collect addresses find it and send spam.",
        source: "Common practice against harvesting",
    },
];

pub(in crate::audit) const OTHER_ENTRIES: &[CheckEntry] = &[CheckEntry {
    id: "social",
    importance: Importance::Low,
    title: "Social profiles",
    rule: Rule::Html(social),
    passes_when: "A link to a social profile, or one with rel=me.",
    remedy: "Link a social profile, or mark a link with rel=me.",
    why: "Visitors check there whether a business is real and active.",
    source: "IndieWeb rel-me",
}];

/// The most links of a page.
const MOST_LINKS: usize = 150;
/// Hosts of social profiles.
const SOCIAL_HOSTS: [&str; 19] = [
    "facebook.com",
    "instagram.com",
    "x.com",
    "twitter.com",
    "linkedin.com",
    "youtube.com",
    "tiktok.com",
    "pinterest.com",
    "mastodon.social",
    "bsky.app",
    "threads.com",
    "threads.net",
    "github.com",
    "xing.com",
    "vk.com",
    "reddit.com",
    "t.me",
    "twitch.tv",
    "weibo.com",
];

/// The first parts of paths under which social networks share a page.
const SHARING: [&str; 9] =
    ["dialog", "intent", "pin", "share.php", "sharearticle", "sharer", "sharer.php", "sharing", "submit"];

fn in_page_links(tree: &PageTree) -> CheckResult {
    let count = tree.links().count();
    CheckResult::when(count <= MOST_LINKS, json!(count), || {
        format!("the page has {count} links, at most {MOST_LINKS} recommended")
    })
}

fn link_text(tree: &PageTree) -> CheckResult {
    let links: Vec<&Element> = tree.links().filter(|link| keeps_its_role(link)).collect();
    let names = AccessibleNames::of(tree);
    let mut errors = Vec::new();
    for link in &links {
        let name = names.name(link);
        let bare = name.trim_matches(|character: char| character.is_whitespace() || is_sign(character));
        if is_vague(&bare.to_lowercase(), language_of(tree, link)) && !names_code(tree, link) {
            errors.push(format!("\u{201c}{bare}\u{201d} leads to {}", link.attribute("href").unwrap_or_default()));
        }
    }
    CheckResult::of_parts(links.len(), errors)
}

/// Whether the text of a link is a name in a program, such as `this` or `<details>`.
fn names_code(tree: &PageTree, link: &Element) -> bool {
    let mut near = tree.children(link).chain(tree.ancestors(link).take(1));
    near.any(|part| matches!(&*part.name, "code" | "kbd" | "samp" | "var"))
}

/// Whether a link is announced as one. With the role of a button or a tab it leads nowhere.
fn keeps_its_role(link: &Element) -> bool {
    role(link).is_none_or(|role| role == "link")
}

/// Returns the language of a link: its own `lang` or that of an ancestor.
fn language_of<'a>(tree: &'a PageTree, link: &'a Element) -> Option<&'a str> {
    let declared = std::iter::once(link).chain(tree.ancestors(link)).find_map(|element| element.attribute("lang"));
    declared.map(str::trim).filter(|language| !language.is_empty())
}

/// Whether a character is punctuation around words. Combining characters of other scripts count as letters.
fn is_sign(character: char) -> bool {
    character.is_ascii_punctuation() || "…“”„«»‹›‘’–—→←↗➔➜►▶。、！？".contains(character)
}

fn crawlable_links(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let base = page.base();
    let (mut count, mut errors) = (0, Vec::new());
    for link in tree.named("a").filter(|link| keeps_its_role(link)) {
        let Some(href) = link.attribute("href").map(str::trim) else {
            // An anchor without href may be the target of a link, the current page, or a link that is switched off (HTML
            // standard, 4.5.1: placeholder), which Bootstrap shows by a class.
            let is_current = !matches!(link.keyword("aria-current").as_str(), "" | "false");
            let mut near = std::iter::once(link).chain(tree.ancestors(link).take(1));
            let is_off = link.keyword("aria-disabled") == "true" || near.any(|part| part.names("class", "disabled"));
            let is_placeholder = is_current || is_off;
            if link.attribute("name").is_none() && link.attribute("id").is_none() && !is_placeholder {
                errors.push(
                    format!("no href: {} {}", source_position(tree, link), tree.text_of(link)).trim_end().to_owned(),
                );
            }
            continue;
        };
        count += 1;
        match base.join(href) {
            Err(_) => errors.push(format!("not an address: href={href:?} {}", tree.text_of(link))),
            Ok(url) if matches!(url.scheme(), "javascript" | "file") && !writes_mail(&url) => {
                errors.push(format!("not a page that robots can request: href={href:?} {}", tree.text_of(link)));
            }
            Ok(_) => {}
        }
    }
    if count == 0 && errors.is_empty() {
        CheckResult::not_applicable()
    } else {
        CheckResult::from_errors(json!(count), errors)
    }
}

/// Whether a script of the link writes an e-mail whose address robots should not collect, as in TYPO3. No page is behind it.
fn writes_mail(url: &Url) -> bool {
    url.scheme() == "javascript" && url.path().to_ascii_lowercase().contains("mailto")
}

fn cross_origin_links(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let base = page.base();
    let is_foreign = |link: &&Element| {
        let url = link.attribute("href").and_then(|href| base.join(href.trim()).ok());
        url.is_some_and(|url| url.host_str().is_some() && url.host_str() != page.url().host_str())
    };
    let opening = tree.named("a").filter(|link| link.keyword("target") == "_blank").filter(is_foreign);
    let (mut count, mut errors) = (0, Vec::new());
    for link in opening {
        count += 1;
        // Of contradicting words, the safe one applies (HTML standard, "get an element's noopener").
        let is_safe = ["noopener", "noreferrer"].iter().any(|word| link.names("rel", word));
        if link.names("rel", "opener") && !is_safe {
            errors.push(format!("rel=opener: {}", link.attribute("href").unwrap_or_default()));
        }
    }
    CheckResult::from_errors(json!(count), errors)
}

fn plaintext_email(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let links = tree.named("a").filter_map(|link| link.attribute("href")).flat_map(|href| {
        let (scheme, rest) = href.trim().split_once(':').unwrap_or_default();
        // Commas separate several addresses, and any sign may be escaped (RFC 6068, 2).
        let addresses = rest.split('?').next().filter(|_| scheme.eq_ignore_ascii_case("mailto")).unwrap_or_default();
        addresses.split(',').map(|address| percent_decoded(address).trim().to_owned()).collect::<Vec<_>>()
    });
    let words = page.seen_text.split(|character: char| character.is_whitespace() || "<>()[],;\"'".contains(character));
    // What precedes a colon and a path or port is no mailbox: git@host:path, user:password@host:5432.
    let words = words.filter_map(|word| word.trim_end_matches(':').rsplit(':').next());
    let written =
        words.map(|word| word.trim_matches(['.', '!', '?'])).filter(|word| is_address(word)).map(str::to_owned);
    let mut found: Vec<String> = links.chain(written).filter(|address| is_address(address)).collect();
    found.sort_unstable();
    found.dedup();
    let errors = found.iter().map(|address| format!("harvesters can collect {address}")).collect();
    CheckResult::from_errors(json!(found.len()), errors)
}

/// File extensions, to tell `icon@2x.png` from an email address; none is a top-level domain.
const FILES: [&str; 15] =
    ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "css", "js", "json", "pdf", "html", "woff"];

/// Domains of examples in documentation, which receive no mail (RFC 2606, 3).
const EXAMPLES: [&str; 3] = ["example.com", "example.net", "example.org"];

fn is_address(word: &str) -> bool {
    let Some((name, host)) = word.split_once('@') else { return false };
    let lower = host.to_ascii_lowercase();
    let is_example = EXAMPLES.iter().any(|example| is_below(&lower, example));
    let fits = |character: char| character.is_alphanumeric() || ".-_+".contains(character);
    let ending = host.rsplit('.').next().unwrap_or_default();
    !name.is_empty()
        && name.chars().all(fits)
        && host.contains('.')
        && host.chars().all(fits)
        && ending.len() >= 2
        && !is_example
        && !FILES.iter().any(|file| ending.eq_ignore_ascii_case(file))
        && ending.chars().all(char::is_alphabetic)
}

fn social(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let base = page.base();
    let profile = tree.named("a").chain(tree.named("link")).find_map(|link| {
        let url = base.join(link.attribute("href")?.trim()).ok()?;
        let is_social = is_social_host(url.host_str()?) && url.path().len() > 1 && !shares_a_page(&url);
        let is_social = is_social || (url.host_str() != page.url().host_str() && is_fediverse_profile(&url));
        (is_social || link.names("rel", "me")).then(|| url.to_string())
    });
    CheckResult::when(profile.is_some(), json!(profile), || "no link leads to a social profile".to_owned())
}

/// Whether a link to a social network offers to share a page there, and leads to no profile.
fn shares_a_page(url: &Url) -> bool {
    let path = url.path().trim_matches('/').to_ascii_lowercase();
    // What follows /share/ on Facebook is a profile.
    matches!(path.as_str(), "share" | "share/url")
        || path.split('/').next().is_some_and(|first| SHARING.contains(&first))
}

/// Whether a path is that of a profile on any server of Mastodon and its relatives: `/@tea`.
fn is_fediverse_profile(url: &Url) -> bool {
    url.path().strip_prefix("/@").is_some_and(|name| !name.is_empty() && !name.contains('/'))
}

/// Whether a host is that of social profiles, also for phones or in one language: `de.linkedin.com`.
fn is_social_host(host: &str) -> bool {
    let is_variant = |name: &str| {
        let is_language = name.split('-').all(|part| part.len() == 2);
        matches!(name, "www" | "m" | "mobile") || is_language
    };
    is_pinterest_of_a_country(host)
        || SOCIAL_HOSTS.iter().any(|known| {
            let before = host.strip_suffix(known);
            before.is_some_and(|before| before.is_empty() || before.strip_suffix('.').is_some_and(is_variant))
        })
}

/// Whether a host is that of Pinterest in one country: `pinterest.de`, `www.pinterest.co.uk`. No other network has such
/// hosts.
fn is_pinterest_of_a_country(host: &str) -> bool {
    let country = host.strip_prefix("www.").unwrap_or(host).strip_prefix("pinterest.");
    country.is_some_and(|country| country.split('.').all(|part| part.len() <= 3))
}
