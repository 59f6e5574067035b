//! Fairness between pipelining connections.

use core::future::poll_fn;
use core::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;

#[cfg(test)]
mod tests;

/// A fairness gate for pipelining connections: one of them proceeds at a time, after all others had their turn.
///
/// Without it, a client that sends a hundred requests ahead would get many answers in a row, and all other clients
/// would wait for that; for long, if many clients do so.
#[derive(Debug)]
pub(crate) struct Turns(Semaphore);

impl Default for Turns {
    fn default() -> Self {
        Self(Semaphore::new(1))
    }
}

/// Whether a connection was given an answer since its turn began.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn(Arc<AtomicBool>);

impl Turn {
    /// Runs a connection. Each of its polls is a turn.
    pub(crate) async fn run<F: Future>(&self, connection: F) -> F::Output {
        let mut connection = pin!(connection);
        poll_fn(|context| {
            self.0.store(false, Ordering::Relaxed);
            connection.as_mut().poll(context)
        })
        .await
    }

    /// Waits until the connection may be answered.
    pub(crate) async fn wait(&self, turns: &Turns) {
        if self.0.swap(true, Ordering::Relaxed) {
            let place = turns.0.acquire().await;
            // Connections that became ready in the meantime come first.
            tokio::task::yield_now().await;
            drop(place);
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
