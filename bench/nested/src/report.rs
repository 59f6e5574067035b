//! The figures, as a table and as JSON.

use crate::clock::Time;
use crate::engine::Engine;
use crate::engines::{DEMAT, DEMAT_FRESH};
use crate::score::{Cell, Summary, cells, summary};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// The versions of the peers.
const LOCK: &str = include_str!("../../Cargo.lock");

/// An engine and its figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The format.
    pub format: &'static str,
    /// The library.
    pub engine: &'static str,
    /// Its version.
    pub version: String,
    /// Nanoseconds from bytes to the record.
    pub read: Time,
    /// Nanoseconds from the record to bytes.
    pub write: Time,
    /// The size of the document.
    pub bytes: usize,
    /// Whether each write makes a new buffer.
    pub is_fresh: bool,
    /// Whether Demat and this library read each other's documents.
    pub is_shared: bool,
}

impl Row {
    /// Of an engine.
    pub fn new(engine: &Engine, read: Time, write: Time) -> Self {
        let about = engine.about;
        Self {
            format: about.format,
            engine: about.name,
            version: version(about.package).to_owned(),
            read,
            write,
            bytes: engine.bytes.len(),
            is_fresh: about.is_fresh,
            is_shared: about.is_shared,
        }
    }

    /// Whether it is no peer.
    pub fn is_demat(&self) -> bool {
        [DEMAT, DEMAT_FRESH].contains(&self.engine)
    }
}

/// The version of a package in the lock file; empty if it is not in there.
fn version(package: &str) -> &'static str {
    let entry = format!("name = \"{package}\"\nversion = \"");
    let rest = LOCK.split_once(&entry).map_or("", |(_, rest)| rest);
    rest.split_once('"').map_or("", |(version, _)| version)
}

/// All figures.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The name of the record.
    record: &'static str,
    rounds: u32,
    summary: Option<Summary>,
    /// The same beside those peers only that write the same document.
    shared_summary: Option<Summary>,
    cells: Vec<Cell>,
    rows: Vec<Row>,
}

impl Report {
    /// Of all engines with a record.
    pub fn new(record: &'static str, rows: Vec<Row>, rounds: u32) -> Self {
        let all = cells(&rows, |_| true);
        let shared_summary = summary(&cells(&rows, |row| row.is_shared));
        Self { record, rounds, summary: summary(&all), shared_summary, cells: all, rows }
    }

    /// The ratio of a row's format and job.
    fn ratio(&self, row: &Row, job: &str) -> String {
        let cell = self.cells.iter().find(|cell| cell.format == row.format && cell.job == job);
        cell.filter(|_| row.engine == DEMAT).map_or_else(String::new, |cell| format!("{:.2}", cell.ratio))
    }
}

impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "The {} record: nanoseconds an operation, {} rounds.", self.record, self.rounds)?;
        writeln!(out, "Ratio: median of the fastest peer / median of Demat; below 1, Demat is slower.")?;
        line(out, "All peers", self.summary.as_ref())?;
        line(out, "Peers of the same document", self.shared_summary.as_ref())?;
        writeln!(
            out,
            "\n{:<14} {:<28} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6} {:>6}",
            "format", "engine", "read min", "median", "ratio", "write min", "median", "ratio", "bytes"
        )?;
        let mut format = "";
        for row in &self.rows {
            let first = if row.format == format { "" } else { row.format };
            format = row.format;
            let notes = [if row.is_shared { "" } else { " *" }, if row.is_fresh { " +" } else { "" }].concat();
            writeln!(
                out,
                "{first:<14} {:<28} {:>9.0} {:>9.0} {:>6} {:>9.0} {:>9.0} {:>6} {:>6}",
                format!("{} {}{notes}", row.engine, row.version),
                row.read.min,
                row.read.median,
                self.ratio(row, "read"),
                row.write.min,
                row.write.median,
                self.ratio(row, "write"),
                row.bytes,
            )?;
        }
        writeln!(out, "* another document than Demat's, such as one without names   + a new buffer for each write")
    }
}

fn line(out: &mut Formatter<'_>, name: &str, summary: Option<&Summary>) -> fmt::Result {
    let Some(Summary { worst, geometric_mean, read, write }) = summary else {
        return writeln!(out, "{name}: none.");
    };
    writeln!(
        out,
        "{name}: worst {:.2} ({} {}, {}); geometric mean {geometric_mean:.2} (read {read:.2}, write {write:.2}).",
        worst.ratio, worst.job, worst.format, worst.peer
    )
}

#[cfg(test)]
mod tests {
    use super::{Report, Row, version};
    use crate::clock::Time;
    use crate::engines::DEMAT;

    #[test]
    fn versions_are_those_of_the_lock_file() {
        assert!(version("prost").starts_with("0."));
        assert_eq!(version("no such package"), "");
    }

    #[test]
    fn the_table_leads_with_the_worst() {
        let time = Time { min: 10.0, median: 20.0 };
        let row = |engine, is_shared| Row {
            format: "F",
            engine,
            version: "1.2".into(),
            read: time,
            write: time,
            bytes: 5,
            is_fresh: false,
            is_shared,
        };
        let text = Report::new("nested", vec![row(DEMAT, true), row("peer", false)], 3).to_string();
        let expected = "All peers: worst 1.00 (read F, peer); geometric mean 1.00 (read 1.00, write 1.00).\n\
                        Peers of the same document: none.\n";
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("peer 1.2 *"), "{text}");
    }
}
