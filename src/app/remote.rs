//! A value loaded from the service: idle, loading, ready or failed. The old value stays while a new one loads.
//!
//! Only the reply to the pending request is accepted. Cancelling merely saves work; correctness rests on the request
//! id.

use crate::app::effect::RequestId;
use crate::domain::failure::Failure;

/// A value loaded from the service.
#[derive(Debug, Clone)]
pub struct Remote<T> {
    /// The last value; it stays while another one loads, and after a failure.
    pub value: Option<T>,
    /// The pending request.
    pub request: Option<RequestId>,
    /// Why the last attempt failed.
    pub failure: Option<Failure>,
}

impl<T> Default for Remote<T> {
    fn default() -> Self {
        Self { value: None, request: None, failure: None }
    }
}

impl<T> Remote<T> {
    /// A loaded value.
    pub fn ready(value: T) -> Self {
        Self { value: Some(value), ..Self::default() }
    }

    /// Whether it was not requested.
    pub fn is_idle(&self) -> bool {
        self.value.is_none() && self.request.is_none() && self.failure.is_none()
    }

    /// Whether it is loaded, and neither loading again nor failed since.
    pub fn is_ready(&self) -> bool {
        self.value.is_some() && self.request.is_none() && self.failure.is_none()
    }

    /// Starts loading and keeps the old value. Returns the request that this one replaces.
    pub fn load(&mut self, request: RequestId) -> Option<RequestId> {
        self.failure = None;
        self.request.replace(request)
    }

    /// Handles a reply, if its request is pending.
    pub fn answer(&mut self, request: RequestId, result: Result<T, Failure>) {
        if self.request.take_if(|waiting| *waiting == request).is_some() {
            match result {
                Ok(value) => self.value = Some(value),
                Err(failure) => self.failure = Some(failure),
            }
        }
    }

    /// Cancels loading and makes the old value ready again. Returns the cancelled request.
    pub fn cancel(&mut self) -> Option<RequestId> {
        self.request.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::failure::FailureKind;

    fn failure() -> Failure {
        Failure::new(FailureKind::Service, "x", "")
    }

    #[test]
    fn only_the_awaited_reply_is_applied() {
        let mut remote = Remote::default();
        assert_eq!(remote.load(RequestId(1)), None);
        assert_eq!(remote.load(RequestId(2)), Some(RequestId(1)));
        remote.answer(RequestId(1), Ok("late"));
        assert_eq!(remote.value, None);
        remote.answer(RequestId(2), Ok("new"));
        remote.answer(RequestId(2), Ok("twice"));
        assert_eq!(remote.value, Some("new"));
    }

    #[test]
    fn a_failed_or_cancelled_refresh_keeps_the_old_value() {
        let mut remote = Remote::ready("old");
        remote.load(RequestId(1));
        assert_eq!(remote.value, Some("old"));
        remote.answer(RequestId(1), Err(failure()));
        assert_eq!((remote.value, remote.failure.is_some()), (Some("old"), true));
        remote.load(RequestId(2));
        assert_eq!(remote.cancel(), Some(RequestId(2)));
        assert!(remote.is_ready() && remote.value == Some("old"));
    }
}
