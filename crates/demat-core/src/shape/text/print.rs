//! Writes a shape's text.

use super::draft::tag_shape;
use super::union::is_usual;
use super::word::{write_name, write_quoted, write_type};
use crate::{Enum, Field, FloatWidth, IntWidth, Note, Record, RecordRef, Ref, Shape, Tag, Union, UnionRef, Unknown};
use core::fmt::{self, Formatter, Write as _};
use std::collections::HashMap;

pub(super) struct Printer<'p, 'f> {
    pub(super) out: &'p mut Formatter<'f>,
    /// The enclosing records and unions, by address, with their names.
    open: Vec<(usize, String)>,
    /// The last meaning of each name, by address.
    closed: HashMap<String, usize>,
}

/// The form in which a record or union is written.
enum Written {
    Name,
    Whole,
}

fn address<T>(value: &T) -> usize {
    core::ptr::from_ref(value).addr()
}

impl<'p, 'f> Printer<'p, 'f> {
    pub(super) fn new(out: &'p mut Formatter<'f>) -> Self {
        Self { out, open: Vec::new(), closed: HashMap::new() }
    }

    /// Writes a shape at the top, where a record needs no braces.
    pub(super) fn whole(&mut self, shape: &Shape) -> fmt::Result {
        if let Shape::Record(RecordRef::Static(_) | RecordRef::Shared(_)) = shape
            && let Shape::Record(record) = shape
        {
            let record = record.get();
            if record.name().is_empty() && !record.fields().is_empty() {
                self.open.push((address(&*record), String::new()));
                return self.fields(&record, None);
            }
        }
        self.shape(shape)
    }

    fn shape(&mut self, shape: &Shape) -> fmt::Result {
        match shape {
            Shape::Int(IntWidth::Signed(bits)) => write!(self.out, "int{bits}"),
            Shape::Int(IntWidth::Unsigned(bits)) => write!(self.out, "uint{bits}"),
            Shape::Float(FloatWidth::F32) => self.out.write_str("float32"),
            Shape::Option(inner) => {
                self.single(inner.inner())?;
                self.out.write_char('?')
            }
            Shape::List(item) => {
                self.out.write_char('[')?;
                self.shape(item)?;
                self.out.write_char(']')
            }
            Shape::Tuple(items) => self.tuple(items),
            Shape::Map(key, value) => {
                self.out.write_str("map(")?;
                self.shape(key)?;
                self.out.write_str(", ")?;
                self.shape(value)?;
                self.out.write_char(')')
            }
            Shape::Record(record) => self.record_ref(record, None),
            Shape::Enum(names) => self.choices(names),
            Shape::Union(union) => self.union_ref(union),
            kind => self.out.write_str(kind.name()),
        }
    }

    /// Writes a shape next to an operator.
    fn single(&mut self, shape: &Shape) -> fmt::Result {
        let alternatives = match shape {
            Shape::Union(UnionRef::Shared(union)) => is_usual(union),
            Shape::Union(UnionRef::Static(union)) => is_usual(union()),
            Shape::Union(UnionRef::Link(_, union)) => union.upgrade().is_some_and(|union| is_usual(&union)),
            _ => false,
        };
        if !alternatives {
            return self.shape(shape);
        }
        self.out.write_char('(')?;
        self.shape(shape)?;
        self.out.write_char(')')
    }

    fn tuple(&mut self, items: &[Ref<Shape>]) -> fmt::Result {
        self.out.write_char('(')?;
        for (index, item) in items.iter().enumerate() {
            self.comma(index)?;
            self.shape(item)?;
        }
        self.out.write_str(if items.len() == 1 { ",)" } else { ")" })
    }

    pub(super) fn comma(&mut self, index: usize) -> fmt::Result {
        if index > 0 { self.out.write_str(", ") } else { Ok(()) }
    }

    fn choices(&mut self, names: &Enum) -> fmt::Result {
        if let Written::Name = self.written(names.name(), address(names)) {
            return write_type(self.out, names.name());
        }
        self.out.write_str("enum")?;
        self.type_name(names.name())?;
        self.out.write_char('(')?;
        let mut next = Some(0);
        for index in 0..names.len() {
            self.comma(index)?;
            write_name(self.out, names.name_at(index))?;
            let number = names.number_at(index);
            if next != Some(number) {
                write!(self.out, " = {number}")?;
            }
            next = number.checked_add(1);
        }
        self.close(names.name(), address(names));
        self.out.write_char(')')
    }

    fn type_name(&mut self, name: &str) -> fmt::Result {
        if name.is_empty() {
            return Ok(());
        }
        self.out.write_char(' ')?;
        write_name(self.out, name)
    }

    /// Decides whether the name refers to this type here. Enclosing types take precedence, the inner before the outer,
    /// then earlier ones.
    fn written(&self, name: &str, address: usize) -> Written {
        // A type within itself is written by name even if another type with this name is between: there is no other
        // notation.
        if self.open.iter().any(|open| open.0 == address) {
            return Written::Name;
        }
        let shadowed = self.open.iter().any(|open| open.1 == name);
        match self.closed.get(name) {
            Some(closed) if *closed == address && !shadowed => Written::Name,
            _ => Written::Whole,
        }
    }

    fn close(&mut self, name: &str, address: usize) {
        if !name.is_empty() {
            self.closed.insert(name.to_string(), address);
        }
    }

    /// Whether a link can be written as a name, because it leads to an enclosing type.
    fn is_open(&self, name: &str) -> bool {
        self.open.iter().any(|open| open.1 == name)
    }

    fn record_ref(&mut self, record: &RecordRef, tag: Option<(&str, &str)>) -> fmt::Result {
        if let RecordRef::Link(name, link) = record {
            match link.upgrade() {
                Some(record) if !self.is_open(name) => return self.record(&record, tag),
                _ => return write_type(self.out, name),
            }
        }
        self.record(&record.get(), tag)
    }

    fn record(&mut self, record: &Record, tag: Option<(&str, &str)>) -> fmt::Result {
        if let Written::Name = self.written(record.name(), address(record)) {
            return write_type(self.out, record.name());
        }
        if !record.name().is_empty() {
            write_type(self.out, record.name())?;
        }
        self.open.push((address(record), record.name().to_string()));
        self.out.write_char('{')?;
        self.fields(record, tag)?;
        self.open.pop();
        self.close(record.name(), address(record));
        self.out.write_char('}')
    }

    /// Writes the fields, except the tag of a union's variant if the parser would add the same.
    fn fields(&mut self, record: &Record, tag: Option<(&str, &str)>) -> fmt::Result {
        let left_out = match (tag, record.fields().first()) {
            (Some((tag, variant)), Some(first)) if record.unknown() != Unknown::Keep(0) => {
                usize::from(*first == Field::new(tag.to_string(), 1, tag_shape(variant)))
            }
            _ => 0,
        };
        for (index, field) in record.fields().iter().enumerate().skip(left_out) {
            self.comma(index - left_out)?;
            if record.unknown() == Unknown::Keep(index) {
                self.out.write_str("...")?;
            }
            self.field(field, index)?;
        }
        if record.unknown() == Unknown::Forbid {
            self.comma(record.fields().len() - left_out)?;
            self.out.write_char('!')?;
        }
        Ok(())
    }

    fn field(&mut self, field: &Field, index: usize) -> fmt::Result {
        write_name(self.out, field.name())?;
        if field.key() != field.name() {
            self.out.write_char(' ')?;
            write_quoted(self.out, field.key())?;
        }
        for alias in field.aliases() {
            self.out.write_char('|')?;
            write_name(self.out, alias)?;
        }
        if field.number() as usize != index + 1 {
            write!(self.out, "@{}", field.number())?;
        }
        let usual = field.default().is_none() && !self.nullable(field.shape());
        if field.required() != usual {
            self.out.write_char(if field.required() { '!' } else { '?' })?;
        }
        self.out.write_char(':')?;
        self.shape(field.shape())?;
        if let Some(default) = field.default() {
            self.out.write_str(" = ")?;
            self.literal(default, field.shape().inner())?;
        }
        self.notes(field.notes())
    }

    fn notes(&mut self, notes: &[Note]) -> fmt::Result {
        for (place, note) in notes {
            self.out.write_str(" #")?;
            write_name(self.out, place)?;
            self.out.write_char(':')?;
            write_name(self.out, note)?;
        }
        Ok(())
    }

    /// Predicts [`Shape::allows_null`] for the shape after it is parsed again, when enclosing unions are links.
    fn nullable(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Union(UnionRef::Static(union)) if self.open.iter().any(|open| open.0 == address(union())) => false,
            Shape::Union(UnionRef::Link(name, union)) if !self.is_open(name) => {
                union.upgrade().is_some_and(|union| Shape::Union(UnionRef::Shared(union)).allows_null())
            }
            other => other.allows_null(),
        }
    }

    fn union_ref(&mut self, union: &UnionRef) -> fmt::Result {
        if let UnionRef::Link(name, link) = union {
            match link.upgrade() {
                Some(union) if !self.is_open(name) => return self.union(&union),
                _ => return write_type(self.out, name),
            }
        }
        self.union(&union.get())
    }

    fn union(&mut self, union: &Union) -> fmt::Result {
        if let Written::Name = self.written(union.name(), address(union)) {
            return write_type(self.out, union.name());
        }
        if is_usual(union) {
            for (index, variant) in union.variants().iter().enumerate() {
                if index > 0 {
                    self.out.write_str(" | ")?;
                }
                self.single(variant.shape())?;
            }
            return Ok(());
        }
        self.out.write_str("union")?;
        self.type_name(union.name())?;
        self.tag(union.tag())?;
        self.open.push((address(union), union.name().to_string()));
        self.out.write_char('(')?;
        for (index, variant) in union.variants().iter().enumerate() {
            self.comma(index)?;
            write_name(self.out, variant.name())?;
            if variant.number() as usize != index + 1 {
                write!(self.out, "@{}", variant.number())?;
            }
            match (union.tag(), variant.shape()) {
                (Tag::Key | Tag::Pair(_), Shape::Null) => {}
                (Tag::Field(tag), Shape::Record(record)) => {
                    self.out.write_char(':')?;
                    self.record_ref(record, Some((tag, variant.name())))?;
                }
                (_, shape) => {
                    self.out.write_char(':')?;
                    self.shape(shape)?;
                }
            }
            self.notes(variant.notes())?;
        }
        self.open.pop();
        self.close(union.name(), address(union));
        self.out.write_char(')')
    }

    fn tag(&mut self, tag: &Tag) -> fmt::Result {
        match tag {
            Tag::Key => return Ok(()),
            Tag::None => self.out.write_char('[')?,
            Tag::Field(tag) => {
                self.out.write_char('[')?;
                write_name(self.out, tag)?;
            }
            Tag::Pair(pair) => {
                self.out.write_char('[')?;
                for (index, field) in pair.fields().iter().enumerate() {
                    self.comma(index)?;
                    write_name(self.out, field.key())?;
                }
            }
        }
        self.out.write_char(']')
    }
}
