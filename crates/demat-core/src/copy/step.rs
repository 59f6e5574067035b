use super::careful::{self, Last};
use super::default;
use super::frame::{ChildCursor, Container, Context, Frame, repeated, value_shape};
use super::keys::KeyMark;
use super::row;
use super::scalar::scalar;
use crate::{
    Copier, Error, Kind, Listed, Nothing, Record, RecordRef, Ref, Result, Shape, Sink, Source, Tag, Union, UnionRef,
};
use crate::{Unknown, Variant};

use std::borrow::Cow;

static ANY: Shape = Shape::Any;

/// The maximum depth of unions within unions whose variants are tried. Trials multiply, so this many levels cost at
/// most about 2^8 readings.
const MOST_TRIALS: u8 = 8;

/// Copies a value completely if it is a scalar or a record of scalars; otherwise up to where a frame must continue.
#[inline]
pub(super) fn step<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    shape: &Shape,
    sink: &mut K,
    context: &mut Context<'_>,
) -> Result<Option<Frame>> {
    match shape {
        Shape::Record(record) => open_record(source, record, sink, context),
        Shape::List(item) => open_list(source, item, sink, context),
        Shape::Any if context.is_untyped(shape) => context.copy_untyped(source, sink).map(|()| None),
        _ => {
            if scalar(source, shape, sink)? {
                return Ok(None);
            }
            open(source, shape.inner(), sink, context)
        }
    }
}

/// Opens a container. The value is not a scalar, and `shape` is not optional.
pub(super) fn open<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    shape: &Shape,
    sink: &mut K,
    context: &mut Context<'_>,
) -> Result<Option<Frame>> {
    match shape {
        Shape::Record(record) => open_record(source, record, sink, context),
        Shape::List(item) => open_list(source, item, sink, context),
        Shape::Tuple(items) => {
            source.list()?;
            sink.begin_list(Some(items.len()))?;
            Ok(Some(Frame::new(Container::Tuple { items: items.clone() })))
        }
        Shape::Map(key, value) => open_map(source, key.clone(), value.clone(), sink, context).map(Some),
        Shape::Union(union) => open_union(source, union, sink, context),
        // Of the other shapes only `Any` is possible here, and the value is a list or a map.
        _ if context.is_untyped(shape) => context.copy_untyped(source, sink).map(|()| None),
        _ if source.peek()? == Kind::List => open_list(source, &Ref::Static(&ANY), sink, context),
        _ => open_map(source, Ref::Static(&ANY), Ref::Static(&ANY), sink, context).map(Some),
    }
}

fn open_list<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    item: &Ref<Shape>,
    sink: &mut K,
    context: &Context<'_>,
) -> Result<Option<Frame>> {
    if !context.opening && item.is_scalar() {
        return flat_list(source, item, sink).map(|()| None);
    }
    let (len, single) = match source.list_or_single()? {
        Listed::Items(len) => (len, false),
        Listed::Single => (Some(1), true),
    };
    sink.begin_list_of(item, len)?;
    let item = item.clone();
    Ok(Some(Frame::new(if single { Container::Single { item } } else { Container::List { item } })))
}

/// Copies a whole list of scalars.
#[inline]
fn flat_list<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(source: &mut S, item: &Shape, sink: &mut K) -> Result<()> {
    let len = match source.list_or_single()? {
        Listed::Items(len) => len,
        Listed::Single => return single_scalar(source, item, sink),
    };
    sink.begin_list_of(item, len)?;
    let mut index = 0;
    while source.item()? {
        let copied = sink.item().and_then(|()| scalar(source, item, sink));
        match copied {
            Ok(true) => index += 1,
            Ok(false) => return Err(source.mismatch("a scalar").within_item(index)),
            Err(error) if error.signal().is_some() => return Err(error),
            Err(error) => return Err(error.within_item(index)),
        }
    }
    sink.end_list()
}

/// Copies a scalar as a list of one.
#[cold]
fn single_scalar<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    item: &Shape,
    sink: &mut K,
) -> Result<()> {
    sink.begin_list_of(item, Some(1))?;
    sink.item()?;
    match scalar(source, item, sink) {
        Ok(true) => sink.end_list(),
        Ok(false) => Err(source.mismatch("a scalar").within_item(0)),
        Err(error) if error.signal().is_some() => Err(error),
        Err(error) => Err(error.within_item(0)),
    }
}

fn open_map<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    key: Ref<Shape>,
    value: Ref<Shape>,
    sink: &mut K,
    context: &Context<'_>,
) -> Result<Frame> {
    let keep = if context.careful { Some(careful::entries_to_keep(source)?) } else { None };
    let len = source.map()?;
    sink.begin_map(if keep.is_some() { None } else { len })?;
    Ok(Frame::new(Container::Map { key, value, at: context.keys.here(), keep }))
}

fn open_record<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    shape: &RecordRef,
    sink: &mut K,
    context: &mut Context<'_>,
) -> Result<Option<Frame>> {
    let record = shape.get();
    if let Some(items) = record.items()
        && (!items.allows_names() || source.peek()? == Kind::List)
    {
        return row::open(source, shape, &record, items, sink).map(Some);
    }
    let last = if context.careful { Some(careful::last_of_fields(source, &record)?) } else { None };
    let at = context.keys.here();
    source.record(&record)?;
    sink.begin_record(&record)?;
    let mut cursor = ChildCursor { seen: super::frame::Seen::of(record.fields().len()), ..ChildCursor::default() };
    if !context.opening {
        let parts = RecordParts { record: &record, at, last: last.as_ref() };
        match fields(source, &parts, &mut cursor, sink, context, false)? {
            Fields::Ended => return Ok(None),
            Fields::Child | Fields::Pending => {}
        }
    }
    Ok(Some(Frame::new(Container::Record { record: shape.own(), at, last }).with_cursor(cursor)))
}

/// The reason why [`fields`] returned.
pub(super) enum Fields {
    /// The record ended.
    Ended,
    /// A field was copied, and the caller requested single steps.
    Child,
    /// The field `cursor.current` has begun, but its value needs a frame.
    Pending,
}

/// The record whose fields are copied.
pub(super) struct RecordParts<'p> {
    pub(super) record: &'p Record,
    /// The mark of the keys of its unknown fields.
    pub(super) at: KeyMark,
    /// In a two-pass copy, the last occurrences.
    pub(super) last: Option<&'p Last>,
}

/// Returns the name for a path: of the field, or the key of an unknown field.
pub(super) fn child_name(record: &Record, index: usize, key: &str) -> Cow<'static, str> {
    if record.unknown() == Unknown::Keep(index) {
        return key.to_string().into();
    }
    record.fields()[index].path_name()
}

/// Copies fields of a record, up to one that needs a frame.
#[inline]
pub(super) fn fields<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    parts: &RecordParts<'_>,
    cursor: &mut ChildCursor,
    sink: &mut K,
    context: &mut Context<'_>,
    single: bool,
) -> Result<Fields> {
    let copied = copy_fields(source, parts, cursor, sink, context, single);
    if copied.is_err()
        && let Unknown::Keep(_) = parts.record.unknown()
    {
        // The error has the key in its path already, or is not about it.
        context.keys.unnamed(parts.at);
    }
    copied
}

#[inline(always)]
fn copy_fields<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    parts: &RecordParts<'_>,
    cursor: &mut ChildCursor,
    sink: &mut K,
    context: &mut Context<'_>,
    single: bool,
) -> Result<Fields> {
    let whole = !context.opening;
    let keys = &mut *context.keys;
    let RecordParts { record, at, last } = *parts;
    cursor.current = None;
    while let Some(index) = source.field(record, cursor.expected)? {
        cursor.index += 1;
        if record.unknown() == Unknown::Keep(index) {
            let key = source.text()?;
            if last.is_some_and(|last| !last.has_rest(cursor.index)) {
                source.value()?;
                source.skip()?;
                continue;
            }
            if !keys.insert(at, &key) && last.is_none() {
                let name = key.to_string();
                return Err(repeated(source, &name, single));
            }
            sink.rest(record, &key)?;
            source.value()?;
        } else {
            if last.is_some_and(|last| !last.has_field(index, cursor.index)) {
                source.skip()?;
                continue;
            }
            if !cursor.seen.insert(index) && last.is_none() {
                return Err(repeated(source, record.fields()[index].key(), single));
            }
            sink.field(record, index)?;
            cursor.expected = index + 1;
        }
        let shape = value_shape(record, index);
        let copied = match scalar(source, shape, sink) {
            Ok(false) => match shape.inner() {
                Shape::List(item) if whole && item.is_scalar() => flat_list(source, item, sink).map(|()| true),
                _ => Ok(false),
            },
            copied => copied,
        };
        match copied {
            Ok(true) => {}
            Ok(false) => {
                cursor.current = Some(index);
                cursor.pending = true;
                return Ok(Fields::Pending);
            }
            Err(error) if error.signal().is_some() => return Err(error),
            Err(error) => return Err(error.within_field(child_name(record, index, keys.name(at, keys.names_end())))),
        }
        if single {
            return Ok(Fields::Child);
        }
    }
    if !cursor.seen.has_all(record.fields().len()) {
        tell_missing(source, record, cursor, sink)?;
    }
    if let Unknown::Keep(_) = record.unknown() {
        keys.leave(at);
    }
    sink.end_record(record)?;
    Ok(Fields::Ended)
}

/// Refuses missing required fields, and writes the defaults of others.
fn tell_missing<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &S,
    record: &Record,
    cursor: &ChildCursor,
    sink: &mut K,
) -> Result<()> {
    for (index, field) in record.fields().iter().enumerate() {
        if cursor.seen.contains(index) || record.unknown() == Unknown::Keep(index) {
            continue;
        }
        if let Some(default) = field.default() {
            sink.field(record, index)?;
            default::write(default, field.shape(), sink)?;
        } else if field.required() {
            return Err(Error::missing(field.key()).at(source.position()));
        }
    }
    Ok(())
}

fn open_union<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    shape: &UnionRef,
    sink: &mut K,
    context: &Context<'_>,
) -> Result<Option<Frame>> {
    let held = shape.get();
    let (index, boxed) = match held.tag() {
        Tag::None if source.tells_variants() => (source.choose(&held)?, true),
        Tag::None => (fitting_variant(source, &held, context.trials)?, false),
        Tag::Key => {
            let boxed = source.peek()? == Kind::Map;
            (source.choose(&held)?, boxed)
        }
        Tag::Field(_) | Tag::Pair(_) => (source.choose(&held)?, true),
    };
    sink.begin_variant(&held, index)?;
    if *held.variants()[index].shape() == Shape::Null && *held.tag() != Tag::None {
        source.chosen(&held, index, boxed)?;
        sink.end_variant(&held, index)?;
        return Ok(None);
    }
    Ok(Some(Frame::new(Container::Variant { union: shape.own(), index, boxed })))
}

/// Returns the variant of an untagged union: the only one that accepts the value's kind, or the first of several that
/// can read it. Text that no variant accepts may stand for any kind, as in a table's cell: then all are tried.
fn fitting_variant<'a, S: Source<'a> + ?Sized>(source: &mut S, union: &Union, trials: u8) -> Result<usize> {
    let kind = source.peek()?;
    let is_accepted = union.variants().iter().any(|variant| variant.shape().accepts(kind));
    let fits = |variant: &Variant| !is_accepted || variant.shape().accepts(kind);
    let mut fitting = union.variants().iter().enumerate().filter(|(_, variant)| fits(variant));
    let none = |source: &mut S| source.mismatch("any").expecting(union.names());
    let Some((first, _)) = fitting.next().filter(|_| is_accepted || kind == Kind::Text) else {
        return Err(none(source));
    };
    if fitting.next().is_none() {
        return Ok(first);
    }
    if trials == MOST_TRIALS {
        return Err(Error::limit("the depth of untagged unions that only trying can tell apart", MOST_TRIALS));
    }
    let mark = source.mark();
    let mut refusal = None;
    for (index, variant) in union.variants().iter().enumerate().filter(|(_, variant)| fits(variant)) {
        let mut trial = Copier::new(variant.shape().clone()).into_trial(trials + 1);
        trial.begin(source); // a repeated key rewinds to here
        let outcome = trial.run_all(source, &mut Nothing as &mut dyn Sink);
        source.reset(mark);
        match outcome {
            Ok(()) => return Ok(index),
            Err(error) if error.signal() == Some(crate::Signal::Incomplete) => return Err(error),
            Err(error) => refusal = Some(error),
        }
    }
    Err(refusal.filter(|_| is_accepted).unwrap_or_else(|| none(source)))
}
