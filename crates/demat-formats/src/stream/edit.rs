//! Edits records of a document while it passes: all other bytes stay as they are.

use super::selected::{AtRecords, walked};
use super::{Choice, RecordPath, Walk, Window, Windowed};
use demat_core::{Error, ErrorKind, Result, Shape, Source, interrupt};
use memchr::memmem;
use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// What to do with each record.
pub trait Change {
    /// Decodes the record that the source is at, and returns the bytes to have in its place; `None` leaves it as it is.
    /// The bytes are one value of the format.
    ///
    /// # Errors
    /// Any end the edit.
    fn change(&mut self, source: &mut dyn Source<'_>, record: &Found<'_>) -> Result<Option<Vec<u8>>>;
}

/// A record that was found.
#[derive(Debug)]
pub struct Found<'r> {
    /// Its bytes.
    pub bytes: &'r [u8],
    /// Its number among all records, from 1.
    pub number: u64,
    /// The names of the columns of the table that it is in; none without a header, and in other formats.
    pub columns: &'r [String],
    walk: &'r Walk,
}

impl Found<'_> {
    /// Adds the way to the record, and its number, to an error within it.
    pub fn explain(&self, error: Error) -> Error {
        let error = self.walk.within(error, true);
        if error.position().record.is_none() { error.in_record(self.number) } else { error }
    }
}

/// What an edit came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Edited {
    /// The records that were given to be changed.
    pub records: u64,
    /// Those that were.
    pub changed: u64,
}

/// Edits the records that a path selects in a document, or those of them that a condition chooses.
///
/// `out` gets the whole document, in pieces. `shape` is that of the list of records. What lies between the records need
/// not fit the window, and each record must. `lines` says that the records are lines of text: spaces around them stay.
///
/// ```
/// use demat_core::{Result, Shape, Source};
/// use demat_formats::json::Json;
/// use demat_formats::stream::{Change, Found, Window, edit_at};
///
/// struct Double;
/// impl Change for Double {
///     fn change(&mut self, source: &mut dyn Source<'_>, _: &Found<'_>) -> Result<Option<Vec<u8>>> {
///         let number = source.i64()?;
///         Ok((number > 2).then(|| (2 * number).to_string().into_bytes()))
///     }
/// }
///
/// let mut window = Window::new(&b"[1, 2,  3]"[..]);
/// let mut edited = Vec::new();
/// let out = &mut |bytes: &[u8]| Ok(edited.extend_from_slice(bytes));
/// let at = "$[*]".parse()?;
/// let done = edit_at(&mut window, &mut Json::default(), (&at, false), &Shape::Any, &mut Double, None, out)?;
/// assert_eq!((&edited[..], done.records, done.changed), (&b"[1, 2,  6]"[..], 3, 1));
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// Those of the source, of the change and of `out`; and if the path does not exist.
pub fn edit_at<R: Read, F: Windowed>(
    window: &mut Window<R>,
    format: &mut F,
    (at, lines): (&RecordPath, bool),
    shape: &Shape,
    change: &mut dyn Change,
    choice: Option<&mut Choice<'_>>,
    out: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<Edited> {
    format.begin(shape)?;
    let columns = if format.is_headed() { None } else { Some(Vec::new()) };
    let mut edit = Edit {
        walk: Walk::new(at),
        lines,
        change,
        choice,
        out,
        columns,
        patches: Vec::new(),
        met: 0,
        edited: Edited::default(),
    };
    walked(window, format, &mut edit)?;
    loop {
        let rest = window.part().bytes.len();
        edit.passing(window.part().bytes)?;
        window.consume(rest);
        if window.has_ended() {
            return Ok(edit.edited);
        }
        window.fill(false)?;
    }
}

struct Edit<'e, 'c> {
    walk: Walk,
    lines: bool,
    change: &'e mut dyn Change,
    choice: Option<&'e mut Choice<'c>>,
    out: &'e mut dyn FnMut(&[u8]) -> Result<()>,
    /// The names of the columns; `None` until the first record of a table with a header.
    columns: Option<Vec<String>>,
    /// The changes in the window, in order.
    patches: Vec<Patch>,
    /// The number of records so far, changed or not.
    met: u64,
    edited: Edited,
}

/// Returns the names of the columns of the row that a source is at.
fn columns<'a, S: Source<'a>>(source: &mut S) -> Result<Vec<String>> {
    let mut names = Vec::new();
    source.map()?;
    while source.entry()? {
        names.push(source.text()?.to_string());
        source.value()?;
        source.skip()?;
    }
    Ok(names)
}

/// Other bytes for a record.
struct Patch {
    /// The offsets in the window between which the record is; it may have spaces before it, and a line end behind it.
    within: Range<usize>,
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Edit<'_, '_> {
    /// Visits the record that the source is at, if it is chosen.
    fn record<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<()> {
        let mark = source.mark();
        if let Some(choice) = &mut self.choice {
            if !choice.holds(source)? {
                return Ok(());
            }
            source.reset(mark);
        }
        // Only a record that is there as a whole is changed, so each is changed once.
        let old = source.span()?;
        let old = if self.lines { Cow::Owned(old.trim_ascii().to_vec()) } else { old };
        let behind = source.mark();
        source.reset(mark);
        if self.columns.is_none() {
            self.columns = Some(columns(source)?);
            source.reset(mark);
        }
        let columns = self.columns.as_deref().unwrap_or_default();
        let found = Found { bytes: &old, number: self.met + 1, columns, walk: &self.walk };
        let new = self.change.change(&mut *source, &found)?;
        source.reset(behind);
        self.edited.records += 1;
        if let Some(new) = new.filter(|new| *new != *old) {
            self.edited.changed += 1;
            let within = mark.offset..behind.offset;
            self.patches.push(Patch { within, old: old.into_owned(), new });
        }
        Ok(())
    }
}

impl AtRecords for Edit<'_, '_> {
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    fn read<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        loop {
            interrupt::check()?;
            match self.walk.next(source) {
                Ok(true) => {}
                Ok(false) => return Ok(true),
                Err(error) => return Err(self.walk.within(error, false)),
            }
            if let Err(error) = self.record(source) {
                if error.signal().is_some() {
                    return Err(error);
                }
                let error = if error.position().offset.is_none() { error.at(source.position()) } else { error };
                return Err(Found { bytes: &[], number: self.met + 1, columns: &[], walk: &self.walk }.explain(error));
            }
            self.walk.taken(source);
            self.met += 1;
        }
    }

    fn passing(&mut self, bytes: &[u8]) -> Result<()> {
        let mut at = 0;
        for Patch { within, old, new } in self.patches.drain(..) {
            let from = within.start;
            let found = bytes.get(within).and_then(|within| memmem::find(within, &old));
            let Some(start) = found.map(|found| from + found).filter(|start| *start >= at) else {
                let message = "the records of this format do not lie in the document as they are by themselves";
                return Err(Error::new(ErrorKind::Constraint, message));
            };
            (self.out)(&bytes[at..start])?;
            (self.out)(&new)?;
            at = start + old.len();
        }
        (self.out)(&bytes[at..])
    }
}
