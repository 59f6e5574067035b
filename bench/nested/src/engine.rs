//! One library in one format: its two jobs, and whether its answers are right.

use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Any error; the first one ends the run.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Inputs that a parser which overwrites them gets per timed stretch.
const COPIES: usize = 64;

/// What the report says about an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The format.
    pub format: &'static str,
    /// The library.
    pub name: &'static str,
    /// Its package in the lock file.
    pub package: &'static str,
    /// Whether each write makes a new buffer, because the library's API cannot reuse one.
    pub is_fresh: bool,
    /// Whether Demat and this library can read each other's documents.
    pub is_shared: bool,
    /// Whether the parser overwrites its input. It gets copies, which are made outside the timed part.
    pub is_in_place: bool,
}

impl About {
    /// A library that reuses its buffer, shares the document with Demat and leaves its input as it is.
    pub const fn new(format: &'static str, name: &'static str) -> Self {
        Self { format, name, package: name, is_fresh: false, is_shared: true, is_in_place: false }
    }

    /// Makes a new buffer for each write.
    pub const fn fresh(self) -> Self {
        Self { is_fresh: true, ..self }
    }

    /// Writes a document that Demat has no equal of, such as records without the names of their fields.
    pub const fn own_document(self) -> Self {
        Self { is_shared: false, ..self }
    }

    /// Overwrites its input.
    pub const fn in_place(self) -> Self {
        Self { is_in_place: true, ..self }
    }

    /// The package, if it has another name.
    pub const fn package(self, package: &'static str) -> Self {
        Self { package, ..self }
    }
}

/// A library in a format, with the document that it wrote.
pub struct Engine {
    /// Its description.
    pub about: About,
    /// The record as the library writes it.
    pub bytes: Vec<u8>,
    calls: Box<dyn Calls>,
}

impl Engine {
    /// Writes the record twice and reads it back.
    ///
    /// `write` gets a buffer that has been used before, and returns the document.
    ///
    /// # Errors
    /// If the library fails, writes two different documents, or reads another record than it wrote.
    pub fn new<T, B, R, W>(about: About, record: T, read: R, write: W) -> Result<Self>
    where
        T: PartialEq + Debug + 'static,
        B: Default + 'static,
        R: Fn(&mut [u8]) -> Result<T> + 'static,
        W: for<'b> Fn(&T, &'b mut B) -> Result<&'b [u8]> + 'static,
    {
        let in_engine = |error| format!("{} of {}: {error}", about.format, about.name);
        let mut buffer = B::default();
        let bytes = write(&record, &mut buffer).map_err(in_engine)?.to_vec();
        let again = write(&record, &mut buffer).map_err(in_engine)?;
        if again != bytes {
            return Err(in_engine("the second document differs from the first".into()).into());
        }
        let inputs = vec![bytes.clone(); if about.is_in_place { COPIES } else { 1 }];
        let calls = Typed { record, buffer, bytes: bytes.clone(), inputs, read, write };
        calls.accept(&bytes).map_err(in_engine)?;
        Ok(Self { about, bytes, calls: Box::new(calls) })
    }

    /// Checks that the library reads the record from another's document.
    ///
    /// # Errors
    /// If it does not.
    pub fn accept(&self, other: &Self) -> Result<()> {
        let Self { about, calls, .. } = self;
        let failed = |error| format!("{} of {} reads {}: {error}", about.format, about.name, other.about.name);
        Ok(calls.accept(&other.bytes).map_err(failed)?)
    }

    /// Does a job so many times, and returns how long that took.
    ///
    /// # Errors
    /// If the library fails.
    pub fn run(&mut self, job: Job, times: u32) -> Result<Duration> {
        match job {
            Job::Read if self.about.is_in_place => self.calls.read_copies(times),
            Job::Read => self.calls.read(times),
            Job::Write => self.calls.write(times),
        }
    }
}

/// The jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// From bytes to the record, which is made and dropped.
    Read,
    /// From the record to bytes.
    Write,
}

impl Job {
    /// All jobs.
    pub const ALL: [Self; 2] = [Self::Read, Self::Write];
}

/// What an engine does, whatever its types are. The loops are in here, so calls cost no look-up.
trait Calls {
    fn accept(&self, bytes: &[u8]) -> Result<()>;
    fn read(&mut self, times: u32) -> Result<Duration>;
    fn read_copies(&mut self, times: u32) -> Result<Duration>;
    fn write(&mut self, times: u32) -> Result<Duration>;
}

struct Typed<T, B, R, W> {
    record: T,
    buffer: B,
    bytes: Vec<u8>,
    inputs: Vec<Vec<u8>>,
    read: R,
    write: W,
}

impl<T, B, R, W> Calls for Typed<T, B, R, W>
where
    T: PartialEq + Debug,
    R: Fn(&mut [u8]) -> Result<T>,
    W: for<'b> Fn(&T, &'b mut B) -> Result<&'b [u8]>,
{
    fn accept(&self, bytes: &[u8]) -> Result<()> {
        let found = (self.read)(&mut bytes.to_vec())?;
        if found == self.record { Ok(()) } else { Err(format!("expected {:?}, found {found:?}", self.record).into()) }
    }

    fn read(&mut self, times: u32) -> Result<Duration> {
        let begun = Instant::now();
        for _ in 0..times {
            black_box((self.read)(black_box(&mut self.inputs[0]))?);
        }
        Ok(begun.elapsed())
    }

    fn read_copies(&mut self, times: u32) -> Result<Duration> {
        let (mut left, mut taken) = (times as usize, Duration::ZERO);
        while left > 0 {
            let count = left.min(self.inputs.len());
            for input in &mut self.inputs[..count] {
                input.copy_from_slice(&self.bytes);
            }
            let begun = Instant::now();
            for input in &mut self.inputs[..count] {
                black_box((self.read)(black_box(input))?);
            }
            taken += begun.elapsed();
            left -= count;
        }
        Ok(taken)
    }

    fn write(&mut self, times: u32) -> Result<Duration> {
        let begun = Instant::now();
        for _ in 0..times {
            black_box((self.write)(black_box(&self.record), &mut self.buffer)?);
        }
        Ok(begun.elapsed())
    }
}
