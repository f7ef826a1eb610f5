//! A value loaded from the service: idle, loading, ready or failed. The old value stays while a new one loads.
//!
//! Only the reply to the pending request is accepted. Cancelling merely saves work; correctness rests on the request
//! id.

use jiff::Timestamp;

use crate::app::effect::RequestId;
use crate::domain::failure::Failure;

/// A value loaded from the service.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Remote<T> {
    /// Not requested.
    #[default]
    Idle,
    /// Requested; the old value stays.
    Loading(RequestId, Option<(T, Timestamp)>),
    /// Loaded, with the time of the reply.
    Ready(T, Timestamp),
    /// Failed; the old value stays.
    Failed(Failure, Option<(T, Timestamp)>),
}

impl<T> Remote<T> {
    /// The value, old or new.
    pub fn value(&self) -> Option<&T> {
        self.dated().map(|(value, _)| value)
    }

    /// The value and the time of its reply.
    pub fn dated(&self) -> Option<(&T, Timestamp)> {
        match self {
            Self::Idle | Self::Loading(_, None) | Self::Failed(_, None) => None,
            Self::Loading(_, Some((value, at))) | Self::Failed(_, Some((value, at))) | Self::Ready(value, at) => {
                Some((value, *at))
            }
        }
    }

    /// Mutable access to the value.
    pub fn value_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Idle | Self::Loading(_, None) | Self::Failed(_, None) => None,
            Self::Loading(_, Some((value, _))) | Self::Failed(_, Some((value, _))) | Self::Ready(value, _) => {
                Some(value)
            }
        }
    }

    /// The failure, if the last attempt failed.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed(failure, _) => Some(failure),
            Self::Idle | Self::Loading(..) | Self::Ready(..) => None,
        }
    }

    /// The pending request.
    pub fn waits_for(&self) -> Option<RequestId> {
        match self {
            Self::Loading(request, _) => Some(*request),
            Self::Idle | Self::Ready(..) | Self::Failed(..) => None,
        }
    }

    /// Starts loading and keeps the old value. Returns the request that this one replaces.
    pub fn load(&mut self, request: RequestId) -> Option<RequestId> {
        let (abandoned, old) = (self.waits_for(), self.take());
        *self = Self::Loading(request, old);
        abandoned
    }

    /// Handles a reply. Returns false if its request is not pending.
    pub fn answer(&mut self, request: RequestId, result: Result<T, Failure>, now: Timestamp) -> bool {
        if self.waits_for() != Some(request) {
            return false;
        }
        let old = self.take();
        *self = match result {
            Ok(value) => Self::Ready(value, now),
            Err(failure) => Self::Failed(failure, old),
        };
        true
    }

    /// Cancels loading and makes the old value ready again. Returns the cancelled request.
    pub fn cancel(&mut self) -> Option<RequestId> {
        let request = self.waits_for()?;
        *self = match self.take() {
            Some((value, at)) => Self::Ready(value, at),
            None => Self::Idle,
        };
        Some(request)
    }

    fn take(&mut self) -> Option<(T, Timestamp)> {
        match std::mem::replace(self, Self::Idle) {
            Self::Idle => None,
            Self::Loading(_, old) | Self::Failed(_, old) => old,
            Self::Ready(value, at) => Some((value, at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::failure::FailureKind;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn failure() -> Failure {
        Failure::new(FailureKind::Service, "x", "")
    }

    #[test]
    fn only_the_awaited_reply_is_applied() {
        let mut remote = Remote::Idle;
        assert_eq!(remote.load(RequestId(1)), None);
        assert_eq!(remote.load(RequestId(2)), Some(RequestId(1)));
        assert!(!remote.answer(RequestId(1), Ok("late"), NOW));
        assert!(remote.answer(RequestId(2), Ok("new"), NOW));
        assert!(!remote.answer(RequestId(2), Ok("twice"), NOW));
        assert_eq!(remote.value(), Some(&"new"));
    }

    #[test]
    fn a_failed_or_cancelled_refresh_keeps_the_old_value() {
        let mut remote = Remote::Ready("old", NOW);
        remote.load(RequestId(1));
        assert_eq!(remote.value(), Some(&"old"));
        remote.answer(RequestId(1), Err(failure()), NOW);
        assert_eq!((remote.value(), remote.failure().is_some()), (Some(&"old"), true));
        remote.load(RequestId(2));
        assert_eq!(remote.cancel(), Some(RequestId(2)));
        assert_eq!(remote, Remote::Ready("old", NOW));
    }
}
