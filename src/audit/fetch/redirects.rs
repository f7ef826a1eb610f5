//! Follows redirects; the address policy checks every hop.

use url::Url;

use crate::audit::fetch::fetch_error::FetchError;
use crate::audit::fetch::fetcher::{FetchOptions, Fetcher};
use crate::audit::fetch::response::HttpResponse;
use crate::domain::text::Text;

/// One redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectHop {
    /// The redirecting URL.
    pub from: Url,
    /// Its status code, 3xx.
    pub status: u16,
    /// The target.
    pub to: Url,
}

/// The redirects from a URL, and the final response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectChain {
    /// The redirects, in order.
    pub hops: Vec<RedirectHop>,
    /// The last URL that was requested.
    pub last: Url,
    /// The final response, or why there is none.
    pub result: Result<HttpResponse, FetchError>,
}

impl RedirectChain {
    /// Returns the requested URL.
    pub fn first(&self) -> &Url {
        self.hops.first().map_or(&self.last, |hop| &hop.from)
    }

    /// Returns the final response, if any.
    pub fn response(&self) -> Option<&HttpResponse> {
        self.result.as_ref().ok()
    }
}

/// Fetches `start` and follows at most `most` redirects.
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
        let redirect = fetched.as_ref().ok().and_then(|response| Some((response.status, response.redirect()?)));
        let Some((status, location)) = redirect else { return RedirectChain { result: fetched, ..chain } };
        match next_url(&chain, &location, most) {
            Ok(to) => {
                let from = std::mem::replace(&mut chain.last, to.clone());
                chain.hops.push(RedirectHop { from, status, to });
            }
            Err(fetch_error) => return RedirectChain { result: Err(fetch_error), ..chain },
        }
    }
}

/// Returns the target of a redirect. Fails for an invalid URL, a loop, or too many redirects.
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
