//! Listens to the changes that triggers tell.

use crate::address::Address;
use crate::connection::Connection;
use crate::failure::failed;
use crate::notify::CHANNEL;
use crate::shared::{Driver, wait};
use crate::tls;
use core::fmt;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{Context, Poll};
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result, Value};
use std::collections::VecDeque;
use std::time::Instant;
use tokio::runtime::Builder;
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client};

/// What was told.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// Rows of a table have changed.
    Rows(TableChange),
    /// What was told before may have been lost: anything may have changed.
    Lost,
}

/// The keys of rows: for each the values of the key's columns.
pub type Keys = Vec<Vec<Value>>;

/// A change of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableChange {
    /// The schema of the table, and its name.
    pub at: (String, String),
    /// The keys of the rows that are new or changed, and of those that are gone: the values of the key's columns. `None` if
    /// they were too many to be told.
    pub keys: Option<(Keys, Keys)>,
    /// The number of the server's process that made the change: see [`Connection::process`].
    pub process: i32,
}

type Messages =
    Box<dyn FnMut(&mut Context<'_>) -> Poll<Option<core::result::Result<AsyncMessage, tokio_postgres::Error>>> + Send>;

/// A connection that listens to the changes of all tables that tell them. After an interruption it connects again.
pub struct Listener {
    address: Address,
    open: Option<Open>,
    /// When to try to connect again, and how long to wait after that.
    again: (Instant, Duration),
    waiting: VecDeque<Told>,
}

struct Open {
    // The client is dropped first; the runtime drives the connection.
    client: Client,
    messages: Messages,
    runtime: Driver,
    /// When something last came.
    heard: Instant,
}

/// The most changes to hold. More of them are one that anything may have changed.
const MOST: usize = 10_000;
/// After such a silence, the server is asked whether it is there.
const SILENCE: Duration = Duration::from_secs(30);
/// How long the server may take to answer.
const ANSWER: Duration = Duration::from_secs(10);
/// How long to wait before the first attempt to connect again, and before later ones at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

impl Connection {
    /// Returns the number of the server's process for this connection.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn process(&self) -> Result<i32> {
        let number = self.number("SELECT pg_catalog.pg_backend_pid()::bigint")?;
        i32::try_from(number).map_err(|_| Error::new(ErrorKind::Io, "the server sent no number of its process"))
    }
}

impl Listener {
    /// Connects and listens.
    ///
    /// # Errors
    /// If the server can't be reached, or does not let the user in.
    pub fn open(address: &Address) -> Result<Self> {
        let mut waiting = VecDeque::new();
        let open = Open::new(address, &mut waiting).map_err(|error| error.in_place(address.to_string()))?;
        Ok(Self { address: address.clone(), open: Some(open), again: (Instant::now(), PAUSES.0), waiting })
    }

    /// Whether the connection is there. Otherwise it is tried again by [`wait`](Self::wait).
    pub fn is_connected(&self) -> bool {
        self.open.is_some()
    }

    /// Waits for what is told, at most so long, and returns it. Never fails: a connection that ends is opened again, and
    /// what was told meanwhile is [lost](Told::Lost).
    pub fn wait(&mut self, most: Duration) -> Vec<Told> {
        let until = Instant::now() + most;
        while self.waiting.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            let Some(open) = &mut self.open else {
                if !self.reopened(left) {
                    break;
                }
                continue;
            };
            match open.next(left, &mut self.waiting) {
                Ok(true) => {}
                Ok(false) => break,
                Err(_) => {
                    self.open = None;
                    self.again = (Instant::now(), PAUSES.0);
                }
            }
        }
        self.waiting.drain(..).collect()
    }

    /// Connects again, if it is time to, and waits for that otherwise. Returns false if the time is over.
    fn reopened(&mut self, left: Duration) -> bool {
        let (at, pause) = self.again;
        let rest = at.saturating_duration_since(Instant::now());
        if rest > left || left.is_zero() {
            std::thread::sleep(left);
            return false;
        }
        std::thread::sleep(rest);
        if let Ok(open) = Open::new(&self.address, &mut self.waiting) {
            self.open = Some(open);
            self.waiting.push_back(Told::Lost);
        } else {
            self.again = (Instant::now() + pause, (pause * 2).min(PAUSES.1));
        }
        true
    }
}

impl Open {
    fn new(address: &Address, waiting: &mut VecDeque<Told>) -> Result<Self> {
        let system = |cause| Error::new(ErrorKind::Io, "the connection can't be driven").because(cause);
        let driver = Driver::new(Builder::new_current_thread().enable_all().build().map_err(system)?);
        let runtime = driver.get()?;
        let connector = tls::connector(address)?;
        let connected = wait(runtime, None, async { timeout(ANSWER, address.config().connect(connector)).await })?;
        let (client, mut connection) = connected.map_err(|_| silent())?.map_err(failed)?;
        let messages: Messages = Box::new(move |context| connection.poll_message(context));
        let mut open = Self { client, messages, runtime: driver, heard: Instant::now() };
        open.ask(&format!("LISTEN {CHANNEL}"), waiting)?;
        Ok(open)
    }

    /// Runs a statement, and reads what comes meanwhile.
    fn ask(&mut self, sql: &str, waiting: &mut VecDeque<Told>) -> Result<()> {
        let Self { client, messages, runtime, heard } = self;
        let runtime = runtime.get()?;
        let asked = runtime.block_on(async {
            let mut answer = pin!(client.batch_execute(sql));
            let done = poll_fn(|context| {
                loop {
                    if let Poll::Ready(done) = answer.as_mut().poll(context) {
                        return Poll::Ready(done.map_err(failed));
                    }
                    match messages(context) {
                        Poll::Ready(Some(Ok(message))) => keep(message, waiting),
                        Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(failed(error))),
                        Poll::Ready(None) => return Poll::Ready(Err(silent())),
                        Poll::Pending => return Poll::Pending,
                    }
                }
            });
            timeout(ANSWER, done).await
        });
        asked.map_err(|_| silent())??;
        *heard = Instant::now();
        Ok(())
    }

    /// Waits for a message. Returns false if none came in time.
    fn next(&mut self, most: Duration, waiting: &mut VecDeque<Told>) -> Result<bool> {
        if self.heard.elapsed() > SILENCE {
            self.ask("SELECT 1", waiting)?;
        }
        let Self { messages, runtime, heard, .. } = self;
        let next = runtime.get()?.block_on(async { timeout(most, poll_fn(|context| messages(context))).await });
        match next {
            Err(_) => Ok(false),
            Ok(Some(Ok(message))) => {
                *heard = Instant::now();
                keep(message, waiting);
                Ok(true)
            }
            Ok(Some(Err(error))) => Err(failed(error)),
            Ok(None) => Err(silent()),
        }
    }
}

/// Adds what a message tells.
fn keep(message: AsyncMessage, waiting: &mut VecDeque<Told>) {
    let AsyncMessage::Notification(told) = message else { return };
    if told.channel() != CHANNEL {
        return;
    }
    // Anybody may send anything on a channel.
    hold(parsed(told.payload(), told.process_id()).map_or(Told::Lost, Told::Rows), waiting);
}

/// Adds a change. If there are too many, the earlier ones are lost.
fn hold(told: Told, waiting: &mut VecDeque<Told>) {
    if waiting.len() >= MOST {
        waiting.clear();
        waiting.push_back(Told::Lost);
    }
    waiting.push_back(told);
}

/// Parses what the triggers' function tells.
fn parsed(payload: &str, process: i32) -> Option<TableChange> {
    let said: Value = demat_formats::json::decode(payload.as_bytes()).ok()?;
    let texts = |value: &Value| match value {
        Value::List(parts) => match &**parts {
            [Value::Text(schema), Value::Text(name)] => Some((schema.to_string(), name.to_string())),
            _ => None,
        },
        _ => None,
    };
    let keys = |name: &str| match said.get(name)? {
        Value::List(keys) => keys
            .iter()
            .map(|key| match key {
                Value::List(values) => Some(values.clone()),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    Some(TableChange { at: texts(said.get("at")?)?, keys: keys("put").zip(keys("delete")), process })
}

#[cold]
fn silent() -> Error {
    Error::new(ErrorKind::Io, "the server does not answer")
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener").field("address", &self.address).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, TableChange, Told, hold, parsed};
    use demat_core::Value;
    use std::collections::VecDeque;

    #[test]
    fn changes_that_are_not_held_are_told_to_be_lost() {
        let mut waiting = VecDeque::new();
        let told = Told::Rows(TableChange { at: (String::new(), String::new()), keys: None, process: 1 });
        for _ in 0..MOST {
            hold(told.clone(), &mut waiting);
        }
        assert!(!waiting.contains(&Told::Lost));
        hold(told.clone(), &mut waiting);
        assert_eq!(waiting, [Told::Lost, told]);
    }

    #[test]
    fn what_triggers_tell_is_parsed() {
        let at = ("a".to_string(), "b".to_string());
        let whole = TableChange { at, keys: None, process: 7 };
        assert_eq!(parsed(r#"{"at":["a","b"]}"#, 7), Some(whole.clone()));
        let keys = Some((vec![vec![Value::Int(1.into()), Value::Text("x".into())]], Vec::new()));
        let some = TableChange { keys, ..whole.clone() };
        assert_eq!(parsed(r#"{"at":["a","b"],"put":[[1,"x"]],"delete":[]}"#, 7), Some(some));
        assert_eq!(parsed(r#"{"at":["a","b"],"put":[1],"delete":[]}"#, 7), Some(whole));
        for payload in ["", "x", "{}", r#"{"at":[]}"#, r#"{"at":["a",1]}"#, "[1]"] {
            assert_eq!(parsed(payload, 7), None, "{payload}");
        }
    }
}
