//! One nested record through every format, and another one as a control, Demat beside its peers.
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
use record::{Control, Nested, Records};
use report::{Report, Row};

fn main() -> Result<()> {
    let options = Options::parse(std::env::args().skip(1))?;
    let nested = run::<Nested>(&options)?;
    println!("{nested}");
    let control = run::<Control>(&options)?;
    print!("{control}");
    if let Some(path) = options.json {
        std::fs::write(path, serde_json::to_vec_pretty(&[nested, control])?)?;
    }
    Ok(())
}

/// Measures all formats with a record.
fn run<R: Records>(options: &Options) -> Result<Report> {
    let mut rows = Vec::new();
    for mut format in engines::all::<R>()? {
        check::<R>(&mut format)?;
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
    Ok(Report::new(R::NAME, rows, options.rounds))
}

/// Checks that Demat and the peers with the same document read each other's. For a record whose documents nobody
/// compared, it finds out which peers these are.
fn check<R: Records>(format: &mut [Engine]) -> Result<()> {
    let (own, peers) = format.split_first_mut().ok_or("a format without engines")?;
    for peer in peers.iter_mut().filter(|engine| engine.about.is_shared) {
        let agreed = own.accept(peer).and_then(|()| peer.accept(own));
        if R::IS_SHARED {
            agreed?;
        } else {
            peer.about.is_shared = agreed.is_ok();
        }
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
