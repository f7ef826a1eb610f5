//! The few other addresses of a site that a report looks at: at most five, each a short journey of its own.
//!
//! Must not judge what it finds; the checks do.

use url::Url;

use crate::audit::fetch::fetcher::{Errand, Fetcher};
use crate::audit::fetch::guard::names_this_machine;
use crate::audit::fetch::redirects::{Journey, travel};
use crate::audit::robots::Robots;

/// Enough of an answer whose body nobody reads.
const BODY_NOBODY_READS: usize = 16 * 1024;

/// What the probes found; `None` for those that were not sent.
#[derive(Debug, Clone, Default)]
pub struct Probes {
    /// The `http://` form of the page.
    pub http_form: Option<Journey>,
    /// A path that cannot exist.
    pub missing: Option<Journey>,
    /// robots.txt.
    pub robots: Option<Journey>,
    /// The first sitemap that robots.txt names, else /sitemap.xml.
    pub sitemap: Option<Journey>,
    /// /favicon.ico, where the page links no icon.
    pub favicon: Option<Journey>,
}

/// What the page itself says about which probes are worth sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::audit) struct Wanted {
    pub(in crate::audit) favicon: bool,
}

/// Sends the probes of a page, side by side.
pub(in crate::audit) async fn send(fetcher: &Fetcher, page: &Url, wanted: Wanted, errand: &Errand) -> Probes {
    let most = fetcher.limits.probe_redirects;
    let short = Errand { body_limit: BODY_NOBODY_READS, ..errand.clone() };
    let long = Errand { body_limit: fetcher.limits.probe_body, ..errand.clone() };
    let http_form = async {
        let url = http_form(page)?;
        Some(travel(fetcher, &url, most, &short).await)
    };
    let missing = async {
        let url = missing_path(page)?;
        Some(travel(fetcher, &url, most, &short).await)
    };
    let favicon = async {
        let url = page.join("/favicon.ico").ok().filter(|_| wanted.favicon)?;
        Some(travel(fetcher, &url, most, &short).await)
    };
    let of_robots = async {
        let Ok(url) = page.join("/robots.txt") else { return (None, None) };
        let robots = travel(fetcher, &url, most, &long).await;
        let sitemap = match sitemap_url(page, &robots) {
            Some(url) => Some(travel(fetcher, &url, most, &long).await),
            None => None,
        };
        (Some(robots), sitemap)
    };
    let (http_form, missing, favicon, (robots, sitemap)) = tokio::join!(http_form, missing, favicon, of_robots);
    Probes { http_form, missing, robots, sitemap, favicon }
}

/// The page over plain http; `None` where there is nothing to learn from it.
fn http_form(page: &Url) -> Option<Url> {
    // Another port says nothing about the site: who speaks plainly there is anybody's guess.
    if page.port().is_some() || names_this_machine(page) {
        return None;
    }
    let mut url = page.clone();
    url.set_scheme("http").ok()?;
    Some(url)
}

/// A path that nobody can have made on purpose.
fn missing_path(page: &Url) -> Option<Url> {
    let mut noise = [0_u8; 8];
    getrandom::fill(&mut noise).ok()?;
    page.join(&format!("/reportdeck-{:016x}", u64::from_be_bytes(noise))).ok()
}

fn sitemap_url(page: &Url, robots: &Journey) -> Option<Url> {
    let named = robots.answer().filter(|answer| answer.status == 200).and_then(|answer| {
        let robots = Robots::parse(&String::from_utf8_lossy(&answer.body));
        robots.sitemaps.first().and_then(|first| page.join(first).ok())
    });
    named.or_else(|| page.join("/sitemap.xml").ok())
}
