use demat_core::{FloatWidth, IntWidth, Ref, Shape, Tag, UnionRef};

/// The encoding of a single value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A varint that is 0 or 1.
    Bool,
    /// A varint with 32 significant bits; negative numbers are two's complement in 64 bits.
    Int32,
    /// A varint with 64 significant bits, two's complement.
    Int64,
    /// An unsigned varint with 32 significant bits.
    Uint32,
    /// An unsigned varint with 64 significant bits.
    Uint64,
    /// A zigzag varint of 32 bits.
    Sint32,
    /// A zigzag varint of 64 bits.
    Sint64,
    /// Four bytes, unsigned.
    Fixed32,
    /// Four bytes, signed.
    Sfixed32,
    /// Eight bytes, unsigned.
    Fixed64,
    /// Eight bytes, signed.
    Sfixed64,
    /// Binary32.
    Float,
    /// Binary64.
    Double,
    /// A varint that is the number of an enum's name.
    Enum,
    /// Length-prefixed UTF-8.
    Text,
    /// Length-prefixed bytes.
    Bytes,
    /// A message of seconds and nanoseconds since 1970.
    Timestamp,
    /// A message of seconds and nanoseconds.
    Duration,
    /// A length-prefixed record.
    Message,
    /// A record between two tags.
    Group,
    /// A message whose fields are the variants of a union.
    Union,
    /// A `google.protobuf.Value`: a message that says the type of its value.
    Any,
    /// Null: a zero if it is written at all.
    Null,
    /// No encoding exists, as for a list within a list.
    None,
    /// The text of an IPv4 address, encoded as a `fixed32`.
    Ipv4,
    /// The text of an IP address, encoded as its four or sixteen bytes, length-prefixed.
    Ip,
    /// The text of an IP address and a port, encoded as the bytes of the address and two more.
    IpPort,
}

impl Form {
    /// All forms, in order.
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

    /// Whether a list of such values can be packed.
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

    /// Whether a list of such values is read packed as well: an enum with nothing but null is an enum, which other
    /// programs pack.
    pub(in crate::proto) const fn reads_packed(self) -> bool {
        self.packable() || matches!(self, Self::Null)
    }

    /// Whether several occurrences of such a field are merged.
    pub const fn is_message(self) -> bool {
        matches!(self, Self::Message | Self::Group | Self::Union | Self::Any | Self::Timestamp | Self::Duration)
    }

    /// Whether the form has a zero that equals an absent field under implicit presence. Messages have none.
    pub const fn has_zero(self) -> bool {
        self.packable() && !matches!(self, Self::Ipv4) || matches!(self, Self::Text | Self::Bytes | Self::Null)
    }

    /// Returns the form of a shape that is no list or map and holds no other shape.
    pub(super) const fn of_leaf(shape: &Shape) -> Self {
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

    /// Returns the form of a single value of a shape.
    pub fn of(shape: &Shape) -> Self {
        match shape.inner() {
            Shape::Union(union) if is_open_enum(union) => Self::Enum,
            leaf => Self::of_leaf(leaf),
        }
    }

    /// As [`of`](Self::of), for constants.
    pub(super) const fn fixed(shape: &Shape) -> Self {
        match shape {
            Shape::Option(Ref::Static(inner)) => Self::fixed(inner),
            leaf => Self::of_leaf(leaf),
        }
    }

    /// As [`fixed`](Self::fixed), simple enough for the compiler to evaluate. Returns `None` if the shape is no leaf.
    #[inline(always)]
    pub(super) fn of_constant(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Option(Ref::Static(inner)) => match inner {
                Shape::Option(_) | Shape::List(_) | Shape::Tuple(_) | Shape::Map(..) => None,
                leaf => Some(Self::of_leaf(leaf)),
            },
            Shape::Option(_) | Shape::List(_) | Shape::Tuple(_) | Shape::Map(..) => None,
            leaf => Some(Self::of_leaf(leaf)),
        }
    }

    /// Returns the form that a `.proto` file calls by this name.
    #[inline(always)]
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

    /// Returns the note that says this form, if a shape does not imply it; `None` if every shape does.
    ///
    /// ```
    /// use demat_formats::proto::Form;
    /// assert_eq!(Form::Sint64.note(), Some("sint64"));
    /// assert_eq!(Form::Message.note(), None);
    /// ```
    pub const fn note(self) -> Option<&'static str> {
        Some(match self {
            Self::Bool => "bool",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Sint32 => "sint32",
            Self::Sint64 => "sint64",
            Self::Fixed32 => "fixed32",
            Self::Sfixed32 => "sfixed32",
            Self::Fixed64 => "fixed64",
            Self::Sfixed64 => "sfixed64",
            Self::Float => "float",
            Self::Double => "double",
            Self::Text => "string",
            Self::Bytes => "bytes",
            Self::Group => "group",
            Self::Ipv4 => "ipv4",
            Self::Ip => "ip",
            Self::IpPort => "ip_port",
            Self::Enum
            | Self::Timestamp
            | Self::Duration
            | Self::Message
            | Self::Union
            | Self::Any
            | Self::Null
            | Self::None => return None,
        })
    }
}

/// Whether the union is an open enum: a name, or a number without a name. Both are a number on the wire.
fn is_open_enum(union: &UnionRef) -> bool {
    // A link may refer to a union that is still under construction.
    if matches!(union, UnionRef::Link(..)) {
        return false;
    }
    let union = union.get();
    *union.tag() == Tag::None
        && matches!(union.variants(), [names, number]
            if matches!((names.shape(), number.shape()), (Shape::Enum(_), Shape::Int(_))))
}
