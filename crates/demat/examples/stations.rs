//! Temperatures of weather stations: the lowest, the mean and the highest of each, in bounded memory.
//!
//! ```console
//! $ cargo run --release -p demat --example stations -- measurements.csv
//! ```
//!
//! The file has a row `station;celsius` for each measurement, without a header; it is made first if it is not there.
//! The answer is JSON on standard output. A row that is no measurement ends the program with its place.

use demat::csv::{Csv, Dialect};
use demat::stream::{Records, Window};
use demat::{Decode, Encode, Result, Shaped, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

/// A row of the input.
#[derive(Decode)]
struct Measurement {
    station: String,
    celsius: f64,
}

/// What is known of a station.
#[derive(Shaped, Encode)]
pub(crate) struct Station {
    pub(crate) measurements: u32,
    pub(crate) lowest: f64,
    pub(crate) mean: f64,
    pub(crate) highest: f64,
    #[demat(skip)]
    sum: f64,
}

impl Station {
    fn new() -> Self {
        Self { measurements: 0, lowest: f64::INFINITY, mean: 0.0, highest: f64::NEG_INFINITY, sum: 0.0 }
    }

    fn add(&mut self, celsius: f64) {
        self.measurements += 1;
        self.lowest = self.lowest.min(celsius);
        self.highest = self.highest.max(celsius);
        self.sum += celsius;
        self.mean = self.sum / f64::from(self.measurements);
    }
}

/// Reads measurements one by one, and returns the stations by their names.
///
/// # Errors
/// If the input can't be read, or a row is no measurement.
pub(crate) fn stations(input: impl Read) -> Result<BTreeMap<String, Station>> {
    let format = Csv::new(Dialect { delimiter: b';', ..Dialect::default() }.without_header())?;
    let mut stations = BTreeMap::new();
    for measurement in Records::<_, _, Measurement>::new(Window::new(input), format) {
        let Measurement { station, celsius } = measurement?;
        stations.entry(station).or_insert_with(Station::new).add(celsius);
    }
    Ok(stations)
}

/// Writes `count` measurements that a small generator draws from a seed.
///
/// # Errors
/// If the output can't be written.
pub(crate) fn measure(mut output: impl Write, count: u32, mut seed: u64) -> io::Result<()> {
    const NAMES: [&str; 5] = ["Abha", "Bergen", "Cádiz", "Dublin", "\"Ely; north\""];
    // Xorshift, whose upper bits are the better ones.
    let mut draw = |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 40) % below
    };
    for _ in 0..count {
        let name = usize::try_from(draw(5)).map_or("", |chosen| NAMES[chosen]);
        let (degrees, tenth) = (draw(60), draw(10));
        let sign = if draw(3) == 0 { "-" } else { "" };
        writeln!(output, "{name};{sign}{degrees}.{tenth}")?;
    }
    output.flush()
}

/// Makes the file if it is not there, and writes what is known of its stations.
///
/// # Errors
/// If the file or the output can't be written, or the file has a row that is no measurement.
pub(crate) fn report(path: &Path, mut output: impl Write) -> std::result::Result<(), Box<dyn Error>> {
    if !path.exists() {
        measure(BufWriter::new(File::create(path)?), 100_000, 9)?;
    }
    Ok(output.write_all(&json::encode(&stations(File::open(path)?)?)?)?)
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("which file? stations MEASUREMENTS.csv")?;
    report(Path::new(&path), io::stdout().lock())
}
