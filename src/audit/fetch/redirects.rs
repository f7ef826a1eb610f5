//! From a URL to its answer: redirects followed by hand, every hop judged anew.
//!
//! Must not know why somebody travels (`probes` and `auditor` do).

use url::Url;

use crate::audit::fetch::fetch_error::FetchError;
use crate::audit::fetch::fetcher::{FetchOptions, Fetcher};
use crate::audit::fetch::response::HttpResponse;
use crate::domain::text::Text;

/// One redirect on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectHop {
    /// Who sent us on.
    pub from: Url,
    /// With which status.
    pub status: u16,
    /// Where to.
    pub to: Url,
}

/// The way to an answer, or to where it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectChain {
    /// The redirects, in order.
    pub hops: Vec<RedirectHop>,
    /// The last URL that was asked for.
    pub last: Url,
    /// The answer, or why there is none.
    pub result: Result<HttpResponse, FetchError>,
}

impl RedirectChain {
    /// The answer, where there is one.
    pub fn response(&self) -> Option<&HttpResponse> {
        self.result.as_ref().ok()
    }
}

/// Travels from `start` over at most `most` redirects.
pub(in crate::audit) async fn follow_redirects(
    fetcher: &Fetcher,
    start: &Url,
    most: usize,
    options: &FetchOptions,
) -> RedirectChain {
    let mut chain =
        RedirectChain { hops: Vec::new(), last: start.clone(), result: Err(FetchError::TooManyRedirects(most)) };
    loop {
        let fetched = fetcher.fetch(&chain.last, options).await;
        let next = match &fetched {
            Ok(response) => response.redirect().map(|location| next_url(&chain, location, most)),
            Err(_) => None,
        };
        let status = fetched.as_ref().map_or(0, |response| response.status);
        match next {
            None => {
                chain.result = fetched;
                return chain;
            }
            Some(Err(fetch_error)) => {
                chain.result = Err(fetch_error);
                return chain;
            }
            Some(Ok(to)) => {
                let from = std::mem::replace(&mut chain.last, to.clone());
                chain.hops.push(RedirectHop { from, status, to });
            }
        }
    }
}

/// Where a redirect leads, unless it leads nowhere or in a circle.
fn next_url(chain: &RedirectChain, location: &str, most: usize) -> Result<Url, FetchError> {
    if chain.hops.len() >= most {
        return Err(FetchError::TooManyRedirects(most));
    }
    let bad = || FetchError::BadRedirect(Text::from_outside(location));
    let mut to = chain.last.join(location).map_err(|_| bad())?;
    to.set_fragment(None);
    let seen = chain.last == to || chain.hops.iter().any(|step| step.from == to);
    if seen { Err(FetchError::Circle(Text::from_outside(to.as_str()))) } else { Ok(to) }
}
