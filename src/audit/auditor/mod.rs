//! One whole audit: fetch the page, send the probes, run the checks, compute the score.

use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use url::Url;

use crate::audit::checks::table::run_checks;
use crate::audit::fetch::fetch_error::{FetchError, UrlRefusal};
use crate::audit::fetch::fetcher::{FetchOptions, Fetcher, TcpDialer};
use crate::audit::fetch::guard::{Policy, may_be_page, normalize, site_name};
use crate::audit::fetch::redirects::follow_redirects;
use crate::audit::fetch::resolve::SystemResolver;
use crate::audit::fetch::tls::Tls;
use crate::audit::limits::AuditLimits;
use crate::audit::page::AuditedPage;
use crate::audit::page::head_links::{Alternate, without_fragment};
use crate::audit::probes::{self, ProbeSelection};
use crate::audit::processor_time::ProcessorTimeExceeded;
use crate::domain::report::check::Check;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::score::score;

/// Why there is no audit of a URL. Its `Display` is one sentence for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAudited {
    /// The URL may not be audited.
    #[error("this URL may not be audited: {0}")]
    Refused(#[from] UrlRefusal),
    /// Parsing or checking the page exceeded its processor time. There is no result, because nothing is known about the
    /// page.
    #[error("the audit could not be finished: {0}")]
    Unfinished(#[from] ProcessorTimeExceeded),
    /// A check panicked.
    #[error("the audit failed because of a bug in reportdeck: please report it with the URL")]
    Panicked,
}

/// One audited page.
#[derive(Debug, Clone)]
pub struct Audit {
    /// The requested URL, normalized.
    pub url: Url,
    /// The URL after all redirects.
    pub final_url: Url,
    /// The host of the final URL, lower case, without `www.`.
    pub project: String,
    /// Every check of the table, in its order.
    pub checks: Vec<Check>,
    /// 0 to 100.
    pub score: u8,
    /// The result for the score.
    pub outcome: Outcome,
    /// Why the page could not be fetched, as a clause for a person.
    pub failure: Option<String>,
    /// When the audit began.
    pub audited_at: Timestamp,
}

/// Audits pages. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Auditor {
    fetcher: Arc<Fetcher>,
    /// Permits for parsing and checking, one fewer than processors if possible, so that the dashboard stays responsive.
    turns: Arc<Semaphore>,
}

impl Auditor {
    /// Creates an auditor with the system's resolver and root certificates.
    pub fn new(policy: Policy) -> Self {
        Self::of(Fetcher {
            policy,
            limits: AuditLimits::default(),
            resolver: Arc::new(SystemResolver),
            dialer: Arc::new(TcpDialer),
            tls: Tls::default(),
        })
    }

    fn of(fetcher: Fetcher) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let turns = Semaphore::new(processors.saturating_sub(1).max(1));
        Self { fetcher: Arc::new(fetcher), turns: Arc::new(turns) }
    }

    /// Runs CPU-bound work on a blocking thread. Waits at most `processor_wait` for a permit and then runs without one,
    /// so that other pages can delay an audit but not prevent it.
    async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ProcessorTimeExceeded> + Send + 'static,
    ) -> Result<T, NotAudited> {
        let waiting = tokio::time::timeout(self.fetcher.limits.processor_wait, Arc::clone(&self.turns).acquire_owned());
        let turn = waiting.await;
        let computing = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if the caller is cancelled.
            let _turn = turn;
            work()
        });
        Ok(computing.await.map_err(|_| NotAudited::Panicked)??)
    }

    /// Audits one URL as typed by a person. A page that cannot be fetched still gets an audit; a refused URL and a page
    /// that exceeds its processor time do not.
    pub async fn audit(&self, url: &str) -> Result<Audit, NotAudited> {
        let audited_at = Timestamp::now();
        let asked = normalize(url)?;
        let page = Box::pin(self.page(&asked)).await?;
        let failure = page.redirects.result.as_ref().err().map(ToString::to_string);
        let final_url = page.url().clone();
        // A redirect may lead to something that is no web page and has no project, such as an email address.
        let requested = page.redirects.hops.iter().rev().map(|hop| &hop.from);
        let last_page = std::iter::once(&final_url).chain(requested).find(|url| may_be_page(url));
        let project = site_name(last_page.unwrap_or(&asked));
        let limit = self.fetcher.limits.checks;
        let checks = self.compute(move || run_checks(&page, limit)).await?;
        let score = score(&checks);
        Ok(Audit {
            url: asked,
            project,
            final_url,
            checks,
            score,
            outcome: Outcome::from_score(f64::from(score)),
            failure,
            audited_at,
        })
    }

    /// Fetches and parses the page and sends the probes.
    async fn page(&self, asked: &Url) -> Result<AuditedPage, NotAudited> {
        let fetcher = &self.fetcher;
        let mut options = FetchOptions {
            permission: fetcher.policy.permission(asked),
            body_limit: fetcher.limits.decoded,
            deadline: Instant::now() + fetcher.limits.network,
        };
        let chain = Box::pin(follow_redirects(fetcher, asked, fetcher.limits.redirects, &options)).await;
        if let (Err(FetchError::Refused(refusal)), true) = (&chain.result, chain.hops.is_empty()) {
            return Err(refusal.clone().into());
        }
        let limits = fetcher.limits.clone();
        let parsing = Instant::now();
        let mut page = self.compute(move || AuditedPage::read(chain, &limits)).await?;
        // Parsing and waiting for a permit do not count as network time.
        options.deadline += parsing.elapsed();
        // If the page was not fetched, the probes would only time out.
        if page.response().is_some() {
            page.probes = Box::pin(probes::send(fetcher, page.url(), &selection_for(&page), &options)).await;
        }
        Ok(page)
    }
}

/// Selects the probes that a page calls for. URLs that name the page itself need none.
fn selection_for(page: &AuditedPage) -> ProbeSelection {
    let own = without_fragment(page.url().clone());
    let absolute = |alternate: Alternate| Url::parse(&alternate.href).ok().map(without_fragment);
    let mut alternates: Vec<Url> = page.alternates().into_iter().filter_map(absolute).collect();
    alternates.retain(|url| *url != own && matches!(url.scheme(), "http" | "https"));
    alternates.sort_unstable();
    alternates.dedup();
    ProbeSelection {
        favicon: !page.links_an_icon(),
        canonical: page.canonical_url().filter(|url| *url != own),
        alternates,
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod encrypted_tests;

#[cfg(test)]
mod guarded_tests;

#[cfg(test)]
mod test_network;
#[cfg(test)]
pub(in crate::audit) mod test_server;
