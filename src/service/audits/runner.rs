//! The page auditor of the service is `audit::Auditor`.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::page_auditor::{AuditFailure, AuditResult, PageAuditor};
use crate::audit::{Audit, Auditor, NotAudited};

impl PageAuditor for Auditor {
    fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<AuditResult, AuditFailure>> {
        async move {
            // The auditor's own method of this name.
            let audit = Self::audit(self, url).await.map_err(|failure| match &failure {
                NotAudited::Refused(_) => AuditFailure::Refused(failure.to_string()),
                NotAudited::Unfinished(unfinished) => AuditFailure::Unfinished(unfinished.to_string()),
                NotAudited::Panicked => AuditFailure::Panicked,
            })?;
            let Audit { url, project, score, checks, .. } = audit;
            Ok(AuditResult { url: url.into(), project, score, checks })
        }
        .boxed()
    }
}
