use crate::{Field, Record, Unknown};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A part of a record with flattened fields.
#[derive(Debug, Clone, Copy)]
pub enum Piece {
    /// Fields of the record itself.
    Own(&'static [Field]),
    /// The fields of another record, flattened from the field of this name.
    Flat(&'static str, &'static Record),
}

/// Makes a record from its own fields and those of flattened records, in order.
///
/// Its own fields keep their numbers; those of flattened records follow the largest of these. If a flattened record
/// keeps unknown fields, the whole does.
///
/// # Panics
/// If two of the fields have the same key, since a source could not distinguish them.
pub fn assemble(name: &'static str, pieces: &[Piece], unknown: Unknown) -> Record {
    let own = |piece: &Piece| match piece {
        Piece::Own(fields) => fields.iter().map(Field::number).max().unwrap_or(0),
        Piece::Flat(..) => 0,
    };
    let mut number = pieces.iter().map(own).max().unwrap_or(0);
    let mut whole = Vec::new();
    let mut keeper = None;
    for piece in pieces {
        match piece {
            Piece::Own(fields) => whole.extend(fields.iter().cloned()),
            Piece::Flat(name, record) => {
                if let (Unknown::Keep(index), None) = (record.unknown(), keeper) {
                    keeper = Some(whole.len() + index);
                }
                for field in record.fields() {
                    number += 1;
                    let field = field.clone().with_number(number);
                    whole.push(if field.name().is_empty() { named(name, &field) } else { field });
                }
            }
        }
    }
    let unknown = keeper.map_or(unknown, Unknown::Keep);
    match Record::new(name, whole) {
        Ok(record) => record.with_unknown(unknown),
        Err(error) => panic!("the fields that are flattened into `{name}` do not go together: {error}"),
    }
}

/// Returns the field for unknown fields, under its name in the struct.
fn named(name: &'static str, field: &Field) -> Field {
    let shape = field.shape().clone();
    Field::new(name, field.number(), shape).with_required(false)
}

/// As [`assemble`], but made once per set of pieces: for generic types, which can't have a static each.
///
/// The cache is keyed by the addresses of the constant pieces, and not by the type's name, which two types may share.
/// Constants of one address are one constant, so the cached record is the one that would be made; a constant that the
/// compiler did not merge costs one more record. There are as many records as types, and they are never freed.
pub fn assembled(name: &'static str, pieces: &[Piece], unknown: Unknown) -> &'static Record {
    type Key = (&'static str, Vec<(usize, usize, &'static str)>, bool);
    static MADE: Mutex<Option<HashMap<Key, &'static Record>>> = Mutex::new(None);

    let identity = |piece: &Piece| match *piece {
        Piece::Own(fields) => (fields.as_ptr() as usize, fields.len(), ""),
        Piece::Flat(name, record) => (&raw const *record as usize, 0, name),
    };
    let key = (name, pieces.iter().map(identity).collect(), unknown == Unknown::Forbid);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    made.get_or_insert_default().entry(key).or_insert_with(|| Box::leak(Box::new(assemble(name, pieces, unknown))))
}
