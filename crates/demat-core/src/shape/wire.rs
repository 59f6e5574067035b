use super::{Field, FloatWidth, IntWidth, Note, Ref, Shape, Tag, UnionRef, Variant};
use crate::Value;
use std::borrow::Cow;

/// How a field is written where fields go by number (Protocol Buffers), worked out once from its shape and its
/// [notes](Field::notes) for the place called `proto`, so that nothing has to look at the shape for each value.
///
/// Notes that count: `sint32`, `fixed64` and the other scalar types of `.proto` files, behind `key ` for the keys of a map;
/// `expanded` for lists that are not to be packed; `oneof` for a union whose variants are numbered as fields are; `group`;
/// `ipv4`, `ip` and `ip_port` for texts that are network addresses; `required`; `implicit` for an optional value of which zero is the same as none. Variants of unions have notes, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wire {
    /// Of what the field is one, or several.
    pub class: Class,
    /// Of the value, of a list's items, of a map's values.
    pub form: Form,
    /// Of a map's keys.
    pub key: Form,
    /// Whether a list's items are written as one run of bytes; numbers are, unless told otherwise.
    pub packed: bool,
    /// Whether a value of zero is the same as none.
    pub presence: Presence,
}

/// Of what a field is one, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// One value.
    Value,
    /// A list of values.
    List,
    /// A map.
    Map,
    /// A union whose variants are numbered as the record's fields are.
    Oneof,
}

/// Whether a value of zero is the same as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is: zero is not written, and what did not come is zero.
    Implicit,
    /// It is not: what there is is written.
    Explicit,
    /// As explicit. And a reader takes an absent field for a default that is neither null nor empty, so a null or an empty
    /// list, which this format writes as nothing, would come back as that default.
    Defaulted,
}

/// The form of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A variable-length 0 or 1.
    Bool,
    /// A variable-length number of which 32 bits count, two's complement in 64 where it is negative.
    Int32,
    /// The same of which 64 bits count.
    Int64,
    /// A variable-length number without sign, of which 32 bits count.
    Uint32,
    /// The same of which 64 bits count.
    Uint64,
    /// A variable-length number of 32 bits whose sign is its lowest bit.
    Sint32,
    /// The same of 64 bits.
    Sint64,
    /// Four bytes without sign.
    Fixed32,
    /// Four bytes with sign.
    Sfixed32,
    /// Eight bytes without sign.
    Fixed64,
    /// Eight bytes with sign.
    Sfixed64,
    /// Binary32.
    Float,
    /// Binary64.
    Double,
    /// A variable-length number that stands for a name.
    Enum,
    /// UTF-8 behind its length.
    Text,
    /// Bytes behind their length.
    Bytes,
    /// A message of seconds and nanoseconds since 1970.
    Timestamp,
    /// A message of seconds and nanoseconds.
    Duration,
    /// A record behind its length.
    Message,
    /// A record between two tags.
    Group,
    /// A union in a message of its own, whose fields are the variants.
    Union,
    /// Whatever it is, in a message that says it.
    Any,
    /// Null, which is a zero where it is written at all.
    Null,
    /// There is no form for it: a list within a list.
    None,
    /// Text that is an IPv4 address, as four bytes: a number without sign.
    Ipv4,
    /// Text that is an IP address, as its four or sixteen bytes behind their length.
    Ip,
    /// Text that is an IP address and a port, as those bytes and two more.
    IpPort,
}

impl Form {
    /// All of them, in order.
    pub const ALL: [Self; 27] = [
        Self::Bool,
        Self::Int32,
        Self::Int64,
        Self::Uint32,
        Self::Uint64,
        Self::Sint32,
        Self::Sint64,
        Self::Fixed32,
        Self::Sfixed32,
        Self::Fixed64,
        Self::Sfixed64,
        Self::Float,
        Self::Double,
        Self::Enum,
        Self::Text,
        Self::Bytes,
        Self::Timestamp,
        Self::Duration,
        Self::Message,
        Self::Group,
        Self::Union,
        Self::Any,
        Self::Null,
        Self::None,
        Self::Ipv4,
        Self::Ip,
        Self::IpPort,
    ];

    /// Whether a list of it can be packed.
    pub const fn packable(self) -> bool {
        matches!(
            self,
            Self::Bool
                | Self::Int32
                | Self::Int64
                | Self::Uint32
                | Self::Uint64
                | Self::Sint32
                | Self::Sint64
                | Self::Fixed32
                | Self::Sfixed32
                | Self::Fixed64
                | Self::Sfixed64
                | Self::Float
                | Self::Double
                | Self::Enum
                | Self::Ipv4
        )
    }

    /// Whether several of it in one place are one, merged.
    pub const fn is_message(self) -> bool {
        matches!(self, Self::Message | Self::Group | Self::Union | Self::Any | Self::Timestamp | Self::Duration)
    }

    /// Whether it has a zero that is the same as nothing where presence is implicit; messages have none.
    pub const fn has_zero(self) -> bool {
        self.packable() && !matches!(self, Self::Ipv4) || matches!(self, Self::Text | Self::Bytes | Self::Null)
    }

    /// That of a shape which is no list or map and holds no other shape.
    const fn of_leaf(shape: &Shape) -> Self {
        match shape {
            Shape::Any => Self::Any,
            Shape::Null => Self::Null,
            Shape::Bool => Self::Bool,
            Shape::Int(IntWidth::Unsigned(..=32)) => Self::Uint32,
            Shape::Int(IntWidth::Unsigned(_)) => Self::Uint64,
            Shape::Int(IntWidth::Signed(..=32)) => Self::Int32,
            Shape::Int(_) => Self::Int64,
            Shape::Float(FloatWidth::F32) => Self::Float,
            Shape::Float(FloatWidth::F64) => Self::Double,
            Shape::Text | Shape::Decimal | Shape::Date | Shape::Time | Shape::DateTime | Shape::Uuid => Self::Text,
            Shape::Bytes => Self::Bytes,
            Shape::Instant => Self::Timestamp,
            Shape::Duration => Self::Duration,
            Shape::Record(_) => Self::Message,
            Shape::Enum(_) => Self::Enum,
            Shape::Union(_) => Self::Union,
            Shape::Option(_) | Shape::List(_) | Shape::Tuple(_) | Shape::Map(..) => Self::None,
        }
    }

    /// That of a single value of a shape.
    pub fn of(shape: &Shape) -> Self {
        match shape.inner() {
            Shape::Union(union) if is_open_enum(union) => Self::Enum,
            leaf => Self::of_leaf(leaf),
        }
    }

    /// The same for constants.
    const fn fixed(shape: &Shape) -> Self {
        match shape {
            Shape::Option(Ref::Static(inner)) => Self::fixed(inner),
            leaf => Self::of_leaf(leaf),
        }
    }

    /// The form that a `.proto` file calls so.
    pub const fn named(name: &str) -> Option<Self> {
        Some(match name.as_bytes() {
            b"bool" => Self::Bool,
            b"int32" => Self::Int32,
            b"int64" => Self::Int64,
            b"uint32" => Self::Uint32,
            b"uint64" => Self::Uint64,
            b"sint32" => Self::Sint32,
            b"sint64" => Self::Sint64,
            b"fixed32" => Self::Fixed32,
            b"sfixed32" => Self::Sfixed32,
            b"fixed64" => Self::Fixed64,
            b"sfixed64" => Self::Sfixed64,
            b"float" => Self::Float,
            b"double" => Self::Double,
            b"string" => Self::Text,
            b"bytes" => Self::Bytes,
            b"ipv4" => Self::Ipv4,
            b"ip" => Self::Ip,
            b"ip_port" => Self::IpPort,
            _ => return None,
        })
    }
}

impl Wire {
    const fn new(class: Class, form: Form, key: Form) -> Self {
        let packed = matches!(class, Class::List) && form.packable();
        Self { class, form, key, packed, presence: Presence::Explicit }
    }

    /// That of a constant field.
    pub(super) const fn fixed(shape: &Shape, required: bool) -> Self {
        let wire = match shape {
            Shape::Option(Ref::Static(inner)) => return Self::fixed(inner, false),
            Shape::List(Ref::Static(item)) => Self::new(Class::List, Form::fixed(item), Form::None),
            Shape::Tuple(Ref::Static(items)) => match *items {
                [Ref::Static(item), ..] => Self::new(Class::List, Form::fixed(item), Form::None),
                _ => Self::new(Class::List, Form::None, Form::None),
            },
            Shape::Map(Ref::Static(key), Ref::Static(value)) => {
                Self::new(Class::Map, Form::fixed(value), Form::fixed(key))
            }
            leaf => Self::new(Class::Value, Form::of_leaf(leaf), Form::None),
        };
        wire.present(required)
    }

    /// That of a constant field with notes.
    pub(super) const fn fixed_with(shape: &Shape, required: bool, notes: &[Note]) -> Self {
        let mut wire = Self::fixed(shape, required);
        let mut implicit = required && !matches!(shape, Shape::Option(_));
        let mut expanded = false;
        let mut index = 0;
        while index < notes.len() {
            if let (Cow::Borrowed(place), Cow::Borrowed(note)) = &notes[index]
                && let b"proto" = place.as_bytes()
            {
                match note.as_bytes() {
                    b"required" => implicit = false,
                    b"implicit" => implicit = true,
                    b"expanded" => expanded = true,
                    _ => wire = wire.noted(note),
                }
            }
            index += 1;
        }
        wire.packed &= !expanded;
        if notes.is_empty() { wire } else { wire.present(implicit) }
    }

    /// That of a shape by itself, as one field of it would have.
    pub fn of(shape: &Shape) -> Self {
        match shape.inner() {
            Shape::List(item) => Self::new(Class::List, Form::of(item), Form::None),
            Shape::Tuple(items) => {
                let mut forms = items.iter().map(|item| Form::of(item));
                let form = forms.next().unwrap_or(Form::None);
                // Only where all are alike can they be one list.
                let form = if forms.all(|other| other == form) { form } else { Form::None };
                Self::new(Class::List, form, Form::None)
            }
            Shape::Map(key, value) => Self::new(Class::Map, Form::of(value), Form::of(key)),
            leaf => Self::new(Class::Value, Form::of(leaf), Form::None),
        }
    }

    /// Presence is implicit where a field must be there and nothing else would be its value if it is not.
    const fn present(mut self, implicit: bool) -> Self {
        let zero = !matches!(self.class, Class::Value) || self.form.has_zero();
        self.presence = if implicit && zero { Presence::Implicit } else { Presence::Explicit };
        self
    }

    /// That of a field made at run time.
    pub(super) fn of_field(field: &Field) -> Self {
        let mut wire = Self::of(field.shape());
        let mut implicit = match field.default() {
            None => field.required(),
            Some(default) => is_zero(default),
        } && !matches!(field.shape(), Shape::Option(_));
        let mut expanded = false;
        for note in field.notes_for("proto") {
            match note {
                "required" => implicit = false,
                "implicit" => implicit = true,
                "expanded" => expanded = true,
                _ => wire = wire.noted(note),
            }
        }
        wire.packed &= !expanded;
        wire = wire.present(implicit);
        if field.default().is_some_and(|default| hides_absence(default, field.shape())) {
            wire.presence = Presence::Defaulted;
        }
        wire
    }

    /// That of a variant made at run time.
    pub(super) fn of_variant(variant: &Variant) -> Self {
        variant.notes_for("proto").fold(Self::of(variant.shape()), Self::noted)
    }

    /// With what a note says.
    const fn noted(mut self, note: &str) -> Self {
        match note.as_bytes() {
            b"group" => self.form = Form::Group,
            b"oneof" => self.class = Class::Oneof,
            [b'k', b'e', b'y', b' ', ..] => {
                if let Some(form) = Form::named(note.split_at(4).1) {
                    self.key = form;
                }
            }
            _ => {
                if let Some(form) = Form::named(note) {
                    self.form = form;
                    self.packed = matches!(self.class, Class::List) && form.packable();
                }
            }
        }
        self
    }
}

/// Whether the union is one of names and of numbers that have none: a number on the wire either way.
fn is_open_enum(union: &UnionRef) -> bool {
    // A link may lead to a union that is still being made.
    if matches!(union, UnionRef::Link(..)) {
        return false;
    }
    let union = union.get();
    *union.tag() == Tag::None
        && matches!(union.variants(), [names, number] if matches!(names.shape(), Shape::Enum(_)) && matches!(number.shape(), Shape::Int(_)))
}

/// Whether a reader can't tell a value of the shape that is written as nothing from this default.
fn hides_absence(default: &Value, shape: &Shape) -> bool {
    let is_container = matches!(shape.inner(), Shape::List(_) | Shape::Tuple(_) | Shape::Map(..));
    match shape {
        _ if is_container => !is_zero(default),
        Shape::Option(_) => !matches!(default, Value::Null),
        _ => false,
    }
}

/// Whether it is what stands for nothing.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Int(value) => value.to_i64() == Some(0),
        // A negative zero is not nothing.
        Value::Float(value) => value.to_bits() == 0,
        Value::Text(value) => value.is_empty(),
        Value::Bytes(value) => value.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        Value::Null => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
