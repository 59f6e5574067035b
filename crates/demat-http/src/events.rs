//! Telling of changes as they come (server-sent events).

use crate::body::Body;
use bytes::Bytes;
use core::time::Duration;
use demat_core::Value;
use demat_store::{Change, Store, shown};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{mpsc, watch};

/// So many events may wait for somebody who is slow; then they are told that something has changed, and no more.
const WAITING: usize = 64;
/// How often it is looked whether somebody else has changed something.
const LOOK: Duration = Duration::from_secs(1);
/// How often something is said, so that it is known that the other side is there.
const SIGN: u64 = 15;

/// The changes within a reference of a store, each as an event `change`, whose data say the verb and the reference.
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
    let watch = store.watch(at, watcher)?;
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
                // Who listens would keep the server from its end.
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
    Some(Body::Events(events, Some(watch)))
}

fn event(change: &Change, prefix: &str) -> Bytes {
    let at = format!("{prefix}{}", if change.at.is_empty() { String::new() } else { shown(&change.at) });
    let at = if at.is_empty() { "/".to_string() } else { at };
    let text = |text: &str| Value::Text(text.to_string().into());
    let data = Value::Map(vec![(text("verb"), text(change.verb.name())), (text("at"), text(&at))]);
    let data = demat_formats::json::encode(&data).unwrap_or_default();
    [b"event: change\ndata: ", &*data, b"\n\n"].concat().into()
}
