//! Interruption by signals.
//!
//! On a signal (from Ctrl-C, a closing terminal, or `kill`), the command removes its temporary files at once and ends
//! by the same signal, so that a shell's loop ends, too. Shells report 128 plus the signal's number.

use std::sync::OnceLock;

/// Ends the current work in an orderly way.
static END: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Sets the function to call at the first signal. The next signal ends the process at once.
pub(crate) fn end_by(end: impl Fn() + Send + Sync + 'static) {
    // Set once: a process exists for one command.
    drop(END.set(Box::new(end)));
}

/// Watches for signals on a separate thread.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    // Signals that the parent process ignores (`nohup`) stay ignored.
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let watching = std::thread::Builder::new().name("signals".to_string());
    // Without the thread, a temporary file may be left behind. That is no reason to fail.
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

/// Returns the ignored signals as bits, from bit 0 for signal 1; none if the system does not report them.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends the process by SIGPIPE, like other commands whose output is no longer read. (Rust programs ignore the signal,
/// so a write fails instead, and all open files are closed properly before this.)
#[cfg(unix)]
pub(crate) fn die_of_closed_pipe() {
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
}

#[cfg(not(unix))]
pub(crate) fn watch() {}

#[cfg(not(unix))]
pub(crate) fn die_of_closed_pipe() {}
