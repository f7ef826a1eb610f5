//! The state that all requests share.

use std::sync::Arc;

use super::key_uses::KeyUses;
use super::metrics::Metrics;
use super::rate_limit::RateLimiter;
use super::task_pool::TaskPool;
use crate::service::audits::queue::AuditQueue;
use crate::service::desk::live::DeskLive;
use crate::service::pages::access::PassSigner;
use crate::service::pages::attempts::PasswordAttempts;
use crate::service::pages::passwords::PasswordHasher;
use crate::service::store::Store;
use crate::service::store::key_rows::KeyDigest;

/// The state as handlers and middleware receive it.
pub type SharedState = Arc<ServiceState>;

/// Everything that handlers and middleware need.
pub struct ServiceState {
    pub store: Store,
    pub audits: AuditQueue,
    pub desk: DeskLive,
    pub tasks: TaskPool,
    pub page_signer: PassSigner,
    pub attempts: PasswordAttempts,
    pub rate_limiter: RateLimiter,
    pub passwords: PasswordHasher,
    pub metrics: Arc<Metrics>,
    pub run_key: Option<KeyDigest>,
    pub key_uses: KeyUses,
}
