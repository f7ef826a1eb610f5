//! The page auditor of the service: adapts `audit::Auditor`.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::page_auditor::{AuditFailure, AuditResult, PageAuditor};
use crate::audit::{Auditor, NotAudited};

/// Audits pages with `audit::Auditor`.
#[derive(Debug, Clone)]
pub struct LiveAuditor(Auditor);

impl LiveAuditor {
    /// Uses this auditor and its policy.
    pub fn new(auditor: Auditor) -> Self {
        Self(auditor)
    }
}

impl PageAuditor for LiveAuditor {
    fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<AuditResult, AuditFailure>> {
        async move {
            let audit = self.0.audit(url).await.map_err(failure)?;
            Ok(AuditResult {
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
