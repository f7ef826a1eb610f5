//! Pages with an obvious result: broken ones, and well-maintained documentation.
//!
//! ```sh
//! apt install debian-faq debian-faq-de bzip2-doc diffutils-doc apt-doc m4-doc aspell-doc maint-guide \
//!   aptitude-doc-en python-markdown-doc
//! ```

mod broken_pages;
mod documentation;
mod site;

use reportdeck::audit::{Audit, Auditor, Policy, Reach};
use reportdeck::domain::report::check::CheckOutcome;

/// Audits a URL of this machine like the program.
async fn audit(url: &str) -> Audit {
    Auditor::new(Policy::new(Reach::LocalUser)).audit(url).await.unwrap()
}

/// Returns the ids of the failed checks.
fn failed(audit: &Audit) -> Vec<&str> {
    let failed = audit.checks.iter().filter(|check| check.outcome == CheckOutcome::Failed);
    failed.map(|check| check.id.raw()).collect()
}
