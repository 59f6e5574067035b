//! Server-sent events about changes.

use crate::body::Body;
use crate::subscription::Subscription;
use bytes::Bytes;
use core::time::Duration;
use demat_core::Value;
use demat_store::{Change, Store, shown};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{mpsc, watch};

/// The maximum number of events that wait for a slow client. After that it only gets an event that anything may have
/// changed.
const WAITING: usize = 64;
/// How often the server checks for changes by others.
const LOOK: Duration = Duration::from_secs(1);
/// After this many checks, a comment is sent, to detect a dead connection.
const SIGN: u64 = 15;

/// Returns a body with the changes below a reference of a store. Each is an event `change` with the verb and the
/// reference as data.
pub(crate) fn events(
    store: &Arc<dyn Store>,
    at: &[String],
    prefix: &str,
    mut stop: watch::Receiver<bool>,
) -> Option<Body> {
    let (to, events) = mpsc::channel(WAITING);
    let lost = Arc::new(AtomicBool::new(false));
    drop(to.try_send(Some(Bytes::from_static(b"event: hello\ndata: {}\n\n"))));
    let watcher = {
        let (to, lost, prefix) = (to.clone(), Arc::clone(&lost), prefix.to_string());
        Arc::new(move |change: &Change| {
            if to.try_send(Some(event(change, &prefix))).is_err() {
                lost.store(true, Ordering::Relaxed);
            }
        })
    };
    let watch = Subscription::new(store.watch(at, watcher)?, store.is_prompt());
    let whole = event(&Change { verb: demat_store::Verb::Put, at: at.into() }, prefix);
    let store = Arc::clone(store);
    tokio::spawn(async move {
        for count in 1u64.. {
            let stops = async { stop.wait_for(|stop| *stop).await.map(drop) };
            let stops = tokio::select! {
                () = tokio::time::sleep(LOOK) => false,
                () = to.closed() => return,
                _ = stops => true,
            };
            if stops {
                // An open stream would keep the server from stopping.
                drop(to.send(None).await);
                return;
            }
            let own = Arc::clone(&store);
            drop(tokio::task::spawn_blocking(move || own.look()).await);
            if lost.swap(false, Ordering::Relaxed) && to.try_send(Some(whole.clone())).is_err() {
                lost.store(true, Ordering::Relaxed);
            }
            if count.is_multiple_of(SIGN) {
                drop(to.try_send(Some(Bytes::from_static(b":\n\n"))));
            }
        }
    });
    Some(Body::Events(events, watch))
}

fn event(change: &Change, prefix: &str) -> Bytes {
    let at = format!("{prefix}{}", if change.at.is_empty() { String::new() } else { shown(&change.at) });
    let at = if at.is_empty() { "/".to_string() } else { at };
    let text = |text: &str| Value::Text(text.to_string().into());
    let data = Value::Map(vec![(text("verb"), text(change.verb.name())), (text("at"), text(&at))]);
    let data = demat_formats::json::encode(&data).unwrap_or_default();
    [b"event: change\ndata: ", &*data, b"\n\n"].concat().into()
}
