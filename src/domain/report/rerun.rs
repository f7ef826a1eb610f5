//! What a re-run changed, in words.

use jiff::Timestamp;

use crate::domain::report::Report;

/// The most checks named in a notice; the line is short.
const MOST_NAMES: usize = 3;
/// The outcome of a re-run whose report still shows the audit before it.
pub(in crate::domain) const NO_NEW_RESULT: &str = "re-run accepted, no new result yet";

impl Report {
    /// Whether it shows the audit of this time with this verdict. After a re-run it does on a service that responds
    /// before it has audited the page.
    pub fn shows_audit(&self, audited_at: Option<Timestamp>, verdict: &str) -> bool {
        audited_at.is_some() && self.generated_at == audited_at && self.verdict() == verdict
    }

    /// Describes a re-run: `shop.example/tea: bad 31 → decent 60 · title repaired`.
    pub fn rerun_text(&self, before: &Self) -> String {
        let url = self.brief_url();
        if self.shows_audit(before.generated_at, &before.verdict()) {
            return format!("{url}: {NO_NEW_RESULT}");
        }
        let flips = self.flips(before.failing().as_deref());
        let flips = flips.map(|flips| format!(" · {}", flips.in_words(MOST_NAMES))).unwrap_or_default();
        format!("{url}: {} → {}{flips}", before.verdict(), self.audit_result())
    }
}
