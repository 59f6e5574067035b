//! Interrupts long work from outside, such as by a signal.
//!
//! Work that takes long calls [`check`] now and then; between two calls should lie some thousand values at the most. Where
//! nobody listens that is a look at one flag of the thread.

use crate::{Error, ErrorKind, Result};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What the host says where no work listens by itself; see [`host`].
static HOST: OnceLock<fn() -> bool> = OnceLock::new();

/// So often the listener is asked, at the most.
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

/// Puts back the listener that was there before.
struct Before(Option<Rc<Listener>>);

impl Drop for Before {
    fn drop(&mut self) {
        let before = self.0.take();
        LISTENS.set(before.is_some());
        LISTENER.set(before);
    }
}

/// Does work that ends early where `stops` says so; it is asked on this thread, about fifty times a second.
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

/// Whether the work of this thread is to go on.
///
/// # Errors
/// Of the kind [`Io`](ErrorKind::Io), since no record is at fault, where it is not.
#[inline]
pub fn check() -> Result<()> {
    if LISTENS.get() { look() } else { Ok(()) }
}

/// Has the host asked by [`check_host`], for work that holds the host's lock and so has no listener; the first one stays.
///
/// It is asked on the thread that works, and says whether that is to end; why, it keeps for itself.
pub fn host(stops: fn() -> bool) {
    let _first = HOST.set(stops);
}

/// As [`check`]; where nobody listens the host is asked, about fifty times a second.
///
/// It is for where control comes seldom, such as a database's progress handler: whether it is time to ask is found by the
/// clock.
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
