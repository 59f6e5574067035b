//! One nested record through every format, Demat beside its peers.
//!
//! ```text
//! demat-bench-nested [--rounds N] [--json FILE] [--formats NAME,NAME]
//! ```
//!
//! Before anything is timed, each engine reads its own document. A peer that writes the same document as Demat also
//! reads Demat's, and Demat reads the peer's.

mod clock;
mod engine;
mod engines;
mod record;
mod report;
mod score;
#[cfg(test)]
mod tests;

use engine::{Engine, Job, Result};
use report::{Report, Row};

fn main() -> Result<()> {
    let options = Options::parse(std::env::args().skip(1))?;
    let mut rows = Vec::new();
    for mut format in engines::all()? {
        check(&format)?;
        if !options.has(format[0].about.format) {
            continue;
        }
        let [read, write] = Job::ALL.map(|job| clock::measure(&mut format, job, options.rounds));
        for ((engine, read), write) in format.iter().zip(read?).zip(write?) {
            rows.push(Row::new(engine, read, write));
        }
    }
    if rows.is_empty() {
        return Err("no format has one of these names".into());
    }
    let report = Report::new(rows, options.rounds);
    print!("{report}");
    if let Some(path) = options.json {
        std::fs::write(path, serde_json::to_vec_pretty(&report)?)?;
    }
    Ok(())
}

/// Checks that Demat and the peers with the same document read each other's.
fn check(format: &[Engine]) -> Result<()> {
    let own = &format[0];
    for peer in format.iter().filter(|engine| engine.about.is_shared) {
        own.accept(peer)?;
        peer.accept(own)?;
    }
    Ok(())
}

/// The arguments.
#[derive(Debug, PartialEq)]
struct Options {
    rounds: u32,
    json: Option<String>,
    formats: Vec<String>,
}

impl Options {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self { rounds: 60, json: None, formats: Vec::new() };
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("`{word}` needs a value"))?;
            match word.as_str() {
                "--rounds" => options.rounds = value.parse()?,
                "--json" => options.json = Some(value),
                "--formats" => options.formats = value.split(',').map(str::to_lowercase).collect(),
                _ => return Err(format!("expected --rounds, --json or --formats, found `{word}`").into()),
            }
        }
        if options.rounds == 0 { Err("--rounds must be at least 1".into()) } else { Ok(options) }
    }

    /// Whether a format is to be measured: one whose name begins with one of those given; all without any.
    fn has(&self, format: &str) -> bool {
        let format = format.to_lowercase();
        self.formats.is_empty() || self.formats.iter().any(|name| format.starts_with(name.as_str()))
    }
}
