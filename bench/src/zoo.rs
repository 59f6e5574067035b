//! The zoo's jobs in Rust: `demat-bench zoo JOB KIND ENGINE FILE EXPECTED ENOUGH`, one engine in one process.
//!
//! The files are those of the kinds in Python (`zoo/kinds/`), the structs here are their equals.

mod cells;
mod engines;
mod kinds;
mod memory;

use std::fs;
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use serde::Serialize;

use crate::run::Result;

/// A call is repeated at least and at most so many times.
const LEAST: usize = 5;
const MOST: usize = 40;

/// What `zoo/cell.py` measures in Python, under the same names.
#[derive(Debug, Default, Serialize)]
pub struct Measured {
    seconds: Vec<f64>,
    cpu: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_kib: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_kib: Option<u64>,
}

/// Processor time of this process so far, in seconds.
fn processor() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let time = usage.user_time() + usage.system_time();
    Ok(time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6)
}

/// The command.
pub fn run(words: &[&str]) -> Result<()> {
    let [job, kind, engine, file, expected, enough] = words else {
        return Err("expected: zoo JOB KIND ENGINE FILE EXPECTED ENOUGH".into());
    };
    let bytes = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let asked = Asked { job, engine, bytes: &bytes, expected, enough: enough.parse()? };
    println!("{}", serde_json::to_string(&kinds::measured(kind, &asked)?)?);
    Ok(())
}

/// One cell.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// `json-decode`, `json-encode` or `csv-decode`.
    pub job: &'a str,
    /// Who does it.
    pub engine: &'a str,
    /// The input.
    pub bytes: &'a [u8],
    expected: &'a str,
    enough: f64,
}

impl Asked<'_> {
    /// Memory of a first call, then the time of further ones; `answer` sees the first and the last result.
    ///
    /// `before` makes what a call uses up, outside the timed part.
    pub fn measure<B, T>(
        &self,
        before: impl Fn() -> B,
        call: impl Fn(B) -> Result<T>,
        answer: impl Fn(&T) -> Result<String>,
    ) -> Result<Measured> {
        let check = |result: &T| -> Result<()> {
            let found = answer(result)?;
            if found == self.expected {
                Ok(())
            } else {
                Err(format!("wrong answer: {found}, expected {}", self.expected).into())
            }
        };
        let mut measured = Measured::default();
        let given = before();
        let memory = memory::start();
        let result = call(given)?;
        (measured.held_kib, measured.peak_kib) = memory::end(memory);
        check(&result)?;
        drop(result);
        while measured.seconds.len() < LEAST
            || (measured.seconds.iter().sum::<f64>() < self.enough && measured.seconds.len() < MOST)
        {
            let given = before();
            let (cpu, start) = (processor()?, Instant::now());
            let result = std::hint::black_box(call(given))?;
            measured.seconds.push(start.elapsed().as_secs_f64());
            measured.cpu.push(processor()? - cpu);
            drop(result);
        }
        check(&call(before())?)?;
        Ok(measured)
    }
}
