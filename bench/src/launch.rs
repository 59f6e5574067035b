//! Starts one process and says what it took: `demat-bench launch OUTPUT COMMAND…`.
//!
//! This is a process of its own because a child's peak memory, as the kernel counts it, begins with what its parent
//! held when it was started. Python's interpreter would hide a small peak; this program is a few megabytes.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use serde::Serialize;

use crate::run::Result;

#[derive(Serialize)]
struct Launched {
    seconds: f64,
    cpu_seconds: f64,
    peak_kib: i64,
    code: Option<i32>,
    signal: Option<i32>,
}

/// Runs the command with its output into `output`, waits, and prints one line of JSON. Its stderr is ours.
pub fn launch(output: &str, command: &[String]) -> Result<()> {
    let [program, arguments @ ..] = command else { return Err("launch: no command".into()) };
    let mut prepared = Command::new(program);
    prepared.args(arguments).stdin(Stdio::null()).stdout(File::create(output)?);
    let start = Instant::now();
    let status = prepared.status().map_err(|error| format!("{program}: {error}"))?;
    let seconds = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = usage.user_time() + usage.system_time();
    let launched = Launched {
        seconds,
        cpu_seconds: cpu.tv_sec() as f64 + cpu.tv_usec() as f64 / 1e6,
        peak_kib: usage.max_rss(),
        code: status.code(),
        signal: status.signal(),
    };
    println!("{}", serde_json::to_string(&launched)?);
    Ok(())
}
