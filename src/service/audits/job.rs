//! An audit to run, with everything needed to store its result, so that any instance can finish it.

use serde::{Deserialize, Serialize};

use super::page_auditor::{AuditFailure, AuditResult};
use crate::api::contract::parameter;
use crate::audit::normalize;
use crate::service::handlers::errors::{ErrorResponse, StoredResult};
use crate::service::handlers::json;
use crate::service::store::rows::{NewReportRow, ResultWrite, RowUpdate};

/// An audit to run. Not `Debug`, because it may hold a password hash.
#[derive(Clone, Serialize, Deserialize)]
pub struct AuditJob {
    /// The page's URL, as it was sent or stored.
    pub url: String,
    /// What the result is for.
    pub purpose: AuditPurpose,
}

/// What the result of an audit is for.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditPurpose {
    /// A new report.
    Create {
        /// 0, 1 or 2.
        privacy: u8,
        /// The hash of the page's password.
        password_hash: Option<String>,
    },
    /// A new result for an existing report, with any changes made in the same update.
    Rerun {
        /// The report's id.
        report: i64,
        /// The new privacy.
        privacy: Option<u8>,
        /// The hash of a new password.
        password_hash: Option<String>,
    },
}

impl AuditJob {
    /// Returns the key by which audits take turns: the host. It is empty for a URL that the audit will refuse, which may
    /// contain a password or be too long for an index: the key is stored.
    pub fn host(&self) -> String {
        let read = normalize(&self.url).ok().and_then(|url| url.host_str().map(str::to_owned));
        read.unwrap_or_default()
    }

    /// Returns the write that stores this result.
    pub fn write(self, audited: AuditResult) -> ResultWrite {
        let findings = json::findings(&audited);
        match self.purpose {
            AuditPurpose::Create { privacy, password_hash } => {
                ResultWrite::Create(NewReportRow { url: audited.url, findings, privacy, password_hash })
            }
            AuditPurpose::Rerun { report, privacy, password_hash } => {
                ResultWrite::Change(report, RowUpdate { privacy, password_hash, findings: Some(findings) })
            }
        }
    }

    /// Maps a failed audit to its error response.
    pub fn refusal(&self, failure: AuditFailure) -> ErrorResponse {
        match failure {
            AuditFailure::Refused(text) => ErrorResponse::invalid(parameter::URL, text),
            AuditFailure::Unfinished(_) => ErrorResponse::Unfinished(match self.purpose {
                AuditPurpose::Create { .. } => StoredResult::None,
                AuditPurpose::Rerun { .. } => StoredResult::Kept,
            }),
            AuditFailure::Panicked => ErrorResponse::Internal,
        }
    }
}
