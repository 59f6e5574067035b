//! How a class may differ from what is stored.

use crate::encoding::Encoding;
use demat_core::{Enum, Field, IntWidth, Record, Result, Shape, Union};
use demat_formats::proto::{Cardinality, Form, Wire};
use std::collections::HashSet;

/// Compares the shape of a class with the stored one. Returns the shape with the fields of both, or the differences
/// because of which one can't read what the other writes.
///
/// A field that only one of them has is no difference: readers use its default, or keep it as an unknown one.
pub(crate) fn merged(encoding: Encoding, stored: &Record, wanted: &Record) -> Result<Record, Vec<String>> {
    let mut compare = Compare { numbered: encoding.is_numbered(), found: Vec::new(), seen: HashSet::new() };
    compare.records(stored, wanted, "");
    if !compare.found.is_empty() {
        return Err(compare.found);
    }
    let mut fields = wanted.fields().to_vec();
    let mut next = fields.iter().map(Field::number).max().unwrap_or(0) + 1;
    for field in stored.fields() {
        if wanted.index_of(field.key()).is_some() {
            continue;
        }
        let field = field.clone().with_required(false);
        let taken = fields.iter().any(|other| other.number() == field.number());
        let field = if taken { field.with_number(next) } else { field };
        next = next.max(field.number()) + 1;
        fields.push(field);
    }
    let merged = Record::new(wanted.name().to_string(), fields).map_err(|error| vec![error.reason()])?;
    Ok(merged.with_unknown(wanted.unknown()))
}

struct Compare {
    numbered: bool,
    found: Vec<String>,
    /// The pairs of records that were compared: they may contain themselves.
    seen: HashSet<(u64, u64)>,
}

impl Compare {
    fn records(&mut self, stored: &Record, wanted: &Record, at: &str) {
        if !self.seen.insert((stored.identity(), wanted.identity())) {
            return;
        }
        for field in wanted.fields() {
            let path = format!("{at}{}", field.key());
            let Some(index) = stored.index_of(field.key()) else {
                self.new_field(stored, field, &path);
                continue;
            };
            let there = &stored.fields()[index];
            if self.numbered {
                if there.number() != field.number() {
                    self.found.push(format!(
                        "the field `{path}` has the number {} in the class, and {} in the collection",
                        field.number(),
                        there.number()
                    ));
                    continue;
                }
                let (own, other) = (Wire::of_field(field), Wire::of_field(there));
                // The variants of a oneof have forms of their own.
                let is_oneof = own.cardinality == Cardinality::Oneof;
                if own.cardinality != other.cardinality || !is_oneof && !reads(own.form, other.form) {
                    self.differs(there.shape(), field.shape(), &path);
                    continue;
                }
            }
            self.shapes(there.shape(), field.shape(), &path);
        }
    }

    fn new_field(&mut self, stored: &Record, field: &Field, path: &str) {
        if !self.numbered {
            if field.required() && field.default().is_none() && !field.shape().allows_null() {
                self.found.push(format!(
                    "the field `{path}` is new in the class and has no default, so records without it can't be read"
                ));
            }
            return;
        }
        if let Some(index) = stored.index_of_number(field.number()) {
            self.found.push(format!(
                "the number {} is the field `{path}` in the class, and `{}` in the collection",
                field.number(),
                stored.fields()[index].key()
            ));
        }
    }

    fn differs(&mut self, stored: &Shape, wanted: &Shape, path: &str) {
        self.found.push(format!("the field `{path}` is `{wanted}` in the class, and `{stored}` in the collection"));
    }

    fn shapes(&mut self, stored: &Shape, wanted: &Shape, path: &str) {
        let fits = match (stored.inner(), wanted.inner()) {
            (_, Shape::Any) => true,
            (Shape::Int(stored), Shape::Int(wanted)) => holds(*wanted, *stored),
            (Shape::List(stored), Shape::List(wanted)) => return self.shapes(stored, wanted, path),
            (Shape::Map(stored_key, stored), Shape::Map(wanted_key, wanted)) => {
                self.shapes(stored_key, wanted_key, path);
                return self.shapes(stored, wanted, path);
            }
            (Shape::Tuple(stored), Shape::Tuple(wanted)) if stored.len() == wanted.len() => {
                for (stored, wanted) in stored.iter().zip(wanted.iter()) {
                    self.shapes(stored, wanted, path);
                }
                return;
            }
            (Shape::Record(stored), Shape::Record(wanted)) => {
                return self.records(&stored.get(), &wanted.get(), &format!("{path}."));
            }
            (Shape::Enum(stored), Shape::Enum(wanted)) => self.has_all(stored, wanted),
            (Shape::Union(stored), Shape::Union(wanted)) => return self.unions(&stored.get(), &wanted.get(), path),
            (stored, wanted) => core::mem::discriminant(stored) == core::mem::discriminant(wanted),
        };
        let nullable = stored.allows_null() && !wanted.allows_null() && !self.numbered;
        if !fits || nullable {
            self.differs(stored, wanted, path);
        }
    }

    fn has_all(&self, stored: &Enum, wanted: &Enum) -> bool {
        (0..stored.len()).all(|index| {
            let found = wanted.index_of(stored.name_at(index));
            found.is_some_and(|found| !self.numbered || wanted.number_at(found) == stored.number_at(index))
        })
    }

    fn unions(&mut self, stored: &Union, wanted: &Union, path: &str) {
        for variant in stored.variants() {
            let Some(index) = wanted.index_of(variant.name()) else {
                self.found.push(format!("the variant `{}` of `{path}` is missing in the class", variant.name()));
                continue;
            };
            let own = &wanted.variants()[index];
            if self.numbered && own.number() != variant.number() {
                self.found.push(format!("the variant `{}` of `{path}` has another number in the class", own.name()));
                continue;
            }
            self.shapes(variant.shape(), own.shape(), &format!("{path}.{}", own.name()));
        }
    }
}

/// Whether values that were written in one form are read right in another.
fn reads(wanted: Form, stored: Form) -> bool {
    use Form::*;
    wanted == stored || matches!((stored, wanted), (Int32, Int64) | (Uint32, Uint64) | (Sint32, Sint64))
}

/// Whether the first width has all ints of the second.
fn holds(wanted: IntWidth, stored: IntWidth) -> bool {
    match (wanted, stored) {
        (IntWidth::Any, _) => true,
        (IntWidth::Signed(wanted), IntWidth::Signed(stored))
        | (IntWidth::Unsigned(wanted), IntWidth::Unsigned(stored)) => wanted >= stored,
        (IntWidth::Signed(wanted), IntWidth::Unsigned(stored)) => wanted > stored,
        (IntWidth::Unsigned(_), IntWidth::Signed(_)) | (_, IntWidth::Any) => false,
    }
}
