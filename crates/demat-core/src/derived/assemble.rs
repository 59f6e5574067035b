use crate::{Field, Record, Unknown};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A run of fields that a flattened record is put together from.
#[derive(Debug, Clone, Copy)]
pub enum Piece {
    /// Fields of its own.
    Own(&'static [Field]),
    /// The fields of another record, which stands in the field of this name.
    Flat(&'static str, &'static Record),
}

/// Puts together a record that has the fields of others among its own, in order.
///
/// Its own fields keep their numbers; those of others follow on the largest of these. Where one of the others keeps
/// unknown fields, so does the whole.
///
/// # Panics
/// Where two of the fields have the same key: which of them would a source mean?
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

/// The field of a map that keeps unknown ones, under the name that it has in the struct.
fn named(name: &'static str, field: &Field) -> Field {
    let shape = field.shape().clone();
    Field::new(name, field.number(), shape).with_required(false)
}

/// As [`assemble`], once for the same pieces: for generic types, which cannot have a static each.
///
/// What is looked up is the addresses of the constants that the pieces are, and not the type's name, which two types
/// may share. Constants of one address are one constant, so that what is found is what would be made; and constants
/// that the compiler did not merge cost a copy of the record and nothing else. There are as many as there are types,
/// and they stay.
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
