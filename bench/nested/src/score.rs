//! Demat's speed beside the fastest peer, for each format and job.

use crate::engines::{DEMAT, DEMAT_FRESH};
use crate::report::Row;
use serde::Serialize;

/// A format and a job.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The format.
    pub format: &'static str,
    /// The job.
    pub job: &'static str,
    /// The fastest peer's median divided by Demat's: below 1, Demat is slower.
    pub ratio: f64,
    /// The fastest peer.
    pub peer: &'static str,
}

/// The cells of all formats. `counts` chooses the peers; a format without one has no cells.
///
/// A peer that makes a new buffer for each write is compared with Demat doing the same.
pub fn cells(rows: &[Row], counts: impl Fn(&Row) -> bool) -> Vec<Cell> {
    let mut cells = Vec::new();
    for own in rows.iter().filter(|row| row.engine == DEMAT) {
        let fresh = rows.iter().find(|row| row.format == own.format && row.engine == DEMAT_FRESH);
        let peers = || rows.iter().filter(|row| row.format == own.format && !row.is_demat() && counts(row));
        let read = peers().map(|peer| (peer.read.median / own.read.median, peer.engine));
        let write = peers().map(|peer| {
            let own = if peer.is_fresh { fresh.unwrap_or(own) } else { own };
            (peer.write.median / own.write.median, peer.engine)
        });
        let least = |ratios: &mut dyn Iterator<Item = (f64, &'static str)>| ratios.min_by(|a, b| a.0.total_cmp(&b.0));
        for (job, cell) in [("read", least(&mut { read })), ("write", least(&mut { write }))] {
            if let Some((ratio, peer)) = cell {
                cells.push(Cell { format: own.format, job, ratio, peer });
            }
        }
    }
    cells
}

/// The worst cell and the geometric means.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The cell in which Demat is slowest beside its peers.
    pub worst: Cell,
    /// The geometric mean of all ratios.
    pub geometric_mean: f64,
    /// That of reading.
    pub read: f64,
    /// That of writing.
    pub write: f64,
}

/// The summary; none of no cells.
pub fn summary(cells: &[Cell]) -> Option<Summary> {
    let worst = cells.iter().min_by(|a, b| a.ratio.total_cmp(&b.ratio))?.clone();
    let mean = |job: Option<&str>| {
        let logarithms: Vec<f64> =
            cells.iter().filter(|cell| job.is_none_or(|job| cell.job == job)).map(|cell| cell.ratio.ln()).collect();
        (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
    };
    Some(Summary { worst, geometric_mean: mean(None), read: mean(Some("read")), write: mean(Some("write")) })
}

#[cfg(test)]
mod tests {
    use super::{DEMAT, DEMAT_FRESH, cells, summary};
    use crate::clock::Time;
    use crate::report::Row;

    fn row(format: &'static str, engine: &'static str, read: f64, write: f64) -> Row {
        let time = |median| Time { min: median / 2.0, median };
        let (is_fresh, is_shared) = (false, true);
        Row { format, engine, version: "1".into(), bytes: 7, read: time(read), write: time(write), is_fresh, is_shared }
    }

    #[test]
    fn the_fastest_peer_counts() {
        let rows = [
            row("a", DEMAT, 100.0, 100.0),
            row("a", "slow", 900.0, 50.0),
            row("a", "fast", 200.0, 400.0),
            row("b", DEMAT, 100.0, 100.0),
        ];
        let cells = cells(&rows, |_| true);
        let found: Vec<_> = cells.iter().map(|cell| (cell.format, cell.job, cell.ratio, cell.peer)).collect();
        assert_eq!(found, [("a", "read", 2.0, "fast"), ("a", "write", 0.5, "slow")]);
        let summary = summary(&cells).expect("a summary");
        assert_eq!((summary.worst.peer, summary.read, summary.write), ("slow", 2.0, 0.5));
        assert!((summary.geometric_mean - 1.0).abs() < 1e-12);
    }

    #[test]
    fn new_buffers_are_compared_with_new_buffers() {
        let fresh = |row| Row { is_fresh: true, ..row };
        let rows = [
            row("a", DEMAT, 100.0, 100.0),
            fresh(row("a", DEMAT_FRESH, 1.0, 200.0)),
            fresh(row("a", "peer", 100.0, 100.0)),
        ];
        let ratios: Vec<_> = cells(&rows, |_| true).iter().map(|cell| cell.ratio).collect();
        assert_eq!(ratios, [1.0, 0.5]);
    }

    #[test]
    fn no_peer_no_cell() {
        let other = Row { is_shared: false, ..row("a", "peer", 1.0, 1.0) };
        assert_eq!(summary(&cells(&[row("a", DEMAT, 1.0, 1.0), other], |row| row.is_shared)), None);
    }
}
