//! One measured call of one engine, and the loop that interleaves engines.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::engine::Engine;
use crate::record::Owned;

/// Any error ends the run; its text is all that is wanted of it.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What every engine offers for a job: do it once, timing the part that counts, and answer.
pub type Job = fn(&mut Run<'_>) -> Result<String>;

/// The data of one job, read once and shared by all its engines.
#[derive(Debug)]
pub struct Input {
    bytes: Vec<u8>,
    rows: Vec<Owned>,
}

impl Input {
    /// Reads the file, and makes the records that the encode jobs start from.
    pub fn read(path: &Path, rows: u64) -> Result<Self> {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let rows =
            (1..=i64::try_from(rows)?).map(|hi| Owned { hi, there: 2 * hi, comment: "comment".to_owned() }).collect();
        Ok(Self { bytes, rows })
    }
}

/// One call of one engine.
#[derive(Debug)]
pub struct Run<'a> {
    input: &'a Input,
    elapsed: Duration,
    /// This engine's own output buffer, kept from call to call for the jobs that reuse one.
    pub buffer: Vec<u8>,
}

impl<'a> Run<'a> {
    /// The input file's bytes.
    pub fn bytes(&self) -> &'a [u8] {
        &self.input.bytes
    }

    /// The records to encode.
    pub fn rows(&self) -> &'a [Owned] {
        &self.input.rows
    }

    /// Times `work`, and only it: what it returns is dropped, checked or hashed afterwards.
    pub fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = std::hint::black_box(work());
        self.elapsed += start.elapsed();
        done
    }

    /// [`Run::time`] for work that fills the reused buffer, which is handed over empty but with its memory.
    pub fn time_into<T>(&mut self, work: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let done = self.time(|| work(&mut buffer));
        self.buffer = buffer;
        done
    }
}

/// What one engine did for one job.
#[derive(Debug, Serialize)]
pub struct Measured {
    /// The engine's name.
    pub engine: &'static str,
    /// The answer, which must be the expected one.
    pub answer: String,
    /// Seconds of each call, in order, the warm-up left out.
    pub seconds: Vec<f64>,
}

/// Runs `job` on every engine, `rounds` times and once before to warm up.
///
/// The engines take turns, and each round starts with another one: a neighbour's burst on the machine then falls on
/// all of them, and nobody always inherits the heap of the same predecessor. A wrong answer ends the run.
pub fn interleave(engines: &[(&Engine, Job)], input: &Input, expected: &str, rounds: usize) -> Result<Vec<Measured>> {
    let mut buffers: Vec<Vec<u8>> = engines.iter().map(|_| Vec::new()).collect();
    let mut measured: Vec<Measured> = engines
        .iter()
        .map(|(engine, _)| Measured { engine: engine.name, answer: expected.to_owned(), seconds: Vec::new() })
        .collect();
    for round in 0..=rounds {
        for turn in 0..engines.len() {
            let this = (turn + round) % engines.len();
            let (engine, job) = engines[this];
            let buffer = std::mem::take(&mut buffers[this]);
            let mut run = Run { input, elapsed: Duration::ZERO, buffer };
            let answer = job(&mut run).map_err(|error| format!("{}: {error}", engine.name))?;
            // Floors do part of the work only; they have nothing to answer.
            if !engine.is_floor() && answer != expected {
                return Err(format!("{}: wrong answer: {answer}, expected {expected}", engine.name).into());
            }
            if round > 0 {
                measured[this].seconds.push(run.elapsed.as_secs_f64());
            }
            buffers[this] = run.buffer;
        }
    }
    Ok(measured)
}
