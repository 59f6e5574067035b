//! The parts that a copy is divided into: whole files, and ranges of large ones.

use super::rows::{self, Head};
use super::span::{Mark, Span, border, is_plain};
use demat_core::Result;
use demat_formats::codec::Model;
use demat_formats::csv::Dialect;
use demat_place::{Format, ReadOptions};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// The smallest and the largest range of a file.
const LEAST: u64 = 1 << 20;
const MOST: u64 = 1 << 26;
/// The number of ranges for each worker, so that none waits long for the others at the end.
const EACH: u64 = 4;

/// A file that is copied.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) options: ReadOptions,
    /// What it was when it was divided; `None` for what is no file.
    pub(super) mark: Option<Mark>,
    pub(super) size: u64,
}

impl Source {
    /// A file that can't be opened is divided no further, and the worker that opens it reports why.
    pub(super) fn new(path: PathBuf, format: Format, options: ReadOptions) -> Self {
        let about = path.metadata().ok();
        let mark = about.as_ref().and_then(Mark::of);
        let size = about.map_or(0, |about| if about.is_file() { about.len() } else { 0 });
        Self { path, format, options, mark, size }
    }

    /// Returns how a part of it is read.
    pub(super) fn options_of(&self, part: &Part) -> ReadOptions {
        let mut options = self.options.clone();
        if part.cells.is_some() {
            options.own.change(|own: &mut Dialect| own.behind = part.cells);
        }
        options
    }
}

/// What one worker reads at a time: a file, or a range of its bytes.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The index of its file.
    pub(super) source: usize,
    pub(super) span: Span,
    /// Whether it is all of the file.
    pub(super) whole: bool,
    /// What is read before the range.
    pub(super) header: Arc<[u8]>,
    /// The number of cells of the first row of its table, if that is in a part before it, and no header.
    pub(super) cells: Option<usize>,
    /// Whether its end may be within a quoted cell.
    pub(super) rows: bool,
    /// The number of parts behind it whose bytes it reads, since it ended within a quoted cell.
    pub(super) taken: usize,
    /// The number of parts that it takes the next time.
    pub(super) joins: usize,
    /// Whether a part before it reads its bytes.
    pub(super) gone: bool,
}

/// Divides files for a number of workers, in their order.
///
/// # Errors
/// If a file can't be read.
pub(super) fn divided(sources: &[Source], undivided: bool, workers: usize) -> Result<Vec<Part>> {
    let total: u64 = sources.iter().map(|source| source.size).sum();
    let size = (total / (workers as u64 * EACH)).clamp(LEAST, MOST);
    if undivided { divided_by(sources, u64::MAX) } else { divided_by(sources, size) }
}

/// Divides files into ranges of about a size.
fn divided_by(sources: &[Source], size: u64) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let whole = || Spans::whole(source.size);
        let divides = source.mark.is_some() && source.size > size;
        let Spans { ranges, header, cells, quoted } = if divides {
            let found = spans(source, size);
            found.map_err(|cause| demat_core::Error::from(cause).in_place(source.path.display().to_string()))?
        } else {
            whole()
        };
        let (count, header) = (ranges.len(), Arc::<[u8]>::from(header));
        parts.extend(ranges.into_iter().enumerate().map(|(at, span)| Part {
            source: index,
            span,
            whole: count == 1,
            header: if at > 0 { Arc::clone(&header) } else { Arc::from([]) },
            cells: cells.filter(|_| at > 0),
            rows: quoted && at + 1 < count,
            taken: 0,
            joins: 1,
            gone: false,
        }));
    }
    Ok(parts)
}

/// The ranges of a file.
struct Spans {
    ranges: Vec<Span>,
    /// What is read before all but the first.
    header: Vec<u8>,
    /// The number of cells of the first row of a table without a header.
    cells: Option<usize>,
    /// Whether they may end within a quoted cell.
    quoted: bool,
}

impl Spans {
    fn whole(end: u64) -> Self {
        Self { ranges: vec![Span { start: 0, end }], header: Vec::new(), cells: None, quoted: false }
    }
}

/// Returns ranges of a file, of about this size each.
fn spans(source: &Source, size: u64) -> io::Result<Spans> {
    let end = source.size;
    let whole = Spans::whole(end);
    let dialect = source.format.is_table().then(|| source.options.own.typed::<Dialect>());
    if dialect.is_none() && source.format.about().model != Model::JsonLines {
        return Ok(whole);
    }
    let mut file = File::open(&source.path)?;
    if !is_plain(&mut file)? {
        return Ok(whole);
    }
    let head = match &dialect {
        Some(dialect) => match Head::of(&mut file, dialect)? {
            Some(head) => Some((dialect, head)),
            None => return Ok(whole),
        },
        None => None,
    };
    let first = head.as_ref().map_or(0, |(_, head)| head.end);
    let (mut spans, mut start, mut offset) = (Vec::new(), 0, size);
    while offset < end {
        if offset > start && offset > first {
            let mut at = border(&mut file, offset, end)?;
            if let Some((dialect, head)) = &head
                && at < end
            {
                at = rows::begin(&mut file, at, end, head.cells, dialect)?;
            }
            if start < at && at < end {
                spans.push(Span { start, end: at });
                start = at;
            }
        }
        offset += size;
    }
    spans.push(Span { start, end });
    let quoted = dialect.is_some_and(|dialect| dialect.quote.is_some());
    let cells = head.as_ref().filter(|(dialect, _)| !dialect.header).map(|(_, head)| head.cells);
    Ok(Spans { ranges: spans, header: head.map_or_else(Vec::new, |(_, head)| head.bytes), cells, quoted })
}
