use super::careful::Last;
use super::keys::{KeyMark, Keys};
use super::row;
use super::site::Site;
use super::step::{Fields, RecordParts, child_name, fields, open, step};
use super::untyped::Untyped;
use super::{repeats_too_late, scalar::scalar};
use crate::{Error, Kind, Record, Ref, Result, Shape, Signal, Sink, Source, Union, Unknown};

/// An open container of the copy.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) cursor: ChildCursor,
    container: Container,
    /// The place in the document.
    pub(super) site: Site,
}

/// The state of a frame that changes with each child. A commit saves it.
#[derive(Debug, Default)]
pub(super) struct ChildCursor {
    /// Children begun so far.
    pub(super) index: usize,
    /// For a record, the field that is expected next.
    pub(super) expected: usize,
    /// For a record, the field whose value has a frame of its own.
    pub(super) current: Option<usize>,
    /// Whether that frame is not created yet.
    pub(super) pending: bool,
    /// Whether an error is about the container and not about a child: its path ends at the container.
    pub(super) between: bool,
    /// For a record, the fields seen so far.
    pub(super) seen: Seen,
}

impl ChildCursor {
    /// Marks an error as one of the container.
    #[cold]
    pub(super) fn between(&mut self, error: Error) -> Error {
        self.between = true;
        error
    }
}

impl Clone for ChildCursor {
    fn clone(&self) -> Self {
        Self {
            index: self.index,
            expected: self.expected,
            current: self.current,
            pending: self.pending,
            between: self.between,
            seen: self.seen.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        (self.index, self.expected) = (other.index, other.expected);
        (self.current, self.pending, self.between) = (other.current, other.pending, other.between);
        match (&mut self.seen, &other.seen) {
            (Seen::Few(own), Seen::Few(bits)) => *own = *bits,
            (own, other) => own.clone_from(other),
        }
    }
}

/// A set of field indices.
#[derive(Debug, Clone)]
pub(super) enum Seen {
    Few(u64),
    Many(Vec<u64>),
}

impl Default for Seen {
    fn default() -> Self {
        Self::Few(0)
    }
}

impl Seen {
    pub(super) fn of(fields: usize) -> Self {
        if fields <= 64 { Self::Few(0) } else { Self::Many(vec![0; fields.div_ceil(64)]) }
    }

    /// Adds an index. Returns `false` if the set contained it.
    #[inline]
    pub(super) fn insert(&mut self, index: usize) -> bool {
        let word = match self {
            Self::Few(word) => word,
            Self::Many(words) => &mut words[index / 64],
        };
        let bit = 1 << (index % 64);
        let news = *word & bit == 0;
        *word |= bit;
        news
    }

    #[inline]
    pub(super) fn contains(&self, index: usize) -> bool {
        let word = match self {
            Self::Few(word) => *word,
            Self::Many(words) => words[index / 64],
        };
        word >> (index % 64) & 1 == 1
    }

    pub(super) fn has_all(&self, fields: usize) -> bool {
        matches!(self, Self::Few(word) if fields <= 64 && word.count_ones() as usize == fields)
    }
}

#[derive(Debug)]
pub(super) enum Container {
    List {
        item: Ref<Shape>,
    },
    /// A single value that is copied as a list of one.
    Single {
        item: Ref<Shape>,
    },
    Tuple {
        items: Ref<[Ref<Shape>]>,
    },
    /// `keep`: in a two-pass copy, whether each entry (by ordinal) is the last one with its key.
    Map {
        key: Ref<Shape>,
        value: Ref<Shape>,
        at: KeyMark,
        keep: Option<Vec<bool>>,
    },
    /// `at`: the mark of the kept unknown keys. `last`: in a two-pass copy, the last occurrences.
    Record {
        record: Ref<Record>,
        at: KeyMark,
        last: Option<Last>,
    },
    /// A record that stands as a list.
    Row {
        record: Ref<Record>,
    },
    Variant {
        union: Ref<Union>,
        index: usize,
        boxed: bool,
    },
}

/// The parameters of a step.
#[derive(Debug)]
pub(super) struct Context<'c> {
    pub(super) keys: &'c mut Keys,
    pub(super) untyped: &'c mut Untyped,
    /// The place in the document that the step is about.
    pub(super) site: Site,
    /// Two-pass: keep only the last occurrence of each key.
    pub(super) careful: bool,
    /// Return after each child.
    pub(super) single: bool,
    /// Return when a child that is a container begins.
    pub(super) opening: bool,
    /// The nesting depth of trials of untagged unions.
    pub(super) trials: u8,
}

impl Context<'_> {
    /// Returns whether a value of this shape is copied as a whole, without a frame.
    #[inline]
    pub(super) fn is_untyped(&self, shape: &Shape) -> bool {
        matches!(shape, Shape::Any) && !self.opening && !self.careful
    }

    /// Copies the current value as a whole.
    #[inline(never)]
    pub(super) fn copy_untyped<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
        &mut self,
        source: &mut S,
        sink: &mut K,
    ) -> Result<()> {
        self.untyped.copy(source, sink, self.keys, self.site)
    }
}

/// The outcome of a step.
pub(super) enum Next {
    /// A child was copied.
    Child,
    /// A child that is a container began.
    Opened(Frame),
    /// The container ended.
    Ended,
}

impl Next {
    pub(super) fn after(opened: Option<Frame>) -> Self {
        opened.map_or(Self::Child, Self::Opened)
    }
}

impl Frame {
    pub(super) fn new(container: Container) -> Self {
        let seen = match &container {
            Container::Record { record, .. } | Container::Row { record } => Seen::of(record.fields().len()),
            _ => Seen::default(),
        };
        Self { cursor: ChildCursor { seen, ..ChildCursor::default() }, container, site: Site::default() }
    }

    pub(super) fn with_cursor(mut self, cursor: ChildCursor) -> Self {
        self.cursor = cursor;
        self
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.container, Container::List { .. })
    }

    /// Adds the step to the current child to the error's path; `end` is where the name of the next inner map ends.
    #[cold]
    pub(super) fn trace(&self, error: Error, keys: &Keys, end: &mut usize) -> Error {
        match &self.container {
            Container::Map { at, .. } | Container::Record { at, .. } if self.cursor.between => {
                *end = at.names;
                error
            }
            _ if self.cursor.between => error,
            Container::List { .. } | Container::Single { .. } | Container::Tuple { .. } | Container::Row { .. } => {
                error.within_item(self.cursor.index.saturating_sub(1))
            }
            Container::Map { at, .. } => {
                let name = keys.name(*at, *end).to_string();
                *end = at.names;
                error.within_field(name)
            }
            Container::Record { record, at, .. } => {
                let name = keys.name(*at, *end);
                *end = at.names;
                match self.cursor.current {
                    Some(index) => error.within_field(child_name(record, index, name)),
                    None => error,
                }
            }
            Container::Variant { .. } => error,
        }
    }

    /// Continues inside the container.
    #[allow(clippy::too_many_lines)] // a table of the kinds of container, one after the other
    #[inline]
    pub(super) fn next<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
        &mut self,
        source: &mut S,
        sink: &mut K,
        context: &mut Context<'_>,
    ) -> Result<Next> {
        let Self { cursor, container, site } = self;
        match container {
            Container::List { item } => {
                context.site = site.child();
                while source.item().map_err(|error| cursor.between(error))? {
                    cursor.index += 1;
                    sink.item()?;
                    if context.is_untyped(item) {
                        context.copy_untyped(source, sink)?;
                    } else if !scalar(source, item, sink)? {
                        return Ok(Next::after(open(source, item.inner(), sink, context)?));
                    }
                    if context.single {
                        return Ok(Next::Child);
                    }
                }
                if cursor.index == 0
                    && let Shape::Record(record) = item.inner()
                {
                    source.no_records(&record.get())?;
                }
                sink.end_list().map_err(|error| cursor.between(error))?;
                Ok(Next::Ended)
            }
            Container::Single { item } if cursor.index == 0 => {
                cursor.index = 1;
                sink.item()?;
                context.site = site.child();
                Ok(Next::after(step(source, item, sink, context)?))
            }
            Container::Single { .. } => {
                sink.end_list().map_err(|error| cursor.between(error))?;
                Ok(Next::Ended)
            }
            Container::Tuple { items } => {
                let more = source.item().map_err(|error| cursor.between(error))?;
                match (more, items.get(cursor.index)) {
                    (true, Some(shape)) => {
                        cursor.index += 1;
                        sink.item()?;
                        context.site = site.field(cursor.index);
                        Ok(Next::after(step(source, shape, sink, context)?))
                    }
                    (false, None) => {
                        sink.end_list().map_err(|error| cursor.between(error))?;
                        Ok(Next::Ended)
                    }
                    _ => {
                        if more {
                            source.peek()?; // the position is that of the item too many
                        }
                        let found = if more { "more items".to_string() } else { format!("only {}", cursor.index) };
                        let error = Error::expected(format!("a `tuple` of {}", items.len()), found);
                        Err(cursor.between(error.at(source.position())))
                    }
                }
            }
            Container::Map { key, value, at, keep } => {
                if !source.entry().map_err(|error| cursor.between(error))? {
                    sink.end_map().map_err(|error| cursor.between(error))?;
                    context.keys.leave(*at);
                    return Ok(Next::Ended);
                }
                cursor.index += 1;
                if let Some(keep) = keep
                    && keep.get(cursor.index - 1).is_some_and(|keep| !keep)
                {
                    source.skip()?;
                    source.value()?;
                    source.skip()?;
                    return Ok(Next::Child);
                }
                if let Err(error) = copy_key(source, key, *at, keep.is_some(), sink, context) {
                    return Err(cursor.between(error));
                }
                source.value().map_err(|error| cursor.between(error))?;
                sink.value()?;
                context.site = site.child();
                Ok(Next::after(step(source, value, sink, context)?))
            }
            Container::Record { record, at, last } => {
                let single = context.single;
                loop {
                    if let (true, Some(index)) = (cursor.pending, cursor.current) {
                        cursor.pending = false;
                        context.site = site.field(index);
                        let opened = step(source, value_shape(record, index), sink, context)?;
                        if single || opened.is_some() {
                            return Ok(Next::after(opened));
                        }
                    }
                    let parts = RecordParts { record, at: *at, last: last.as_ref() };
                    match fields(source, &parts, cursor, sink, context, single)? {
                        Fields::Ended => return Ok(Next::Ended),
                        Fields::Pending if !single => {}
                        Fields::Child | Fields::Pending => return Ok(Next::Child),
                    }
                }
            }
            Container::Row { record } => row::next(source, record, cursor, sink, context, *site),
            Container::Variant { union, index, boxed } => {
                if cursor.index == 0 {
                    cursor.index = 1;
                    context.site = site.field(*index);
                    return Ok(Next::after(step(source, union.variants()[*index].shape(), sink, context)?));
                }
                source.chosen(union, *index, *boxed)?;
                sink.end_variant(union, *index)?;
                Ok(Next::Ended)
            }
        }
    }
}

/// Copies a key of a map. `distinct`: a two-pass copy has read ahead and knows that this is the key's last occurrence,
/// so equal hashes are ignored.
#[inline]
fn copy_key<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    key: &Shape,
    at: KeyMark,
    distinct: bool,
    sink: &mut K,
    context: &mut Context<'_>,
) -> Result<()> {
    let kind = source.peek()?;
    match kind {
        Kind::Text => {
            let mark = source.mark();
            let text = source.text()?;
            if !context.keys.insert(at, &text) && !distinct {
                let name = text.to_string();
                return Err(repeated(source, &name, context.single));
            }
            if matches!(key, Shape::Text | Shape::Any) {
                sink.entry()?;
                return sink.text(&text);
            }
            source.reset(mark); // to read it again by its shape
        }
        Kind::Int | Kind::Bool => {
            let mark = source.mark();
            let name = if kind == Kind::Int { source.int()?.to_string() } else { source.bool()?.to_string() };
            if !context.keys.insert_other(at, &name) && !distinct {
                return Err(repeated(source, &name, context.single));
            }
            source.reset(mark);
        }
        // Other keys are passed on unchanged: the receiver decides whether two are equal.
        _ => context.keys.unnamed(at),
    }
    sink.entry()?;
    if scalar(source, key, sink)? {
        return Ok(());
    }
    Err(Error::mismatch(crate::ErrorKind::Encode, "a scalar as key", key.name()).at(source.position()))
}

/// Returns the shape of a field's value; for the field that keeps unknown keys, the shape of one of their values.
pub(super) fn value_shape(record: &Record, index: usize) -> &Shape {
    match (record.unknown(), record.fields()[index].shape()) {
        (Unknown::Keep(rest), Shape::Map(_, value)) if rest == index => value,
        (_, shape) => shape,
    }
}

/// Returns the error for a repeated key: the source's own, or one for a container whose first value was passed on
/// already, or else the signal for a two-pass copy.
#[cold]
pub(super) fn repeated<'a, S: Source<'a> + ?Sized>(source: &mut S, key: &str, open: bool) -> Error {
    match source.repeated(key) {
        Err(error) => error,
        Ok(()) if open => repeats_too_late().at(source.position()),
        Ok(()) => Error::signalled(Signal::Repeated),
    }
}
