//! Receives server-sent events about changes.

use super::base::Base;
use super::client::Client;
use core::time::Duration;
use demat_core::{Result, Value};
use demat_store::{Change, Reference, Verb, Watch, Watcher};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Thread};
use ureq::{Agent, BodyReader};

/// The maximum time without any data, not even a comment, before the connection counts as dead.
pub(super) const SILENCE: Duration = Duration::from_secs(45);
/// The first and the longest pause before reconnecting.
const AGAIN: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// The maximum length of a line in bytes.
const LONGEST: u64 = 64 << 10;

/// The state of the listening thread.
struct Listener {
    client: Client,
    base: Base,
    at: Reference,
    watcher: Watcher,
    ends: Arc<AtomicBool>,
}

/// Stops the listening thread and its connection when dropped.
struct End {
    agent: Agent,
    thread: Thread,
    ends: Arc<AtomicBool>,
}

impl Drop for End {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::SeqCst);
        self.agent.clone().shutdown();
        self.thread.unpark();
    }
}

/// Subscribes to changes. Returns `None` if the server has no events.
///
/// Changes while there is no connection are unknown, so after a reconnect it reports that anything may have changed.
pub(super) fn watch(client: Client, base: Base, at: &[String], watcher: Watcher) -> Option<Watch> {
    let ends = Arc::new(AtomicBool::new(false));
    let agent = client.agent.clone();
    let listener = Listener { client, base, at: at.into(), watcher, ends: Arc::clone(&ends) };
    let first = listener.open()?;
    let thread = Builder::new().name("demat-watch".to_string()).spawn(move || listener.run(first)).ok()?;
    Some(Watch::holding(End { agent, thread: thread.thread().clone(), ends }))
}

impl Listener {
    fn open(&self) -> Option<BodyReader<'static>> {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/event-stream"))]);
        let answer = self.client.ask(&Method::GET, &self.base.url(&self.at, "").ok()?, &headers).ok()?;
        let media = answer.headers.get(CONTENT_TYPE).and_then(|media| media.to_str().ok()).unwrap_or_default();
        let is = answer.status == StatusCode::OK && media.starts_with("text/event-stream");
        is.then(|| answer.body.endless())
    }

    fn run(self, first: BodyReader<'static>) {
        let mut next = Some(first);
        let mut pause = AGAIN.0;
        while !self.ends.load(Ordering::SeqCst) {
            if let Some(events) = next.take() {
                pause = AGAIN.0;
                // However the connection ended, changes may have been missed.
                drop(self.listen(events));
                continue;
            }
            std::thread::park_timeout(pause);
            pause = (pause * 2).min(AGAIN.1);
            if self.ends.load(Ordering::SeqCst) {
                return;
            }
            next = self.open();
            if next.is_some() {
                self.tell(None);
            }
        }
    }

    /// Reports events until the stream ends.
    fn listen(&self, events: BodyReader<'static>) -> Result<()> {
        let mut events = BufReader::new(events);
        let (mut line, mut event, mut data) = (String::new(), String::new(), String::new());
        loop {
            line.clear();
            let read = (&mut events).take(LONGEST).read_line(&mut line)?;
            if read == 0 || self.ends.load(Ordering::SeqCst) || !line.ends_with('\n') {
                return Ok(());
            }
            let text = line.trim_end_matches(['\n', '\r']);
            match text.split_once(':').unwrap_or((text, "")) {
                ("", _) if text.is_empty() => {
                    if event == "change" {
                        self.tell(Some(&data));
                    }
                    event.clear();
                    data.clear();
                }
                ("event", name) => event = name.trim_start().to_string(),
                ("data", more) if data.len() + more.len() <= LONGEST as usize => data.push_str(more),
                // Other fields are ignored.
                _ => {}
            }
        }
    }

    /// Reports the change of an event; if the event can't be parsed, that anything may have changed.
    fn tell(&self, data: Option<&str>) {
        let change = data.and_then(|data| {
            let said: Value = demat_formats::json::decode(data.as_bytes()).ok()?;
            let (Value::Text(verb), Value::Text(at)) = (said.get("verb")?, said.get("at")?) else { return None };
            let verb = Verb::ALL.into_iter().find(|own| own.name() == &**verb)?;
            Some(Change { verb, at: self.base.within(at)? })
        });
        let whole = || Change { verb: Verb::Put, at: self.at.clone() };
        (self.watcher)(&change.unwrap_or_else(whole));
    }
}
