//! The state that all handlers share.

use std::ops::Deref;
use std::sync::Arc;

use super::metrics::Metrics;
use super::rate_limit::Limits;
use super::task_pool::Work;
use crate::service::audits::queue::Desk;
use crate::service::pages::access::Signer;
use crate::service::pages::attempts::Attempts;
use crate::service::pages::passwords::Passwords;
use crate::service::store::Store;
use crate::service::store::tables::keys::Digest;

/// What all handlers share. Every layer of a request has its own, so that one count is better than many.
#[derive(Clone)]
pub struct Shared(pub Arc<Parts>);

impl Deref for Shared {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

pub struct Parts {
    pub store: Store,
    pub desk: Desk,
    pub work: Work,
    pub page_signer: Signer,
    pub attempts: Attempts,
    pub limits: Limits,
    pub passwords: Passwords,
    pub metrics: Arc<Metrics>,
    pub run_key: Option<Digest>,
}
