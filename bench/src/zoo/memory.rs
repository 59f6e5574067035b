//! What the kernel says of this process's memory; nothing where it says nothing.

use std::fs;

/// The memory before a call, in KiB; forgets the peak so far.
pub fn start() -> Option<u64> {
    fs::write("/proc/self/clear_refs", "5").ok()?;
    kib("/proc/self/smaps_rollup", "Rss:")
}

/// What there is more of now, and the most that there was more of since [`start`].
pub fn end(before: Option<u64>) -> (Option<u64>, Option<u64>) {
    let Some(before) = before else { return (None, None) };
    let held = kib("/proc/self/smaps_rollup", "Rss:").map(|now| now.saturating_sub(before));
    let peak = kib("/proc/self/status", "VmHWM:").map(|most| most.saturating_sub(before));
    (held, peak.max(held))
}

fn kib(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line[name.len()..].split_whitespace().next()?.parse().ok()
}
