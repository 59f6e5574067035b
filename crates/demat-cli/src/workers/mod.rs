//! `demat copy --workers N`: the parts of the sources on several threads, in the order of the sources, with one outcome.
//!
//! What a worker writes waits in memory or in an unnamed file until it is its turn. Memory is that of one copy for each
//! worker, and some megabytes for what waits.

mod check;
mod joined;
mod part;
mod piece;
mod position;
mod queue;
mod rows;
mod span;

use crate::arguments::CopyArguments;
use crate::choice::Refusal;
use crate::copy::{Shaping, base, same_path};
use crate::failure::{About, Failure};
use crate::output;
use crate::progress::Meter;
use crate::report::{MOST, Refused};
use crate::screen::Screen;
use crate::sources::Opened;
use core::cell::RefCell;
use demat_core::{Error, ErrorKind};
use demat_formats::csv::Dialect;
use demat_place::{Compression, Format, OnError, Place, Progress, Rejects, Summary, WriteOptions};
use joined::{How, Joined};
use part::{Part, Source};
use piece::{Kept, Piece, Spool};
use position::Positions;
use queue::Queue;
use span::SpanReader;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// A copy that several workers do.
pub(crate) struct Divided<'a> {
    arguments: &'a CopyArguments,
    shaping: &'a Shaping,
    sources: Vec<Source>,
    parts: Vec<Part>,
    to: (Place, Format),
    write: WriteOptions,
    how: How,
    /// The source whose first part has the header.
    titled: usize,
    rejects: Option<Place>,
    workers: usize,
    /// Where what the workers wrote waits.
    folder: PathBuf,
    stopped: Arc<AtomicBool>,
}

impl<'a> Divided<'a> {
    /// Divides the sources of a copy. Returns `None` if one worker has to do all of it.
    ///
    /// # Errors
    /// If several workers would not have the result of one.
    pub(crate) fn of(
        arguments: &'a CopyArguments,
        sources: &[Opened],
        to: (&Place, Format),
        shaping: &'a Shaping,
        rejects: Option<&Place>,
    ) -> Result<Option<Self>, Failure> {
        let Some(workers) = arguments.workers else { return Ok(None) };
        let shape = shaping.shape();
        check::check(arguments, sources, shape)?;
        let write = arguments.target.options(&arguments.source, sources[0].format, to.1)?;
        let how = check::how(&arguments.target, (to.1, &write), shape)?;
        same_path(sources, &arguments.source)?;
        let source = |opened: &Opened| {
            arguments.source.encoding(opened.format)?;
            let path = opened.place.path().map(PathBuf::from).unwrap_or_default();
            Ok(Source::new(path, opened.format, arguments.source.options(opened.format)?))
        };
        let sources = sources.iter().map(source).collect::<Result<Vec<_>, Failure>>()?;
        check::check_places(&sources, to.0, rejects)?;
        // A path decides what a record is, and in other encodings a line feed is not known by its byte.
        let undivided = arguments.source.at.is_some() || arguments.source.encoding.is_some();
        let parts = part::divided(&sources, undivided, workers.get())?;
        let titled = check::titled(arguments, &sources, how, shape)?;
        if parts.len() < 2 {
            return Ok(None);
        }
        let beside = to.0.path().and_then(|path| path.parent()).filter(|folder| folder.is_dir());
        let folder = beside.map_or_else(std::env::temp_dir, PathBuf::from);
        Ok(Some(Self {
            arguments,
            shaping,
            workers: workers.get().min(parts.len()),
            sources,
            parts,
            to: (to.0.clone(), to.1),
            write,
            how,
            titled,
            rejects: rejects.cloned(),
            folder,
            stopped: Arc::default(),
        }))
    }

    /// Copies all parts, and lets the target appear.
    ///
    /// # Errors
    /// The first one in the order of the sources.
    pub(crate) fn run(mut self, meter: &mut Meter, refused: &mut Refused, screen: Screen) -> Result<Summary, Failure> {
        let parts = core::mem::take(&mut self.parts);
        let names: Vec<_> = self.sources.iter().map(|source| source.path.display().to_string()).collect();
        let queue = Queue::new(parts, self.workers, move |part, failure| {
            let reason = match failure {
                Failure::Error { error, .. } => error.reason(),
                _ => String::new(),
            };
            let name = names.get(part.source).map_or("", String::as_str);
            output::line(&format!(
                "{} a worker has failed, and another one copies {name} again: {reason}",
                screen.note()
            ));
        });
        let this = &self;
        thread::scope(|scope| {
            let _ending = Ending { queue: &queue, stopped: &this.stopped };
            for number in 1..=this.workers {
                let spawned = thread::Builder::new()
                    .name(format!("worker {number}"))
                    .spawn_scoped(scope, || queue.serve(|part| this.copy(part)));
                // Those that are there do the work of the others.
                if let Err(cause) = spawned
                    && number == 1
                {
                    return Err(Error::new(ErrorKind::Io, "no thread can be started").because(cause).into());
                }
            }
            this.join(&queue, meter, refused)
        })
    }

    /// Joins what the workers make of the parts.
    fn join(&self, queue: &Queue, meter: &mut Meter, refused: &mut Refused) -> Result<Summary, Failure> {
        let on_error = OnError::from(self.arguments.on_error);
        // Parts of an array are packed as a whole, others by themselves.
        let packed = if self.how == How::Array { self.packing() } else { None };
        let mut joined = Joined::create(&self.to.0, packed, self.how, on_error == OnError::All)?;
        let mut rejects = None;
        let mut positions = Positions::new(self);
        let mut sum = Summary { records: 0, rejected: 0, written: true, read: 0 };
        let total = self.sources.iter().map(|source| source.size).sum();
        let copied = loop {
            let Some((part, piece)) = queue.next() else { break Ok(()) };
            let Piece { result, output, refused: own } = piece;
            positions.begin(&part);
            // A wrong option leaves the file of refused records as it is.
            if rejects.is_none() && (result.is_ok() || own.count > 0) {
                rejects = self.rejects.as_ref().map(Rejects::create).transpose()?;
            }
            let told = tell(&part, own, &mut positions, refused, rejects.as_mut());
            let summary = match result {
                Ok(summary) => summary,
                Err(failure) => break Err(positions.shift(&part, failure)),
            };
            told?;
            if let Some(output) = output {
                joined.add(&output)?;
            }
            positions.passed(summary.records + summary.rejected);
            sum.records += summary.records;
            sum.rejected += summary.rejected;
            sum.read += part.span.end - part.span.start;
            meter.show(Progress { read: sum.read, total: Some(total) });
        };
        let copied = copied.and_then(|()| self.check_marks());
        // Refused records are kept, whatever ended the copy.
        let kept = rejects.map_or(Ok(()), Rejects::finish);
        copied?;
        kept?;
        sum.written = sum.rejected == 0 || on_error != OnError::All;
        if sum.written {
            joined.finish()?;
        } else {
            sum.records = 0;
        }
        Ok(sum)
    }

    fn check_marks(&self) -> Result<(), Failure> {
        let changed = |source: &Source| source.mark.as_ref().map_or(Ok(()), |mark| mark.check(&source.path));
        self.sources.iter().try_for_each(changed).map_err(Failure::from)
    }

    fn packing(&self) -> Option<Compression> {
        self.to.0.compression()
    }

    /// Copies one part to a file without a name, or to memory.
    fn copy(&self, part: &Part) -> Piece {
        let output = Spool::new(&self.folder);
        let all = self.rejects.is_some().then(|| Spool::new(&self.folder));
        let kept = RefCell::new(Kept::new(all));
        let result = self.summary(part, &output, &kept);
        Piece { result, output: Some(output), refused: kept.into_inner() }
    }

    fn summary(&self, part: &Part, output: &Spool, kept: &RefCell<Kept>) -> Result<Summary, Failure> {
        let source = &self.sources[part.source];
        let name = source.path.display().to_string();
        let place = if part.whole { Place::from(&source.path) } else { Place::Given(name) };
        let target = Place::Given(self.to.0.to_string());
        let mut write = self.write.clone();
        if self.how == How::Header && !self.is_titled(part) {
            write.own.change(|own: &mut Dialect| own.header = false);
        }
        let is_first = part.source == 0 && part.span.start == 0;
        if self.how == How::Header && !is_first {
            // The number of cells is that of the sink's own columns.
            write.own.change(|own: &mut Dialect| own.behind = Some(0));
        }
        let job = base(self.arguments, (place, source.format), (target, self.to.1))?
            .read_options(source.options_of(part))
            .write_options(write);
        let mut job = self.shaping.apply(job).writer(output.clone()).prompt(false);
        if self.arguments.on_error != Refusal::Stop {
            // Only the whole copy knows whether nothing is to be written.
            job = job.on_error(OnError::Skip);
        }
        if self.how != How::Array {
            job = job.packed(self.packing());
        }
        if let Some(name) = &self.arguments.add_path {
            job = job.path_field(name);
        }
        if let Some(at) = self.arguments.source.at(source.format)? {
            job = job.at(at);
        }
        if part.whole {
            if let Some(mark) = &source.mark {
                mark.check(&source.path)?;
            }
            let stopped = Arc::clone(&self.stopped);
            job = job.on_progress(move |_| if stopped.load(Ordering::Relaxed) { Err(ended()) } else { Ok(()) });
        } else {
            let (header, stopped) = (Arc::clone(&part.header), Arc::clone(&self.stopped));
            job = job.reader(SpanReader::open(&source.path, part.span, header, source.mark.as_ref(), stopped)?);
        }
        let job = job.on_reject(|error, data| kept.borrow_mut().keep(error, data, MOST));
        job.run().map_err(|error| Failure::Error { error, about: About::default() })
    }

    /// Whether the header of the target comes from a part.
    fn is_titled(&self, part: &Part) -> bool {
        part.source == self.titled && part.span.start == 0
    }
}

/// Passes the refused records of a part on.
fn tell(
    part: &Part,
    mut kept: Kept,
    positions: &mut Positions<'_>,
    refused: &mut Refused,
    rejects: Option<&mut Rejects>,
) -> Result<(), Failure> {
    if kept.count == 0 {
        return Ok(());
    }
    let before = positions.before(part)?;
    let first = core::mem::take(&mut kept.first);
    refused.add(kept.count - first.len() as u64, first.into_iter().map(|error| before.shift(error)));
    let Some(rejects) = rejects else { return Ok(()) };
    kept.each(|record| rejects.write(&before.shift_record(record)))?;
    Ok(())
}

/// Ends the workers when the copy has ended, however it did.
struct Ending<'q> {
    queue: &'q Queue,
    stopped: &'q AtomicBool,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.queue.stop();
    }
}

/// Returns the error that ends a worker whose part nobody waits for.
#[cold]
fn ended() -> Error {
    Error::new(ErrorKind::Io, "the copy has ended")
}
