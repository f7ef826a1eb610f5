//! A value loaded from the service: idle, loading, ready or failed. The old value stays while a new one loads.
//!
//! Only the reply to the pending request is accepted. Cancelling merely saves work; correctness rests on the request
//! id.

use crate::app::effect::RequestId;
use crate::domain::failure::Failure;

/// A value loaded from the service.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Remote<T> {
    /// Not requested.
    #[default]
    Idle,
    /// Requested; the old value stays.
    Loading(RequestId, Option<T>),
    /// Loaded.
    Ready(T),
    /// Failed; the old value stays.
    Failed(Failure, Option<T>),
}

impl<T> Remote<T> {
    /// The value, old or new.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Idle => None,
            Self::Loading(_, old) | Self::Failed(_, old) => old.as_ref(),
            Self::Ready(value) => Some(value),
        }
    }

    /// Mutable access to the value.
    pub fn value_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Idle => None,
            Self::Loading(_, old) | Self::Failed(_, old) => old.as_mut(),
            Self::Ready(value) => Some(value),
        }
    }

    /// The failure, if the last attempt failed.
    pub fn failure(&self) -> Option<&Failure> {
        if let Self::Failed(failure, _) = self { Some(failure) } else { None }
    }

    /// The pending request.
    pub fn waits_for(&self) -> Option<RequestId> {
        if let Self::Loading(request, _) = self { Some(*request) } else { None }
    }

    /// Starts loading and keeps the old value. Returns the request that this one replaces.
    pub fn load(&mut self, request: RequestId) -> Option<RequestId> {
        let (abandoned, old) = (self.waits_for(), self.take());
        *self = Self::Loading(request, old);
        abandoned
    }

    /// Handles a reply, if its request is pending.
    pub fn answer(&mut self, request: RequestId, result: Result<T, Failure>) {
        if self.waits_for() == Some(request) {
            let old = self.take();
            *self = match result {
                Ok(value) => Self::Ready(value),
                Err(failure) => Self::Failed(failure, old),
            };
        }
    }

    /// Cancels loading and makes the old value ready again. Returns the cancelled request.
    pub fn cancel(&mut self) -> Option<RequestId> {
        let request = self.waits_for()?;
        *self = self.take().map_or(Self::Idle, Self::Ready);
        Some(request)
    }

    fn take(&mut self) -> Option<T> {
        match std::mem::take(self) {
            Self::Idle => None,
            Self::Loading(_, old) | Self::Failed(_, old) => old,
            Self::Ready(value) => Some(value),
        }
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
        let mut remote = Remote::Idle;
        assert_eq!(remote.load(RequestId(1)), None);
        assert_eq!(remote.load(RequestId(2)), Some(RequestId(1)));
        remote.answer(RequestId(1), Ok("late"));
        assert_eq!(remote.value(), None);
        remote.answer(RequestId(2), Ok("new"));
        remote.answer(RequestId(2), Ok("twice"));
        assert_eq!(remote.value(), Some(&"new"));
    }

    #[test]
    fn a_failed_or_cancelled_refresh_keeps_the_old_value() {
        let mut remote = Remote::Ready("old");
        remote.load(RequestId(1));
        assert_eq!(remote.value(), Some(&"old"));
        remote.answer(RequestId(1), Err(failure()));
        assert_eq!((remote.value(), remote.failure().is_some()), (Some(&"old"), true));
        remote.load(RequestId(2));
        assert_eq!(remote.cancel(), Some(RequestId(2)));
        assert_eq!(remote, Remote::Ready("old"));
    }
}
