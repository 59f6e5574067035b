use super::{Cardinality, Form, Presence};
use demat_core::{Field, Note, Ref, Shape, Value, Variant};
use std::borrow::Cow;

/// How a field is encoded, according to its shape and to its [notes](Field::notes) for the place `proto`.
///
/// A [`RecordLayout`](super::RecordLayout) has one for each field of a record.
///
/// Notes of fields and variants with an effect:
///
/// - `sint32`, `fixed64` and the other scalar types of `.proto` files; with the prefix `key `, for the keys of a map
/// - `expanded` for lists that are not packed
/// - `oneof` for a union whose variants are numbered like fields
/// - `group`
/// - `ipv4`, `ip` and `ip_port` for texts that hold network addresses
/// - `required`
/// - `implicit` for an optional value whose zero equals an absent field
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wire {
    /// The number of values that the field has.
    pub cardinality: Cardinality,
    /// The form of the value, of a list's items, or of a map's values.
    pub form: Form,
    /// The form of a map's keys.
    pub key: Form,
    /// Whether a list's items are packed. Numbers are, unless a note says otherwise.
    pub packed: bool,
    /// Whether a zero value equals an absent field.
    pub presence: Presence,
}

impl Wire {
    const fn new(cardinality: Cardinality, form: Form, key: Form) -> Self {
        let packed = matches!(cardinality, Cardinality::List) && form.packable();
        Self { cardinality, form, key, packed, presence: Presence::Explicit }
    }

    /// Returns the encoding of a constant field.
    const fn fixed(shape: &Shape, required: bool) -> Self {
        let wire = match shape {
            Shape::Option(Ref::Static(inner)) => return Self::fixed(inner, false),
            Shape::List(Ref::Static(item)) => Self::new(Cardinality::List, Form::fixed(item), Form::None),
            Shape::Tuple(Ref::Static(items)) => match *items {
                [Ref::Static(item), ..] => Self::new(Cardinality::List, Form::fixed(item), Form::None),
                _ => Self::new(Cardinality::List, Form::None, Form::None),
            },
            Shape::Map(Ref::Static(key), Ref::Static(value)) => {
                Self::new(Cardinality::Map, Form::fixed(value), Form::fixed(key))
            }
            leaf => Self::new(Cardinality::Value, Form::of_leaf(leaf), Form::None),
        };
        wire.present(required)
    }

    /// Returns the encoding of a constant field with notes.
    const fn fixed_with(shape: &Shape, required: bool, notes: &[Note]) -> Self {
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

    /// Returns the encoding of a shape alone, as if a record had one field of it.
    pub fn of(shape: &Shape) -> Self {
        match shape.inner() {
            Shape::List(item) => Self::new(Cardinality::List, Form::of(item), Form::None),
            Shape::Tuple(items) => {
                let mut forms = items.iter().map(|item| Form::of(item));
                let form = forms.next().unwrap_or(Form::None);
                // A tuple can be one list only if its items are alike.
                let form = if forms.all(|other| other == form) { form } else { Form::None };
                Self::new(Cardinality::List, form, Form::None)
            }
            Shape::Map(key, value) => Self::new(Cardinality::Map, Form::of(value), Form::of(key)),
            leaf => Self::new(Cardinality::Value, Form::of(leaf), Form::None),
        }
    }

    /// Sets the presence. It is implicit if the field must be present and an absent one would be read as zero.
    #[inline]
    const fn present(mut self, implicit: bool) -> Self {
        let zero = !matches!(self.cardinality, Cardinality::Value) || self.form.has_zero();
        self.presence = if implicit && zero { Presence::Implicit } else { Presence::Explicit };
        self
    }

    /// Returns the encoding of a field. An [override](Field::with_override) takes precedence.
    pub fn of_field(field: &Field) -> Self {
        match field.overridden() {
            Some(own) => *own,
            None if field.is_fixed() && field.default().is_none() => {
                Self::fixed_with(field.shape(), field.required(), field.notes())
            }
            None => Self::of_made(field),
        }
    }

    /// Returns the encoding of a common constant field without notes. The compiler evaluates this if it knows the
    /// field. `None` says nothing about the field.
    #[inline(always)]
    pub(in crate::proto) fn of_plain_constant(field: &Field) -> Option<Self> {
        if field.is_fixed() && field.notes().is_empty() { Self::of_constant(field) } else { None }
    }

    /// As [`of_plain_constant`](Self::of_plain_constant), with up to two notes.
    #[inline(always)]
    pub(in crate::proto) fn of_constant(field: &Field) -> Option<Self> {
        if !field.is_fixed() || field.default().is_some() || field.overridden::<Self>().is_some() {
            return None;
        }
        let (shape, optional) = match field.shape() {
            Shape::Option(Ref::Static(inner)) => (*inner, true),
            shape => (shape, false),
        };
        let (cardinality, form) = match shape {
            Shape::List(Ref::Static(item)) => (Cardinality::List, Form::of_constant(item)?),
            leaf => (Cardinality::Value, Form::of_constant(leaf)?),
        };
        let mut said = Said { wire: Self::new(cardinality, form, Form::None), expanded: false, implicit: None };
        match field.notes() {
            [] => {}
            [note] => said.noted(note),
            [first, second] => {
                said.noted(first);
                said.noted(second);
            }
            _ => return None,
        }
        said.wire.packed &= !said.expanded;
        Some(said.wire.present(said.implicit.unwrap_or(field.required() && !optional)))
    }

    /// Returns the encoding of a field made at run time.
    fn of_made(field: &Field) -> Self {
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

    /// Returns the encoding of a variant.
    pub fn of_variant(variant: &Variant) -> Self {
        if variant.is_fixed() && variant.notes().is_empty() {
            return Self::fixed(variant.shape(), false);
        }
        variant.notes_for("proto").fold(Self::of(variant.shape()), Self::noted)
    }

    /// Returns the notes that a field of this encoding needs if its shape alone would be encoded as `other`: so a shape
    /// says as text how its records are encoded. The presence is not among them.
    ///
    /// ```
    /// use demat_core::{IntWidth, Shape};
    /// use demat_formats::proto::{Form, Wire};
    /// let usual = Wire::of(&Shape::Int(IntWidth::Signed(64)));
    /// let own = Wire { form: Form::Sint64, ..usual };
    /// assert_eq!(own.notes_beside(usual), ["sint64"]);
    /// assert!(own.notes_beside(own).is_empty());
    /// ```
    pub fn notes_beside(self, other: Self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.cardinality == Cardinality::Oneof && other.cardinality != Cardinality::Oneof {
            notes.push("oneof".to_owned());
        }
        if self.form != other.form
            && let Some(note) = self.form.note()
        {
            notes.push(note.to_owned());
        }
        if self.key != other.key
            && let Some(note) = self.key.note()
        {
            notes.push(format!("key {note}"));
        }
        if self.cardinality == Cardinality::List && self.form.packable() && !self.packed {
            notes.push("expanded".to_owned());
        }
        notes
    }

    /// Applies a note.
    #[inline(always)]
    const fn noted(mut self, note: &str) -> Self {
        match note.as_bytes() {
            b"group" => self.form = Form::Group,
            b"oneof" => self.cardinality = Cardinality::Oneof,
            [b'k', b'e', b'y', b' ', ..] => {
                if let Some(form) = Form::named(note.split_at(4).1) {
                    self.key = form;
                }
            }
            _ => {
                if let Some(form) = Form::named(note) {
                    self.form = form;
                    self.packed = matches!(self.cardinality, Cardinality::List) && form.packable();
                }
            }
        }
        self
    }
}

/// The effects of a constant's notes.
struct Said {
    wire: Wire,
    expanded: bool,
    implicit: Option<bool>,
}

impl Said {
    #[inline(always)]
    fn noted(&mut self, (place, note): &Note) {
        if let (Cow::Borrowed("proto"), Cow::Borrowed(note)) = (place, note) {
            match *note {
                "required" => self.implicit = Some(false),
                "implicit" => self.implicit = Some(true),
                "expanded" => self.expanded = true,
                _ => self.wire = self.wire.noted(note),
            }
        }
    }
}

/// Whether a value of the shape is encoded as nothing, so that a reader would read this default instead.
fn hides_absence(default: &Value, shape: &Shape) -> bool {
    let is_container = matches!(shape.inner(), Shape::List(_) | Shape::Tuple(_) | Shape::Map(..));
    match shape {
        _ if is_container => !is_zero(default),
        Shape::Option(_) => !matches!(default, Value::Null),
        _ => false,
    }
}

/// Whether the value is zero or empty.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Int(value) => value.to_i64() == Some(0),
        // A negative zero is not zero.
        Value::Float(value) => value.to_bits() == 0,
        Value::Text(value) => value.is_empty(),
        Value::Bytes(value) => value.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        Value::Null => true,
        _ => false,
    }
}
