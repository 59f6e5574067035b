//! Whose turn it is, of those who ask at once.

use core::future::poll_fn;
use core::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;

#[cfg(test)]
mod tests;

/// Those who have asked for more before they were answered: one of them goes on at a time, when all others had their turn.
///
/// Somebody who asks a hundred things ahead would else be answered a good part of them at once, and everybody beside him waits
/// for that; where many do so, for long.
#[derive(Debug)]
pub(crate) struct Turns(Semaphore);

impl Default for Turns {
    fn default() -> Self {
        Self(Semaphore::new(1))
    }
}

/// Whether a connection was answered something since it has its turn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn(Arc<AtomicBool>);

impl Turn {
    /// Runs a connection, each of whose polls is a turn.
    pub(crate) async fn run<F: Future>(&self, connection: F) -> F::Output {
        let mut connection = pin!(connection);
        poll_fn(|context| {
            self.0.store(false, Ordering::Relaxed);
            connection.as_mut().poll(context)
        })
        .await
    }

    /// Comes back when the connection may be answered.
    pub(crate) async fn wait(&self, turns: &Turns) {
        if self.0.swap(true, Ordering::Relaxed) {
            let place = turns.0.acquire().await;
            // Whoever has come meanwhile is first.
            tokio::task::yield_now().await;
            drop(place);
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
