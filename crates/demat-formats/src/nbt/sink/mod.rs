//! Writing NBT.

mod edit;
mod expect;
mod fault;
mod frame;
mod list;

use super::NbtCodec;
use super::modified_utf8;
use super::options::{ReadOptions, Root, WriteOptions};
use super::source::NbtSource;
use super::variant::Variant;
use super::{SPAN, Tag};
use crate::codec::verify_notes;
use crate::stream::Part;
use crate::{Drain, Output};
use demat_core::scalar::{Int, Uuid};
use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink, Source, Tag as UnionTag, Union, copy_any};
use edit::Edit;
use expect::Expect;
use fault::{no_compound, no_entry, no_int, no_key, no_null, too_long};
use frame::{Frame, Within};

/// NBT, as a [`Sink`].
///
/// It holds a list in memory until the list ends, if the count or the tag of the items is not known at its beginning.
///
/// ```
/// use demat_core::Sink;
/// use demat_formats::{Keep, Output, nbt::{NbtSink, WriteOptions}};
/// let mut sink = NbtSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
/// sink.begin_map(None)?;
/// sink.key("a")?;
/// sink.i64(7)?;
/// sink.end_map()?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().into_parts().0, b"\x0a\0\0\x03\0\x01a\0\0\0\x07\0");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct NbtSink<D> {
    output: Output<D>,
    options: WriteOptions,
    frames: Vec<Frame>,
    /// What is known about the next value.
    next: Expect,
    /// The key of the next value. It is written after the value's tag.
    key: Key,
    /// Whether a key is being written.
    is_key: bool,
    /// Whether the key is that of a field, which may be omitted.
    is_field: bool,
    has_begun: bool,
    edits: Vec<Edit>,
    saved: Saved,
}

/// The state that a rollback restores.
#[derive(Debug, Default)]
struct Saved {
    frames: Vec<Frame>,
    next: Expect,
    key: Key,
    is_key: bool,
    is_field: bool,
    has_begun: bool,
    edits: usize,
}

/// A key that waits for its value. Its memory is used again.
#[derive(Debug, Default)]
struct Key {
    text: String,
    is_there: bool,
}

impl Key {
    fn set(&mut self, key: &str) {
        self.text.clear();
        self.text.push_str(key);
        self.is_there = true;
    }

    /// Sets a key that is no text.
    fn set_of(&mut self, key: impl core::fmt::Display) {
        self.set(&key.to_string());
    }

    fn clone_from(&mut self, other: &Self) {
        self.text.clone_from(&other.text);
        self.is_there = other.is_there;
    }
}

/// The size of the header of a `level.dat` in bytes.
const HEADER: usize = 8;

impl<D: Drain> NbtSink<D> {
    /// Returns a sink that writes to an output. It does not pack; the [codec](super::NbtCodec) does.
    pub fn new(output: Output<D>, options: WriteOptions) -> Self {
        Self {
            output,
            options,
            frames: Vec::new(),
            next: Expect::Nothing,
            key: Key::default(),
            is_key: false,
            is_field: false,
            has_begun: false,
            edits: Vec::new(),
            saved: Saved::default(),
        }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    /// Returns whether the outermost value is not the entry of a record.
    fn is_valued(&self) -> bool {
        self.options.root != Root::Entry
    }

    fn check_depth(&self) -> Result<()> {
        let outside = self.frames.first().is_some_and(|frame| matches!(frame.within, Within::Sequence | Within::Root));
        if self.frames.len() - usize::from(outside) >= self.options.depth as usize {
            return Err(Error::limit("the depth of nesting", self.options.depth));
        }
        Ok(())
    }

    fn write_text(&mut self, kind: &str, text: &str) -> Result<()> {
        let variant = self.options.variant;
        let bytes = if variant.has_modified_utf8() { modified_utf8::written(text) } else { text.as_bytes().into() };
        if bytes.len() > variant.longest_text() {
            return Err(too_long(kind, variant.longest_text()));
        }
        variant.write_text_len(bytes.len(), &mut self.output.buffer);
        self.output.buffer.extend_from_slice(&bytes);
        Ok(())
    }

    /// Writes what precedes the payload of a value: its tag and its name, if it has them.
    fn start(&mut self, tag: Tag) -> Result<()> {
        if self.is_key {
            return Err(no_key(tag.name()));
        }
        match self.frames.last().map(|frame| frame.within) {
            Some(Within::Sequence) if tag != Tag::Compound => Err(no_compound(tag)),
            None | Some(Within::Sequence) if self.is_valued() => {
                let name = core::mem::take(&mut self.options.name);
                let started = self.start_root(tag, &name);
                self.options.name = name;
                started
            }
            None | Some(Within::Sequence) => Err(no_entry(tag.name())),
            Some(Within::Root) => self.with_key(|own, name| own.start_root(tag, name)),
            Some(Within::Compound) => {
                self.output.buffer.push(tag as u8);
                self.with_key(|own, name| own.write_text("a key", name))
            }
            Some(Within::List | Within::Array) => self.item_of(tag),
        }
    }

    /// Writes the key, which is used up then; an empty one if there is none.
    #[inline]
    fn with_key(&mut self, write: impl FnOnce(&mut Self, &str) -> Result<()>) -> Result<()> {
        let mut key = core::mem::take(&mut self.key);
        let written = write(self, if key.is_there { &key.text } else { "" });
        key.is_there = false;
        self.key = key;
        written
    }

    fn start_root(&mut self, tag: Tag, name: &str) -> Result<()> {
        if self.options.header.is_some() && !self.has_begun {
            self.output.buffer.extend_from_slice(&[0; HEADER]);
        }
        self.has_begun = true;
        self.output.buffer.push(tag as u8);
        if self.options.root == Root::Nameless { Ok(()) } else { self.write_text("the name", name) }
    }

    fn open_map(&mut self, expect: &Expect) -> Result<()> {
        if self.is_key {
            return Err(no_key("record"));
        }
        if self.frames.is_empty() && !self.is_valued() {
            self.frames.push(Frame::of_entries(Within::Root, expect.values()));
            return Ok(());
        }
        self.check_depth()?;
        self.start(Tag::Compound)?;
        self.frames.push(Frame::of_entries(Within::Compound, expect.values()));
        Ok(())
    }

    fn close_map(&mut self) -> Result<()> {
        match self.frames.pop() {
            Some(Frame { within: Within::Root, .. }) if !self.has_begun => Err(no_entry("an empty one")),
            Some(Frame { within: Within::Compound, .. }) => {
                self.output.buffer.push(Tag::End as u8);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Counts an entry, or an item.
    fn next_child(&mut self) -> Result<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        if frame.within == Within::Root && frame.count > 0 {
            return Err(no_entry("another entry"));
        }
        frame.count += 1;
        Ok(())
    }

    /// Applies the pending replacements.
    fn edit(&mut self) {
        for at in self.frames.iter_mut().filter_map(|frame| frame.at.as_mut()) {
            *at = edit::moved(*at, &self.edits);
        }
        edit::apply(&mut self.output.buffer, &mut self.edits);
    }

    /// Returns whether no byte may be passed to the drain yet.
    fn is_held(&self) -> bool {
        self.options.header.is_some() || self.frames.iter().any(Frame::is_pending)
    }
}

/// Returns whether the bytes are one value in the form of [`span`](Source::span), at most as deep as the options allow.
fn is_one_value(bytes: &[u8], options: &ReadOptions) -> bool {
    let mut source = NbtSource::over(Part::whole(bytes), options);
    source.skip().is_ok() && source.end().is_ok()
}

impl<D: Drain> Sink for NbtSink<D> {
    fn null(&mut self) -> Result<()> {
        self.next = Expect::Nothing;
        if self.is_key || !self.key.is_there || !self.is_field {
            return Err(no_null());
        }
        self.key.is_there = false;
        Ok(())
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        self.next = Expect::Nothing;
        if self.is_key {
            self.key.set_of(value);
            return Ok(());
        }
        self.start(Tag::Byte)?;
        self.output.buffer.push(value.into());
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match value.to_i64() {
            Some(value) => self.i64(value),
            None if self.is_key => {
                self.key.set_of(value);
                Ok(())
            }
            None => Err(no_int("an int of 64 bits with sign", value)),
        }
    }

    fn i64(&mut self, value: i64) -> Result<()> {
        let expect = core::mem::take(&mut self.next);
        self.write_int(value, &expect)
    }

    #[allow(clippy::cast_possible_truncation)] // the width was declared
    fn float(&mut self, value: f64) -> Result<()> {
        if !self.is_key && self.next.is_float() {
            let narrow = value as f32;
            if narrow.is_infinite() && value.is_finite() {
                return Err(no_int("a float of 32 bits", &value));
            }
            return self.float32(narrow);
        }
        self.next = Expect::Nothing;
        if self.is_key {
            self.key.set_of(value);
            return Ok(());
        }
        self.start(Tag::Double)?;
        self.options.variant.write_double(value, &mut self.output.buffer);
        Ok(())
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        let is_double = matches!(self.next, Expect::Noted(Tag::Double));
        self.next = Expect::Nothing;
        if self.is_key || is_double {
            return self.float(value.into());
        }
        self.start(Tag::Float)?;
        self.options.variant.write_float(value, &mut self.output.buffer);
        Ok(())
    }

    fn text(&mut self, value: &str) -> Result<()> {
        self.next = Expect::Nothing;
        if self.is_key {
            self.key.set(value);
            return Ok(());
        }
        self.start(Tag::String)?;
        self.write_text("text", value)
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.next = Expect::Nothing;
        let len = i32::try_from(value.len()).map_err(|_| too_long("bytes", i32::MAX as usize))?;
        self.start(Tag::ByteArray)?;
        self.options.variant.write_int(Tag::Int, len.into(), &mut self.output.buffer);
        self.output.buffer.extend_from_slice(value);
        Ok(())
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        if self.is_key || !self.options.uuid_ints {
            return self.text(&value.to_string());
        }
        self.next = Expect::Nothing;
        self.start(Tag::IntArray)?;
        let (variant, buffer) = (self.options.variant, &mut self.output.buffer);
        variant.write_int(Tag::Int, 4, buffer);
        for four in value.0.chunks_exact(4) {
            let int = four.iter().fold(0u32, |int, byte| int << 8 | u32::from(*byte));
            variant.write_int(Tag::Int, int.cast_signed().into(), buffer);
        }
        Ok(())
    }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.next = Expect::of(shape);
        // A rollback before the first commit restores this state.
        self.saved.next = self.next.clone();
        Ok(())
    }

    fn stated(&mut self, shape: &Shape) -> Result<()> {
        self.next = Expect::of(shape);
        Ok(())
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.begin_list_of(&Shape::Any, len)
    }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        let expect = core::mem::take(&mut self.next);
        self.open_list(&expect, item, len)
    }

    fn item(&mut self) -> Result<()> {
        self.next_child()?;
        self.next = match self.frames.last() {
            Some(frame) => frame.items.at(frame.count.saturating_sub(1)),
            None => Expect::Nothing,
        };
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        self.close_list()
    }

    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        let expect = core::mem::take(&mut self.next);
        self.open_map(&expect)
    }

    fn entry(&mut self) -> Result<()> {
        self.next_child()?;
        (self.is_key, self.is_field) = (true, false);
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        self.is_key = false;
        self.next = self.frames.last().map_or(Expect::Nothing, |frame| frame.items.at(0));
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        self.close_map()
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        verify_notes::<NbtCodec>(record)?;
        self.next = Expect::Nothing;
        self.open_map(&Expect::Nothing)
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.next_child()?;
        if let Some(field) = record.fields().get(index) {
            self.key.set(field.key());
        }
        self.is_field = true;
        self.next = Expect::of_field(record, index);
        Ok(())
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        self.next_child()?;
        self.key.set(key);
        self.is_field = false;
        self.next = list::of_rest(record);
        Ok(())
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let variant = &union.variants()[index];
        let is_empty = *variant.shape() == Shape::Null;
        match union.tag() {
            UnionTag::Field(_) | UnionTag::None => {}
            UnionTag::Key if is_empty => return self.text(variant.name()),
            UnionTag::Key => {
                self.begin_map(Some(1))?;
                self.key(variant.name())?;
            }
            UnionTag::Pair(pair) => {
                self.begin_record(pair)?;
                self.field(pair, 0)?;
                self.text(variant.name())?;
                if is_empty {
                    return Ok(());
                }
                self.field(pair, 1)?;
                // A reader needs the content of a variant, so a null is refused.
                self.is_field = false;
            }
        }
        self.next = Expect::of(variant.shape());
        Ok(())
    }

    /// Copies a span of [`NbtSource`], which is a Java document. The values keep their tags in every variant.
    fn as_is(&mut self, format: &str, bytes: &[u8]) -> Result<bool> {
        let options = ReadOptions { variant: Some(Variant::Java), depth: self.options.depth, ..ReadOptions::default() };
        if format != SPAN || self.is_key || !is_one_value(bytes, &options) {
            return Ok(false);
        }
        copy_any(&mut NbtSource::over(Part::whole(bytes), &options), &Shape::Any, self)?;
        Ok(true)
    }

    fn commit(&mut self) -> Result<()> {
        if self.is_held() {
            // The bytes of the value must stay in memory until the count is known.
            self.output.hold()?;
        } else {
            self.edit();
            let len = self.output.buffer.len();
            self.output.commit()?;
            if self.output.buffer.len() < len {
                self.frames.iter_mut().for_each(|frame| frame.at = None);
            }
        }
        let saved = &mut self.saved;
        saved.frames.clone_from(&self.frames);
        saved.key.clone_from(&self.key);
        saved.next.clone_from(&self.next);
        (saved.is_key, saved.is_field, saved.has_begun) = (self.is_key, self.is_field, self.has_begun);
        saved.edits = self.edits.len();
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.output.rollback();
        let saved = &self.saved;
        self.frames.clone_from(&saved.frames);
        self.key.clone_from(&saved.key);
        self.next.clone_from(&saved.next);
        (self.is_key, self.is_field, self.has_begun) = (saved.is_key, saved.is_field, saved.has_begun);
        self.edits.truncate(saved.edits);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if let Some(frame) = self.frames.iter().find(|frame| frame.within != Within::Sequence) {
            let kind = if matches!(frame.within, Within::List | Within::Array) { "list" } else { "map" };
            return Err(Error::new(ErrorKind::Encode, format!("the {kind} has not ended")));
        }
        self.edit();
        let whole = self.output.buffer.len();
        if let (Some(version), Some(header)) = (self.options.header, self.output.buffer.first_chunk_mut::<HEADER>()) {
            let [version, len] = [version, len_of(whole)?].map(u32::to_le_bytes);
            header[..4].copy_from_slice(&version);
            header[4..].copy_from_slice(&len);
        }
        self.output.finish()
    }
}

/// Returns the number of bytes after the header.
fn len_of(whole: usize) -> Result<u32> {
    u32::try_from(whole - HEADER).map_err(|_| too_long("the document", u32::MAX as usize))
}
