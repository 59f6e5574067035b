//! Encoding of a binary document.

use super::fault::too_many;
use super::table::{Object, Table};
use demat_core::Result;

/// Returns the size in bytes of a number: 1, 2, 4 or 8.
fn width(number: u64) -> usize {
    match number {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

/// Appends the low `width` bytes of a number in big-endian order.
fn put(buffer: &mut Vec<u8>, number: u64, width: usize) {
    buffer.extend_from_slice(&number.to_be_bytes()[8 - width..]);
}

/// Writes the whole document to an empty buffer.
pub(super) fn write(table: &Table, buffer: &mut Vec<u8>) -> Result<()> {
    let begin = buffer.len();
    buffer.extend_from_slice(b"bplist00");
    let count = table.objects.len() as u64;
    let ref_size = width(count.saturating_sub(1));
    let mut offsets = Vec::with_capacity(table.objects.len());
    for object in &table.objects {
        offsets.push((buffer.len() - begin) as u64);
        write_object(table, object, ref_size, buffer);
    }
    let at = (buffer.len() - begin) as u64;
    let offset_size = width(at);
    for offset in offsets {
        put(buffer, offset, offset_size);
    }
    buffer.extend_from_slice(&[0; 6]);
    let sizes = [u8::try_from(offset_size), u8::try_from(ref_size)];
    for size in sizes {
        buffer.push(size.map_err(|_| too_many())?);
    }
    put(buffer, count, 8);
    put(buffer, table.root().into(), 8);
    put(buffer, at, 8);
    Ok(())
}

/// Writes the first byte of an object with a count, and a large count after it.
fn head(buffer: &mut Vec<u8>, kind: u8, count: usize) {
    if count < 15 {
        buffer.push(kind | count as u8);
    } else {
        buffer.push(kind | 0x0f);
        int(buffer, count as i128);
    }
}

/// Writes an int, which is unsigned up to four bytes.
fn int(buffer: &mut Vec<u8>, value: i128) {
    match u64::try_from(value) {
        Ok(size @ 0..=0xffff_ffff) => {
            let width = width(size);
            buffer.push(0x10 | width.trailing_zeros() as u8);
            put(buffer, size, width);
        }
        _ => {
            if let Ok(value) = i64::try_from(value) {
                buffer.push(0x13);
                buffer.extend_from_slice(&value.to_be_bytes());
            } else {
                buffer.push(0x14);
                buffer.extend_from_slice(&value.to_be_bytes());
            }
        }
    }
}

fn write_object(table: &Table, object: &Object, ref_size: usize, buffer: &mut Vec<u8>) {
    let children = |range: &(usize, usize)| table.children.get(range.0..range.1).unwrap_or_default();
    match object {
        Object::Bool(value) => buffer.push(0x08 | u8::from(*value)),
        Object::Int(value) => int(buffer, *value),
        Object::Real(bits) => {
            buffer.push(0x23);
            put(buffer, *bits, 8);
        }
        Object::Date(bits) => {
            buffer.push(0x33);
            put(buffer, *bits, 8);
        }
        Object::Text(from, to) => write_text(table.content(*from, *to), buffer),
        Object::Data(from, to) => {
            let bytes = table.content(*from, *to);
            head(buffer, 0x40, bytes.len());
            buffer.extend_from_slice(bytes);
        }
        Object::Uid(uid) => {
            let width = width(*uid);
            buffer.push(0x80 | (width - 1) as u8);
            put(buffer, *uid, width);
        }
        Object::Array(from, to) => {
            let own = children(&(*from, *to));
            head(buffer, 0xa0, own.len());
            for id in own {
                put(buffer, (*id).into(), ref_size);
            }
        }
        Object::Dict(from, to) => {
            let own = children(&(*from, *to));
            head(buffer, 0xd0, own.len() / 2);
            let (keys, values) = (own.iter().step_by(2), own.iter().skip(1).step_by(2));
            for id in keys.chain(values) {
                put(buffer, (*id).into(), ref_size);
            }
        }
    }
}

/// Writes text: in ASCII if it is that, and otherwise in UTF-16.
fn write_text(text: &[u8], buffer: &mut Vec<u8>) {
    match core::str::from_utf8(text) {
        Ok(text) if !text.is_ascii() => {
            head(buffer, 0x60, text.encode_utf16().count());
            text.encode_utf16().for_each(|unit| buffer.extend_from_slice(&unit.to_be_bytes()));
        }
        _ => {
            head(buffer, 0x50, text.len());
            buffer.extend_from_slice(text);
        }
    }
}
