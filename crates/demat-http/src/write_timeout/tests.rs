use super::{PART, WriteTimeout};
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::io;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

const PATIENCE: Duration = Duration::from_secs(60);

/// A connection that takes `count` bytes once per interval.
struct Slow {
    count: usize,
    each: Duration,
    next: Pin<Box<Sleep>>,
}

impl Slow {
    fn new(count: usize, each: u64) -> Self {
        let each = Duration::from_secs(each);
        Self { count, each, next: Box::pin(sleep(each)) }
    }
}

impl AsyncWrite for Slow {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.next.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        let next = Instant::now() + self.each;
        self.next.as_mut().reset(next);
        Poll::Ready(Ok(self.count.min(bytes.len())))
    }

    /// Data that is taken late is also flushed late.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.count == 0 { self.next.as_mut().poll(context).map(Ok) } else { Poll::Ready(Ok(())) }
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Pending
    }
}

impl AsyncRead for Slow {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Returns the second at which the connection timed out while sending; `None` if all bytes were taken.
async fn ended(count: usize, each: u64, bytes: usize) -> Option<u64> {
    let begun = Instant::now();
    let (mut connection, _leaves) = WriteTimeout::new(Slow::new(count, each), PATIENCE);
    let written = connection.write_all(&vec![0; bytes]).await;
    written.err().map(|error| {
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        begun.elapsed().as_secs()
    })
}

#[tokio::test(start_paused = true)]
async fn who_takes_too_little_in_the_time_is_ended_and_nobody_else() {
    // A byte per minute, per second, or somewhat more; always just too slow.
    assert_eq!(ended(1, 61, 1 << 20).await, Some(60));
    assert_eq!(ended(1, 59, 1 << 20).await, Some(60));
    assert_eq!(ended(1, 1, 1 << 20).await, Some(60));
    assert_eq!(ended(1000, 1, 1 << 20).await, Some(60));
    assert_eq!(ended(PART / 2 - 1, 29, 1 << 20).await, Some(60));
    // Fast enough, in pieces of any size.
    assert_eq!(ended(PART / 2, 29, 1 << 20).await, None);
    assert_eq!(ended(PART, 59, 1 << 20).await, None);
    assert_eq!(ended(1200, 1, 1 << 20).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_good_while_is_no_credit() {
    let (mut connection, _leaves) = WriteTimeout::new(Slow::new(PART, 1), PATIENCE);
    connection.write_all(&vec![0; 10 * PART]).await.unwrap();
    connection.connection.as_mut().unwrap().0.count = 1;
    let begun = Instant::now();
    connection.write_all(&vec![0; PART]).await.unwrap_err();
    assert_eq!(begun.elapsed(), PATIENCE);
}

#[tokio::test(start_paused = true)]
async fn only_what_is_waited_for_counts() {
    // Few and small writes, as for events: all of it is taken, late each time.
    let (mut connection, _leaves) = WriteTimeout::new(Slow::new(10, 50), PATIENCE);
    let late = |connection: &mut WriteTimeout<Slow>| {
        connection.connection.as_mut().unwrap().0.next = Box::pin(sleep(Duration::from_secs(50)));
    };
    for _ in 0..100 {
        late(&mut connection);
        connection.write_all(b"event").await.unwrap();
        connection.flush().await.unwrap();
        sleep(Duration::from_secs(3600)).await;
    }
    // If more remains, waiting times add up; idle times in between do not count.
    late(&mut connection);
    connection.write_all(b"event").await.unwrap();
    sleep(Duration::from_secs(3600)).await;
    late(&mut connection);
    let begun = Instant::now();
    connection.write_all(b"event").await.unwrap_err();
    assert_eq!(begun.elapsed(), Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn what_was_taken_but_not_sent_is_waited_for_as_well() {
    let begun = Instant::now();
    let (mut connection, _leaves) = WriteTimeout::new(Slow::new(0, 100), PATIENCE);
    assert_eq!(connection.flush().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    assert_eq!(begun.elapsed(), PATIENCE);
    let (mut connection, leaves) = WriteTimeout::new(Slow::new(1, 1), PATIENCE);
    assert_eq!(connection.shutdown().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    // Waiting for the end is limited, too.
    drop(connection);
    let begun = Instant::now();
    super::end(leaves.await.unwrap()).await;
    assert_eq!(begun.elapsed(), super::LINGER);
}
