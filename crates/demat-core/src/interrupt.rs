//! Cooperative interruption of long work, such as by a signal.
//!
//! Long work calls [`check`] at least every few thousand values. If no listener is installed, a call only reads a
//! thread-local flag.

use crate::{Error, ErrorKind, Result};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The host's callback for [`check_host`]; see [`host`].
static HOST: OnceLock<fn() -> bool> = OnceLock::new();

/// The shortest time between two calls of a listener.
const EVERY: Duration = Duration::from_millis(20);

struct Listener {
    stops: Box<dyn Fn() -> bool>,
    next: Cell<Instant>,
    stopped: Cell<bool>,
}

thread_local! {
    static LISTENS: Cell<bool> = const { Cell::new(false) };
    static LISTENER: RefCell<Option<Rc<Listener>>> = const { RefCell::new(None) };
}

/// Restores the previous listener when dropped.
struct Before(Option<Rc<Listener>>);

impl Drop for Before {
    fn drop(&mut self) {
        let before = self.0.take();
        LISTENS.set(before.is_some());
        LISTENER.set(before);
    }
}

/// Runs work that ends early if `stops` returns true. [`check`] calls `stops` on this thread, at most fifty times a
/// second.
///
/// ```
/// use demat_core::interrupt;
/// let worked = interrupt::listening(|| true, || loop {
///     interrupt::check()?;
/// });
/// let worked: demat_core::Result<()> = worked;
/// assert_eq!(worked.unwrap_err().to_string(), "interrupted");
/// interrupt::check()?; // nobody listens any more
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn listening<T>(stops: impl Fn() -> bool + 'static, work: impl FnOnce() -> T) -> T {
    let listener =
        Listener { stops: Box::new(stops), next: Cell::new(Instant::now() + EVERY), stopped: Cell::new(false) };
    let _before = Before(LISTENER.replace(Some(Rc::new(listener))));
    LISTENS.set(true);
    work()
}

/// Returns an error if this thread's work should stop.
///
/// # Errors
/// If the listener has requested a stop. The kind is [`Io`](ErrorKind::Io), since no record is invalid.
#[inline]
pub fn check() -> Result<()> {
    if LISTENS.get() { look() } else { Ok(()) }
}

/// Registers the process-wide callback that [`check_host`] uses where no listener is installed: work that holds the
/// host's lock. The first registration wins.
///
/// The callback runs on the working thread and returns whether the work should stop. The host keeps the reason itself.
pub fn host(stops: fn() -> bool) {
    let _first = HOST.set(stops);
}

/// As [`check`], but without a listener it calls the host, at most fifty times a second.
///
/// Use it in rare callbacks, such as a database's progress handler: it reads the clock at each call.
///
/// # Errors
/// As [`check`].
pub fn check_host() -> Result<()> {
    thread_local! {
        static NEXT: Cell<Option<Instant>> = const { Cell::new(None) };
    }
    if LISTENS.get() {
        return look();
    }
    let Some(stops) = HOST.get() else { return Ok(()) };
    let now = Instant::now();
    if NEXT.get().is_some_and(|next| now < next) {
        return Ok(());
    }
    NEXT.set(Some(now + EVERY));
    if stops() { Err(interrupted()) } else { Ok(()) }
}

#[cold]
fn interrupted() -> Error {
    Error::new(ErrorKind::Io, "interrupted")
}

#[inline(never)]
fn look() -> Result<()> {
    let Some(listener) = LISTENER.with_borrow(Clone::clone) else { return Ok(()) };
    let now = Instant::now();
    if !listener.stopped.get() && now >= listener.next.get() {
        listener.next.set(now + EVERY);
        listener.stopped.set((listener.stops)());
    }
    if listener.stopped.get() { Err(interrupted()) } else { Ok(()) }
}
