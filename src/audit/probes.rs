//! The other URLs of a site that a report covers: at most five, each fetched with its own redirects.

use url::Url;

use crate::audit::fetch::fetcher::{FetchOptions, Fetcher};
use crate::audit::fetch::guard::names_this_machine;
use crate::audit::fetch::redirects::{RedirectChain, follow_redirects};
use crate::audit::robots::RobotsTxt;

/// Bytes of a body that no check reads.
const BODY_NOBODY_READS: usize = 16 * 1024;

/// What the probes found; `None` for those that were not sent.
#[derive(Debug, Clone, Default)]
pub struct Probes {
    /// The `http://` form of the page.
    pub http_form: Option<RedirectChain>,
    /// A path that cannot exist.
    pub missing: Option<RedirectChain>,
    /// robots.txt.
    pub robots: Option<RedirectChain>,
    /// The first sitemap that robots.txt names, else /sitemap.xml.
    pub sitemap: Option<RedirectChain>,
    /// /favicon.ico, where the page links no icon.
    pub favicon: Option<RedirectChain>,
}

/// Which optional probes to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::audit) struct ProbeSelection {
    pub(in crate::audit) favicon: bool,
}

/// Sends the probes of a page concurrently.
pub(in crate::audit) async fn send(
    fetcher: &Fetcher,
    page: &Url,
    selection: ProbeSelection,
    options: &FetchOptions,
) -> Probes {
    let most = fetcher.limits.probe_redirects;
    let short = FetchOptions { body_limit: BODY_NOBODY_READS, ..options.clone() };
    let long = FetchOptions { body_limit: fetcher.limits.probe_body, ..options.clone() };
    let http_form = async {
        let url = http_form(page)?;
        Some(follow_redirects(fetcher, &url, most, &short).await)
    };
    let missing = async {
        let url = missing_path(page)?;
        Some(follow_redirects(fetcher, &url, most, &short).await)
    };
    let favicon = async {
        let url = page.join("/favicon.ico").ok().filter(|_| selection.favicon)?;
        Some(follow_redirects(fetcher, &url, most, &short).await)
    };
    let of_robots = async {
        let Ok(url) = page.join("/robots.txt") else { return (None, None) };
        let robots = follow_redirects(fetcher, &url, most, &long).await;
        let sitemap = match sitemap_url(page, &robots) {
            Some(url) => Some(follow_redirects(fetcher, &url, most, &long).await),
            None => None,
        };
        (Some(robots), sitemap)
    };
    let (http_form, missing, favicon, (robots, sitemap)) = tokio::join!(http_form, missing, favicon, of_robots);
    Probes { http_form, missing, robots, sitemap, favicon }
}

/// The page over plain http; `None` for another port and for this machine.
fn http_form(page: &Url) -> Option<Url> {
    // A page on another port has no well-known plain http counterpart.
    if page.port().is_some() || names_this_machine(page) {
        return None;
    }
    let mut url = page.clone();
    url.set_scheme("http").ok()?;
    Some(url)
}

/// A random path, which no site serves.
fn missing_path(page: &Url) -> Option<Url> {
    let mut noise = [0_u8; 8];
    getrandom::fill(&mut noise).ok()?;
    page.join(&format!("/reportdeck-{:016x}", u64::from_be_bytes(noise))).ok()
}

fn sitemap_url(page: &Url, robots: &RedirectChain) -> Option<Url> {
    let named = robots.response().filter(|response| response.status == 200).and_then(|response| {
        let robots = RobotsTxt::parse(&String::from_utf8_lossy(&response.body));
        robots.sitemaps.first().and_then(|first| page.join(first).ok())
    });
    named.or_else(|| page.join("/sitemap.xml").ok())
}
