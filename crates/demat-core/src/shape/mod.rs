//! Shapes: the types of values, known before the first byte is read.

mod enumeration;
mod field;
mod fit;
mod items;
mod json_name;
mod key_table;
mod layout;
mod overrule;
mod quoted_key;
mod record;
mod reference;
mod same;
mod text;
mod union;
mod vocabulary;
mod width;

pub use enumeration::Enum;
pub use field::{Field, KeyPattern, Note};
pub use fit::Fit;
pub use items::Items;
pub use json_name::json_name;
pub use layout::Layout;
pub use quoted_key::QuotedKey;
pub use record::{Record, RecordRef, Unknown};
pub use reference::{Held, Named, Ref, Reference};
pub use union::{Tag, Union, UnionRef, Variant};
pub(crate) use vocabulary::equal;
pub use vocabulary::{Argument, Refusal, Vocabulary, Word};
pub use width::{FloatWidth, IntWidth};

use crate::Kind;

/// The type of a value: a **kind**, or a record of fields.
///
/// A shape can be a constant, as the derive writes it, or be made at run time from its text, a header, a sample or a
/// schema. [`Ref`] shares parts; [`RecordRef`] and [`UnionRef`] allow recursion by name.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Any value.
    Any,
    /// Only null.
    Null,
    /// True or false.
    Bool,
    /// An integer of the width.
    Int(IntWidth),
    /// A binary floating-point number of the width.
    Float(FloatWidth),
    /// Unicode text.
    Text,
    /// Bytes.
    Bytes,
    /// An exact decimal number.
    Decimal,
    /// A calendar date.
    Date,
    /// A time of day.
    Time,
    /// A date and time without an offset, as a wall clock shows it.
    DateTime,
    /// A date and time, with its offset if that is known.
    Instant,
    /// A length of time.
    Duration,
    /// A UUID.
    Uuid,
    /// The inner shape, or null.
    Option(Ref<Shape>),
    /// Any number of values of one shape.
    List(Ref<Shape>),
    /// One value for each of the shapes, in this order.
    Tuple(Ref<[Ref<Shape>]>),
    /// Keys of one shape with values of another.
    Map(Ref<Shape>, Ref<Shape>),
    /// Named and numbered fields.
    Record(RecordRef),
    /// One of a set of names.
    Enum(Ref<Enum>),
    /// A value of one of several shapes.
    Union(UnionRef),
}

impl Shape {
    /// Returns the shape of an optional value of this shape.
    #[must_use]
    pub fn optional(self) -> Self {
        match self {
            Self::Option(_) | Self::Null | Self::Any => self,
            other => Self::Option(Ref::new(other)),
        }
    }

    /// Returns the shape of a list of values of this shape.
    #[must_use]
    pub fn list(self) -> Self {
        Self::List(Ref::new(self))
    }

    /// Returns the shape of a record made at run time.
    pub fn record(record: Record) -> Self {
        Self::Record(RecordRef::new(record))
    }

    /// Whether null is one of its values.
    pub fn allows_null(&self) -> bool {
        match self {
            Self::Option(_) | Self::Null | Self::Any => true,
            // Only if it is untagged: a tagged variant without content is written as its tag. A link may lead to a
            // union that is still under construction; a union that is null only through its own recursion does not
            // count.
            Self::Union(UnionRef::Link(..)) => false,
            Self::Union(union) => {
                let union = union.get();
                *union.tag() == Tag::None && union.variants().iter().any(|variant| variant.shape().allows_null())
            }
            _ => false,
        }
    }

    /// Returns the shape inside options.
    pub fn inner(&self) -> &Self {
        match self {
            Self::Option(inner) => inner.inner(),
            other => other,
        }
    }

    /// Returns the record of the rows: of a list of records, or of a single record. `None` for any other shape.
    ///
    /// ```
    /// use demat_core::Shape;
    /// let shape: Shape = "[{id: int}]?".parse()?;
    /// assert_eq!(shape.row().map(|row| row.get().fields().len()), Some(1));
    /// assert!(Shape::Any.row().is_none());
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn row(&self) -> Option<&RecordRef> {
        match self.inner() {
            Self::Record(record) => Some(record),
            Self::List(item) => match item.inner() {
                Self::Record(record) => Some(record),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the error for a shape without a [`row`](Self::row): `expected`, what it is instead, and what helps.
    ///
    /// ```
    /// use demat_core::Shape;
    /// let error = "[int]".parse::<Shape>()?.no_row("columns hold records");
    /// assert_eq!(error.reason(), "columns hold records, and the items of this list are of the shape `int`");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    #[cold]
    pub fn no_row(&self, expected: &str) -> crate::Error {
        let item = match self.inner() {
            Self::List(item) => Some(item.inner()),
            _ => None,
        };
        let found = match (self.inner(), item) {
            (_, Some(Self::Any)) => {
                "this list is empty or mixed: nothing says its fields, so give the type".to_string()
            }
            (Self::Map(..), _) | (_, Some(Self::Map(..))) => {
                let most = crate::InferenceOptions::default();
                let (rows, others) = (most.columns, most.keys);
                format!(
                    "these are maps: give the type if they are records. Rows of a list that have more than {rows} \
                     different keys are taken for maps, and other values of more than {others}"
                )
            }
            (_, Some(item)) => format!("the items of this list are of the shape `{}`", item.name()),
            (other, None) => format!("the shape is `{}`", other.name()),
        };
        crate::Error::new(crate::ErrorKind::Encode, format!("{expected}, and {found}"))
    }

    /// Whether it is a single value and no list, map or record. `Any` counts as compound, since it may be one.
    pub fn is_scalar(&self) -> bool {
        match self {
            Self::Option(inner) => inner.is_scalar(),
            Self::Any | Self::List(_) | Self::Tuple(_) | Self::Map(..) | Self::Record(_) | Self::Union(_) => false,
            _ => true,
        }
    }

    /// The name in errors: that of its kind, or of the record.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Text => "text",
            Self::Bytes => "bytes",
            Self::Decimal => "decimal",
            Self::Date => "date",
            Self::Time => "time",
            Self::DateTime => "datetime",
            Self::Instant => "instant",
            Self::Duration => "duration",
            Self::Uuid => "uuid",
            Self::Option(inner) => inner.name(),
            Self::List(_) => "list",
            Self::Tuple(_) => "tuple",
            Self::Map(..) => "map",
            Self::Record(_) => "record",
            Self::Enum(_) => "enum",
            Self::Union(_) => "union",
        }
    }

    /// Whether a value that an untyped reader reports as `kind` can have this shape. Text counts for every kind that
    /// other formats write as text.
    pub fn accepts(&self, kind: Kind) -> bool {
        match self {
            Self::Any => true,
            Self::Null => kind == Kind::Null,
            Self::Bool => kind == Kind::Bool,
            Self::Int(_) => kind == Kind::Int,
            Self::Float(_) => matches!(kind, Kind::Int | Kind::Float | Kind::Decimal),
            Self::Decimal => matches!(kind, Kind::Int | Kind::Float | Kind::Decimal | Kind::Text),
            Self::Text | Self::Enum(_) => kind == Kind::Text,
            Self::Bytes => matches!(kind, Kind::Bytes | Kind::Text),
            Self::Date => matches!(kind, Kind::Date | Kind::Text),
            Self::Time => matches!(kind, Kind::Time | Kind::Text),
            Self::DateTime => matches!(kind, Kind::DateTime | Kind::Text),
            Self::Instant => matches!(kind, Kind::Instant | Kind::DateTime | Kind::Text),
            Self::Duration => matches!(kind, Kind::Duration | Kind::Text),
            Self::Uuid => matches!(kind, Kind::Uuid | Kind::Text | Kind::Bytes),
            Self::Option(inner) => kind == Kind::Null || inner.accepts(kind),
            Self::List(_) | Self::Tuple(_) => kind == Kind::List,
            Self::Map(..) => kind == Kind::Map,
            Self::Record(record) => match record.get().items() {
                None => kind == Kind::Map,
                Some(items) => kind == Kind::List || items.allows_names() && kind == Kind::Map,
            },
            Self::Union(union) => {
                let union = union.get();
                match union.tag() {
                    Tag::Field(_) | Tag::Pair(_) => kind == Kind::Map,
                    Tag::Key => matches!(kind, Kind::Map | Kind::Text),
                    Tag::None => union.variants().iter().any(|variant| variant.shape().accepts(kind)),
                }
            }
        }
    }
}
