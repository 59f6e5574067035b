//! Records that stand as lists: each item is the field at its place.

use super::default;
use super::frame::{ChildCursor, Container, Context, Frame, Next};
use super::site::Site;
use super::step::step;
use crate::{Error, Items, Record, RecordRef, Result, Sink, Source};

/// Opens a record that stands as a list.
pub(super) fn open<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    shape: &RecordRef,
    record: &Record,
    items: &Items,
    sink: &mut K,
) -> Result<Frame> {
    source.list()?;
    if items.is_written() {
        sink.begin_list(Some(record.fields().len()))?;
    } else {
        sink.begin_record(record)?;
    }
    Ok(Frame::new(Container::Row { record: shape.own() }))
}

/// Continues inside of such a record.
pub(super) fn next<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &mut S,
    record: &Record,
    cursor: &mut ChildCursor,
    sink: &mut K,
    context: &mut Context<'_>,
    site: Site,
) -> Result<Next> {
    let Some(items) = record.items() else { return Ok(Next::Ended) };
    while source.item().map_err(|error| cursor.between(error))? {
        let place = cursor.index;
        cursor.index += 1;
        match items.field_at(place) {
            None => record.skip_item(place, source).map_err(|error| cursor.between(error))?,
            Some(index) => {
                cursor.seen.insert(index);
                begin_field(record, items, index, sink)?;
                context.site = site.field(index);
                if let Some(opened) = step(source, record.fields()[index].shape(), sink, context)? {
                    return Ok(Next::Opened(opened));
                }
            }
        }
        if context.single {
            return Ok(Next::Child);
        }
    }
    write_missing(source, record, items, cursor, sink).map_err(|error| cursor.between(error))?;
    if items.is_written() { sink.end_list() } else { sink.end_record(record) }
        .map_err(|error| cursor.between(error))?;
    Ok(Next::Ended)
}

fn begin_field<K: Sink + ?Sized>(record: &Record, items: &Items, index: usize, sink: &mut K) -> Result<()> {
    if items.is_written() { sink.item() } else { sink.field(record, index) }
}

/// Refuses missing required fields, and writes the defaults of others.
fn write_missing<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
    source: &S,
    record: &Record,
    items: &Items,
    cursor: &ChildCursor,
    sink: &mut K,
) -> Result<()> {
    for (index, field) in record.fields().iter().enumerate() {
        if cursor.seen.contains(index) {
            continue;
        }
        if let Some(default) = field.default() {
            begin_field(record, items, index, sink)?;
            default::write(default, field.shape(), sink)?;
        } else if field.required() || items.is_written() {
            // In a written list, what is behind the field would move to its place.
            return Err(Error::missing(field.key()).at(source.position()));
        }
    }
    Ok(())
}
