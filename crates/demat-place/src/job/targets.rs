//! Copies to several targets in one pass.

use super::CopyJob;
use super::several::Beside;
use crate::database::would_be_same;
use crate::out::Out;
use crate::target::Flusher;
use crate::{Compression, DatabasePlace, Format, OnError, Place, Summary, Target, WriteOptions};
use core::fmt;
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Tee};
use std::io::Write;
use std::path::Path;

#[cfg(all(test, feature = "arrow", feature = "lmdb", feature = "sqlite"))]
mod tests;

/// A target of a copy besides the first: see [`CopyJob::also`].
pub struct CopyTarget {
    place: Place,
    format: Format,
    options: WriteOptions,
    packed: Option<Compression>,
    writer: Option<Box<dyn Write + Send>>,
}

/// A target besides the first, open while the copy runs.
pub(super) struct Other {
    target: CopyTarget,
    out: Option<Out>,
}

impl CopyTarget {
    /// Returns a target with the default options of its format, packed as its suffix says.
    pub fn new(place: Place, format: Format) -> Self {
        let (packed, place, options) = (place.compression(), place.holding(format), WriteOptions::of(format));
        Self { place, format, options, packed, writer: None }
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Sets the options for writing.
    #[must_use]
    pub fn write_options(mut self, options: WriteOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets the compression, regardless of the suffix.
    #[must_use]
    pub fn packed(mut self, compression: Option<Compression>) -> Self {
        self.packed = compression;
        self
    }

    /// Sets the writer, if the place is [`Place::Given`].
    #[must_use]
    pub fn writer(mut self, writer: impl Write + Send + 'static) -> Self {
        self.writer = Some(Box::new(writer));
        self
    }
}

impl CopyJob<'_> {
    /// Adds a target: each record is read once, and written to all of them.
    ///
    /// All targets get the same records. One that a target refuses is refused for all: by
    /// [`on_error`](Self::on_error) it ends the copy or is left out everywhere. The copy has one outcome: first all
    /// targets are completed, the files on the disk under temporary names; then existing databases commit; then new
    /// files get their names. So an error before that leaves nothing anywhere, except in pipes and writers, which get
    /// records as they come. After that, a crash between two commits parts the targets, and so does what the system
    /// refuses then: a file's last rename, or the commit of a second database that exists already.
    ///
    /// ```
    /// use demat_place::{CopyJob, CopyTarget, Format, Place};
    /// # fn main() -> demat_core::Result<()> {
    /// # let folder = tempfile::tempdir()?;
    /// # let (one, other) = (folder.path().join("a.json"), folder.path().join("a.csv"));
    /// let job = CopyJob::new(Place::Given("rows".into()), Format::CSV, Place::from(&one), Format::JSON);
    /// let job = job.also(CopyTarget::new(Place::from(&other), Format::CSV));
    /// assert_eq!(job.reader(&b"id\n1\n2\n"[..]).run()?.records, 2);
    /// assert_eq!(std::fs::read_to_string(&one)?, "[{\"id\":\"1\"},{\"id\":\"2\"}]\n");
    /// assert_eq!(std::fs::read_to_string(&other)?, "id\n1\n2\n");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn also(mut self, target: CopyTarget) -> Self {
        self.others.push(Other { target, out: None });
        self
    }

    /// The places and formats of all targets.
    pub(super) fn targets(&self) -> impl Iterator<Item = (&Place, Format)> {
        let first = (&self.to.0, self.to.1);
        core::iter::once(first).chain(self.others.iter().map(|other| (&other.target.place, other.target.format)))
    }

    /// The formats of all targets.
    pub(super) fn formats(&self) -> impl Iterator<Item = Format> {
        self.targets().map(|(_, format)| format)
    }

    /// Refuses places that are named twice, before any of them is opened.
    pub(super) fn check_targets(&self) -> Result<()> {
        for (index, other) in self.others.iter().enumerate() {
            if self.targets().take(index + 1).any(|(place, _)| is_one_place(place, &other.target.place)) {
                return Err(twice(&other.target.place));
            }
        }
        let sources = core::iter::once(&self.from.0).chain(self.more.iter().map(|(place, ..)| place));
        let sources = sources.filter(|place| **place != Place::Standard);
        let mut all = sources.chain(self.targets().map(|(place, _)| place));
        match &self.rejects {
            Some(rejects) if all.any(|place| is_one_place(place, rejects)) => {
                let message = "refused records can't be written to what is read or written";
                Err(Error::new(ErrorKind::Constraint, message).in_place(rejects.name_as_target()))
            }
            _ => Ok(()),
        }
    }

    /// The smallest depth of the targets.
    fn depth(&self) -> u32 {
        let others = self.others.iter().map(|other| other.target.options.depth);
        others.fold(self.to.2.depth, u32::min)
    }

    /// Opens the first target.
    pub(super) fn out(&mut self) -> Result<Out> {
        let one = self.on_error == OnError::Stop && !shares(&self.to.0, &self.others);
        let (place, format) = (&self.to.0, self.to.1);
        let mut out = open((place, format), self.writer.take(), &self.from.0, self.packed, (self.on_error, one))?;
        if self.shaped {
            out.trust();
        }
        if let Some(shape) = &self.host.collected {
            out.collect(shape);
        }
        Ok(out)
    }

    /// Opens the other targets, of which some may be tables of the same databases.
    pub(super) fn open_others(&mut self, first: &Out) -> Result<()> {
        let mut others = core::mem::take(&mut self.others);
        for index in 0..others.len() {
            let (before, rest) = others.split_at_mut(index);
            let (Other { target, out }, after) = rest.split_first_mut().ok_or_else(nowhere)?;
            let earlier = || {
                let before = before.iter().filter_map(|other| Some((&other.target.place, other.out.as_ref()?)));
                core::iter::once((&self.to.0, first)).chain(before)
            };
            let mut tables = earlier().filter_map(|(place, out)| match (place, out, &target.place) {
                (Place::Database(one), Out::Rows(rows), Place::Database(other)) if is_one(one, other) => Some(&**rows),
                _ => None,
            });
            let beside = match (&target.place, tables.next()) {
                (Place::Database(place), Some(first)) => {
                    let table = first.beside(place, &self.from.0)?;
                    if core::iter::once(first).chain(tables).any(|other| other.is_table(&table)) {
                        return Err(twice(&target.place));
                    }
                    Some(Out::Rows(Box::new(table)))
                }
                _ => None,
            };
            let one = self.on_error == OnError::Stop && !shares(&target.place, after);
            let (place, writer) = ((&target.place, target.format), target.writer.take());
            *out = Some(match beside {
                Some(table) => table,
                None => open(place, writer, &self.from.0, target.packed, (self.on_error, one))?,
            });
            if let Some(out) = out.as_mut().filter(|_| self.shaped) {
                out.trust();
            }
            if let (Some(out), Some(shape)) = (out.as_mut(), &self.host.collected) {
                out.collect(shape);
            }
        }
        self.others = others;
        Ok(())
    }

    /// The open targets, of which the first is given.
    pub(super) fn outs<'o>(&'o self, first: &'o Out) -> impl Iterator<Item = (&'o Place, &'o Out)> {
        let others = self.others.iter().filter_map(|other| Some((&other.target.place, other.out.as_ref()?)));
        core::iter::once((&self.to.0, first)).chain(others)
    }

    /// The shape of the records that an existing target accepts.
    pub(super) fn accepted(&self, first: &Out) -> Option<Shape> {
        self.outs(first).find_map(|(_, out)| out.shape())
    }

    /// What the sources have to know of the targets.
    pub(super) fn beside(&self, first: &Out) -> Beside {
        let databases = self.outs(first).filter_map(|(place, out)| out.place(place)).collect();
        Beside { databases, shaped: self.shaped || self.accepted(first).is_some(), depth: self.depth() }
    }

    /// Lets the targets gather what they get, as nothing is waited for.
    pub(super) fn relax(&mut self, first: &mut Out) {
        let others = self.others.iter_mut().filter_map(|other| other.out.as_mut());
        for out in core::iter::once(first).chain(others) {
            if let Out::Stream(target) = out {
                target.relax();
            }
        }
    }

    /// Returns what passes on all that the targets got; `None` if nobody sees it before the end.
    pub(super) fn flusher(&self, first: &Out) -> Option<Flusher> {
        let flusher = |(_, out): (&Place, &Out)| match out {
            Out::Stream(target) => target.flusher(),
            _ => None,
        };
        let all = self.outs(first).filter_map(flusher);
        all.reduce(|one, other| one.and(Some(other)))
    }

    /// Returns the sink for values of this shape: that of the first target, or of all.
    pub(super) fn sink<'o>(
        &self,
        first: &'o mut Out,
        others: &'o mut [Other],
        shape: &Shape,
    ) -> Result<Box<dyn Sink + 'o>> {
        let how = || (self.canonical.as_ref().map(|(mapping, _)| mapping), self.encodings.1);
        let (place, format, options) = &self.to;
        if !others.is_empty() {
            first.share();
        }
        let sink = first.sink((place, *format, options), shape, self.on_error, how())?;
        if others.is_empty() {
            return Ok(sink);
        }
        let mut sinks = vec![sink];
        for Other { target: CopyTarget { place, format, options, .. }, out } in others {
            let out = out.as_mut().ok_or_else(nowhere)?;
            out.share();
            sinks.push(out.sink((place, *format, options), shape, self.on_error, how())?);
        }
        Ok(Box::new(Tee::new(sinks)))
    }

    /// Completes all targets, and then lets them appear.
    pub(super) fn finish(self, first: Out, summary: Summary) -> Result<Summary> {
        if !summary.written {
            return Ok(summary);
        }
        let others = self.others.into_iter().filter_map(|other| Some((other.out?, other.target.format)));
        let mut outs: Vec<_> = core::iter::once((first, self.to.1)).chain(others).collect();
        for (out, format) in &mut outs {
            out.complete(*format)?;
        }
        // Tables of one database are committed by the one that was opened first.
        outs.sort_by_key(|(out, _)| out.rank());
        outs.into_iter().try_for_each(|(out, _)| out.finish())?;
        Ok(summary)
    }
}

/// Whether one of the targets is a table of the same database.
fn shares(place: &Place, others: &[Other]) -> bool {
    let Place::Database(own) = place else { return false };
    others.iter().any(|other| matches!(&other.target.place, Place::Database(other) if is_one(own, other)))
}

/// Opens a target. `one`: whether a database gets one table only.
fn open(
    (place, format): (&Place, Format),
    writer: Option<Box<dyn Write + Send>>,
    from: &Place,
    packed: Option<Compression>,
    (on_error, one): (OnError, bool),
) -> Result<Out> {
    match (place, writer) {
        (Place::Given(name), Some(writer)) if format.is_streamed() => {
            Target::given(writer, name.clone(), packed, on_error == OnError::All).map(Out::Stream)
        }
        _ => Out::create(place, format, from, packed, (on_error, one)),
    }
}

/// Whether two places can't both be written: they are one file, one environment, or standard output.
fn is_one_place(one: &Place, other: &Place) -> bool {
    fn path(place: &Place) -> Option<&Path> {
        match place {
            Place::File(path) => Some(path),
            Place::Database(place) => Some(&place.path),
            // One environment has one writer at a time.
            Place::Collection(place) => Some(&place.path),
            Place::Standard | Place::Given(_) | Place::Server(_) => None,
        }
    }
    match (one, other) {
        (Place::Standard, Place::Standard) => true,
        (Place::Server(one), Place::Server(other)) => crate::server::is_same(one, other),
        // The tables of one database are compared by their names.
        (Place::Database(_), Place::Database(_)) => false,
        _ => matches!((path(one), path(other)), (Some(one), Some(other)) if would_be_same(one, other)),
    }
}

fn is_one(one: &DatabasePlace, other: &DatabasePlace) -> bool {
    would_be_same(&one.path, &other.path)
}

#[cold]
fn twice(place: &Place) -> Error {
    Error::new(ErrorKind::Constraint, "a place can't be two targets of one copy").in_place(place.name_as_target())
}

#[cold]
fn nowhere() -> Error {
    Error::new(ErrorKind::Store, "a target is not open")
}

impl fmt::Debug for CopyTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyTarget").field("place", &self.place).field("format", &self.format).finish_non_exhaustive()
    }
}
