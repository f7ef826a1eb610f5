//! Pages whose result any person would give at a glance: broken ones, and well-kept documentation.
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

/// Audits a URL of this machine as the program does.
async fn audit(url: &str) -> Audit {
    Auditor::new(Policy::new(Reach::LocalUser)).unwrap().audit(url).await.unwrap()
}

/// The ids of the failed checks.
fn failed(audit: &Audit) -> Vec<&str> {
    let failed = audit.checks.iter().filter(|check| check.outcome == CheckOutcome::Failed);
    failed.map(|check| check.id.raw()).collect()
}
