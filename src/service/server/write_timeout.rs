//! A stream on which somebody must read: who takes nothing of an answer for too long is given up.
//!
//! Else a few hundred who ask for much and read nothing would hold all connections for ever. Must not know what is sent.

use std::io::{Error, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream whose writes fail when nothing was taken for so long.
pub struct Stalled<S> {
    stream: S,
    patience: Duration,
    /// Runs since a write found no room.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Stalled<S> {
    pub fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    /// What a write came to; one that goes on waiting fails when that has taken too long.
    fn bounded<T>(&mut self, written: Poll<Result<T, Error>>, context: &mut Context<'_>) -> Poll<Result<T, Error>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "nobody reads the answer")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stalled<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stalled<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize, Error>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.bounded(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<Result<usize, Error>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.bounded(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.bounded(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn a_write_that_nobody_takes_fails_in_time() {
        let (ours, _theirs) = tokio::io::duplex(8);
        let begun = tokio::time::Instant::now();
        let failed = Stalled::new(ours, PATIENCE).write_all(&[0; 100]).await.unwrap_err();
        assert_eq!((failed.kind(), begun.elapsed().as_secs()), (ErrorKind::TimedOut, 30));
    }

    #[tokio::test(start_paused = true)]
    async fn who_reads_slowly_is_waited_for() {
        let (ours, mut theirs) = tokio::io::duplex(8);
        let writing = tokio::spawn(async move { Stalled::new(ours, PATIENCE).write_all(&[7; 100]).await });
        let mut taken = Vec::new();
        while taken.len() < 100 {
            tokio::time::sleep(Duration::from_secs(29)).await;
            let mut piece = [0; 8];
            let count = theirs.read(&mut piece).await.unwrap();
            taken.extend_from_slice(&piece[..count]);
        }
        writing.await.unwrap().unwrap();
        assert_eq!(taken, [7; 100]);
    }
}
