//! Runs a single audit with a timeout and metrics; a panic fails that audit alone.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;

use super::page_auditor::{AuditFailure, AuditResult, PageAuditor};
use crate::service::server::metrics::Metrics;
use crate::service::store::values;

/// The wall-clock timeout of an audit. The auditor's own limits are partly in processor time, which an overloaded
/// machine may not reach.
const LIMIT: Duration = Duration::from_mins(1);

/// Runs audits.
#[derive(Clone)]
pub struct PageAudits {
    auditor: Arc<dyn PageAuditor>,
    metrics: Arc<Metrics>,
}

impl PageAudits {
    pub fn new(auditor: Arc<dyn PageAuditor>, metrics: Arc<Metrics>) -> Self {
        Self { auditor, metrics }
    }

    /// Audits a page and records its metrics.
    pub async fn audit(&self, url: &str) -> Result<AuditResult, AuditFailure> {
        let started = Instant::now();
        let audited = self.audit_now(url).await;
        let result = match &audited {
            Ok(audited) => values::result_name(values::rank_of_score(audited.score)),
            Err(AuditFailure::Refused(_)) => "refused",
            Err(AuditFailure::Unfinished(_) | AuditFailure::Panicked) => "failed",
        };
        self.metrics.audited(result, started.elapsed());
        audited
    }

    async fn audit_now(&self, url: &str) -> Result<AuditResult, AuditFailure> {
        let audit = AssertUnwindSafe(async { self.auditor.audit(url).await }).catch_unwind();
        match tokio::time::timeout(LIMIT, audit).await {
            Ok(Ok(Err(AuditFailure::Unfinished(reason)))) => {
                tracing::warn!(reason, "an audit could not be finished");
                Err(AuditFailure::Unfinished(reason))
            }
            Ok(Ok(Err(AuditFailure::Panicked)) | Err(_)) => {
                tracing::error!("an audit panicked");
                Err(AuditFailure::Panicked)
            }
            Ok(Ok(audited)) => audited,
            Err(_) => {
                tracing::error!("an audit did not finish in time");
                Err(AuditFailure::Unfinished("it did not finish in time".to_owned()))
            }
        }
    }
}
