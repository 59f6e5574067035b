//! The compiled form of a shape for canonical JSON: the JSON names of its fields, and the records with a special JSON
//! form. The sink and the source look everything up here while they copy.

use crate::codec::verify_notes;
use crate::proto::ProtoCodec;
use crate::proto::{Cardinality, Form, Presence, RecordLayout, UnionLayout, Wire};
use demat_core::{Enum, Error, ErrorKind, KeyPattern, Record, Ref, Result, Shape, Union, json_name};
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, RwLock};

/// Finds the shape of a message by its full name, for `google.protobuf.Any`.
pub type Types = Arc<dyn Fn(&str) -> Option<Shape> + Send + Sync>;

/// A shape compiled for canonical JSON. Make it once; any number of sinks and sources share it.
pub struct Mapping {
    pub(super) records: Vec<Compiled>,
    pub(super) slots: Vec<Slot>,
    by_id: HashMap<u64, u32, BuildHasherDefault<Identity>>,
    shape: Shape,
    types: Option<Types>,
    found: RwLock<HashMap<String, Option<Arc<Self>>>>,
}

/// A record.
#[derive(Debug)]
pub(super) struct Compiled {
    /// The record's identity.
    pub(super) id: u64,
    pub(super) known: Known,
    /// Index in `slots` of its first field.
    pub(super) first: u32,
    /// Fields, and variants of a oneof, by each of their names.
    pub(super) names: HashMap<String, Target>,
}

/// The field for a name, and the variant if the name is that of a oneof's variant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub(super) field: u32,
    pub(super) variant: Option<u32>,
    pub(super) slot: u32,
}

/// A field, a variant, or a value without a field: see [`ROOT`] and [`KEY`].
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // the flags of a field are independent
pub(super) struct Slot {
    pub(super) key: String,
    pub(super) token: KeyPattern,
    pub(super) cardinality: Cardinality,
    pub(super) form: Form,
    /// Whether a zero is left out of the output.
    pub(super) implicit: bool,
    /// Whether its enum is closed: numbers without a name are left out of the output.
    pub(super) closed: bool,
    /// Whether its enum is `google.protobuf.NullValue`, which JSON writes as null.
    pub(super) null: bool,
    /// Whether the number must be finite.
    pub(super) finite: bool,
    /// Index of the record in the slot or in its items.
    pub(super) child: Option<u32>,
    /// Of a oneof: index in `slots` of its first variant. Of a variant: its number in the oneof.
    pub(super) variants: u32,
    /// The enum with its names, if it has one.
    pub(super) names: Option<Ref<Enum>>,
}

/// The JSON forms of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// An object of the record's fields.
    Plain,
    /// The value of its only field.
    Wrapper,
    /// The map or list in its only field.
    Struct,
    List,
    /// The value of its variant.
    Value,
    Timestamp,
    Duration,
    FieldMask,
    Any,
}

impl Known {
    /// Whether JSON has the value of the only field in place of the message.
    pub(super) fn is_transparent(self) -> bool {
        matches!(self, Self::Wrapper | Self::Struct | Self::List | Self::Value)
    }

    fn named(name: &str) -> Self {
        match name {
            "wrapper" => Self::Wrapper,
            "struct" => Self::Struct,
            "list" => Self::List,
            "value" => Self::Value,
            "timestamp" => Self::Timestamp,
            "duration" => Self::Duration,
            "field_mask" => Self::FieldMask,
            "any" => Self::Any,
            _ => Self::Plain,
        }
    }
}

/// The slot of values without a field: the whole message, and the items of a list of messages.
pub(super) const ROOT: u32 = 0;
/// The slot of map keys.
pub(super) const KEY: u32 = 1;

/// A hasher for record identities: one multiplication spreads them well enough.
#[derive(Debug, Default)]
pub(super) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }
    fn write_u64(&mut self, id: u64) {
        self.0 = (self.0 ^ id).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
    }
}

impl Mapping {
    /// Compiles a shape, usually one from `demat_proto`'s `exact_shape`.
    ///
    /// # Errors
    /// If two fields of a record have the same name in JSON.
    pub fn new(shape: &Shape) -> Result<Self> {
        let mut own = Self {
            records: Vec::new(),
            slots: vec![
                Slot::of("", Wire::of(&Shape::Null), &Shape::Null),
                Slot::of("", Wire::of(&Shape::Null), &Shape::Null),
            ],
            by_id: HashMap::default(),
            shape: shape.clone(),
            types: None,
            found: RwLock::default(),
        };
        own.slots[ROOT as usize].form = Form::Message;
        own.slots[KEY as usize].form = Form::Text;
        let root = own.compile(shape)?;
        own.slots[ROOT as usize].child = root;
        Ok(own)
    }

    /// Sets the function that finds the messages in a `google.protobuf.Any`.
    #[must_use]
    pub fn with_types(mut self, types: Types) -> Self {
        self.types = Some(types);
        self
    }

    /// The shape that this mapping was compiled from.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the mapping of the message that a type URL names. The name follows the URL's last slash.
    pub(super) fn message(&self, url: &str) -> Result<Arc<Self>> {
        let unknown = || {
            let message = format!("`{url}` names no message that is known");
            Error::new(ErrorKind::Constraint, message)
        };
        let (_, name) = url.rsplit_once('/').ok_or_else(unknown)?;
        if let Ok(found) = self.found.read()
            && let Some(found) = found.get(name)
        {
            return found.clone().ok_or_else(unknown);
        }
        let shape = self.types.as_ref().and_then(|types| types(name));
        let made = match shape {
            Some(shape) => Some(Arc::new(Self { types: self.types.clone(), ..Self::new(&shape)? })),
            None => None,
        };
        // Caches names of existing messages only, so that input can't fill the cache.
        if let (Ok(mut found), Some(_)) = (self.found.write(), &made) {
            found.insert(name.to_owned(), made.clone());
        }
        made.ok_or_else(unknown)
    }

    /// Whether the whole value has a JSON form other than an object of fields.
    pub(super) fn is_special(&self) -> bool {
        self.slots[ROOT as usize].child.is_some_and(|root| self.records[root as usize].known != Known::Plain)
    }

    /// Returns the index of a compiled record.
    pub(super) fn place(&self, record: &Record) -> Result<u32> {
        self.by_id.get(&record.identity()).copied().ok_or_else(|| {
            let message = format!("the record `{}` is not of the shape that the mapping was made of", record.name());
            Error::new(ErrorKind::Encode, message)
        })
    }

    /// Compiles a shape, and returns the index of the record in it or in its items.
    fn compile(&mut self, shape: &Shape) -> Result<Option<u32>> {
        match shape {
            Shape::Option(inner) => self.compile(inner),
            Shape::List(item) => self.compile(item),
            Shape::Map(_, value) => self.compile(value),
            Shape::Tuple(items) => {
                items.iter().try_for_each(|item| self.compile(item).map(drop))?;
                Ok(None)
            }
            Shape::Record(record) => self.record(&record.get()).map(Some),
            Shape::Union(union) => {
                let union = union.get();
                if union.variants().iter().any(|variant| matches!(variant.shape(), Shape::Enum(_))) {
                    return Ok(None);
                }
                self.union(&union)
            }
            _ => Ok(None),
        }
    }

    /// Compiles the variants of a union that is itself a message.
    fn union(&mut self, union: &Union) -> Result<Option<u32>> {
        for variant in union.variants() {
            self.compile(variant.shape())?;
        }
        Ok(None)
    }

    fn record(&mut self, record: &Record) -> Result<u32> {
        verify_notes::<ProtoCodec>(record)?;
        if let Some(place) = self.by_id.get(&record.identity()) {
            return Ok(*place);
        }
        let place = self.records.len() as u32;
        self.by_id.insert(record.identity(), place);
        let first = self.slots.len() as u32;
        let keep = match record.unknown() {
            demat_core::Unknown::Keep(index) => Some(index),
            _ => None,
        };
        let notes = |index: usize| record.fields()[index].notes_for("proto");
        let known = record.fields().first().and_then(|_| notes(0).find_map(|note| note.strip_prefix("json ")));
        self.records.push(Compiled {
            id: record.identity(),
            known: known.map_or(Known::Plain, Known::named),
            first,
            names: HashMap::new(),
        });
        let mut names = HashMap::new();
        let layout = RecordLayout::of(record);
        // The fields of a record have consecutive slots, so all of them precede the slots of the records that they
        // refer to.
        for (index, field) in record.fields().iter().enumerate() {
            let mut slot = Slot::of(field.key(), layout.wire(index), field.shape());
            slot.noted(notes(index));
            let at = self.slots.len() as u32;
            if layout.wire(index).cardinality != Cardinality::Oneof && keep != Some(index) {
                let target = Target { field: index as u32, variant: None, slot: at };
                name(&mut names, [slot.key.as_str(), field.key()], target)?;
            }
            self.slots.push(slot);
        }
        for (index, field) in record.fields().iter().enumerate() {
            let at = first as usize + index;
            if let (Cardinality::Oneof, Shape::Union(union)) = (layout.wire(index).cardinality, field.shape().inner()) {
                let union = union.get();
                let wires = UnionLayout::of(&union);
                let start = self.slots.len() as u32;
                self.slots[at].variants = start;
                for (variant, own) in union.variants().iter().enumerate() {
                    let mut slot = Slot::of(own.name(), wires.wire(variant), own.shape());
                    slot.implicit = false;
                    slot.variants = variant as u32;
                    slot.finite = self.records[place as usize].known == Known::Value;
                    slot.noted(own.notes_for("proto"));
                    let target =
                        Target { field: index as u32, variant: Some(variant as u32), slot: start + variant as u32 };
                    name(&mut names, [slot.key.as_str(), own.name()], target)?;
                    self.slots.push(slot);
                }
                for (variant, own) in union.variants().iter().enumerate() {
                    let child = self.compile(own.shape())?;
                    self.slots[start as usize + variant].child = child;
                }
            } else {
                let child = self.compile(field.shape())?;
                self.slots[at].child = child;
            }
        }
        self.records[place as usize].names = names;
        Ok(place)
    }
}

/// Registers a field under its names. Fails if another field has one of them.
fn name(names: &mut HashMap<String, Target>, own: [&str; 2], target: Target) -> Result<()> {
    for name in own {
        let other = names.insert(name.to_owned(), target);
        if let Some(other) = other
            && other.slot != target.slot
        {
            return Err(Error::new(ErrorKind::Constraint, format!("two fields have the name `{name}` in JSON")));
        }
    }
    Ok(())
}

impl Slot {
    fn of(name: &str, wire: Wire, shape: &Shape) -> Self {
        let names = enum_of(shape);
        let key = json_name(name);
        Self {
            token: KeyPattern::new(&key),
            key,
            cardinality: wire.cardinality,
            form: wire.form,
            implicit: wire.presence == Presence::Implicit,
            closed: false,
            null: names.as_ref().is_some_and(|names| is_null(names)),
            finite: false,
            child: None,
            variants: ROOT,
            names,
        }
    }

    fn noted<'n>(&mut self, notes: impl Iterator<Item = &'n str>) {
        for note in notes {
            if note == "closed" {
                self.closed = true;
            } else if let Some(name) = note.strip_prefix("json_name ") {
                name.clone_into(&mut self.key);
                self.token = KeyPattern::new(name);
            }
        }
    }
}

/// Returns the enum of a shape, or of its items.
fn enum_of(shape: &Shape) -> Option<Ref<Enum>> {
    match shape {
        Shape::Option(inner) | Shape::List(inner) | Shape::Map(_, inner) => enum_of(inner),
        Shape::Enum(names) => Some(names.clone()),
        Shape::Union(demat_core::UnionRef::Link(..)) => None,
        Shape::Union(union) => match union.get().variants() {
            [names, number] if matches!(number.shape(), Shape::Int(_)) => match names.shape() {
                Shape::Enum(names) => Some(names.clone()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Whether it is `google.protobuf.NullValue`.
pub(super) fn is_null(names: &Enum) -> bool {
    names.len() == 1 && names.name() == "NullValue" && names.name_at(0) == "NULL_VALUE"
}

impl fmt::Debug for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mapping").field("shape", &self.shape.to_string()).finish_non_exhaustive()
    }
}
