//! Types of columns.

use demat_core::{Field, FloatWidth, IntWidth, Result, Shape, Tag};
use std::borrow::Cow;
use std::sync::Arc;

/// The type of a column or of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnType {
    /// Its object identifier in the database.
    pub oid: u32,
    /// Its name in SQL, such as `numeric(10,2)`.
    pub name: String,
    /// The form of its values.
    pub class: TypeClass,
}

impl ColumnType {
    /// Returns a built-in type by its identifier, without a modifier; `None` for an array, and for a type that is not
    /// known.
    ///
    /// ```
    /// use demat_postgres::{ColumnType, TypeClass};
    /// assert_eq!(ColumnType::built_in(23).map(|own| own.class), Some(TypeClass::Int(4)));
    /// ```
    pub fn built_in(oid: u32) -> Option<Self> {
        let class = TypeClass::of_oid(oid, -1)?;
        Some(Self { oid, name: class.name().to_string(), class })
    }

    /// Returns the type of arrays with items of this type.
    #[must_use]
    pub fn array(self, oid: u32) -> Self {
        Self { oid, name: format!("{}[]", self.name), class: TypeClass::Array(Arc::new(self)) }
    }
}

/// The form of a type's values. A domain has that of its base type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TypeClass {
    /// `boolean`.
    Bool,
    /// `smallint`, `integer` and `bigint`: the number of bytes.
    Int(u8),
    /// `oid`: an unsigned integer of four bytes.
    Oid,
    /// `real`.
    Float4,
    /// `double precision`.
    Float8,
    /// `numeric`: the number of digits after the point, if it is declared.
    Numeric(Option<i16>),
    /// `text`, `varchar`, `name`, `citext`: the maximum number of characters, if it is declared.
    Text(Option<u32>),
    /// `char(n)`: the number of characters, to which the server fills shorter texts with spaces.
    Char(u32),
    /// `bytea`.
    Bytes,
    /// `date`.
    Date,
    /// `time`, with the number of digits of a second, if it is declared; likewise below.
    Time(Option<u8>),
    /// `timestamp`: a date and time without an offset.
    Timestamp(Option<u8>),
    /// `timestamptz`: an instant, in UTC.
    Instant(Option<u8>),
    /// `interval`.
    Interval(Option<u8>),
    /// An `interval` without seconds, such as `interval day to hour`, which cuts off what it does not keep.
    CoarseInterval,
    /// `uuid`.
    Uuid,
    /// `json`.
    Json,
    /// `jsonb`.
    Jsonb,
    /// `inet`.
    Inet,
    /// `cidr`.
    Cidr,
    /// `macaddr` and `macaddr8`: the number of bytes.
    Mac(u8),
    /// An enum, with its labels.
    Enum(Arc<[String]>),
    /// An array, with the type of its items.
    Array(Arc<ColumnType>),
    /// A type whose values Demat can't read or write.
    Other,
}

/// The bit of the seconds, in the fields of an interval.
const SECONDS: i32 = 1 << 12;

impl TypeClass {
    /// Returns the class of a built-in type that is no array, with its modifier (-1: none).
    pub(crate) fn of_oid(oid: u32, modifier: i32) -> Option<Self> {
        let precision = u8::try_from(modifier).ok().filter(|precision| *precision <= 6);
        Some(match oid {
            16 => Self::Bool,
            17 => Self::Bytes,
            19 | 25 => Self::Text(None),
            20 => Self::Int(8),
            21 => Self::Int(2),
            23 => Self::Int(4),
            26 => Self::Oid,
            114 => Self::Json,
            650 => Self::Cidr,
            700 => Self::Float4,
            701 => Self::Float8,
            774 => Self::Mac(8),
            829 => Self::Mac(6),
            869 => Self::Inet,
            1_042 if modifier >= 4 => Self::Char(modifier.abs_diff(4)),
            1_042 | 1_043 => Self::Text(u32::try_from(modifier - 4).ok().filter(|_| modifier >= 4)),
            1_082 => Self::Date,
            1_083 => Self::Time(precision),
            1_114 => Self::Timestamp(precision),
            1_184 => Self::Instant(precision),
            // The upper half says which fields there are: all, or some; those with seconds keep every value.
            1_186 if modifier >= 0 && modifier >> 16 & SECONDS == 0 => Self::CoarseInterval,
            1_186 => {
                Self::Interval(u8::try_from(modifier & 0xFFFF).ok().filter(|digits| modifier >= 0 && *digits <= 6))
            }
            // Eleven bits with a sign.
            1_700 => Self::Numeric((modifier >= 4).then(|| (((modifier - 4) & 0x7FF) ^ 1_024) as i16 - 1_024)),
            2_950 => Self::Uuid,
            3_802 => Self::Jsonb,
            _ => return None,
        })
    }

    /// Whether values are labels of an enum, or arrays of them.
    pub(crate) fn has_labels(&self) -> bool {
        match self {
            Self::Enum(_) => true,
            Self::Array(item) => item.class.has_labels(),
            _ => false,
        }
    }

    /// Whether values are JSON.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self, Self::Json | Self::Jsonb)
    }

    /// What a value is, in errors.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int(_) | Self::Oid => "int",
            Self::Float4 | Self::Float8 => "float",
            Self::Numeric(_) => "decimal",
            Self::Text(_) | Self::Char(_) | Self::Enum(_) => "text",
            Self::Bytes => "bytes",
            Self::Date => "date",
            Self::Time(_) => "time",
            Self::Timestamp(_) => "datetime",
            Self::Instant(_) => "instant",
            Self::Interval(_) | Self::CoarseInterval => "duration",
            Self::Uuid => "uuid",
            Self::Json | Self::Jsonb => "json",
            Self::Inet | Self::Cidr => "an address",
            Self::Mac(_) => "a hardware address",
            Self::Array(_) => "list",
            Self::Other => "a value of another type",
        }
    }

    /// Returns the shape of the values.
    pub fn shape(&self) -> Shape {
        match self {
            Self::Bool => Shape::Bool,
            Self::Int(bytes) => Shape::Int(IntWidth::Signed(u16::from(*bytes) * 8)),
            Self::Oid => Shape::Int(IntWidth::Unsigned(32)),
            Self::Float4 => Shape::Float(FloatWidth::F32),
            Self::Float8 => Shape::Float(FloatWidth::F64),
            Self::Numeric(_) => Shape::Decimal,
            Self::Text(_) | Self::Char(_) | Self::Inet | Self::Cidr | Self::Mac(_) => Shape::Text,
            Self::Enum(labels) => Shape::Enum(demat_core::Ref::new(demat_core::Enum::new(
                "",
                labels.iter().zip(0..).map(|(label, number)| (Cow::Owned(label.clone()), number)).collect(),
            ))),
            Self::Bytes => Shape::Bytes,
            Self::Date => Shape::Date,
            Self::Time(_) => Shape::Time,
            Self::Timestamp(_) => Shape::DateTime,
            Self::Instant(_) => Shape::Instant,
            Self::Interval(_) | Self::CoarseInterval => Shape::Duration,
            Self::Uuid => Shape::Uuid,
            Self::Json | Self::Jsonb | Self::Other => Shape::Any,
            // An item of an array may always be NULL, and the number of dimensions is not part of the type.
            Self::Array(item) => item.class.shape().optional().list(),
        }
    }

    /// Whether a column of this type keeps the values of a shape as they are, or refuses those that it can't keep.
    pub fn keeps(&self, shape: &Shape) -> bool {
        let shape = shape.inner();
        match shape {
            // What the values are is seen only when they come.
            Shape::Any | Shape::Null => return *self != Self::Other,
            Shape::Union(union) if !self.is_json() => {
                let union = union.get();
                return *union.tag() == Tag::None && union.variants().iter().all(|part| self.keeps(part.shape()));
            }
            _ => {}
        }
        match self {
            Self::Json | Self::Jsonb => true,
            Self::Other | Self::CoarseInterval => false,
            Self::Array(item) => match shape {
                Shape::List(own) => item.class.keeps(own) || matches!(own.inner(), Shape::List(_)) && self.keeps(own),
                Shape::Tuple(own) => own.iter().all(|own| item.class.keeps(own)),
                _ => false,
            },
            Self::Bool => *shape == Shape::Bool,
            Self::Int(_) | Self::Oid => matches!(shape, Shape::Int(_)),
            Self::Float4 => *shape == Shape::Float(FloatWidth::F32),
            Self::Float8 => matches!(shape, Shape::Float(_)),
            Self::Numeric(_) => matches!(shape, Shape::Int(_) | Shape::Float(_) | Shape::Decimal),
            Self::Text(_) | Self::Char(_) => matches!(
                shape,
                Shape::Text
                    | Shape::Enum(_)
                    | Shape::Decimal
                    | Shape::Date
                    | Shape::Time
                    | Shape::DateTime
                    | Shape::Instant
                    | Shape::Duration
                    | Shape::Uuid
            ),
            Self::Enum(_) => matches!(shape, Shape::Text | Shape::Enum(_)),
            Self::Inet | Self::Cidr | Self::Mac(_) => *shape == Shape::Text,
            Self::Bytes => *shape == Shape::Bytes,
            Self::Date => *shape == Shape::Date,
            Self::Time(_) => *shape == Shape::Time,
            // An instant may have no offset; each value is looked at.
            Self::Timestamp(_) => matches!(shape, Shape::DateTime | Shape::Instant),
            Self::Instant(_) => *shape == Shape::Instant,
            Self::Interval(_) => *shape == Shape::Duration,
            Self::Uuid => *shape == Shape::Uuid,
        }
    }
}

/// Returns the declared type for a field: that of its note, or the one of its shape.
///
/// | shape | type |
/// |---|---|
/// | bool | `boolean` |
/// | int of up to 16 bits, up to 32, other | `smallint`, `integer`, `bigint` |
/// | int that may exceed 64 bits by its width (`uint64`, `int128`) | `numeric` |
/// | float32, float64 | `real`, `double precision` |
/// | text, enum | `text` |
/// | bytes | `bytea` |
/// | decimal | `numeric` |
/// | date, time, datetime, instant, duration | `date`, `time`, `timestamp`, `timestamptz`, `interval` |
/// | uuid | `uuid` |
/// | list of scalars, or of such lists | an array |
/// | any other | `jsonb` |
pub(crate) fn declared(field: &Field) -> Result<String> {
    let own = crate::note::of(field)?.into_iter().find_map(|note| match note {
        crate::note::Note::Type(declared) => Some(declared),
        _ => None,
    });
    Ok(own.unwrap_or_else(|| of_shape(field.shape())))
}

fn of_shape(shape: &Shape) -> String {
    match shape.inner() {
        Shape::List(item) => match of_shape(item).as_str() {
            "jsonb" => "jsonb".to_string(),
            scalar => format!("{scalar}[]"),
        },
        other => scalar(other).to_string(),
    }
}

fn scalar(shape: &Shape) -> &'static str {
    match shape {
        Shape::Bool => "boolean",
        Shape::Int(IntWidth::Signed(..=16) | IntWidth::Unsigned(..=15)) => "smallint",
        Shape::Int(IntWidth::Signed(..=32) | IntWidth::Unsigned(..=31)) => "integer",
        Shape::Int(IntWidth::Any | IntWidth::Signed(..=64) | IntWidth::Unsigned(..=63)) => "bigint",
        Shape::Int(_) | Shape::Decimal => "numeric",
        Shape::Float(FloatWidth::F32) => "real",
        Shape::Float(FloatWidth::F64) => "double precision",
        Shape::Text | Shape::Enum(_) => "text",
        Shape::Bytes => "bytea",
        Shape::Date => "date",
        Shape::Time => "time",
        Shape::DateTime => "timestamp",
        Shape::Instant => "timestamptz",
        Shape::Duration => "interval",
        Shape::Uuid => "uuid",
        _ => "jsonb",
    }
}
