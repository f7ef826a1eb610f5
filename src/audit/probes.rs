//! Probes: the other URLs of a site that an audit requests, at most twelve, each with its own redirects.

use futures_util::future::join_all;
use url::Url;

use crate::audit::fetch::fetcher::{FetchOptions, Fetcher};
use crate::audit::fetch::guard::names_this_machine;
use crate::audit::fetch::redirects::{RedirectChain, follow_redirects};
use crate::audit::robots::RobotsTxt;

/// Body limit in bytes for probes whose body no check reads.
const UNREAD_BODY_BYTES: usize = 16 * 1024;
/// Body limit in bytes for pages of which only the head is read.
const HEAD_BYTES: usize = 64 * 1024;
/// The most pages in other languages that are requested.
pub(in crate::audit) const MOST_ALTERNATES: usize = 3;

/// The results of the probes; `None` for those that were not sent.
#[derive(Debug, Clone, Default)]
pub struct Probes {
    /// The `http://` form of the page.
    pub http_form: Option<RedirectChain>,
    /// A random path, which should not exist.
    pub missing: Option<RedirectChain>,
    /// robots.txt.
    pub robots: Option<RedirectChain>,
    /// The first sitemap that robots.txt names, else /sitemap.xml.
    pub sitemap: Option<RedirectChain>,
    /// /favicon.ico, if the page links no icon.
    pub favicon: Option<RedirectChain>,
    /// The canonical URL, if it is another one.
    pub canonical: Option<RedirectChain>,
    /// Pages in other languages.
    pub alternates: Vec<RedirectChain>,
    /// The same URL with or without `www.`.
    pub www_form: Option<RedirectChain>,
    /// The same URL with or without a slash at its end.
    pub slash_form: Option<RedirectChain>,
    /// /.well-known/security.txt.
    pub security_txt: Option<RedirectChain>,
}

/// Which optional probes to send.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::audit) struct ProbeSelection {
    pub(in crate::audit) favicon: bool,
    pub(in crate::audit) canonical: Option<Url>,
    /// At most [`MOST_ALTERNATES`] are requested.
    pub(in crate::audit) alternates: Vec<Url>,
}

/// Sends the probes of a page concurrently.
pub(in crate::audit) async fn send(
    fetcher: &Fetcher,
    page: &Url,
    selection: &ProbeSelection,
    options: &FetchOptions,
) -> Probes {
    let most = fetcher.limits.probe_redirects;
    let short = FetchOptions { body_limit: UNREAD_BODY_BYTES, ..options.clone() };
    let head = FetchOptions { body_limit: HEAD_BYTES, ..options.clone() };
    let one = async |url: Option<Url>, options: &FetchOptions| {
        let url = url?;
        Some(follow_redirects(fetcher, &url, most, options).await)
    };
    // This machine has no other names, and other ports have no known counterpart.
    let public = Some(page).filter(|page| page.port().is_none() && !names_this_machine(page));
    let of_robots = async {
        let robots = one(page.join("/robots.txt").ok(), options).await;
        let sitemap = one(robots.as_ref().and_then(|robots| sitemap_url(page, robots)), options).await;
        (robots, sitemap)
    };
    let others = selection.alternates.iter().take(MOST_ALTERNATES);
    let alternates = join_all(others.map(|url| follow_redirects(fetcher, url, most, &head)));
    let (http_form, missing, favicon, (robots, sitemap), canonical, alternates, www_form, slash_form, security_txt) = tokio::join!(
        one(public.and_then(http_form), &short),
        one(missing_path(page), &short),
        one(page.join("/favicon.ico").ok().filter(|_| selection.favicon), &short),
        of_robots,
        one(selection.canonical.clone(), &head),
        alternates,
        one(public.and_then(www_form), &head),
        one(slash_form(page), &head),
        one(page.join("/.well-known/security.txt").ok(), &short),
    );
    Probes { http_form, missing, robots, sitemap, favicon, canonical, alternates, www_form, slash_form, security_txt }
}

/// Adds or removes `www.`; `None` for IP addresses and deeper names.
fn www_form(page: &Url) -> Option<Url> {
    let host = page.domain()?;
    let other = match host.strip_prefix("www.") {
        Some(rest) => rest.to_owned(),
        // A name below another one, such as `blog.shop.example`, seldom has a www form.
        None if host.matches('.').count() == 1 => format!("www.{host}"),
        None => return None,
    };
    let mut url = page.clone();
    url.set_host(Some(&other)).ok()?;
    Some(url)
}

/// Adds or removes the slash at the end; `None` for the front page and for files.
fn slash_form(page: &Url) -> Option<Url> {
    let path = page.path();
    let other = match path.strip_suffix('/') {
        Some("") => return None,
        Some(rest) => rest.to_owned(),
        None if path.rsplit('/').next().is_some_and(|file| file.contains('.')) => return None,
        None => format!("{path}/"),
    };
    let mut url = page.clone();
    url.set_path(&other);
    Some(url)
}

/// Returns the page's URL over plain http.
fn http_form(page: &Url) -> Option<Url> {
    let mut url = page.clone();
    url.set_scheme("http").ok()?;
    Some(url)
}

/// Returns a random path, which no site serves.
fn missing_path(page: &Url) -> Option<Url> {
    let noise = getrandom::u64().ok()?;
    page.join(&format!("/reportdeck-{noise:016x}")).ok()
}

fn sitemap_url(page: &Url, robots: &RedirectChain) -> Option<Url> {
    let rules = robots.response().and_then(RobotsTxt::of_response);
    let named = rules.and_then(|rules| page.join(rules.sitemaps.first()?).ok());
    named.or_else(|| page.join("/sitemap.xml").ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::fetch::response::HttpResponse;
    use crate::audit::robots::LONGEST_ROBOTS;

    #[test]
    fn the_sitemap_is_the_one_that_the_checks_read_in_robots_txt() {
        let page = Url::parse("https://shop.example/tea").unwrap();
        let far = format!("#{}\nSitemap: /map.xml", "x".repeat(LONGEST_ROBOTS));
        for (status, text, expected) in [
            (200, "Sitemap: /map.xml", "https://shop.example/map.xml"),
            (203, "Sitemap: /map.xml", "https://shop.example/map.xml"),
            (404, "Sitemap: /map.xml", "https://shop.example/sitemap.xml"),
            (200, "User-agent: *", "https://shop.example/sitemap.xml"),
            (200, far.as_str(), "https://shop.example/sitemap.xml"),
        ] {
            let mut response = HttpResponse::of_body("text/plain", text.as_bytes());
            response.status = status;
            let robots = RedirectChain { hops: Vec::new(), last: page.clone(), result: Ok(response) };
            assert_eq!(sitemap_url(&page, &robots).unwrap().as_str(), expected, "{status} {text:.20}");
        }
    }
}
