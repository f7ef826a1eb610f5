//! From a URL to its answer: redirects followed by hand, every hop judged anew.
//!
//! Must not know why somebody travels (`probes` and `auditor` do).

use url::Url;

use crate::audit::fetch::answer::Answer;
use crate::audit::fetch::fetch_error::Trouble;
use crate::audit::fetch::fetcher::{Errand, Fetcher};
use crate::domain::text::Text;

/// One redirect on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Who sent us on.
    pub from: Url,
    /// With which status.
    pub status: u16,
    /// Where to.
    pub to: Url,
}

/// The way to an answer, or to where it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journey {
    /// The redirects, in order.
    pub steps: Vec<Step>,
    /// The last URL that was asked for.
    pub last: Url,
    /// The answer, or why there is none.
    pub end: Result<Answer, Trouble>,
}

impl Journey {
    /// The answer, where there is one.
    pub fn answer(&self) -> Option<&Answer> {
        self.end.as_ref().ok()
    }
}

/// Travels from `start` over at most `most` redirects.
pub(in crate::audit) async fn travel(fetcher: &Fetcher, start: &Url, most: usize, errand: &Errand) -> Journey {
    let mut journey = Journey { steps: Vec::new(), last: start.clone(), end: Err(Trouble::TooManyRedirects(most)) };
    loop {
        let fetched = fetcher.fetch(&journey.last, errand).await;
        let next = match &fetched {
            Ok(answer) => answer.redirect().map(|location| next_url(&journey, location, most)),
            Err(_) => None,
        };
        let status = fetched.as_ref().map_or(0, |answer| answer.status);
        match next {
            None => {
                journey.end = fetched;
                return journey;
            }
            Some(Err(trouble)) => {
                journey.end = Err(trouble);
                return journey;
            }
            Some(Ok(to)) => {
                let from = std::mem::replace(&mut journey.last, to.clone());
                journey.steps.push(Step { from, status, to });
            }
        }
    }
}

/// Where a redirect leads, unless it leads nowhere or in a circle.
fn next_url(journey: &Journey, location: &str, most: usize) -> Result<Url, Trouble> {
    if journey.steps.len() >= most {
        return Err(Trouble::TooManyRedirects(most));
    }
    let bad = || Trouble::BadRedirect(Text::from_outside(location));
    let mut to = journey.last.join(location).map_err(|_| bad())?;
    to.set_fragment(None);
    let seen = journey.last == to || journey.steps.iter().any(|step| step.from == to);
    if seen { Err(Trouble::Circle(Text::from_outside(to.as_str()))) } else { Ok(to) }
}
