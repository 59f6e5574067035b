use demat_core::{FloatWidth, IntWidth, Ref, Shape, Tag, UnionRef};

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

    /// That of a single value of a shape.
    pub fn of(shape: &Shape) -> Self {
        match shape.inner() {
            Shape::Union(union) if is_open_enum(union) => Self::Enum,
            leaf => Self::of_leaf(leaf),
        }
    }

    /// The same for constants.
    pub(super) const fn fixed(shape: &Shape) -> Self {
        match shape {
            Shape::Option(Ref::Static(inner)) => Self::fixed(inner),
            leaf => Self::of_leaf(leaf),
        }
    }

    /// The same, where compilers shall work it out: `None` for what is no leaf.
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

    /// The form that a `.proto` file calls so.
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
}

/// Whether the union is one of names and of numbers that have none: a number on the wire either way.
fn is_open_enum(union: &UnionRef) -> bool {
    // A link may lead to a union that is still being made.
    if matches!(union, UnionRef::Link(..)) {
        return false;
    }
    let union = union.get();
    *union.tag() == Tag::None
        && matches!(union.variants(), [names, number]
            if matches!((names.shape(), number.shape()), (Shape::Enum(_), Shape::Int(_))))
}
