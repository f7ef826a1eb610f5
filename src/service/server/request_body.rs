//! The body of a request. While it has not arrived, its connection is idle, so that clients that send nothing keep no
//! others out.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::BoxError;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::time::Instant;

use super::connection_places::ConnectionPlace;

/// The body of a request, and its connection's place.
pub(super) struct RequestBody {
    body: Incoming,
    place: Arc<ConnectionPlace>,
    /// When a part was first awaited. Later parts do not change it: a slow sender must not count as just active.
    waits_since: Option<Instant>,
}

impl RequestBody {
    pub(super) fn new(body: Incoming, place: Arc<ConnectionPlace>) -> Self {
        Self { body, place, waits_since: None }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if polled.is_pending() {
            let since = *self.waits_since.get_or_insert_with(Instant::now);
            self.place.set_idle(Some(since));
        }
        let frame = ready!(polled);
        // If the place has gone to another connection, the request must not be handled.
        if self.waits_since.is_some() && !self.place.set_idle(None) {
            return Poll::Ready(Some(Err("the connection was closed".into())));
        }
        Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
