//! Encodes lazy records: copies their bytes and writes changed values between them, or encodes them field by field.
//!
//! The same sink encodes a nested view in its place. So each level is visited once and each byte is copied once, at any
//! depth.

use super::hint::Anything;
use super::{EncodeSink, Engine, ObjectRef};
use crate::error::is_about_the_value;
use crate::lazy::Encoding;
use crate::lazy::{self, Edit, EditHow, Edits};
use crate::plan::{Program, RecordPlan};
use demat_core::{Error, Result};
use demat_formats::{Splice, SpliceMark};
use pyo3::prelude::*;

/// Fields to drop from the original bytes: the field's index, and the offset before which its parts are dropped.
type Dropping = Vec<(usize, usize)>;

/// The outermost changed view's bytes, and whether they are valid as a whole.
///
/// The bytes of nested views lie within these. So the encoder verifies each byte once, not once for each level.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Verified {
    /// Addresses of the first byte and behind the last; only compared.
    from: usize,
    to: usize,
    is_right: bool,
}

impl Verified {
    fn new(bytes: &[u8], is_right: bool) -> Self {
        let all = bytes.as_ptr_range();
        Self { from: all.start.addr(), to: all.end.addr(), is_right }
    }

    /// Returns whether these bytes are valid, or `None` if they lie outside of those that were verified.
    fn of(&self, bytes: &[u8]) -> Option<bool> {
        let part = bytes.as_ptr_range();
        (self.from <= part.start.addr() && part.end.addr() <= self.to && self.from < self.to).then_some(self.is_right)
    }
}

/// What all edits of a view have in common.
#[derive(Clone, Copy)]
struct Around<'a, 'e> {
    edits: &'a Edits<'a>,
    plan: &'e RecordPlan,
    program: &'e Program,
}

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes a lazy record: from its bytes if the format matches, else field by field.
    #[inline(never)]
    pub(super) fn view(&mut self, program: &'e Program, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let held = object.hold().into_bound(unsafe { Python::assume_attached() });
        let format = lazy::format_of(&held);
        // If this call has other names, hooks or an order of sets, the original bytes don't match what it would write.
        let fits = !self.options.sorts_sets
            && match format {
                Encoding::Messages => self.sink.by_number() && !self.options.has_hooks(),
                Encoding::Json | Encoding::Packed => K::COPIES == Some(format) && self.options.said.is_none(),
            };
        if fits && self.is_told_as_it_is(&held, format)? {
            return Ok(());
        }
        self.planned(program, object)
    }

    /// Writes a view from its bytes. Returns false, and writes nothing, if the sink does not accept them.
    #[inline(never)]
    fn is_told_as_it_is(&mut self, view: &Bound<'_, PyAny>, format: Encoding) -> Result<bool> {
        let untouched = lazy::untouched(view).map_err(|raised| self.raised(raised))?;
        if !lazy::is_within(view, self.options.write.depth.saturating_sub(self.depth)) {
            return Err(Error::limit("the depth of nesting", self.options.write.depth));
        }
        if let Some(bytes) = untouched {
            if !self.options.trusts_views && self.verified.of(bytes) != Some(true) {
                lazy::verify(view).map_err(|failure| self.wrong(failure))?;
            }
            return self.sink.as_is(format.format().name(), bytes);
        }
        let bytes = lazy::original(view).map_err(|raised| self.raised(raised))?;
        self.is_parted = true;
        let Some(sink) = self.sink.splice() else { return Ok(false) };
        if !sink.open_splice(format.format().name(), bytes)? {
            return Ok(false);
        }
        let around = self.verified;
        if self.verified.of(bytes).is_none() {
            let is_right = self.options.trusts_views || self.is_right(view)?;
            self.verified = Verified::new(bytes, is_right);
        }
        let merged = self.merge(view);
        self.verified = around;
        merged?;
        self.splice(|sink| sink.close_splice());
        Ok(true)
    }

    /// Returns whether eager decoding would accept the view's bytes, including those of replaced values.
    fn is_right(&mut self, view: &Bound<'_, PyAny>) -> Result<bool> {
        match lazy::verify(view) {
            Ok(()) => Ok(true),
            Err(failure) => {
                let (error, raised) = failure.into_parts(view.py());
                if is_about_the_value(view.py(), &raised) { Ok(false) } else { Err(self.went_wrong(error, raised)) }
            }
        }
    }

    /// Writes a view's bytes with the changes merged in. Returns whether anything changed.
    #[inline(never)]
    fn merge(&mut self, view: &Bound<'_, PyAny>) -> Result<bool> {
        self.depth += 1;
        self.check_depth()?;
        let edits = Edits::of(view).map_err(|raised| self.raised(raised))?;
        // SAFETY: `edits` lives as long as this function, which is all that uses the plan.
        let (plan, program) = unsafe { edits.planned() };
        let around = Around { edits: &edits, plan, program };
        if !self.verified.is_right {
            lazy::verify_unchanged(view.py(), &edits).map_err(|failure| self.wrong(failure))?;
        }
        let mut dropping: Dropping = edits.dropped.iter().map(|field| (*field, usize::MAX)).collect();
        let mut differs = !dropping.is_empty();
        let grows = !edits.added.is_empty();
        let mut at = if grows { self.begin_growing(&edits)? } else { 0 };
        let mut passed = Vec::new();
        for edit in &edits.inner {
            self.pass(&edits, at, edit.from, &dropping)?;
            at = edit.to;
            if edit.how == EditHow::Passed {
                passed.push((edit.field, self.passed(&edits, edit, &dropping)?));
                continue;
            }
            let changed = self.edit(around, edit).map_err(|error| within(error, &edits, edit))?;
            if changed && edit.until > 0 {
                dropping.push((edit.field, edit.until));
            }
            if changed {
                for (_, (from, to)) in passed.iter().rev().filter(|(field, _)| *field == edit.field) {
                    self.splice(|sink| sink.take_out(*from, *to));
                }
            }
            differs |= changed;
        }
        let added = if self.sink.by_number() {
            self.pass(&edits, at, edits.bytes().len(), &dropping)?;
            self.add(around, false)?
        } else {
            let (end, is_empty) = edits.end(at);
            self.pass(&edits, at, end, &dropping)?;
            let added = self.add(around, is_empty)?;
            self.pass(&edits, end, edits.bytes().len(), &dropping)?;
            added
        };
        if grows && let Some(sink) = self.sink.splice() {
            sink.end_growing()?;
        }
        self.back();
        Ok(differs | added)
    }

    /// Runs work on the sink as a [`Splice`]. A sink that isn't one never gets here.
    #[inline]
    fn splice(&mut self, work: impl FnOnce(&mut dyn Splice)) {
        self.is_parted = true;
        if let Some(sink) = self.sink.splice() {
            work(sink);
        }
    }

    /// Begins a record that may get new fields. Returns the offset behind the bytes that the sink has copied itself.
    fn begin_growing(&mut self, edits: &Edits<'_>) -> Result<usize> {
        self.sink.splice().map_or(Ok(0), |sink| sink.begin_growing(edits.bytes()))
    }

    /// Marks the current position, and keeps everything after it buffered until `resume`.
    fn pause(&mut self) -> SpliceMark {
        let mut mark = None;
        self.splice(|sink| mark = Some(sink.pause()));
        mark.unwrap_or_default()
    }

    /// Copies a range of the original bytes, without the dropped fields.
    #[inline(never)]
    fn pass(&mut self, edits: &Edits<'_>, from: usize, to: usize, dropping: &Dropping) -> Result<()> {
        let mut whole = true;
        self.splice(|sink| {
            whole = if dropping.is_empty() {
                sink.piece(edits.bytes().get(from..to).unwrap_or_default());
                true
            } else {
                edits.pass(from, to, dropping, |bytes| sink.piece(bytes))
            };
        });
        // SAFETY: engines run with the GIL held.
        if whole { Ok(()) } else { Err(self.raised(edits.broken(unsafe { Python::assume_attached() }))) }
    }

    /// Copies a part that may be removed again, and returns the marks around it.
    #[cold]
    fn passed(&mut self, edits: &Edits<'_>, edit: &Edit, dropping: &Dropping) -> Result<(SpliceMark, SpliceMark)> {
        let from = self.pause();
        self.pass(edits, edit.from, edit.to, dropping)?;
        let to = self.pause();
        self.splice(|sink| {
            sink.resume();
            sink.resume();
        });
        Ok((from, to))
    }

    /// Writes an edited value in place of the original. Returns whether it differs.
    #[inline(never)]
    fn edit(&mut self, around: Around<'_, 'e>, edit: &Edit) -> Result<bool> {
        let Around { edits, plan, .. } = around;
        match edit.how {
            EditHow::New => {
                if self.sink.by_number() {
                    self.sink.field(&plan.write, edit.write)?;
                }
                self.new_value(around, edit, ObjectRef::of(&edit.value))?;
                Ok(true)
            }
            EditHow::Compare => {
                let begin = self.pause();
                if self.is_new(around, edit, |_| Ok(()))? {
                    self.splice(|sink| sink.resume());
                    return Ok(true);
                }
                self.splice(|sink| {
                    sink.take_back(begin);
                    sink.piece(edits.bytes().get(edit.from..edit.to).unwrap_or_default());
                    sink.resume();
                });
                Ok(false)
            }
            EditHow::Passed => Ok(false),
            EditHow::View => {
                // SAFETY: engines run with the GIL held.
                let view = edit.value.clone().into_bound(unsafe { Python::assume_attached() });
                let deeper = u32::from(edit.item.is_some());
                self.depth += deeper;
                let changed = if self.sink.by_number() {
                    self.message(around, edit, &view)
                } else if lazy::is_spliced(&view) {
                    self.merge(&view)
                } else {
                    self.plain(Anything, ObjectRef::of(&edit.value)).map(|()| true)
                };
                self.depth -= deeper;
                changed
            }
        }
    }

    /// Writes a message in place of the original, with a new length prefix.
    #[inline(never)]
    fn message(&mut self, around: Around<'_, 'e>, edit: &Edit, view: &Bound<'_, PyAny>) -> Result<bool> {
        let begin = self.pause();
        if let Some(sink) = self.sink.splice() {
            sink.new_message(&around.plan.write, edit.write);
            sink.open_splice(Encoding::Messages.format().name(), &[])?;
        }
        let changed = self.merge(view)?;
        self.splice(|sink| {
            sink.close_splice();
            if !changed && !edit.exact {
                sink.take_back(begin);
                sink.piece(around.edits.bytes().get(edit.from..edit.to).unwrap_or_default());
            }
            sink.resume();
        });
        Ok(changed)
    }

    /// Writes the fields that the bytes lack. Returns whether there were any. `first`: no member precedes them in the
    /// object.
    #[inline(never)]
    fn add(&mut self, around: Around<'_, 'e>, mut first: bool) -> Result<bool> {
        let mut added = false;
        for edit in &around.edits.added {
            let told = self.add_one(around, edit, first).map_err(|error| within(error, around.edits, edit))?;
            added |= told;
            first &= !told;
        }
        Ok(added)
    }

    fn add_one(&mut self, around: Around<'_, 'e>, edit: &Edit, first: bool) -> Result<bool> {
        let Around { plan, .. } = around;
        let field = &plan.writes[edit.write];
        if field.is_unset(&edit.value) || !self.sink.by_number() && self.is_left_out(field, &edit.value)? {
            return Ok(false);
        }
        let begin = self.pause();
        let key = |engine: &mut Self| match engine.sink.splice() {
            Some(sink) => sink.new_field(&plan.write, edit.write, first),
            None => Ok(()),
        };
        let new = if edit.how == EditHow::Compare {
            self.is_new(around, edit, key)?
        } else {
            key(self)?;
            self.new_value(around, edit, ObjectRef::of(&edit.value))?;
            true
        };
        self.splice(|sink| {
            if !new {
                sink.take_back(begin);
            }
            sink.resume();
        });
        Ok(new)
    }

    /// Writes a value that may differ from the original, after its key. Writes the original behind it, compares both,
    /// and returns whether they differ.
    #[inline(never)]
    fn is_new(
        &mut self,
        around: Around<'_, 'e>,
        edit: &Edit,
        key: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<bool> {
        let Around { edits, plan, .. } = around;
        key(self)?;
        let begin = self.pause();
        if self.sink.by_number() {
            self.sink.field(&plan.write, edit.write)?;
        }
        self.new_value(around, edit, ObjectRef::of(&edit.value))?;
        let end = self.pause();
        // SAFETY: engines run with the GIL held.
        let old = edits.fresh(unsafe { Python::assume_attached() }, edit).map_err(|raised| self.raised(raised))?;
        if self.sink.by_number() {
            self.sink.field(&plan.write, edit.write)?;
        }
        self.new_value(around, edit, ObjectRef::of(&old))?;
        let mut repeated = false;
        self.splice(|sink| {
            repeated = sink.is_repeated(begin, end);
            sink.take_back(end);
            sink.resume();
            sink.resume();
        });
        Ok(!repeated)
    }

    fn new_value(&mut self, around: Around<'_, 'e>, edit: &Edit, value: ObjectRef) -> Result<()> {
        let Around { plan, program, .. } = around;
        let field = &plan.writes[edit.write];
        if self.sink.by_number() && field.absent.is_some() && value.as_ptr() == edit.value.as_ptr() {
            self.check_absence(field, &edit.value)?;
        }
        self.value(self.at(&field.node, program), value)?;
        self.splice(|sink| sink.end_told());
        Ok(())
    }
}

#[cold]
#[inline(never)]
fn within(error: Error, edits: &Edits<'_>, edit: &Edit) -> Error {
    let error = match edit.item {
        Some(index) => error.within_item(index),
        None => error,
    };
    error.within_field(edits.label(edit).to_owned())
}
