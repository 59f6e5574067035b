//! Ending in the middle of things.
//!
//! Told to end (by Ctrl-C, by a closing terminal, by `kill`), the command removes its temporary files at once and ends
//! by that very signal, so that a shell's loop ends with it; shells count that as 128 and the signal's number.

use std::sync::OnceLock;

/// What ends what is being done, where that should be in order.
static END: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Ends by this, when the first signal comes; by the next at once.
pub(crate) fn end_by(end: impl Fn() + Send + Sync + 'static) {
    // Set once: a process exists for one command.
    drop(END.set(Box::new(end)));
}

/// Watches for signals from a thread of its own.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    // What whoever started the command wants ignored (`nohup`) stays ignored.
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let watching = std::thread::Builder::new().name("signals".to_string());
    // Without the thread a temporary file may stay behind; that is no reason not to work.
    let _ = watching.spawn(move || {
        let mut ends = false;
        for signal in &mut signals {
            if let (Some(end), false) = (END.get(), core::mem::replace(&mut ends, true)) {
                end();
                continue;
            }
            let _held = demat_place::remove_temporaries();
            let _ = emulate_default_handler(signal);
        }
    });
}

/// The signals that are ignored, as bits from 0 for signal 1; none, where the system does not tell.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends as every command does that nobody listens to any more. (Rust has programs ignore the signal, so that writing
/// fails instead, and all that is open is closed in order.)
#[cfg(unix)]
pub(crate) fn die_of_closed_pipe() {
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
}

#[cfg(not(unix))]
pub(crate) fn watch() {}

#[cfg(not(unix))]
pub(crate) fn die_of_closed_pipe() {}
