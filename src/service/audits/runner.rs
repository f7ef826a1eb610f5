//! Real audits for the service: the auditor's findings in the words the service keeps.
//!
//! Must not know how a page is fetched or judged.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::queue::{AuditFailure, Audited, Audits};
use crate::audit::{Auditor, NotAudited};

/// Audits pages for real.
#[derive(Debug, Clone)]
pub struct RealAudits(Auditor);

impl RealAudits {
    /// Audits with this auditor and its policy.
    pub fn new(auditor: Auditor) -> Self {
        Self(auditor)
    }
}

impl Audits for RealAudits {
    fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Audited, AuditFailure>> {
        async move {
            let audit = self.0.audit(url).await.map_err(failure)?;
            Ok(Audited {
                url: audit.url.into(),
                project: audit.project,
                score: audit.score,
                outcome: audit.outcome,
                checks: audit.checks,
            })
        }
        .boxed()
    }
}

fn failure(failure: NotAudited) -> AuditFailure {
    match failure {
        NotAudited::Refused(refusal) => AuditFailure::Refused(refusal.to_string()),
        NotAudited::Unfinished(unfinished) => AuditFailure::Unfinished(unfinished.to_string()),
        NotAudited::Panicked => AuditFailure::Panicked,
    }
}
